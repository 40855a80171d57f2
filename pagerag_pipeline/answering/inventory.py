"""Questions for several things: the items that the quotes name, each once and with the sentence it stands in, and counts with what was counted."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pagerag_pipeline.answering.asked import Asked
from pagerag_pipeline.answering.candidates import candidates
from pagerag_pipeline.answering.coverage import Wanted
from pagerag_pipeline.answering.sentences import Sentence, in_passage_of
from pagerag_pipeline.answering.spans import ANSWER_WORDS
from pagerag_pipeline.lexical import content_terms, name_key
from pagerag_pipeline.schema.protocols import Tagger

ALIKE = 0.9
"""A sentence names a further item when it covers this share of what the best one covers; chosen."""
ITEM_WORDS = 5
"""Words of the longest item of an enumeration; chosen."""
MOST_ITEMS = 12
"""Items told at most; chosen: more than a short answer holds."""

_NUMBERS = "two three four five six seven eight nine ten eleven twelve".split()
_NUMBER = rf"(?:{'|'.join(_NUMBERS)}|[2-9]|1[0-2])"
_HOW_MANY = re.compile(r"\bhow many\b", re.IGNORECASE)
_NUMBERED = re.compile(rf"\b(?:which|what|whose|who (?:are|were) the|what (?:are|were) (?:[\w.'\u2019-]+\s+){{1,4}}?)\s*(?P<number>{_NUMBER})\s+(?!of\b|years?\b|times\b)", re.IGNORECASE)
_PLURAL = re.compile(
    r"\bwho (?:are|were)\b|\b(?:which|what) (?:\w+ )?[a-z]+(?<!s)s (?:are|were|do|have)\b|\bwhat (?:are|were) (?:the|all)\b.*?\b[a-z]+(?<!s)s\b"
    r"|^(?:list|name|give)\b.*?\b[a-z]+(?<!s)s\b",
    re.IGNORECASE,
)
_SERIES = re.compile(r"(?P<first>[^,;:.()\u2014]+)(?P<middle>(?:,\s+(?!and\b|or\b)[^,;:.()\u2014]+)*),?\s+(?:and|or)\s+(?P<last>[^,;:.()\u2014]+)")
_LEAD = re.compile(
    r"^.*\b(?:are|were|is|was|include[sd]?|including|of|in|into|with|between|by|from|to|namely|as|called|named|comprises?|have|has|had|by|for|at|among)\s+(?=\S)",
    re.IGNORECASE | re.DOTALL,
)
_TAIL = re.compile(r"\s+(?:are|were|is|was|in|at|on|for|from|who|which|that|when|where|had|have|has|to|by|with|as|because|while|carried|came|did)\b.*$", re.DOTALL)
_TITLES = frozenset("mr mrs ms miss dr sir ladi lord captain professor".split())
_MARK = re.compile(r"^\s*(?:[-*\u2022]|\(?(?:\d{1,2}|[a-z])[.)])\s*|^(?:first(?:ly)?|second(?:ly)?|third(?:ly)?|fourth(?:ly)?|last(?:ly)?|finally|then|next)\b,?\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Item:
    """One thing of several that answer together."""

    text: str
    sentence: Sentence


@dataclass(frozen=True, slots=True)
class Inventory:
    """The items that answer a question for several things, in the order of the sources."""

    items: tuple[Item, ...]

    @property
    def text(self) -> str:
        """The items in one line; of items that are too long together the first clause of each."""
        whole = ", ".join(item.text for item in self.items)
        return whole if len(whole.split()) <= ANSWER_WORDS else ", ".join(item.text.split(",")[0] for item in self.items)

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """Where they stand, each sentence once."""
        return tuple({id(item.sentence): item.sentence for item in self.items}.values())


def asks_several(text: str) -> bool:
    """Whether a question asks for several things by name."""
    return not _HOW_MANY.search(text) and bool(_NUMBERED.search(text) or _PLURAL.search(text))


def expected(text: str) -> int | None:
    """How many things a question says there are; None when it does not say."""
    match = _NUMBERED.search(text)
    if match is None:
        return None
    said = match["number"].lower()
    return int(said) if said.isdigit() else _NUMBERS.index(said) + 2


def take_inventory(asked: Asked, wanted: Wanted, chosen: Sequence[Sentence], sentences: Sequence[Sentence], tagger: Tagger) -> Inventory | None:
    """The items that answer: a series in a chosen sentence or behind one that announces it, else one item of each sentence that says the same.

    None when there are fewer than two, or another number than the question says.
    """
    number = expected(asked.text)
    for sentence in chosen:
        for found in (series(sentence, asked), behind(sentence, sentences, number)):
            if len(found) >= 2 and number in (None, len(found)):
                return Inventory(tuple(found))
    found = _one_each(asked, wanted, chosen, sentences, tagger)
    return Inventory(tuple(found)) if len(found) >= 2 and number in (None, len(found)) else None


def counted_items(asked: Asked, chosen: Sequence[Sentence], count: str) -> Inventory | None:
    """The things that a count counts, when a sentence that says the count names as many in a series; None for what is no count or names others."""
    said = count.lower().split()[0]
    number = int(said) if said.isdigit() else _NUMBERS.index(said) + 2 if said in _NUMBERS else None
    if number is None or not _HOW_MANY.search(asked.text):
        return None
    found = [items for s in chosen if re.search(rf"\b{re.escape(said)}\b", s.text, re.IGNORECASE) and len(items := series(s, asked)) == number]
    return Inventory(tuple(found[0])) if found else None


def series(sentence: Sentence, asked: Asked) -> list[Item]:
    """The members of the longest series (`A, B and C`) of a sentence, in order; a pair counts only where both are names. Empty when there is none."""
    best: list[str] = []
    for match in _SERIES.finditer(sentence.text):
        middle = [part.strip() for part in match["middle"].split(",") if part.strip()]
        members = [_LEAD.sub("", match["first"]).strip(), *middle, _TAIL.sub("", match["last"]).strip()]
        named = all(member[:1].isupper() for member in members)
        if all(0 < len(member.split()) <= ITEM_WORDS for member in members) and (named or len(members) > 2) and len(members) > len(best):
            best = members
    fresh = [member for member in best if content_terms(member) and not set(content_terms(member)) <= set(asked.terms)]
    return [Item(member, sentence) for member in fresh] if len(fresh) == len(best) else []


def behind(sentence: Sentence, sentences: Sequence[Sentence], number: int | None) -> list[Item]:
    """The lines or sentences that follow one which announces them by a colon or by their number, without their marks; empty where it does not."""
    first, _, own = sentence.text.partition("\n")
    if not first.rstrip().endswith(":") and (number is None or not _says(number, sentence.text)):
        return []
    following = [s for s in in_passage_of(sentence, sentences) if s.span.start > sentence.span.start]
    texts = [(own, sentence), *((s.text, s) for s in sorted(following, key=lambda s: s.span.start))]
    lines = [(part, s) for text, s in texts for part in text.split("\n") if part.strip()]
    marked = [(part, s) for part, s in lines if _MARK.match(part)]
    taken = marked[: number or MOST_ITEMS] if marked and lines[0] == marked[0] else lines[: number or 0]
    return [Item(_MARK.sub("", part).strip(" .;"), s) for part, s in taken]


def _says(number: int, text: str) -> bool:
    return bool(re.search(rf"\b(?:{number}|{_NUMBERS[number - 2]})\b", text, re.IGNORECASE))


def _one_each(asked: Asked, wanted: Wanted, chosen: Sequence[Sentence], sentences: Sequence[Sentence], tagger: Tagger) -> list[Item]:
    """The best name of each sentence that says of it what the best sentence says of its own; a name that is part of another is the same one."""
    if asked.kind not in ("person", "place"):
        return []
    most = max(wanted.share(wanted.covered(sentence.terms)) for sentence in chosen)
    found: dict[str, Item] = {}
    for sentence in sentences:
        shares = wanted.covered(sentence.terms)
        if not shares.get(asked.chief) or wanted.share(shares) < ALIKE * most or len(found) == MOST_ITEMS:
            continue
        named = candidates(sentence.text, tagger.tag([sentence.text], "en")[0], asked)
        if named and not any(_same(named[0].text, item.text) for item in found.values()):
            found[name_key(named[0].text)] = Item(named[0].text, sentence)
    return list(found.values())


def _same(one: str, other: str) -> bool:
    own, others = set(content_terms(one)) - _TITLES, set(content_terms(other)) - _TITLES
    return own <= others or others <= own
