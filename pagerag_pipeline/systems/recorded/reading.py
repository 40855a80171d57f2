"""A question as it is read against the rows that an index holds: its plan, checked, by rules."""

from collections.abc import Sequence
from dataclasses import replace

from pagerag_pipeline.lexical import STOP_WORDS
from pagerag_pipeline.schema.asking import Question
from pagerag_pipeline.schema.knowledge import Token
from pagerag_pipeline.systems.gathering import Means
from pagerag_pipeline.systems.recorded.meanings import Meanings
from pagerag_pipeline.systems.recorded.plan import RecordPlan, faults, repaired
from pagerag_pipeline.systems.recorded.planner import plan_question
from pagerag_pipeline.systems.recorded.vocabulary import Kind


def plan_over_rows(question: Question, held: Sequence[Kind], meanings: Meanings, means: Means) -> RecordPlan | None:
    """The checked plan over all that matches; None for a question of single facts."""
    if not held or means.readers is None:
        return None
    plan = plan_question(question.text, _tokens(question.text, means), held, meanings.nearest)
    if plan is None:
        return None
    plan = repaired(plan)
    found = faults(plan)
    return replace(plan, missing=plan.missing or "; ".join(found)) if found else plan


def _tokens(text: str, means: Means) -> Sequence[Token]:
    """The tagged words of a question; where no tagger tells parts of speech, all but function words count as telling."""
    assert means.readers is not None
    tokens = means.readers.tagger.tag([text], "en")[0].tokens
    if any(token.head >= 0 for token in tokens):
        return tokens
    return [replace(token, pos="" if token.text.lower() in STOP_WORDS else "NOUN") for token in tokens]
