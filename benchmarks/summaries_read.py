"""What the comparison of summaries reads: documents as the leaves of their tree, with sentences and names, and the summaries that people wrote.

Documents are parsed, profiled, cut and tagged by the package's own verbs and settings; what was read is kept under `--work` and read from there
while their versions stand.
"""

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import corpora

from pagerag_pipeline import lexical
from pagerag_pipeline.indexing import chunk, parse, profile
from pagerag_pipeline.indexing.chunk import chunk_document
from pagerag_pipeline.indexing.parse import parse_file
from pagerag_pipeline.indexing.profile import profile_document
from pagerag_pipeline.indexing.summarize import SummaryPart
from pagerag_pipeline.models.embedder import load_tokenizer
from pagerag_pipeline.models.tagger import load_tagger, tagger_fingerprint
from pagerag_pipeline.schema.documents import Span
from pagerag_pipeline.schema.ids import digest
from pagerag_pipeline.settings import Settings, slice_digest

SETS = ("squality", "literaryqa")
PLOT = "What is the plot of the story?"
MENTIONS = 3
"""An entity that a summary should name is named at least so often."""
BUNDLED = corpora.ROOT / "data" / "corpus"
NO_ENTITY = frozenset({"CARDINAL", "DATE", "MONEY", "ORDINAL", "PERCENT", "QUANTITY", "TIME"})


@dataclass(frozen=True, slots=True)
class Read:
    """A document as it is summarized, and what its summary is held against."""

    name: str
    leaves: tuple[SummaryPart, ...]
    entities: tuple[tuple[str, ...], ...]
    """The words of each name with at least MENTIONS mentions."""
    references: tuple[str, ...]


def read(data: str, work: Path) -> list[Read]:
    """The documents of a set in order of their names."""
    references = _references(data)
    settings = Settings()
    code = digest(parse.VERSION, profile.VERSION, chunk.VERSION, lexical.VERSION, tagger_fingerprint(settings.extract), slice_digest(settings.chunk))
    path = work / "tagged" / f"{data}-{code[:8]}.jsonl"
    if not path.exists():
        lines = [_tagged(name, text) for name, text in sorted(_texts(data).items()) if name in references]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")
    return [_read(line, references[line["name"]]) for line in _lines(path)]


def chosen_on(name: str) -> bool:
    """Whether a document is of the half that choices are made on; the other half is reported."""
    return int(digest("summaries", name), 16) % 2 == 0


def _references(data: str) -> dict[str, tuple[str, ...]]:
    if data == "bundled":
        return dict.fromkeys(_texts(data), ())
    folder = corpora.eval_folder() / data
    if data == "squality":
        asked = _lines(folder / "questions.jsonl")
        return {one["doc_ids"][0]: tuple(one["answers"]) for one in asked if one["question"] == PLOT}
    return {one["doc_id"]: (one["summary"],) for one in _lines(folder / "summaries.jsonl")}


def _texts(data: str) -> dict[str, str]:
    if data == "bundled":
        return {path.stem: path.read_text(encoding="utf-8") for path in BUNDLED.rglob("*.md")}
    folder = corpora.eval_folder()
    if data == "squality":
        return {one["doc_id"]: one["text"] for one in _lines(folder / data / "docs.jsonl")}
    return {one["doc_id"]: (folder / one["file"]).read_text(encoding="utf-8") for one in _lines(folder / "books" / "books.jsonl")}


def _tagged(name: str, text: str) -> dict[str, Any]:
    settings = Settings()
    (document,) = parse_file(f"{name}.txt", text.encode(), settings.parse).documents
    told = profile_document(document, settings.profile)
    cut = chunk_document(document, told, load_tokenizer(settings.embed), settings.chunk)
    chunks = [one for one in cut if one.kind == "chunk"]
    tagged = load_tagger(settings.extract).tag([one.text for one in chunks], told.language)
    names = Counter(
        " ".join(lexical.words(whole.text[one.start : one.end]))
        for whole, found in zip(chunks, tagged, strict=True)
        for one in found.names
        if one.label not in NO_ENTITY
    )
    leaves = [
        {"content": whole.content_id, "text": whole.text, "sentences": [(one.start, one.end) for one in found.sentences]}
        for whole, found in zip(chunks, tagged, strict=True)
    ]
    return {"name": name, "leaves": leaves, "names": sorted(names.items())}


def _read(line: dict[str, Any], references: tuple[str, ...]) -> Read:
    leaves = [SummaryPart(one["content"], one["text"], tuple(Span(*span) for span in one["sentences"])) for one in line["leaves"]]
    entities = [tuple(name.split()) for name, mentions in line["names"] if mentions >= MENTIONS and name]
    return Read(line["name"], tuple(leaves), tuple(entities), references)


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
