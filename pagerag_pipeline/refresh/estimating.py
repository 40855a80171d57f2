"""What a refresh would spend on chat models, told before it starts: units counted from the memory and the corpus, their cost from earlier runs or sizes."""

import contextlib
import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pagerag_pipeline.indexing.chunk import chunk_document
from pagerag_pipeline.indexing.parse import parse_file
from pagerag_pipeline.indexing.profile import profile_document
from pagerag_pipeline.models.embedder import load_tokenizer
from pagerag_pipeline.refresh import codes, documents, summary_tree
from pagerag_pipeline.refresh.asked import ASKED, is_asked
from pagerag_pipeline.refresh.estimate_notes import Reckoned, notes
from pagerag_pipeline.refresh.expecting import Expected, expect
from pagerag_pipeline.refresh.starting import present_folder
from pagerag_pipeline.schema.ids import digest
from pagerag_pipeline.settings import Settings
from pagerag_pipeline.stores import asked, community_rows, description_rows, scan, tree_rows, work
from pagerag_pipeline.stores.corpus import CorpusError, list_corpus, read_file
from pagerag_pipeline.stores.generations import standing_name
from pagerag_pipeline.stores.governance import ontology_text
from pagerag_pipeline.stores.looking import work_looked_at
from pagerag_pipeline.stores.tables import Tables
from pagerag_pipeline.stores.wanted import WANTED

_REPORTS = (0.15, 0.5)
"""Reports a chunk that the graph does not know yet, fewest and most: a novel had 33 of 233 chunks by rules and 77 of 222 by a scripted model (benchmarks);
a model that names more makes more (the most is chosen)."""
_CHARACTERS = 4
"""Characters a token, about, in what is said of entities (chosen)."""


@dataclass(frozen=True, slots=True)
class _Home:
    """A home that is looked at."""

    home: Path
    settings: Settings
    tables: Tables
    ontology: str


@dataclass(slots=True)
class _New:
    """What files to be read hold that no memory knows."""

    documents: int = 0
    chunks: int = 0
    characters: int = 0
    summaries: int = 0


_Size = tuple[int, int]
"""Units and their characters."""


def estimate(home: Path, settings: Settings) -> dict[str, Any]:
    """Calls, tokens and dollars by stage, each as least and most; `units` are counted, not guessed, where what they read stands already.

    `known` says whether a stage's figures rest on earlier runs. Nothing is written. Raises locks.Held and CorpusGuard.
    """
    names = [name for name in ASKED if is_asked(name, settings)]
    folder = present_folder(home, settings)
    with work_looked_at(home, settings.store) as tables:
        look = _Home(home, settings, tables, ontology_text(home))
        new = _new(look, folder) if names else _New()
        sizes = _sizes(look, names, new)
        stages = {name: expect(tables, settings, name, least).up_to(expect(tables, settings, name, most)) for name, (least, most) in sizes.items()}
    apart = frozenset(name for name, (least, most) in sizes.items() if least != most)
    models = {name: settings.chat.model_of(ASKED[name].role) for name in names}
    total = sum(stages.values(), Expected(0, (0, 0), (0, 0), (0, 0), (0.0, 0.0), True))
    return {
        "stages": [{"stage": name, "model": models[name], **asdict(one)} for name, one in stages.items()],
        "total": asdict(total),
        "unpriced": sorted({model for model in models.values() if settings.chat.price_of(model) is None}),
        "notes": [
            *([f"{new.documents:,} documents are new or changed: {new.chunks:,} new chunks in them."] if new.documents else []),
            *notes(home, settings, Reckoned(stages, models, apart)),
        ],
    }


def _sizes(look: _Home, names: list[str], new: _New) -> dict[str, tuple[_Size, _Size]]:
    """Units and characters by stage, the fewest and the most: those open among what stands, and those of what is new."""
    chunks = _open(look, "entity_records") if "entity_records" in names else (0, 0)
    unread = _uncut(look)
    found: dict[str, tuple[_Size, _Size]] = {}
    for name in names:
        if name == "document_profiles":
            found[name] = _profiles(look, new)
        elif name == "summaries":
            units = _summaries_open(look) + new.summaries + unread.summaries
            found[name] = ((units, units * tree_rows.CHILD * look.settings.summarize.group_size),) * 2
        elif name == "descriptions":
            found[name] = (_descriptions_open(look),) * 2
        elif name == "reports":
            unknown = chunks[0] + new.chunks + unread.chunks + _bound_since(look)
            least, most = (max(_reports_open(look), math.ceil(share * unknown)) for share in _REPORTS)
            found[name] = ((least, 0), (most, 0))
        else:
            units, characters = max(_open(look, name), chunks)
            found[name] = ((units + new.chunks + unread.chunks, characters + new.characters + unread.characters),) * 2
    return found


def _profiles(look: _Home, new: _New) -> tuple[_Size, _Size]:
    """Documents to be described: once some were, one that changed outside its excerpts is described as before, so that the fewest are those that are open."""
    units, characters = _open(look, "document_profiles")
    most = (units + new.documents, characters + new.characters)
    asked_before = "document_profiles" in asked.means(look.tables, look.settings.chat.model_of(ASKED["document_profiles"].role))
    return ((units, characters) if asked_before else most), most


def _uncut(look: _Home) -> _New:
    """What is in documents that were read and not profiled or cut yet: a run may have stopped there. Chunks are reckoned from characters."""
    found = _New()
    for characters in asked.uncut_documents(look.tables):
        chunks = max(1, round(characters / tree_rows.CHILD))
        found.chunks += chunks
        found.characters += characters
        found.summaries += _summaries(chunks, chunks, look.settings.summarize.group_size)
    return found


def _bound_since(look: _Home) -> int:
    """Chunks whose extraction stands and is in no published graph: those of a run that stopped behind it."""
    return asked.bound_since(look.tables, "entity_records", standing_name(look.home) or "")


def _open(look: _Home, name: str) -> tuple[int, int]:
    """Units of a ledger that no memory holds, as far as what they read stands, with their characters."""
    query = asked.ASKED_WANTED.get(name) or WANTED[name]
    work.stage_wanted(look.tables, name, codes.ledger_code(name, look.settings, look.ontology), query)
    return asked.open_size(look.tables, name)


def _summaries_open(look: _Home) -> int:
    code = codes.ledger_code(summary_tree.LEDGER, look.settings, look.ontology)
    planned = summary_tree.plan(look, code)
    with look.tables.staged("planned", planned) as staged:
        work.stage_wanted(look.tables, summary_tree.LEDGER, code, tree_rows.wanted(staged))
    return asked.open_size(look.tables, summary_tree.LEDGER)[0]


def _descriptions_open(look: _Home) -> _Size:
    """Entities of the graph as it stands with so many characters that they may have to be condensed; fewer have as many tokens."""
    build = look.settings.build
    description_rows.stage_entities(look.tables, build.evidence, build.condense_tokens * _CHARACTERS)
    return _open(look, "descriptions")


def _reports_open(look: _Home) -> int:
    community_rows.stage_evidence(look.tables, look.settings.cluster.min_report, look.settings.summarize.report_evidence)
    work.stage_wanted(look.tables, "reports", codes.ledger_code("reports", look.settings, look.ontology), community_rows.WANTED_REPORTS)
    return asked.open_size(look.tables, "reports")[0]


def _new(look: _Home, folder: Path) -> _New:
    """What is in files that the next refresh would read for the first time; a text that stands elsewhere already counts as known."""
    found = _New()
    tokenizer = load_tokenizer(look.settings.embed)
    for document in _unread(look, folder):
        profile = profile_document(document, look.settings.profile)
        chunks = [c for c in chunk_document(document, profile, tokenizer, look.settings.chunk) if c.kind == "chunk"]
        fresh = [c for c in chunks if not asked.is_known_content(look.tables, c.content_id)]
        found.documents += 1
        found.chunks += len(fresh)
        found.characters += sum(len(c.text) for c in fresh)
        found.summaries += _summaries(len(chunks), len(fresh), look.settings.summarize.group_size)
    return found


def _summaries(chunks: int, fresh: int, size: int) -> int:
    """Summaries over new chunks: all of a new document, those above each new chunk of a changed one."""
    total, levels, nodes = 0, 0, chunks
    while nodes > 1:
        nodes = -(-nodes // size)
        total, levels = total + nodes, levels + 1
    return min(total, fresh * levels)


def _unread(look: _Home, folder: Path) -> Iterator[Any]:
    listing = list_corpus(folder)
    code = codes.ledger_code(documents.NAME, look.settings)
    with look.tables.staged("listing", documents.listing_frame(listing)) as staged:
        files = scan.files_to_read(look.tables, staged, code, look.settings.refresh.max_attempts)
    for file in files:
        with contextlib.suppress(CorpusError):
            data = read_file(folder, file.path, look.settings.corpus.max_file_bytes)
            if not scan.remembered(look.tables, [scan.memo_key(code, digest("file", data), file.suffix)]):
                with contextlib.suppress(Exception):  # the refresh will note it as failed and go on
                    yield from parse_file(file.path, data, look.settings.parse).documents
