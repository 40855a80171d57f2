"""The terms of a text that are nodes of the co-occurrence graph: what a question names is read as the sentences of its documents are (E2GraphRAG)."""

from collections.abc import Sequence
from itertools import groupby

from pagerag_pipeline.indexing.extraction.names import proper_words
from pagerag_pipeline.indexing.extraction.reading import read_sentences
from pagerag_pipeline.indexing.extraction.segments import segment_text
from pagerag_pipeline.indexing.extraction.terms import sentence_terms
from pagerag_pipeline.indexing.profiling.language import detect_language
from pagerag_pipeline.schema.knowledge import NODE_LABELS, PARTED_LABELS, Term
from pagerag_pipeline.schema.protocols import Tagger


def graph_terms(terms: Sequence[Term]) -> list[Term]:
    """Those of a chunk's terms that are nodes, each once a sentence, where it stands first; `stores.raw_statements.NODE_TERMS` says the same.

    The words of a person's name are nodes, not the name (systems, section 3.3); so it is with a name of unknown type, for rules without a model
    tell none. Places and organizations are whole, and what is named otherwise (dates, works, events, peoples) is none.
    """
    found: list[Term] = []
    for _, group in groupby(terms, key=lambda term: term.sentence):
        own = list(group)
        following = [*own[1:], None]
        kept = [one for one, after in zip(own, following, strict=True) if one.key and _is_node(one, after)]
        found.extend({one.key: one for one in reversed(kept)}.values())
    return sorted(found, key=lambda one: (one.sentence, one.start, one.key))


def text_terms(text: str, tagger: Tagger) -> list[Term]:
    """The nodes that a question names, in order, read in its own language by the same rules as a chunk; a question of few words is no heading."""
    segments = segment_text(text)
    tagged = tagger.tag([segment.text for segment in segments], detect_language(text))
    proper = set().union(*(proper_words(one, segment.text) for segment, one in zip(segments, tagged, strict=True)))
    terms: list[Term] = []
    number = 0
    for segment, one in zip(segments, tagged, strict=True):
        for sentence in read_sentences(one, segment.text, proper):
            terms.extend(sentence_terms(sentence, number, segment.start))
            number += 1
    return graph_terms(terms)


def _is_node(term: Term, after: Term | None) -> bool:
    """Whether a term is a node, given the one behind it: a term stands before its words."""
    if term.label in PARTED_LABELS:
        return after is None or after.start >= term.end
    return term.label in NODE_LABELS
