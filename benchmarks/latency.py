"""How long an answer takes: `pagerag ask` as a new process, and `QueryEngine.ask` on a warm engine."""

import subprocess
import sys
import time
from pathlib import Path

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


def main() -> None:
    parser = homes.arguments(__doc__ or "")
    parser.add_argument("data", choices=corpora.NAMES)
    parser.add_argument("--processes", type=int, default=5)
    parser.add_argument("--questions", type=int, default=100)
    given = parser.parse_args()
    home = homes.ready_home(given.data, given.work)
    asked = [Question(one["qid"], one["question"]) for one in corpora.questions(given.data)][: given.questions]
    started = [new_process(home, question.text) for question in asked[: given.processes]]
    engine = QueryEngine(home)
    engine.ask(asked[0])
    warm: list[float] = []
    for question in asked:
        begun = time.perf_counter()
        engine.ask(question)
        warm.append(time.perf_counter() - begun)
    engine.close()
    figures.show(
        "latency",
        data=given.data,
        n=len(asked),
        figures={
            "new_process_seconds": {"processes": len(started), **spread(started)},
            "warm_seconds": spread(warm),
        },
    )


if __name__ == "__main__":
    main()
