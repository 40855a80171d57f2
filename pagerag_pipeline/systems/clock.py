"""Seconds by step of one question: the one place where steps are timed, so that a trace stays the same from run to run."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ParamSpec, TypeVar

_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class Clock:
    """What each step of a question took; a step that runs twice is counted together."""

    seconds: dict[str, float] = field(default_factory=dict)

    def run(self, step: str, function: Callable[_Given, _Result], *given: _Given.args, **named: _Given.kwargs) -> _Result:
        """The function's result, its time noted under the step's name, also when it raises."""
        begun = time.perf_counter()
        try:
            return function(*given, **named)
        finally:
            self.seconds[step] = self.seconds.get(step, 0.0) + time.perf_counter() - begun
