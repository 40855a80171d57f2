"""The corpus folder: what files it holds and their bytes. It is only read, and nothing outside of it is."""

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pagerag_pipeline.schema.ids import digest


class CorpusError(RuntimeError):
    """A folder or file that cannot be read; the message is one line for the user."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file: its path below the corpus folder with `/`, its size in bytes and its times of change."""

    path: str
    size: int
    mtime_ns: int
    """When its bytes were changed, or what a program set for that."""
    ctime_ns: int
    """When the file system last changed anything about it; no program can set it back. It decides what is read again, never what anything is."""


@dataclass(frozen=True, slots=True)
class Listing:
    """What stands in a corpus folder, sorted by path, and what was left out as pairs (path, reason)."""

    files: tuple[SourceFile, ...]
    skipped: tuple[tuple[str, str], ...] = ()


def list_corpus(folder: Path) -> Listing:
    """All regular files below a folder. Hidden names are passed over; links to folders, and links that lead outside, are skipped by name.

    Raises CorpusError when the folder itself is missing or cannot be listed: an empty listing would look like a deletion.
    """
    if not folder.is_dir():
        raise CorpusError(f"The corpus folder {folder} does not exist or is not a folder.")
    files: list[SourceFile] = []
    skipped: list[tuple[str, str]] = []
    for path, entry in _walk(folder, skipped):
        found = _source_file(folder, path, entry)
        if isinstance(found, SourceFile):
            files.append(found)
        else:
            skipped.append((path, found))
    return Listing(tuple(sorted(files, key=lambda file: file.path)), tuple(sorted(skipped)))


def read_file(folder: Path, path: str, limit: int) -> bytes:
    """The bytes of one file of a corpus, read once. Raises CorpusError when it is gone, larger than `limit` bytes, outside, or unreadable."""
    target = folder / path
    try:
        if not target.resolve().is_relative_to(folder.resolve()):
            raise CorpusError("lies outside the corpus folder")
        descriptor = os.open(target, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(descriptor, "rb") as stream:
            if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                raise CorpusError("is not a regular file")
            data = stream.read(limit + 1)
    except (OSError, RuntimeError, ValueError) as error:
        raise CorpusError(_reason(error)) from error
    if len(data) > limit:
        raise CorpusError(f"is larger than corpus.max_file_bytes = {limit}")
    return data


def corpus_digest(files: Sequence[SourceFile]) -> str:
    """Digest of a listing: it moves when a file is added, removed, or has another size or another time of change."""
    return digest("corpus", *(part for file in files for part in (file.path, file.size, file.mtime_ns, file.ctime_ns)))


def _walk(folder: Path, skipped: list[tuple[str, str]]) -> Iterator[tuple[str, "os.DirEntry[str]"]]:
    pending = [(folder, "")]
    while pending:
        current, prefix = pending.pop()
        try:
            with os.scandir(current) as found:
                entries = sorted(found, key=lambda entry: entry.name)
        except OSError as error:
            if not prefix:
                raise CorpusError(f"The corpus folder {folder} cannot be listed: {error.strerror}.") from error
            skipped.append((prefix.rstrip("/"), f"folder cannot be listed: {error.strerror}"))
            continue
        for entry in entries:
            if entry.name.startswith("."):
                continue
            if not _decodable(entry.name):
                skipped.append((prefix + os.fsencode(entry.name).decode("utf-8", "backslashreplace"), "name is not valid UTF-8"))
            elif _is_folder(entry):
                pending.append((Path(entry.path), f"{prefix}{entry.name}/"))
            else:
                yield prefix + entry.name, entry


def _is_folder(entry: "os.DirEntry[str]") -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _source_file(folder: Path, path: str, entry: "os.DirEntry[str]") -> SourceFile | str:
    """The file behind an entry, or the reason why it is none."""
    try:
        if entry.is_symlink():
            target = Path(entry.path).resolve(strict=True)
            if target.is_dir():
                return "symbolic link to a folder"
            if not target.is_relative_to(folder.resolve()):
                return "symbolic link that leads outside the corpus folder"
        found = entry.stat()
    except (OSError, RuntimeError) as error:
        return _reason(error)
    if not stat.S_ISREG(found.st_mode):
        return "not a regular file"
    return SourceFile(path, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


def _decodable(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _reason(error: Exception) -> str:
    if isinstance(error, CorpusError):
        return str(error)
    if isinstance(error, RuntimeError) or getattr(error, "errno", None) == errno.ELOOP:
        return "symbolic link that leads to itself"
    if isinstance(error, OSError) and error.strerror:
        return f"cannot be read: {error.strerror}"
    return f"cannot be read: {type(error).__name__}"
