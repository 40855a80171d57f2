"""Settings as read from `pagerag.toml` and the environment, checked; and the two folders that they name, the home and the corpus."""

import dataclasses
import difflib
import json
import os
import re
import sys
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any, Literal, cast, get_args, get_origin

from pagerag_pipeline.schema.language import ROLES
from pagerag_pipeline.settings import Settings
from pagerag_pipeline.settings_chat import ChatSettings

HOME_VARIABLE = "PAGERAG_HOME"
DEFAULT_HOME = ".pagerag"
KEY_VARIABLES = ("PAGERAG_CHAT_API_KEY", "OPENAI_API_KEY")
"""Where a chat server's key is looked for, in this order; it is no setting, so that it lands in no file, manifest or log."""
EMBED_KEY_VARIABLES = ("PAGERAG_EMBED_API_KEY", "OPENAI_API_KEY")
"""The same for an embeddings server."""


def secret_key(variables: tuple[str, ...]) -> str:
    """The key in the first of these variables that is set, without white space around it; empty when none is. Raises SettingsError, which does not tell the key."""
    name = next((name for name in variables if os.environ.get(name, "").strip()), "")
    key = os.environ.get(name, "").strip()
    if not (key.isascii() and key.isprintable()):
        raise SettingsError(f"the environment: {name} holds characters that no key has (a line break, or a letter beyond ASCII): set it anew.")
    return key


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
        table = read_toml(path.read_text(encoding="utf-8-sig")) if path.exists() else {}
    except (ValueError, OSError) as error:
        raise SettingsError(f"{path}: not a readable TOML file: {error}. Mend it or remove it to get the defaults.") from error
    _check_variables()
    return _from_table(table, path)


CEILINGS = ("max_calls", "max_tokens", "max_usd")
"""What one run may be told to spend at most, in place of the settings."""


def with_ceilings(settings: Settings, **ceilings: float | None) -> Settings:
    """The settings with `max_calls`, `max_tokens` or `max_usd` of chat mode as one run is given them; None leaves one as it is. Raises SettingsError."""
    given = {name: value for name, value in ceilings.items() if value is not None}
    if not given:
        return settings
    chat = dataclasses.replace(settings.chat, **given)  # type: ignore[arg-type]
    if not chat.on:
        raise SettingsError("There is nothing to spend: no chat model is set. Set [chat] base_url and model in pagerag.toml, or leave the ceiling out.")
    if not settings.build.ask:
        raise SettingsError("There is nothing to spend: [build] ask = false leaves the chat model to questions. Leave the ceiling out, or set it to true.")
    for holds, words, values in _chat_checks(chat):
        if not holds:
            raise SettingsError(f"{words}, not {', '.join(map(_shown, values))}.")
    return dataclasses.replace(settings, chat=chat)


def read_toml(text: str) -> dict[str, Any]:
    """The table in a TOML text, with or without byte order mark. Raises ValueError for whatever is wrong with it."""
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:  # tomllib raises more than its own error: for numbers too long, for arrays too deep
        raise ValueError(str(error)) from error


def _check_variables() -> None:
    """Raise SettingsError for a variable of one of our sections that names no key of it; other variables with our prefix are others' business."""
    sections = {f"PAGERAG_{one.name.upper()}_": [key.name for key in fields(getattr(Settings(), one.name))] for one in fields(Settings)}
    for variable in sorted(os.environ):
        prefix = next((prefix for prefix in sections if variable.startswith(prefix) and variable not in (*KEY_VARIABLES, *EMBED_KEY_VARIABLES)), None)
        key = variable.removeprefix(prefix or "").lower()
        if prefix and variable != prefix + key.upper() or prefix and key not in sections[prefix]:
            known = sections[prefix]
            near = difflib.get_close_matches(key, known, n=3, cutoff=0.5)
            told = f"did you mean {' or '.join(prefix + one.upper() for one in near)}?" if near else f"known keys are {', '.join(known)}."
            raise SettingsError(f"the environment: {variable} sets nothing: {told}")


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
        if key in _SECRET_KEYS:
            variable = (EMBED_KEY_VARIABLES if name == "embed" else KEY_VARIABLES)[0]
            raise SettingsError(f"{path}: {name}.{key} is not read from a file: put the key into the environment as {variable}.")
        if key not in known:
            raise SettingsError(f"{path}: unknown key {name}.{key}; known are {', '.join(known)}.")
        row = _row_of(known[key])
        changes[key] = _rows(value, row, f"{name}.{key}", path) if row else _checked(value, known[key], f"{path}: {name}.{key}")
    for key, kind in known.items():
        variable = f"PAGERAG_{name.upper()}_{key.upper()}"
        if variable in os.environ and not _row_of(kind):
            changes[key] = _checked(_from_text(os.environ[variable], _plain(kind)), kind, f"the environment: {variable}")
    return dataclasses.replace(defaults, **changes)


def _row_of(kind: Any) -> type | None:
    """The type of the rows of a field that is a list of tables."""
    return cast(type, get_args(kind)[0]) if get_origin(kind) is tuple else None


def _rows(given: Any, row: type, name: str, path: Path) -> tuple[Any, ...]:
    if not isinstance(given, list):
        raise SettingsError(f"{path}: {name} must be written as [[{name}]], once for each.")
    return tuple(_slice(row(), one, name, path) for one in given)


def _plain(kind: Any) -> type:
    """The type of a field without its range or its choices."""
    if get_origin(kind) is Annotated:
        return cast(type, get_args(kind)[0])
    return str if get_origin(kind) is Literal else cast(type, kind)


def _from_text(text: str, kind: type) -> Any:
    if kind is bool:
        return {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}.get(text.strip().lower(), text)
    if kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            return text
    return text


def _checked(value: Any, kind: Any, where: str) -> Any:
    """The value, if it is of the kind of its field: type, choices, range. Raises SettingsError."""
    plain = _plain(kind)
    if plain is float and type(value) is int:
        value = float(max(-sys.maxsize, min(value, sys.maxsize)))
    if type(value) is not plain:
        raise SettingsError(f"{where} must be {_WORDS[plain]}, not {_shown(value)}.")
    if get_origin(kind) is Literal and value not in get_args(kind):
        raise SettingsError(f"{where} must be one of {', '.join(get_args(kind))}, not {_shown(value)}.")
    for one in getattr(kind, "__metadata__", ()):
        if not one.least <= value <= one.most:
            raise SettingsError(f"{where} must lie in {one}, not be {_shown(value)}.")
    return value


_SECRET_KEYS = ("api_key", "key")
_WORDS = {bool: "true or false", int: "a whole number", float: "a number", str: "a text in quotes"}
_SHOWN = 60


def _shown(value: Any) -> str:
    if value is ...:
        return "what is set (not shown here: it may hold a secret)"
    told = repr(value) if not isinstance(value, int) or abs(value) < 10**_SHOWN else "a number of more digits than can be shown"
    return told if len(told) <= _SHOWN else f"{told[:_SHOWN]}..."


_WINDOWS = {"minilm": 254, "hash": 254}
"""Most tokens that a model known by name can read. Of another the window stands in its own files; it raises for a longer text, it cuts none."""


def _is_model(name: str) -> bool:
    return name in ("minilm", "hash") or (Path(name).expanduser() / "tokenizer.json").is_file()


_MEMORY = re.compile(r"[1-9][0-9]*(\.[0-9]+)? ?([KMGT]i?B)", re.IGNORECASE)

_CRON_PART = re.compile(r"(?:\*|([0-9]{1,2})(?:-([0-9]{1,2}))?)(?:/([1-9][0-9]?))?")
_CRON_RANGES = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 7))


def _is_cron(text: str) -> bool:
    """Whether a text is five fields of cron: minute, hour, day, month, day of the week, in numbers. Dagster is too slow to import for this."""
    given = text.split()
    return len(given) == len(_CRON_RANGES) and all(
        _is_cron_part(part, least, most) for one, (least, most) in zip(given, _CRON_RANGES, strict=True) for part in one.split(",")
    )


def _is_cron_part(text: str, least: int, most: int) -> bool:
    found = _CRON_PART.fullmatch(text)
    if found is None:
        return False
    ends = [int(one) for one in found.groups()[:2] if one]
    return ends == sorted(ends) and all(least <= end <= most for end in ends)


def _validate(settings: Settings, path: Path) -> None:
    """What no range of one field can say: how fields stand to each other, and texts of a form. Raises SettingsError."""
    chunk, govern, store, tree = settings.chunk, settings.govern, settings.store, settings.summarize
    model, cron, cluster, pank = settings.embed.model, settings.schedule.cron, settings.cluster, settings.pank
    embed = settings.embed
    window = embed.window if embed.base_url else _WINDOWS.get(model, sys.maxsize)
    embedded = (chunk.passage_tokens, chunk.context_tokens, chunk.embed_window)
    groups = (tree.group_min, tree.group_size, tree.group_max)
    gates = (govern.hold_confidence, govern.accept_confidence)
    checks: list[tuple[bool, str, tuple[Any, ...]]] = [
        (not embed.base_url or bool(_ADDRESS.fullmatch(embed.base_url)), f"embed.base_url must be like http://127.0.0.1:11434/v1, {_NO_SECRETS}", (...,)),
        (model not in ("", *_WINDOWS) if embed.base_url else _is_model(model), "embed.model must be minilm, hash, a folder that holds a sentence-transformers model, or, with embed.base_url, a model of that server", (model,)),
        (_is_cron(cron), "schedule.cron must be five fields of cron in numbers, like '0 3 * * *'", (cron,)),
        (bool(_MEMORY.fullmatch(store.duckdb_memory)), "store.duckdb_memory must be a size like '4GB'", (store.duckdb_memory,)),
        (store.kuzu_max_bytes.bit_count() == 1, "store.kuzu_max_bytes must be a power of two", (store.kuzu_max_bytes,)),
        (chunk.passage_tokens <= chunk.chunk_tokens, "chunk.passage_tokens must be at most chunk_tokens", (chunk.passage_tokens, chunk.chunk_tokens)),
        (sum(embedded[:2]) < embedded[2], "chunk.passage_tokens + context_tokens must be below embed_window", embedded),
        (chunk.embed_window <= window, f"chunk.embed_window must be at most {window}, the window of {model}", (chunk.embed_window,)),
        (chunk.chunk_min_tokens <= chunk.chunk_tokens, "chunk.chunk_min_tokens must be at most chunk_tokens", (chunk.chunk_min_tokens, chunk.chunk_tokens)),
        (chunk.fixed_overlap < chunk.fixed_tokens, "chunk.fixed_overlap must be below fixed_tokens", (chunk.fixed_overlap, chunk.fixed_tokens)),
        (list(groups) == sorted(groups), "summarize.group_min <= group_size <= group_max must hold", groups),
        (0 < gates[0] <= gates[1], "govern.hold_confidence must be above 0 and at most accept_confidence", gates),
        *(
            (abs(sum(pair) - 1) < 1e-9, f"pank.alpha_{scope} and beta_{scope} must sum to 1", pair)
            for scope, pair in (("specific", (pank.alpha_specific, pank.beta_specific)), ("abstract", (pank.alpha_abstract, pank.beta_abstract)))
        ),
        (cluster.max_leaf <= cluster.max_upper, "cluster.max_leaf must be at most max_upper", (cluster.max_leaf, cluster.max_upper)),
    ]
    for holds, words, values in [*checks, *_chat_checks(settings.chat)]:
        if not holds:
            raise SettingsError(f"{_place_of(words, path)}: {words}, not {', '.join(map(_shown, values))}.")


def _place_of(words: str, path: Path) -> str:
    """Where the fields stand that a check speaks of: the variables that set some of them, else the file."""
    section = words.removeprefix("[[").partition(".")[0].upper()
    named = {f"PAGERAG_{section}_{key.upper()}" for key in re.findall(r"\w+", words)}
    variables = sorted(named & set(os.environ))
    return f"the environment ({', '.join(variables)})" if variables else str(path)


def _chat_checks(chat: ChatSettings) -> list[tuple[bool, str, tuple[Any, ...]]]:
    """Whether a server can be asked with these settings; a key in an address is not shown."""
    models = sorted({chat.model_of(role) for role in ROLES})
    priced = [price.model for price in chat.prices]
    unpriced = [model for model in models if chat.max_usd and model not in priced]
    named = ("a server" if chat.base_url else "no server", chat.model or "no model")
    ends = (chat.backoff_seconds, chat.backoff_most)
    return [
        (not chat.base_url or bool(_ADDRESS.fullmatch(chat.base_url)), f"chat.base_url must be like http://127.0.0.1:11434/v1, {_NO_SECRETS}", (...,)),
        (bool(chat.base_url) == bool(chat.model), "chat.base_url and chat.model must both be set, or neither", named),
        (chat.reply_tokens < chat.context_tokens, "chat.reply_tokens must be below context_tokens", (chat.reply_tokens, chat.context_tokens)),
        (ends[0] <= ends[1], "chat.backoff_seconds must be at most backoff_most", ends),
        (len(set(priced)) == len(priced) and "" not in priced, "[[chat.prices]] must name each model once", tuple(priced)),
        (not unpriced, f"chat.max_usd must be 0 unless [[chat.prices]] names {', '.join(unpriced)}", (chat.max_usd,)),
    ]


_ADDRESS = re.compile(r"https?://[^\s/@?#]+(/[^\s@?#]*)?")
_NO_SECRETS = "without user, password or query (a key belongs into the environment)"
