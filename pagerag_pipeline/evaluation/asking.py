"""One set asked in one variant: rows that are there are taken, the others asked for while the ceilings of the run allow it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from pagerag_pipeline.batch import asking_now
from pagerag_pipeline.evaluation.datasets import QuestionSet, Task
from pagerag_pipeline.evaluation.homes import EvaluatedHome, HomeTexts, check_generation, with_full_ids
from pagerag_pipeline.evaluation.judging.hearing import Overheard
from pagerag_pipeline.evaluation.measure import EVIDENCE_TOKENS, Variant, measured, shown
from pagerag_pipeline.evaluation.raw_graph import RAW_GRAPH, raw_home
from pagerag_pipeline.evaluation.results import Results, Row
from pagerag_pipeline.models.chat.opening import Chat
from pagerag_pipeline.models.ready import Models
from pagerag_pipeline.query import QueryEngine
from pagerag_pipeline.schema.ids import digest
from pagerag_pipeline.schema.protocols import Progress
from pagerag_pipeline.stores.opening import open_repository
from pagerag_pipeline.systems.ablations import ABLATIONS

_SCORING = ("asking.py", "datasets.py", "measure.py", "metrics.py", "raw_graph.py", "rows.py")
"""What a row depends on in this room."""

_Open = tuple[QueryEngine, HomeTexts, Callable[[Sequence[Task]], list[Task]]]


class Run:
    """One evaluation while it asks: where its rows go, and the chat models that all of its engines and its judge share with their one spending."""

    def __init__(self, results: Results, chat: Chat | None, told: Progress | None) -> None:
        self.results = results
        self.chat = chat
        self.told = told
        self.not_asked: dict[str, dict[str, int]] = {}
        """How many questions a ceiling left out, by set and variant."""

    @property
    def ceiling(self) -> str:
        """Which ceiling was reached, in words; empty while none was."""
        return self.chat.ceiling if self.chat else ""

    def left_out(self, asked: QuestionSet, variant: Variant, count: int) -> None:
        """Note questions that were not asked."""
        if count:
            self.not_asked.setdefault(asked.name, {})[variant.label] = count

    def stopped(self) -> dict[str, Any]:
        """What a report tells of a ceiling that was reached; empty when none was."""
        rows = sum(sum(counts.values()) for counts in self.not_asked.values())
        return {"stopped": {"why": self.ceiling, "rows": rows, "not_asked": self.not_asked}} if self.ceiling else {}

    def spent(self) -> dict[str, Any]:
        """What a report tells of the calls that this run made, by stage; empty without a chat model."""
        return {"spent": {stage: asdict(one) for stage, one in self.chat.spending.by("stage").items()}} if self.chat else {}


def ask_set(run: Run, asked: QuestionSet, variant: Variant, home: EvaluatedHome) -> list[tuple[Task, Row]]:
    """The tasks of a set with their rows in a variant, in order, without those that a ceiling left out; each row is kept as soon as it is there.

    The question that meets a ceiling has no row: what came of it is of a model that gave nothing. Raises GenerationMoved.
    """
    at = raw_home(home) if variant.ablation == RAW_GRAPH else home.folder
    conditions = asking_now(at, home.settings, system=variant.system).digest
    check_generation(home)
    keyed = [(task, _key(asked, task, variant, conditions)) for task in asked.tasks]
    lacking = [(task, key) for task, key in keyed if run.results.kept(key) is None]
    if lacking and not run.ceiling:
        _ask(run, lacking, (asked, variant, home), at)
    found = [(task, row) for task, key in keyed if (row := run.results.kept(key)) is not None]
    run.left_out(asked, variant, len(keyed) - len(found))
    return found


def _ask(run: Run, lacking: Sequence[tuple[Task, str]], about: tuple[QuestionSet, Variant, EvaluatedHome], at: Path) -> None:
    asked, variant, home = about
    results = run.results
    with _opened(at, home, variant, run.chat) as (engine, texts, resolve):
        tasks = resolve([task for task, _ in lacking])
        _warm(engine, variant, tasks[0], home)
        for done, (task, (_, key)) in enumerate(zip(tasks, lacking, strict=True)):
            if run.told:
                run.told(f"{asked.name} {variant.label}", done, len(tasks))
            heard = Overheard(engine)
            row = measured(heard, variant, task, texts)
            check_generation(home)
            if run.ceiling:
                return
            results.add({"key": key, "set": asked.name, **row, **({"contexts": heard.contexts} if results.with_contexts else {})})


def _warm(engine: QueryEngine, variant: Variant, task: Task, home: EvaluatedHome) -> None:
    """Load what is loaded at the first question, which is no part of what a question takes; no chat model is asked for it."""
    Models(home.settings).tagger.tag(["Ready?"], "en")
    question = shown(task.question)
    if home.settings.chat.on:
        engine.gather(question, system=variant.system, budget=EVIDENCE_TOKENS, plan=variant.plan)
    else:
        engine.ask(question, system=variant.system, plan=variant.plan)


@contextmanager
def _opened(at: Path, home: EvaluatedHome, variant: Variant, chat: Chat | None) -> Iterator[_Open]:
    """An engine for a variant, the texts of the home, and what gives tasks the full ids of their documents."""
    parts = {variant.ablation} & set(ABLATIONS)
    repository = open_repository(at, home.settings)
    try:
        with QueryEngine(at, home.settings, ablations=parts, chat=chat) as engine:
            yield engine, HomeTexts(repository), lambda tasks: with_full_ids(tasks, repository)
    finally:
        repository.close()


def _key(asked: QuestionSet, task: Task, variant: Variant, conditions: str) -> str:
    """Digest of all that a row depends on: the question, its gold, the variant, the generation, the settings and the code."""
    question, gold = task.question, task.gold
    return digest("result", asked.name, variant.label, conditions, repr(question), repr(gold), _scoring_digest())


@cache
def _scoring_digest() -> str:
    return digest("scoring", *(files("pagerag_pipeline.evaluation").joinpath(name).read_bytes() for name in _SCORING))
