"""Whether what a model claims stands in the sentences that it cites: a citation that exists is not yet one that supports."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from pagerag_pipeline.answering.sentences import Sentence
from pagerag_pipeline.answering.word_families import relatives
from pagerag_pipeline.lexical import STOP_WORDS, content_terms, stem, terms, words
from pagerag_pipeline.schema.asking import Evidence
from pagerag_pipeline.settings_asking import AnswerSettings

_CAPITAL = re.compile(r"(?<=[\w,;)'\u2019\"\u201d] )[A-Z\u00c0-\u00de][\w'\u2019-]*")
"""A capitalized word inside a sentence; the first one of a sentence is capitalized whatever it is."""
_NAME = re.compile(r"\b[A-Z\u00c0-\u00de][\w'\u2019-]*")
_NUMBER_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split()
)
YES_NO = frozenset({"yes", "no"})
_CONNECTIVES = YES_NO | frozenset(stem(word) for word in "however additionally moreover furthermore therefore thus hence indeed overall instead also".split())
"""Words that join sentences and state nothing."""
_ENGLISH = 0.1
_FEW = 8
"""Share of English function words from which a text counts as English, and words below which their absence tells nothing (chosen)."""


@dataclass(frozen=True, slots=True)
class Support:
    """The sentences that say a claim, at most as many as an answer quotes of one, and what speaks against it."""

    sentences: tuple[Sentence, ...]
    why: str
    """Empty when the claim is supported."""
    overlap: float
    """Share of the claim's content terms that the cited text holds."""


def find_support(
    claim: str, question: str, cited: Sequence[Evidence], sentences: Sequence[Sentence], *, settings: tuple[AnswerSettings, bool]
) -> Support:
    """How the cited items support a claim; `settings` with whether the strict gate holds.

    Every number, and in English every name inside it, must stand in the cited text or in the question; a number may also be the sum or difference
    of two that stand there, if the claim names them too. The cited text, titles above it included, must hold enough of the claim's content words,
    and as much of what is left of them without names, numbers and words of the question: who is named beside a statement does not say it. Under
    the strict gate the chosen sentences alone must. Where that fails because claim and text are in different languages, a name or number must
    stand in both that the question does not have.
    """
    knobs, strict = settings
    pool = [sentence for sentence in sentences if any(_overlaps(sentence, item) for item in cited)]
    if not pool:
        return Support((), "its labels lead to no sentence of the sources", 0.0)
    chosen = _chosen(claim, pool, knobs.most_sentences)
    read = (chosen or pool) if strict else pool
    text = " ".join([*(sentence.read for sentence in read), *(item.context for item in cited)])
    held = {*terms(text), *(term for sentence in read for term in sentence.context)}
    wanted = [term for term in dict.fromkeys(content_terms(claim)) if term not in _CONNECTIVES]
    overlap = _share(wanted, held)
    strangers = foreign_words(claim, (text, question))
    if strangers:
        return Support(tuple(chosen), f"the cited text does not say {', '.join(strangers)}", overlap)
    need = max(knobs.claim_overlap, knobs.strict_overlap) if strict else knobs.claim_overlap
    anchors = anchors_of(claim)
    names = {stem(word) for name in _NAME.findall(claim) for word in words(name)} & held
    said = {*terms(question), *map(stem, anchors), *names}
    rest = [term for term in wanted if term not in said]
    least = min(overlap, _share(rest, held) if rest else overlap)
    if chosen and least >= need:
        return Support(tuple(chosen), "", overlap)
    if is_english(claim) == is_english(text):
        return Support(tuple(chosen), f"the cited text holds {least:.2f} of its words, {need:.2f} is needed", overlap)
    shared = set(anchors) & set(words(text)) - set(words(question))
    return Support(tuple(chosen or pool[:1]), "" if shared else "its language is not that of the cited text, and they share no name or number", overlap)


def foreign_words(text: str, known: Iterable[str]) -> list[str]:
    """Numbers and, in English, names of a text that stand in none of the known texts, in order.

    A number is also known as the sum or difference of two known ones that the text names with it: any two of a page would make too many.
    """
    everything = " ".join(known)
    have = set(words(everything))
    stems = {stem(word) for word in have}
    numbers = {int(word) for word in have if word.isdecimal()} | {place for place, word in enumerate(_NUMBER_WORDS) if word in have}
    named = is_english(text)
    own = sorted(numbers & {int(word) for word in words(text) if word.isdecimal()})
    derived = {total for one, other in combinations(own, 2) for total in (one + other, other - one)}
    return [
        word
        for word in anchors_of(text)
        if (named or any(sign.isdigit() for sign in word))
        and word not in have and stem(word) not in stems and not (word.isdecimal() and int(word) in numbers | derived)
    ]


def anchors_of(text: str) -> list[str]:
    """Numbers and capitalized words inside sentences: what a paraphrase or a translation leaves as it is."""
    numbers = [word for word in words(text) if any(sign.isdigit() for sign in word)]
    names = [word for match in _CAPITAL.finditer(text) for word in words(match.group())]
    return [word for word in dict.fromkeys([*numbers, *names]) if word not in STOP_WORDS and word not in YES_NO]


def is_english(text: str) -> bool:
    """Whether a text has about as many English function words as English has; a few words in ASCII are taken for English."""
    every = words(text)
    few = len(every) < _FEW and text.isascii()
    return few or sum(word in STOP_WORDS for word in every) >= _ENGLISH * len(every)


def _chosen(claim: str, pool: Sequence[Sentence], most: int) -> list[Sentence]:
    """The sentences that together hold most of a claim's words: each adds at least one; ties go to the earlier one."""
    left = set(content_terms(claim))
    chosen: list[Sentence] = []
    while left and len(chosen) < most:
        gains = [(sum(_holds(sentence.terms, term) for term in left), -place) for place, sentence in enumerate(pool)]
        gain, place = max(gains)
        if not gain:
            break
        chosen.append(pool[-place])
        left = {term for term in left if not _holds(pool[-place].terms, term)}
    return chosen


def _share(wanted: Sequence[str], held: Collection[str]) -> float:
    return sum(_holds(held, term) for term in wanted) / len(wanted) if wanted else 0.0


def _holds(held: Collection[str], term: str) -> bool:
    return term in held or any(other in held for other in relatives(term))


def _overlaps(sentence: Sentence, item: Evidence) -> bool:
    own = sentence.span
    return any(own.document == span.document and own.start < span.end and span.start < own.end for span in item.spans)
