"""Ledgers that a chat model computes: the driver asks from a few threads, and each unit comes back by itself, so that a kill loses only calls in flight.

A worker first makes the unit as without a model: that gives what no model is asked for, and what stands where its reply cannot.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from pagerag_pipeline.models.embedder import load_tokenizer
from pagerag_pipeline.refresh.asked import ASKED
from pagerag_pipeline.refresh.asking_units import UNITS, Means, Unmade, profile_reading
from pagerag_pipeline.refresh.session import Session, Stopped
from pagerag_pipeline.schema.language import REPLY_KINDS, Failure, FailureKind, Reply, Request, Spent
from pagerag_pipeline.schema.protocols import LanguageModel, Tokenizer
from pagerag_pipeline.stores.asked import known_profile, spending_rows
from pagerag_pipeline.stores.rows import output_of
from pagerag_pipeline.stores.work import Batching, UnitResult

LOGGER = logging.getLogger(__name__)
Task = dict[str, Any]
BELOW = "below: "
"""What the error of a unit begins with that could not be asked for, since something it is made of is not there."""
_STOPS: tuple[FailureKind, ...] = ("ceiling", "canceled")
"""Calls that were not made: their units stay open."""


class CeilingReached(Stopped):
    """A refresh that may spend no more; what was finished is kept, and the message says how to go on."""


def batching(session: Session) -> Batching:
    """Small batches: what is ready waits while a worker makes the next ones."""
    knobs = session.settings.refresh
    return Batching(4 * session.settings.chat.concurrency, knobs.batch_characters, knobs.max_attempts)


def ask_batches(
    session: Session, name: str, batches: Iterator[list[Task]], *, function: str | None
) -> Iterator[tuple[list[Task], list[UnitResult]]]:
    """Pairs (a task, its result), each in a list of its own, in the order of completion. Raises CeilingReached after all that was under way came back.

    `function` makes units without a model; None where there is no such way.
    """
    asker = _Asker(session, name)
    made = session.mapper.map(function, batches) if function else ((tasks, [_nothing(task) for task in tasks]) for tasks in batches)
    for (task, _), result in asker.chat.each(asker.ask, asker.open_units(made)):
        if isinstance(result, Failure):
            asker.stopped = asker.stopped or result
        else:
            yield [task], [result]
    if asker.stopped is not None:
        raise CeilingReached(_stopped(session, name, asker.stopped))


class _Asker:
    """Asks for the units of one ledger."""

    def __init__(self, session: Session, name: str) -> None:
        chat = session.chat
        if chat is None:
            raise RuntimeError(f"{name} is to be asked for, but no server is set")
        self.stopped: Failure | None = None
        self._session = session
        self.chat = chat
        self._model = chat.model(ASKED[name].role)
        self._place = (session.run, name)
        self._means = Means(_OneAtATime(load_tokenizer(session.settings.embed)), session.settings, session.ontology)
        self._make: Callable[[Task, UnitResult, LanguageModel, Means], dict[str, list[tuple[Any, ...]]]] = UNITS[name]

    def open_units(self, made: Iterable[tuple[list[Task], list[UnitResult]]]) -> Iterator[tuple[Task, UnitResult]]:
        """Tasks with their units as they are without a model, until there is nothing more to spend."""
        for tasks, bases in made:
            for task, base in zip(tasks, bases, strict=True):
                if self.stopped is not None:
                    return
                yield self._with_known(task, base), base

    def _with_known(self, task: Task, base: UnitResult) -> Task:
        """A document's task with what a model said of the same excerpts before, empty where nothing; other tasks are keyed by all that they read."""
        if self._place[1] != "document_profiles" or base.error:
            return task
        reading = profile_reading(task, base, self._means.settings)
        return {**task, "reading": reading, "known": known_profile(self._session.tables, reading)}

    def ask(self, given: tuple[Task, UnitResult]) -> UnitResult | Failure:
        """What a unit comes to; a Failure when it was not asked for. Raises nothing."""
        task, base = given
        if base.error:
            # Made without a model it fails for want of what it stands on: that unit is to blame, and this one is asked for when that is there.
            return replace(base, error=f"{BELOW}{base.error}", attempts=0)
        begun = time.perf_counter()
        model = _Accounting(self._model, self._place[1], task["document"] or "")
        try:
            rows = self._make(task, base, model, self._means)
        except Unmade as unmade:
            return self._failed(task, unmade.failure, model)
        except Exception as error:
            LOGGER.warning("A unit of %s failed: %s: %s", self._place[1], type(error).__name__, error, exc_info=True)
            return UnitResult(task["key"], "", self._spent(task, model, kept=False), error=f"{type(error).__name__}: {error}")
        output = output_of(rows)
        seconds = base.seconds + time.perf_counter() - begun
        return UnitResult(task["key"], output, {**rows, **self._spent(task, model, kept=True)}, seconds)

    def _failed(self, task: Task, failure: Failure, model: "_Accounting") -> UnitResult | Failure:
        if failure.kind in _STOPS:
            return failure
        attempts = 1 if failure.kind in (*REPLY_KINDS, "too_long") else 0
        return UnitResult(task["key"], "", self._spent(task, model, kept=False), error=f"{failure.kind}: {failure.message}", attempts=attempts)

    def _spent(self, task: Task, model: "_Accounting", *, kept: bool) -> dict[str, list[tuple[Any, ...]]]:
        costs = [(prompt, model.name, spent) for prompt, spent in sorted(model.spent.items())]
        return {"spending": spending_rows(task["key"], (*self._place, task["document"] or ""), costs, kept=kept)}


class _Accounting:
    """A model that notes for whom it is asked, and what each prompt cost."""

    def __init__(self, model: LanguageModel, stage: str, document: str) -> None:
        self.name = model.name
        self.fingerprint = model.fingerprint
        self.fits = model.fits
        self.spent: dict[str, Spent] = {}
        self._model = model
        self._for = {"stage": stage, "document": document}

    def reply(self, request: Request) -> Reply | Failure:
        """The model's reply."""
        result = self._model.reply(replace(request, **self._for))  # type: ignore[arg-type]
        if result.spent.calls:
            self.spent[request.prompt] = self.spent.get(request.prompt, Spent()) + result.spent
        return result


class _OneAtATime:
    """A tokenizer that several threads may ask."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.fingerprint = tokenizer.fingerprint
        self._tokenizer = tokenizer
        self._lock = threading.Lock()

    def offsets(self, text: str) -> np.ndarray:
        """Character ranges of all tokens."""
        with self._lock:
            return self._tokenizer.offsets(text)


def _nothing(task: Task) -> UnitResult:
    return UnitResult(task["key"], "", {})


def _stopped(session: Session, name: str, failure: Failure) -> str:
    spent = session.chat.spending.total() if session.chat else Spent()
    done = f"This run made {spent.calls:,} calls of {spent.prompt_tokens + spent.completion_tokens:,} tokens ({spent.usd:.4f} dollars)"
    return f"Stopped in {name}: {failure.message} {done}. What was finished is kept: the same command goes on from there, with ceilings of its own."


