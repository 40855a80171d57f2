"""EnSI-RAG's index, matching and hops (systems, section 7, conformance test 11; edge cases of section 5.7)."""

from collections.abc import Callable
from dataclasses import replace

from pagerag_pipeline.settings_asking import EnsiSettings
from pagerag_pipeline.stores.record_index import Entry, RecordIndex, make_index
from pagerag_pipeline.systems.recorded.hops import bridge_values
from pagerag_pipeline.systems.recorded.matching import match_anchor
from pagerag_pipeline.systems.recorded.plan import Anchor, Hop, RecordPlan, faults, repaired

PLAIN = Entry("r0", "a.txt", 0, 9, "Mara", "mara", "person", "property", "trade", "trade", "baker", "baker", False, None, "", "", "p0", "entity", "", "c0", "a quote..")
KNOBS = EnsiSettings()


def entry(number: int, **values: object) -> Entry:
    return replace(PLAIN, record_id=f"r{number}", start=10 * number, end=10 * number + 9, passage_id=f"p{number}", **values)  # type: ignore[arg-type]


def never(kind: str, asked: str, known: str) -> float:
    return float(asked == known)


def alike(*pairs: tuple[str, str, float]) -> Callable[[str, str, str], float]:
    known = {(asked, there): cosine for asked, there, cosine in pairs}
    return lambda kind, asked, there: known.get((asked, there), float(asked == there))


def fields(index: RecordIndex, anchor: Anchor, cosine: Callable[[str, str, str], float] = never) -> set[str]:
    return {match.entry.field for match in match_anchor(anchor, index, cosine, KNOBS)}


def test_one_key_with_two_passages_returns_both() -> None:
    index = make_index([entry(1), entry(2)], "fine")
    assert index.passages("mara", "person", "property", "trade", "baker") == ["p1", "p2"]
    assert index.passages("mara", "person", "property", "trade", "smith") == []


def test_a_relation_is_found_from_both_ends() -> None:
    forth = entry(1, category="relation", field="founded", value="Tinworks", value_key="tinworks", value_is_entity=True)
    back = entry(2, entity="Tinworks", entity_key="tinworks", category="relation", field="founded_by", value="Mara", value_key="mara", value_is_entity=True)
    index = make_index([forth, back], "fine")
    assert fields(index, Anchor("mara")) == {"founded"} and fields(index, Anchor("tinworks")) == {"founded_by"}
    assert [one.entity for one in index.by_value["mara"]] == ["Tinworks"]


def test_a_field_is_matched_in_meaning_only_where_none_is_exact() -> None:
    near = alike(("trade", "craft", 0.95), ("trade", "calling", 0.77), ("trade", "work", 0.78))
    exact = make_index([entry(1), entry(2, field="craft")], "fine")
    assert fields(exact, Anchor("mara", field="trade"), near) == {"trade"}
    meant = make_index([entry(1, field="craft"), entry(2, field="calling"), entry(3, field="work")], "fine")
    assert fields(meant, Anchor("mara", field="trade"), near) == {"craft", "work"}


def test_a_value_passes_by_a_shared_word_or_beginning_or_by_likeness() -> None:
    values = ("master baker", "bakery", "milling", "miller's boy")
    index = make_index([entry(n, value=value, value_key=value) for n, value in enumerate(values)], "fine")
    near = alike(("baker", "milling", 0.86), ("baker", "miller's boy", 0.85))
    assert {one.entry.value for one in match_anchor(Anchor("mara", value="baker"), index, near, KNOBS)} == {"master baker", "bakery", "milling"}


def test_namesakes_of_two_types_are_kept_apart_by_type() -> None:
    index = make_index([entry(1, entity_key="heron", entity_type="vessel"), entry(2, entity_key="heron", entity_type="mill")], "fine")
    assert [one.entry.entity_type for one in match_anchor(Anchor("heron", type="mill"), index, never, KNOBS)] == ["mill"]
    assert len(match_anchor(Anchor("heron"), index, never, KNOBS)) == 2


def test_the_granularity_is_that_of_the_index_for_writing_and_for_asking() -> None:
    entries = [entry(1, field="net_revenue", broad="revenue"), entry(2, field="gross_revenue", broad="revenue")]
    assert len(match_anchor(Anchor("mara", field="revenue"), make_index(entries, "broad"), never, KNOBS)) == 2
    assert match_anchor(Anchor("mara", field="revenue"), make_index(entries, "fine"), never, KNOBS) == []
    assert set(make_index(entries, "fine").by_field) == {"net_revenue", "gross_revenue"}


def test_a_bridge_hands_on_relations_alone_and_counts_what_it_does_not() -> None:
    led = [entry(n, category="relation", field="knows", value_key=f"friend {n}", value_is_entity=True) for n in range(12)]
    index = make_index([*led, entry(20, field="knows", value_key="nobody")], "fine")
    values, left = bridge_values(match_anchor(Anchor("mara", field="knows"), index, never, KNOBS), "knows", KNOBS.fan_out)
    assert len(values) == 10 and left == 2 and "nobody" not in values


def test_a_plan_depends_backwards_names_something_and_looks_at_all_where_it_counts() -> None:
    hops = (Hop(1, "a", Anchor("mara"), depends_on=(2,)), Hop(2, "b", Anchor()), Hop(3, "c", Anchor(), depends_on=(1, 2)))
    plan = RecordPlan("count", "aggregation", "point", hops)
    assert len(faults(plan)) == 3
    mended = repaired(plan)
    assert [(hop.number, hop.depends_on) for hop in mended.hops] == [(1, ()), (3, (1,))]
    assert mended.reach == "all_matching" and faults(mended) == []
    assert faults(RecordPlan("value", "direct", "point", ())) == ["no hop"]
