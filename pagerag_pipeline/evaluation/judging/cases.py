"""What is judged: one question with what a system made of it and the gold beside it."""

from dataclasses import dataclass

from pagerag_pipeline.evaluation.datasets import Task
from pagerag_pipeline.evaluation.results import Row


@dataclass(frozen=True, slots=True)
class Case:
    """One question in one variant."""

    set: str
    variant: str
    qid: str
    question: str
    answerable: bool
    references: tuple[str, ...]
    answer: str
    """Empty unless it was answered, in whole or in part."""
    contexts: tuple[str, ...]
    """The evidence that was looked at, best first."""
    status: str


def case_of(task: Task, row: Row) -> Case:
    """The case that a row of the results and its task make."""
    answered = row["status"] in ("answered", "partial")
    return Case(
        row["set"], row["variant"], row["qid"], task.question.text, task.gold.answerable, task.gold.answers, (row["answer"] or "") if answered else "",
        tuple(row.get("contexts") or ()), row["status"],
    )  # fmt: skip
