"""What tests of extraction ask of a text: its units by the real parser, with quotes that hold."""

from functools import lru_cache

from pagerag_pipeline.indexing.extract import extract_chunks
from pagerag_pipeline.indexing.govern import gate_units
from pagerag_pipeline.indexing.ontology import Ontology, load_ontology
from pagerag_pipeline.models.tagger import load_tagger
from pagerag_pipeline.schema.documents import Mode
from pagerag_pipeline.schema.knowledge import Unit
from pagerag_pipeline.schema.protocols import Tagger
from pagerag_pipeline.settings import ExtractSettings, GovernSettings

Statement = tuple[str, str, str]


@lru_cache
def parser() -> Tagger:
    return load_tagger(ExtractSettings())


def units(text: str, mode: Mode = "mixed", ontology: Ontology | None = None) -> dict[Statement, Unit]:
    """The units of a text by what they state; mere company left out."""
    (one,) = extract_chunks([text], parser(), language="en", mode=mode, ontology=ontology)
    for unit in one.units:
        assert text[unit.start : unit.end] == unit.quote
    return {(u.head, u.predicate, u.tail): u for u in one.units if u.predicate != "mentioned_with"}


def accepted(text: str, ontology: Ontology, mode: Mode = "mixed") -> set[Statement]:
    """What the gates accept of a text."""
    (one,) = extract_chunks([text], parser(), language="en", mode=mode, ontology=ontology)
    gated = gate_units(text, one.units, ontology=ontology or load_ontology(), settings=GovernSettings())
    return {(g.unit.head, g.unit.predicate, g.unit.tail) for g in gated if g.state == "accepted" and g.unit.modality in ("asserted", "reported")}
