"""The first product: what the corpus folder holds now, read once, parsed once per content, guarded against sudden loss."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import polars as pl

from pagerag_pipeline.refresh import workers
from pagerag_pipeline.refresh.ledger import check_whole
from pagerag_pipeline.refresh.session import Session
from pagerag_pipeline.refresh.starting import CorpusGuard, present_folder, refresh_command
from pagerag_pipeline.schema.ids import digest
from pagerag_pipeline.settings import CorpusSettings
from pagerag_pipeline.stores import scan, work
from pagerag_pipeline.stores.corpus import CorpusError, Listing, corpus_digest, list_corpus, read_file

NAME = "source_documents"
_BATCH_BYTES = 32 * 1024 * 1024
"""Bytes of files held in memory at once while they are read."""
_RACY_NS = 50_000_000
"""Coarser than the clock ticks by which file systems stamp files ..."""
_SECOND_NS = 1_000_000_000
"""... unless they stamp whole seconds, or every other one."""


@dataclass(frozen=True, slots=True)
class Scanned:
    """What a scan found."""

    files: int
    read: int
    """Files whose bytes were read: new ones, or with another size or time of change."""
    parsed: int
    """Distinct contents that were parsed."""
    skipped: list[tuple[str, str]]
    """Files that gave no document, with the reason."""


def scan_corpus(session: Session, code: str) -> Scanned:
    """Bind every listed file to the content it has now; the documents it held before are known to `scan.changes` afterwards."""
    tables = session.tables
    folder = present_folder(session.home, session.settings)
    listing = list_corpus(folder)
    session.corpus_digest = corpus_digest(listing.files)
    scan.remember_documents(tables)
    work.stage_wanted(tables, NAME, code, scan.NOTHING)
    with tables.staged("listing", listing_frame(listing)) as staged:
        open_files = scan.files_to_read(tables, staged, code, session.settings.refresh.max_attempts)
        parsed, errors, unreadable = _read_and_parse(session, folder, open_files, code)
        work.stage_wanted(tables, NAME, code, scan.wanted(staged))
        _guard(session, folder)
        work.settle(tables, NAME, code, session.generation)
        failed = [work.UnitResult(key, "", {}, error=error) for key, error in sorted(errors.items())]
        work.commit(tables, NAME, failed, code=code, generation=session.generation)
        scan.forget_files(tables, staged)
    skipped = [*listing.skipped, *unreadable, *scan.skipped_files(tables)]
    return Scanned(len(listing.files), len(open_files), parsed, sorted(skipped))


def listing_frame(listing: Listing) -> pl.DataFrame:
    """One row a listed file: path, size, mtime_ns, ctime_ns, suffix."""
    found = [(f.path, f.size, f.mtime_ns, f.ctime_ns, PurePosixPath(f.path).suffix.lower()) for f in listing.files]
    schema = {"path": pl.String, "size": pl.Int64, "mtime_ns": pl.Int64, "ctime_ns": pl.Int64, "suffix": pl.String}
    return pl.DataFrame(found, schema=schema, orient="row")


def _read_and_parse(
    session: Session, folder: Path, files: list[scan.OpenFile], code: str
) -> tuple[int, dict[str, str], list[tuple[str, str]]]:
    """Read the files, parse contents that no memory holds, note what each file holds. Returns (parsed, errors by key, unreadable)."""
    parsed = 0
    done = 0
    errors: dict[str, str] = {}
    unreadable: list[tuple[str, str]] = []
    session.progress(NAME, 0, len(files))
    batches = _read_batches(session, folder, files, code, unreadable)

    def told(part: int) -> None:
        session.progress(NAME, done + part, len(files))

    for tasks, results in session.mapper.map(f"{workers.__name__}:parse_batch", batches, told=told):
        check_whole(NAME, [task["key"] for task in tasks if task["data"] is not None], results)
        with session.tables.transaction():
            scan.note_files(session.tables, [(*t["seen"], t["digest"]) for t in tasks])
        work.commit(session.tables, NAME, [r for r in results if not r.error], code=code, generation=session.generation)
        errors.update((r.key, r.error) for r in results if r.error)
        parsed += sum(1 for r in results if not r.error)
        done += len(tasks)
        session.progress(NAME, done, len(files))
    return parsed, errors, unreadable


def _read_batches(
    session: Session, folder: Path, files: list[scan.OpenFile], code: str, unreadable: list[tuple[str, str]]
) -> Iterator[list[dict[str, Any]]]:
    tasks: list[dict[str, Any]] = []
    seen: set[str] = set()
    size = 0
    for file in files:
        try:
            data = read_file(folder, file.path, session.settings.corpus.max_file_bytes)
        except CorpusError as error:
            unreadable.append((file.path, f"{error}; what it held before, if anything, is kept"))
            continue
        found = digest("file", data)
        key = scan.memo_key(code, found, file.suffix)
        tasks.append({"key": key, "path": file.path, "data": data, "digest": found, "seen": _seen(file)})
        size += len(data)
        if size >= _BATCH_BYTES or len(tasks) >= session.settings.refresh.batch_units:
            yield _only_unknown(session, tasks, seen)
            tasks, size = [], 0
    if tasks:
        yield _only_unknown(session, tasks, seen)


def _seen(file: scan.OpenFile) -> tuple[str, int, int, int]:
    """What tells at the next refresh that a file is as it was now: path, size and times of change."""
    # A file written this instant may change again within the same tick of the clock: do not trust its times next time.
    stamped = max(file.mtime_ns, file.ctime_ns)
    racy = _RACY_NS if stamped % _SECOND_NS else 2 * _SECOND_NS
    return file.path, file.size, file.mtime_ns if time.time_ns() - stamped > racy else -1, file.ctime_ns


def _only_unknown(session: Session, tasks: list[dict[str, Any]], seen: set[str]) -> list[dict[str, Any]]:
    """The tasks, without the bytes of those whose content is parsed already (in memory, or earlier in this scan)."""
    seen |= scan.remembered(session.tables, [task["key"] for task in tasks])
    for task in tasks:
        if task["key"] in seen:
            task["data"] = None
        seen.add(task["key"])
    return tasks


def refusal(home: Path, folder: Path, *, limits: CorpusSettings, loss: tuple[int, int, int]) -> str:
    """Why a refresh of a home that loses so much is refused unless forced, in words; empty when it is not. `loss` is as from `scan.loss`."""
    before, lost, after = loss
    empty = before > 0 and after == 0
    many = lost > limits.guard_documents and lost > limits.guard_share * before
    if not (empty or many):
        return ""
    return (
        f"{folder} holds {after} documents now; {lost} of the {before} indexed ones would be lost. Nothing was changed. "
        f"If that is meant, run `{refresh_command(home)} --force`."
    )


def _guard(session: Session, folder: Path) -> None:
    told = "" if session.force else refusal(session.home, folder, limits=session.settings.corpus, loss=scan.loss(session.tables))
    if told:
        raise CorpusGuard(told)
