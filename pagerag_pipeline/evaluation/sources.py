"""Where the documents of a question set stand: `doc_id` to file, through document files, plain files and index files, here or in a folder beside."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any


class EvaluationError(ValueError):
    """A question set, or a comparison, that cannot be meant; the message says what to name instead."""


@dataclass(frozen=True, slots=True)
class Source:
    """One document of a set."""

    file: Path
    place: str
    """Where its file stands in the corpus that is built: a path with `/`."""
    name: str
    """What a home is asked for it by."""
    size: int
    """Characters, or bytes of a file of its own."""


@dataclass(frozen=True, slots=True)
class Sources:
    """What a set's folders hold."""

    documents: Mapping[str, Source] = field(default_factory=dict)
    """By document id, which for a plain file is its path."""
    holders: Mapping[str, Source] = field(default_factory=dict)
    """Files of many documents, by their paths."""
    whole: frozenset[str] = frozenset()
    """Ids of what a question without documents is asked of."""
    skipped: tuple[tuple[str, str], ...] = ()
    """JSON-lines files that hold no documents, with the reason."""

    def get(self, document: str) -> Source | None:
        """The document of an id, or of the path of a file of many, `#` and its own id in it; None when it stands nowhere."""
        path, mark, _ = document.partition("#")
        holder = self.holders.get(path) or self.documents.get(path)
        return self.documents.get(document) or (replace(holder, name=document) if holder and mark else None)


def find_sources(folder: Path, corpus: Path | None, wanted: Iterable[str]) -> Sources:
    """The documents of a set's own folder, of the corpus folder given, or else of the neighbor whose index knows what is wanted.

    Raises EvaluationError for a corpus folder that is not there.
    """
    if corpus is not None and not corpus.is_dir():
        raise EvaluationError(f"The corpus folder {corpus} does not exist or is not a folder.")
    own = scan(folder)
    if corpus is not None:
        return _joined(own, scan(corpus, everything=True))
    lacking = {one for one in wanted if own.get(one) is None}
    if not lacking:
        return own
    for index in _neighbor_indexes(folder):
        found = dict(_indexed(index))
        if lacking & set(found):
            return _joined(own, Sources(found))
    return own


def scan(folder: Path, *, everything: bool = False) -> Sources:
    """What stands below a folder. With `everything`, a question without documents is asked of plain files too, else of them only if alone."""
    documents: dict[str, Source] = {}
    holders: dict[str, Source] = {}
    told: set[str] = set()
    skipped: list[tuple[str, str]] = []
    indexed: dict[str, Source] = {}
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if not path.is_file() or any(part.startswith(".") for part in inside.parts):
            continue
        place = f"{folder.name}/{inside.as_posix()}"
        if path.suffix != ".jsonl":
            documents[inside.as_posix()] = Source(path, place, inside.as_posix(), path.stat().st_size)
            continue
        first = _first_row(path)
        if "text" in first:
            held = {
                str(row["doc_id"]): Source(path, place, str(row["doc_id"]), len(str(row["text"])))
                for row in json_lines(path)
                if "doc_id" in row
            }
            documents.update(held)
            holders[inside.as_posix()] = Source(path, place, inside.as_posix(), path.stat().st_size)
            told |= set(held)
        elif "file" in first and "doc_id" in first:
            indexed.update(_indexed(path))
        elif "question" not in first:
            skipped.append((inside.as_posix(), "no `text` in its rows: not documents"))
    whole = set(documents) if everything or not told else told
    return Sources({**documents, **indexed}, holders, frozenset(set(indexed) if indexed else whole), tuple(skipped))


def json_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a file of JSON lines. Raises EvaluationError naming the line that is none."""
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").split("\n"), start=1):
        if line.strip():
            try:
                row = json.loads(line)
            except ValueError as error:
                raise EvaluationError(f"{path}, line {number}: not JSON: {error}.") from error
            if not isinstance(row, dict):
                raise EvaluationError(f"{path}, line {number}: it is no object.")
            yield row


def _joined(own: Sources, other: Sources) -> Sources:
    """Two folders as one; the other one is the corpus when it has one."""
    skipped = (*own.skipped, *other.skipped)
    return Sources({**own.documents, **other.documents}, {**own.holders, **other.holders}, other.whole or own.whole, skipped)


def _first_row(path: Path) -> dict[str, Any]:
    with path.open(encoding="utf-8-sig") as stream:
        for line in stream:
            if line.strip():
                try:
                    row = json.loads(line)
                except ValueError:
                    return {}
                return row if isinstance(row, dict) else {}
    return {}


def _neighbor_indexes(folder: Path) -> Iterator[Path]:
    """Index files in folders beside a set's own, in order of their paths."""
    for path in sorted(folder.resolve().parent.glob("*/*.jsonl")):
        first = _first_row(path)
        if "file" in first and "doc_id" in first and "text" not in first:
            yield path


def _indexed(index: Path) -> Iterator[tuple[str, Source]]:
    """The documents that an index file maps to files beside it, or beside its folder; those whose file is missing are left out."""
    for row in json_lines(index):
        given = Path(str(row.get("file", "")))
        for file in (index.parent / given, index.parent.parent / given, index.parent / given.name):
            if file.is_file():
                yield str(row["doc_id"]), Source(file, f"{index.parent.name}/{given.name}", given.name, file.stat().st_size)
                break
