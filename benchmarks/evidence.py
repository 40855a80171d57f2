"""How often the evidence holds the gold answer word for word, within a budget of evidence tokens.

Compared as `pagerag evaluate` compares, which tells the same beside all other figures. Questions are asked in the scope of their own book.
`of_present` counts only questions whose answer stands in the book at all: the rest no evidence can hold.
"""

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
def text_of(path: Path) -> str:
    """The text of a file, normalized."""
    return normalized(path.read_text(encoding="utf-8"))


def main() -> None:
    parser = homes.arguments(__doc__ or "")
    parser.add_argument("data", choices=("bundled", *corpora.BOOK_SETS))
    parser.add_argument("--system", default="page")
    parser.add_argument("--budget", type=int, default=2400, help="most evidence tokens (default: 2400)")
    parser.add_argument("--sample", type=int, help="ask a fixed random sample of this many questions")
    given = parser.parse_args()
    asked = [one for one in corpora.questions(given.data) if one["answers"]]
    if given.sample and given.sample < len(asked):
        asked = random.Random(7).sample(asked, given.sample)
    home, folder = homes.ready_home(given.data, given.work), corpora.corpus(given.data, given.work)
    engine = QueryEngine(home)
    hits = present = tokens = 0
    for one in asked:
        names = one.get("doc_ids") or one["evidence"]
        outcome = engine.ask(Question(one["qid"], one["question"], tuple(names)), system=given.system, budget=given.budget)
        hits += holds([normalized(item.text) for item in outcome.evidence], one["answers"])
        present += holds([text_of(folder / name.partition("#")[0]) for name in names], one["answers"])
        tokens = max(tokens, outcome.usage.evidence_tokens)
    engine.close()
    shown = {"hit": hits / len(asked), "of_present": hits / max(present, 1), "present": present, "most_evidence_tokens": tokens}
    figures.show("evidence", data=given.data, n=len(asked), figures=shown)


if __name__ == "__main__":
    main()
