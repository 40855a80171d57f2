"""What each discourse mode adds: definitions and attributes, claims with their support, events with their circumstances."""

import pytest

from pagerag_pipeline_tests.indexing.extraction.reading import units

pytestmark = pytest.mark.models


@pytest.mark.parametrize(
    ("text", "term", "definition"),
    [
        ("Inertia is defined as the resistance of a body to change.", "Inertia", "resistance of a body"),
        ("By force we mean an influence on a body.", "force", "influence"),
        ("By inertia is meant a resistance to change.", "inertia", "resistance"),
        ("The term entropy refers to a measure of disorder.", "entropy", "measure of disorder"),
        ("Mitosis, defined as the division of a nucleus, requires energy.", "Mitosis", "division of a nucleus"),
    ],
)
def test_definitions(text: str, term: str, definition: str) -> None:
    unit = units(text, "conceptual")[term, "defined_as", definition]
    assert unit.kind == "definition" and unit.confidence >= 0.75


def test_common_nouns_have_attributes_in_treatises_only() -> None:
    wanted = ("cell", "has_attribute", "small")
    assert units("The cell is small.", "conceptual")[wanted].kind == "attribute"
    assert wanted not in units("The cell is small.", "narrative")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Mill argues that liberty promotes happiness.", ("Mill", "claims", "liberty promotes happiness")),
        ("According to Kant, reason governs the will.", ("Kant", "claims", "reason governs the will")),
        ("The experiment shows that the earth rotates.", ("experiment", "supports", "the earth rotates")),
        ("The tax is unjust because the poor pay the most.", ("the poor pay the most", "supports", "The tax is unjust")),
        ("All citizens deserve liberty; therefore the state protects speech.", ("All citizens deserve liberty", "supports", "the state protects speech")),
        ("The tax is unjust. Therefore the council rejects the tax.", ("The tax is unjust", "supports", "the council rejects the tax")),
        ("The earth rotates daily. It follows that the sun stands.", ("The earth rotates daily", "supports", "the sun stands")),
    ],
)
def test_claims_premises_and_evidence(text: str, wanted: tuple[str, str, str]) -> None:
    unit = units(text, "argumentative")[wanted]
    assert unit.kind == "claim"
    assert wanted[2] in unit.quote and (wanted[0] in unit.quote)
    assert wanted not in units(text, "narrative")


def test_a_claim_of_a_pronoun_is_nobodys() -> None:
    assert not [unit for unit in units("He argues that liberty promotes happiness. They show that it rotates.", "argumentative").values() if unit.kind == "claim"]


def test_events_of_stories_have_time_and_place() -> None:
    text = "Mara Quill founded Tinworks in Norwich in 1901."
    unit = units(text, "narrative")["Mara Quill", "founded", "Tinworks"]
    assert unit.kind == "event"
    assert {("time", "1901"), ("place", "Norwich")} <= set(unit.qualifiers)
    assert units(text, "conceptual")["Mara Quill", "founded", "Tinworks"].kind == "relation"


@pytest.mark.parametrize(
    ("text", "modality"),
    [
        ("Neither Mara nor Odo bought Tinworks.", "negated"),
        ("Odo failed to buy Tinworks.", "negated"),
        ("Jan denied that Odo had bought Tinworks.", "negated"),
        ("No baker called Odo bought Tinworks.", "negated"),
        ("Perhaps the baker Odo bought Tinworks.", "hypothetical"),
        ("Jan wished that Odo had bought Tinworks.", "hypothetical"),
        ("Odo would have bought Tinworks.", "hypothetical"),
        ("Mara Quill not only bought Tinworks but sold Millworks.", "asserted"),
    ],
)
def test_modality_of_what_is_denied_supposed_or_wished(text: str, modality: str) -> None:
    assert {unit.modality for unit in units(text).values() if unit.predicate == "bought"} == {modality}
