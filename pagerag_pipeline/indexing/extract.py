"""A_mu: what one chunk says, by rules over a tagger's reading: terms, knowledge units and records, all with exact offsets (PAGE-RAG, 2.2)."""

from collections.abc import Sequence

from pagerag_pipeline.indexing.extraction.mentions import genders
from pagerag_pipeline.indexing.extraction.names import proper_words
from pagerag_pipeline.indexing.extraction.reading import Sentence, read_sentences
from pagerag_pipeline.indexing.extraction.resolve import resolve_references
from pagerag_pipeline.indexing.extraction.segments import Segment, segment_text
from pagerag_pipeline.indexing.extraction.terms import sentence_terms
from pagerag_pipeline.indexing.extraction.units import units_and_records
from pagerag_pipeline.indexing.ontology import Ontology, load_ontology
from pagerag_pipeline.indexing.profiling.language import UNKNOWN, detect_language
from pagerag_pipeline.schema.documents import Mode, Span
from pagerag_pipeline.schema.knowledge import Extraction, Record, Tagged, Term, Unit
from pagerag_pipeline.schema.protocols import Tagger

VERSION = "extract/11"


def extract_chunks(
    texts: Sequence[str], tagger: Tagger, *, language: str, mode: Mode, ontology: Ontology | None = None
) -> list[Extraction]:
    """One Extraction per text, in order; offsets are relative to the text, and every quote is the exact slice.

    Without an ontology the shipped one says what may be stated.
    A text that tells its own language is read in it, so that a document may hold several; others are read in `language`, that of their document.
    Headings name a part of a document, not a thing in it: they give a sentence, but no term, unit or record. Lines of cells give terms only.
    """
    segmented = [segment_text(text) for text in texts]
    languages = [own if (own := detect_language(text)) != UNKNOWN else language for text in texts]
    read: dict[int, list[tuple[Segment, Tagged]]] = {}
    for one in sorted(set(languages)):
        places = [place for place, found in enumerate(languages) if found == one]
        tagged = iter(tagger.tag([segment.text for place in places for segment in segmented[place]], one))
        read.update((place, [(segment, next(tagged)) for segment in segmented[place]]) for place in places)
    return [_extraction(text, read[place], ontology or load_ontology(), mode) for place, text in enumerate(texts)]


def read_paragraphs(readings: Sequence[tuple[Segment, Tagged]], mode: Mode) -> list[tuple[Segment, list[Sentence]]]:
    """The sentences of a text by paragraph, as the rules read them: with names, and with what pronouns and definite nouns stand for."""
    proper = set().union(*(proper_words(tagged, segment.text) for segment, tagged in readings if not segment.heading))
    paragraphs = [(segment, list(read_sentences(tagged, segment.text, proper))) for segment, tagged in readings]
    gender = genders(sentence for segment, read in paragraphs if not segment.heading for sentence in read)
    for segment, paragraph in paragraphs:
        if not segment.heading and not segment.tabular:
            resolve_references(paragraph, gender, mode)
    return paragraphs


def _extraction(text: str, readings: Sequence[tuple[Segment, Tagged]], ontology: Ontology, mode: Mode) -> Extraction:
    sentences: list[Span] = []
    terms: list[Term] = []
    units: list[Unit] = []
    records: list[Record] = []
    for segment, paragraph in read_paragraphs(readings, mode):
        for sentence in paragraph:
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
