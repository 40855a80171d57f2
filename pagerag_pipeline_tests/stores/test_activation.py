"""The entity-passage graph: what leads where, and how much of what a node has goes there."""

from typing import Any

import numpy as np
import pytest

from pagerag_pipeline.settings_asking import RetrieveSettings
from pagerag_pipeline.stores.activation import ActivationGraph
from pagerag_pipeline.stores.activation_reading import read_activation_graph
from pagerag_pipeline.stores.lookups import ALIASES, NODES
from pagerag_pipeline_tests.graph_sources import TypedGraph

NAMED = [
    ("n1", "mara quill", "Mara Quill", "PERSON"),
    ("n2", "low farm", "Low Farm", "PLACE"),
    ("n3", "low farm school", "Low Farm School", "ORG"),
    ("n4", "farm", "farm", "NOUN"),
    ("n5", "album", "Album", "NOUN"),
]


def graph(mentions: list[tuple[str, str, int]], titles: dict[str, str] | None = None, relations: tuple[tuple[str, str], ...] = (), **knobs: Any) -> ActivationGraph:
    chunks = sorted({chunk for _, chunk, _ in mentions} | set(titles or {}))
    met = [(entity, chunk) for entity, chunk, times in mentions for _ in range(times)]
    told = TypedGraph([(chunk, chunk, "") for chunk in chunks], met, NAMED, sorted((titles or {}).items()), relations)
    return read_activation_graph(told.sources(), RetrieveSettings(**knobs))


def shares(found: ActivationGraph, node: str) -> dict[str, float]:
    """What a node passes on, by node."""
    names, place = list(found.nodes), found.nodes[node]
    edges = range(found.starts[place], found.starts[place + 1])
    return {names[found.ends[edge]]: float(found.shares[edge]) for edge in edges}


def test_a_name_that_stands_in_one_passage_alone_gets_nothing_from_it() -> None:
    found = graph([("n1", "a", 1), ("n2", "a", 1), ("n2", "b", 1)])
    assert shares(found, "a") == {"n1": 0.0, "n2": 1.0}
    assert shares(found, "n1") == {"a": 1.0} and shares(found, "n2") == {"a": 0.5, "b": 0.5}
    assert shares(found, "b") == {"n2": 1.0}


def test_a_passage_with_nothing_that_leads_away_passes_nothing_on() -> None:
    assert shares(graph([("n1", "a", 1)]), "a") == {"n1": 0.0}


def test_a_passage_passes_on_what_leads_away_from_it() -> None:
    # Both names stand in two passages; n1 twice here, so more of what it has comes back.
    found = graph([("n1", "a", 3), ("n1", "b", 1), ("n2", "a", 1), ("n2", "b", 1)])
    strength = 1 + np.log(3)
    away = {"n1": strength * (1 - strength / (strength + 1)), "n2": 0.5}
    assert shares(found, "a") == pytest.approx({name: value / sum(away.values()) for name, value in away.items()})


def test_a_common_noun_gets_less() -> None:
    mentions = [("n1", "a", 1), ("n1", "b", 1), ("n4", "a", 1), ("n4", "b", 1)]
    found = graph(mentions, spread_common=0.25)
    assert shares(found, "a") == pytest.approx({"n1": 0.8, "n4": 0.2})
    assert found.common.tolist() == [node == "n4" for node in found.nodes]
    assert shares(graph(mentions, spread_common=1.0), "a") == pytest.approx({"n1": 0.5, "n4": 0.5})


def test_a_name_leads_to_the_names_in_it_and_to_no_common_noun() -> None:
    mentions = [("n2", "b", 1), ("n3", "a", 1), ("n4", "c", 1)]
    found = graph(mentions, inner_name_weight=3.0)
    rarity = found.rarity[found.nodes["n3"]]
    bond = 3.0 * 2 / 3
    assert shares(found, "n3") == pytest.approx({"a": rarity / (rarity + bond), "n2": bond / (rarity + bond)})
    assert set(shares(found, "n2")) == {"b", "n3"} and set(shares(found, "n4")) == {"c"}
    assert set(shares(graph(mentions, inner_name_weight=0.0), "n3")) == {"a", "n2"}
    assert shares(graph(mentions, inner_name_weight=0.0), "n3")["n2"] == 0.0


def test_a_bond_of_words_is_added_to_that_of_an_edge() -> None:
    found = graph([("n2", "b", 1), ("n3", "a", 1)], relations=(("n2", "n3"),), relation_weight=1.0, inner_name_weight=3.0)
    rarity = found.rarity[found.nodes["n3"]]
    assert shares(found, "n3")["n2"] == pytest.approx(3.0 / (3.0 + rarity))


def test_a_title_is_no_common_noun_and_leads_to_the_place_before_its_comma() -> None:
    found = graph([("n2", "b", 1), ("n5", "b", 1)], titles={"a": "Album (record)", "c": "Low Farm, Illinois"})
    assert set(shares(found, "n5")) == {"b"}
    assert set(shares(found, "title:album")) == {"a", "title:album (record)"}
    assert set(shares(found, "title:low farm, illinois")) == {"c", "n2"}
    assert shares(found, "n2")["c"] == pytest.approx(shares(found, "n2")["b"] * RetrieveSettings().title_name_weight)


def test_names_are_read_of_what_something_in_scope_may_be_called_alone() -> None:
    told = TypedGraph([("a", "d", "")], [("n1", "a")], NAMED, [("d", "Low Farm, Illinois")])
    found = read_activation_graph(told.sources(), RetrieveSettings())
    assert told.asked[NODES] == ["n1", "n2", "n4"] and {"low farm", "illinois"} < set(told.asked[ALIASES]) and "mara quill" not in told.asked[ALIASES]
    assert list(found.nodes) == ["a", "n1", "n2", "title:low farm, illinois"]


def test_a_graph_of_nothing_is_empty() -> None:
    found = graph([])
    assert (found.passages, found.nodes, found.starts.tolist(), found.vectors.shape) == ((), {}, [0], (0, 0))
