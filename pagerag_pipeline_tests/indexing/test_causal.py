"""Gate G3: no cause stands in the graph that its quote does not state. The ways in which a false one could appear, each with its tests.

In one unit (here, through `gate_units`):
 1. no cue at all: two events side by side, or one after the other;
 2. a cue that stands elsewhere: in another sentence of the quote, or outside it;
 3. a cue that names another thing as the cause than the head, or another effect than the tail;
 4. the direction: head and tail the wrong way round, in the active, the passive, with a noun ("the cause of") or a role ("effect of");
 5. order in time told as cause, or the order itself the wrong way round;
 6. a cause that is denied, supposed or asked for, told as asserted;
 7. a predicate that is like a causal one by its letters, or slips past the gate as an open role;
 8. a quote that says something else than the text it is bound to;
 9. a word of a cue with another sense: a road that leads to a tower, a name.
Among units (through the governed tables):
10. transitivity, co-occurrence, parallel or held statements, a downgraded relation: none makes a cause;
11. alignment: a merge that makes a cause its own effect, turns it round, or turns it round by a longer way;
12. people: a merge by `governance.toml` makes the same;
13. a path that goes along a denied or supposed cause.
And at the end, all through one refresh.
"""

from dataclasses import replace
from pathlib import Path

import pytest

from pagerag_pipeline.indexing.causal import read_cause
from pagerag_pipeline.indexing.govern import gate_units
from pagerag_pipeline.indexing.ontology import load_ontology
from pagerag_pipeline.schema.asking import Scope
from pagerag_pipeline.schema.documents import Span
from pagerag_pipeline.schema.knowledge import Extraction, GatedUnit, Unit, entity_id
from pagerag_pipeline.settings import GovernSettings, Settings
from pagerag_pipeline.stores.opening import open_repository
from pagerag_pipeline.stores.tables import Tables
from pagerag_pipeline_tests.homes import build
from pagerag_pipeline_tests.stores.knowledge_case import add_chunks, derive, empty_work

ONTOLOGY = load_ontology()


def claim(quote: str, head: str, tail: str, *, predicate: str = "causes", modality: str = "asserted", confidence: float = 0.95) -> Unit:
    return Unit("event", head, "NOUN", predicate, tail, "EVENT", modality, confidence, 0, len(quote), quote)  # type: ignore[arg-type]


def gated(unit: Unit, text: str = "") -> GatedUnit:
    (one,) = gate_units(text or unit.quote, [unit], ontology=ONTOLOGY, settings=GovernSettings())
    return one


def causes(quote: str, head: str, tail: str, **more: str) -> bool:
    return gated(claim(quote, head, tail, **more)).unit.predicate == "causes"  # type: ignore[arg-type]


# --- what is a cause, so that the gate is no wall -----------------------------------------------------------


@pytest.mark.parametrize(
    ("quote", "head", "tail"),
    [
        ("The mill closed because of the great flood of March.", "flood", "mill closed"),
        ("The mill closed because the river rose.", "river rose", "mill closed"),
        ("Because of the flood, the mill closed.", "flood", "mill closed"),
        ("Due to strikes, storms and the flood, the mill closed.", "flood", "mill closed"),
        ("The flood led to the closing of the mill.", "flood", "closing"),
        ("The closing was caused by the flood.", "flood", "closing"),
        ("The closing was brought about by the flood.", "flood", "closing"),
        ("The flood was the cause of the closing.", "flood", "closing"),
        ("The cause of the closing was the flood.", "flood", "closing"),
        ("The flood did not only cause ruin, it took the bridge.", "flood", "ruin"),
        ("Le moulin ferma \u00e0 cause de la crue.", "crue", "moulin"),
        ("The lesson stopped because Mr. Bhaer caught sight of a hat.", "Bhaer caught sight", "lesson stopped"),
        ("It closed because of it.", "flood", "mill closed"),
        ("The estimate had risen due to the\" original treatment\" of the play.", "original treatment", "estimate had risen"),
        ("The flood rose in May. It led to the closing of the mill.", "flood", "closing"),
        ("The flood rose in May. The mill closed because of it.", "flood", "mill closed"),
    ],
)
def test_a_cause_that_its_quote_states_stays_one_in_its_direction(quote: str, head: str, tail: str) -> None:
    one = gated(claim(quote, head, tail))
    assert (one.unit.head, one.unit.predicate, one.unit.tail, one.unit.modality) == (head, "causes", tail, "asserted")
    assert ("G3", "accept", "causal_cue") in [(d.gate, d.act, d.reason) for d in one.decisions]


# --- 1 to 9: one unit ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("quote", ["The mill closed. The flood was high.", "The flood came and the mill closed.", "The flood met the mill that closed."])
def test_1_neighborhood_is_no_cause(quote: str) -> None:
    assert gated(claim(quote, "flood", "mill")).unit.predicate == "related_to"


def test_2_a_cue_of_another_sentence_does_not_help() -> None:
    assert not causes("The mill closed near the flood. The fair was off because of rain.", "flood", "mill")
    assert not causes("The flood was high. Because of rain the mill closed.", "flood", "mill closed")
    assert not causes("The mill closed. It burned because of a lamp. The flood rose.", "flood", "mill closed")
    assert not causes("The flood was high. It came with rain. The strike led to ruin.", "flood", "ruin")


def test_2_a_cue_outside_the_quote_does_not_help() -> None:
    quote = "The mill closed near the flood."
    assert gated(claim(quote, "flood", "mill"), f"{quote} It burned because of a lamp.").unit.predicate == "related_to"


@pytest.mark.parametrize(
    ("quote", "head", "tail"),
    [
        ("The mill closed after the flood, because of a strike.", "flood", "mill closed"),
        ("The mill closed because of a strike after the flood.", "flood", "mill closed"),
        ("Because of a strike, the flood spread.", "flood", "strike"),
        ("The strike, not far from the flood, led to ruin.", "ruin", "flood"),
        ("The flood rose. The mill closed because of a strike, and it stood empty.", "flood", "mill closed"),
        ("The flood rose. The strike led to its end.", "flood", "end"),
        ("The flood rose and the strike caused ruin near the mill.", "mill", "ruin"),
    ],
)
def test_3_the_cue_names_another_cause(quote: str, head: str, tail: str) -> None:
    assert not causes(quote, head, tail)


@pytest.mark.parametrize(
    "quote",
    [
        "The flood was caused by the storm.",
        "The storm led to the flood.",
        "The flood came because of the storm.",
        "Thanks to the storm, the flood came.",
        "The storm was the cause of the flood.",
        "The cause of the flood was the storm.",
        "The flood was brought about by the storm.",
    ],
)
def test_4_the_direction_is_that_of_the_quote(quote: str) -> None:
    assert causes(quote, "storm", "flood")
    turned = gated(claim(quote, "flood", "storm")).unit
    assert (turned.head, turned.predicate, turned.tail) == ("flood", "related_to", "storm")


def test_4_a_role_is_read_in_its_own_direction_and_needs_a_cue_too() -> None:
    said = gated(claim("The storm led to the flood.", "flood", "storm", predicate="effect_of")).unit
    assert (said.head, said.predicate, said.tail) == ("storm", "causes", "flood")
    told = gated(claim("The flood came with the storm.", "flood", "storm", predicate="effect_of")).unit
    assert told.predicate == "related_to"
    assert gated(claim("The storm came with the flood.", "storm", "flood", predicate="cause_of")).unit.predicate == "related_to"


@pytest.mark.parametrize(
    ("quote", "head", "tail", "predicate"),
    [
        ("The mill closed after the flood.", "flood", "mill closed", "precedes"),
        ("The flood came before the mill closed.", "flood", "mill closed", "precedes"),
        ("The flood rose, then the mill closed.", "flood", "mill closed", "precedes"),
        ("The mill closed before the flood.", "flood", "mill closed", "related_to"),
        ("The flood came after the mill closed.", "flood", "mill closed", "related_to"),
    ],
)
def test_5_order_in_time_is_no_cause_and_keeps_its_direction(quote: str, head: str, tail: str, predicate: str) -> None:
    one = gated(claim(quote, head, tail))
    assert (one.unit.head, one.unit.predicate, one.unit.tail) == (head, predicate, tail)
    assert one.unit.confidence < 0.95


@pytest.mark.parametrize(
    ("quote", "modality"),
    [
        ("The mill closed, but not because of the flood.", "negated"),
        ("The flood never caused the closing.", "negated"),
        ("The flood didn't lead to the closing.", "negated"),
        ("The flood may have caused the closing.", "hypothetical"),
        ("If the flood caused the closing, the owner must pay.", "hypothetical"),
        ("The mill closed, perhaps because of the flood.", "hypothetical"),
        ("Did the flood cause the closing?", "hypothetical"),
    ],
)
def test_6_what_is_denied_or_supposed_is_kept_as_that(quote: str, modality: str) -> None:
    one = gated(claim(quote, "flood", "closing" if "closing" in quote else "mill closed"))
    assert (one.unit.predicate, one.unit.modality) == ("causes", modality)
    assert one.decisions[1].reason == f"cause_{modality}"


@pytest.mark.parametrize("modality", ["negated", "hypothetical"])
def test_6_a_quote_never_lifts_a_doubt(modality: str) -> None:
    assert gated(claim("The flood caused ruin.", "flood", "ruin", modality=modality)).unit.modality == modality


@pytest.mark.parametrize("predicate", ["clauses", "caused", "causees", "cause_off"])
def test_7_letters_make_no_cause(predicate: str) -> None:
    one = gated(claim("The flood caused ruin.", "flood", "ruin", predicate=predicate))
    assert one.unit.predicate != "causes" or predicate in ONTOLOGY.verbs


def test_8_the_text_counts_and_not_what_a_quote_made_of_it() -> None:
    text = "Years ago the flood passed the old mill by the river."
    quoted = "Years ago the flood caused the old mill by the river."
    one = gated(replace(claim(quoted, "flood", "old mill")), text)
    assert one.unit.predicate != "causes" and one.unit.quote in (text, quoted)


@pytest.mark.parametrize(
    ("quote", "head", "tail"),
    [
        ("A passage led from the vaults to the church of St. Nicholas.", "vaults", "church of St. Nicholas"),
        ("Lukashka led Maryanka away from the crowd to the house.", "crowd", "Maryanka"),
        ("She saw the avenue that led to the principal entrance.", "shady avenue", "principal entrance"),
        ("He went back to the stone steps leading to the gallery.", "stone steps", "gallery"),
        ("The Cause is a newspaper read by Odo Fenn.", "Odo Fenn", "newspaper"),
    ],
)
def test_9_words_of_cues_have_other_senses(quote: str, head: str, tail: str) -> None:
    assert not causes(quote, head, tail)


def test_a_stop_behind_a_title_ends_no_sentence() -> None:
    assert read_cause("Because of Mr. Fenn the mill closed.", "Fenn", "mill closed", ontology=ONTOLOGY).cue == "because of"


# --- 10 to 13: among units ----------------------------------------------------------------------------------


def graph_of(folder: Path, units: list[Unit], overrides: str = "") -> Tables:
    """The governed tables of units, each in a chunk of its own."""
    tables = empty_work(folder)
    texts = [unit.quote for unit in units]
    add_chunks(tables, "d.txt", texts, [Extraction((Span(0, len(unit.quote)),), (), (unit,), ()) for unit in units])
    derive(tables, overrides)
    return tables


def causal_edges(tables: Tables) -> set[tuple[str, str]]:
    rows = tables.rows(
        "SELECT h.key, t.key FROM edges e JOIN nodes h ON h.entity_id = e.head JOIN nodes t ON t.entity_id = e.tail WHERE predicate = 'causes'"
    )
    return set(rows)  # type: ignore[arg-type]


def stated(head: str, tail: str) -> Unit:
    return claim(f"The {head} caused the {tail}.", head, tail)


def alias(bearer: str, other: str) -> Unit:
    quote = f"The {bearer}, also known as the {other}, was long remembered."
    return Unit("alias", bearer, "EVENT", "also_known_as", other, "EVENT", "asserted", 0.95, 0, len(quote), quote)


def test_10_nothing_is_inferred_from_what_is_stated(tmp_path: Path) -> None:
    low = replace(claim("Rain met dusk.", "rain", "dusk", predicate="causes"), confidence=0.9)
    tables = graph_of(
        tmp_path, [stated("storm", "flood"), stated("flood", "ruin"), low, replace(low, quote="Rain met dusk again."), claim("Rain was with ruin.", "rain", "ruin", predicate="mentioned_with")]
    )  # fmt: skip
    assert causal_edges(tables) == {("storm", "flood"), ("flood", "ruin")}


def test_10_held_causes_are_promoted_only_by_causes(tmp_path: Path) -> None:
    held = claim("The rain caused the dusk.", "rain", "dusk", confidence=0.6)
    ordered = claim("The dusk came after the rain.", "rain", "dusk", confidence=0.9)
    assert causal_edges(graph_of(tmp_path, [held, ordered])) == set()


def test_11_a_declared_name_makes_no_cause_its_own_effect(tmp_path: Path) -> None:
    tables = graph_of(tmp_path, [stated("flood", "high water"), alias("flood", "high water")])
    assert causal_edges(tables) == {("flood", "high water")}
    assert tables.rows("SELECT reason FROM decisions WHERE act = 'keep_apart'") == [("causal_link",)]


def test_11_declared_names_turn_no_cause_round(tmp_path: Path) -> None:
    units = [stated("flood", "fire"), stated("great fire", "high water"), alias("flood", "high water"), alias("fire", "great fire")]
    tables = graph_of(tmp_path, units)
    assert causal_edges(tables) == {("flood", "fire"), ("great fire", "high water")}
    assert tables.rows("SELECT DISTINCT gate, act, reason FROM decisions WHERE gate = 'G3' AND act = 'split'") == [("G3", "split", "causal_direction")]


def test_11_a_name_of_a_name_makes_no_cause_its_own_effect(tmp_path: Path) -> None:
    units = [stated("deluge", "high water"), alias("flood", "high water"), alias("flood", "deluge")]
    tables = graph_of(tmp_path, units)
    assert len(causal_edges(tables)) == 1 and tables.rows("SELECT 1 FROM edges WHERE head = tail") == []


def test_11_a_merge_that_touches_no_direction_keeps_the_causes(tmp_path: Path) -> None:
    tables = graph_of(tmp_path, [stated("storm", "flood"), stated("deluge", "ruin"), alias("flood", "deluge")])
    assert causal_edges(tables) == {("storm", "deluge"), ("deluge", "ruin")}


def test_12_people_merge_a_cause_with_its_effect_and_the_cause_goes(tmp_path: Path) -> None:
    tables = graph_of(tmp_path, [stated("flood", "high water"), stated("flood", "ruin")], 'merge = [["flood", "high water"]]')
    assert causal_edges(tables) == {("flood", "ruin")}
    acts = tables.rows("SELECT gate, act, reason, element_kind FROM decisions WHERE gate = 'G3' AND act IN ('merge', 'reject') ORDER BY act")
    assert acts == [("G3", "merge", "forced_over_cause", "node"), ("G3", "reject", "causal_self_loop", "unit")]
    assert tables.rows("SELECT state, reason FROM unit_states WHERE state = 'rejected'") == [("rejected", "causal_self_loop")]


def test_12_a_merge_by_people_leaves_every_other_cause_in_its_direction(tmp_path: Path) -> None:
    units = [stated("flood", "fire"), stated("great fire", "high water"), alias("fire", "great fire")]
    tables = graph_of(tmp_path, units, 'merge = [["flood", "high water"]]')
    assert causal_edges(tables) == {("flood", "fire"), ("great fire", "flood")}, "what was merely declared gives way"
    assert tables.rows("SELECT count(*) FROM edges WHERE head = tail") == [(0,)]


@pytest.mark.models
def test_13_and_end_to_end_no_path_goes_along_a_denied_or_supposed_cause(tmp_path: Path) -> None:
    """With a parser: what a refresh makes of true causes, order, denial and supposition, up to what a path search finds."""
    text = (
        "The Tallow Fire led to the Dock Strike. The Dock Strike led to the Bread Riot. The Linen War came after the Salt Tax. "
        "The Salt Tax did not lead to the Corn Plague. The Great Frost may have caused the Corn Plague."
    )
    home = build(tmp_path, {"year.txt": text}, settings='[embed]\nmodel = "hash"\n')
    fire, strike, riot, tax, plague, frost = map(entity_id, ("tallow fire", "dock strike", "bread riot", "salt tax", "corn plague", "great frost"))
    repository = open_repository(home, Settings())
    try:
        edges = repository.neighbors([fire, strike, tax, plague, entity_id("linen war")], Scope(), limit=50)
        assert {(edge.head, edge.tail, edge.modality) for edge in edges if edge.predicate == "causes"} == {
            (fire, strike, "asserted"),
            (strike, riot, "asserted"),
            (tax, plague, "negated"),
            (frost, plague, "hypothetical"),
        }
        assert [len(path) for path in repository.paths(fire, riot, Scope(), max_edges=4, limit=5).paths] == [2]
        for doubted in (tax, frost):
            assert not repository.paths(doubted, plague, Scope(), max_edges=4, limit=5).paths
    finally:
        repository.close()
