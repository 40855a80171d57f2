"""Documents of a published generation by the names that people use, and shown whole; needs neither models nor the work file."""

import difflib
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pagerag_pipeline.settings import Settings
from pagerag_pipeline.stores.published import opened

NEAR_MATCHES = 5

_DOCUMENT = "SELECT document, title, text FROM data.documents WHERE document = ?"
_PROFILE = "SELECT form, form_confidence, mode, mode_confidence, topics, language, boundary, features, source FROM data.profiles WHERE document = ?"
_SECTIONS = "SELECT title, kind, level, start_at, end_at FROM data.sections WHERE document = ? ORDER BY ordinal"


class UnknownDocument(ValueError):
    """A name that no document, or more than one, answers to; the message names near matches."""


def resolve_name(name: str, documents: Sequence[str]) -> str:
    """The one document that a name means: its id, the part after `#`, or an unambiguous end of its path.

    Raises UnknownDocument, naming near matches.
    """
    matches = matching_documents(name, documents)
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise UnknownDocument(f"{name!r} means more than one document: {', '.join(matches[:NEAR_MATCHES])}. Give more of its path.")
    near = _near(name, documents)
    hint = f" Near: {', '.join(near)}." if near else ""
    raise UnknownDocument(f"No document {name!r} is indexed.{hint}")


def show_document(home: Path, settings: Settings, name: str) -> dict[str, Any]:
    """One document of the current generation: `document`, `title`, `text`, `profile` and `sections`, as `pagerag show document --json` prints.

    Offsets are character offsets into `text`. Raises NoIndex, UnknownDocument.
    """
    with opened(home, settings) as (tables, generation):
        known = [row[0] for row in tables.rows("SELECT document FROM data.documents ORDER BY document")]
        document, title, text = tables.rows(_DOCUMENT, [resolve_name(name, known)])[0]
        profiles = tables.rows(_PROFILE, [document])
        sections = tables.rows(_SECTIONS, [document])
    return {
        "document": document,
        "title": title,
        "text": text,
        "profile": _profile(profiles[0]) if profiles else None,
        "sections": [dict(zip(("title", "kind", "level", "start", "end"), row, strict=True)) for row in sections],
        "generation": generation,
    }


def _profile(row: tuple[Any, ...]) -> dict[str, Any]:
    form, form_confidence, mode, mode_confidence, topics, language, boundary, features, source = row
    return {
        "form": form,
        "form_confidence": form_confidence,
        "mode": mode,
        "mode_confidence": mode_confidence,
        "topics": json.loads(topics),
        "language": language,
        "boundary": json.loads(boundary),
        "features": json.loads(features),
        "source": source,
    }


def matching_documents(name: str, documents: Sequence[str]) -> list[str]:
    """All documents that a name may mean: the one of that id, else those whose part after `#` it is, else those whose path ends in it."""
    if name in documents:
        return [name]
    inner = [document for document in documents if document.partition("#")[2] == name]
    return inner or [document for document in documents if document.endswith("/" + name.lstrip("/"))]


def _near(name: str, documents: Sequence[str]) -> list[str]:
    wanted = re.split(r"[/#]", name)[-1].casefold()
    lasts = {document: re.split(r"[/#]", document)[-1].casefold() for document in documents}
    inside = [document for document, last in lasts.items() if wanted and wanted in last]
    if inside:
        return inside[:NEAR_MATCHES]
    close = set(difflib.get_close_matches(wanted, sorted(set(lasts.values())), n=NEAR_MATCHES))
    return [document for document, last in lasts.items() if last in close][:NEAR_MATCHES]
