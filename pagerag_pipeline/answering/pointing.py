"""Whether a question points at something that it does not name: "this library", "that mission". Asked of many documents, it means any of them and none."""

import re
from collections.abc import Sequence

from pagerag_pipeline.answering.asked import ASKING_WORDS, Asked, read_question
from pagerag_pipeline.lexical import STOP_WORDS, stem, words

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
_ASKS = re.compile(r"\b(?:who|what|when|where|why|how|which)\b", re.IGNORECASE)
_LAST = 6
"""Words at the end of a question among which a `that` by itself stands; chosen."""
_ALONE = re.compile(
    rf"(?:\s|^)(?:(?!(?:about|{'|'.join(sorted(STOP_WORDS - {'did', 'do', 'does'}))})\s)(?P<verb>[a-z]+)\s+that"
    r"(?:\s+(?P<noun>[a-z]+))?|(?:do|does|did|can|could|will|would|shall|should|may|might|must|has|have|had)\s+that\s+(?P<deed>[a-z]+)"
    r"(?:\s+(?:in|on|at|to|from|by|for|with|of))?)\s*\??\s*$",
    re.IGNORECASE | re.DOTALL,
)
"""`that` at the end of a question: behind a verb, alone or with a noun, or between an auxiliary and a verb."""
_CLAUSE_BEHIND = re.compile(
    r"(?:say|said|think|thought|know|knew|claim|believe|show|mean|argue|hope|fear|tell|told|find|found|feel|felt"
    r"|see|saw|learn|hear|state|prove|suggest|admit)\w*",
    re.IGNORECASE,
)
"""Verbs behind which `that` and a word begin a clause."""
_COURTESY = frozenset(
    stem(word)
    for word in (
        "hello hi hey greetings welcome good morning afternoon evening day night thanks thank please sorry yes yeah no ok okay sure fine great nice well glad "
        "bye goodbye help assist assistance happy ask asking question questions answer want like need know let see go ahead today here understand understood"
    ).split()
)
"""Stems of words that turns are made of in which nothing is named."""
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
    return _alone(asked)


def _alone(asked: Asked) -> str:
    """`that` at the end of a question which says nothing else that it may mean."""
    match = _ALONE.search(" ".join(asked.text.split()[-_LAST:])) if _ASKS.search(asked.text) else None
    if match is None or (match["noun"] and _CLAUSE_BEHIND.fullmatch(match["verb"])):
        return ""
    beside = {stem(word.lower()) for word in (match["verb"], match["noun"], match["deed"]) if word}
    return f"that {match['noun'] or ''}".strip() if set(asked.distinctive) <= beside else ""


def names_something(turns: Sequence[str]) -> bool:
    """Whether one of some earlier turns names anything that a question may point at: a greeting and an offer of help name nothing."""
    said = [word for turn in turns if not pointed_at(read_question(turn)) for word in words(turn) if word not in STOP_WORDS]
    return any(stem(word) not in _COURTESY | ASKING_WORDS for word in said)
