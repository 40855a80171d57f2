"""Gate G3: what a quote says of cause and effect (whether a cue joins the two, which way, whether it is denied or supposed), and which merges turn a cause."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pagerag_pipeline.indexing.ontology import CAUSES, Ontology
from pagerag_pipeline.lexical import name_key
from pagerag_pipeline.schema.knowledge import Modality

CAUSAL_ROLES = {"cause_of": False, "result_of": True, "effect_of": True, "consequence_of": True}
"""Roles of the open family `<role>_of` that say `causes`, and whether they say it from the effect to the cause."""

_BACKWARD = frozenset(
    {"because", "because of", "due to", "owing to", "thanks to", "as a result of", "result of", "consequence of", "effect of", "parce que", "\u00e0 cause de"}
)
"""After these stands the cause."""
_FORWARD = re.compile(r"(?:caus|lead|led|result|bring|brought|trigger|g[ai]ve)")
_NOUN = re.compile(r"causes?(?=\s+of\b)")
_BY = re.compile(r"\s+(?:\w+\s+)?by\b")
_AFTER = frozenset({"after", "since", "once", "when"})
"""After these stands what came first; after any other word of order, what came next."""
_BREAKS = frozenset(
    "after before near in on at by with from since until when while during following beside under over into through against without "
    "that which who was were is are had has have did does came went".split()
)
"""Words that end the phrase a cue governs: what stands behind them is not what was named as the cause."""
_MOST_WORDS = 8
_DENIALS = frozenset({"not", "never", "hardly", "scarcely", "neither", "nor", "no", "cannot"})
_ADDITIONS = frozenset({"only", "merely", "just", "simply"})
"""After a denial these deny nothing: "not only because of"."""
_SUPPOSITIONS = frozenset("may might could would should can must if whether unless perhaps maybe possibly probably supposedly".split())
_ABBREVIATED = frozenset(
    "mr mrs ms dr st mt jr sr prof rev hon capt col gen lt sgt vs no nos vol pp fig etc jan feb mar apr jun jul aug sep sept oct nov dec".split()
)
_PRONOUN = re.compile(r"\b(?:it|this|that|these|those|he|she|they|i|we|his|her|its|their|my|our)\b")
_AUXILIARIES = 3
"""Words between a subject and its verb: "it had soon led to"."""
_WAYS = frozenset(
    "road street high-street avenue path pathway way lane passage corridor hall hallway step stair staircase stairway ladder door doorway gate gateway "
    "bridge alley track trail tunnel route walk highway gallery arch archway canal river stream valley line railway ramp porch court".split()
)
"""What leads to a place, and causes nothing there."""
_REACH = 4
"""Words before a cue among which its denial or supposition stands."""
_TITLE = re.compile(r"\b\w{1,3}\.")
"""A title or an initial with its stop."""
_END = re.compile(r"([.!?])[\"'\u201d\u2019)\]]*\s+")

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class CausalReading:
    """What a quote says of a cause."""

    cue: str
    """The words that join cause and effect; empty when none do."""
    modality: Modality = "asserted"
    """`negated` or `hypothetical` when the words around the cue say so."""


def says_cause(predicate: str, ontology: Ontology) -> bool:
    """Whether a predicate claims a cause, by the ontology or as a role."""
    known = ontology.predicates.get(predicate)
    return (known is not None and known.causal) or predicate in CAUSAL_ROLES or predicate == CAUSES


def read_cause(quote: str, head: str, tail: str, *, ontology: Ontology) -> CausalReading:
    """Whether one sentence of a quote joins the cause `head` to the effect `tail` by a causal cue, in this direction.

    An end that the quote does not hold word for word (an event told in other words) is left to who read it; one that stands on the
    wrong side of the cue, in another sentence, or behind another thing that the cue names, breaks the claim. For an end that was named
    in a sentence before, a pronoun stands.
    """
    sentences = list(_sentences(quote))
    for at, sentence in enumerate(sentences):
        heads, tails = _standing(sentences, at, head), _standing(sentences, at, tail)
        if heads is None or tails is None:
            continue
        for cue, start, end, backward in _cues(sentence, ontology.causal_cues):
            if cue.startswith(("lead", "led")) and _is_way(head):
                continue
            causes = heads if _places(sentence, head) else [place for place in heads if _beside(sentence, place, (start, end))]
            if (causes or not heads) and _joins(sentence, (start, end), causes, tails, backward=backward):
                return CausalReading(cue, _modality(sentence, start))
    return CausalReading("")


def read_order(quote: str, head: str, tail: str, *, ontology: Ontology) -> str:
    """The word by which one sentence of a quote puts `head` before `tail` in time; empty when none does."""
    for sentence in _sentences(quote):
        heads, tails = _places(sentence, head), _places(sentence, tail)
        for cue in ontology.order_cues:
            for match in re.finditer(rf"\b{re.escape(cue)}\b", sentence):
                if cue in _AFTER and _behind(heads, match.end()):
                    return cue
                if cue not in _AFTER and _ahead(heads, match.start()) and (not tails or _behind(tails, match.end())):
                    return cue
    return ""


def _sentences(quote: str) -> Iterator[str]:
    """Sentences of a quote, as keys; the stop of an abbreviation or an initial ends none."""
    begin = 0
    for match in _END.finditer(quote):
        word = re.split(r"\W", quote[begin : match.start()])[-1]
        if match.group(1) == "." and (word.casefold() in _ABBREVIATED or re.fullmatch(r"[A-Z]", word)):
            continue
        yield name_key(quote[begin : match.end()])
        begin = match.end()
    yield name_key(quote[begin:])


def _standing(sentences: Sequence[str], at: int, phrase: str) -> list[Place] | None:
    """Where a phrase, or a pronoun for it, stands in one of the sentences; empty when none of them holds it, None when only others do."""
    if here := _places(sentences[at], phrase):
        return here
    if any(_places(one, phrase) for one in sentences[:at]):
        return [match.span() for match in _PRONOUN.finditer(sentences[at])] or None
    return None if any(_places(one, phrase) for one in sentences[at:]) else []


def _is_way(phrase: str) -> bool:
    last = name_key(phrase).split()[-1:]
    return bool(_WAYS & {form for word in last for form in (word, word.removesuffix("s"))})


def _beside(sentence: str, pronoun: Place, cue: Place) -> bool:
    """Whether a pronoun stands right behind a cue, or as the subject right before it; elsewhere it may be anything's."""
    if pronoun[0] >= cue[1]:
        return not sentence[cue[1] : pronoun[0]].strip()
    between = sentence[pronoun[1] : cue[0]]
    return len(between.split()) <= _AUXILIARIES and re.fullmatch(r"[\w\s]*", between) is not None and " and " not in between


def _places(sentence: str, phrase: str) -> list[Place]:
    """Where a phrase stands; where it does not, where its last word does."""
    whole = name_key(phrase)
    for wanted in dict.fromkeys((whole, whole.split()[-1] if len(whole.split()) > 1 else whole)):
        found = [match.span() for match in re.finditer(rf"(?<!\w){re.escape(wanted)}(?!\w)", sentence)]
        if found:
            return found
    return []


def _cues(sentence: str, cues: Sequence[str]) -> Iterator[tuple[str, int, int, bool | None]]:
    """Cues of a sentence, longest first, with their place and whether the cause stands behind them (None: it cannot be told)."""
    for cue in cues:
        for match in re.finditer(rf"\b{re.escape(cue)}\b", sentence):
            by = _BY.match(sentence, match.end())
            if cue in _BACKWARD:
                yield cue, *match.span(), True
            elif _NOUN.match(sentence, match.start()) or not _FORWARD.match(cue):
                yield cue, *match.span(), None
            else:
                yield cue, match.start(), by.end() if by else match.end(), bool(by)


def _joins(sentence: str, cue: Place, heads: list[Place], tails: list[Place], *, backward: bool | None) -> bool:
    if backward is None:
        # "the cause of the fire was the lamp": what stands next behind the cue is the effect.
        first = min((place for place in (*heads, *tails) if place[0] >= cue[1]), default=None)
        return not heads or _ahead(heads, cue[0]) or first not in heads
    if not backward:
        return (not heads or _ahead(heads, cue[0])) and (not tails or _behind(tails, cue[1]))
    named = [place for place in heads if place[0] >= cue[1] and _governed(sentence[cue[1] : place[0]])]
    if heads:
        return bool(named) and (not tails or any(t[1] <= cue[0] or t[0] >= h[1] for h in named for t in tails))
    return not tails or _ahead(tails, cue[0]) or not any(_governed(sentence[cue[1] : t[0]]) for t in tails if t[0] >= cue[1])


def _governed(between: str) -> bool:
    """Whether what follows a stretch of words still belongs to the phrase, or the list of phrases, that a cue opens."""
    words = re.findall(r"\w+", between)
    marks = set(re.findall(r"[^\w\s'\"\u2018-\u201d\u00ab\u00bb-]", _TITLE.sub(" ", between)))
    listed = bool({"and", "or"} & set(words))
    return len(words) <= _MOST_WORDS and not _BREAKS & set(words) and (not marks or (listed and marks == {","}))


def _ahead(places: list[Place], limit: int) -> bool:
    return any(end <= limit for _, end in places)


def _behind(places: list[Place], limit: int) -> bool:
    return any(start >= limit for start, _ in places)


def _modality(sentence: str, cue: int) -> Modality:
    before = re.findall(r"\w+(?:['\u2019]\w+)?", sentence[:cue])[-_REACH:]
    if sentence.rstrip("\"'\u201d\u2019) ").endswith("?") or _SUPPOSITIONS & set(before):
        return "hypothetical"
    denied = [place for place, word in enumerate(before) if word in _DENIALS or re.search(r"n['\u2019]t$", word)]
    return "negated" if denied and not _ADDITIONS & set(before[denied[-1] + 1 :]) else "asserted"


def turned(ends: Iterable[tuple[tuple[str, str], tuple[str, str]]]) -> set[str]:
    """Entities that a merge makes causes of themselves, or puts into a circle of two although nobody stated one.

    Of each stated cause, the entities that its ends became, and the names that were stated.
    """
    stated: dict[tuple[str, str], set[tuple[str, str]]] = {}
    for (head, tail), names in ends:
        stated.setdefault((head, tail), set()).add(names)
    found: set[str] = set()
    for (head, tail), pairs in stated.items():
        opposite = stated.get((tail, head), set())
        if head == tail or (opposite and not any((effect, cause) in opposite for cause, effect in pairs)):
            found.update((head, tail))
    return found
