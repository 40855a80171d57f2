"""Every audit finds nothing in a sound work file, and finds the damage it is there for."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pagerag_pipeline.settings import StoreSettings
from pagerag_pipeline.stores.audits import AUDITS, SHOWN, offenders
from pagerag_pipeline.stores.tables import Tables
from pagerag_pipeline.stores.work import open_work
from pagerag_pipeline_tests.homes import F1, F2, F3, make_home, refreshed

NO_CHUNKS = "DELETE FROM ledger_chunks"
NO_DOCUMENTS = "DELETE FROM ledger_source_documents"
QUOTE = "0, 'a.txt', 'gone', 0, 1, 'x'"

DAMAGE = {
    "documents_without_profile": "DELETE FROM ledger_document_profiles",
    "profiles_without_document": NO_DOCUMENTS,
    "sections_with_gaps": "UPDATE sections SET start_at = start_at + 1",
    "documents_without_chunks": NO_CHUNKS,
    "chunks_without_document": NO_DOCUMENTS,
    "chunks_with_gaps": "UPDATE cuts SET start_at = start_at + 1 WHERE kind = 'chunk'",
    "chunks_without_text": "DELETE FROM contents",
    "passages_without_vector": "DELETE FROM ledger_chunk_embeddings",
    "chunks_not_read": "DELETE FROM ledger_entity_records",
    "extractions_of_gone_chunks": NO_CHUNKS,
    "raw_edges_without_node": "INSERT INTO raw_edges (edge_key, head, tail) VALUES ('e', 'gone', 'gone too')",
    "raw_bindings_of_gone_chunks": NO_CHUNKS,
    "edges_without_node": "INSERT INTO edges (edge_id, head, tail) VALUES ('e', 'gone', 'gone too')",
    "edges_without_evidence": "INSERT INTO edges (edge_id, head, tail) VALUES ('e', 'gone', 'gone too')",
    "bindings_of_gone_chunks": NO_CHUNKS,
    "members_without_node": "INSERT INTO members VALUES ('c', 'gone')",
    "nodes_without_community": "INSERT INTO nodes (entity_id, isolated) VALUES ('n', false)",
    "report_quotes_of_gone_chunks": f"INSERT INTO report_quotes VALUES ('c', {QUOTE})",
    "chunks_outside_the_tree": "DELETE FROM tree",
    "summaries_without_children": "INSERT INTO tree (node_id, document, level) VALUES ('s', 'f1.txt', 1)",
    "tree_quotes_of_gone_chunks": f"INSERT INTO tree_quotes VALUES ('s', {QUOTE})",
}


class Undone(Exception):
    """Ends a transaction whose damage must not stay."""


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tables]:
    home: Path = make_home(tmp_path_factory.mktemp("audits"), {"f1.txt": F1, "f2.txt": F2, "f3.txt": F3})
    refreshed(home)
    with open_work(home, StoreSettings()) as tables:
        yield tables


def test_every_audit_has_its_damage():
    assert set(DAMAGE) == set(AUDITS)


@pytest.mark.parametrize("audit", AUDITS)
def test_a_sound_work_file_has_no_offenders(tables: Tables, audit: str):
    assert offenders(tables, audit).count == 0


@pytest.mark.parametrize("audit", AUDITS)
def test_damage_is_found_and_named(tables: Tables, audit: str):
    with pytest.raises(Undone), tables.transaction():
        tables.execute(DAMAGE[audit])
        found = offenders(tables, audit)
        assert found.count >= 1 and len(found.first) == min(found.count, SHOWN)
        assert list(found.first) == sorted(set(found.first))
        raise Undone
