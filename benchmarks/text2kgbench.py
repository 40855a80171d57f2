"""Text2KGBench as relations.py reads it: its ontologies in our form, its sentences with gold triples."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Ends = tuple[str, ...]


def ontology_toml(given: dict[str, Any]) -> str:
    """A published ontology in our form: types by name, and per relation its domain and range, nothing more."""
    types = {c["label"] for c in given["concepts"]} | {r[end] for r in given["relations"] for end in ("domain", "range") if r[end]}
    lines = [f"types = {json.dumps(sorted(types))}", "[predicates]"]
    for relation in {r["label"]: r for r in given["relations"]}.values():
        row = {"label": relation["label"], "head": relation["domain"] or "any", "tail": relation["range"] or "any"}
        lines.append(f"{json.dumps(relation['label'])} = {{ {', '.join(f'{key} = {json.dumps(value)}' for key, value in row.items())} }}")
    return "\n".join(lines)


def read_sentences(path: Path) -> Iterator[tuple[str, str, tuple[tuple[Ends, str, Ends], ...]]]:
    """Id, text and gold triples of each sentence; every end has one name."""
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield row["id"], row["sent"], tuple(((t["sub"],), t["rel"], (t["obj"],)) for t in row["triples"])
