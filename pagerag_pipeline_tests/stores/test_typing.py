"""What type an entity has over the whole corpus, and what becomes of statements that its type does not bear (gate G2)."""

from pathlib import Path

import pytest

from pagerag_pipeline.schema.documents import Span
from pagerag_pipeline.schema.knowledge import Extraction, Term, Unit
from pagerag_pipeline.stores.audits import offenders
from pagerag_pipeline.stores.tables import Tables
from pagerag_pipeline_tests.stores.knowledge_case import add_chunks, derive, edge_names, empty_work


def unit(head: str, predicate: str, tail: str, kinds: tuple[str, str], *, confidence: float = 0.95) -> Unit:
    quote = f"{head} {predicate.replace('_', ' ')} {tail}."
    return Unit("relation", head, kinds[0], predicate, tail, kinds[1], "asserted", confidence, 0, len(quote), quote)


def graph_of(folder: Path, units: list[Unit], overrides: str = "", named: dict[str, tuple[str, int]] = {}) -> Tables:  # noqa: B006
    """The governed tables of units, each in a chunk of its own; `named` gives further mentions of a name: its label and how many."""
    tables = empty_work(folder)
    texts = [one.quote for one in units]
    extractions = [Extraction((Span(0, len(one.quote)),), (), (one,), ()) for one in units]
    for name, (label, times) in named.items():
        for number in range(times):
            texts.append(f"{name} again, {number}.")
            term = Term(name.casefold(), name, label, 0, len(name), 0)
            extractions.append(Extraction((Span(0, len(texts[-1])),), (term,), (), ()))
    add_chunks(tables, "d.txt", texts, extractions)
    derive(tables, overrides)
    assert offenders(tables, "edges_of_other_types").count == 0
    return tables


def types(tables: Tables) -> dict[str, str]:
    return dict(tables.rows("SELECT name, type FROM nodes"))  # type: ignore[arg-type]


def acts(tables: Tables, reason: str) -> list[tuple[str, ...]]:
    return tables.rows("SELECT act, detail FROM decisions WHERE gate = 'G2' AND reason = ? ORDER BY ALL", [reason])


def test_a_weak_type_gives_way_to_the_only_one_that_its_use_asks_for(tmp_path: Path) -> None:
    tables = graph_of(tmp_path, [unit("Ann", "married", "Garrow", ("PERSON", "GPE"))])
    assert edge_names(tables) == {("Ann", "married", "Garrow")}
    assert types(tables)["Garrow"] == "PERSON"
    assert acts(tables, "domain_range") == [("retype", "GPE to PERSON: 1 of its mentions against 1 statements that expect a person")]


def test_a_weak_type_gives_way_to_another_that_it_was_tagged_with(tmp_path: Path) -> None:
    units = [unit("Ann", "lives_in", "Lowood", ("PERSON", "ORG")), unit("Ben", "lives_in", "Lowood", ("PERSON", "ORG")), unit("Cid", "lives_in", "Lowood", ("PERSON", "FAC"))]  # fmt: skip
    assert types(graph_of(tmp_path, units))["Lowood"] == "FAC"


def test_where_the_class_has_many_types_a_weak_one_gives_way_to_unknown(tmp_path: Path) -> None:
    tables = graph_of(tmp_path, [unit("Ann", "lives_in", "Garrow", ("PERSON", "ORG"))])
    assert types(tables)["Garrow"] == "MISC"
    assert edge_names(tables) == {("Ann", "lives_in", "Garrow")}


def test_uses_that_contradict_each_other_leave_the_type_open(tmp_path: Path) -> None:
    tables = graph_of(tmp_path, [unit("Ann", "lives_in", "Garrow", ("PERSON", "ORG")), unit("Ben", "married", "Garrow", ("PERSON", "ORG"))])
    assert types(tables)["Garrow"] == "MISC"


def test_a_strong_type_stands_and_the_statement_says_less(tmp_path: Path) -> None:
    units = [unit("Ann", "married", "Garrow", ("PERSON", "GPE")), unit("Ann", "visited_of", "Garrow", ("PERSON", "GPE"))]
    tables = graph_of(tmp_path, units, named={"Garrow": ("GPE", 5)})
    assert types(tables)["Garrow"] == "GPE"
    assert ("Ann", "married", "Garrow") not in edge_names(tables)
    told = [("downgrade", "married to related_to, confidence 0.60: tail is GPE, expected person")]
    assert acts(tables, "domain_range") == told
    assert tables.rows("SELECT state, gate, reason FROM unit_states WHERE predicate = 'married'") == [("held", "G2", "domain_range")]


def test_what_says_less_joins_the_graph_with_support(tmp_path: Path) -> None:
    units = [unit("Ann", "married", "Garrow", ("PERSON", "GPE")), unit("Ann", "divorced", "Garrow", ("PERSON", "PERSON"))]
    tables = graph_of(tmp_path, [*units, unit("Ann", "related_to", "Garrow", ("PERSON", "GPE"))], named={"Garrow": ("FAC", 9), "Ann": ("PERSON", 3)})
    assert edge_names(tables) == {("Ann", "related_to", "Garrow")}
    assert tables.rows("SELECT weight FROM edges") == [(3,)]


def test_a_doubtful_statement_of_wrong_types_is_rejected(tmp_path: Path) -> None:
    tables = graph_of(tmp_path, [unit("Ann", "married", "Garrow", ("PERSON", "PERSON"), confidence=0.6)], named={"Garrow": ("GPE", 5)})
    assert tables.rows("SELECT state, gate, reason FROM unit_states") == [("rejected", "G2", "domain_range")]


@pytest.mark.parametrize("label", ["NOUN", "MISC", "PROPN", "NAME"])
def test_types_that_say_nothing_fit_everything(tmp_path: Path, label: str) -> None:
    tables = graph_of(tmp_path, [unit("Ann", "married", "garrow", ("PERSON", label))], named={"garrow": (label, 5)})
    assert edge_names(tables) == {("Ann", "married", "garrow")}


def test_most_mentions_decide_and_a_slip_of_the_tagger_harms_nothing(tmp_path: Path) -> None:
    tables = graph_of(tmp_path, [unit("Ann", "married", "Ben", ("GPE", "PERSON"))], named={"Ann": ("PERSON", 4)})
    assert types(tables)["Ann"] == "PERSON" and edge_names(tables) == {("Ann", "married", "Ben")}


def test_a_type_by_people_stands_against_any_use(tmp_path: Path) -> None:
    tables = graph_of(tmp_path, [unit("Ann", "married", "Garrow", ("PERSON", "PERSON"))], '[retype]\nGarrow = "GPE"')
    assert edge_names(tables) == set() and types(tables) == {}, "with its only statement it has left the graph"
    assert tables.rows("SELECT act, detail FROM decisions WHERE gate = 'override'") == [("retype", "PERSON to GPE")]
    assert acts(tables, "domain_range") == [("downgrade", "married to related_to, confidence 0.67: tail is GPE, expected person")]
