"""Gates of single units: what is accepted, held, changed and rejected, and why."""

from dataclasses import replace

import pytest

from pagerag_pipeline.indexing.govern import gate_units
from pagerag_pipeline.indexing.ontology import load_ontology
from pagerag_pipeline.schema.knowledge import GatedUnit, Unit
from pagerag_pipeline.settings import GovernSettings

TEXT = "The river rose. Mara Quill founded Tinworks in 1901, they say.\nThe mill closed after the flood."
SAID = Unit(
    kind="relation",
    head="Mara Quill",
    head_type="PERSON",
    predicate="founded",
    tail="Tinworks",
    tail_type="ORG",
    modality="asserted",
    confidence=0.9,
    start=16,
    end=44,
    quote="Mara Quill founded Tinworks ",
)
UNIT = replace(SAID, end=43, quote="Mara Quill founded Tinworks")


def gated(unit: Unit, text: str = TEXT) -> GatedUnit:
    (one,) = gate_units(text, [unit], ontology=load_ontology(), settings=GovernSettings())
    return one


def acts(one: GatedUnit) -> list[tuple[str, str, str]]:
    return [(d.gate, d.act, d.reason) for d in one.decisions]


def test_a_bound_confident_unit_is_accepted_as_it_is() -> None:
    one = gated(UNIT)
    assert one.state == "accepted"
    assert one.unit == UNIT
    assert acts(one) == [("G4", "accept", "confidence")]
    assert "(Mara Quill, founded, Tinworks)" in one.decisions[0].detail


@pytest.mark.parametrize(
    ("quote", "start"),
    [
        ("Mara Quill founded Tinworks", 3),
        ("mara quill  FOUNDED\nTinworks", 0),
        ("Mara Quil founded Tinworks", -1),
    ],
)
def test_a_quote_with_wrong_offsets_case_space_or_letters_is_bound_again(quote: str, start: int) -> None:
    one = gated(replace(UNIT, quote=quote, start=start, end=start + len(quote)))
    assert (one.unit.start, one.unit.end, one.unit.quote) == (16, 43, "Mara Quill founded Tinworks")
    assert acts(one) == [("G1", "accept", "rebound"), ("G4", "accept", "confidence")]


@pytest.mark.parametrize("quote", ["", "   ", "Mara Quill sold Tinworks to the bank", "Odo Fenn bought it"])
def test_an_unbound_unit_is_rejected(quote: str) -> None:
    one = gated(replace(UNIT, quote=quote))
    assert one.state == "rejected"
    assert acts(one) == [("G1", "reject", "unbound")]


def test_the_nearest_of_equal_quotes_is_bound() -> None:
    text = "He came. He left. He came. He came."
    one = gated(replace(UNIT, quote="He came.", start=16, end=24), text)
    assert (one.unit.start, one.unit.end) == (18, 26)


def test_an_unknown_predicate_becomes_generic_and_loses_confidence() -> None:
    one = gated(replace(UNIT, predicate="frobnicate"))
    assert one.state == "held"
    assert (one.unit.predicate, one.unit.confidence) == ("related_to", 0.63)
    assert acts(one) == [("G2", "downgrade", "unknown_predicate"), ("G4", "hold", "confidence")]
    assert "frobnicate" in one.decisions[0].detail


@pytest.mark.parametrize(("given", "known"), [("establish", "founded"), ("depends_upon", "depends_on"), ("rely_on", "depends_on")])
def test_a_verb_or_a_near_miss_is_mapped_without_loss(given: str, known: str) -> None:
    one = gated(replace(UNIT, predicate=given))
    assert (one.unit.predicate, one.unit.confidence) == (known, 0.9)
    assert one.decisions[0].reason == "predicate_mapped"


def test_roles_of_are_an_open_family() -> None:
    one = gated(replace(UNIT, predicate="treasurer_of"))
    assert acts(one) == [("G4", "accept", "confidence")]


def test_a_relation_between_people_may_not_end_in_a_date() -> None:
    one = gated(replace(UNIT, predicate="married", tail="1901", tail_type="DATE"))
    assert acts(one) == [("G2", "reject", "range")]


def test_an_unexpected_type_costs_confidence_but_not_the_statement() -> None:
    one = gated(replace(UNIT, predicate="married", tail_type="GPE"))
    assert one.state == "accepted"
    assert one.unit.confidence == 0.81
    assert acts(one)[0] == ("G2", "downgrade", "unexpected_types")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"tail": "mara  QUILL"}, "self_loop"),
        ({"tail": " "}, "incomplete"),
        ({"predicate": ""}, "incomplete"),
        ({"modality": "maybe"}, "unknown_modality"),
    ],
)
def test_malformed_statements_are_rejected(change: dict[str, str], reason: str) -> None:
    assert acts(gated(replace(UNIT, **change))) == [("G2", "reject", reason)]  # type: ignore[arg-type]


@pytest.mark.parametrize(("confidence", "state"), [(0.75, "accepted"), (0.7499, "held"), (0.45, "held"), (0.4499, "rejected")])
def test_confidence_routes(confidence: float, state: str) -> None:
    assert gated(replace(UNIT, confidence=confidence)).state == state


def causal(quote: str, **change: object) -> GatedUnit:
    ends = {"head": "flood", "head_type": "NOUN", "predicate": "causes", "tail": "mill closed", "tail_type": "EVENT"}
    return gated(replace(UNIT, quote=quote, start=0, end=len(quote), **{**ends, **change}), quote)  # type: ignore[arg-type]


@pytest.mark.parametrize("quote", ["The mill closed because of the flood.", "The flood led to closing.", "The flood\ncaused ruin."])
def test_a_cause_with_a_cue_stays_a_cause_in_its_direction(quote: str) -> None:
    one = causal(quote)
    assert (one.unit.head, one.unit.predicate, one.unit.tail) == ("flood", "causes", "mill closed")
    assert acts(one) == [("G3", "accept", "causal_cue"), ("G4", "accept", "confidence")]


def test_order_in_time_is_no_cause() -> None:
    one = causal("The mill closed after the flood.")
    assert (one.unit.head, one.unit.predicate, one.unit.tail) == ("flood", "precedes", "mill closed")
    assert acts(one)[0] == ("G3", "downgrade", "no_causal_cue")
    assert one.state == "held"


def test_mere_neighborhood_is_no_cause() -> None:
    assert causal("The mill closed. The flood was high.").unit.predicate == "related_to"


def test_a_cue_elsewhere_in_the_chunk_does_not_help() -> None:
    text = "The mill closed near the flood. It burned because of a lamp."
    quote = text[:31]
    unit = replace(UNIT, head="flood", predicate="causes", tail="mill", quote=quote, start=0, end=31)
    assert gated(unit, text).unit.predicate == "related_to"


@pytest.mark.parametrize("modality", ["negated", "hypothetical", "reported"])
def test_causes_keep_their_modality(modality: str) -> None:
    one = causal("The mill closed because of the flood.", modality=modality)
    assert (one.unit.predicate, one.unit.modality) == ("causes", modality)


def test_one_bad_unit_does_not_touch_its_neighbors() -> None:
    broken = replace(UNIT, quote="nowhere")
    states = [one.state for one in gate_units(TEXT, [UNIT, broken, UNIT], ontology=load_ontology(), settings=GovernSettings())]
    assert states == ["accepted", "rejected", "accepted"]


def test_a_verb_that_only_some_modes_read_is_unknown_to_the_gate() -> None:
    assert gated(replace(UNIT, predicate="constitutes")).unit.predicate == "constitutes"
    for verb in ("constitute", "constituted"):
        one = gated(replace(UNIT, predicate=verb))
        assert (one.unit.predicate, one.state) == ("related_to", "held")
