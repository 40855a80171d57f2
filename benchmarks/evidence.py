"""How often the evidence holds the gold answer word for word, within a budget of evidence tokens.

Compared as `pagerag evaluate` compares, which tells the same beside all other figures. Questions are asked in the scope of their own book.
`of_present` counts only questions whose answer stands in the book at all: the rest no evidence can hold.
"""

import json
import random
from functools import cache
from pathlib import Path

import corpora
import figures
import homes

from pagerag_pipeline.evaluation.metrics import holds, normalized
from pagerag_pipeline.query import QueryEngine
from pagerag_pipeline.schema.asking import Question


@cache
def text_of(folder: Path, name: str) -> str:
    """The text of a document, normalized: of its file, or of its line in a file of many."""
    path = folder / name.partition("#")[0]
    return normalized(path.read_text(encoding="utf-8") if path.is_file() else lines_of(folder)[name])


@cache
def lines_of(folder: Path) -> dict[str, str]:
    """Texts by document id in the files of many documents."""
    rows = [json.loads(line) for path in sorted(folder.glob("*.jsonl")) for line in path.read_text(encoding="utf-8").splitlines()]
    return {row["doc_id"]: row["text"] for row in rows}


def main() -> None:
    parser = homes.arguments(__doc__ or "")
    parser.add_argument("data", choices=("bundled", *corpora.BOOK_SETS, *corpora.LONG_SETS))
    parser.add_argument("--system", default="page")
    parser.add_argument("--budget", type=int, default=2400, help="most evidence tokens (default: 2400)")
    parser.add_argument("--sample", type=int, help="ask a fixed random sample of this many questions")
    parser.add_argument("--documents", nargs="+", help="ask only questions of these documents")
    parser.add_argument("--home", type=Path, help="a built home to ask as it stands, without a refresh")
    given = parser.parse_args()
    asked = [one for one in corpora.questions_of(given.data, given.documents) if one["answers"]]
    if given.sample and given.sample < len(asked):
        asked = random.Random(7).sample(asked, given.sample)
    home, folder = given.home or homes.ready_home(given.data, given.work), corpora.corpus(given.data, given.work)
    engine = QueryEngine(home)
    hits = present = tokens = 0
    for one in asked:
        names = one.get("doc_ids") or one["evidence"]
        outcome = engine.ask(Question(one["qid"], one["question"], tuple(names)), system=given.system, budget=given.budget)
        hits += holds([normalized(item.text) for item in outcome.evidence], one["answers"])
        present += holds([text_of(folder, name) for name in names], one["answers"])
        tokens = max(tokens, outcome.usage.evidence_tokens)
    engine.close()
    shown = {"hit": hits / len(asked), "of_present": hits / max(present, 1), "present": present, "most_evidence_tokens": tokens}
    figures.show("evidence", data=given.data, n=len(asked), figures=shown)


if __name__ == "__main__":
    main()
