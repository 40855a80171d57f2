"""Recall at 2, 5 and 10 documents of systems that rank: the share of a question's gold documents among the first k, averaged.

Chunks are ranked; documents count once, at the place of their first chunk. Questions without gold documents are left out.
"""

import corpora
import figures
import homes

from pagerag_pipeline.query import QueryEngine
from pagerag_pipeline.schema.asking import Question

CUTS = (2, 5, 10)
CHUNKS = 40


def ranked_documents(engine: QueryEngine, question: str, system: str) -> list[str]:
    """Documents in rank order, each once."""
    results = engine.retrieve(Question("", question), system=system, top=CHUNKS)
    return list(dict.fromkeys(corpora.document_name(result.document) for result in results))


def recalls(ranked: list[str], gold: set[str]) -> list[float]:
    """Share of the gold documents among the first k, for each k."""
    return [len(gold & set(ranked[:k])) / len(gold) for k in CUTS]


def main() -> None:
    parser = homes.arguments(__doc__ or "")
    parser.add_argument("data", choices=("bundled", *corpora.PASSAGE_SETS))
    parser.add_argument("--systems", nargs="+", default=["passages", "page"])
    parser.add_argument("--limit", type=int, help="ask the first questions only")
    given = parser.parse_args()
    asked = [one for one in corpora.questions(given.data) if one.get("evidence")][: given.limit]
    engine = QueryEngine(homes.ready_home(given.data, given.work))
    shown: dict[str, dict[str, float]] = {}
    for system in given.systems:
        rows = [recalls(ranked_documents(engine, one["question"], system), set(one["evidence"])) for one in asked]
        means = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
        shown[system] = {f"recall@{k}": round(mean, 3) for k, mean in zip(CUTS, means, strict=True)}
    engine.close()
    figures.show("recall", data=given.data, n=len(asked), figures=shown)


if __name__ == "__main__":
    main()
