"""Names with the titles that stand before them: "Mr. Hale" and "Mrs. Hale" are two people, whatever a tagger leaves outside its span."""

import re
from collections.abc import Iterator, Sequence

from pagerag_pipeline.lexical import STOP_WORDS
from pagerag_pipeline.schema.documents import Span
from pagerag_pipeline.schema.knowledge import LITERAL_TYPES, NamedSpan

_ADDRESS = (
    r"(?:(?:Mr|Mrs|Ms|Messrs|Dr|Prof|Rev|Hon|Mme|Mlle|Capt|Col|Gen|Lt|Sgt)\b\.?|(?<![A-Z]\. )\bM\.(?!\s*[A-Z]\.)|"
    r"(?:Miss|Misses|Sir|Lady|Lord|Madame|Mademoiselle|Monsieur|Herr|Frau|Fr\u00e4ulein|Signor|Signora|Signorina)\b)"
)
"""Forms of address: what follows them is a person."""
_RANK = (
    r"(?:Colonel|Captain|Major|General|Admiral|Sergeant|Lieutenant|Count|Countess|Duke|Duchess|Baron|Baroness|Prince|Princess|King|Queen|Father|Mother|"
    r"Brother|Sister|Aunt|Uncle|Cousin|Doctor|Professor|Reverend|Master|Mistress|Dame)\b"
)
"""Words that are no title but before the name of a person."""
_WORD = r"[A-Z\u00c0-\u00d6\u00d8-\u00de](?:[\w\u2019'-]*\w)"
_TITLED = re.compile(rf"(?<!\w)(?P<title>{_ADDRESS})\s+(?:[A-Z]\.\s*)*(?P<core>{_WORD})(?:\s+(?:[A-Z]\.|{_WORD}))*")
_BEFORE = re.compile(rf"(?<!\w)(?:(?:{_ADDRESS}|{_RANK})\s+){{1,2}}$")
_REACH = 40
"""Characters before a name in which its titles stand."""


def with_titles(text: str, bounds: Span, names: Sequence[NamedSpan]) -> list[NamedSpan]:
    """The names of a sentence, in order, widened over their titles, and those with a form of address that the tagger missed."""
    addressed = list(_addressed(text, bounds))
    widened = [_widened(text, bounds.start, name, addressed) for name in names]
    missed = (one for one in addressed if not any(one.start < name.end and name.start < one.end for name in widened))
    return sorted([*widened, *missed], key=lambda name: (name.start, name.end))


def _widened(text: str, start: int, name: NamedSpan, addressed: Sequence[NamedSpan]) -> NamedSpan:
    """A name that begins at its title; one that the tagger took for something else is a person after a form of address."""
    if name.label in LITERAL_TYPES:
        return name
    own = next((one for one in addressed if one.start <= name.start < one.end), None)
    if own is not None:
        return NamedSpan(own.start, name.end, "PERSON")
    before = _BEFORE.search(text, max(start, name.start - _REACH), name.start) if name.label == "PERSON" else None
    return name if before is None else NamedSpan(before.start(), name.end, name.label)


def _addressed(text: str, bounds: Span) -> Iterator[NamedSpan]:
    for match in _TITLED.finditer(text, bounds.start, bounds.end):
        words = [word for word in re.finditer(r"\S+", match.group()) if word.start() >= match.start("core") - match.start()]
        ends = [word.end() for word in words]
        for place, word in enumerate(words):
            if re.split(r"['\u2019]", word.group())[0].casefold() in STOP_WORDS:
                ends = ends[:place]
                break
        if ends:
            yield NamedSpan(match.start(), match.start() + ends[-1], "PERSON")
