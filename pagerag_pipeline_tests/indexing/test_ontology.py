"""The ontology: what it knows, what it maps, and how a faulty one is refused."""

import pytest

from pagerag_pipeline.indexing.ontology import OntologyError, load_ontology, ontology_fingerprint, parse_ontology


def test_the_shipped_ontology_knows_the_relations_of_a_small_town() -> None:
    ontology = load_ontology()
    verbs = {"found": "founded", "stand_on": "located_at", "purchase": "bought", "bear_in": "born_in", "wed": "married"}
    assert {verb: ontology.verbs[verb] for verb in verbs} == verbs
    assert set(ontology.verbs.values()) <= set(ontology.predicates)
    assert ontology.predicates["causes"].causal
    assert [name for name, predicate in ontology.predicates.items() if predicate.causal] == ["causes"]
    assert ontology.fingerprint == ontology_fingerprint()


def test_inverses_read_a_relation_from_its_other_end() -> None:
    ontology = load_ontology()
    assert ontology.inverse("founded") == "founded_by"
    assert ontology.inverse("owner_of") == "has_owner"
    assert ontology.inverse("juggles") == "inverse_of:juggles"
    assert all(ontology.inverse(name) == name for name, predicate in ontology.predicates.items() if predicate.symmetric)


def test_only_near_misses_are_mapped() -> None:
    ontology = load_ontology()
    assert ontology.nearest("depends_upon") == "depends_on"
    assert ontology.nearest("juggles") is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("predicates = ", "TOML"),
        ("[predicates]\na = { verbs = ['x'] }\nb = { verbs = ['x'] }", "'x' stands under both"),
        ("[predicates]\na = { head = 'wizard' }", "Unknown class 'wizard'"),
        ("[predicates]\na = { color = 'red' }", "Unknown keys of predicate 'a': color"),
        ("[predicates]\na = { force = 'loud' }", "Unknown force 'loud'"),
    ],
)
def test_a_faulty_ontology_is_refused_with_its_fault(text: str, message: str) -> None:
    with pytest.raises(OntologyError, match=message):
        parse_ontology(text)


def test_a_changed_ontology_is_another_one() -> None:
    assert parse_ontology("[predicates]\na = {}").fingerprint != parse_ontology("[predicates]\nb = {}").fingerprint
