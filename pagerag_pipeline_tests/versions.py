"""The source behind each VERSION, as a digest: what a verb's output can depend on, found by following names from where it starts.

`python -m pagerag_pipeline_tests.versions` writes the table anew: run it after a VERSION was bumped, or when the output is the same as before.
"""

import ast
import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TABLE = Path(__file__).with_name("versions.json")
PACKAGE = "pagerag_pipeline"
COMMAND = f"python -m {PACKAGE}_tests.versions"

OWN_VERSION = ("lexical", "fields", "indexing.table_rows", "settings", "models.embedder", "models.tagger", "models.rules_tagger", "refresh.session", "stores.tables", "stores.work")
"""Modules at which following ends: what of them shapes an output stands in code versions by itself (VERSION, slice digest, fingerprint), or shapes none."""

SHAPES_NOTHING = ("refresh.workers:_own",)
"""What every worker reaches and no output shows: the holder of settings and models."""

STARTS = {
    "indexing.parse:VERSION": ["refresh.workers:parse_batch"],
    "indexing.profile:VERSION": ["refresh.workers:profile_batch", "stores.wanted:PAYLOAD[document_profiles]"],
    "indexing.chunk:VERSION": ["refresh.workers:chunk_batch", "stores.wanted:PAYLOAD[chunks]"],
    "indexing.embed:VERSION": ["refresh.workers:embed_batch", "stores.wanted:PAYLOAD[chunk_embeddings]"],
    "indexing.extract:VERSION": ["refresh.workers:extract_batch", "stores.wanted:PAYLOAD[entity_records]"],
    "indexing.table_rows:VERSION": ["indexing.table_rows:table_rows"],
    "indexing.row_records:VERSION": ["refresh.workers:read_rows_batch", "stores.entity_rows:PAYLOAD[row_records]"],
    "indexing.entity_passages:VERSION": ["refresh.workers:partition_batch", "stores.entity_rows:PAYLOAD[entity_passages]"],
    "indexing.govern:VERSION": ["refresh.workers:gate_batch", "stores.wanted:PAYLOAD[unit_gates]", "indexing.align:align_names", "refresh.peopling:with_people", "indexing.overrides:parse_overrides"],
    "indexing.asking.profile:VERSION": ["refresh.asking_units:profile_unit", "stores.asked:ASKED_PAYLOAD[document_profiles]"],
    "indexing.asking.extract:VERSION": ["refresh.asking_units:extract_unit", "stores.asked:ASKED_PAYLOAD[entity_records]"],
    "indexing.asking.partition:VERSION": ["refresh.asking_units:partition_unit", "stores.asked:ASKED_PAYLOAD[entity_passages]"],
    "indexing.asking.records:VERSION": ["refresh.asking_units:records_unit", "stores.asked:ASKED_PAYLOAD[passage_records]"],
    "indexing.asking.summarize:VERSION": ["refresh.asking_units:summary_unit", "stores.asked:ASKED_PAYLOAD[summaries]"],
    "indexing.asking.describe:VERSION": ["refresh.asking_units:description_unit", "stores.description_rows:stage_entities", "stores.description_rows:WANTED"],
    "indexing.asking.report:VERSION": ["refresh.asking_units:report_unit", "stores.asked:ASKED_PAYLOAD[reports]"],
    "indexing.cluster:VERSION": ["indexing.cluster:cluster", "stores.community_rows:weighted_edges", "stores.community_rows:write_communities"],
    "indexing.report:VERSION": ["refresh.workers:report_batch", "stores.community_rows:REPORT_PAYLOAD", "stores.community_rows:stage_evidence", "stores.community_rows:write_reports"],
    "indexing.summarize:VERSION": ["refresh.workers:summarize_batch", "stores.tree_rows:PAYLOAD"],
    "indexing.tree:VERSION": ["refresh.summary_tree:plan", "stores.tree_rows:write_tree"],
    "fields:VERSION": ["fields:field_name", "fields:broad_field"],
    "lexical:VERSION": ["lexical:terms", "lexical:name_key"],
    "models.embedder:_VERSION": ["models.embedder:load_embedder"],
    "models.embedder:_TOKENIZER_VERSION": ["models.embedder:load_tokenizer"],
    "models.chat.client:_VERSION": ["models.chat.client:_messages", "models.chat.client:_judged", "models.chat.dialects:body_of"],
    "models.tagger:tagger_fingerprint": ["models.tagger:SpacyTagger"],
    "models.rules_tagger:FINGERPRINT": ["models.rules_tagger:RulesTagger"],
    "stores.knowledge:VERSION": ["stores.knowledge:assemble", "stores.knowledge:stage_units", "stores.knowledge:alignment_inputs", "stores.knowledge:consolidate"],
    "stores.shape:VERSION": ["indexing.shape:graph_shape", "stores.shape:numbered", "stores.shape:write_shape", "refresh.shape:MOST_CLUSTERED"],
    "stores.handles:VERSION": ["stores.handles:write_handles", "stores.handles:WANTED"],
    "stores.export:VERSION": ["stores.export:export_generation"],
}
"""Where each version stands, and where the source that it speaks for starts."""


_VALUE = re.compile(r"[a-z_]+/[0-9]+")


@dataclass(frozen=True)
class Module:
    """A module's top-level statements by the names they give, and what its imports of the package mean, as (module, name)."""

    folder: Path
    given: dict[str, list[ast.stmt]]
    imported: dict[str, tuple[str, str]]


@cache
def sources(root: Path = ROOT) -> dict[str, dict[str, str]]:
    """The version that stands in the source now, and the digest of the source it speaks for, by version."""
    return {version: {"version": _value(root, version), "source": source_digest(root, version)} for version in STARTS}


def source_digest(root: Path, version: str) -> str:
    """Digest of all definitions that a version's starts reach, without comments, docstrings and the versions themselves."""
    open_names = list(STARTS[version])
    stops = set(OWN_VERSION) - {one.partition(":")[0] for one in (version, *open_names)}
    reached: dict[str, str] = {}
    while open_names:
        at = open_names.pop()
        module, _, name = at.partition(":")
        if at not in reached and module not in stops and at not in STARTS and at not in SHAPES_NOTHING:
            reached[at], more = _definition(root, module, name)
            open_names += more
    return hashlib.sha256("\n".join(f"{at} {text}" for at, text in sorted(reached.items())).encode()).hexdigest()[:16]


@cache
def _definition(root: Path, module: str, name: str) -> tuple[str, list[str]]:
    """The text of what a name stands for in a module, and the names of the package that it uses; `name[key]` is an entry of a dictionary."""
    read = _module(root, module)
    name, _, key = name.partition("[")
    if read is None or name not in read.given:
        return "", [":".join(read.imported[name])] if read and name in read.imported else []
    nodes = [_entry(one, key.removesuffix("]")) if key else one for one in read.given[name]]
    files = [hashlib.sha256(file.read_bytes()).hexdigest() for node in nodes for file in _files(node, read.folder)]
    return repr([*map(_plain, nodes), *files]), [one for node in nodes for one in _used(root, node, module)]


def _used(root: Path, node: ast.AST, module: str) -> Iterator[str]:
    read = _module(root, module)
    assert read is not None
    for one in ast.walk(node):
        if isinstance(one, ast.Name) and one.id in read.given:
            yield f"{module}:{one.id}"
        elif isinstance(one, ast.Name) and one.id in read.imported:
            yield ":".join(read.imported[one.id])
        elif isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name) and one.value.id in read.imported:
            yield f"{'.'.join(filter(None, read.imported[one.value.id]))}:{one.attr}"


@cache
def _module(root: Path, name: str) -> Module | None:
    path = root / PACKAGE / f"{name.replace('.', '/')}.py"
    if not path.is_file():
        return None
    tree = ast.parse(path.read_text(encoding="utf-8"))
    given: dict[str, list[ast.stmt]] = {}
    for statement in tree.body:
        for one in _names(statement):
            given.setdefault(one, []).append(statement)
    imports = [one for one in ast.walk(tree) if isinstance(one, ast.ImportFrom) and one.module and one.module.partition(".")[0] == PACKAGE]
    imported = {alias.asname or alias.name: (str(one.module).partition(".")[2], alias.name) for one in imports for alias in one.names}
    return Module(path.parent, given, imported)


def _names(statement: ast.stmt) -> set[str]:
    """The names that a top-level statement gives, or, a loop or a call, touches."""
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return set()
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return {statement.name}
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target] if isinstance(statement, ast.AnnAssign) else [statement]
    return {node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)}


def _entry(statement: ast.stmt, key: str) -> ast.AST:
    entries = [pair for node in ast.walk(statement) if isinstance(node, ast.Dict) for pair in zip(node.keys, node.values, strict=True)]
    return next(value for name, value in entries if isinstance(name, ast.Constant) and name.value == key)


def _files(node: ast.AST, folder: Path) -> list[Path]:
    """Data files below a module's folder that it names; the `.toml` of ontology and lexicon are not among them, for fingerprints tell those."""
    texts = {one.value for one in ast.walk(node) if isinstance(one, ast.Constant) and isinstance(one.value, str)}
    names = {text for text in texts if text.endswith((".json", ".txt"))}
    return sorted(path for path in folder.rglob("*") if path.name in names) if names else []


def _plain(node: Any) -> Any:
    """A syntax tree as values that no version of Python writes otherwise: without docstrings, places and empty fields."""
    if isinstance(node, list):
        return [_plain(one) for one in node if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))]
    if not isinstance(node, ast.AST):
        return node
    fields = {name: _plain(value) for name, value in ast.iter_fields(node) if name not in ("ctx", "kind", "type_comment")}
    return (type(node).__name__, *((name, value) for name, value in fields.items() if value is not None and value != []))


def _value(root: Path, at: str) -> str:
    module, _, name = at.partition(":")
    read = _module(root, module)
    assert read is not None, at
    texts = [one.value for one in ast.walk(read.given[name][0]) if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    return next(text for text in texts if _VALUE.fullmatch(text))


if __name__ == "__main__":
    TABLE.write_text(json.dumps(sources(), indent=1) + "\n", encoding="utf-8")
