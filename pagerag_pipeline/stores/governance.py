"""What people decided for a home, as they wrote it: `governance.toml`, read in `indexing.overrides`, and `ontology.toml`, in `indexing.ontology`."""

from pathlib import Path

GOVERNANCE_FILE = "governance.toml"
ONTOLOGY_FILE = "ontology.toml"


def governance_text(home: Path) -> str:
    """The text of the file, empty when there is none; bytes that are not UTF-8 stand as replacement characters, which no name has."""
    return _text(home / GOVERNANCE_FILE)


def ontology_text(home: Path) -> str:
    """The text of the file that replaces the shipped ontology, empty when there is none; bytes that are not UTF-8 as above."""
    return _text(home / ONTOLOGY_FILE)


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig", errors="replace")
    except FileNotFoundError:
        return ""
