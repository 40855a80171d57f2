"""What a chunk says: terms, units and records by the real parser and by rules alone."""

from collections.abc import Sequence
from functools import lru_cache

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from pagerag_pipeline.indexing.extract import extract_chunks
from pagerag_pipeline.models.tagger import load_tagger
from pagerag_pipeline.schema.documents import Mode
from pagerag_pipeline.schema.knowledge import Extraction, Tagged
from pagerag_pipeline.schema.protocols import Tagger
from pagerag_pipeline.settings import ExtractSettings

BOTH = pytest.mark.parametrize("kind", [pytest.param("spacy", marks=pytest.mark.models), "rules"])
F1 = "Mara Quill founded Tinworks in 1901. Tinworks stands on Harbour Lane."


@lru_cache
def tagger(kind: str) -> Tagger:
    return load_tagger(ExtractSettings(tagger=kind))


def extraction(text: str, kind: str = "spacy", mode: Mode = "mixed", language: str = "en") -> Extraction:
    (one,) = extract_chunks([text], tagger(kind), language=language, mode=mode)
    for item in (*one.units, *one.records):
        assert text[item.start : item.end] == item.quote
    for term in one.terms:
        assert text[term.start : term.end] == term.surface
    return one


def statements(text: str, kind: str = "spacy", mode: Mode = "mixed") -> set[tuple[str, str, str]]:
    """(head, predicate, tail) of what a text states; mere company left out."""
    found = {(unit.head, unit.predicate, unit.tail) for unit in extraction(text, kind, mode).units}
    return {one for one in found if one[1] != "mentioned_with"}


def modality(text: str, kind: str = "spacy") -> dict[tuple[str, str, str], str]:
    return {(unit.head, unit.predicate, unit.tail): unit.modality for unit in extraction(text, kind).units}


@BOTH
def test_both_taggers_give_the_facts_of_the_small_corpus(kind: str) -> None:
    found = statements(F1, kind)
    assert ("Mara Quill", "founded", "Tinworks") in found
    assert ("Tinworks", "founded_date", "1901") in found
    assert ("Tinworks", "located_at", "Harbour Lane") in found
    assert ("Odo Fenn", "bought", "Tinworks") in statements("Odo Fenn bought Tinworks from Mara Quill in 1912.", kind)
    assert ("Sister Bell", "kept", "bees") in statements("Sister Bell kept bees at Low Farm.", kind)


@BOTH
@pytest.mark.parametrize(
    "text",
    [
        "The inn has a Red Room, a Blue Room and an Attic.",
        "The inn has three rooms: the Red Room, the Blue Room and the Attic.",
        "The inn contains the following three rooms: the Red Room, the Blue Room, and the Attic.",
        "The rooms of the inn are the Red Room, the Blue Room and the Attic.",
        "There are three rooms in the inn: the Red Room, the Blue Room and the Attic.",
        "Rooms in the inn: Red Room, Blue Room, Attic.",
    ],
)
def test_a_list_gives_each_of_its_items(kind: str, text: str) -> None:
    found = {tail for head, predicate, tail in statements(text, kind) if (head, predicate) == ("inn", "has")}
    assert found == {"Red Room", "Blue Room", "Attic"}


@BOTH
@pytest.mark.parametrize("text", ["The rooms of the inn are cold, damp and dark.", "The rooms of the inn are called after Ann Hale.", "The bells in the inn: silence."])
def test_what_things_are_like_is_no_list(kind: str, text: str) -> None:
    assert not [s for s in statements(text, kind) if s[1] == "has"]


@BOTH
def test_names_declared_in_the_text(kind: str) -> None:
    cases = {
        "Tinworks, also known as the Tin Hall, was bought by Odo Fenn.": ("Tinworks", "Tin Hall"),
        "The World Health Organization (WHO) met in Hale.": ("World Health Organization", "WHO"),
        "Samuel Clemens, better known as Mark Twain, wrote novels.": ("Samuel Clemens", "Mark Twain"),
        "Anna Hale, nicknamed Nan, left.": ("Anna Hale", "Nan"),
        "The Humber Bridge, or the Long Bridge, was closed.": ("Humber Bridge", "Long Bridge"),
    }
    for text, (head, tail) in cases.items():
        assert (head, "also_known_as", tail) in statements(text, kind), text
    for text in ("Ann Hale or Bob Fenn came.", "Jay Gatsby (Leonardo DiCaprio) is rich.", "Simon Called Peter is a novel."):
        assert not [one for one in statements(text, kind) if one[1] == "also_known_as"], text


@BOTH
def test_a_name_with_a_bracket_stays_whole(kind: str) -> None:
    """EXT-13."""
    heads = {unit.head for unit in extraction("Sky Game (Wasteland) was made by Odo Fenn.", kind).units}
    tails = {unit.tail for unit in extraction("Sky Game (Wasteland) was made by Odo Fenn.", kind).units}
    assert "Sky Game (Wasteland)" in heads | tails


@BOTH
def test_years_in_brackets(kind: str) -> None:
    found = statements("Ann Hale (3 May 1880 – June 1951) was a baker. Bob Fenn (born 1912) is a smith.", kind)
    assert {("Ann Hale", "born_date", "3 May 1880"), ("Ann Hale", "died_date", "June 1951"), ("Bob Fenn", "born_date", "1912")} <= found


@pytest.mark.models
@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Tinworks was bought by Odo Fenn and sold to Jan Fenn.", ("Odo Fenn", "bought", "Tinworks")),
        ("Tinworks was bought by Odo Fenn and sold to Jan Fenn.", ("Tinworks", "sold_to", "Jan Fenn")),
        ("Mara Quill and Odo Fenn founded Tinworks.", ("Odo Fenn", "founded", "Tinworks")),
        ("Mara Quill founded Tinworks and Millworks.", ("Mara Quill", "founded", "Millworks")),
        ("Mara Quill founded Tinworks and married Odo Fenn.", ("Mara Quill", "married", "Odo Fenn")),
        ("Mara Quill and Odo Fenn married in 1903.", ("Mara Quill", "married", "Odo Fenn")),
        ("Jan Fenn was born in Hale on 3 May 1880.", ("Jan Fenn", "born_in", "Hale")),
        ("Jan Fenn was born in Hale on 3 May 1880.", ("Jan Fenn", "born_date", "3 May 1880")),
        ("Mara Quill was the owner of Tinworks.", ("Mara Quill", "owner_of", "Tinworks")),
        ("Mara Quill, a tinsmith from Hale, left.", ("Mara Quill", "is_a", "tinsmith")),
        ("The owner, Odo Fenn, sold Tinworks.", ("Odo Fenn", "sold", "Tinworks")),
        ("Odo's brother, Jan Fenn, lives in Hale.", ("Jan Fenn", "brother_of", "Odo")),
        ("Odo's brother, Jan Fenn, lives in Hale.", ("Jan Fenn", "lives_in", "Hale")),
        ("The capital of France is Paris.", ("Paris", "capital_of", "France")),
        ("The population of Hale is 4,000.", ("Hale", "population", "4,000")),
        ("The tower is 30 metres tall.", ("tower", "height", "30 metres")),
        ("Jan Fenn, who owns Tinworks, lives in Hale.", ("Jan Fenn", "owns", "Tinworks")),
        ("Bad Subject is a 1933 comedy film directed by Carlo Bragaglia.", ("Carlo Bragaglia", "directed", "Bad Subject")),
        ("Girl from Hong Kong is a film directed by Franz Wirth.", ("Franz Wirth", "directed", "Girl from Hong Kong")),
        ("Ann Hale kept a shop called Threads.", ("Threads", "is_a", "shop")),
        ("The meeting appointed Ann Hale as head baker.", ("Ann Hale", "appointed_as", "head baker")),
        ("There is a bell in the tower.", ("bell", "located_at", "tower")),
        ("Tinworks has a red roof.", ("Tinworks", "has", "red roof")),
        ("Tom and Daisy danced.", ("Tom", "acts_with", "Daisy")),
    ],
)
def test_what_a_sentence_states(text: str, wanted: tuple[str, str, str]) -> None:
    assert wanted in statements(text)


@pytest.mark.models
@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("The mill closed because the river flooded.", ("river flooded", "mill closed")),
        ("The mill closed because of the flood.", ("flood", "mill closed")),
        ("The flood caused the fire.", ("flood", "fire")),
        ("The flood led to the fire.", ("flood", "fire")),
    ],
)
def test_causes_with_a_cue(text: str, wanted: tuple[str, str]) -> None:
    assert {(head, tail) for head, predicate, tail in statements(text) if predicate == "causes"} == {wanted}


@pytest.mark.models
@pytest.mark.parametrize("text", ["The mill closed after the river flooded.", "The river flooded. The mill closed.", "The mill closed when the river rose."])
def test_no_cause_without_a_cue(text: str) -> None:
    assert not [one for one in statements(text) if one[1] == "causes"]


@pytest.mark.models
@pytest.mark.parametrize("text", ["He founded Tinworks.", "She was the owner of it.", "They met her.", "It closed because it was old.", "Who founded Tinworks?"])
def test_pronouns_are_never_guessed_and_questions_state_nothing(text: str) -> None:
    assert statements(text) == set()


@pytest.mark.models
def test_modality() -> None:
    assert modality("Mara did not marry Odo.")[("Mara", "married", "Odo")] == "negated"
    assert modality("Jan Fenn never bought Tinworks.")[("Jan Fenn", "bought", "Tinworks")] == "negated"
    assert modality("Jan Fenn might buy Tinworks.")[("Jan Fenn", "bought", "Tinworks")] == "hypothetical"
    assert modality("Jan Fenn wanted to buy Tinworks.")[("Jan Fenn", "bought", "Tinworks")] == "hypothetical"
    assert modality("If Jan Fenn buys Tinworks, Mara Quill will leave.")[("Jan Fenn", "bought", "Tinworks")] == "hypothetical"
    assert modality("Lise Hale said that Odo Fenn had killed Jan Quill.")[("Odo Fenn", "killed", "Jan Quill")] == "reported"
    assert modality("“Odo Fenn bought Tinworks,” she said.")[("Odo Fenn", "bought", "Tinworks")] == "reported"
    assert modality("Odo Fenn refused to buy Tinworks.")[("Odo Fenn", "bought", "Tinworks")] == "negated"


@pytest.mark.models
def test_vocatives_of_dialogue_are_no_appositions() -> None:
    for text in ("“It was an accident, George.”", "“Let us go to Hale, old sport.”", "“Good night, Mr. Carraway.”"):
        assert not [one for one in statements(text, mode="narrative") if one[1] == "is_a"]


@BOTH
def test_names_in_one_sentence_keep_company_unless_a_statement_joins_them(kind: str) -> None:
    one = extraction("Odo Fenn bought Tinworks while Mara Quill slept. Ann Hale is a friend.", kind)
    pairs = {(u.head, u.tail): u.confidence for u in one.units if u.predicate == "mentioned_with"}
    assert pairs == {("Mara Quill", "Odo Fenn"): 0.5, ("Mara Quill", "Tinworks"): 0.5}
    assert not [record for record in one.records if record.field == "mentioned_with"]


def test_modality_by_rules() -> None:
    assert modality("Mara Quill never married Odo Fenn.", "rules")[("Mara Quill", "married", "Odo Fenn")] == "negated"
    assert modality("Jan Fenn might buy Tinworks.", "rules")[("Jan Fenn", "bought", "Tinworks")] == "hypothetical"
    assert statements("Did Jan Fenn buy Tinworks?", "rules") == set()


def test_passives_by_rules() -> None:
    assert ("Odo Fenn", "bought", "Tinworks") in statements("Tinworks was bought by Odo Fenn.", "rules")


@BOTH
def test_line_ends_and_markup_inside_a_sentence_do_not_matter(kind: str) -> None:
    text = "  And once,\n**Mara\n Quill** founded\n_Tinworks_ in 1901.\n\n- Odo Fenn bought\n  Tinworks.\n- Jan Fenn sold Tinworks."
    found = statements(text, kind)
    assert {("Odo Fenn", "bought", "Tinworks"), ("Jan Fenn", "sold", "Tinworks"), ("Mara Quill", "founded", "Tinworks")} <= found


@BOTH
def test_headings_give_no_term_unit_or_record(kind: str) -> None:
    """ENT-09."""
    for heading in ("# Decisions", "Decisions\n=========", "CHAPTER IV", "Decisions of the Board"):
        one = extraction(f"{heading}\n\nMara Quill founded Tinworks.", kind)
        assert {term.key for term in one.terms} <= {"mara quill", "mara", "quill", "tinworks"}, heading
        assert len(one.sentences) == 2


@BOTH
def test_lines_of_cells_give_terms_but_state_nothing(kind: str) -> None:
    one = extraction("Owner\tTinworks\tMara Quill bought Hale\n| Mara Quill | founded Tinworks | 1901 |", kind)
    assert one.units == one.records == ()
    assert "mara quill" in {term.key for term in one.terms}


def test_a_short_statement_alone_is_no_heading() -> None:
    assert statements("Mara Quill founded Tinworks", "rules") == {("Mara Quill", "founded", "Tinworks")}


@pytest.mark.models
def test_terms_follow_the_rules_of_the_cooccurrence_graph() -> None:
    terms = [(t.key, t.label) for t in extraction("Dr. Mara Quill sold two old bells to Hale in 1901.").terms]
    assert ("bell", "NOUN") in terms
    assert ("hale", "GPE") in terms
    assert ("mara quill", "PERSON") in terms or ("dr. mara quill", "PERSON") in terms
    assert {("mara", "NAME"), ("quill", "NAME")} <= set(terms)
    assert not {"1901", "two", "dr", "dr."} & {key for key, _ in terms}


def test_terms_name_their_sentence() -> None:
    one = extraction("Ann Hale came. Bob Fenn left. Ann Hale wept.", "rules")
    assert [(t.key, t.sentence) for t in one.terms if t.label == "MISC"] == [("ann hale", 0), ("bob fenn", 1), ("ann hale", 2)]
    assert len(one.sentences) == 3


def test_records_stand_under_both_ends_of_a_relation() -> None:
    records = {(r.entity, r.category, r.field, r.value) for r in extraction(F1, "rules").records}
    assert ("Mara Quill", "relation", "founded", "Tinworks") in records
    assert ("Tinworks", "relation", "founded_by", "Mara Quill") in records
    assert ("Tinworks", "property", "founded_date", "1901") in records


def test_records_carry_the_parts_of_their_values() -> None:
    (record,) = [r for r in extraction(F1, "rules").records if r.field == "founded"]
    assert record.qualifiers == (("time", "1901"),)
    assert record.value_is_entity
    (dated,) = [r for r in extraction(F1, "rules").records if r.field == "founded_date"]
    assert dated.qualifiers == (("year", "1901"),)
    assert not dated.value_is_entity


@pytest.mark.models
def test_amounts_keep_number_unit_and_currency() -> None:
    (record,) = [r for r in extraction("The population of Hale is 4,000.").records if r.field == "population"]
    assert (record.category, record.value, record.qualifiers) == ("property", "4,000", (("number", "4000"),))
    (record,) = [r for r in extraction("The purchase price is 410,000 crowns.").records if r.field == "value"]
    assert (record.value, record.qualifiers) == ("410,000 crowns", (("number", "410000"), ("unit", "crowns")))


@pytest.mark.models
def test_common_nouns_count_less_in_a_story_than_in_a_treatise() -> None:
    confidence = {
        mode: next(u.confidence for u in extraction("The cell has a wall.", mode=mode).units if u.predicate == "has")  # type: ignore[arg-type]
        for mode in ("narrative", "conceptual")
    }
    assert confidence["narrative"] < 0.75 <= confidence["conceptual"]


def test_a_script_without_capitals_gives_sentences_and_titles() -> None:
    one = extraction("第一句很短。《红楼梦》很长！", "spacy", language="zh")
    assert len(one.sentences) == 2
    assert [term.surface for term in one.terms if term.label == "WORK_OF_ART"] == ["红楼梦"]


def test_a_very_long_sentence_is_quoted_in_part() -> None:
    filler = "and so it went " * 200
    text = f"{filler}Mara Quill founded Tinworks {filler}"
    (unit,) = extraction(text, "rules").units
    assert len(unit.quote) < 700
    assert "Mara Quill founded Tinworks" in unit.quote


def test_texts_of_one_call_do_not_touch_each_other() -> None:
    texts = [F1, "", "Odo Fenn bought Tinworks.", "\n \n"]
    together = extract_chunks(texts, tagger("rules"), language="en", mode="mixed")
    assert together == [extraction(text, "rules") for text in texts]
    assert together[1] == Extraction((), (), (), ())


@hypothesis_settings(deadline=None, max_examples=150)
@given(st.lists(st.sampled_from([*"\n \t.,;:!?()[]{}\"'`*_#|-–—“”’0", "Mara Quill", " has ", " bought ", " known as ", "a ", "因为。", "é", "1901", "Tinworks", "𝒳"])))
def test_any_text_gives_exact_quotes(pieces: list[str]) -> None:
    extraction("".join(pieces), "rules")


@pytest.mark.models
@hypothesis_settings(deadline=None, max_examples=40)
@given(st.lists(st.sampled_from([*"\n .,;:()\"'*_#|—“”", "Mara Quill ", " has ", " was bought by ", ", known as ", "the mill ", " because ", "in 1901", " Tinworks", " 30 metres "])))
def test_any_text_gives_exact_quotes_with_the_parser(pieces: list[str]) -> None:
    extraction("".join(pieces))


class Noting:
    """A tagger that notes in which language it was asked for a text."""

    fingerprint = "noting"

    def __init__(self) -> None:
        self.asked: dict[str, str] = {}

    def tag(self, texts: Sequence[str], language: str) -> list[Tagged]:
        self.asked.update(dict.fromkeys(texts, language))
        return tagger("rules").tag(texts, language)


def test_each_text_is_read_in_its_own_language_and_a_text_that_tells_none_in_that_of_its_document() -> None:
    german, english, plain = "Das Dach der Mühle ist eingestürzt.", "The roof of the mill was mended.", "Bread, milk, eggs"
    noting = Noting()
    found = extract_chunks([german, plain, english, german], noting, language="fr", mode="mixed")
    assert noting.asked == {german: "de", english: "en", plain: "fr"}
    assert [one.sentences[0].end for one in found] == [len(german), len(plain), len(english), len(german)]
