"""What a refresh would do, told without doing it."""

import contextlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pagerag_pipeline.indexing.ontology import load_ontology
from pagerag_pipeline.indexing.overrides import parse_overrides
from pagerag_pipeline.indexing.parse import parse_file
from pagerag_pipeline.models.embedder import recall_embedder
from pagerag_pipeline.refresh import codes, documents, given
from pagerag_pipeline.refresh.publish import is_published
from pagerag_pipeline.refresh.starting import present_folder
from pagerag_pipeline.schema.ids import digest
from pagerag_pipeline.settings import Settings
from pagerag_pipeline.stores import layout, scan, work
from pagerag_pipeline.stores.corpus import CorpusError, Listing, list_corpus, read_file
from pagerag_pipeline.stores.governance import governance_text, ontology_text
from pagerag_pipeline.stores.looking import work_looked_at
from pagerag_pipeline.stores.servers import ChatServers
from pagerag_pipeline.stores.tables import Tables


@dataclass(frozen=True, slots=True)
class _Look:
    """A home that is looked at: its work file as it stands, and what its corpus folder holds."""

    home: Path
    settings: Settings
    tables: Tables
    folder: Path
    listing: Listing

    @property
    def ontology(self) -> str:
        """Its ontology as people wrote it."""
        return ontology_text(self.home)

    @property
    def code(self) -> str:
        """Code version of the parse."""
        return codes.ledger_code(documents.NAME, self.settings)


@dataclass(frozen=True, slots=True)
class _Files:
    """Files to read by what their bytes say, and what they were seen to hold."""

    new: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    touched: list[str] = field(default_factory=list)
    unreadable: list[list[str]] = field(default_factory=list)
    held: list[tuple[scan.OpenFile, str]] = field(default_factory=list)
    """The readable ones with the digest of their bytes."""


class _TakenBack(Exception):
    """Ends a transaction without its changes."""


def dry_run(home: Path, settings: Settings, *, force: bool = False) -> dict[str, Any]:
    """Files by what would become of them, units that other settings or code make stale, and the verdict of the guard against sudden loss.

    `refused` says why the refresh would be refused, empty when it would not; `nothing_to_do` whether it would leave the generation as it is
    without computing anything. Nothing is written or made, and no server is asked: one that embeds is taken to have the model that it had. Raises locks.Held, since a home that a refresh is changing has no state to tell,
    OverridesError, OntologyError, and CorpusGuard when the folder is not there.
    """
    parse_overrides(governance_text(home))
    load_ontology(ontology_text(home))
    folder = present_folder(home, settings)
    recall_embedder(settings.embed, ChatServers(home))
    with work_looked_at(home, settings.store) as tables:
        look = _Look(home, settings, tables, folder, list_corpus(folder))
        with tables.staged("listing", documents.listing_frame(look.listing)) as staged:
            bound = scan.bound_files(tables)
            files = _sorted_out(look, scan.files_to_read(tables, staged, look.code, settings.refresh.max_attempts), bound)
            refused = "" if force else _refusal(look, files, staged)
        gone = sorted(set(bound) - {file.path for file in look.listing.files})
        stale = {name: work.other_codes(tables, name, codes.ledger_code(name, settings, look.ontology)) for name in layout.LEDGERS}
        failed = {name: work.open_failures(tables, name, settings.refresh.max_attempts) for name in layout.LEDGERS}
        # Before the first refresh all of it is to be made, which is told by the files.
        again = given.out_of_step(look) if work.product_state(tables, "raw_graph") else []
        moves = any((files.new, files.changed, gone, *stale.values(), *failed.values()))
        idle = not moves and is_published(look)
    return {
        "corpus": str(folder),
        "files": len(look.listing.files),
        **{kind: getattr(files, kind) for kind in ("new", "changed", "touched", "unreadable")},
        "gone": gone,
        "unchanged": len(look.listing.files) - sum(len(one) for one in (files.new, files.changed, files.touched)) - len(files.unreadable),
        "skipped": [list(pair) for pair in look.listing.skipped],
        "stale_units": {name: count for name, count in stale.items() if count},
        "failed_units": {name: count for name, count in failed.items() if count},
        "derived_again": again,
        "refused": refused,
        "nothing_to_do": idle,
    }


def _sorted_out(look: _Look, open_files: list[scan.OpenFile], bound: dict[str, str]) -> _Files:
    files = _Files()
    for file in open_files:
        try:
            data = read_file(look.folder, file.path, look.settings.corpus.max_file_bytes)
        except CorpusError as error:
            files.unreadable.append([file.path, str(error)])
            continue
        found = digest("file", data)
        files.held.append((file, found))
        same = bound.get(file.path) == scan.memo_key(look.code, found, file.suffix)
        (files.touched if same else files.changed if file.path in bound else files.new).append(file.path)
    return files


def _refusal(look: _Look, files: _Files, listing: str) -> str:
    """The guard's verdict, as the scan itself would come to it: its own statements run on what was read, and are taken back."""
    told = ""
    with contextlib.suppress(_TakenBack), look.tables.transaction():
        scan.remember_documents(look.tables)
        scan.note_files(look.tables, [(file.path, file.size, file.mtime_ns, file.ctime_ns, found) for file, found in files.held])
        work.stage_wanted(look.tables, documents.NAME, look.code, scan.wanted(listing))
        told = _verdict(look)
        if told:
            # Only now that it matters is anything parsed: what is new to the memory counted as nothing so far.
            scan.note_parsed(look.tables, _unknown_documents(look, files))
            told = _verdict(look)
        raise _TakenBack
    return told


def _verdict(look: _Look) -> str:
    return documents.refusal(look.home, look.folder, limits=look.settings.corpus, loss=scan.loss(look.tables))


def _unknown_documents(look: _Look, files: _Files) -> list[tuple[str, str]]:
    """(memo key, sub id) of the documents in files whose content no memory holds; a file that cannot be parsed gives none."""
    keys = {scan.memo_key(look.code, found, file.suffix): file.path for file, found in files.held}
    documents_found: list[tuple[str, str]] = []
    for key in sorted(set(keys) - scan.remembered(look.tables, list(keys))):
        with contextlib.suppress(Exception):  # the refresh would note it as failed and go on
            parsed = parse_file(keys[key], read_file(look.folder, keys[key], look.settings.corpus.max_file_bytes), look.settings.parse)
            documents_found.extend((key, document.sub_id) for document in parsed.documents)
    return documents_found
