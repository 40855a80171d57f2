"""The mark of the latest successful refresh: which state of the corpus folder it saw. A sensor compares with it."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

REFRESHED_FILE = "refreshed.json"


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What the latest successful refresh saw and left."""

    corpus_digest: str
    """`corpus.corpus_digest` of the listing; moves with sizes and times of change."""
    generation: str
    """The generation that was current at its end."""
    finished: str
    """UTC, ISO 8601."""
    warnings: tuple[str, ...] = ()
    """What people should know of what they wrote in `governance.toml`, in words."""


def write_refreshed(home: Path, mark: Refreshed) -> None:
    """Replace the mark of a home atomically."""
    temporary = home / f"{REFRESHED_FILE}.new"
    temporary.write_text(json.dumps(asdict(mark)), encoding="utf-8")
    temporary.replace(home / REFRESHED_FILE)


def read_refreshed(home: Path) -> Refreshed | None:
    """The mark of a home, None before the first successful refresh."""
    try:
        found = json.loads((home / REFRESHED_FILE).read_text(encoding="utf-8"))
        return Refreshed(**{**found, "warnings": tuple(found.get("warnings", ()))})
    except (OSError, ValueError, TypeError, AttributeError):
        return None
