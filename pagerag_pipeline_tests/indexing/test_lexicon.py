"""How the name of a relation becomes words that say it."""

import pytest

from pagerag_pipeline.indexing.lexicon import Value, build_lexicon
from pagerag_pipeline.indexing.word_families import name_words, type_labels, verb_lemmas


def verbs(name: str, value: Value = "entity") -> set[tuple[str, str, str]]:
    lexicon = build_lexicon([(name, "", value, False)])
    return {(lemma, cue.head, cue.tail) for lemma, cues in lexicon.verbs.items() for cue in cues}


def nouns(name: str, value: Value = "entity") -> set[str]:
    lexicon = build_lexicon([(name, "", value, False)])
    return {" ".join(cue.words) for cues in lexicon.nouns.values() for cue in cues}


@pytest.mark.parametrize(
    ("name", "words"),
    [("birthPlace", ("birth", "place")), ("birth_place", ("birth", "place")), ("3rdRunwayName", ("3rd", "runway", "name")), ("ICAOCode", ("icao", "code"))],
)
def test_names_fall_into_words(name: str, words: tuple[str, ...]) -> None:
    assert name_words(name) == words


@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [
        ("director", "entity", ("direct", "o", "s")),
        ("gardener", "entity", ("garden", "o", "s")),
        ("birthPlace", "entity", ("bear", "o", "PLACE")),
        ("foundingDate", "date", ("found", "o", "DATE")),
        ("openingYear", "date", ("open", "s", "DATE")),
        ("established", "date", ("establish", "o", "DATE")),
        ("operatedBy", "entity", ("operate", "o", "s")),
        ("knownFor", "entity", ("know", "o", "for")),
        ("cityServed", "entity", ("serve", "s", "o")),
        ("operatingOrganisation", "entity", ("operate", "o", "s")),
    ],
)
def test_verbs_of_a_name(name: str, value: Value, wanted: tuple[str, str, str]) -> None:
    assert wanted in verbs(name, value)


@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [
        ("birthPlace", "entity", {"birth place", "birthplace", "place of birth"}),
        ("numberOfStudents", "number", {"number of student", "student", "pupil"}),
        ("areaTotal", "number", {"total area", "area"}),
        ("viceChancellor", "entity", {"vice chancellor"}),
        ("spouse", "entity", {"spouse", "wife", "husband"}),
    ],
)
def test_nouns_of_a_name(name: str, value: Value, wanted: set[str]) -> None:
    assert wanted <= nouns(name, value)


def test_a_name_without_words_is_said_by_nothing() -> None:
    lexicon = build_lexicon([("!?", "", "entity", False), ("is", "", "text", False), ("of", "", "entity", False)])
    assert lexicon.predicates == {"!?", "is", "of"}
    assert not lexicon.measures and not lexicon.places


def test_the_order_of_relations_does_not_matter() -> None:
    rows: list[tuple[str, str, Value, bool]] = [("director", "", "entity", False), ("writer", "", "entity", False), ("country", "", "entity", True)]
    assert build_lexicon(rows) == build_lexicon(rows[::-1])


def test_types_are_what_they_are_to_a_tagger() -> None:
    assert type_labels("Scientist") == type_labels("Person") == {"PERSON"}
    assert "GPE" in (type_labels("City") or ())
    assert type_labels("RunwaySurfaceType") is None
    assert type_labels("number") == {"CARDINAL", "QUANTITY", "MONEY", "PERCENT", "ORDINAL"}


def test_a_participle_an_agent_and_a_plain_word() -> None:
    assert "found" in verb_lemmas("founded") and "carry" in verb_lemmas("carried") and "stop" in verb_lemmas("stopped")
    assert verb_lemmas("built") == ["build"]
    assert verb_lemmas("river") != [] and verb_lemmas("city") == []
