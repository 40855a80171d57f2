"""Names that are a part of longer ones: what is told of `Tarn Rovers` is not told of `Tarn`."""

import re
from collections.abc import Sequence

from pagerag_pipeline.answering.asked import Asked
from pagerag_pipeline.answering.coverage import Wanted
from pagerag_pipeline.answering.sentences import Sentence
from pagerag_pipeline.lexical import content_terms

_SAME = r"(?:Ltd|Limited|Inc|Incorporated|Corp|Corporation|Company|Co|Group|PLC|LLC|GmbH|AG|Jr|Sr)\b"
"""What a name may go on with and mean the same."""


def without_longer_names(asked: Asked, wanted: Wanted, sentences: Sequence[Sentence]) -> list[Sentence]:
    """Sentences without those that go on with a name of the question to a longer one, where another says the relation asked for of the name itself.

    Only where a date, a name or a place is asked for, of which each has its own; `Kublai` and `Kublai Khan` may be the same.
    """
    kept = list(sentences)
    for name in asked.names if asked.kind in ("time", "person", "place") else ():
        longer = {id(one) for one in kept if _is_longer(name, one.text)}
        own = set(content_terms(name))
        others = [one for one in kept if id(one) not in longer and asked.chief in wanted.covered(one.terms)] if longer else []
        if any(own <= one.terms | one.leaned for one in others):
            kept = [one for one in kept if id(one) not in longer]
    return kept


def _is_longer(name: str, text: str) -> bool:
    """Whether a text says a name only at the beginning of longer ones."""
    places = [match.end() for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text)] if name in text else []
    return bool(places) and all(re.match(rf"\s+(?!{_SAME})[A-Z\u00c0-\u00de][\w-]+", text[place:]) for place in places)
