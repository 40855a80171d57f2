"""What a refresh would do, told without doing it."""

from pathlib import Path
from typing import Any

from pagerag_pipeline.refresh import codes, documents
from pagerag_pipeline.schema import digest
from pagerag_pipeline.settings import Settings
from pagerag_pipeline.stores import layout, locks, scan, work
from pagerag_pipeline.stores.corpus import CorpusError, list_corpus, read_file


def dry_run(home: Path, settings: Settings) -> dict[str, Any]:
    """Files by what would become of them, and units by product that other settings or code make stale.

    Nothing is written to a product, and what `status` tells of the latest refresh stays. Raises locks.Held, and documents.CorpusGuard when
    the folder is not there; whether a refresh would refuse to lose so much, `gone` lets guess.
    """
    lock = locks.RefreshLock(home)
    lock.acquire(False, "dry run")
    with lock, work.open_work(home, settings.store) as tables:
        folder = documents.present_folder(home, settings)
        listing = list_corpus(folder)
        code = codes.ledger_code(documents.NAME, settings)
        with tables.staged("listing", documents.listing_frame(listing)) as staged:
            open_files = scan.files_to_read(tables, staged, code, settings.refresh.max_attempts)
        bound = scan.bound_files(tables)
        told = _sorted_out(folder, open_files, bound, code=code, limit=settings.corpus.max_file_bytes)
        gone = sorted(set(bound) - {file.path for file in listing.files})
        stale = {name: work.other_codes(tables, name, codes.ledger_code(name, settings)) for name in layout.LEDGERS}
    return {
        "corpus": str(folder),
        "files": len(listing.files),
        **told,
        "gone": gone,
        "unchanged": len(listing.files) - sum(map(len, told.values())),
        "skipped": [list(pair) for pair in listing.skipped],
        "stale_units": {name: count for name, count in stale.items() if count},
    }


def _sorted_out(folder: Path, files: list[scan.OpenFile], bound: dict[str, str], *, code: str, limit: int) -> dict[str, list[Any]]:
    """Files to read, by what their bytes say: new, changed, only touched, unreadable."""
    told: dict[str, list[Any]] = {"new": [], "changed": [], "touched": [], "unreadable": []}
    for file in files:
        try:
            data = read_file(folder, file.path, limit)
        except CorpusError as error:
            told["unreadable"].append([file.path, str(error)])
            continue
        key = scan.memo_key(code, digest("file", data), file.suffix)
        kind = "new" if file.path not in bound else "touched" if bound[file.path] == key else "changed"
        told[kind].append(file.path)
    return told
