"""How long an answer takes: `pagerag ask` as a new process, and `QueryEngine.ask` on a warm engine."""

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import corpora
import figures
import homes

from pagerag_pipeline.query import QueryEngine
from pagerag_pipeline.schema.asking import Question


def new_process(home: Path, question: str) -> float:
    """Seconds of one `pagerag ask` from start to exit."""
    command = [sys.executable, "-m", "pagerag_pipeline.cli", "ask", question, "--home", str(home), "--json"]
    begun = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - begun


def spread(seconds: list[float]) -> dict[str, float]:
    """Median, 95th percentile and the most."""
    return {"median": round(figures.quantile(seconds, 0.5), 3), "p95": round(figures.quantile(seconds, 0.95), 3), "most": round(max(seconds), 3)}


def warm_figures(engine: QueryEngine, asked: list[Question]) -> dict[str, Any]:
    """Seconds of each question on an engine that has answered two before, by the clock and by the processor, and by step with its share of all.

    The second question reads into memory what later ones look up by key; its seconds stand apart.
    """
    begun = time.perf_counter()
    engine.ask(asked[0])
    first, begun = time.perf_counter() - begun, time.perf_counter()
    engine.ask(asked[1 % len(asked)])
    second = time.perf_counter() - begun
    warm: list[float] = []
    processor: list[float] = []
    steps: dict[str, list[float]] = {}
    for question in asked:
        begun, spent = time.perf_counter(), time.process_time()
        outcome = engine.ask(question)
        warm.append(time.perf_counter() - begun)
        processor.append(time.process_time() - spent)
        for step, seconds in outcome.usage.steps.items():
            steps.setdefault(step, []).append(seconds)
    return {
        "first_seconds": round(first, 3),
        "second_seconds": round(second, 3),
        "warm_seconds": spread(warm),
        "warm_processor_seconds": spread(processor),
        "steps": {
            step: {"share": round(sum(taken) / sum(warm), 3), "questions": len(taken), **spread(taken)}
            for step, taken in sorted(steps.items(), key=lambda one: -sum(one[1]))
        },
    }


def main() -> None:
    parser = homes.arguments(__doc__ or "")
    parser.add_argument("data", choices=corpora.NAMES)
    parser.add_argument("--processes", type=int, default=5)
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--home", type=Path, help="a built home to ask as it stands, without a refresh")
    given = parser.parse_args()
    home = given.home or homes.ready_home(given.data, given.work)
    asked = [Question(one["qid"], one["question"]) for one in corpora.questions(given.data)][: given.questions]
    started = [new_process(home, question.text) for question in asked[: given.processes]]
    new = {"new_process_seconds": {"processes": len(started), **spread(started)}} if started else {}
    with QueryEngine(home) as engine:
        figures.show("latency", data=given.data, n=len(asked), figures={**new, "load": round(os.getloadavg()[0], 1), **warm_figures(engine, asked)})


if __name__ == "__main__":
    main()
