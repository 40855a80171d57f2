"""Relations that an ontology only names: which words say them, between which ends, and what is left out."""

import pytest

from pagerag_pipeline.indexing.ontology import Ontology, parse_ontology
from pagerag_pipeline_tests.indexing.extraction.reading import accepted

pytestmark = pytest.mark.models


def named(*relations: str, types: str = "") -> Ontology:
    """An ontology of relations as `name head tail`."""
    rows = (f"{name} = {{ head = '{head}', tail = '{tail}' }}" for name, head, tail in (relation.split() for relation in relations))
    return parse_ontology("\n".join([f"types = {types.split()}", "[predicates]", *rows]))


@pytest.mark.parametrize(
    ("relation", "text", "wanted"),
    [
        ("director Work Person", "Northern Light was directed by Odo Fenn.", ("Northern Light", "Odo Fenn")),
        ("director Work Person", "Odo Fenn is the director of Northern Light.", ("Northern Light", "Odo Fenn")),
        ("director Work Person", "Northern Light is a film directed by Odo Fenn.", ("Northern Light", "Odo Fenn")),
        ("birthPlace Person City", "Mara Quill was born in Norwich.", ("Mara Quill", "Norwich")),
        ("birth_date Person date", "Mara Quill was born in Norwich on January 3rd, 1880.", ("Mara Quill", "January 3rd, 1880")),
        ("spouse Person Person", "Mara Quill was married to Odo Fenn.", ("Mara Quill", "Odo Fenn")),
        ("founder Organization Person", "Odo Fenn founded Hale University.", ("Hale University", "Odo Fenn")),
        ("numberOfStudents University number", "Hale University has 700 students.", ("Hale University", "700")),
        ("academicStaffSize University number", "There are 250 academic staff at Hale University.", ("Hale University", "250")),
        ("runwayLength Airport number", "Hale Airport has a runway length of 1,121 metres.", ("Hale Airport", "1,121 metres")),
        ("elevation Airport number", "Hale Airport is 546 metres above sea level.", ("Hale Airport", "546 metres")),
        ("motto University string", 'The motto of Hale University is "Nurturing Excellence".', ("Hale University", "Nurturing Excellence")),
        ("capital Country City", "The capital of France is Paris.", ("France", "Paris")),
        ("country Food Country", "Amatriciana is a traditional Italian sauce.", ("Amatriciana", "Italy")),
        ("country Building Country", "Hale Airport is located in France.", ("Hale Airport", "France")),
        ("foundedBy Organization Person", "Hale University was founded by Odo Fenn.", ("Hale University", "Odo Fenn")),
        ("author Work Person", "Northern Light is a novel by Odo Fenn.", ("Northern Light", "Odo Fenn")),
        ("engine Vehicle Engine", "The Fenn Speed has a V8 engine.", ("Fenn Speed", "V8 engine")),
    ],
)
def test_a_relation_is_read_by_the_words_of_its_name(relation: str, text: str, wanted: tuple[str, str]) -> None:
    name = relation.split()[0]
    assert accepted(text, named(relation, types="Food Engine")) == {(wanted[0], name, wanted[1])}


@pytest.mark.parametrize(
    ("relation", "text"),
    [
        ("director Work Person", "Odo Fenn did not direct Northern Light."),
        ("director Work Person", "Did Odo Fenn direct Northern Light?"),
        ("director Work Person", "Northern Light was directed by Polar Records Ltd."),
        ("birthPlace Person City", "Mara Quill was born in 1880."),
        ("director Work Person", "Odo Fenn watched Northern Light."),
        ("type Thing Type", "Bionico is a type of dessert."),
        ("runwayLength Airport number", "The runway was repaired in 1901."),
    ],
)
def test_what_denies_asks_or_does_not_fit_is_not_accepted(relation: str, text: str) -> None:
    assert accepted(text, named(relation, types="Thing Type")) == set()


def test_of_two_relations_between_two_ends_the_literal_one_stands() -> None:
    ontology = named("writer Work Person", "screenplay Work Person", "producer Work Person")
    assert accepted("Northern Light was written by Odo Fenn.", ontology) == {("Northern Light", "writer", "Odo Fenn")}


def test_two_relations_as_literal_are_both_doubtful() -> None:
    ontology = named("citizenship Person Country", "location Person Place", "city Person City")
    assert accepted("Odo Fenn is in Norwich.", ontology) == set()


def test_a_noun_that_a_paragraph_named_before_stands_for_its_name() -> None:
    ontology = named("numberOfStudents University number")
    assert accepted("Hale University stands in Norwich. It has 700 students.", ontology) == {("Hale University", "numberOfStudents", "700")}
    assert accepted("Hale University stands in Norwich. The university has 700 students.", ontology) == {("Hale University", "numberOfStudents", "700")}


def test_a_relation_of_one_mode_is_not_stated_in_another() -> None:
    ontology = parse_ontology('[predicates]\nfounder = { head = "Organization", tail = "Person", modes = ["conceptual"] }')
    text = "Hale University was founded by Odo Fenn."
    assert accepted(text, ontology, "conceptual") == {("Hale University", "founder", "Odo Fenn")}
    assert accepted(text, ontology, "narrative") == set()
