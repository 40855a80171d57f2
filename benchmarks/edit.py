"""What one edited sentence costs: seconds, and rows computed again, against the first build of the same home.

Rows are chunks (of every kind), vectors, records, summaries and reports; a chunk counts as computed again when its id is new.
"""

import re
from pathlib import Path

import corpora
import figures
import homes

from pagerag_pipeline.settings_file import load_settings
from pagerag_pipeline.stores.work import open_work

ROWS = {
    "chunks": "SELECT chunk_id FROM live_chunks",
    "vectors": "SELECT key FROM vectors",
    "records": "SELECT key, ordinal FROM records",
    "summaries": "SELECT key FROM summary_memory",
    "reports": "SELECT key FROM report_memory",
}
NEW_SENTENCE = "On that very evening a grey heron was seen on the roof of the boat-house."


def edit_middle_sentence(document: Path) -> str:
    """Replace the first whole sentence after the middle of a document; returns what stood there."""
    text = document.read_text(encoding="utf-8")
    found = re.compile(r"(?<=[.!?] )[A-Z][^.!?]{30,}[.!?](?= )").search(text, len(text) // 2)
    if found is None:
        raise SystemExit(f"{document.name} has no sentence after its middle.")
    document.write_text(text[: found.start()] + NEW_SENTENCE + text[found.end() :], encoding="utf-8")
    return found.group()


def computed(home: Path) -> dict[str, set[str]]:
    """What was ever computed in a home, by kind."""
    with open_work(home, load_settings(home).store) as tables:
        return {kind: {str(row) for row in tables.rows(query)} for kind, query in ROWS.items()}


def main() -> None:
    parser = homes.arguments(__doc__ or "")
    parser.add_argument("data", choices=("bundled", "novel", *corpora.BOOK_SETS))
    given = parser.parse_args()
    home = homes.fresh_home(given.data, given.work)
    document = max(corpora.corpus(given.data, given.work).rglob("*.txt"), key=lambda path: path.stat().st_size)
    written = document.read_text(encoding="utf-8")
    first = homes.refresh(home)
    before = computed(home)
    try:
        edit_middle_sentence(document)
        second = homes.refresh(home)
    finally:
        document.write_text(written, encoding="utf-8")
    again = {kind: len(rows - before[kind]) for kind, rows in computed(home).items()}
    share = sum(again.values()) / sum(map(len, before.values()))
    figures.show(
        "edit",
        data=given.data,
        n=1,
        figures={
            "first_seconds": round(first.seconds, 1),
            "edit_seconds": round(second.seconds, 2),
            "rows_share": round(share, 4),
            "rows_again": {kind: f"{count}/{len(before[kind])}" for kind, count in again.items()},
            "seconds_by_product": {report.product: round(report.seconds, 2) for report in second.reports},
        },
    )


if __name__ == "__main__":
    main()
