"""Extractive answers: the quoted sentences that cover what is asked, and the shortest span in them that answers."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pagerag_pipeline.answering.asked import WHOLE_SENTENCE, Asked
from pagerag_pipeline.answering.candidates import has_type
from pagerag_pipeline.answering.cells import find_cell, may_answer
from pagerag_pipeline.answering.coverage import Wanted, merged
from pagerag_pipeline.answering.inventory import Inventory, asks_several, counted_items, take_inventory
from pagerag_pipeline.answering.latest import asks_latest, date_of, find_latest, told_before
from pagerag_pipeline.answering.longer_names import without_longer_names
from pagerag_pipeline.answering.pairs import asked_pair, names_one
from pagerag_pipeline.answering.sentences import Sentence, in_passage_of
from pagerag_pipeline.answering.spans import Typed, is_vague, short_answer, tells, typed_spans
from pagerag_pipeline.answering.standing import NOW
from pagerag_pipeline.answering.subjects import without_other_subjects
from pagerag_pipeline.answering.years import YearsAsked, other_year, place_of, year_near, years_of_both
from pagerag_pipeline.lexical import content_terms, terms
from pagerag_pipeline.schema.protocols import Tagger
from pagerag_pipeline.settings_asking import AnswerSettings

_WORD = re.compile(r"\w+")
FURTHER = 2
"""Sentences that are read where those that cover most do not say the relation; chosen: each takes some milliseconds of tagging."""
MUST_BE_TYPED = ("time", "number", "money", "color")
"""Answer types that a text either holds or does not: without a span of the type there is no answer."""


@dataclass(frozen=True, slots=True)
class Extract:
    """What was found for one question: the sentences, the answer in their words, and how well they cover the question."""

    sentences: tuple[Sentence, ...]
    answer: str
    typed: bool
    """Whether the answer is a span of the type asked for."""
    coverage: float
    """Weighted share of the question's terms that the sentences cover together."""
    chief_covered: float
    """Share of the relation asked for that the first sentence covers."""
    overlap: float
    """Weighted share of the question's terms that one of the sentences covers alone, with the title and section path it stands under."""
    beside: tuple[Sentence, ...] = ()
    """Further sentences that the answer quotes, which the estimate does not look at."""
    sure: bool = False
    """Whether it is a cell whose row and column the question names, and nothing that the table does not say."""
    guess: str = ""
    """The best span of the type asked for where none may stand alone, so that the answer is whole sentences."""

    @property
    def quoted(self) -> tuple[Sentence, ...]:
        """All sentences that the answer stands on, each once."""
        return tuple(dict.fromkeys((*self.sentences, *self.beside)))


def extract_answer(
    asked: Asked, wanted: Wanted, sentences: Sequence[Sentence], tagger: Tagger, *, settings: AnswerSettings
) -> Extract | None:
    """The quoted answer to one question, or None when no sentence touches it."""
    return extract_cell(asked, wanted, sentences, ()) or extract_sentences(asked, wanted, sentences, tagger, settings=settings)


def extract_cell(asked: Asked, wanted: Wanted, sentences: Sequence[Sentence], beside: Sequence[Sentence]) -> Extract | None:
    """The cell that answers, or None; rows beside the evidence may only speak against one.

    A cell of the asked column is of the type asked for, whatever it looks like, and its heading is the relation.
    """
    cell = find_cell(asked, wanted, sentences, beside)
    if cell is None:
        return None
    overlap = wanted.share(wanted.covered(cell.terms | cell.sentence.context))
    return Extract((cell.sentence,), cell.text, True, wanted.share(wanted.covered(cell.terms)), 1.0, overlap, sure=cell.sure)


def extract_sentences(
    asked: Asked, wanted: Wanted, sentences: Sequence[Sentence], tagger: Tagger, *, settings: AnswerSettings
) -> Extract | None:
    """The answer in the words of sentences, or None when none touches the question."""
    pair = asked_pair(asked.text)
    able = [s for s in sentences if may_answer(asked, wanted, s) and names_one(pair, s.terms | s.context)]
    able = without_other_subjects(asked, wanted, without_longer_names(asked, wanted, able))
    chosen = choose_sentences(asked, wanted, able, settings=settings)
    if not any(tells(asked, one, sentences) for one in chosen):
        chosen = choose_sentences(asked, wanted, [one for one in able if tells(asked, one, sentences)], settings=settings)
    if not chosen:
        return None
    overlap = max(wanted.share(wanted.covered(sentence.in_context)) for sentence in chosen)
    shares = [wanted.covered_by(sentence) for sentence in chosen]
    if asked.kind == "theme":
        everything = {term for sentence in sentences for term in sentence.terms | sentence.context}
        return Extract(tuple(chosen), " ".join(s.text for s in chosen), True, wanted.share(wanted.covered(everything)), 1.0, overlap)
    coverage = wanted.share(merged(shares))
    chief = shares[0].get(asked.chief, 0.0) if asked.chief else 1.0
    told = _several(asked, wanted, chosen, sentences, tagger)
    if told is not None and not is_vague(told.text):
        return Extract(tuple(chosen), told.text, True, coverage, chief, overlap, told.sentences)
    newest = find_latest(asked, wanted, chosen, sentences)
    read = chosen if newest is None else [newest]
    enough = settings.enough_share if asked.kind in MUST_BE_TYPED else 0.0
    spans = typed_spans(asked, wanted, read, tagger, enough=enough)
    elsewhere = further(asked, wanted, read, sentences) if spans else []
    standing = _standing(asked, spans, sentences) or _standing(asked, typed_spans(asked, wanted, elsewhere, tagger, enough=0.0), sentences)
    if standing is not None and not is_vague(standing.text):
        counted = counted_items(asked, read, standing.text)
        told_span = f"{standing.text}: {counted.text}" if counted else standing.text
        return Extract(tuple(chosen), told_span, True, coverage, chief, overlap, tuple(dict.fromkeys((*read, standing.sentence))))
    answer, beside = short_answer(asked, wanted, elsewhere or read, sentences)
    guess = spans[0].text if spans else ""
    return Extract(tuple(chosen), answer, bool(spans) or asked.kind in WHOLE_SENTENCE, coverage, chief, overlap, beside, guess=guess)


def _several(
    asked: Asked, wanted: Wanted, chosen: Sequence[Sentence], sentences: Sequence[Sentence], tagger: Tagger
) -> Inventory | None:
    """The inventory of a question for several things, or None."""
    return take_inventory(asked, wanted, chosen, sentences, tagger) if asks_several(asked.text) else None


def _standing(asked: Asked, spans: Sequence[Typed], sentences: Sequence[Sentence]) -> Typed | None:
    return next((span for span in spans if span.stands and not told_before(asked.text, span.sentence, sentences)), None)


def further(asked: Asked, wanted: Wanted, read: Sequence[Sentence], sentences: Sequence[Sentence]) -> list[Sentence]:
    """Sentences that say the relation asked for, at most `FURTHER`, where those that are read do not, or tell of an earlier time than is asked about.

    The source dated last comes first where that is asked, else the sentence that covers most; ties go by place.
    """
    named = {term for name in asked.names for term in content_terms(name)}
    relation = next((term for term in (asked.chief, *asked.distinctive) if term and term not in named and term not in NOW), "")
    if not relation or any(relation in wanted.covered(one.terms) and not told_before(asked.text, one, sentences) for one in read):
        return []
    dated = asks_latest(asked.text)
    ranked: list[tuple[tuple[int, ...], float, str, int, Sentence]] = []
    for sentence in sentences:
        shares = wanted.covered(sentence.terms)
        if sentence.whole and relation in shares and has_type(sentence.text, asked) and not told_before(asked.text, sentence, sentences):
            when = tuple(-part for part in (date_of(sentence, sentences) if dated else None) or (0, 0, 0))
            ranked.append((when, -round(wanted.share(shares), 6), sentence.span.document, sentence.span.start, sentence))
    return [one[4] for one in sorted(ranked, key=lambda one: one[:4])[:FURTHER]]


def choose_sentences(asked: Asked, wanted: Wanted, sentences: Sequence[Sentence], *, settings: AnswerSettings) -> list[Sentence]:
    """At most `most_sentences`: the one that covers the question best, then those that add to it. Ties go to the better evidence, then by place."""
    if asked.kind == "theme" and not asked.distinctive:
        return _thematic(sentences, settings.most_sentences)
    shares = {id(sentence): wanted.covered_by(sentence) for sentence in sentences}
    around = _surroundings(wanted, sentences, settings.lent_share)
    order = sorted(sentences, key=lambda s: (-_merit(asked, wanted, s, shares[id(s)], around[s.item]), s.span.document, s.span.start))
    chosen: list[Sentence] = []
    have: Mapping[str, float] = {}
    share = 0.0
    for sentence in order:
        more = merged([have, shares[id(sentence)]])
        gain = wanted.share(more) - share
        if gain >= settings.least_gain or (not chosen and gain > 0):
            chosen.append(sentence)
            have, share = more, wanted.share(more)
        if len(chosen) == settings.most_sentences or share > 0.999:
            break
    return _connected([*chosen, *order], sentences, settings.most_sentences) if chosen and asked.kind == "theme" else chosen


def extract_years(asked: YearsAsked, sentences: Sequence[Sentence]) -> Extract | None:
    """The difference of two dated quotes, each the sentence that names one side beside a year; None unless both sides have one, in the order asked by."""
    first = _dated(asked.first, sentences)
    second = None
    if first is not None:
        second = _dated(asked.second, sentences) if asked.second else _dated_alike(asked.first, first[0], sentences)
    if first is None or second is None:
        return None
    years = first[1], second[1]
    if first[0] is second[0] and asked.second:
        years = years_of_both(first[0].text, asked.first, asked.second) or years
    if asked.order * (years[1] - years[0]) < 0:
        return None
    difference = max(years) - min(years)
    quoted = (first[0],) if first[0] is second[0] else (first[0], second[0])
    answer = f"{difference} year{'' if difference == 1 else 's'} ({min(years)} to {max(years)})"
    return Extract(quoted, answer, True, 1.0, 1.0, 1.0)


def _dated_alike(side: str, known: Sentence, sentences: Sequence[Sentence]) -> tuple[Sentence, int] | None:
    """What the same document says alike of something else, with its year: in the known sentence, or in the one other; None when there are several."""
    beside = other_year(known.text, side)
    if beside is not None:
        return known, beside
    shared = known.terms - set(terms(side)) - {term for term in known.terms if term.isdigit()}
    alike = []
    for sentence in sentences:
        if sentence is not known and sentence.span.document == known.span.document and shared <= sentence.terms:
            year = year_near(sentence.text, 0)
            if year is not None:
                alike.append((sentence, year[0]))
    return alike[0] if len(alike) == 1 else None


def _merit(asked: Asked, wanted: Wanted, sentence: Sentence, shares: Mapping[str, float], around: Mapping[str, float]) -> float:
    """How well a sentence answers alone: coverage + 0.4 for the relation + 0.25 for the type + 0.2 for a whole sentence + 0.1 x its item's score.

    A term that only its surroundings hold counts in part: what a section is about its sentences seldom repeat, and a heading that
    repeats it says nothing. The relation it must say itself. The weights are chosen, not fitted.
    """
    if not shares:
        return 0.0
    lent = {term: max(shares.get(term, 0.0), around.get(term, 0.0)) for term in wanted.weights}
    chief = 0.4 * (wanted.covered(sentence.terms) if sentence.before else shares).get(asked.chief, 0.0)
    typed = 0.25 if has_type(sentence.text, asked) else 0.0
    whole = 0.2 if sentence.whole else 0.0
    return round(wanted.share(lent) + chief + typed + whole + 0.1 * sentence.score, 6)


def _surroundings(wanted: Wanted, sentences: Sequence[Sentence], lent: float) -> dict[int, dict[str, float]]:
    """What each evidence item, with its context, lends to its sentences: a pronoun's name is often a sentence away, or in the title."""
    found: dict[int, set[str]] = {}
    for sentence in sentences:
        found.setdefault(sentence.item, set(sentence.context)).update(sentence.terms)
    return {item: {term: lent * share for term, share in wanted.covered(own).items()} for item, own in found.items()}


def _thematic(sentences: Sequence[Sentence], most: int) -> list[Sentence]:
    synthetic = [sentence for sentence in sentences if sentence.kind in ("report", "summary")] or list(sentences)
    best = sorted(synthetic, key=lambda s: (-s.score, s.span.document, s.span.start))
    return best[:most]


def _connected(ranked: Sequence[Sentence], sentences: Sequence[Sentence], most: int) -> list[Sentence]:
    """A theme in a passage's own train of thought: the best whole sentence, those that follow it in its item, then the next best ones."""
    whole = [sentence for sentence in ranked if sentence.whole] or list(ranked)
    best = whole[0]
    after = [s for s in in_passage_of(best, sentences) if s.whole and s.span.start > best.span.start]
    return list(dict.fromkeys([best, *after, *whole]))[:most]


def _dated(side: str, sentences: Sequence[Sentence]) -> tuple[Sentence, int] | None:
    wanted = set(content_terms(side)) or set(side.split())
    best: tuple[float, Sentence, int] | None = None
    for sentence in sentences:
        known = sentence.terms | set(_WORD.findall(sentence.text))
        share = len(wanted & known) / len(wanted)
        if share < 0.5:
            continue
        year = year_near(sentence.text, place_of(side, sentence.text))
        if year is not None and (best is None or share > best[0]):
            best = (share, sentence, year[0])
    return None if best is None else (best[1], best[2])
