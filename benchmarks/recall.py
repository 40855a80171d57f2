"""How well systems that rank find the gold documents: recall, all of them among the first 8, MRR, nDCG and MAP (`evaluation.metrics`).

Chunks are ranked; documents count once, at the place of their first chunk. Asked are the answerable questions that name gold documents, of the
whole set, with their earlier turns. `less` is the mean of a measure below the first system's, question by question, `questions_less` their number.
"""

import json
import time
from pathlib import Path
from typing import Any

import corpora
import figures
import homes

from pagerag_pipeline.evaluation.datasets import Selection, Task, read_set
from pagerag_pipeline.evaluation.metrics import ranking_values
from pagerag_pipeline.query import QueryEngine
from pagerag_pipeline.schema.asking import Question

CHUNKS = 40
SHOWN = ("recall@2", "recall@5", "recall@10", "all_gold@8", "mrr@10", "ndcg@10")
JUDGED = "ndcg@10"

_Values = dict[str, dict[str, float]]
"""By question the value of each measure."""


def asked_tasks(name: str) -> list[Task]:
    """Questions of a set asked of all its documents, with their gold documents."""
    place = corpora.ROOT / "data" / "questions.jsonl" if name == "bundled" else corpora.eval_folder() / name
    selection = Selection(questions=corpora.QUESTIONS.get(name, ""), pool=True)
    corpus = corpora.ROOT / "data" / "corpus" if name == "bundled" else None
    return [task for task in read_set(place, selection, corpus=corpus).tasks if task.gold.relevant]


def ranked_documents(engine: QueryEngine, question: Question, system: str) -> list[str]:
    """Documents in rank order, each once."""
    results = engine.retrieve(question, system=system, top=CHUNKS)
    return list(dict.fromkeys(corpora.document_name(result.document) for result in results))


def measure(engine: QueryEngine, tasks: list[Task], system: str) -> tuple[_Values, dict[str, list[str]], float]:
    """By question the measures and the ranking, and processor milliseconds a question (the first one, which warms up, asked before)."""
    ranked_documents(engine, tasks[0].question, system)
    begun = time.process_time()
    ranked = {task.question.qid: ranked_documents(engine, task.question, system) for task in tasks}
    spent = 1000 * (time.process_time() - begun) / len(tasks)
    return ranking_values(ranked, {task.question.qid: task.gold.relevant for task in tasks}), ranked, spent


def summary(values: _Values, first: _Values, spent: float) -> dict[str, Any]:
    """Means of the measures, and where they stand beside the first system's."""
    means = {name: round(sum(one[name] for one in values.values()) / len(values), 3) for name in SHOWN}
    losses = [first[qid][JUDGED] - values[qid][JUDGED] for qid in values]
    return {**means, "less": round(sum(losses) / len(losses), 4), "questions_less": sum(one > 1e-9 for one in losses), "processor_ms": round(spent, 1)}


def main() -> None:
    parser = homes.arguments(__doc__ or "")
    parser.add_argument("data", choices=("bundled", *corpora.PASSAGE_SETS, *corpora.POOLED_SETS))
    parser.add_argument("--systems", nargs="+", default=["passages", "page"])
    parser.add_argument("--limit", type=int, help="ask the first questions only")
    parser.add_argument("--home", type=Path, help="a built home to ask as it stands, without a refresh")
    parser.add_argument("--dump", type=Path, help="write what each system found for each question, a JSON object a line")
    given = parser.parse_args()
    tasks = asked_tasks(given.data)[: given.limit]
    engine = QueryEngine(given.home or homes.ready_home(given.data, given.work))
    shown: dict[str, dict[str, Any]] = {}
    lines: list[str] = []
    first: _Values = {}
    for system in given.systems:
        values, ranked, spent = measure(engine, tasks, system)
        first = first or values
        shown[system] = summary(values, first, spent)
        lines += [_line(task, system, ranked[task.question.qid], values[task.question.qid]) for task in tasks]
    engine.close()
    if given.dump:
        given.dump.write_text("\n".join(lines) + "\n", encoding="utf-8")
    figures.show("recall", data=given.data, n=len(tasks), figures=shown)


def _line(task: Task, system: str, ranked: list[str], values: dict[str, float]) -> str:
    """What a system found for one question, as JSON."""
    row = {"qid": task.question.qid, "question": task.question.text, "system": system, "gold": dict(task.gold.relevant), "ranked": ranked}
    return json.dumps({**row, **{name: round(value, 4) for name, value in values.items()}}, ensure_ascii=False)


if __name__ == "__main__":
    main()
