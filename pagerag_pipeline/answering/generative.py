"""Answers by a language model: the evidence that fits its window, one structured call, and a decision after every claim was held against what it cites."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pagerag_pipeline.answering.bearing import beside_the_point, untyped
from pagerag_pipeline.answering.gate import Decision
from pagerag_pipeline.answering.sentences import Sentence, evidence_sentences
from pagerag_pipeline.answering.shown import Finding, fence_evidence, fence_findings, fit_evidence
from pagerag_pipeline.answering.sufficiency import Grounds, ruled_out
from pagerag_pipeline.answering.support import YES_NO, Support, anchors_of, find_support, foreign_words
from pagerag_pipeline.lexical import content_terms, stem, words
from pagerag_pipeline.prompts.load import fence_text, load_prompt
from pagerag_pipeline.schema.asking import Claim, Evidence, Question, Reason
from pagerag_pipeline.schema.language import REPLY_KINDS, Failure, Request, Spent, plain_label
from pagerag_pipeline.schema.protocols import LanguageModel, Tagger
from pagerag_pipeline.settings_asking import AnswerSettings

_TURNS = 6
"""Latest turns of a conversation that a model is shown (chosen)."""
_HELD = 0.5
"""Share of an answer's new words that its claims must hold, else the claims stand in its place (chosen)."""


@dataclass(frozen=True, slots=True)
class Generated:
    """What came of asking a model."""

    decision: Decision | None
    """None when no reply came."""
    shown: tuple[Evidence, ...]
    """What the model was shown of the evidence."""
    spent: Spent
    error: str = ""


@dataclass(frozen=True, slots=True)
class _Checked:
    """One claim as it was made, with what became of it."""

    claim: Claim
    support: Support
    kept: bool


def answer_by_model(
    question: Question, grounds: Grounds, before: Decision, *, model: LanguageModel, readers: tuple[Tagger, AnswerSettings]
) -> Generated:
    """The model's answer after the checks of the gate; `before` is the gate's own decision, which gives the estimate."""
    splitter, settings = readers
    shown, request, unsaid = _packed(question, grounds, model)
    left = len(grounds.evidence) - len(shown)
    step: dict[str, Any] = {"step": "model", "model": model.name, "shown": [item.label for item in shown], "left_out": left}
    step |= {"findings": len(grounds.findings) - unsaid, "findings_left_out": unsaid} if grounds.findings else {}
    if not shown:
        told = {**step, "why": "no piece of evidence fits the model's window"}
        return Generated(refused_answer("ceiling", (question.text,), before, settings, told), (), Spent())
    result = model.reply(request)
    if isinstance(result, Failure):
        return failed_reply(question, result, shown, (before, settings, step))
    sentences = evidence_sentences(shown, splitter, pool=grounds.pool)
    told = {**step, "repaired": result.repaired}
    decision = _decided(question, result.value, replace(grounds, evidence=shown, sentences=tuple(sentences)), (before, settings, told))
    return Generated(decision, shown, result.spent)


def failed_reply(
    question: Question, failure: Failure, shown: tuple[Evidence, ...], so_far: tuple[Decision, AnswerSettings, dict[str, Any]]
) -> Generated:
    """What comes of a question whose model gave no usable reply: a refusal, or a fault where the way to the model is to blame."""
    before, settings, step = so_far
    reason = _reason_of(failure)
    told = {**step, "failure": failure.kind, "why": failure.message}
    decision = None if reason is None else refused_answer(reason, (question.text,), before, settings, told)
    return Generated(decision, shown, failure.spent, "" if decision else failure.message)


def _reason_of(failure: Failure) -> Reason | None:
    """The reason of a refusal that a failure ends in; None for a fault on the way to the model, which is no answer at all."""
    if failure.kind in REPLY_KINDS:
        return "malformed"
    return "ceiling" if failure.kind in ("ceiling", "too_long") else None


def _packed(question: Question, grounds: Grounds, model: LanguageModel) -> tuple[tuple[Evidence, ...], Request, int]:
    """The evidence that fits the model's window, the request with it, and how many findings were left out because nothing fits beside them."""

    def make(evidence: Sequence[Evidence], findings: Sequence[Finding] = grounds.findings) -> Request:
        return _request(question, evidence, findings)

    shown, request = fit_evidence(grounds.evidence, make, model)
    if shown or not grounds.findings:
        return shown, request, 0
    return *fit_evidence(grounds.evidence, lambda evidence: make(evidence, ()), model), len(grounds.findings)


def _request(question: Question, evidence: Sequence[Evidence], findings: Sequence[Finding]) -> Request:
    request = load_prompt("answer").request(
        evidence=fence_evidence(evidence),
        findings=fence_findings(findings),
        question=fence_text(question.text),
        history=turns_told(question),
        options=fence_text("\n".join(question.options)) if question.options else "none",
    )
    return replace(request, stage="answers", faults=_faults)


def turns_told(question: Question) -> str:
    """The latest turns before a question, as data."""
    turns = "\n".join(f"{turn.role}: {turn.text}" for turn in question.history[-_TURNS:])
    return fence_text(turns) if turns else "nothing"


def _faults(reply: dict[str, Any]) -> Iterable[str]:
    if reply["sufficient"] and not reply["claims"]:
        yield "sufficient is true, but claims is empty: state what the answer rests on, with labels"


def _decided(question: Question, reply: dict[str, Any], grounds: Grounds, so_far: tuple[Decision, AnswerSettings, dict[str, Any]]) -> Decision:
    """The decision on a reply that fits its schema."""
    before, settings, step = so_far
    missing = tuple(dict.fromkeys(_sayable(told, question, grounds) for told in reply["missing"]))
    if not reply["sufficient"]:
        return refused_answer("insufficient", missing or (question.text,), before, settings, step)
    checked = [_check(one, question, grounds, settings) for one in reply["claims"]]
    kept = [one for one in checked if one.kept]
    removed = [one for one in checked if not one.kept]
    told = {**step, "claims": [{"labels": list(one.claim.labels), "overlap": round(one.support.overlap, 4), "removed": one.support.why} for one in checked]}
    if not kept:
        return refused_answer("uncited", missing or (question.text,), before, settings, told)
    claims = tuple(one.claim for one in kept)
    cited = {(s.label, s.span.document, s.span.start): s for one in kept for s in one.support.sentences}
    off = beside_the_point(question, [claim.text for claim in claims], list(cited.values()), grounds.sentences) if grounds.constrained else ""
    if off:
        return refused_answer("insufficient", missing or (question.text,), before, settings, {**told, "beside_the_point": off})
    answer = _told(reply["answer"].strip(), question, claims, list(cited.values()), whole=not removed)
    lack = untyped(question, " ".join([answer, *(claim.text for claim in claims)])) if grounds.constrained else ""
    told |= {"untyped": lack} if lack else {}
    lacking = missing or ((question.text,) if removed or lack else ())
    confidence = round(settings.threshold + (1 - settings.threshold) * before.confidence, 4)
    status, reason = ("partial", "insufficient") if lacking else ("answered", None)
    return Decision(status, answer, claims, tuple(cited.values()), lacking, reason, confidence, (*before.trace, told))  # type: ignore[arg-type]


def _check(one: dict[str, Any], question: Question, grounds: Grounds, settings: AnswerSettings) -> _Checked:
    """A claim with the labels of the sentences that support it; labels that nobody gave are dropped."""
    labels = set(map(plain_label, one["labels"]))
    cited = [item for item in grounds.evidence if item.label in labels]
    if not cited:
        return _Checked(Claim(one["text"], ()), Support((), "it cites nothing that was shown", 0.0), kept=False)
    support = find_support(one["text"], question.text, cited, grounds.sentences, settings=(settings, grounds.strict))
    claim = Claim(one["text"], tuple(dict.fromkeys(sentence.label for sentence in support.sentences)))
    return _Checked(claim, support, kept=bool(support.sentences) and not (support.why and grounds.constrained))


def _told(answer: str, question: Question, claims: Sequence[Claim], cited: Sequence[Sentence], *, whole: bool) -> str:
    """The answer as the model gave it, where all its claims hold and hold it; else the claims that do."""
    stated = " ".join(claim.text for claim in claims)
    known = (stated, question.text, *(sentence.text for sentence in cited))
    option = next((one for one in question.options if one.casefold() == answer.casefold()), None)
    if whole and option is not None and not foreign_words(f"so {option}", known):
        return option
    have = {stem(word) for text in known for word in words(text)}
    new = [term for term in content_terms(answer) if term not in YES_NO]
    held = not new or sum(term in have for term in new) >= _HELD * len(new)
    return answer if answer and whole and held and not foreign_words(f"so {answer}", known) else stated


def _sayable(missing: str, question: Question, grounds: Grounds) -> str:
    """What a model says is missing; the question in its place where that names what neither question nor evidence has: it may be what it knows."""
    known = (question.text, *(item.text for item in grounds.evidence), *(item.context for item in grounds.evidence))
    return question.text if not missing.strip() or (anchors_of(missing) and foreign_words(missing, known)) else missing.strip()


def refused_answer(reason: Reason, missing: tuple[str, ...], before: Decision, settings: AnswerSettings, step: dict[str, Any]) -> Decision:
    """A refusal with the gate's estimate, on its side of the threshold and in its order."""
    return Decision("refused", None, (), (), missing, reason, ruled_out(before.confidence, settings), (*before.trace, step))
