"""Whether every citation and evidence span is exact: `text[start:end] == quote` in the document that the generation holds.

Document texts are read from the published `documents` view, not through the engine that is under test.
"""

from pathlib import Path

import corpora
import figures
import homes

from pagerag_pipeline.query import QueryEngine
from pagerag_pipeline.schema.asking import Outcome, Question
from pagerag_pipeline.settings_file import load_settings
from pagerag_pipeline.stores.generations import current
from pagerag_pipeline.stores.tables import open_tables


def texts(home: Path) -> dict[str, str]:
    """Text by document of the published generation."""
    manifest = current(home)
    if manifest is None:
        raise SystemExit("Nothing is published.")
    path = home / "generations" / manifest.generation / "tables.duckdb"
    with open_tables(path, load_settings(home).store, read_only=True) as tables:
        return dict(tables.rows("SELECT document, text FROM documents"))


def spans(outcome: Outcome) -> list[tuple[str, int, int, str]]:
    """Every span that an outcome shows: (document, start, end, quote)."""
    shown = [*outcome.citations, *(span for item in outcome.evidence for span in item.spans)]
    return [(one.document, one.start, one.end, one.quote) for one in shown]


def main() -> None:
    parser = homes.arguments(__doc__ or "")
    parser.add_argument("data", nargs="+", choices=corpora.NAMES)
    parser.add_argument("--questions", type=int, default=200, help="questions in all, taken from the sets in equal parts (default: 200)")
    parser.add_argument("--system", default="page")
    given = parser.parse_args()
    asked = checked = wrong = cited = 0
    for position, name in enumerate(given.data):
        share = (given.questions - asked) // (len(given.data) - position)
        home = homes.ready_home(name, given.work)
        documents, engine = texts(home), QueryEngine(home)
        for one in corpora.questions(name)[:share]:
            outcome = engine.ask(Question(one["qid"], one["question"], tuple(one["doc_ids"]) if one.get("doc_ids") else None), system=given.system)
            found = spans(outcome)
            asked, checked, cited = asked + 1, checked + len(found), cited + len(outcome.citations)
            wrong += sum(documents[document][start:end] != quote or not quote for document, start, end, quote in found)
        engine.close()
    figures.show(
        "citations", data=" ".join(given.data), n=asked, figures={"spans": checked, "of_these_citations": cited, "inexact": wrong}
    )
    if wrong:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
