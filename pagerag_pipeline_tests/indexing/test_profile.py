"""Profiles tell form, mode, topics, language and boundary, per document and per part, with confidence and the features that decided."""

import json
import os
from collections import Counter
from hashlib import sha1
from itertools import product
from pathlib import Path

import pytest

from pagerag_pipeline.indexing.parse import parse_file
from pagerag_pipeline.indexing.profile import part_mode, profile_document
from pagerag_pipeline.indexing.profiling.language import detect_language
from pagerag_pipeline.indexing.profiling.sentences import guess_sentences, read_sentences
from pagerag_pipeline.schema.documents import ParsedDocument, Profile
from pagerag_pipeline.settings import ParseSettings, ProfileSettings

FACTS = Path(__file__).parent / "facts" / "profiles.jsonl"
FORMS, MODES = ("fiction", "research_paper", "report", "mixed"), ("narrative", "conceptual", "argumentative", "mixed")
LEAST_RIGHT = {"held": (0.95, 0.9), "short": (0.9, 0.8)}
"""Form and mode of documents that were labeled before the verb saw them and never tuned on; measured: of 43 of at least 300 words 100 % and 90.7 %, of 48
shorter ones 95.8 % and 83.3 %."""
STORY = (
    'Mara went down to the bridge and looked at the river. "You came late," he said. She took his hand, and they walked along the quay without a word. '
    'The boy ran after them and cried out. "Wait!" She turned, and saw the lamp fall into the water. He laughed, and then he was silent. '
) * 12
REFERENCE = (
    "The weir, or a weir, is a low barrier across a river that is used to control the flow of water. Weirs are commonly used to measure discharge. The most common type is the "
    "broad-crested weir, which consists of a horizontal crest. The crest is known as a sill. Such structures include gates and sluices, and are made of concrete. "
) * 12
ARGUMENT = (
    "It must be asked whether such a rule is justified. I think that it is not, because no reason has been given for it; and if there is no reason, we ought "
    "therefore to reject it. It may be objected that custom proves the opinion true. However, custom cannot prove the truth of a claim, nor should we believe it. "
) * 12


def profile(text: str, title: str = "") -> Profile:
    return profile_document(ParsedDocument("", title, text), ProfileSettings())


def test_clear_texts_have_their_mode() -> None:
    assert (profile(STORY).form, profile(STORY).mode) == ("fiction", "narrative")
    assert profile(REFERENCE).mode == "conceptual"
    assert profile(ARGUMENT).mode == "argumentative"


def test_a_mixed_document_keeps_a_mode_for_each_part() -> None:
    found = profile("\n\n\n\n".join(["CHAPTER I", STORY, "CHAPTER II", REFERENCE, "CHAPTER III", ARGUMENT]))
    assert [s.mode for s in found.sections] == ["narrative", "conceptual", "argumentative"]


def test_a_plot_in_the_present_tense_and_a_life_are_told_and_a_description_in_the_past_tense_is_not() -> None:
    plot = "Mara returns to the mill and finds the letter. She confronts her brother, who confesses and flees. He is caught at the bridge and dies there. "
    life = "She was born in 1810 and moved to Leiden in 1829. In 1835 she married a miller, and two years later they bought the house. She died in 1871. "
    kind = "The weir was a low barrier. It was of oak, and its crest was narrow. Weirs were commonly known as sills, and were often used as bridges. "
    assert [profile(text * 6).mode for text in (plot, life, kind)] == ["narrative", "narrative", "conceptual"]


def test_sentences_are_read_by_their_first_finite_verb() -> None:
    found = read_sentences("She went home. It was built in 1868. It was tall. It is a weir. One may ask why. Bread, milk, eggs.")
    assert [round(found[kind]) for kind in ("told", "done", "stood", "is", "may", "bare", "timed")] == [17] * 7
    assert read_sentences("In 1810, then 1829, then 1815.")["chronicle"] == 50
    assert set(read_sentences("").values()) == {0.0}
    assert set(guess_sentences(50)) == set(read_sentences(""))


@pytest.mark.parametrize(("default", "mode"), [("conceptual", "conceptual"), ("argumentative", "argumentative"), ("narrative", "mixed")])
def test_a_part_without_a_mode_of_its_own_explains_or_argues_where_its_document_does(default: str, mode: str) -> None:
    assert part_mode({"mixed": 0.4, "narrative": 0.3}, default) == mode
    assert part_mode({"mixed": 0.3, "narrative": 0.4}, default) == "narrative"


def test_a_short_part_has_the_mode_of_its_document() -> None:
    found = profile("\n\n\n\n".join(["CHAPTER I", STORY, "CHAPTER II", "A word."]))
    assert [s.mode for s in found.sections] == ["narrative", "narrative"]


def test_confidence_is_a_chance_and_features_come_with_the_strongest_first() -> None:
    found = profile(STORY)
    assert 0.5 < found.form_confidence <= 1 and 0.5 < found.mode_confidence <= 1
    assert dict(found.features)["dialogue"] > 0
    assert profile("A weir.").mode_confidence < found.mode_confidence
    assert found == profile(STORY)


def test_topics_are_words_of_the_text_with_weights_that_sum_to_one() -> None:
    topics = profile(REFERENCE).topics
    assert {"weir", "crest"} <= {word for word, _ in topics[:3]} and len(topics) == 5
    assert sum(weight for _, weight in topics) == pytest.approx(1, abs=0.001)


def test_the_boundary_says_what_is_covered() -> None:
    text = "\n\n\n\n".join(["CHAPTER I", STORY, "CHAPTER II", STORY + "It was 1868, as in 1868, and not 1861 or 1861."])
    assert profile(text).boundary == (
        ("order", "chapters"), ("sections", "2"), ("chapters", "2"), ("first_section", "CHAPTER I"), ("last_section", "CHAPTER II"), ("years", "1861-1868"),
    )  # fmt: skip


def test_an_empty_or_odd_text_has_a_profile() -> None:
    assert profile("").sections == ()
    assert profile("\u0301\u200b 12 !").language == "und"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (STORY, "en"),
        ("Le visa requis pour entrer en France dépend de la durée du séjour et du pays d'où l'on vient.", "fr"),
        ("Als Gregor Samsa eines Morgens aus unruhigen Träumen erwachte, fand er sich in seinem Bett zu einem Ungeziefer verwandelt.", "de"),
        ("列位看官：你道此书从何而来？说起根由，虽近荒唐，细按则深有趣味。", "zh"),
        ("すべての人間は、生まれながらにして自由であり、尊厳と権利とについて平等である。", "ja"),
        ("Все люди рождаются свободными и равными в своем достоинстве и правах.", "ru"),
        ("모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.", "ko"),
        ("12 | 13 | 14", "und"),
        ("Claude Weisz is a French film director born in Paris.", "en"),
        ("Ludovico De Luigi (born 11 November 1933) is a contemporary Italian sculptor and painter living in Venice.", "en"),
        ("The roof of the mill was mended.", "en"),
        ("Le toit du moulin est tombé dans la rivière.", "fr"),
        ("Das Dach der Mühle ist eingestürzt.", "de"),
        ("Hon. Stacy Wiese  Hon. Wendy Wilcox  Hon. Ryan Rourke", "und"),
        ("Bread, milk, eggs", "und"),
        ("The word \u738b means king in the language of the north.", "en"),
        ("\u0531\u0574\u0565\u0576 \u0574\u0561\u0580\u0564", "hy"),
    ],
)
def test_the_language_is_told_by_script_and_common_words(text: str, language: str) -> None:
    assert detect_language(text) == language


def labeled(half: str) -> list[dict[str, str]]:
    rows = [json.loads(line) for line in FACTS.read_text(encoding="utf-8").splitlines()]
    return [row for row in rows if row["half"] == half]


def document(row: dict[str, str], read: dict[str, dict[str, ParsedDocument]]) -> ParsedDocument:
    folder = Path(os.environ["PAGERAG_EVAL"]) / row["set"]
    path = folder / row["id"]
    if path.exists():
        return parse_file(path.name, path.read_bytes(), ParseSettings()).documents[0]
    if row["set"] not in read:
        tables = [*sorted(folder.glob("*docs.jsonl")), *folder.glob("coref.jsonl")]
        read[row["set"]] = {d.sub_id: d for p in tables for d in parse_file(p.name, p.read_bytes(), ParseSettings()).documents}
    return read[row["set"]][row["id"]]


@pytest.mark.skipif("PAGERAG_EVAL" not in os.environ, reason="PAGERAG_EVAL names no folder of evaluation data")
@pytest.mark.parametrize("half", ["held", "short"])
def test_labels_that_were_not_tuned_on_are_met(half: str) -> None:
    rows, read = labeled(half), {}  # type: ignore[var-annotated]
    found = [profile_document(document(row, read), ProfileSettings()) for row in rows]
    forms = Counter((row["form"], profile.form) for row, profile in zip(rows, found, strict=True))
    modes = Counter((row["mode"], profile.mode) for row, profile in zip(rows, found, strict=True))
    for name, confusion in (("form", forms), ("mode", modes)):
        print("\n".join(f"{half} {name}: {label} read as {guess}: {times}" for (label, guess), times in sorted(confusion.items())))  # noqa: T201
    assert len(rows) >= 40
    for confusion, least in zip((forms, modes), LEAST_RIGHT[half], strict=True):
        assert sum(times for (label, guess), times in confusion.items() if label == guess) >= least * len(rows)


def test_half_of_the_labels_is_held_out_by_their_ids_alone() -> None:
    rows = [json.loads(line) for line in FACTS.read_text(encoding="utf-8").splitlines()]
    last = [row for row in rows if row["half"] == "held"]
    assert {int(sha1(row["id"].encode()).hexdigest(), 16) % 2 for row in last} == {1}
    assert {(row["form"], row["mode"]) for row in rows} <= set(product(FORMS, MODES))
    assert len({(row["set"], row["id"]) for row in rows}) == len(rows)
