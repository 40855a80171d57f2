"""The shape of the graph of whole books before and after governing, and samples of what governing took, to be judged by reading.

Each book has a home of its own. Samples are written with their quotes to `--sample FOLDER`, which should lie outside the repository; the rule that
they are judged by stands in `benchmarks/README.md`. What `--judged FOLDER` counts are two columns added to those files: `right` (1 or 0) and `why`.
"""

import csv
import time
from collections import Counter
from pathlib import Path
from typing import Any

import corpora
import figures
import homes

from pagerag_pipeline.refresh import products, shape
from pagerag_pipeline.refresh.session import Session
from pagerag_pipeline.settings_file import load_settings
from pagerag_pipeline.stores import shape as rows

BOOKS = {
    "514": "514_little-women.txt",
    "64317": "64317_the-great-gatsby.txt",
    "11": "11_alice-s-adventures-in-wonderland.txt",
    "5827": "5827_the-problems-of-philosophy.txt",
    "34901": "34901_on-liberty.txt",
}
"""Three whole novels and two conceptual books."""
NOT_NEEDED = ("chunk_embeddings", "summary_tree", "hybrid_repository")
SAMPLED = 100
SEED = 13
AROUND = 160
"""Characters before and after a mention that are shown with it."""

COLUMNS = ("id", "element", "gate", "act", "reason", "what", "type", "mentions", "confidence", "quote")
_PLACE = f"substring(t.text, greatest(1, b.start_at + 1 - {AROUND}), b.end_at - b.start_at + 2 * {AROUND})"
NODES = f"""
SELECT n.node_key, 'node', n.gate, n.act, n.reason, n.name, n.type, n.mentions, NULL, (
    SELECT {_PLACE} FROM raw_bindings b JOIN live_chunks c USING (chunk_id) JOIN contents t USING (content_id)
    WHERE b.element_key = n.node_key AND b.element_kind = 'node' ORDER BY b.chunk_id, b.start_at LIMIT 1
) FROM lost_nodes n ORDER BY sha256(? || ':' || n.node_key) LIMIT {SAMPLED}
"""
EDGES = f"""
SELECT e.edge_key, 'edge', e.gate, e.act, e.reason, format('{{}} | {{}} | {{}} [{{}}]', e.head, e.predicate, e.tail, e.modality), '', e.support, e.confidence, (
    SELECT {_PLACE.replace(str(AROUND), "60")} FROM raw_bindings b JOIN live_chunks c USING (chunk_id) JOIN contents t USING (content_id)
    WHERE b.element_key = e.edge_key AND b.element_kind = 'edge' ORDER BY b.chunk_id, b.start_at LIMIT 1
) FROM lost_edges e ORDER BY sha256(? || ':' || e.edge_key) LIMIT {SAMPLED}
"""
"""What was taken, in an order that the seed gives; what another rule takes as well stands in both its samples."""


def measured(home: Path) -> dict[str, Any]:
    """The report of a home, refreshed as far as it is needed, with the seconds that its figures took."""
    with Session.open(home, settings=load_settings(home), purpose="benchmark") as session:
        for name, function in products.PRODUCT_FUNCTIONS.items():
            if name not in NOT_NEEDED:
                report = function(session)
        begun, cpu = time.perf_counter(), time.process_time()
        with session.tables.transaction():
            for table in rows.TABLES:
                session.tables.execute(f"DELETE FROM {table}")
            shape.measure(session.tables, session.settings.cluster)
        seconds = {"seconds": round(time.perf_counter() - begun, 2), "cpu_seconds": round(time.process_time() - cpu, 2)}
    return {"graph": report.details["graph"], "removed": rows_of(report.details["removed"]), **seconds}


def rows_of(removed: list[list[Any]]) -> dict[str, int]:
    return {" ".join(map(str, what)): count for *what, count in removed}


def sample(home: Path, target: Path, seed: int) -> None:
    """Write up to SAMPLED lost nodes and edges of a home with their quotes, in the order that a seed gives."""
    with Session.open(home, settings=load_settings(home), purpose="benchmark") as session, rows.losses_staged(session.tables):
        drawn = [one for statement in (NODES, EDGES) for one in session.tables.rows(statement, [str(seed)])]
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows([[" ".join(str(cell).split()) if cell is not None else "" for cell in one] for one in drawn])


def judged(folder: Path) -> dict[str, Any]:
    """How many of the judged rows were right to go, and why, by book and element, and by gate and reason."""
    counts: dict[str, Counter[str]] = {}
    for path in sorted(folder.glob("*.tsv")):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t"):
                for key in (f"{path.stem} {row['element']}", f"{row['element']} {row['gate']} {row['act']} {row['reason']}"):
                    counts.setdefault(key, Counter()).update({"n": 1, "right": int(row["right"]), row["why"]: 1})
    return {key: dict(sorted(told.items())) for key, told in sorted(counts.items())}


def main() -> None:
    parser = homes.arguments(__doc__ or "")
    parser.add_argument("data", choices=("books", *BOOKS, "bundled"), help="books: all of them, one after the other")
    parser.add_argument("--sample", type=Path, help="folder to write samples of what was taken to")
    parser.add_argument("--seed", type=int, default=SEED, help="orders what a sample is drawn from")
    parser.add_argument("--judged", type=Path, help="folder of judged samples to count instead")
    given = parser.parse_args()
    if given.judged:
        figures.show("shape", data=given.data, n=len(list(given.judged.glob("*.tsv"))), figures=judged(given.judged))
        return
    told = {}
    for name in BOOKS if given.data == "books" else (given.data,):
        home = homes.standing_home(name, corpora.book(BOOKS[name], given.work) if name in BOOKS else corpora.corpus(name, given.work), given.work)
        told[name] = measured(home)
        if given.sample:
            sample(home, given.sample / f"{name}.tsv", given.seed)
    figures.show("shape", data=given.data, n=len(told), figures=told)


if __name__ == "__main__":
    main()
