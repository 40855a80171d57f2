"""Whether a question points at something that it does not name: "this library", "that mission". Asked of many documents, it means any of them and none."""

import re

from pagerag_pipeline.answering.asked import Asked
from pagerag_pipeline.lexical import STOP_WORDS

_WORD = r"[\w'\u2019-]+"
_POINTED = re.compile(
    rf"(?P<word>\b(?:this|these|those)|(?:^|(?<=\b(?:of|in|on|at|to|by|is|do) )|(?<=\b(?:for|was|are|did|has|had|can) )|(?<=\b(?:from|with|were|does|have|will) )"
    rf"|(?<=\babout ))that)\s+(?P<noun>{_WORD}(?:\s+{_WORD})?)",
    re.IGNORECASE,
)
"""A demonstrative with the words behind it; `that` alone often joins clauses, so that it counts behind a preposition or an auxiliary."""
_NO_NOUN = re.compile(
    rf"(?:is|are|was|were|be|means?|mean|does|do|did|can|could|will|would|shall|should|may|might|must|has|have|had|seems?|happens?|happened|all|much|many"
    rf"|different|same|similar|true|correct|right|possible|available|\w+ed|{'|'.join(sorted(STOP_WORDS))})",
    re.IGNORECASE,
)
"""What follows a demonstrative that stands by itself."""
_HERE = re.compile(
    r"(?:\w+\s+)?(?:stor(?:y|ies)|books?|novels?|tales?|poems?|plays?|papers?|articles?|documents?|texts?|passages?|reports?|stud(?:y|ies)|works?|essays?|research|sections?"
    r"|chapters?|contracts?|agreements?|files?|corpus|collection|pages?|times?|years?|months?|weeks?|days?|cent(?:ury|uries)|cases?|ways?|kinds?|types?|sorts?|points?|worlds?"
    r"|topics?|questions?|informations?|one|ones)",
    re.IGNORECASE,
)
"""What is read, and what every reader knows: these are at hand."""


def pointed_at(asked: Asked) -> str:
    """The demonstrative and its first noun as the question writes them; empty when it points at nothing, or what it may mean stands before."""
    if not asked.english:
        return ""
    for match in _POINTED.finditer(asked.text):
        first = match["noun"].split()[0]
        before = asked.text[: match.start()]
        if not (_NO_NOUN.fullmatch(first) or _HERE.match(match["noun"]) or any(name in before for name in (*asked.names, first))):
            return f"{match['word']} {first}"
    return ""
