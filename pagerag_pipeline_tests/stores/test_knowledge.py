"""The raw and the governed graph, derived from small documents by rules alone."""

import json
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from pagerag_pipeline.indexing.graph_terms import graph_terms
from pagerag_pipeline.schema.documents import Span
from pagerag_pipeline.schema.knowledge import Extraction, Term, Unit, edge_id, entity_id
from pagerag_pipeline.stores.governed_statements import GOVERNED_TABLES
from pagerag_pipeline.stores.tables import Tables
from pagerag_pipeline_tests.stores.knowledge_case import add_chunks, derive, edge_names, empty_work, extracted, graph_of

F1 = "Mara Quill founded Tinworks in 1901. Tinworks stands on Harbour Lane."
F2 = "Odo Fenn bought Tinworks from Mara Quill in 1912."
F3 = "Sister Bell kept bees at Low Farm."
CORPUS = {"f1.txt": [F1], "f2.txt": [F2], "f3.txt": [F3]}
TABLES = ("raw_nodes", "raw_edges", "raw_bindings", "graph_terms", "term_sentences", *GOVERNED_TABLES)


def names(tables: Tables) -> set[str]:
    return {name for (name,) in tables.rows("SELECT name FROM nodes")}


def unit(head: str, predicate: str, tail: str, quote: str, *, confidence: float = 0.9, kinds: tuple[str, str] = ("MISC", "MISC")) -> Unit:
    return Unit("relation", head, kinds[0], predicate, tail, kinds[1], "asserted", confidence, 0, len(quote), quote)


def graph_of_units(folder: Path, texts: list[str], units: list[list[Unit]], overrides: str = "") -> Tables:
    tables = empty_work(folder)
    extractions = [Extraction((Span(0, len(text)),), (), tuple(some), ()) for text, some in zip(texts, units, strict=True)]
    add_chunks(tables, "d.txt", texts, extractions)
    derive(tables, overrides)
    return tables


def sentences(tables: Tables) -> list[tuple[str, list[str]]]:
    """Document and terms of each sentence that names nodes of the co-occurrence graph, in order."""
    terms = dict(tables.rows("SELECT number, term FROM graph_terms"))
    rows = tables.rows("SELECT q.document, q.terms FROM term_sentences q JOIN live_chunks c USING (chunk_id) ORDER BY q.document, c.ordinal, q.start_at")
    return [(document, [terms[number] for number in numbers]) for document, numbers in rows]


def assert_sound(tables: Tables) -> None:
    """Every edge joins nodes, every element is bound, every quote is the exact text of its span, nothing is bound that is not there."""
    dangling = "SELECT head FROM edges UNION ALL SELECT tail FROM edges EXCEPT SELECT entity_id FROM nodes"
    assert tables.rows(dangling) == []
    elements = "SELECT entity_id AS id, 'node' AS kind FROM nodes UNION SELECT edge_id, 'edge' FROM edges"
    assert tables.rows(f"SELECT id FROM ({elements}) ANTI JOIN bindings ON element_id = id AND element_kind = kind") == []
    assert tables.rows(f"SELECT element_id FROM bindings ANTI JOIN ({elements}) ON element_id = id AND element_kind = kind") == []
    assert tables.rows("SELECT alias FROM aliases ANTI JOIN nodes USING (entity_id)") == []
    texts = dict(tables.rows("SELECT c.chunk_id, t.text FROM live_chunks c JOIN contents t USING (content_id)"))
    for table in ("bindings", "raw_bindings"):
        for chunk, start, end, quote in tables.rows(f"SELECT chunk_id, start_at, end_at, quote FROM {table}"):
            assert texts[chunk][start:end] == quote


def test_the_small_corpus_gives_its_graph(tmp_path: Path) -> None:
    tables = graph_of(tmp_path, CORPUS)
    assert edge_names(tables) == {
        ("Mara Quill", "founded", "Tinworks"),
        ("Tinworks", "located_at", "Harbour Lane"),
        ("Odo Fenn", "bought", "Tinworks"),
        ("Sister Bell", "kept", "bees"),
    }
    assert names(tables) == {"Mara Quill", "Tinworks", "Harbour Lane", "Odo Fenn", "Sister Bell", "bees", "Low Farm"}
    assert tables.rows("SELECT name FROM nodes WHERE isolated") == [("Low Farm",)]
    assert_sound(tables)


def test_ids_in_sql_are_those_of_the_schema(tmp_path: Path) -> None:
    tables = graph_of(tmp_path, {"f1.txt": [F1]})
    mara, tinworks = entity_id("mara quill"), entity_id("tinworks")
    edge = edge_id(mara, "founded", tinworks, "asserted")
    assert tables.rows("SELECT head, tail FROM edges WHERE edge_id = ?", [edge]) == [(mara, tinworks)]
    assert tables.rows("SELECT key FROM nodes WHERE entity_id = ?", [mara]) == [("mara quill",)]
    assert tables.rows("SELECT support FROM raw_edges WHERE edge_key = ?", [edge]) == [(1,)]


def test_a_rebuilt_list_holds_exactly_the_rooms_of_its_new_version(tmp_path: Path) -> None:
    """INC-04."""
    other = {"other.txt": ["The tower has a Blue Room, a Bell Room and a Cellar."]}
    first = graph_of(tmp_path, {"f1.txt": ["The inn has a Red Room, a Blue Room, a Green Room and an Attic."], **other})
    assert {tail for head, _, tail in edge_names(first) if head == "inn"} == {"Red Room", "Blue Room", "Green Room", "Attic"}
    first.close()
    (tmp_path / "second").mkdir()
    tables = graph_of(tmp_path / "second", {"f1.txt": ["The inn has four rooms: the Red Room, a Green Room, an Attic and a Den."], **other})
    assert {tail for head, _, tail in edge_names(tables) if head == "inn"} == {"Red Room", "Green Room", "Attic", "Den"}
    assert "Blue Room" in names(tables), "another document still names it"
    assert_sound(tables)


def test_a_suppressed_entity_is_in_no_table_of_the_graph(tmp_path: Path) -> None:
    """INC-17."""
    tables = graph_of(tmp_path, CORPUS, 'suppress = ["harbour  LANE"]')
    assert "Harbour Lane" not in names(tables)
    assert all("Harbour Lane" not in edge for edge in edge_names(tables))
    gone = entity_id("harbour lane")
    for table, column in (("bindings", "element_id"), ("aliases", "entity_id"), ("edges", "tail"), ("nodes", "entity_id")):
        assert tables.rows(f"SELECT * FROM {table} WHERE {column} = ?", [gone]) == []
    acts = tables.rows("SELECT element_id, act, detail FROM decisions WHERE gate = 'override' AND element_kind = 'node'")
    assert acts == [(gone, "suppress", "harbour lane")]
    lost = tables.rows("SELECT act, reason, detail FROM decisions WHERE gate = 'override' AND element_kind = 'unit'")
    assert lost == [("reject", "suppressed_end", "(Tinworks, located_at, Harbour Lane)")]
    assert_sound(tables)


def test_suppressing_one_name_removes_the_entity_of_all_its_names(tmp_path: Path) -> None:
    text = "Tinworks, also known as the Tin Hall, was bought by Odo Fenn. Odo Fenn visited Harbour Lane."
    tables = graph_of(tmp_path, {"a.txt": [text]}, 'suppress = ["Tin Hall"]')
    assert names(tables) == {"Odo Fenn", "Harbour Lane"}
    assert {row[0] for row in tables.rows("SELECT detail FROM decisions WHERE act = 'suppress'")} == {"tin hall", "tinworks"}
    assert_sound(tables)


def test_an_entity_that_is_only_an_object_survives_its_first_document(tmp_path: Path) -> None:
    """INC-24."""
    tables = graph_of(tmp_path, {"f2.txt": ["Odo Fenn bought Tinworks."]})
    assert edge_names(tables) == {("Odo Fenn", "bought", "Tinworks")}
    documents = "SELECT DISTINCT document FROM bindings JOIN nodes ON element_id = entity_id WHERE name = 'Tinworks'"
    assert tables.rows(documents) == [("f2.txt",)]


def test_one_sentence_three_times_is_one_edge_with_three_spans(tmp_path: Path) -> None:
    """INC-32: weight is the number of distinct spans; confidence is 1 - prod(1 - c) over them, capped."""
    said = "Mara Quill founded Tinworks."
    tables = graph_of(tmp_path, {"a.txt": [f"{said} {said}"], "b.txt": [said]})
    assert tables.rows("SELECT weight, confidence FROM edges") == [(3, 0.99)]
    assert tables.rows("SELECT count(*) FROM bindings WHERE element_kind = 'edge'") == [(3,)]
    assert tables.rows("SELECT detail FROM decisions WHERE reason = 'parallel'") == [("3 statements, 3 spans",)]


def test_a_copied_document_adds_its_own_spans(tmp_path: Path) -> None:
    tables = graph_of(tmp_path, {"a.txt": [F1], "copy.txt": [F1]})
    assert set(tables.rows("SELECT weight FROM edges")) == {(2,)}
    own = [["mara", "quill", "tinworks"], ["tinworks"]]
    assert sentences(tables) == [(document, names) for document in ("a.txt", "copy.txt") for names in own], "Harbour Lane is of another label"


def test_one_name_of_two_types_is_one_node_with_both_counts(tmp_path: Path) -> None:
    """ENT-07."""
    quote = "Mara Quill founded Tinworks."
    more = "Odo Fenn bought Tinworks."
    tables = graph_of_units(
        tmp_path,
        [quote, f"{quote} Again.", more],
        [
            [unit("Mara Quill", "founded", "Tinworks", quote, kinds=("PERSON", "ORG"))],
            [unit("Mara Quill", "founded", "Tinworks", quote, kinds=("PERSON", "ORG"))],
            [unit("Odo Fenn", "bought", "Tinworks", more, kinds=("PERSON", "FAC"))],
        ],
    )
    rows = tables.rows("SELECT type, types, mentions FROM nodes WHERE name = 'Tinworks'")
    assert rows == [("ORG", '{"FAC":1,"ORG":2}', 3)]
    assert json.loads(rows[0][1]) == {"ORG": 2, "FAC": 1}


def test_a_stray_type_does_not_outvote_what_a_word_mostly_is(tmp_path: Path) -> None:
    texts = [f"The ball rolled {n}." for n in range(3)]
    labels = ["NOUN", "NOUN", "PERSON"]
    tables = empty_work(tmp_path)
    found = [Extraction((Span(0, len(t)),), (Term("ball", "ball", label, 4, 8, 0),), (), ()) for t, label in zip(texts, labels, strict=True)]
    add_chunks(tables, "d.txt", texts, found)
    derive(tables)
    assert tables.rows("SELECT type, types FROM nodes") == [("NOUN", '{"NOUN":2,"PERSON":1}')]


def test_heading_words_are_no_entities(tmp_path: Path) -> None:
    """ENT-09."""
    notes = {f"note{n}.md": [f"# Decisions\n\nMara Quill bought Mill {n}."] for n in range(10)}
    tables = graph_of(tmp_path, notes)
    assert "decisions" not in {key for (key,) in tables.rows("SELECT node_key FROM raw_nodes")}
    assert tables.rows("SELECT count(DISTINCT document) FROM bindings") == [(10,)]


@pytest.mark.parametrize("name", ['O\'Hara`s "Inn" \\\\', "Sky Game (Wasteland)", "a;b--'c", "北京 $1 {x} %s"])
def test_odd_names_pass_verbatim(tmp_path: Path, name: str) -> None:
    """LCK-12, EXT-13."""
    quote = f"Odo Fenn bought {name} at once."
    tables = graph_of_units(tmp_path, [quote], [[unit("Odo Fenn", "bought", name, quote)]], overrides="keep_apart = [['a', 'b']]")
    assert edge_names(tables) == {("Odo Fenn", "bought", name)}
    assert_sound(tables)


def test_held_units_join_the_graph_only_with_a_second_span(tmp_path: Path) -> None:
    once, twice = "Ann saw Bob.", "Ann saw Cid."
    held = [unit("Ann", "saw", "Bob", once, confidence=0.6)]
    tables = graph_of_units(
        tmp_path,
        [once, twice, f"{twice} Then again."],
        [held, *([[unit("Ann", "saw", "Cid", twice, confidence=0.6)]] * 2)],
    )
    assert edge_names(tables) == {("Ann", "saw", "Cid")}
    assert names(tables) == {"Ann", "Cid"}
    assert tables.rows("SELECT confidence FROM edges") == [(0.84,)]
    acts = tables.rows("SELECT act, count(*) FROM decisions WHERE gate = 'G4' GROUP BY act ORDER BY act")
    assert acts == [("hold", 3), ("promote", 1)]


def test_rejected_units_leave_a_row_and_nothing_else(tmp_path: Path) -> None:
    tables = graph_of_units(tmp_path, ["Ann saw Bob."], [[unit("Ann", "killed", "Eve", "Ann killed Eve.")]])
    assert tables.rows("SELECT * FROM nodes UNION ALL SELECT * FROM nodes") == []
    assert tables.rows("SELECT gate, act, reason FROM decisions") == [("G1", "reject", "unbound")]
    assert tables.rows("SELECT count(*) FROM raw_edges") == [(1,)], "the raw graph keeps what was extracted"


def test_an_end_that_was_resolved_says_how(tmp_path: Path) -> None:
    quote = "Mara Quill rose. She founded Tinworks."
    told = (("time", "1901"), ("resolved", "pronoun: Mara Quill"))
    tables = graph_of_units(tmp_path, [quote], [[unit("Mara Quill", "knew", "Ann", quote), replace(unit("Mara Quill", "founded", "Tinworks", quote), qualifiers=told)]])  # fmt: skip
    rows = tables.rows("SELECT d.gate, d.detail, e.predicate FROM decisions d JOIN edges e ON e.edge_id = d.other_id WHERE reason = 'resolved'")
    assert rows == [("G1", "pronoun: Mara Quill", "founded")]
    assert tables.rows("SELECT reason FROM decisions WHERE element_id IN (SELECT element_id FROM decisions WHERE reason = 'resolved') ORDER BY place") == [("resolved",), ("confidence",)]  # fmt: skip


def test_declared_names_are_one_node_and_the_declaration_no_loop(tmp_path: Path) -> None:
    tables = graph_of(tmp_path, {"a.txt": ["Tinworks, also known as the Tin Hall, was bought by Odo Fenn. Ann Hale visited Tinworks."]})
    aliases = "SELECT alias FROM aliases JOIN nodes USING (entity_id) WHERE name = 'Tinworks' ORDER BY alias"
    assert tables.rows(aliases) == [("Tin Hall",), ("Tinworks",)]
    key = "tin hall"
    assert tables.rows("SELECT key, entity_id FROM nodes WHERE name = 'Tinworks'") == [(key, entity_id(key))]
    assert tables.rows("SELECT * FROM edges WHERE head = tail") == []
    acts = {(act, reason) for act, reason in tables.rows("SELECT act, reason FROM decisions WHERE gate = 'G5'")}
    assert acts == {("merge", "declared"), ("accept", "declared")}
    assert tables.rows("SELECT state FROM unit_states WHERE predicate = 'also_known_as'") == [("name",)], "it ended as a name, not in quarantine"
    assert_sound(tables)


def test_people_may_keep_declared_names_apart(tmp_path: Path) -> None:
    text = "Tinworks, also known as the Tin Hall, was bought by Odo Fenn."
    tables = graph_of(tmp_path, {"a.txt": [text]}, 'keep_apart = [["Tinworks", "Tin Hall"]]')
    assert {"Tinworks", "Tin Hall"} <= names(tables)
    acts = tables.rows("SELECT gate, act, reason, element_id, other_id FROM decisions WHERE act = 'keep_apart'")
    assert acts == [("override", "keep_apart", "governance.toml", entity_id("tin hall"), entity_id("tinworks"))]


def test_values_are_no_nodes(tmp_path: Path) -> None:
    tables = graph_of(tmp_path, {"f1.txt": [F1]})
    assert "1901" not in names(tables)
    assert ("founded_date", "1901") in tables.rows("SELECT field, value FROM records")


def test_words_of_one_sentence_cooccur_once_however_often_they_are_said(tmp_path: Path) -> None:
    terms = [Term("ann", "Ann", "MISC", 0, 3, 0), Term("bob", "Bob", "MISC", 8, 11, 0), Term("ann", "Ann", "MISC", 16, 19, 0)]
    text = "Ann saw Bob and Ann."
    tables = empty_work(tmp_path)
    add_chunks(tables, "d.txt", [text], [Extraction((Span(0, len(text)),), tuple(terms), (), ())])
    derive(tables)
    assert sentences(tables) == [("d.txt", ["ann", "bob"])]
    assert tables.rows("SELECT name, isolated FROM nodes ORDER BY name") == [("Ann", True), ("Bob", True)]


def test_the_nodes_of_a_sentence_are_those_that_a_question_would_name(tmp_path: Path) -> None:
    said = "Mrs. Ann Hale of Paris met the Tin Company in May."
    labels = [("mrs. ann hale", "PERSON"), ("ann", "NAME"), ("hale", "NAME"), ("paris", "GPE"), ("tin company", "ORG"), ("may", "PRODUCT"), ("j", "PERSON")]
    terms = [Term(key, key, label, at := said.lower().find(key), at + len(key), 0) for key, label in labels]
    tables = empty_work(tmp_path)
    add_chunks(tables, "d.txt", [said], [Extraction((Span(0, len(said)),), tuple(terms), (), ())])
    derive(tables)
    assert sentences(tables) == [("d.txt", ["ann", "hale", "j", "paris", "tin company"])]
    assert sorted(term.key for term in graph_terms(terms)) == ["ann", "hale", "j", "paris", "tin company"]


def test_what_sql_and_python_call_a_node_is_the_same_in_real_text(tmp_path: Path) -> None:
    texts = [F1, F2, F3, "Sir John Low and Ann-Mary Hale saw a bell at Low Farm. Tom Tom came, with Mr. T.", "Row | Ann Hale | Tinworks"]
    found = extracted(texts)
    tables = empty_work(tmp_path)
    add_chunks(tables, "d.txt", texts, found)
    derive(tables)
    by_sentence = [[t.key for t in graph_terms(one.terms) if t.sentence == n] for one in found for n in range(len(one.sentences))]
    assert [names for _, names in sentences(tables)] == [sorted(names) for names in by_sentence if names]


def test_the_same_graph_comes_of_any_order_of_rows(tmp_path: Path) -> None:
    texts = {
        "a.txt": [F1, f"{F1} {F2}"],
        "b.txt": ["Tinworks, also known as the Tin Hall, was bought by Odo Fenn.", F3],
        "c.txt": ["Ann Hale married Odo Fenn in 1899. Ann Hale saw Odo Fenn. Ann Hale met Tinworks."],
    }
    found: list[dict[str, pl.DataFrame]] = []
    for number, order in enumerate((sorted(texts), sorted(texts, reverse=True))):
        (tmp_path / str(number)).mkdir()
        tables = empty_work(tmp_path / str(number))
        for document in order:
            add_chunks(tables, document, texts[document], extracted(texts[document]))
        if number:
            for table in ("units", "terms", "unit_gates", "ledger_entity_records", "ledger_unit_gates"):
                tables.execute(f"CREATE TEMP TABLE moved AS SELECT * FROM {table} ORDER BY hash(key, rowid)")
                tables.execute(f"DELETE FROM {table}")
                tables.execute(f"INSERT INTO {table} FROM moved")
                tables.execute("DROP TABLE moved")
        derive(tables)
        found.append({table: tables.frame(f"FROM {table}") for table in TABLES})
        tables.close()
    assert found[0]["edges"].height > 5
    for table in TABLES:
        assert found[0][table].equals(found[1][table]), table


def test_deriving_again_changes_nothing(tmp_path: Path) -> None:
    tables = graph_of(tmp_path, CORPUS)
    before = {table: tables.frame(f"FROM {table}") for table in TABLES}
    derive(tables)
    assert all(tables.frame(f"FROM {table}").equals(before[table]) for table in TABLES)


def test_nothing_gives_empty_graphs(tmp_path: Path) -> None:
    tables = empty_work(tmp_path)
    derive(tables, 'suppress = ["Nobody"]')
    assert all(tables.rows(f"SELECT count(*) FROM {table}") == [(0,)] for table in TABLES if table != "predicate_rules")
