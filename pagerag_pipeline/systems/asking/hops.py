"""What a model does for a hop of a plan: says it anew from what was found (PankRAG, PK-13), and answers it from its own evidence."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from pagerag_pipeline.answering.sentences import evidence_sentences
from pagerag_pipeline.answering.shown import Finding, fence_evidence, fence_findings, fit_evidence
from pagerag_pipeline.answering.sufficiency import Grounds
from pagerag_pipeline.answering.support import find_support, foreign_words
from pagerag_pipeline.prompts.load import fence_text, load_prompt
from pagerag_pipeline.schema.asking import Evidence, Question
from pagerag_pipeline.schema.language import Failure, Request, plain_label
from pagerag_pipeline.systems.asking.models import STAGE, Asking, why_none
from pagerag_pipeline.systems.gathering import Means
from pagerag_pipeline.systems.planning.answers import answer_hop, readers_of
from pagerag_pipeline.systems.planning.execution import HopAnswer

Step = dict[str, Any]


def answered(text: str, grounds: Grounds, known: Sequence[Finding], means: Means) -> tuple[HopAnswer, tuple[Step, ...]]:
    """A hop's answer by a model where one is asked, else by what can be quoted, and the step that tells it.

    An answer is known where the text that it cites says it; one that is only the model's is a guess, and nothing rests on it.
    """
    asking = means.asking
    if asking is None or not asking.settings.hop_answers:
        return answer_hop(text, grounds, means), ()
    step: Step = {"step": "hop_answer", "model": asking.answer.name}

    def make(evidence: Sequence[Evidence]) -> Request:
        return _answer_request(text, evidence, known, asking)

    shown, request = fit_evidence(grounds.evidence, make, asking.answer)
    result = asking.answer.reply(request) if shown else Failure("too_long", "No piece of evidence fits the model's window.", 0)
    if isinstance(result, Failure):
        why = f"answered by what can be quoted: {asking.answer.name} gave no answer ({why_none(result)})"
        return answer_hop(text, grounds, means), ({**step, "fallback": why},)
    answer, told = _checked(result.value, text, replace(grounds, evidence=shown), means)
    return answer, ({**step, "shown": len(shown), "left_out": len(grounds.evidence) - len(shown), "repaired": result.repaired, **told},)


def rephrased(text: str, question: Question, known: Sequence[Finding], asking: Asking) -> tuple[str, Step]:
    """A hop's text said anew with what was found, and the step that tells it; the text itself where the model gives none, or brings in names of its own."""
    step: Step = {"step": "rephrase", "model": asking.plan.name, "from": text}
    request = load_prompt("rephrase").request(question=fence_text(question.text), findings=fence_findings(known), part=fence_text(text))
    result = asking.plan.reply(replace(request, stage=STAGE, faults=_part_faults))
    if isinstance(result, Failure):
        return text, {**step, "to": text, "fallback": f"kept as it was: {asking.plan.name} gave nothing ({why_none(result)})"}
    part = " ".join(result.value["part"].split())
    strangers = foreign_words(f"so {part}", (question.text, text, *(f"{asked} {answer}" for asked, answer in known)))
    if strangers:
        return text, {**step, "to": text, "why": f"kept as it was: nothing names {', '.join(strangers)}"}
    return part, {**step, "to": part}


def _answer_request(text: str, evidence: Sequence[Evidence], known: Sequence[Finding], asking: Asking) -> Request:
    most = asking.settings.hop_words
    request = load_prompt("hop").request(
        most_words=str(most), evidence=fence_evidence(evidence), findings=fence_findings(known), question=fence_text(text)
    )

    def faults(reply: dict[str, Any]) -> Iterable[str]:
        if (count := len(reply["answer"].split())) > most:
            yield f"answer has {count} words, at most {most} are asked for"
        if reply["known"] and not (reply["answer"].strip() and reply["labels"]):
            yield "known is true, but answer or labels is empty"

    return replace(request, stage=STAGE, faults=faults)


def _part_faults(reply: dict[str, Any]) -> Iterable[str]:
    if not reply["part"].strip():
        yield "part is empty: give the part back as it is where it cannot be said anew"


def _checked(reply: dict[str, Any], text: str, grounds: Grounds, means: Means) -> tuple[HopAnswer, Step]:
    """The answer as the cited text bears it out."""
    answer = " ".join(reply["answer"].split())
    if not reply["known"]:
        return HopAnswer(answer, known=False, confidence=None), {"known": False}
    labels = set(map(plain_label, reply["labels"]))
    cited = [item for item in grounds.evidence if item.label in labels]
    unknown = {"labels_dropped": sorted(labels - {item.label for item in cited})} if len(cited) < len(labels) else {}
    if not cited:
        return HopAnswer(answer, known=False, confidence=None), {"known": False, "why": "it cites nothing that was shown", **unknown}
    sentences = evidence_sentences(grounds.evidence, readers_of(means).splitter, pool=grounds.pool)
    support = find_support(answer, text, cited, sentences, settings=(means.answer, grounds.strict))
    chunks = tuple(dict.fromkeys(sentence.span.chunk_id for sentence in support.sentences))
    told = {"known": not support.why, "labels": [item.label for item in cited], "overlap": round(support.overlap, 4), **unknown}
    return HopAnswer(answer, not support.why, None, chunks), {**told, **({"why": support.why} if support.why else {})}
