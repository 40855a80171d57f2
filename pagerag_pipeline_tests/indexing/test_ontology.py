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
        ("[predicates]\na = { modes = ['poetic'] }", "Unknown mode 'poetic' of predicate 'a'"),
        ("[predicates]\na = { causal = 'yes' }", "predicates.a.causal must be a truth value"),
        ("[predicates]\na = 3", "predicates.a must be a table"),
        ("predicates = 3", "predicates must be a section"),
        ("[classes]\nperson = 'PERSON'", "classes.person must be a list of texts"),
        ("types = 'City'", "types must be a list of texts"),
        ("open = 1", "open must be true or false"),
        ("relations = {}", "unknown key 'relations'"),
        (f"a = {'[' * 100_000}", "ontology.toml is not readable TOML"),
        (f"a = {'9' * 5_000}", "ontology.toml is not readable TOML"),
        ("[predicates]\n'' = { head = 'person' }", "predicates has '', which names nothing"),
        ("[predicates]\n'...' = {}", "predicates has '...', which names nothing"),
        ("[classes]\n' ' = ['PERSON']", "classes has ' ', which names nothing"),
        ("types = ['--']", "types has '--', which names nothing"),
        ("[predicates]\na = { head = 'date' }", "predicates.a.head: 'date' is a class of values"),
        ("[predicates]\na = { head = 'value' }", "predicates.a.head: 'value' is a class of values"),
        ("[classes]\nx = ['DATE']\n[predicates]\na = { head = 'x' }", "predicates.a.head: 'x' is a class of values"),
        ('[predicates]\n"a\\nb" = { head = "wizard" }', "Unknown class 'wizard'"),
    ],
)
def test_a_faulty_ontology_is_refused_with_its_fault(text: str, message: str) -> None:
    with pytest.raises(OntologyError, match=message) as caught:
        parse_ontology(text)
    assert "\n" not in str(caught.value)


def test_a_complaint_names_its_file() -> None:
    with pytest.raises(OntologyError, match="^ours.toml: "):
        parse_ontology("open = 1", source="ours.toml")


def test_types_are_known_declared_or_refused() -> None:
    ontology = parse_ontology("types = ['Surface']\n[predicates]\nbirthPlace = { head = 'Scientist', tail = 'City' }\nsurface = { tail = 'Surface' }")
    assert ontology.predicates["surface"].tail == "any"
    assert ontology.fits("City", "GPE") and not ontology.fits("City", "PERSON")
    assert ontology.fits("Scientist", "PERSON") and ontology.fits("Scientist", "PROPN") and not ontology.fits("Scientist", "GPE")


def test_values_are_numbers_dates_or_texts() -> None:
    ontology = parse_ontology("[predicates]\na = { tail = 'number' }\nb = { tail = 'Year' }\nc = { tail = 'string' }\nd = { tail = 'value' }")
    assert [ontology.predicates[name].value for name in "abcd"] == ["number", "date", "text", "text"]
    assert all(ontology.predicates[name].tail == "value" for name in "abcd")


def test_a_given_ontology_is_closed_unless_it_says_so() -> None:
    closed, opened = parse_ontology("[predicates]\na = {}"), parse_ontology("open = true\n[predicates]\na = {}")
    assert not closed.allows("owner_of") and opened.allows("owner_of")
    assert not closed.states("population", "mixed", literal=True) and opened.states("population", "mixed", literal=True)
    assert closed.allows("also_known_as"), "names are declared under any ontology"


def test_what_is_read_from_the_other_end_is_no_near_miss() -> None:
    ontology = parse_ontology("[predicates]\npresident = { verbs = [] }\ninfluencedBy = { verbs = [] }")
    assert ontology.nearest("president_of") is None
    assert ontology.nearest("influence") is None
    assert ontology.nearest("presidents") == "president"


def test_a_changed_ontology_is_another_one() -> None:
    assert parse_ontology("[predicates]\na = {}").fingerprint != parse_ontology("[predicates]\nb = {}").fingerprint


def test_a_predicate_of_given_modes_goes_first_there_and_is_unknown_elsewhere() -> None:
    ontology = parse_ontology(
        "[predicates]\ngave = { verbs = ['give'] }\nprovides = { verbs = ['give', 'provide'], modes = ['conceptual'] }"
    )
    assert [ontology.said_by("give", mode) for mode in ("conceptual", "narrative", "mixed")] == ["provides", "gave", "gave"]
    assert [ontology.said_by("provide", mode) for mode in ("conceptual", "narrative", "mixed")] == ["provides", None, "provides"]
    with pytest.raises(OntologyError, match="stands under both"):
        parse_ontology("[predicates]\na = { verbs = ['give'], modes = ['conceptual'] }\nb = { verbs = ['give'], modes = ['argumentative'] }")
