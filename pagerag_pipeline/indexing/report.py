"""Community reports: who belongs together, by what, and the sentences that show it, word for word."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pagerag_pipeline import lexical
from pagerag_pipeline.indexing.rank import centrality, choose, term_matrix
from pagerag_pipeline.indexing.summarize import Budget, clipped
from pagerag_pipeline.schema.knowledge import Quote, Report
from pagerag_pipeline.schema.protocols import Tokenizer
from pagerag_pipeline.settings import SummarizeSettings

VERSION = "report/2"

_TITLE_NAMES = 3
_TITLE_TOKENS = 48
"""A title and a report of `summary_tokens` fit the embedder's window together."""
_TOPICS = 5
_TOPIC_CHARACTERS = 40
_BONDS = 8
"""Most edges that are told in words; they are not embedded."""


@dataclass(frozen=True, slots=True)
class MemberEvidence:
    """A member of a community with what speaks for it."""

    entity_id: str
    name: str
    weight: float
    """How much it matters among the members, e.g. the places that speak of it."""
    quotes: tuple[Quote, ...] = ()
    """Sentences that speak of it. One that speaks of several members stands with each of them; a few dozen a member are plenty."""


@dataclass(frozen=True, slots=True)
class Bond:
    """An edge between two members, by their names."""

    head: str
    predicate: str
    tail: str
    modality: str = "asserted"
    places: int = 1
    """Distinct spans that it stands on."""


@dataclass(frozen=True, slots=True)
class Binding:
    """What holds a community together: the edges between its members, and in how many places they stand in all, quoted or not."""

    bonds: tuple[Bond, ...] = ()
    places: int = 0


def report_community(
    members: Sequence[MemberEvidence], tokenizer: Tokenizer, settings: SummarizeSettings, *, binding: Binding = Binding()
) -> Report:
    """A title of names and the relation that binds them, quotes that speak of as many members as possible, topics, bonds, and what was left out.

    At most `report_quotes` quotes of `summary_tokens` tokens in all, in the order of choice, which is that of importance: each time the quote that
    speaks of most members not yet cited, then the most central (LexRank) and least repeating one. The result does not depend on
    the order of members. A member counts as uncited if none of its quotes was chosen, also for want of any.
    """
    ordered = sorted(members, key=lambda member: (-member.weight, member.name, member.entity_id))
    quotes, speaks = _evidence(ordered)
    chosen = _chosen(quotes, speaks, tokenizer, settings)
    cited = speaks[chosen].any(axis=0) if chosen else np.zeros(len(ordered), dtype=bool)
    kept = tuple(quotes[index] for index in chosen)
    if chosen and len(tokenizer.offsets(kept[0].text)) > settings.summary_tokens:
        kept = (clipped(kept[0], tokenizer, settings.summary_tokens),)
    text = " ".join(quote.text for quote in kept)
    return Report(
        title=_title(ordered, binding.bonds, tokenizer),
        text=text,
        topics=_topics(ordered, quotes),
        quotes=kept,
        uncited=int((~cited).sum()),
        bonds=_in_words(binding.bonds),
        edges=len(binding.bonds),
        evidence_left_out=max(binding.places, len(quotes)) - len(kept),
    )


def _in_words(bonds: Sequence[Bond]) -> tuple[str, ...]:
    """The bonds that stand in most places, as `Mara Quill founded Tinworks (3 places)`; one that is not asserted says so."""
    ranked = sorted(bonds, key=lambda bond: (-bond.places, bond.head, bond.predicate, bond.tail, bond.modality))
    return tuple(_bond_line(bond) for bond in ranked[:_BONDS])


def _bond_line(bond: Bond) -> str:
    marks = [bond.modality] * (bond.modality != "asserted") + [f"{bond.places} places"] * (bond.places > 1)
    return f"{bond.head} {_words(bond.predicate)} {bond.tail}" + (f" ({', '.join(marks)})" if marks else "")


def _words(predicate: str) -> str:
    return predicate.replace("_", " ")


def _evidence(members: Sequence[MemberEvidence]) -> tuple[list[Quote], np.ndarray]:
    """All distinct quotes that say anything, sorted, and which of them (rows) speak of which members (columns)."""
    quotes = {(q.content_id, q.start, q.end): q for member in members for q in member.quotes if q.text.strip()}
    keys = sorted(quotes)
    place = {key: index for index, key in enumerate(keys)}
    speaks = np.zeros((len(keys), len(members)), dtype=bool)
    for column, member in enumerate(members):
        for quote in member.quotes:
            row = place.get((quote.content_id, quote.start, quote.end))
            if row is not None:
                speaks[row, column] = True
    return [quotes[key] for key in keys], speaks


def _chosen(quotes: Sequence[Quote], speaks: np.ndarray, tokenizer: Tokenizer, settings: SummarizeSettings) -> list[int]:
    """Indices of the chosen quotes; a single one that is too long if no other fits."""
    if not quotes:
        return []
    matrix = term_matrix([lexical.content_terms(quote.text) for quote in quotes])
    values = centrality(matrix)
    budget = Budget(tokenizer, settings.summary_tokens)
    open_members = np.ones(speaks.shape[1], dtype=bool)
    taken: list[Quote] = []

    def fits(index: int) -> bool:
        if any(_overlap(quotes[index], one) for one in taken) or not budget.takes(quotes[index].text):
            return False
        taken.append(quotes[index])
        open_members[speaks[index]] = False
        return True

    def gain() -> np.ndarray:
        new: np.ndarray = (speaks & open_members).sum(axis=1)
        return new

    chosen = choose(values, matrix, fits=fits, gain=gain, most=settings.report_quotes)
    return chosen or [int(np.argmax(np.round(values + gain(), 9)))]


def _overlap(one: Quote, other: Quote) -> bool:
    return one.content_id == other.content_id and one.start < other.end and other.start < one.end


def _title(members: Sequence[MemberEvidence], bonds: Sequence[Bond], tokenizer: Tokenizer) -> str:
    """Names of the heaviest members, how many more there are, and the most frequent relation among them."""
    predicates = Counter(bond.predicate for bond in bonds)
    relation = _words(min(predicates, key=lambda one: (-predicates[one], one))) if predicates else ""
    for count in range(min(_TITLE_NAMES, len(members)), 0, -1):
        names = ", ".join(member.name for member in members[:count])
        more = f" and {len(members) - count} more" if len(members) > count else ""
        title = f"{names}{more}: {relation}" if relation else f"{names}{more}"
        if len(tokenizer.offsets(title)) <= _TITLE_TOKENS:
            return title
    return clipped(Quote("", 0, 0, members[0].name), tokenizer, _TITLE_TOKENS).text if members else ""


def _topics(members: Sequence[MemberEvidence], quotes: Sequence[Quote]) -> tuple[str, ...]:
    """The words that most quotes share, besides the members' own names, each in its most frequent form."""
    names = {term for member in members for term in lexical.terms(member.name)}
    forms: dict[str, Counter[str]] = {}
    spread: Counter[str] = Counter()
    for quote in quotes:
        words = [word for word in lexical.words(quote.text) if word not in lexical.STOP_WORDS and 1 < len(word) <= _TOPIC_CHARACTERS]
        for word in words:
            forms.setdefault(lexical.stem(word), Counter())[word] += 1
        spread.update({lexical.stem(word) for word in words})
    ranked = sorted((term for term in spread if term not in names and not term.isdigit()), key=lambda term: (-spread[term], term))
    return tuple(min(forms[term], key=lambda word: (-forms[term][word], word)) for term in ranked[:_TOPICS])
