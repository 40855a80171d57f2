"""What each step of a question takes on a warm engine, and the steps of retrieval together: all but reading and tagging the question and the gate.

Questions are asked in the scope of their own documents, a drawn sample of them; the first one, which opens what a generation keeps in memory, is told apart.
"""

import random
from pathlib import Path

import corpora
import figures
import homes

from pagerag_pipeline.query import QueryEngine
from pagerag_pipeline.schema.asking import Question

NOT_RETRIEVAL = ("read", "tag", "pool", "gate", "cite")


def main() -> None:
    parser = homes.arguments(__doc__ or "")
    parser.add_argument("data", choices=corpora.NAMES)
    parser.add_argument("--system", default="e2")
    parser.add_argument("--questions", type=int, default=50)
    parser.add_argument("--documents", nargs="+", help="ask only questions of these documents")
    parser.add_argument("--home", type=Path, help="a built home to ask as it stands, without a refresh")
    given = parser.parse_args()
    asked = corpora.questions_of(given.data, given.documents)
    asked = random.Random(7).sample(asked, min(given.questions, len(asked)))
    engine = QueryEngine(given.home or homes.ready_home(given.data, given.work))
    questions = [Question(one["qid"], one["question"], tuple(one["doc_ids"]) if one.get("doc_ids") else None) for one in asked]
    first = engine.ask(questions[0], system=given.system).usage.seconds
    steps = [engine.ask(one, system=given.system).usage.steps for one in questions]
    engine.close()
    retrieval = [1000 * sum(seconds for name, seconds in one.items() if name not in NOT_RETRIEVAL) for one in steps]
    names = dict.fromkeys(name for one in steps for name in one)
    shown = {
        "retrieval_ms": {"median": round(figures.quantile(retrieval, 0.5), 2), "p95": round(figures.quantile(retrieval, 0.95), 2)},
        "median_ms": {name: round(1000 * figures.quantile([one.get(name, 0.0) for one in steps], 0.5), 2) for name in names},
        "first_question_seconds": round(first, 2),
    }
    figures.show("steps", data=given.data, n=len(questions), figures=shown)


if __name__ == "__main__":
    main()
