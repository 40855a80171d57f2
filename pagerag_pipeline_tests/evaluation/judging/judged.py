"""A judge over a stand-in that says what a test tells it, and the cases that are put to it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pagerag_pipeline.evaluation.judging.cases import Case
from pagerag_pipeline.evaluation.judging.judge import Judge
from pagerag_pipeline.evaluation.judging.memory import Verdicts
from pagerag_pipeline.models.chat.spending import Spending
from pagerag_pipeline.schema.language import Failure, Request
from pagerag_pipeline.settings_chat import ChatSettings
from pagerag_pipeline_tests.fakes import SayingModel

CASE = Case("own", "page", "1", "Who founded Tinworks?", True, ("Mara Quill",), "Mara Quill", ("Mara Quill founded Tinworks in 1901.",), "answered")


class _StandIn:
    """What a judge needs of a chat: its model, its spending, and each item in turn."""

    def __init__(self, model: SayingModel) -> None:
        self.spending = Spending(ChatSettings())
        self._model = model

    def model(self, role: str) -> SayingModel:
        assert role == "judge"
        return self._model

    def each(self, ask: Callable[[Any], Any], items: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
        for item in reversed(items):
            yield item, ask(item)


def judge_of(path: Path, say: dict[str, Any], *, room: int = 100_000) -> tuple[Judge, SayingModel]:
    """A judge with its memory in a folder, and the model behind it; `say` gives by prompt a reply, or a function of the request."""

    def said(request: Request) -> dict[str, Any] | Failure:
        given = say[request.prompt]
        told: dict[str, Any] | Failure = given(request) if callable(given) else given
        assert isinstance(told, Failure) or not list(request.faults(told))
        return told

    model = SayingModel(said, room=room)
    return Judge(_StandIn(model), Verdicts(path / "judged.jsonl")), model  # type: ignore[arg-type]


def case(**changes: Any) -> Case:
    """The case of Tinworks, changed."""
    return replace(CASE, **changes)
