"""What a refresh would do, told without doing it."""

from pathlib import Path
from typing import Any

from pagerag_pipeline.refresh import codes, documents
from pagerag_pipeline.refresh.session import Session
from pagerag_pipeline.schema import digest
from pagerag_pipeline.settings import Settings
from pagerag_pipeline.stores import layout, scan, work
from pagerag_pipeline.stores.corpus import CorpusError, list_corpus, read_file


def dry_run(home: Path, settings: Settings) -> dict[str, Any]:
    """Files by what would become of them, and units by product that other settings or code make stale; nothing is written to a product.

    Raises what a refresh would: locks.Held, documents.CorpusGuard.
    """
    with Session.open(home, settings=settings, purpose="dry run") as session:
        folder = documents.corpus_folder(session)
        listing = list_corpus(folder)
        code = codes.ledger_code(documents.NAME, settings)
        with session.tables.staged("listing", documents.listing_frame(listing)) as staged:
            open_files = scan.files_to_read(session.tables, staged, code, settings.refresh.max_attempts)
            bound = scan.bound_files(session.tables)
            told = _sorted_out(session, folder, open_files, bound, code)
            gone = sorted(set(bound) - {file.path for file in listing.files})
        stale = {name: work.other_codes(session.tables, name, codes.ledger_code(name, settings)) for name in layout.LEDGERS}
    return {
        "corpus": str(folder),
        "files": len(listing.files),
        **told,
        "gone": gone,
        "unchanged": len(listing.files) - sum(map(len, told.values())),
        "skipped": [list(pair) for pair in listing.skipped],
        "stale_units": {name: count for name, count in stale.items() if count},
    }


def _sorted_out(
    session: Session, folder: Path, files: list[scan.OpenFile], bound: dict[str, str], code: str
) -> dict[str, list[Any]]:
    """Files to read, by what their bytes say: new, changed, only touched, unreadable."""
    told: dict[str, list[Any]] = {"new": [], "changed": [], "touched": [], "unreadable": []}
    for file in files:
        try:
            data = read_file(folder, file.path, session.settings.corpus.max_file_bytes)
        except CorpusError as error:
            told["unreadable"].append([file.path, str(error)])
            continue
        key = scan.memo_key(code, digest("file", data), file.suffix)
        kind = "new" if file.path not in bound else "touched" if bound[file.path] == key else "changed"
        told[kind].append(file.path)
    return told

