"""Generations: what asking needs, built beside the readers and switched to in one atomic step; leases keep one alive while it is read."""

import contextlib
import datetime
import fcntl
import importlib.metadata
import json
import logging
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from pagerag_pipeline.stores.damaged import FileDamaged
from pagerag_pipeline.stores.layout import GENERATION_VERSION
from pagerag_pipeline.stores.seals import Seal, file_seal

LOGGER = logging.getLogger(__name__)

FOLDER = "generations"
CURRENT = "CURRENT"
MANIFEST = "manifest.json"
TABLES_FILE = "tables.duckdb"
GRAPH_FILE = "graph.kuzu"
LEASE = "lease"
VECTORS_FOLDER = "vectors"

_REMEDY = "Run `pagerag refresh`: it publishes a new generation from what is remembered, without a model."
_STAGING = ".staging-"
_DROPPED = ".dropped-"
_NAME = re.compile(r"[0-9]{8}T[0-9]{6}(-[0-9]{3})?")
_ENGINES = ("duckdb", "kuzu", "lancedb")


class GenerationError(RuntimeError):
    """A generation that is absent or damaged; the message says which, and what helps."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a generation is made of."""

    generation: str
    created: str
    """UTC, ISO 8601."""
    corpus_digest: str
    products: dict[str, dict[str, Any]]
    """Product name to `digest` and `rows`."""
    vectors: dict[str, int]
    """Vector table to version."""
    settings: dict[str, Any] = field(default_factory=dict)
    fingerprints: dict[str, str] = field(default_factory=dict)
    """Of models, by role."""
    engines: dict[str, str] = field(default_factory=dict)
    """Engine to version."""
    seals: dict[str, Seal] = field(default_factory=dict)
    """File or vector table to its size and digest."""
    layout: str = "1"
    """`layout.GENERATION_VERSION` of the program that wrote it."""


class TaggedVectors(Protocol):
    """What collection must be able to say to the vector store."""

    def drop_tag(self, generation: str) -> None:
        """Give up a generation's protection."""

    def compact(self) -> None:
        """Remove versions that nothing protects."""


def generation_folder(home: Path, generation: str) -> Path:
    """The folder of a generation."""
    if not _NAME.fullmatch(generation):
        raise GenerationError(f"{generation!r} is no name of a generation (like 20260131T120000)")
    return home / FOLDER / generation


def new_generation_id(home: Path) -> str:
    """A name that no generation has and that sorts after all of them: the moment in UTC, with a number if need be."""
    moment = datetime.datetime.now(datetime.UTC).strftime("%Y%m%dT%H%M%S")
    newest = max(list_generations(home), default="")
    if moment > newest[:15]:
        return moment
    # Within one second, or after the clock went back.
    return f"{newest[:15]}-{int(newest[16:] or 0) + 1:03}"


def engine_versions() -> dict[str, str]:
    """The installed version of each engine, without importing it."""
    return {name: importlib.metadata.version(name) for name in _ENGINES}


def new_staging(home: Path, generation: str) -> Path:
    """An empty folder to build a generation in, on the file system of its future place; what a dead refresh left is removed.

    Only for the holder of the refresh lock.
    """
    generation_folder(home, generation)
    folder = home / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    remove_leftovers(home)
    staging = folder / f"{_STAGING}{generation}"
    staging.mkdir()
    return staging


def remove_leftovers(home: Path) -> list[str]:
    """Remove staging folders and half-removed generations that a dead process left; returns their names."""
    folder = home / FOLDER
    found = sorted(path for path in folder.glob(".*") if path.name.startswith((_STAGING, _DROPPED))) if folder.exists() else []
    for path in found:
        shutil.rmtree(path)
    return [path.name for path in found]


def link_from(home: Path, former: str, name: str, target: Path) -> bool:
    """Take a file over from a former generation by hard link (a copy where the file system has none); False when it is not there."""
    source = generation_folder(home, former) / name
    if not source.is_file():
        return False
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)
    return True


def publish(home: Path, manifest: Manifest, staging: Path) -> None:
    """Make what was built in `staging` the current generation, its files sealed: all is on disk before the switch, which is one rename.

    A crash before the switch leaves the former generation in place; what then lies about is a generation like any other.
    """
    folder = generation_folder(home, manifest.generation)
    for name in (TABLES_FILE, GRAPH_FILE):
        if not (staging / name).is_file():
            raise GenerationError(f"{staging / name} is missing: nothing was published")
    (staging / LEASE).touch()
    manifest = replace(manifest, seals={**manifest.seals, **{name: file_seal(staging / name) for name in (TABLES_FILE, GRAPH_FILE)}})
    (staging / MANIFEST).write_text(json.dumps(asdict(manifest), indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")
    for path in sorted(staging.iterdir()):
        _sync(path)
    _sync(staging)
    staging.rename(folder)
    _sync(folder.parent)
    switch(home, manifest.generation)


def switch(home: Path, generation: str) -> None:
    """Make an existing generation the current one, atomically and durably. Raises GenerationError when it cannot be read."""
    read_manifest(home, generation)
    (temporary := home / f"{CURRENT}.new").write_text(generation + "\n", encoding="utf-8")
    _sync(temporary)
    if (home / CURRENT).is_dir():
        (home / CURRENT).rename(home / f"{CURRENT}.set-aside-{generation}")
    temporary.replace(home / CURRENT)
    _sync(home)


def current(home: Path) -> Manifest | None:
    """The manifest of the current generation, None before the first. Raises GenerationError when it is named but not there."""
    name = current_name(home)
    return None if name is None else read_manifest(home, name)


def current_name(home: Path) -> str | None:
    """The name of the current generation, None before the first. Raises GenerationError when the file that names it cannot be read."""
    try:
        return (home / CURRENT).read_text(encoding="utf-8").strip() or None
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise GenerationError(f"{home / CURRENT} does not name a generation in words that can be read. {_REMEDY}") from error


def standing_name(home: Path) -> str | None:
    """The name of the current generation; None before the first, and when it cannot be read."""
    try:
        return current_name(home)
    except GenerationError:
        return None


def read_manifest(home: Path, generation: str, *, whole: bool = False) -> Manifest:
    """The manifest of a generation. Raises GenerationError when it is absent, of another layout, or its manifest cannot be read.

    With `whole`, it must name the model that questions are to be embedded with.
    """
    path = generation_folder(home, generation) / MANIFEST
    try:
        manifest = _typed(Manifest(**json.loads(path.read_text(encoding="utf-8"))), whole)
    except FileNotFoundError:
        known = ", ".join(list_generations(home)) or "none"
        raise GenerationError(f"There is no generation {generation} in {home}; there are: {known}.") from None
    except (OSError, ValueError, TypeError) as error:
        raise GenerationError(f"{path} is damaged: the manifest.json cannot be read ({error}). {_REMEDY}") from error
    if manifest.layout != GENERATION_VERSION:
        raise GenerationError(
            f"Generation {generation} in {home} has layout version {manifest.layout}; this program reads {GENERATION_VERSION}. "
            "Refresh to publish a new generation."
        )
    return manifest


def _typed(manifest: Manifest, whole: bool) -> Manifest:
    for name in ("products", "vectors", "settings", "fingerprints", "engines", "seals"):
        if not isinstance(getattr(manifest, name), dict):
            raise TypeError(f"{name} is no table")
    if whole and not (isinstance(manifest.settings.get("embed"), dict) and "model" in manifest.settings["embed"] and "embedder" in manifest.fingerprints):
        raise ValueError("it names no embedding model")
    return manifest


@contextlib.contextmanager
def readable() -> Iterator[None]:
    """Damage that is met while a generation is read, as GenerationError with the way out."""
    try:
        yield
    except FileDamaged as error:
        raise GenerationError(f"{error} {_REMEDY}") from error


def list_generations(home: Path) -> list[str]:
    """Names of the published generations, oldest first."""
    folder = home / FOLDER
    return sorted(path.parent.name for path in folder.glob(f"*/{MANIFEST}") if _NAME.fullmatch(path.parent.name)) if folder.exists() else []


@contextlib.contextmanager
def lease(home: Path, generation: str) -> Iterator[Path]:
    """The folder of a generation, which is not collected while the context lasts, in any process.

    Raises GenerationError when the generation is gone, and for damage that is met meanwhile.
    """
    folder = generation_folder(home, generation)
    try:
        descriptor = os.open(folder / LEASE, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        read_manifest(home, generation)
        raise GenerationError(f"{folder} has no lease file: it is no whole generation. {_REMEDY}") from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH)
        if not _is_there(descriptor, folder / LEASE):
            raise GenerationError(f"There is no generation {generation} in {home} any more: it was collected just now.")
        with readable():
            yield folder
    finally:
        os.close(descriptor)


def collect(home: Path, keep: int, vectors: TaggedVectors) -> list[str]:
    """Remove all but the newest `keep` generations, the current one, and those that a reader holds; returns the names of the removed.

    What has lost its manifest is no generation any more. Only for the holder of the refresh lock. A generation's tag is dropped before its
    files: files without a tag could not be read, a tag without files protects for nothing.
    """
    remove_leftovers(home)
    names = list_generations(home)
    kept = {*names[max(0, len(names) - max(keep, 1)) :], current_name(home)}
    found = sorted(path.name for path in (home / FOLDER).glob("*") if path.is_dir() and _NAME.fullmatch(path.name))
    removed = [name for name in found if name not in kept and _collect_one(home, name, vectors)]
    vectors.compact()
    return removed


def _collect_one(home: Path, generation: str, vectors: TaggedVectors) -> bool:
    folder = generation_folder(home, generation)
    descriptor = os.open(folder / LEASE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        LOGGER.info("generation %s is being read: kept", generation)
        return False
    else:
        vectors.drop_tag(generation)
        # Renamed first, so that no half-removed folder passes for a generation.
        dropped = folder.with_name(f"{_DROPPED}{generation}")
        folder.rename(dropped)
        shutil.rmtree(dropped)
        return True
    finally:
        os.close(descriptor)


def _is_there(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    except FileNotFoundError:
        return False


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
