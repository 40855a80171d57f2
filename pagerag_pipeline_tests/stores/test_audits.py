"""Every audit finds nothing in a sound work file, and finds the damage it is there for."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pagerag_pipeline.settings import StoreSettings
from pagerag_pipeline.stores.audits import AUDITS, SHOWN, Limits, offenders
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
    "chunks_not_parted": "DELETE FROM ledger_entity_passages",
    "entity_passages_with_gaps": "UPDATE entity_cuts SET end_at = end_at - 1",
    "rows_not_read": "INSERT INTO table_rows SELECT key, 0, 0, 0, 1, 'bars', '[]', 0, '[]', '', '' FROM ledger_chunks",
    "extractions_of_gone_chunks": NO_CHUNKS,
    "raw_edges_without_node": "INSERT INTO raw_edges (edge_key, head, tail) VALUES ('e', 'gone', 'gone too')",
    "raw_elements_without_evidence": "DELETE FROM raw_bindings WHERE element_kind = 'node'",
    "raw_bindings_of_gone_chunks": NO_CHUNKS,
    "units_lost_in_the_raw_graph": "DELETE FROM raw_bindings WHERE element_kind = 'edge'",
    "texts_that_gave_nothing": "DELETE FROM terms; DELETE FROM units; DELETE FROM records",
    "edges_without_node": "INSERT INTO edges (edge_id, head, tail) VALUES ('e', 'gone', 'gone too')",
    "elements_without_evidence": "DELETE FROM bindings WHERE element_kind = 'node'",
    "bindings_of_gone_chunks": NO_CHUNKS,
    "bindings_beside_the_text": "UPDATE bindings SET start_at = start_at + 1",
    "edges_from_a_node_to_itself": "UPDATE edges SET tail = head",
    "edges_of_other_types": "UPDATE nodes SET type = 'PRODUCT'",
    "causes_without_a_cue": "UPDATE edges SET predicate = 'causes'",
    "quarantine_in_the_graph": "UPDATE unit_states SET state = 'held' WHERE state = 'edge'",
    "units_unaccounted_for": "DELETE FROM unit_states WHERE state = 'held'",
    "decisions_twice": "INSERT INTO decisions FROM decisions LIMIT 1",
    "members_without_node": "INSERT INTO members VALUES ('c', 'gone')",
    "nodes_without_community": "INSERT INTO nodes (entity_id, isolated) VALUES ('n', false)",
    "nodes_twice_on_a_level": "INSERT INTO members FROM members",
    "communities_in_pieces": "INSERT INTO members SELECT community_id, 'far' FROM communities LIMIT 1",
    "report_quotes_of_gone_chunks": f"INSERT INTO report_quotes VALUES ('c', {QUOTE})",
    "chunks_outside_the_tree": "DELETE FROM tree",
    "summaries_without_children": "INSERT INTO tree (node_id, document, level) VALUES ('s', 'f1.txt', 1)",
    "tree_quotes_of_gone_chunks": f"INSERT INTO tree_quotes VALUES ('s', {QUOTE})",
}


TOUR = "\n\n".join(
    f"{guest} came from {town} to see {house}. The owner, {owner}, showed the long rooms, the cold cellars and a walled garden full of old pear trees, and spoke of its first builder."
    for guest, town, house, owner in (
        ("Ada Moss", "Whitby", "Garrow Hall", "Nell Orme"), ("Ben Lund", "Leeds", "Stone Court", "Piers Vane"), ("Cora Dell", "Ripon", "Alder Grange", "Hugh Tarn"),
    )
)  # fmt: skip
"""Prose enough for a reader that finds nothing in it to be suspected."""


class Undone(Exception):
    """Ends a transaction whose damage must not stay."""


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tables]:
    files = {"f1.txt": F1, "f2.txt": F2, "f3.txt": F3, "tour.txt": TOUR}
    home: Path = make_home(tmp_path_factory.mktemp("audits"), files)
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


def test_silence_is_no_fault_where_nothing_could_be_found(tmp_path: Path):
    blank = " ".join(f"word{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(200)) + ". so it goes. and on. and on."
    home = make_home(tmp_path, {"dots.txt": "* * *\n\n...", "lower.txt": blank, "numbers.csv": "a,b\n1,2\n3,4\n"})
    refreshed(home)
    with open_work(home, StoreSettings()) as tables:
        tables.execute("DELETE FROM terms")
        assert offenders(tables, "texts_that_gave_nothing").count == 0, "lower case, read by rules: no name could be found"
        assert offenders(tables, "texts_that_gave_nothing", Limits(languages=("und", "en"))).count == 1, "a parser would have found nouns"


def test_a_little_silence_in_much_text_is_tolerated_and_counted(tables: Tables):
    with pytest.raises(Undone), tables.transaction():
        tables.execute("DELETE FROM terms; DELETE FROM units; DELETE FROM records")
        assert offenders(tables, "texts_that_gave_nothing", Limits(share=0.0)).count == 1
        assert offenders(tables, "texts_that_gave_nothing", Limits(share=0.99)).count == 0
        assert offenders(tables, "texts_that_gave_nothing", Limits(words=500)).count == 0
        raise Undone
