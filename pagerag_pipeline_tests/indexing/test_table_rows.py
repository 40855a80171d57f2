"""Rows of tables: found in every format, under their headings, bound to their chunk; records of them say what the cells say and nothing else."""

from collections.abc import Sequence

import pytest

from pagerag_pipeline.indexing.chunk import chunk_document
from pagerag_pipeline.indexing.ontology import load_ontology
from pagerag_pipeline.indexing.parse import parse_file
from pagerag_pipeline.indexing.profile import profile_document
from pagerag_pipeline.indexing.row_records import RowReading, row_records
from pagerag_pipeline.indexing.table_rows import table_rows
from pagerag_pipeline.schema.documents import Block, ParsedDocument
from pagerag_pipeline.schema.knowledge import Record, TableRow
from pagerag_pipeline.settings import ChunkSettings, ParseSettings, ProfileSettings
from pagerag_pipeline_tests.fakes import WordTokenizer

WHOLE = ChunkSettings()
SMALL = ChunkSettings(chunk_tokens=40, chunk_min_tokens=20, passage_tokens=12, context_tokens=6, embed_window=24)


def layout(name: str, text: str, settings: ChunkSettings = WHOLE) -> list[tuple[str, list[TableRow]]]:
    """Chunk texts with their rows."""
    (document,) = parse_file(name, text.encode(), ParseSettings()).documents
    profile = profile_document(document, ProfileSettings())
    chunks = chunk_document(document, profile, WordTokenizer(), settings)
    rows = table_rows(document, profile.sections, chunks)
    return [(chunk.text, [row for row in rows if row.chunk == chunk.ordinal]) for chunk in chunks if chunk.kind == "chunk"]


def readings(name: str, text: str, settings: ChunkSettings = WHOLE) -> list[RowReading]:
    found = [row_records(chunk, rows, load_ontology()) for chunk, rows in layout(name, text, settings)]
    for (chunk, _), reading in zip(layout(name, text, settings), found, strict=True):
        assert all(chunk[one.start : one.end] == one.quote for one in reading.records)
        assert reading.unbound == 0
    return found


def records(name: str, text: str) -> list[Record]:
    return [record for reading in readings(name, text) for record in reading.records]


def said(found: Sequence[Record]) -> list[tuple[str, str, str]]:
    return [(one.entity, one.field, one.value) for one in found]


VILLAGES = [("Hale", "4,000", "1086"), ("Larkhope", "310", "1243")]
AS_CSV = "Village,Population,First named\n" + "".join(f'{v},"{p}",{y}\n' for v, p, y in VILLAGES)
AS_TSV = "Village\tPopulation\tFirst named\n" + "".join(f"{v}\t{p}\t{y}\n" for v, p, y in VILLAGES)
AS_MARKDOWN = "# Villages\n\n| Village | Population | First named |\n|---|--:|---|\n" + "".join(f"| **{v}** | {p} | {y} |\n" for v, p, y in VILLAGES)
AS_HTML = (
    "<html><body><h1>Villages</h1><table><tr><th>Village</th><th>Population</th><th>First named</th></tr>"
    + "".join(f"<tr><td>{v}</td><td>{p}</td><td>{y}</td></tr>" for v, p, y in VILLAGES)
    + "</table></body></html>"
)
AS_TEXT = "Villages\n\nVillage     Population   First named\n" + "".join(f"{v:12}{p:13}{y}\n" for v, p, y in VILLAGES)


@pytest.mark.parametrize(
    ("name", "text"), [("v.csv", AS_CSV), ("v.tsv", AS_TSV), ("v.md", AS_MARKDOWN), ("v.html", AS_HTML), ("v.txt", AS_TEXT)]
)
def test_the_same_table_says_the_same_in_every_format(name: str, text: str) -> None:
    found = records(name, text)
    assert said(found) == [
        ("Hale", "population", "4,000"), ("Hale", "first_named", "1086"), ("Larkhope", "population", "310"), ("Larkhope", "first_named", "1243"),
    ]  # fmt: skip
    assert {one.entity_type for one in found} == {"village"} and {one.category for one in found} == {"property"}
    assert dict(found[0].qualifiers)["number"] == "4000"
    assert all(one.value in one.quote and one.entity in one.quote for one in found)


def test_units_and_periods_are_qualifiers_and_never_part_of_the_field() -> None:
    found = records("r.csv", "Company,Revenue 2022 ($m),Revenue 2023 ($m),Staff\nTinworks,12,14.5,80\nQuarry & Sons,,(3),-\n")
    assert said(found) == [
        ("Tinworks", "revenue", "12"), ("Tinworks", "revenue", "14.5"), ("Tinworks", "staff", "80"), ("Quarry & Sons", "revenue", "(3)"),
    ]  # fmt: skip
    assert [dict(one.qualifiers) for one in found[:2]] == [
        {"number": "12", "currency": "$", "unit": "m", "period": "2022", "heading": "Revenue 2022 ($m)"},
        {"number": "14.5", "currency": "$", "unit": "m", "period": "2023", "heading": "Revenue 2023 ($m)"},
    ]
    assert dict(found[-1].qualifiers)["number"] == "-3"


def test_a_column_of_periods_qualifies_the_others_where_the_entity_comes_again() -> None:
    found = records("r.csv", "Company,Year,Sales\nTinworks,1911,5\nTinworks,1912,6\n")
    assert said(found) == [("Tinworks", "sales", "5"), ("Tinworks", "sales", "6")]
    assert [dict(one.qualifiers)["period"] for one in found] == ["1911", "1912"]
    alone = records("b.csv", "Year,Book\n1911,The Tide Clerk\n1912,On Mending\n")
    assert said(alone) == [("The Tide Clerk", "year", "1911"), ("On Mending", "year", "1912")]


def test_other_columns_of_words_say_which_row_is_meant() -> None:
    found = [one for one in records("r.csv", "Mill,Grain,Price\nLowmill,rye,3\nLowmill,oats,2\nHighmill,rye,4\n") if one.field == "price"]
    assert [(one.entity, dict(one.qualifiers)["grain"], one.value) for one in found] == [
        ("Lowmill", "rye", "3"), ("Lowmill", "oats", "2"), ("Highmill", "rye", "4"),
    ]  # fmt: skip


def test_no_more_columns_qualify_than_tell_the_rows_apart() -> None:
    found = records("r.csv", "Company,Year,Sales,Auditor\nTinworks,1911,5,Bell\nTinworks,1912,6,Moss\nQuarry,1911,7,Moss\nQuarry,1912,8,Moss\n")
    assert {name for one in found for name, _ in one.qualifiers} == {"number", "period"}


def test_the_caption_names_the_key_the_measure_and_the_scale() -> None:
    table = (
        "<table><caption>Table 3. Yield by orchard (in thousands of crowns)</caption><tr><th>Grower</th><th>Orchard</th><th>1911</th><th>1912</th></tr>"
        "<tr><td>Ann Moss</td><td>Mossgate</td><td>5</td><td>6</td></tr><tr><td>Odo Fenn</td><td>Fenside</td><td>7</td><td>8</td></tr></table>"
    )
    found = [one for one in records("t.html", f"<html><body><p>Yields.</p>{table}</body></html>") if one.field == "yield"]
    assert [(one.entity, one.value, dict(one.qualifiers)["period"]) for one in found] == [
        ("Mossgate", "5", "1911"), ("Mossgate", "6", "1912"), ("Fenside", "7", "1911"), ("Fenside", "8", "1912"),
    ]  # fmt: skip
    assert dict(found[0].qualifiers)["unit"] == "thousands of crowns"
    assert dict(found[0].qualifiers)["table"].startswith("Table 3. Yield by orchard")


def test_relations_stand_in_both_directions_with_the_name_of_the_ontology() -> None:
    found = records("r.csv", "Company,Founded by,Owner,Staff\nTinworks,Mara Quill,Odo Fenn,80\n")
    assert {(one.entity, one.category, one.field, one.value) for one in found} == {
        ("Tinworks", "relation", "founded_by", "Mara Quill"),
        ("Mara Quill", "relation", "founded", "Tinworks"),
        ("Tinworks", "relation", "owner", "Odo Fenn"),
        ("Odo Fenn", "relation", "inverse_of:owner", "Tinworks"),
        ("Tinworks", "property", "staff", "80"),
    }


def test_a_set_of_values_is_never_one_and_equal_rows_stay_apart() -> None:
    found = records("r.csv", "Song,Singers\nLow Farm,Ann Moss; Odo Fenn\nLow Farm,Nell Orme\n")
    assert [one.value for one in found if one.entity == "Low Farm"] == ["Ann Moss", "Odo Fenn", "Nell Orme"]


def test_empty_cells_and_marks_of_a_gap_give_nothing_and_ragged_rows_are_counted() -> None:
    (reading,) = readings("r.csv", "Village,Mayor,Inns\nHale,-,2\nLarkhope,n/a,\nLowmill,Ann Moss,3,4\nFenside\n,Odo Fenn,1\n")
    assert said(reading.records) == [("Hale", "inns", "2")]
    assert (reading.rows, reading.ragged, reading.unnamed) == (5, 2, 1)


@pytest.mark.parametrize(
    "text", ["1,2\n3,4\n", "Hale,5\nLarkhope,6\n", "a,b\n", "sex,class,alive\n" + "male,third,no\nmale,third,no\nfemale,first,yes\nmale,third,no\n" * 5]
)
def test_a_table_that_names_nothing_gives_no_record(text: str) -> None:
    assert records("r.csv", text) == []


def test_rows_without_a_naming_column_are_of_what_the_caption_or_title_says() -> None:
    found = records("r.md", "# Tinworks Ltd\n\n| Year | Revenue ($m) |\n|---|---|\n| 1911 | 5 |\n| 1912 | 6 |\n")
    assert [(one.entity, one.entity_type, one.field, one.value, dict(one.qualifiers)["period"]) for one in found] == [
        ("Tinworks Ltd", "other", "revenue", "5", "1911"), ("Tinworks Ltd", "other", "revenue", "6", "1912"),
    ]  # fmt: skip


def test_rows_far_from_their_header_keep_it_and_an_edit_of_one_row_changes_its_chunk_alone() -> None:
    rows = [f"Village {chr(65 + i % 26)}{i},{i * 7},{1800 + i}" for i in range(120)]
    text = "Village,Population,First named\n" + "\n".join(rows) + "\n"
    before = layout("v.csv", text, SMALL)
    assert len(before) > 10 and sum(len(rows) for _, rows in before) == 120
    found = [record for reading in readings("v.csv", text, SMALL) for record in reading.records]
    assert len(found) == 240 and {one.field for one in found} == {"population", "first_named"}
    after = layout("v.csv", text.replace("Village I60,420,", "Village I60,421,"), SMALL)
    assert len({repr(pair) for pair in before} ^ {repr(pair) for pair in after}) <= 4


def test_a_table_of_wide_gaps_finds_its_columns_where_the_corner_is_empty() -> None:
    lines = ["      1911  1912", "Net sales  3,909  3,673", "Costs  (3,115)  (2,951)", "Gross profit  794  722"]
    text = "\n".join(lines) + "\n"
    starts = [text.index(line) for line in lines]
    blocks = [Block("row", start, start + len(line), 0, "1911 1912") for start, line in zip(starts[1:], lines[1:], strict=True)]
    document = ParsedDocument("", "The mill", text, (Block("table", 0, len(text)), *blocks))
    profile = profile_document(document, ProfileSettings())
    chunks = chunk_document(document, profile, WordTokenizer(), WHOLE)
    found = row_records(text, table_rows(document, profile.sections, chunks), load_ontology()).records
    assert ("Net sales", "value", "3,909") in said(found) and ("Costs", "value", "(2,951)") in said(found)
    assert {dict(one.qualifiers)["period"] for one in found} == {"1911", "1912"}
