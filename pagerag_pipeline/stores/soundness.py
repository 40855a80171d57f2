"""Whether the current generation is whole: what was sealed when it was published is compared with what lies on the disk."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from pagerag_pipeline.stores.damaged import FileDamaged
from pagerag_pipeline.stores.generations import (
    GRAPH_FILE,
    LEASE,
    TABLES_FILE,
    VECTORS_FOLDER,
    GenerationError,
    Manifest,
    current,
    engine_versions,
    generation_folder,
)
from pagerag_pipeline.stores.seals import Seal, check_file, file_seal, rows_seal
from pagerag_pipeline.stores.vectors import TABLES, VectorReader

SEALS_FILE = "vectors.json"
"""Seals of the files of the vector tables, of all versions, as the latest refresh left them. Without it the rows are read instead."""

_WRITTEN_ONCE = ("_deletions", "_indices", "_versions", "data")
"""Folders of a vector table whose files the engine writes once and never changes."""


class Former(NamedTuple):
    """What a refresh finds published."""

    manifest: Manifest | None
    """The current manifest if it may stay as it is: whole, and written by the installed engines."""
    faults: tuple[str, ...] = ()
    """Why it may not, a sentence each; empty before the first generation too."""
    vectors: tuple[str, ...] = ()
    """Vector tables that are to be written anew."""
    rows_read: bool = False
    """Whether vector tables had to be read through their engine: their files were not sealed as they are."""


def former(home: Path) -> Former:
    """The current generation, with every file of it read once and compared with its seal."""
    sealed = _sealed_vectors(home)
    try:
        manifest = current(home)
    except GenerationError as error:
        return Former(None, (str(error),), tuple(table for table in TABLES if _moved(home, table, sealed)))
    if manifest is None:
        return Former(None)
    moved: dict[str, str | None] = {table: _moved(home, table, sealed) for table in sorted(manifest.vectors)}
    tables = {table: fault for table, found in moved.items() if (fault := _fault(home, manifest, table) if found == "" else found)}
    faults = (*_other_faults(home, manifest), *tables.values())
    return Former(None if faults else manifest, faults, tuple(tables), "" in moved.values())


def vector_seals(home: Path, versions: dict[str, int]) -> dict[str, Seal]:
    """The seals of the rows of vector tables, by their names. Raises FileDamaged when one cannot be read."""
    return {table: _rows(home, table, version) for table, version in sorted(versions.items())}


def seal_vectors(home: Path) -> None:
    """Seal the files of the vector tables as they are; only for the holder of the refresh lock, after its last change to them."""
    folder = home / VECTORS_FOLDER
    seals = {path.relative_to(folder).as_posix(): file_seal(path) for path in _files(folder)}
    temporary = home / f"{SEALS_FILE}.new"
    temporary.write_text(json.dumps(seals), encoding="utf-8")
    temporary.replace(home / SEALS_FILE)


def _sealed_vectors(home: Path) -> dict[str, Seal]:
    try:
        found: dict[str, Seal] = json.loads((home / SEALS_FILE).read_text(encoding="utf-8"))
        return found
    except (OSError, ValueError):
        return {}


def _moved(home: Path, table: str, sealed: dict[str, Seal]) -> str | None:
    """None when all files of a table are as sealed, a fault when one has changed; empty when files are gone or none was sealed."""
    folder = home / VECTORS_FOLDER
    if not (folder / f"{table}.lance").is_dir():
        return f"{folder / table}.lance is missing."
    known = {name: seal for name, seal in sealed.items() if name.startswith(f"{table}.lance/")}
    whole = bool(known)
    for name, seal in known.items():
        if not (folder / name).exists():
            # A cleanup may have been killed before it could seal what it left.
            whole = False
            continue
        try:
            check_file(folder / name, seal)
        except FileDamaged as error:
            return str(error)
    return None if whole else ""


def _fault(home: Path, manifest: Manifest, table: str) -> str | None:
    """What is wrong with the rows of a vector table, in a sentence."""
    try:
        rows = _rows(home, table, manifest.vectors[table])
    except FileDamaged as error:
        return str(error)
    if not manifest.seals or rows == manifest.seals.get(table):
        return None
    return f"{home / VECTORS_FOLDER / table}.lance is damaged: its content is not what was published."


def _rows(home: Path, table: str, version: int) -> Seal:
    reader = VectorReader(home / VECTORS_FOLDER, {table: version})
    seal = rows_seal(reader.batches(table))
    reader.probe(table)
    return seal


def _other_faults(home: Path, manifest: Manifest) -> Iterator[str]:
    folder = generation_folder(home, manifest.generation)
    for name in (TABLES_FILE, GRAPH_FILE, LEASE):
        try:
            check_file(folder / name, manifest.seals.get(name))
        except FileDamaged as error:
            yield str(error)
    if manifest.engines != engine_versions():
        yield f"Generation {manifest.generation} was written by {manifest.engines}, installed are {engine_versions()}."
    if not manifest.seals:
        yield f"Generation {manifest.generation} was written by an earlier version of this program, which kept no seals."


def _files(folder: Path) -> list[Path]:
    found = (path for table in folder.glob("*.lance") for part in _WRITTEN_ONCE for path in (table / part).rglob("*"))
    # The hint of the latest version alone is written over.
    return sorted(path for path in found if path.is_file() and path.suffix != ".json")
