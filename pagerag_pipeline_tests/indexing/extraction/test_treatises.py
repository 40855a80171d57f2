"""What a text that explains or argues states of its concepts, and a story does not."""

import pytest

from pagerag_pipeline.indexing.extraction.reading import Phrase
from pagerag_pipeline.indexing.extraction.statements import Statement, confidence_of
from pagerag_pipeline.indexing.ontology import load_ontology
from pagerag_pipeline.schema.documents import Mode
from pagerag_pipeline_tests.indexing.extraction.reading import accepted, units

ONTOLOGY = load_ontology()
KNOWLEDGE = Phrase("knowledge", "NOUN", 0, 9)


def sure(tail: Phrase, mode: Mode, *, predicate: str = "provides", rule: str = "verb", modality: str = "asserted") -> bool:
    """Whether a statement about knowledge passes gate G4."""
    statement = Statement("relation", rule, KNOWLEDGE, predicate, tail, modality)  # type: ignore[arg-type]
    return confidence_of(statement, ONTOLOGY, mode) >= 0.75


def test_verbs_of_treatises_are_relations_there_and_unknown_in_a_story() -> None:
    text = "The coherence of beliefs presupposes the laws of logic."
    assert ("coherence of beliefs", "presupposes", "laws of logic") in accepted(text, ONTOLOGY, "conceptual")
    assert ("coherence of beliefs", "presuppose", "laws of logic") in units(text, "narrative")
    assert accepted(text, ONTOLOGY, "narrative") == set()


def test_a_verb_says_more_in_a_treatise_but_not_with_an_object_that_makes_one_verb_of_both() -> None:
    assert ("test", "provides", "absolute certainty") in units("The test gives absolute certainty.", "conceptual")
    assert ("test", "gave", "absolute certainty") in units("The test gives absolute certainty.", "narrative")
    assert not [one for one in units("The servility gives rise to sentiments.", "conceptual") if one[1] == "provides"]


@pytest.mark.parametrize(
    ("hangs_on", "modality", "passes"),
    [("our", "hypothetical", True), ("its", "asserted", True), ("certain", "asserted", True), ("its", "hypothetical", False), ("", "asserted", False)],
)
def test_how_vague_a_concept_may_be(hangs_on: str, modality: str, passes: bool) -> None:
    vague = Phrase("grounds", "NOUN", 20, 27, vague=True, hangs_on=hangs_on)
    assert sure(vague, "conceptual", modality=modality) is passes
    assert not sure(vague, "narrative", modality=modality)


def test_what_a_phrase_hangs_on_is_read() -> None:
    texts = {"Our knowledge involves doubt.": True, "Certain beliefs involve doubt.": True, "Such knowledge involves doubt.": False}
    for text, passes in texts.items():
        assert bool(accepted(text, ONTOLOGY, "conceptual")) is passes, text


def test_being_in_a_place_with_a_determiner_is_no_figure_of_speech() -> None:
    mind, danger = Phrase("mind", "NOUN", 20, 24), Phrase("danger", "NOUN", 20, 26, bare=True)
    assert sure(mind, "conceptual", predicate="located_at", rule="preposition")
    assert not sure(danger, "conceptual", predicate="located_at", rule="preposition")
    assert not sure(Phrase("right", "NOUN", 20, 25), "conceptual", predicate="located_at", rule="preposition")
    assert not sure(mind, "narrative", predicate="located_at", rule="preposition")
    assert accepted("The idea is in the mind.", ONTOLOGY, "conceptual") == {("idea", "located_at", "mind")}
    assert accepted("The doctrine is in danger.", ONTOLOGY, "conceptual") == set()


def test_what_is_said_to_be_somebodys_is_stated_in_a_treatise() -> None:
    text = "The philosophers of Europe answered Hume's scepticism."
    assert ("Hume", "has", "scepticism") in accepted(text, ONTOLOGY, "conceptual")
    assert ("Hume", "has", "scepticism") not in accepted(text, ONTOLOGY, "narrative")
