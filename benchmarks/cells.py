"""Single cells of tables, asked of every system: the right cell, a refusal, or a wrong answer; and questions whose cell no table has.

A cell is right when the answer states the gold value as a whole word or number and is no longer than eleven words. Questions stand in
`data/cells.jsonl`; those marked as held out were written with the others and asked only once the reading of cells was settled.
"""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import figures
import homes

from pagerag_pipeline.query import SYSTEMS, QueryEngine
from pagerag_pipeline.schema.asking import Outcome

DATA = Path(__file__).resolve().parent.parent / "data"
MOST_WORDS = 11


def questions(corpus: str) -> list[dict[str, Any]]:
    """The questions over one corpus, `corpus` or `tables`."""
    rows = [json.loads(line) for line in (DATA / "cells.jsonl").read_text(encoding="utf-8").splitlines()]
    return [row for row in rows if row["corpus"] == corpus]


def outcome_kind(question: dict[str, Any], outcome: Outcome) -> str:
    """`right`, `wrong` or `refused`; of a question without a cell `refused` is right."""
    answer = outcome.answer
    if answer is None:
        return "refused"
    said = any(re.search(rf"(?<![\w.]){re.escape(gold)}(?!\w|\.\d)", answer) for gold in question["answers"])
    return "right" if said and len(answer.split()) <= MOST_WORDS else "wrong"


def measure(asked: list[dict[str, Any]], engine: QueryEngine, system: str) -> dict[str, Any]:
    """Counts of outcomes by part and whether there is a cell, and the questions that were answered wrongly."""
    found: Counter[str] = Counter()
    wrong: list[str] = []
    for question in asked:
        kind = outcome_kind(question, engine.ask(question["question"], system=system))
        found[f"{'held_out' if question['held_out'] else 'own'}_{'cell' if question['answerable'] else 'none'}_{kind}"] += 1
        wrong += [question["qid"]] if kind == "wrong" else []
    return {**dict(sorted(found.items())), "wrong": wrong}


def main() -> None:
    name, corpus, home = homes.of_this_repository(__doc__ or "")
    asked = questions(corpus)
    with QueryEngine(home) as engine:
        found = {system: measure(asked, engine, system) for system in SYSTEMS}
    figures.show("cells", data=name, n=len(asked), figures=found)


if __name__ == "__main__":
    main()
