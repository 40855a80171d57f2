"""A_mu: what one chunk says, by rules over a tagger's reading: terms, knowledge units and records, all with exact offsets (PAGE-RAG, 2.2)."""

from collections.abc import Sequence

from pagerag_pipeline.indexing.extraction.names import proper_words
from pagerag_pipeline.indexing.extraction.reading import read_sentences
from pagerag_pipeline.indexing.extraction.segments import Segment, segment_text
from pagerag_pipeline.indexing.extraction.terms import sentence_terms
from pagerag_pipeline.indexing.extraction.units import units_and_records
from pagerag_pipeline.indexing.ontology import Ontology, load_ontology
from pagerag_pipeline.schema import Extraction, Mode, Record, Span, Tagged, Tagger, Term, Unit
from pagerag_pipeline.settings import ExtractSettings

VERSION = "extract/2"


def extract_chunks(
    texts: Sequence[str], tagger: Tagger, *, language: str, mode: Mode, settings: ExtractSettings
) -> list[Extraction]:
    """One Extraction per text, in order; offsets are relative to the text, and every quote is the exact slice.

    Headings name a part of a document, not a thing in it: they give a sentence, but no term, unit or record. Lines of cells give terms only.
    """
    segmented = [segment_text(text) for text in texts]
    tagged = tagger.tag([segment.text for segments in segmented for segment in segments], language)
    ontology = load_ontology()
    extractions: list[Extraction] = []
    position = 0
    for text, segments in zip(texts, segmented, strict=True):
        readings = tagged[position : position + len(segments)]
        position += len(segments)
        extractions.append(_extraction(text, list(zip(segments, readings, strict=True)), ontology, mode))
    return extractions


def _extraction(text: str, readings: Sequence[tuple[Segment, Tagged]], ontology: Ontology, mode: Mode) -> Extraction:
    sentences: list[Span] = []
    terms: list[Term] = []
    units: list[Unit] = []
    records: list[Record] = []
    proper = set().union(*(proper_words(tagged, segment.text) for segment, tagged in readings if not segment.heading))
    for segment, tagged in readings:
        for sentence in read_sentences(tagged, segment.text, proper):
            sentences.append(Span(segment.start + sentence.start, segment.start + sentence.end))
            if segment.heading:
                continue
            terms.extend(_exact(sentence_terms(sentence, len(sentences) - 1, segment.start), text))
            if segment.tabular:
                continue
            stated, filed = units_and_records(sentence, text, segment.start, ontology=ontology, mode=mode)
            units.extend(stated)
            records.extend(filed)
    return Extraction(tuple(sentences), tuple(terms), tuple(units), tuple(records))


def _exact(terms: Sequence[Term], text: str) -> list[Term]:
    """Terms with the surface as it stands in the chunk, line ends included."""
    return [Term(t.key, text[t.start : t.end], t.label, t.start, t.end, t.sentence) for t in terms]
