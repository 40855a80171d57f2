"""Words that the ontology lends to prompts, and what a model's own words for them come to."""

from functools import lru_cache

from pagerag_pipeline.fields import field_name
from pagerag_pipeline.indexing.ontology import Ontology
from pagerag_pipeline.indexing.word_families import type_labels
from pagerag_pipeline.schema.documents import Mode
from pagerag_pipeline.schema.knowledge import GENERIC_TYPES, LITERAL_TYPES

ENTITY_TYPES = {
    "PERSON": "a person or character", "ORG": "an organization", "GPE": "a country, city or state", "LOC": "another place", "FAC": "a building, road or ship",
    "NORP": "a nationality, religion or party", "WORK_OF_ART": "a book, play, picture or song", "PRODUCT": "a thing with a name", "EVENT": "an event with a name",
    "LANGUAGE": "a language", "LAW": "a law or treaty", "NOUN": "a notion or thing without a name",
}  # fmt: skip
"""The types of entities in the graph, as models are told of them."""
_UNKNOWN = "MISC"


def types_told() -> str:
    """The types, one a line."""
    return "\n".join(f"{name}: {told}" for name, told in ENTITY_TYPES.items())


@lru_cache(maxsize=16)
def relations_told(ontology: Ontology, mode: Mode) -> str:
    """The relations that may be stated in a mode, with the classes of their ends."""
    known = [ontology.predicates[name] for name in sorted(ontology.predicates) if ontology.states(name, mode, literal=False)]
    return "; ".join(f"{one.name} ({one.head} > {one.tail})" for one in known)


@lru_cache(maxsize=4)
def fields_told(ontology: Ontology) -> str:
    """The relations as fields of records."""
    return ", ".join(sorted(ontology.predicates))


@lru_cache(maxsize=10_000)
def type_of(said: str) -> str:
    """The tagger's label for a type as a model says it; MISC where it says none that is known."""
    label = said.strip().upper().replace(" ", "_")
    if label in ENTITY_TYPES or label in LITERAL_TYPES or label in GENERIC_TYPES:
        return label
    labels = type_labels(said)
    return min(labels) if labels and len(labels) == 1 else _UNKNOWN


def predicate_of(said: str) -> str:
    """A relation or field as it is compared: words in snake case."""
    return field_name(said)
