"""`governance.toml` of a home: what people decided, as they wrote it. What it means is read in `indexing.overrides`."""

from pathlib import Path

GOVERNANCE_FILE = "governance.toml"


def governance_text(home: Path) -> str:
    """The text of the file, empty when there is none; bytes that are not UTF-8 stand as replacement characters, which no name has."""
    try:
        return (home / GOVERNANCE_FILE).read_bytes().decode("utf-8-sig", errors="replace")
    except FileNotFoundError:
        return ""
