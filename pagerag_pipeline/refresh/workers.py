"""What runs inside a worker: a batch of plain tasks in, `UnitResult`s out. No store is opened here; models are loaded once a process.

A task that fails gives a result with an error, never an exception that loses its neighbors.
"""

import json
import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from pagerag_pipeline.indexing.chunk import chunk_document
from pagerag_pipeline.indexing.entity_passages import partition_chunk
from pagerag_pipeline.indexing.extract import extract_chunks
from pagerag_pipeline.indexing.extraction.records import bound_records
from pagerag_pipeline.indexing.govern import gate_units
from pagerag_pipeline.indexing.ontology import load_ontology
from pagerag_pipeline.indexing.parse import parse_file
from pagerag_pipeline.indexing.profile import profile_document
from pagerag_pipeline.indexing.report import Binding, Bond, MemberEvidence, report_community
from pagerag_pipeline.indexing.row_records import row_records
from pagerag_pipeline.indexing.summarize import SummaryPart, quoted_parts, summarize_texts
from pagerag_pipeline.indexing.table_rows import table_rows
from pagerag_pipeline.models.embedder import agree_on, load_embedder, load_tokenizer
from pagerag_pipeline.models.tagger import load_tagger
from pagerag_pipeline.refresh.embedding import Embedding
from pagerag_pipeline.schema.documents import Block, ParsedDocument, Profile, Section, Span
from pagerag_pipeline.schema.ids import digest
from pagerag_pipeline.schema.knowledge import Extraction, Quote, Summary, TableRow, Term, Unit
from pagerag_pipeline.schema.protocols import Embedder, Tagger, Tokenizer
from pagerag_pipeline.settings import Settings
from pagerag_pipeline.stores import rows
from pagerag_pipeline.stores.work import UnitResult

LOGGER = logging.getLogger(__name__)
Task = dict[str, Any]


class _Own(threading.local):
    """What a thread works with: two homes that are refreshed in one process share neither settings nor models."""

    def __init__(self) -> None:
        self.settings = Settings()
        self.ontology = ""
        self.gone = ""
        self.embedder = lru_cache(maxsize=1)(load_embedder)
        self.tokenizer = lru_cache(maxsize=2)(load_tokenizer)
        self.tagger = lru_cache(maxsize=2)(load_tagger)


_own = _Own()


def start(settings: Settings, ontology_text: str = "", mark: Sequence[float] = ()) -> None:
    """Make known to this thread the settings, the home's ontology (empty for the shipped one) and the mark of an embedder behind a server; models load when first asked for."""
    _own.settings = settings
    _own.ontology = ontology_text
    _own.gone = ""
    agree_on(settings.embed, mark)


def _embedder() -> Embedder:
    return _own.embedder(_own.settings.embed)


def _tokenizer() -> Tokenizer:
    return _own.tokenizer(_own.settings.embed)


def _tagger() -> Tagger:
    return _own.tagger(_own.settings.extract)


def load_models(_: Any = None) -> None:
    """Load every model now, so that a measurement can leave it out."""
    _embedder()
    _tokenizer()
    _tagger()


def parse_batch(tasks: Sequence[Task]) -> list[UnitResult]:
    """Parse files: tasks with `key`, `path`, `data`; those without data are known already and give no result."""

    def one(task: Task) -> dict[str, list[tuple[Any, ...]]]:
        return rows.parsed_rows(task["key"], parse_file(task["path"], task["data"], _own.settings.parse))

    return [_guarded(task, one) for task in tasks if task["data"] is not None]


def profile_batch(tasks: Sequence[Task]) -> list[UnitResult]:
    """Profile documents."""

    def one(task: Task) -> dict[str, list[tuple[Any, ...]]]:
        return rows.profile_rows(task["key"], profile_document(_document(task), _own.settings.profile))

    return [_guarded(task, one) for task in tasks]


def chunk_batch(tasks: Sequence[Task]) -> list[UnitResult]:
    """Cut documents."""

    def one(task: Task) -> dict[str, list[tuple[Any, ...]]]:
        document, profile = _document(task), _profile(task)
        chunks = chunk_document(document, profile, _tokenizer(), _own.settings.chunk)
        found = table_rows(document, profile.sections, chunks)
        return {**rows.chunk_rows(task["key"], chunks), **rows.table_row_rows(task["key"], found)}

    return [_guarded(task, one) for task in tasks]


def embed_batch(tasks: Sequence[Task]) -> list[UnitResult]:
    """Embed texts: tasks with `key`, `context`, `text`."""
    embedding = Embedding(_embedder(), _own.settings.embed, _own.gone)
    results = embedding.results(tasks)
    _own.gone = embedding.gone
    return results


def extract_batch(tasks: Sequence[Task]) -> list[UnitResult]:
    """Extract from chunks: tasks with `key`, `text`, `language`, `mode`; tagged together by language and mode."""
    results: dict[str, UnitResult] = {}
    for language, mode in sorted({(task["language"], task["mode"]) for task in tasks}):
        group = [task for task in tasks if (task["language"], task["mode"]) == (language, mode)]
        results.update((result.key, result) for result in _extract_group(group, language, mode))
    return [results[task["key"]] for task in tasks]


def _extract_group(tasks: Sequence[Task], language: str, mode: Any) -> list[UnitResult]:
    def extract(some: Sequence[Task]) -> list[UnitResult]:
        begun = time.perf_counter()
        texts = [task["text"] for task in some]
        extractions = extract_chunks(texts, _tagger(), language=language, mode=mode, ontology=load_ontology(_own.ontology))
        seconds = (time.perf_counter() - begun) / len(some)
        built = [_extraction_rows(task, one) for task, one in zip(some, extractions, strict=True)]
        return [UnitResult(t["key"], _output(t["key"], b), b, seconds) for t, b in zip(some, built, strict=True)]

    try:
        return extract(tasks)
    except Exception:
        LOGGER.warning("A batch of %d chunks failed as a whole; each is tried alone.", len(tasks), exc_info=True)
    return [_guarded_result(task, lambda one: extract([one])[0]) for task in tasks]


def _extraction_rows(task: Task, extraction: Extraction) -> rows.Rows:
    kept, unbound = bound_records(task["text"], extraction.records)
    return rows.extraction_rows(task["key"], replace(extraction, records=tuple(kept)), unbound)


def read_rows_batch(tasks: Sequence[Task]) -> list[UnitResult]:
    """Read the table rows of chunks: tasks with `key`, `text`, `rows`."""
    ontology = load_ontology(_own.ontology)

    def one(task: Task) -> rows.Rows:
        given = [
            TableRow(**{**row, "header": tuple(json.loads(row["header"])), "dimensions": tuple(json.loads(row["dimensions"]))})
            for row in task["rows"]
        ]
        read = row_records(task["text"], given, ontology)
        tallies = {"rows": read.rows, "ragged": read.ragged, "unnamed": read.unnamed, "unbound": read.unbound}
        return rows.record_rows(task["key"], read.records, tallies)

    return [_guarded(task, one) for task in tasks]


def partition_batch(tasks: Sequence[Task]) -> list[UnitResult]:
    """Part chunks into passages around one entity: tasks with `key`, `text` and `terms`, the names found in it (None when there are none)."""

    def one(task: Task) -> rows.Rows:
        terms = [Term(**term) for term in task["terms"] or ()]
        passages = partition_chunk(task["text"], terms, _tokenizer(), _own.settings.partition)
        return rows.entity_passage_rows(task["key"], task["text"], passages)

    return [_guarded(task, one) for task in tasks]


def gate_batch(tasks: Sequence[Task]) -> list[UnitResult]:
    """Pass the units of chunks through the gates: tasks with `key`, `text`, `units`."""
    ontology = load_ontology(_own.ontology)

    def one(task: Task) -> dict[str, list[tuple[Any, ...]]]:
        units = [Unit(**unit) for unit in task["units"]]
        return rows.gate_rows(task["key"], gate_units(task["text"], units, ontology=ontology, settings=_own.settings.govern))

    return [_guarded(task, one) for task in tasks]


def summarize_batch(tasks: Sequence[Task]) -> list[UnitResult]:
    """Summarize groups: tasks with `key` and `parts`, chunks with their sentences or child summaries with their quotes."""

    def one(task: Task) -> dict[str, list[tuple[Any, ...]]]:
        parts = [part for given in task["parts"] for part in _summary_parts(given)]
        return rows.summary_rows(task["key"], summarize_texts(parts, _tokenizer(), _own.settings.summarize))

    return [_guarded(task, one) for task in tasks]


def report_batch(tasks: Sequence[Task]) -> list[UnitResult]:
    """Report on communities: tasks with `key`, `members`, the `bonds` between them and the `places` that those stand on."""

    def one(task: Task) -> dict[str, list[tuple[Any, ...]]]:
        members = [
            MemberEvidence(m["entity_id"], m["name"], float(m["weight"]), tuple(Quote(**q) for q in m["quotes"])) for m in task["members"]
        ]
        binding = Binding(tuple(Bond(**bond) for bond in task["bonds"]), task["places"])
        return rows.report_rows(task["key"], report_community(members, _tokenizer(), _own.settings.summarize, binding=binding))

    return [_guarded(task, one) for task in tasks]


def _summary_parts(given: dict[str, Any]) -> list[SummaryPart]:
    if given["text"] is not None:
        sentences = tuple(Span(s["start"], s["end"]) for s in given["sentences"] or ())
        return [SummaryPart(given["ref"].partition(":")[2], given["text"], sentences)]
    if given["quotes"] is None:
        raise ValueError(f"the summary below, {given['ref']}, is missing")
    quotes = tuple(Quote(**quote) for quote in json.loads(given["quotes"]))
    return quoted_parts([Summary("", quotes)])


def _guarded(task: Task, one: Callable[[Task], dict[str, list[tuple[Any, ...]]]]) -> UnitResult:
    begun = time.perf_counter()

    def whole(task: Task) -> UnitResult:
        built = one(task)
        return UnitResult(task["key"], _output(task["key"], built), built, time.perf_counter() - begun)

    return _guarded_result(task, whole)


def _guarded_result(task: Task, whole: Callable[[Task], UnitResult]) -> UnitResult:
    try:
        return whole(task)
    except Exception as error:
        LOGGER.warning("A unit failed: %s: %s", type(error).__name__, error, exc_info=True)
        return UnitResult(task["key"], "", {}, error=f"{type(error).__name__}: {error}")


def _output(key: str, built: dict[str, list[tuple[Any, ...]]]) -> str:
    return digest(*(repr((table, [row[1:] for row in built[table]])) for table in sorted(built)))


def _document(task: Task) -> ParsedDocument:
    blocks = tuple(Block(*block) for block in json.loads(task["blocks"]))
    metadata = tuple((str(name), str(value)) for name, value in json.loads(task["metadata"]))
    return ParsedDocument("", task["title"], task["text"], blocks, metadata)


def _profile(task: Task) -> Profile:
    sections = tuple(
        Section(ordinal=i, **{**section, "path": tuple(json.loads(section["path"]))})
        for i, section in enumerate(json.loads(task["sections"] or "[]"))
    )
    return Profile("", 0.0, task["mode"], 0.0, (), task["language"], (), (), sections)
