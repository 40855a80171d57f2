"""A generation's tables hold exactly what is alive, with offsets that slice Python strings, or are not written at all."""

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from pagerag_pipeline.lexical import name_key, terms
from pagerag_pipeline.stores import layout
from pagerag_pipeline.stores.export import export_generation
from pagerag_pipeline.stores.generation_audit import CHECKS, AuditError
from pagerag_pipeline.stores.tables import Tables, open_tables
from pagerag_pipeline_tests.stores.small_work import FIRST, SECOND, SETTINGS, SmallWork, span

TEXTS = {"a/first.txt": FIRST, "second.txt": SECOND}


@pytest.fixture
def work(tmp_path: Path) -> Iterator[SmallWork]:
    small = SmallWork(tmp_path)
    yield small
    small.tables.close()


@pytest.fixture
def exported(work: SmallWork, tmp_path: Path) -> Iterator[Tables]:
    export_generation(work.tables, tmp_path / "tables.duckdb")
    with open_tables(tmp_path / "tables.duckdb", SETTINGS, read_only=True) as tables:
        yield tables


def test_counts_are_those_of_the_tables_and_every_table_has_a_view(work: SmallWork, tmp_path: Path):
    counts = export_generation(work.tables, tmp_path / "tables.duckdb")
    assert counts == {
        "documents": 2, "profiles": 2, "sections": 2, "chunks": 14, "records": 6, "nodes": 2, "edges": 1, "aliases": 2, "bindings": 3,
        "graph_terms": 2, "term_sentences": 1,
        "decisions": 1, "handles": 1, "graph_shape": 0, "graph_losses": 0, "communities": 2, "members": 2, "reports": 1, "report_quotes": 1, "tree": 3, "tree_quotes": 1,
        "vocabulary": counts["vocabulary"], "quarantine": 0,
    }  # fmt: skip
    with open_tables(tmp_path / "tables.duckdb", SETTINGS, read_only=True) as tables:
        for name in layout.GENERATION:
            columns = tables.frame(f"SELECT * FROM {name}").columns
            assert tables.rows(f"SELECT count(*) FROM {name}") == [(counts[name],)]
            assert not {"start_at", "end_at"} & set(columns)
        assert tables.frame("SELECT * FROM bindings").columns == [
            "element_id", "element_kind", "document", "chunk_id", "start", "end", "quote",
        ]  # fmt: skip


def test_offsets_slice_the_document_as_python_does(exported: Tables):
    for document, start, end, text in exported.rows('SELECT document, start, "end", text FROM chunks'):
        assert TEXTS[document][start:end] == text
    for table in ("bindings", "records", "report_quotes", "tree_quotes"):
        rows = exported.rows(f'SELECT document, start, "end", quote FROM {table}')
        assert rows
        for document, start, end, quote in rows:
            assert TEXTS[document][start:end] == quote


def test_parts_know_their_chunk_section_and_terms(exported: Tables, work: SmallWork):
    rows = exported.rows("SELECT document, kind, ordinal, chunk_id, parent_id, section_path, context, text, terms FROM chunks WHERE kind <> 'entity'")
    for document, kind, ordinal, chunk, parent, path, context, text, words in rows:
        assert chunk == work.chunks[document, kind, ordinal] and path == '["One"]'
        owner = None if kind == "chunk" else work.chunks[document, "chunk", 0 if kind == "row" else ordinal // 2]
        assert parent == owner and words == ("" if kind == "chunk" else " ".join(terms(f"{context}\n{text}")))


def test_entity_passages_part_each_chunk_and_know_whom_they_are_about(exported: Tables, work: SmallWork):
    rows = exported.rows(
        "SELECT chunk_id, parent_id, text, entity, entity_type, embed_key FROM chunks WHERE kind = 'entity' AND document = 'a/first.txt' ORDER BY ordinal"
    )
    first, second = work.chunks["a/first.txt", "chunk", 0], work.chunks["a/first.txt", "chunk", 1]
    assert "".join(text for _, _, text, *_ in rows) == FIRST
    assert [row[1] for row in rows] == [first, first, second] and len({row[0] for row in rows}) == 3
    # What no name stands in, and what was not parted, is about the title above it.
    assert [row[3:] for row in rows] == [("Ada", "PERSON", ""), ("One", "other", ""), ("One", "other", "")]
    assert exported.rows("SELECT DISTINCT entity, entity_type FROM chunks WHERE kind <> 'entity'") == [("", "")]


def test_records_can_be_looked_up_by_value_number_period_and_passage(work: SmallWork, tmp_path: Path):
    start, end = span(SECOND, "Zoë | Köln")
    said = dict(entity="Zoë", category="property", field="net_worth", value="12", value_is_entity=False, modality="asserted", quote="Zoë | Köln")
    pairs = '[["number","12"],["currency","$"],["period","2023"]]'
    work.insert("ledger_row_records", unit=work.chunks["second.txt", "chunk", 0], key="rows", status="ok")
    work.insert("records", key="rows", ordinal=0, start_at=start, end_at=end, qualifiers=pairs, **said)
    export_generation(work.tables, tmp_path / "tables.duckdb")
    with open_tables(tmp_path / "tables.duckdb", SETTINGS, read_only=True) as tables:
        (found,) = tables.rows("SELECT broad, value_key, number, unit, period, passage_id FROM records WHERE field = 'net_worth'")
        assert found == ("worth", "12", 12.0, "$", "2023", work.chunks["second.txt", "row", 0])
        told = tables.rows("SELECT DISTINCT c.kind, c.document = r.document FROM records r JOIN chunks c ON c.chunk_id = r.passage_id WHERE r.field = 'in'")
        assert sorted(told) == [("entity", True), ("row", True)]


def test_vocabulary_counts_passages_and_rows_once_a_term(exported: Tables):
    counted = dict(exported.rows("SELECT term, passages FROM vocabulary"))
    bags = [set(words.split()) for (words,) in exported.rows("SELECT terms FROM chunks WHERE kind <> 'chunk'")]
    assert counted == {term: sum(term in bag for bag in bags) for term in set().union(*bags)}
    assert counted["one"] == 7


def test_relations_between_entities_stand_in_both_directions_once(exported: Tables):
    rows = exported.rows("SELECT entity, entity_key, category, field, value, value_is_entity FROM records WHERE document = 'second.txt'")
    assert sorted(rows) == [
        ("Köln", name_key("Köln"), "relation", "inverse_of:in", "Zoë’s", True),
        ("Zoë’s", name_key("Zoë’s"), "property", "in", "Köln", False),
        ("Zoë’s", name_key("Zoë’s"), "relation", "in", "Köln", True),
    ]
    assert exported.rows("SELECT count(DISTINCT record_id), min(length(record_id)) FROM records") == [(6, 32)]


def test_an_inverse_that_is_stated_is_not_made_again(work: SmallWork, tmp_path: Path):
    key, start, end, quote = work.tables.rows("SELECT key, start_at, end_at, quote FROM records WHERE entity = 'Zoë’s' LIMIT 1")[0]
    stated = dict(entity="Köln", value="Zoë’s", category="relation", field="place_of", value_is_entity=True, modality="asserted", qualifiers="[]")
    work.insert("records", key=key, ordinal=9, start_at=start, end_at=end, quote=quote, **stated)
    export_generation(work.tables, tmp_path / "tables.duckdb")
    with open_tables(tmp_path / "tables.duckdb", SETTINGS, read_only=True) as tables:
        assert tables.rows("SELECT DISTINCT field FROM records WHERE entity = 'Köln' AND chunk_id IN (SELECT chunk_id FROM records WHERE field = 'place_of')") == [("place_of",)]


def test_records_of_a_suppressed_entity_are_left_out(work: SmallWork, tmp_path: Path):
    work.insert("decisions", decision_id="d9", element_id="e", element_kind="node", gate="override", act="suppress", reason="", detail=name_key("Köln"))
    export_generation(work.tables, tmp_path / "tables.duckdb")
    with open_tables(tmp_path / "tables.duckdb", SETTINGS, read_only=True) as tables:
        assert tables.rows("SELECT count(*) FROM records WHERE entity = 'Köln' OR (value = 'Köln' AND value_is_entity)") == [(0,)]
        assert tables.rows("SELECT count(*) > 0 FROM records") == [(True,)]


def test_the_file_may_be_attached_under_any_name(exported: Tables, tmp_path: Path):
    exported.close()
    with duckdb.connect() as connection:
        connection.execute(f"ATTACH '{tmp_path / 'tables.duckdb'}' AS elsewhere (READ_ONLY)").fetchall()
        assert connection.execute('SELECT count(start), count("end") FROM elsewhere.chunks').fetchall() == [(14, 14)]


def test_only_what_is_alive_is_exported_and_doing_it_again_gives_the_same(work: SmallWork, tmp_path: Path):
    path = tmp_path / "tables.duckdb"
    work.insert("cuts", key="dead", kind="chunk", ordinal=0, parent=-1, start_at=0, end_at=1, section=0, content_id="c", occurrence=0)
    work.insert("records", key="dead", ordinal=0, entity="x", value="y", value_is_entity=True)
    first = export_generation(work.tables, path)
    rows = {}
    for _ in range(2):
        with open_tables(path, SETTINGS, read_only=True) as tables:
            seen = {name: tables.rows(f"SELECT * FROM {name}") for name in layout.GENERATION}
        assert rows in ({}, seen)
        rows = seen
        assert export_generation(work.tables, path) == first
    assert work.tables.rows("SELECT database_name FROM duckdb_databases() WHERE NOT internal") == [("work",)]
    assert work.tables.rows("SELECT count(*) FROM nodes") == [(2,)]


FAULTS = {
    "chunks_beside_the_text": "UPDATE texts SET text = text || '.'",
    "documents_left_out": "DELETE FROM texts WHERE text_id = (SELECT min(text_id) FROM texts)",
    "parts_beside_their_chunk": "UPDATE cuts SET start_at = start_at + 1 WHERE kind = 'row'",
    "windows_beside_the_text": "UPDATE cuts SET kind = 'fixed', parent = -1, start_at = start_at + 1 WHERE kind = 'row'",
    "parts_without_chunk": "UPDATE cuts SET parent = 7 WHERE kind = 'row'",
    "chunks_of_no_document": "DELETE FROM ledger_source_documents WHERE unit = 'second.txt'",
    "chunks_twice": "INSERT INTO cuts FROM cuts WHERE kind = 'row'",
    "entity_passages_with_gaps": "UPDATE entity_cuts SET start_at = start_at + 1 WHERE ordinal = 1",
    "quotes_of_bindings": "UPDATE bindings SET start_at = start_at + 1",
    "quotes_of_records": "UPDATE records SET quote = 'said otherwise'",
    "quotes_of_reports": "UPDATE report_quotes SET chunk_id = 'gone'",
    "quotes_of_summaries": "UPDATE tree_quotes SET document = 'second.txt'",
    "quotes_of_decisions": "UPDATE decisions SET document = 'a/first.txt', chunk_id = 'gone', start_at = 0, end_at = 1, quote = 'x'",
    "quotes_in_quarantine": (
        "INSERT INTO unit_states (unit_id, state, reason, document, chunk_id, start_at, end_at, quote) "
        "VALUES ('u', 'held', 'confidence', 'a/first.txt', 'gone', 0, 1, 'x')"
    ),
    "quarantine_in_the_graph": (
        "INSERT INTO unit_states (unit_id, state) VALUES ('u', 'rejected'); UPDATE decisions SET element_id = 'u', other_id = 'met'"
    ),
    "edges_without_node": "DELETE FROM nodes WHERE entity_id = 'ada'",
    "nodes_without_binding": "DELETE FROM bindings WHERE element_id = 'ada'",
    "edges_without_binding": "DELETE FROM bindings WHERE element_id = 'met'",
    "bindings_of_nothing": "UPDATE bindings SET element_id = 'ghost' WHERE element_id = 'met'",
    "aliases_of_nothing": "UPDATE aliases SET entity_id = 'ghost' WHERE entity_id = 'ada'",
    "members_without_node": "UPDATE members SET entity_id = 'ghost' WHERE entity_id = 'ada'",
    "members_without_community": "UPDATE members SET community_id = 'ghost' WHERE entity_id = 'ada'",
    "reports_of_nothing": "UPDATE reports SET community_id = 'ghost'",
    "communities_without_parent": "UPDATE communities SET parent_id = 'ghost' WHERE level = 1",
    "tree_nodes_without_parent": "UPDATE tree SET parent_id = 'ghost' WHERE level = 0",
    "term_sentences_beside_their_chunk": "UPDATE term_sentences SET end_at = 9999",
    "terms_of_nothing": "UPDATE graph_terms SET number = 7 WHERE number = 1",
    "tree_nodes_beside_their_level": "UPDATE tree SET level = 3 WHERE level = 1",
    "summaries_that_hold_an_id": "UPDATE tree SET node_id = repeat('a', 32) WHERE node_id = 'leaf0'; UPDATE tree SET text = 'see ' || repeat('a', 32) WHERE level = 1",
    "leaves_of_gone_chunks": "UPDATE tree SET chunk_id = 'gone' WHERE level = 0",
    "passages_without_vector": "DELETE FROM ledger_chunk_embeddings",
    "handles_without_vector": "DELETE FROM ledger_handle_embeddings",
    "reports_without_vector": "DELETE FROM ledger_report_embeddings",
    "summaries_without_vector": "DELETE FROM ledger_summary_embeddings",
}


@pytest.mark.parametrize("fault", sorted(CHECKS))
def test_each_fault_is_found_and_nothing_is_left_behind(work: SmallWork, tmp_path: Path, fault: str):
    work.tables.execute(FAULTS[fault])
    with pytest.raises(AuditError) as caught:
        export_generation(work.tables, tmp_path / "tables.duckdb")
    assert fault in caught.value.faults and fault in str(caught.value)
    assert not list(tmp_path.glob("tables.duckdb*"))
    assert work.tables.rows("SELECT database_name FROM duckdb_databases() WHERE NOT internal") == [("work",)]


def test_a_fault_names_how_many_and_the_first_of_them(work: SmallWork, tmp_path: Path):
    work.tables.execute("INSERT INTO nodes SELECT format('n{:03}', range), 'x', 'x', 'X', '[]', 1, true FROM range(50)")
    with pytest.raises(AuditError) as caught:
        export_generation(work.tables, tmp_path / "tables.duckdb")
    assert caught.value.faults == {"nodes_without_binding": (50, [f"n{i:03}" for i in range(20)])}
    assert "50, first n000, n001" in str(caught.value)


def test_a_failed_embedding_is_no_fault_of_the_generation(work: SmallWork, tmp_path: Path):
    work.tables.execute("UPDATE ledger_chunk_embeddings SET status = 'failed'")
    assert export_generation(work.tables, tmp_path / "tables.duckdb")["chunks"] == 14


def test_an_empty_work_file_gives_an_empty_generation(tmp_path: Path):
    from pagerag_pipeline.stores.work import open_work

    with open_work(tmp_path, SETTINGS) as tables:
        assert set(export_generation(tables, tmp_path / "tables.duckdb").values()) == {0}
