"""Questions with options: the letter that a model is most likely to write next, where its server tells that (E2GraphRAG), else its structured answer.

The evidence is what a structured answer is given, and an option is the answer only where the evidence holds it: a letter alone is what a model believes.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pagerag_pipeline.answering.bearing import item_bears
from pagerag_pipeline.answering.gate import Decision
from pagerag_pipeline.answering.generative import Generated, answer_by_model, failed_reply, refused_answer, turns_told
from pagerag_pipeline.answering.options import distinct_options
from pagerag_pipeline.answering.sentences import evidence_sentences
from pagerag_pipeline.answering.shown import fence_evidence, fence_findings, fit_evidence
from pagerag_pipeline.answering.sufficiency import Grounds
from pagerag_pipeline.answering.support import YES_NO, Support, find_support
from pagerag_pipeline.lexical import content_terms, words
from pagerag_pipeline.prompts.load import fence_text, load_prompt
from pagerag_pipeline.schema.asking import Claim, Evidence, Question
from pagerag_pipeline.schema.language import Failure, Request
from pagerag_pipeline.schema.protocols import LanguageModel, Tagger
from pagerag_pipeline.settings_asking import AnswerSettings

LETTERS = tuple("ABCDEFGHIJKLMNOPQRST")
"""As many as the likeliest tokens that servers tell; the last one used means that the evidence does not say."""
UNSAID = "The evidence gives none of these as the answer."


@dataclass(frozen=True, slots=True)
class _Choice:
    """What was compared."""

    letters: tuple[str, ...]
    chances: dict[str, float]
    shown: tuple[Evidence, ...]


def choose_by_letter(
    question: Question, grounds: Grounds, before: Decision, *, model: LanguageModel, readers: tuple[Tagger, AnswerSettings]
) -> Generated:
    """The option whose letter is likeliest, cited by the evidence that holds it, or a refusal; the trace tells which way was gone and why."""
    options = distinct_options(question.options)
    if not 1 < len(options) < len(LETTERS):
        why = f"{len(options)} different options cannot be compared: there must be 2 to {len(LETTERS) - 1}"
        return _structured(question, grounds, before, (model, readers, why))
    letters = LETTERS[: len(options) + 1]

    def make(evidence: Sequence[Evidence]) -> Request:
        return _request(replace(question, options=options), evidence, grounds, letters)

    shown, request = fit_evidence(grounds.evidence, make, model)
    if not shown:
        return _structured(question, grounds, before, (model, readers, "no piece of evidence fits the model's window"))
    result = model.reply(request)
    if isinstance(result, Failure) and result.kind == "unsupported":
        made = _structured(question, grounds, before, (model, readers, result.message))
        return replace(made, spent=made.spent + result.spent)
    step: dict[str, Any] = {"step": "letters", "model": model.name, "way": "log probabilities", "options": dict(zip(letters, options, strict=False))}
    step |= {"shown": [item.label for item in shown], "left_out": len(grounds.evidence) - len(shown)}
    if isinstance(result, Failure):
        return failed_reply(question, result, shown, (before, readers[1], step))
    sentences = tuple(evidence_sentences(shown, readers[0], pool=grounds.pool))
    choice = _Choice(letters, result.value, shown)
    decision = _decided(replace(question, options=options), replace(grounds, evidence=shown, sentences=sentences), choice, (before, readers[1], step))
    return Generated(decision, shown, result.spent)


def _structured(
    question: Question, grounds: Grounds, before: Decision, means: tuple[LanguageModel, tuple[Tagger, AnswerSettings], str]
) -> Generated:
    """The structured answer, and why letters were not compared."""
    model, readers, why = means
    told = replace(before, trace=(*before.trace, {"step": "letters", "model": model.name, "way": "structured answer", "why": why}))
    return answer_by_model(question, grounds, told, model=model, readers=readers)


def _request(question: Question, evidence: Sequence[Evidence], grounds: Grounds, letters: tuple[str, ...]) -> Request:
    lines = [f"{letter}: {' '.join(option.split())}" for letter, option in zip(letters, (*question.options, UNSAID), strict=True)]
    request = load_prompt("choose").request(
        evidence=fence_evidence(evidence),
        findings=fence_findings(grounds.findings),
        question=fence_text(question.text),
        history=turns_told(question),
        options=fence_text("\n".join(lines)),
    )
    return replace(request, stage="answers", letters=letters)


def _decided(question: Question, grounds: Grounds, choice: _Choice, so_far: tuple[Decision, AnswerSettings, dict[str, Any]]) -> Decision:
    """The likeliest option, once the evidence is found that holds it; letters nobody was likely to write are behind all others, the first of equals wins."""
    before, settings, step = so_far
    ranked = sorted(choice.chances, key=lambda letter: (-choice.chances[letter], choice.letters.index(letter)))
    if not grounds.constrained:
        ranked = [letter for letter in ranked if letter != choice.letters[-1]]
    told = {**step, "log_probabilities": {letter: round(choice.chances[letter], 4) for letter in choice.letters if letter in choice.chances}}
    if not ranked or ranked[0] == choice.letters[-1]:
        return refused_answer("insufficient", (question.text,), before, settings, {**told, "chosen": None, "why": UNSAID})
    option = question.options[choice.letters.index(ranked[0])]
    found = _held(option, question, grounds, settings)
    told |= {"chosen": ranked[0], "overlap": round(found.overlap, 4)}
    if not found.sentences or (found.why and grounds.constrained):
        why = found.why or "no sentence of the evidence holds the option"
        return refused_answer("uncited", (question.text,), before, settings, {**told, "why": why})
    claim = Claim(option, tuple(dict.fromkeys(sentence.label for sentence in found.sentences)))
    confidence = round(settings.threshold + (1 - settings.threshold) * before.confidence, 4)
    return Decision("answered", option, (claim,), found.sentences, (), None, confidence, (*before.trace, told))


def _held(option: str, question: Question, grounds: Grounds, settings: AnswerSettings) -> Support:
    """How the evidence holds an option: by the one piece that says it, is about what is asked about, and has most of the question's words."""
    says_itself = [term for term in content_terms(option) if term not in YES_NO] or [word for word in words(option) if word.isdecimal()]
    if not says_itself and not set(words(option)) & YES_NO:
        return Support((), "the option has no word that a text could hold: it stands for another", 0.0)
    claim = option if says_itself else question.text
    asked = set(content_terms(question.text))
    best: tuple[bool, int, Support] | None = None
    for item in grounds.evidence:
        support = find_support(claim, question.text, [item], grounds.sentences, settings=(settings, grounds.strict))
        if support.sentences and not support.why and not item_bears(question, item):
            support = replace(support, why="what holds the option is not about what is asked")
        shared = len(asked & {term for sentence in grounds.sentences if sentence.label == item.label for term in sentence.terms | sentence.context})
        rank = (bool(support.sentences) and not support.why, shared)
        if best is None or rank > best[:2]:
            best = (*rank, support)
    return best[2] if best is not None else Support((), "there is no evidence", 0.0)

