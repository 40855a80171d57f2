"""Where the documents of a question set stand: `doc_id` to file, through document files, plain files and index files, here or in a folder beside."""

import codecs
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
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
    beside: tuple[str, ...] = ()
    """Plain files that a question without documents is not asked of, since others are the set's documents."""
    held: Callable[[str], bool] | None = None
    """Whether the home that is asked knows a name; None when it is built of these documents."""

    def knows(self, document: str) -> bool:
        """Whether a document stands here, or in the home that is asked."""
        return self.get(document) is not None or (self.held is not None and self.held(document))

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
    unread: list[tuple[str, str]] = []
    for index in sorted(folder.resolve().parent.glob("*/*.jsonl")):
        if index.parent == folder.resolve():
            continue
        try:
            found = _neighbor(index)
        except EvaluationError as error:
            unread.append((f"../{index.parent.name}/{index.name}", f"no index, it cannot be read: {error}"))
            continue
        if lacking & set(found):
            own = _joined(own, Sources(found))
            break
    return replace(own, skipped=(*own.skipped, *unread))


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
        first, why = _first_row(path)
        if "text" in first:
            held = _held(path, place)
            documents.update(held)
            holders[inside.as_posix()] = Source(path, place, inside.as_posix(), path.stat().st_size)
            told |= set(held)
        elif "file" in first and "doc_id" in first:
            indexed.update(_indexed(path))
        elif "question" not in first:
            skipped.append((inside.as_posix(), why or "no `text` in its rows: not documents"))
    whole = set(indexed) or (set(documents) if everything or not told else told)
    beside = sorted(set(documents) - whole - {_inside(source.file, folder) for source in indexed.values()})
    return Sources({**documents, **indexed}, holders, frozenset(whole), tuple(skipped), tuple(beside))


def numbered_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a file of JSON lines, each with the number of its line. Raises EvaluationError naming the line that is none."""
    try:
        with path.open("rb") as stream:
            for number, line in enumerate(stream, start=1):
                text = line.removeprefix(codecs.BOM_UTF8) if number == 1 else line
                if text.strip():
                    yield number, _object(text, f"{path}, line {number}")
    except OSError as error:
        raise EvaluationError(f"{path} cannot be read: {error.strerror}.") from error


def _object(line: bytes, where: str) -> dict[str, Any]:
    try:
        row = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise EvaluationError(f"{where}: not UTF-8 at byte {error.start + 1} of the line.") from error
    except ValueError as error:
        raise EvaluationError(f"{where}: not JSON: {error}.") from error
    if not isinstance(row, dict):
        raise EvaluationError(f"{where}: it is no object.")
    return row


def _held(path: Path, place: str) -> dict[str, Source]:
    """The documents of a file of many."""
    rows = (row for _, row in numbered_lines(path) if "doc_id" in row)
    return {str(row["doc_id"]): Source(path, place, str(row["doc_id"]), len(str(row.get("text", "")))) for row in rows}


def _inside(file: Path, folder: Path) -> str:
    return file.relative_to(folder).as_posix() if file.is_relative_to(folder) else ""


def _joined(own: Sources, other: Sources) -> Sources:
    """Two folders as one; the other one is the corpus when it has one."""
    skipped = (*own.skipped, *other.skipped)
    return Sources({**own.documents, **other.documents}, {**own.holders, **other.holders}, other.whole or own.whole, skipped)


def _first_row(path: Path) -> tuple[dict[str, Any], str]:
    """The first object of a file, and why there is none; both empty for an empty file."""
    try:
        return next((row for _, row in numbered_lines(path)), {}), ""
    except EvaluationError as error:
        return {}, str(error)


def _neighbor(path: Path) -> dict[str, Source]:
    """The documents that an index file in a folder beside maps; none when it is no index. Raises EvaluationError when it cannot be read."""
    first = next((row for _, row in numbered_lines(path)), {})
    return dict(_indexed(path)) if "file" in first and "doc_id" in first and "text" not in first else {}


def _indexed(index: Path) -> Iterator[tuple[str, Source]]:
    """The documents that an index file maps to files beside it, or beside its folder; those whose file is missing are left out.

    Raises EvaluationError for a row without `doc_id`.
    """
    for number, row in numbered_lines(index):
        if "doc_id" not in row:
            raise EvaluationError(f"{index}, line {number}: it has no `doc_id`.")
        given = Path(str(row.get("file", "")))
        for file in (index.parent / given, index.parent.parent / given, index.parent / given.name):
            if file.is_file():
                yield str(row["doc_id"]), Source(file, f"{index.parent.name}/{given.name}", given.name, file.stat().st_size)
                break
