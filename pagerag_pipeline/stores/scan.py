"""Statements of the corpus scan: which files must be read, what each holds, and what came, changed and went."""

import json
from collections.abc import Sequence
from typing import NamedTuple

import polars as pl

from pagerag_pipeline.stores import work
from pagerag_pipeline.stores.tables import Tables

_CLAIMED = "CASE WHEN p.sub_id = '' THEN {unit} ELSE {unit} || '#' || p.sub_id END"
NOTHING = "SELECT '' AS unit, '' AS input, 0 AS weight WHERE false"


class OpenFile(NamedTuple):
    """A listed file whose bytes must be read."""

    path: str
    size: int
    mtime_ns: int
    ctime_ns: int
    suffix: str


def memo_key(code: str, file_digest: str, suffix: str) -> str:
    """Memo key of a file's content: what `wanted` gives as input, under a code version."""
    return work.memo_key(code, f"{file_digest}:{suffix}")


def remember_documents(tables: Tables) -> None:
    """Note which documents are alive before the scan, and the ids they claim."""
    tables.execute("CREATE OR REPLACE TEMP TABLE documents_before AS SELECT document, document_key FROM live_documents")
    tables.execute(
        f"CREATE OR REPLACE TEMP TABLE claims_before AS SELECT {_CLAIMED.format(unit='l.unit')} AS document "
        f"FROM ledger_source_documents l JOIN parsed p USING (key) WHERE l.status = 'ok'"
    )


def files_to_read(tables: Tables, listing: str, code: str, attempts: int) -> list[OpenFile]:
    """Listed files that are new, changed by size or a time of change, or whose content nothing remembers under this code."""
    found = tables.rows(
        f"""
        SELECT l.path, l.size, l.mtime_ns, l.ctime_ns, l.suffix
        FROM {listing} l LEFT JOIN files f ON f.path = l.path AND f.size = l.size AND f.mtime_ns = l.mtime_ns AND f.ctime_ns = l.ctime_ns
        WHERE f.digest IS NULL OR sha256(concat_ws(':', ?, f.digest, l.suffix))[:32] NOT IN (
            SELECT key FROM memory_source_documents
            UNION ALL SELECT key FROM ledger_source_documents WHERE status = 'failed' AND attempts >= ?
        )
        ORDER BY l.path
        """,
        [code, attempts],
    )
    return [OpenFile(*row) for row in found]


def remembered(tables: Tables, keys: Sequence[str]) -> set[str]:
    """Those of the keys whose parse is remembered."""
    with tables.staged("asked_keys", pl.DataFrame({"key": list(keys)}, schema={"key": pl.String})) as staged:
        return {key for (key,) in tables.rows(f"SELECT DISTINCT key FROM memory_source_documents SEMI JOIN {staged} USING (key)")}


def note_files(tables: Tables, files: Sequence[tuple[str, int, int, int, str]]) -> None:
    """Note (path, size, modification time, time of any change, digest) of files that were read; call it in a transaction."""
    schema = {"path": pl.String, "size": pl.Int64, "mtime_ns": pl.Int64, "ctime_ns": pl.Int64, "digest": pl.String}
    frame = pl.DataFrame(list(files), schema=schema, orient="row")
    with tables.staged("noted_files", frame) as staged:
        tables.execute(f"DELETE FROM files WHERE path IN (SELECT path FROM {staged})")
    tables.insert("files", frame)


def wanted(listing: str) -> str:
    """The wanted query of `source_documents`: each listed file with the content it is known to hold."""
    return f"SELECT l.path AS unit, concat_ws(':', f.digest, l.suffix) AS input, l.size AS weight FROM {listing} l JOIN files f USING (path)"


def loss(tables: Tables) -> tuple[int, int, int]:
    """(documents alive before, those of them that would go, documents alive after) if the wanted files were bound now."""
    after = f"(SELECT {_CLAIMED.format(unit='w.unit')} AS document FROM wanted_source_documents w JOIN parsed p USING (key))"
    before, lost, left = tables.rows(
        f"""SELECT (SELECT count(*) FROM claims_before), (SELECT count(*) FROM claims_before ANTI JOIN {after} a USING (document)),
                   (SELECT count(*) FROM {after})"""
    )[0]
    return int(before), int(lost), int(left)


def note_parsed(tables: Tables, documents: Sequence[tuple[str, str]]) -> None:
    """Note (memo key, sub id) of documents alone, for `loss`; only in a transaction that is rolled back."""
    frame = pl.DataFrame(list(documents), schema={"key": pl.String, "sub_id": pl.String}, orient="row")
    with tables.staged("noted_parsed", frame) as staged:
        tables.execute(f"INSERT INTO parsed (key, sub_id) FROM {staged}")


def changes(tables: Tables) -> tuple[int, int, int]:
    """Documents (added, changed, deleted) since `remember_documents`."""
    added, changed, deleted = tables.rows(
        """SELECT count(*) FILTER (b.document IS NULL),
                  count(*) FILTER (b.document_key <> l.document_key),
                  count(*) FILTER (l.document IS NULL)
           FROM documents_before b FULL JOIN live_documents l USING (document)"""
    )[0]
    return int(added), int(changed), int(deleted)


def forget_files(tables: Tables, listing: str) -> None:
    """Drop the notes on files that are no longer listed."""
    tables.execute(f"DELETE FROM files WHERE path NOT IN (SELECT path FROM {listing})")


def skipped_files(tables: Tables) -> list[tuple[str, str]]:
    """Files that loaded no document, with the reason, in order."""
    return tables.rows(
        """SELECT l.unit, n.skipped FROM ledger_source_documents l JOIN parse_notes n ON n.key = l.key
           WHERE n.skipped <> '' ORDER BY l.unit"""
    )  # type: ignore[return-value]


def parse_notes(tables: Tables) -> list[tuple[str, str]]:
    """Files with counted repairs or omissions, in words, in order."""
    rows = tables.rows(
        """SELECT l.unit, n.notes FROM ledger_source_documents l JOIN parse_notes n ON n.key = l.key
           WHERE n.notes <> '[]' ORDER BY l.unit"""
    )
    return sorted([*((path, "; ".join(json.loads(notes))) for path, notes in rows), *_shared_ids(tables)])


def _shared_ids(tables: Tables) -> list[tuple[str, str]]:
    """Files whose documents have other ids than they would have alone, with the first of these and the file that has the id."""
    rows = tables.rows(
        """SELECT d.path, min((d.claimed, d.document, k.path)) AS first, count(*) FROM live_documents d JOIN live_documents k ON k.document = d.claimed
           WHERE d.document <> d.claimed GROUP BY d.path"""
    )
    told = "the id {0!r} is that of a document of the file {2!r} too: it stands here as {1!r} while both are there"
    return [(path, told.format(*first) + (f"; and {count - 1} more" if count > 1 else "")) for path, first, count in rows]


def document_count(tables: Tables) -> int:
    """Documents alive."""
    return int(tables.rows("SELECT count(*) FROM live_documents")[0][0])


def document_languages(tables: Tables) -> dict[str, int]:
    """Documents alive by language, in order."""
    return dict(tables.rows("SELECT language, count(*) FROM live_profiles GROUP BY language ORDER BY language"))  # type: ignore[arg-type]


def bound_files(tables: Tables) -> dict[str, str]:
    """Memo key of each file that is bound."""
    return dict(tables.rows("SELECT unit, key FROM ledger_source_documents ORDER BY unit"))  # type: ignore[arg-type]
