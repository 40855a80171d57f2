"""Who speaks: quotations of a paragraph, the verbs of saying beside them, and the names that are the subjects of those."""

import re
from collections.abc import Iterable, Sequence

from pagerag_pipeline.indexing.extraction.reading import Phrase, Sentence
from pagerag_pipeline.schema.documents import Span

SAYING = frozenset(
    "say ask reply answer cry exclaim shout whisper murmur mutter remark observe add continue repeat begin return declare announce call demand "
    "inquire enquire interrupt suggest explain tell protest admit agree insist growl gasp sigh echo respond retort state note".split()
)
_QUOTATION = re.compile(r"\u201c[^\u201c\u201d]*(?:\u201d|$)|\"[^\"]*(?:\"|$)|\u00ab[^\u00ab\u00bb]*(?:\u00bb|$)")
_PEOPLE = frozenset({"PERSON", "PROPN", "MISC", "ORG", "NORP"})


def quotations(text: str) -> list[Span]:
    """What stands between quotation marks in a paragraph; marks that are not closed run to its end."""
    return [Span(*match.span()) for match in _QUOTATION.finditer(text)] if any(mark in text for mark in "\u201c\"\u00ab") else []


def within(spans: Iterable[Span], place: int) -> bool:
    """Whether a character stands in one of the spans."""
    return any(span.start <= place < span.end for span in spans)


def speaker_of(sentences: Sequence[Sentence], spoken: Sequence[Span]) -> Phrase | None:
    """The one named speaker of a paragraph's quotations: the only name that is the subject of a verb of saying outside them."""
    if not spoken:
        return None
    found: dict[str, Phrase] = {}
    for sentence in sentences:
        for index, token in enumerate(sentence.tokens):
            if token.lemma.casefold() in SAYING and token.pos == "VERB" and not within(spoken, token.start) and _beside(spoken, token.start, token.end):
                sayers = _sayers(sentence, index)
                # What is called out in a quotation ("Jan!" cried Odo) a parser takes for a subject too.
                outside = [subject for subject in sayers if not within(spoken, sentence.tokens[subject].start)]
                for phrase in map(sentence.phrase, outside or sayers):
                    if phrase is None or not phrase.named or phrase.type not in _PEOPLE or not outside:
                        return None
                    found[phrase.surface.casefold()] = phrase
    return next(iter(found.values())) if len(found) == 1 else None


def _sayers(sentence: Sentence, verb: int) -> list[int]:
    """The subjects of a verb of saying; one that goes on from another verb has those ("She rose and said")."""
    while not (own := sentence.having(verb, "nsubj")) and sentence.tokens[verb].dep == "conj" and sentence.head(verb) != verb:
        verb = sentence.head(verb)
    return own


def _beside(spoken: Sequence[Span], start: int, end: int, most: int = 60) -> bool:
    return any(-most <= start - span.end <= most or -most <= span.start - end <= most for span in spoken)
