"""Exactness of counts, lists, comparisons and extremes over the bundled corpus and over tables of our own, and what such questions cost.

The rule, the same for every system. A count is exact when the answer states one number, in digits or as a word, and it is the gold one. A
list, comparison or extreme is exact when the answer names every gold item and no other item of the same table. A question without an answer
is met by a refusal. What is answered in part counts as the answer that it gives.
"""

import csv
import html
import json
import re
import time
from pathlib import Path
from typing import Any

import figures
import homes

from pagerag_pipeline.query import QueryEngine
from pagerag_pipeline.schema.asking import Outcome

DATA = Path(__file__).resolve().parent.parent / "data"
SYSTEMS = ("ensi", "page", "passages", "e2", "pank")
_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()
_NUMBER = re.compile(rf"(?<![\w.])(?:\d[\d,]*(?:\.\d+)?|{'|'.join(_WORDS)})(?![\w])", re.IGNORECASE)


def questions(corpus: str) -> list[dict[str, Any]]:
    """The questions over one corpus, `corpus` or `tables`."""
    rows = [json.loads(line) for line in (DATA / "aggregation.jsonl").read_text(encoding="utf-8").splitlines()]
    return [row for row in rows if row["corpus"] == corpus]


def items(path: Path) -> set[str]:
    """What the first column of a file's tables names; nothing for prose."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".csv":
        return {row[0] for row in csv.reader(text.splitlines()[1:])}
    if path.suffix == ".html":
        return {html.unescape(cell.strip()) for cell in re.findall(r"<tr>\s*<td>(.*?)</td>", text, re.DOTALL)}
    lines = [line.strip("| ").split("|")[0].strip() for line in text.splitlines() if line.startswith("|") and not set(line) <= set("|-: ")]
    return set(lines[1:])


def numbers(answer: str) -> set[float]:
    """The distinct numbers that an answer states."""
    found = [match.group().lower() for match in _NUMBER.finditer(answer)]
    return {float(_WORDS.index(one)) if one in _WORDS else float(one.replace(",", "")) for one in found}


def named(answer: str, known: set[str]) -> set[str]:
    """The items that an answer names, whole words, the longer name before one inside it."""
    rest, found = answer.casefold(), set()
    for item in sorted(known, key=lambda one: (-len(one), one)):
        pattern = rf"(?<!\w){re.escape(item.casefold())}(?!\w)"
        if re.search(pattern, rest):
            found.add(item)
            rest = re.sub(pattern, " ", rest)
    return found


def is_exact(question: dict[str, Any], outcome: Outcome) -> bool:
    """Whether an outcome is what the rule asks for."""
    if not question["answerable"]:
        return outcome.answer is None
    if outcome.answer is None:
        return False
    if question["kind"] == "count":
        return numbers(outcome.answer) == {float(question["answers"][0])}
    gold = set(question["answers"])
    known = gold | {item for file in question["evidence"] for item in items(DATA / question["corpus"] / file)}
    return named(outcome.answer, known) == gold


def measure(asked: list[dict[str, Any]], engine: QueryEngine, system: str) -> list[dict[str, Any]]:
    """One row a question: what kind it is, whether it was exact, refused, and its seconds."""
    rows = []
    for question in asked:
        begun = time.perf_counter()
        outcome = engine.ask(question["question"], system=system)
        seconds = time.perf_counter() - begun
        kind = question["kind"] if question["answerable"] else "unanswerable"
        rows.append({"qid": question["qid"], "kind": kind, "held_out": question["held_out"], "wording": question["wording"],
                     "exact": is_exact(question, outcome), "answered": outcome.answer is not None, "seconds": seconds})  # fmt: skip
    return rows


def told(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Figures of one system: exact of all, by part and by kind; wrong answers; the median second."""
    groups = {
        "exact": [row for row in rows if row["kind"] != "unanswerable"],
        "exact_held_out": [row for row in rows if row["kind"] != "unanswerable" and row["held_out"]],
        "exact_close": [row for row in rows if row["kind"] != "unanswerable" and row["wording"] == "close"],
        "exact_loose": [row for row in rows if row["kind"] != "unanswerable" and row["wording"] == "loose"],
        **{kind: [row for row in rows if row["kind"] == kind] for kind in ("count", "list", "comparison", "extreme")},
        "refused_unanswerable": [row for row in rows if row["kind"] == "unanswerable"],
    }
    wrong = sum(row["answered"] and not row["exact"] for row in rows)
    return {
        **{name: f"{sum(row['exact'] for row in some)}/{len(some)}" for name, some in groups.items()},
        "wrong_answers": wrong,
        "not_exact": [row["qid"] for row in rows if not row["exact"]],
        "p50": round(figures.quantile([row["seconds"] for row in rows], 0.5), 3),
    }


def main() -> None:
    name, corpus, home = homes.of_this_repository(__doc__ or "")
    asked = questions(corpus)
    with QueryEngine(home) as engine:
        engine.ask(asked[0]["question"], system="ensi")
        found = {system: told(measure(asked, engine, system)) for system in SYSTEMS}
    figures.show("aggregation", data=name, n=len(asked), figures=found)


if __name__ == "__main__":
    main()
