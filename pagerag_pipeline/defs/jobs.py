"""What can be run: bring all products up to date, answer a file of questions, and compare systems with gold."""

import json
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dagster as dg
from pydantic import Field

from pagerag_pipeline.batch import answer_batch, asking_now
from pagerag_pipeline.defs.resources import QueryResource
from pagerag_pipeline.outcomes import outcome_json
from pagerag_pipeline.query import QueryEngine
from pagerag_pipeline.schema.asking import Question
from pagerag_pipeline.settings_file import load_settings
from pagerag_pipeline.stores.answers import Answers
from pagerag_pipeline.stores.layout import PRODUCTS
from pagerag_pipeline.stores.questions import read_questions

REFRESH_JOB = "refresh_corpus"

refresh_corpus = dg.define_asset_job(
    REFRESH_JOB,
    selection=dg.AssetSelection.assets(*PRODUCTS),
    description="Bring every product up to date with the corpus folder and publish the result. Only what changed is computed. A run that "
    "finds another refresh at work ends without doing anything, and says who holds the home (tag `pagerag/skipped`).",
    executor_def=dg.in_process_executor,
)

evaluate = dg.define_asset_job(
    "evaluate",
    selection=dg.AssetSelection.assets("evaluation_report"),
    description="Ask question sets with gold of the published generation and report how systems compare, as `pagerag evaluate --home` does.",
    executor_def=dg.in_process_executor,
)


class AnswerConfig(dg.Config):
    """Which questions, and where their answers go."""

    questions: str = Field(description="File of questions: JSON lines with `qid` and `question`, optionally `doc_ids`, `options`, `history`.")
    out: str = Field(default="", description="File for the answers, one JSON object a line. Empty: answers/<name>.jsonl in the home.")
    system: str = Field(default="page", description="The system that answers, as `--system` names it.")


@dg.op(description="Answer every question of a file; answers given before under the same conditions are taken again.")
def answer_file(context: dg.OpExecutionContext, config: AnswerConfig, query: QueryResource) -> dict[str, int]:
    """Answers in `answers.duckdb` and as JSON lines, in the order of the file; returns how many of each status."""
    source = Path(config.questions).expanduser()
    target = Path(config.out).expanduser() if config.out else query.folder / "answers" / f"{source.stem}.jsonl"
    with query.engine() as engine:
        counts = _write_answers(target, _answered(engine, query.folder, read_questions(source), system=config.system))
    context.add_output_metadata({"answers": dg.MetadataValue.path(target), **counts})
    context.log.info(f"{counts['questions']} questions: {', '.join(f'{n} {name}' for name, n in counts.items() if name != 'questions')}.")
    return counts


@dg.job(
    description="Answer a file of questions from the published generation: into `answers.duckdb` and a JSONL file. Started again after a "
    "stop, it asks only what has no answer yet.",
    executor_def=dg.in_process_executor,
)
def answer_questions() -> None:
    """Answer a file of questions."""
    answer_file()


def _answered(engine: QueryEngine, home: Path, questions: list[Question], *, system: str) -> Iterator[tuple[dict[str, Any], bool]]:
    settings = load_settings(home)

    def ask(question: Question) -> dict[str, Any]:
        return outcome_json(next(engine.ask_all([question], system=system)))

    asking = asking_now(home, settings, system=system)
    return answer_batch(questions, ask, answers=Answers(home, settings.store), asking=asking)


def _write_answers(target: Path, answered: Iterator[tuple[dict[str, Any], bool]]) -> dict[str, int]:
    target.parent.mkdir(parents=True, exist_ok=True)
    counts: Counter[str] = Counter(questions=0, taken_again=0)
    unfinished = target.with_name(f"{target.name}.{os.getpid()}.new")
    with unfinished.open("w", encoding="utf-8", newline="\n") as stream:
        for outcome, kept in answered:
            stream.write(json.dumps(outcome, ensure_ascii=False) + "\n")
            counts.update({"questions": 1, "taken_again": int(kept), outcome["status"]: 1})
    unfinished.replace(target)
    return dict(counts)
