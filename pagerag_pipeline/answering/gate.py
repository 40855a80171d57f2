"""The answer-or-refuse gate: what is asked, judged on packed evidence, ends in an answer, a part of one, or a refusal with its reason."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from pagerag_pipeline.answering.asked import Asked
from pagerag_pipeline.answering.cells import WHOLLY, find_cell
from pagerag_pipeline.answering.conflicts import Conflict, find_conflict
from pagerag_pipeline.answering.coverage import Wanted, weigh
from pagerag_pipeline.answering.extractive import Extract, extract_cell, extract_sentences, extract_years
from pagerag_pipeline.answering.premise import find_denial
from pagerag_pipeline.answering.sentences import Sentence, evidence_sentences
from pagerag_pipeline.answering.sufficiency import Grounds, Verdict, judge, ruled_out
from pagerag_pipeline.answering.unsaid import find_gap
from pagerag_pipeline.answering.years import years_asked
from pagerag_pipeline.schema.asking import Claim, Reason, Status, TermStatistics
from pagerag_pipeline.schema.protocols import Embedder, Tagger
from pagerag_pipeline.settings_asking import AnswerSettings


@dataclass(frozen=True, slots=True)
class Decision:
    """What the gate decided, before its citations are checked against the sources."""

    status: Status
    answer: str | None
    claims: tuple[Claim, ...]
    cited: tuple[Sentence, ...]
    missing: tuple[str, ...]
    reason: Reason | None
    confidence: float
    trace: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Readers:
    """The models that read evidence: one that splits all of it into sentences, one that tags the chosen ones, and the embedder."""

    splitter: Tagger
    tagger: Tagger
    embedder: Embedder


_Judged = tuple[Asked, Extract | None, Verdict]
_Conflicts = Mapping[str, Conflict]
"""By the text of a part, the contradiction in its sources."""


def nothing_known(parts: Sequence[Asked], statistics: TermStatistics) -> bool:
    """Whether no term of the question occurs in scope, so that nothing found by likeness can bear on it."""
    for part in parts:
        wanted = weigh(part, statistics)
        about = part.distinctive or part.terms
        if not about or any(term not in wanted.absent for term in about):
            return False
    return True


def decide(parts: Sequence[Asked], grounds: Grounds, *, readers: Readers, settings: AnswerSettings) -> Decision:
    """The decision on a question's parts, by the strict gate where the grounds call for it."""
    sentences = evidence_sentences(grounds.evidence, readers.splitter, pool=(*grounds.pool, *grounds.rows))
    grounds = replace(grounds, sentences=tuple(sentences))
    beside = _rows_beside(grounds, readers.splitter)
    years = years_asked(parts[0].text) if len(parts) == 1 else None
    if years is not None and (extract := extract_years(years, sentences)) is not None:
        return _by_years(extract, settings.years_confidence)
    judged: list[_Judged] = []
    conflicts: dict[str, Conflict] = {}
    for part in parts:
        wanted = weigh(part, grounds.statistics)
        extract = extract_cell(part, wanted, sentences, beside) or extract_sentences(part, wanted, sentences, readers.tagger, settings=settings)
        verdict = judge(part, wanted, extract, grounds, settings=(settings, readers.embedder))
        if extract is not None and extract.sure and verdict.reason in (None, "insufficient"):
            sure = max(verdict.confidence, settings.cell_confidence)
            verdict = replace(verdict, confidence=sure, reason=None, why=f"the question names the row and the column of a cell; {verdict.why}")
        if grounds.constrained and extract is not None:
            against = _read_closely(part, wanted, extract, grounds, refused=verdict.reason is not None) or _told_beside(part, wanted, extract, beside)
            verdict = _ruled_out(verdict, against, settings) if against else verdict
        judged.append((part, extract, verdict))
        if extract is not None and verdict.reason is None:
            conflict = find_conflict(part, wanted, extract, sentences, tagger=readers.tagger)
            conflicts.update({part.text: conflict} if conflict else {})
    return _together(judged, conflicts)


def _rows_beside(grounds: Grounds, splitter: Tagger) -> list[Sentence]:
    """The rows of the pool as sentences of no evidence item: what a cell must not contradict."""
    rows = [item for item in grounds.pool if item.kind == "row"]
    return [replace(sentence, item=-1) for sentence in evidence_sentences(rows, splitter)] if rows else []


def beyond_scope(decision: Decision, parts: Sequence[Asked], how: str, settings: AnswerSettings) -> Decision:
    """The refusal of a question that asks beyond the boundary of everything in scope, whatever quotes look like an answer; `how` says in which way."""
    held = ruled_out(decision.confidence, settings)
    missing = tuple(f"{part.text}: it asks for something {how}" for part in parts)
    trace = (*decision.trace, {"step": "boundary", "why": f"it asks for something {how}"})
    return Decision("refused", None, (), (), missing, "beyond_scope", held, trace)


def _together(judged: Sequence[_Judged], conflicts: _Conflicts) -> Decision:
    """One decision on all parts; where sources contradict each other both values stand, and which of them holds is what is missing."""
    good = [(part, extract, verdict) for part, extract, verdict in judged if verdict.reason is None and extract is not None]
    trace = tuple({"step": "gate", "part": part.text, "type": part.kind, "why": v.why, "features": asdict(v.features)} for part, _, v in judged)
    confidence = min(verdict.confidence for _, _, verdict in (good or judged))
    missing = tuple(_missing(part, verdict) for part, _, verdict in judged if verdict.reason is not None)
    if not good:
        return Decision("refused", None, (), (), missing, judged[0][2].reason, confidence, trace)
    claims = tuple(claim for part, extract, _ in good for claim in _claims(extract, conflicts.get(part.text)))
    quoted = [s for part, extract, _ in good for s in (*extract.quoted, *(conflicts[part.text].sentences if part.text in conflicts else ()))]
    cited = {(s.label, s.span.document, s.span.start): s for s in quoted}
    answer = "; ".join(dict.fromkeys(_told(extract, conflicts.get(part.text)) for part, extract, _ in good))
    missing += tuple(f"{part}: {conflict.why}" for part, conflict in conflicts.items())
    status: Status = "partial" if missing else "answered"
    reasons = [verdict.reason for _, _, verdict in judged if verdict.reason is not None]
    reason: Reason | None = reasons[0] if reasons else "insufficient" if conflicts else None
    return Decision(status, answer, claims, tuple(cited.values()), missing, reason, confidence, trace)


def _claims(extract: Extract, conflict: Conflict | None) -> list[Claim]:
    if conflict is None:
        return [_claim(extract)]
    return [Claim(value, (sentence.label,)) for value, sentence in zip(conflict.values, conflict.sentences, strict=True)]


def _told(extract: Extract, conflict: Conflict | None) -> str:
    if conflict is None:
        return extract.answer
    return "; ".join(f"{value} ({sentence.label})" for value, sentence in zip(conflict.values, conflict.sentences, strict=True))


def _read_closely(part: Asked, wanted: Wanted, extract: Extract, grounds: Grounds, *, refused: bool) -> tuple[Reason, str] | None:
    """What speaks against an answer: a quote that denies what the question takes for granted, else what the quotes leave unsaid; None if nothing does."""
    denial = find_denial(part, wanted, grounds.sentences)
    if denial is not None:
        return "false_premise", denial.why
    gap = "" if refused else find_gap(part, wanted, extract, grounds.sentences, story=grounds.story)
    return ("insufficient", gap) if gap else None


def _told_beside(part: Asked, wanted: Wanted, extract: Extract, beside: Sequence[Sentence]) -> tuple[Reason, str] | None:
    """What speaks against a quote where a row that search found, and the evidence does not hold, names all that is asked and tells something else."""
    cell = find_cell(part, wanted, beside)
    if cell is None or not cell.sure or cell.naming < WHOLLY or cell.text.casefold() in extract.answer.casefold():
        return None
    return "insufficient", f"a row of {cell.sentence.span.document} tells it, and the evidence does not hold that row"


def _ruled_out(verdict: Verdict, against: tuple[Reason, str], settings: AnswerSettings) -> Verdict:
    """The verdict as a refusal, its estimate kept comparable as for every rule that refuses."""
    held = verdict.confidence if verdict.reason is not None else ruled_out(verdict.confidence, settings)
    return replace(verdict, confidence=held, reason=against[0], why=against[1])


def _missing(part: Asked, verdict: Verdict) -> str:
    return f"{part.text}: {verdict.why}"


def _claim(extract: Extract) -> Claim:
    return Claim(extract.answer, tuple(dict.fromkeys(sentence.label for sentence in extract.quoted)))


def _by_years(extract: Extract, confidence: float) -> Decision:
    """Both sides were found by name in quotes with a year, which is as strict as the strict gate."""
    trace = ({"step": "years", "why": "the difference of two dated quotes", "sentences": [s.text for s in extract.sentences]},)
    return Decision("answered", extract.answer, (_claim(extract),), extract.sentences, (), None, confidence, trace)

