"""What one edited sentence costs: seconds and unit rows recomputed by product, against the first build of the same home."""

import re
from pathlib import Path

import corpora
import figures
import homes

from pagerag_pipeline.refresh.report import ProductReport

NEW_SENTENCE = "On that very evening a grey heron was seen on the roof of the boat-house."


def edit_middle_sentence(document: Path) -> str:
    """Replace the first whole sentence after the middle of a document; returns what stood there."""
    text = document.read_text(encoding="utf-8")
    found = re.compile(r"(?<=[.!?] )[A-Z][^.!?]{30,}[.!?](?= )").search(text, len(text) // 2)
    if found is None:
        raise SystemExit(f"{document.name} has no sentence after its middle.")
    document.write_text(text[: found.start()] + NEW_SENTENCE + text[found.end() :], encoding="utf-8")
    return found.group()


def shares(first: list[ProductReport], second: list[ProductReport]) -> dict[str, str]:
    """Units computed again of those computed at first, by product."""
    return {one.product: f"{two.computed}/{one.computed}" for one, two in zip(first, second, strict=True)}


def main() -> None:
    parser = homes.arguments(__doc__ or "")
    parser.add_argument("data", choices=("bundled", "novel", *corpora.BOOK_SETS))
    given = parser.parse_args()
    home = homes.fresh_home(given.data, given.work)
    corpus = corpora.corpus(given.data, given.work)
    document = max((path for path in corpus.rglob("*.txt") if path.is_file()), key=lambda path: path.stat().st_size)
    before = document.read_text(encoding="utf-8")
    first = homes.refresh(home)
    try:
        edit_middle_sentence(document)
        second = homes.refresh(home)
    finally:
        document.write_text(before, encoding="utf-8")
    units = [sum(report.computed for report in refreshed.reports) for refreshed in (first, second)]
    figures.show(
        "edit",
        data=given.data,
        n=1,
        figures={
            "first_seconds": round(first.seconds, 1),
            "edit_seconds": round(second.seconds, 2),
            "units_share": round(units[1] / units[0], 4),
            "units_computed": shares(first.reports, second.reports),
            "seconds_by_product": {report.product: round(report.seconds, 2) for report in second.reports},
        },
    )


if __name__ == "__main__":
    main()
