"""How much of what is asked a text covers, by terms weighted with how rare they are."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from pagerag_pipeline.answering.asked import ASKING_WORDS, Asked
from pagerag_pipeline.answering.leaning import LEANED_SHARE
from pagerag_pipeline.answering.sentences import Sentence
from pagerag_pipeline.answering.statements import deed_asked
from pagerag_pipeline.answering.word_families import FAMILY, relatives
from pagerag_pipeline.schema.asking import TermStatistics

ASKING_SHARE = 0.3
"""Weight of a word that only shapes the question, against a word that says what it is about; chosen, and the estimate was fitted on it."""


@dataclass(frozen=True)
class Wanted:
    """One question's terms with their weights and all that can stand for them; without slots, so that what all sentences are held against is made once."""

    weights: Mapping[str, float]
    stand_ins: Mapping[str, Mapping[str, float]]
    unknown: frozenset[str]
    """Terms that neither occur in scope nor have a relative there."""
    absent: frozenset[str]
    """Terms that do not occur in scope, nor a derivation; a word of their family may."""
    deed: str = ""
    """The term of what is asked to have been done, which a sentence says itself or not at all; empty where none is."""

    @cached_property
    def total(self) -> float:
        """Sum of the weights; at least a hair, so that it divides."""
        return sum(self.weights.values()) or 1e-9

    @cached_property
    def _standing(self) -> dict[str, list[tuple[str, float]]]:
        """By what can stand for a term: the terms, with its share of each."""
        standing: dict[str, list[tuple[str, float]]] = {}
        for term, others in self.stand_ins.items():
            for other, share in others.items():
                standing.setdefault(other, []).append((term, share))
        return standing

    def covered_by(self, sentence: Sentence) -> dict[str, float]:
        """Share of each term that a sentence covers by its own words, or, of all but the deed, in part by those of a sentence that it leans on."""
        own = self.covered(sentence.terms)
        if not sentence.before:
            return own
        return merged([own, {term: LEANED_SHARE * share for term, share in self.covered(sentence.leaned).items() if term != self.deed}])

    def covered(self, found: Collection[str]) -> dict[str, float]:
        """Share of each term that a set of terms covers, terms that it does not touch left out."""
        best: dict[str, float] = {}
        for other in self._standing.keys() & found:
            for term, share in self._standing[other]:
                best[term] = max(best.get(term, 0.0), share)
        return {term: best[term] for term in self.stand_ins if term in best} if len(best) > 1 else best

    def share(self, shares: Mapping[str, float]) -> float:
        """Weighted share of all terms, 0..1, of what `covered` found."""
        return sum(self.weights[term] * share for term, share in shares.items()) / self.total


def search_terms(parts: Sequence[Asked]) -> list[str]:
    """All terms whose frequency must be known to weigh these questions."""
    return sorted({other for part in parts for term in part.terms for other in relatives(term)})


def weigh(asked: Asked, statistics: TermStatistics) -> Wanted:
    """The question's terms, weighted; a term that only its relatives stand for weighs as the commonest of them."""
    weights: dict[str, float] = {}
    stand_ins: dict[str, dict[str, float]] = {}
    unknown: set[str] = set()
    absent: set[str] = set()
    for term in asked.terms:
        known = {other: share for other, share in relatives(term).items() if other == term or other in statistics.counts}
        counted = max(known, key=lambda other: (other in statistics.counts, other == term, statistics.counts.get(other, 0), other))
        if counted not in statistics.counts:
            unknown.add(term)
        if not any(other in statistics.counts and share > FAMILY for other, share in known.items()):
            absent.add(term)
        weights[term] = statistics.weight(counted) * (ASKING_SHARE if term in ASKING_WORDS else 1.0)
        stand_ins[term] = known
    return Wanted(weights, stand_ins, frozenset(unknown), frozenset(absent), deed_asked(asked.text))


def merged(shares: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The best share of each term over several texts."""
    best: dict[str, float] = {}
    for one in shares:
        for term, share in one.items():
            best[term] = max(best.get(term, 0.0), share)
    return best
