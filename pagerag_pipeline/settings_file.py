"""Settings as read from `pagerag.toml` and the environment, checked; and the two folders that they name, the home and the corpus."""

import dataclasses
import json
import os
import sys
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args, get_origin

from pagerag_pipeline.settings import Settings

HOME_VARIABLE = "PAGERAG_HOME"
DEFAULT_HOME = ".pagerag"


class SettingsError(ValueError):
    """A settings file that cannot be used; the message says which key, where, and what is allowed."""


def home_folder(given: str | None = None) -> Path:
    """The home: as given, else `PAGERAG_HOME`, else `.pagerag` in the working folder."""
    return Path(given or os.environ.get(HOME_VARIABLE) or DEFAULT_HOME).expanduser().absolute()


def load_settings(home: Path) -> Settings:
    """Settings of a home: defaults, then `pagerag.toml`, then variables like `PAGERAG_EMBED_MODEL`. Raises SettingsError."""
    if home.exists() and not home.is_dir():
        raise SettingsError(f"The home {home} is a file, not a folder: name another one with --home.")
    path = home / "pagerag.toml"
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8-sig")) if path.exists() else {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise SettingsError(f"{path}: not a readable TOML file: {error}. Mend it or remove it to get the defaults.") from error
    return _from_table(table, path)


def corpus_folder(home: Path, settings: Settings) -> Path | None:
    """The corpus folder of a home as an absolute path, None when no folder is set; it need not exist."""
    if not settings.corpus.folder:
        return None
    return (home.parent / Path(settings.corpus.folder).expanduser()).absolute()


def write_corpus_folder(home: Path, folder: Path) -> None:
    """Name the corpus folder in a home's `pagerag.toml`, which is made, or gets a [corpus] section at its end.

    Raises SettingsError when the file has that section already: words that a person wrote are not changed.
    """
    path = home / "pagerag.toml"
    before = path.read_text(encoding="utf-8-sig") if path.exists() else ""
    quoted = json.dumps(str(folder), ensure_ascii=False)
    if "corpus" in tomllib.loads(before):
        raise SettingsError(f'{path}: its [corpus] section names no folder. Add to it: folder = {quoted}')
    home.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".toml.new")
    section = f'[corpus]\nfolder = {quoted}\n'
    temporary.write_text(f"{before.rstrip()}\n\n{section}" if before.strip() else section, encoding="utf-8")
    temporary.replace(path)


def _from_table(table: dict[str, Any], path: Path) -> Settings:
    known = [f.name for f in fields(Settings)]
    for name in table:
        if name not in known:
            raise SettingsError(f"{path}: unknown section [{name}]; known are {', '.join(known)}.")
    defaults = Settings()
    slices = {name: _slice(getattr(defaults, name), table.get(name, {}), name, path) for name in known}
    settings = Settings(**slices)
    _validate(settings, path)
    return settings


def _slice(defaults: Any, given: dict[str, Any], name: str, path: Path) -> Any:
    if not isinstance(given, dict):
        raise SettingsError(f"{path}: [{name}] must be a section, not {type(given).__name__}.")
    known = {f.name: f.type for f in fields(defaults)}
    changes: dict[str, Any] = {}
    for key, value in given.items():
        if key not in known:
            raise SettingsError(f"{path}: unknown key {name}.{key}; known are {', '.join(known)}.")
        changes[key] = _typed(value, known[key], f"{path}: {name}.{key}")
    for key, kind in known.items():
        variable = f"PAGERAG_{name.upper()}_{key.upper()}"
        if variable in os.environ:
            changes[key] = _typed(_from_text(os.environ[variable], kind), kind, variable)
    return dataclasses.replace(defaults, **changes)


def _from_text(text: str, kind: Any) -> Any:
    if kind is bool:
        return {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}.get(text.strip().lower(), text)
    if kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            return text
    return text


def _typed(value: Any, kind: Any, where: str) -> Any:
    if kind is float and type(value) is int:
        return float(value)
    expected = get_origin(kind) or kind
    if type(value) is not expected:
        raise SettingsError(f"{where} must be {getattr(kind, '__name__', get_args(kind))}, not {value!r}.")
    return value


_WINDOWS = {"minilm": 254, "hash": 254}
"""Most tokens that a model known by name can read. Of another the window stands in its own files; it raises for a longer text, it cuts none."""


def _is_model(name: str) -> bool:
    return name in ("minilm", "hash") or (Path(name).expanduser() / "tokenizer.json").is_file()


def _validate(settings: Settings, path: Path) -> None:
    checks = [
        (_is_model(settings.embed.model), "embed.model must be minilm, hash, or a folder that holds a sentence-transformers model"),
        (settings.extract.tagger in ("spacy", "rules"), "extract.tagger must be spacy or rules"),
        (settings.refresh.backend in ("inline", "process"), "refresh.backend must be inline or process"),
        (settings.refresh.workers >= 1, "refresh.workers must be at least 1"),
        (settings.refresh.batch_units >= 1, "refresh.batch_units must be at least 1"),
        (settings.refresh.in_flight >= 1, "refresh.in_flight must be at least 1"),
        (0 < settings.chunk.passage_tokens <= settings.chunk.chunk_tokens, "chunk.passage_tokens must lie in 1..chunk_tokens"),
        (settings.chunk.passage_tokens + settings.chunk.context_tokens < settings.chunk.embed_window, "chunk.passage_tokens + context_tokens must be below embed_window"),
        (settings.chunk.embed_window <= _WINDOWS.get(settings.embed.model, sys.maxsize), f"chunk.embed_window must be at most {_WINDOWS.get(settings.embed.model)}, the window of {settings.embed.model}"),
        (0 < settings.chunk.chunk_min_tokens <= settings.chunk.chunk_tokens, "chunk.chunk_min_tokens must lie in 1..chunk_tokens"),
        (0 <= settings.chunk.fixed_overlap < settings.chunk.fixed_tokens, "chunk.fixed_overlap must lie in 0..fixed_tokens-1"),
        (2 <= settings.summarize.group_min <= settings.summarize.group_size <= settings.summarize.group_max, "summarize.group_min <= group_size <= group_max, from 2"),
        (0 <= settings.answer.threshold <= 1, "answer.threshold must lie in 0..1"),
        (0 < settings.govern.hold_confidence <= settings.govern.accept_confidence <= 1, "govern: 0 < hold_confidence <= accept_confidence <= 1"),
        (settings.store.keep_generations >= 1, "store.keep_generations must be at least 1"),
    ]
    for holds, message in checks:
        if not holds:
            raise SettingsError(f"{path}: {message}.")
