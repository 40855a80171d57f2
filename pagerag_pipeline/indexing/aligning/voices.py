"""What a text tells of the people it names, without saying so: who stands beside whom, who speaks to whom, and who is "he" or "she"."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from pagerag_pipeline.indexing.aligning.families import family_names
from pagerag_pipeline.indexing.aligning.kin import family_roles, generations

Pair = tuple[str, str]

_PARAGRAPH = re.compile(r"\n\s*\n")
_QUOTES = {
    "\u201c": re.compile(r"\u201c[^\u201c\u201d]*(?:\u201d|$)"),
    '"': re.compile(r'"[^"]*(?:"|$)'),
    "\u00ab": re.compile(r"\u00ab[^\u00ab\u00bb]*(?:\u00bb|$)"),
    "\u2018": re.compile(r"\u2018.*?(?:\u2019(?!\w)|$)", re.S),
    "'": re.compile(r"(?<![\w.])'.*?(?:'(?!\w)|$)", re.S),
}
_SAID = (
    r"(?:said|says|asked|replied|answered|cried|exclaimed|shouted|whispered|murmured|muttered|remarked|observed|added|continued|repeated|began|returned|"
    r"declared|announced|called|demanded|inquired|enquired|interrupted|suggested|explained|protested|admitted|agreed|insisted|growled|gasped|sighed|"
    r"echoed|responded|retorted|stated|thought|pursued|rejoined|resumed|went on|dit|r\u00e9pondit|demanda|s'\u00e9cria|reprit|ajouta|murmura|fit|"
    r"sagte|rief|fragte|antwortete|erwiderte|sprach|meinte)"
)
_SAID_BEFORE = re.compile(
    rf"[\"\u201d\u00bb\u2019']?[,;.!?]?\s*(?:--?)?\s*(?:\w+ly )?{_SAID}(?: \w+ly)?\s+(?:(?:the|old|young|poor|little) )*$"
)
_SAID_AFTER = re.compile(rf"^,?\s+(?:\w+ly )?{_SAID}\b")
_OPENS = re.compile(
    r"(?:^|[\"\u201c\u00ab\u2018'(]|[,;!?.\u2014-]\s*|\b(?:oh|ah|o|well|no|yes|and|but|come|now|why|dear|dearest|poor|darling|sir|my|ha|hey|eh|d|bonjour|cher|ma)\s+)$",
    re.I,
)
_CLOSES = re.compile(r"^\s*(?:[,!?;.\"\u201d\u00bb\u2019]|--|\u2014|$)")
_COORDINATED = re.compile(
    r"^\s*,?\s*(?:(?:and|or|nor|with|et|und|mit|avec|to|for|from|at|upon|toward|towards)\s+(?:(?:with|to|for|of|the|his|her|poor|old|young|dear|little)\s+)*)$",
    re.I,
)
_HEARD = re.compile(
    rf"^\s+(?:(?:\w+ly\s+)?(?:{_SAID}|spoke|speaks|talked|wrote)(?:\s+\w+ly)?\s+to|told|tells|asked|asks|answered)\s+(?:(?:his|her|poor|old|young|dear|little)\s+)*$"
)
"""Between a speaker and the hearer."""
_ENDS = re.compile(r"[.!?\"\u201c\u201d\u00ab\u00bb]\s|\n\s*\n|[\"\u201c\u201d]")
_HE = re.compile(r"\b(?:he|him|his|himself)\b", re.I)
_SHE = re.compile(r"\b(?:she|her|hers|herself|elle)\b", re.I)
_PRONOUN_REACH = 120
"""Characters after a name in which the first pronoun is taken for its bearer."""


class Mention(NamedTuple):
    """Where a document names somebody; offsets are its own."""

    start: int
    end: int
    key: str


@dataclass(slots=True)
class Voices:
    """Counts over one document, by key or by pair of keys in order (for `answers` and `tells`: who, to or of whom)."""

    coordinated: Counter[Pair] = field(default_factory=Counter)
    """Named side by side: "X and Y", "X to Y", "X, Y"."""
    together: Counter[Pair] = field(default_factory=Counter)
    """Named in one sentence of narration, or in one of speech."""
    addresses: Counter[Pair] = field(default_factory=Counter)
    """The speaker, and a name that the speaker says to somebody: two people."""
    tells: Counter[Pair] = field(default_factory=Counter)
    """The speaker, and a name that the speaker says of somebody: two people, as a rule."""
    answers: Counter[Pair] = field(default_factory=Counter)
    """A name that is said to somebody, and who spoke just before or speaks just after: one person, as a rule."""
    narrated: Counter[str] = field(default_factory=Counter)
    """How often a name stands outside speech."""
    masculine: Counter[str] = field(default_factory=Counter)
    """How often the first pronoun after a name is he."""
    feminine: Counter[str] = field(default_factory=Counter)
    """How often it is she."""
    families: frozenset[str] = frozenset()
    """Names of one word that are said more often of a family than of somebody."""
    roles: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """The places in a family that names are introduced with."""
    generations: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """The generations that names are told with, apart from their own words."""


@dataclass(slots=True)
class _Paragraph:
    """Speech of a paragraph: who is named as speaking, and which names are said to somebody."""

    speaker: str = ""
    spoken: bool = False
    called: list[str] = field(default_factory=list)


def read_voices(text: str, mentions: Sequence[Mention]) -> Voices:
    """The counts of one document; mentions in order, without overlaps. Linear in text and mentions."""
    voices = Voices(
        families=family_names(text, mentions), roles=family_roles(text, mentions), generations=generations(text, mentions)
    )
    quotes = _quotes_of(text)
    turns: list[_Paragraph] = []
    at = 0
    for start, end in _paragraphs(text):
        inside: list[Mention] = []
        while at < len(mentions) and mentions[at].start < end:
            inside.append(mentions[at])
            at += 1
        turns.append(
            _read_paragraph(text[start:end], [Mention(m.start - start, m.end - start, m.key) for m in inside], quotes, voices)
        )
    _count_answers(turns, voices)
    return voices


def _read_paragraph(text: str, mentions: Sequence[Mention], quotes: re.Pattern[str] | None, voices: Voices) -> _Paragraph:
    spoken = [match.span() for match in quotes.finditer(text)] if quotes is not None else []
    quoted = [any(first <= m.start < last for first, last in spoken) for m in mentions]
    voices.narrated.update(m.key for m, within in zip(mentions, quoted, strict=True) if not within)
    _count_neighbors(text, mentions, quoted, voices)
    for place, mention in enumerate(mentions):
        _count_pronouns(text, mention, mentions[place + 1].start if place + 1 < len(mentions) else len(text), voices)
    speakers = {m.key for m, within in zip(mentions, quoted, strict=True) if not within and spoken and _speaks(text, m, spoken)}
    turn = _Paragraph(next(iter(speakers)) if len(speakers) == 1 else "", bool(spoken))
    for mention, within in zip(mentions, quoted, strict=True):
        if within and _called(text, mention):
            turn.called.append(mention.key)
            voices.addresses.update([(turn.speaker, mention.key)] if turn.speaker else [])
        elif within and turn.speaker:
            voices.tells[(turn.speaker, mention.key)] += 1
    return turn


def _count_neighbors(text: str, mentions: Sequence[Mention], quoted: Sequence[bool], voices: Voices) -> None:
    for place, left in enumerate(mentions):
        for other in range(place + 1, min(place + 5, len(mentions))):
            right = mentions[other]
            if _ENDS.search(text, left.end, right.start) or quoted[place] != quoted[other]:
                break
            if left.key != right.key:
                pair = (left.key, right.key) if left.key < right.key else (right.key, left.key)
                voices.together[pair] += 1
                if other == place + 1 and _side_by_side(text[left.end : right.start]):
                    voices.coordinated[pair] += 1


def _side_by_side(between: str) -> bool:
    """Whether what stands between two names coordinates them, or makes one the other's hearer."""
    return _COORDINATED.match(between) is not None or _HEARD.match(between) is not None


def _count_pronouns(text: str, mention: Mention, until: int, voices: Voices) -> None:
    """The first pronoun after a name, before the next name and not far, counts for its gender."""
    until = min(until, mention.end + _PRONOUN_REACH)
    he, she = _HE.search(text, mention.end, until), _SHE.search(text, mention.end, until)
    if he is not None and (she is None or he.start() < she.start()):
        voices.masculine[mention.key] += 1
    elif she is not None:
        voices.feminine[mention.key] += 1


def _speaks(text: str, mention: Mention, spoken: Sequence[tuple[int, int]]) -> bool:
    """Whether a name outside the quotations is the subject of a verb of saying beside one."""
    before = max((last for first, last in spoken if last <= mention.start), default=-1)
    after = min((first for first, last in spoken if first >= mention.end), default=-1)
    if before >= 0 and mention.start - before <= 40:
        between = text[max(before - 1, 0) : mention.start]
        if _SAID_BEFORE.search(between) or (
            not between[1:].strip(" ,\n") and _SAID_AFTER.match(text[mention.end : mention.end + 40])
        ):
            return True
    return after >= 0 and after - mention.end <= 60 and _SAID_AFTER.match(text[mention.end : after]) is not None


def _called(text: str, mention: Mention) -> bool:
    """Whether a name in speech is said to somebody: it is set off on both sides."""
    return (
        _OPENS.search(text[max(0, mention.start - 12) : mention.start]) is not None
        and _CLOSES.match(text[mention.end : mention.end + 3]) is not None
    )


def _count_answers(turns: Sequence[_Paragraph], voices: Voices) -> None:
    for first, second in pairwise(turns):
        if first.spoken and second.spoken:
            for turn, other in ((first, second), (second, first)):
                for called in set(turn.called) if other.speaker and other.speaker != turn.speaker else ():
                    voices.answers[(called, other.speaker)] += 1


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _PARAGRAPH.finditer(text):
        yield start, match.end()
        start = match.end()
    yield start, len(text)


def _quotes_of(text: str) -> re.Pattern[str] | None:
    """The quotation marks that a text uses for speech: those that open most of its words."""
    counts = {mark: len(re.findall(rf"(?:^|[\s(\u2014-]){re.escape(mark)}(?=\w)", text)) for mark in _QUOTES}
    mark = max(counts, key=lambda one: (counts[one], one == "\u201c"))
    return _QUOTES[mark] if counts[mark] else None
