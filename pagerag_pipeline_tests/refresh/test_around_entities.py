"""Records of table rows and entity-centered passages are kept fresh beside the reading of chunks, and published."""

from pathlib import Path
from typing import Any

import pytest

from pagerag_pipeline.refresh import workers
from pagerag_pipeline.settings import StoreSettings
from pagerag_pipeline.stores import generations
from pagerag_pipeline.stores.tables import open_tables
from pagerag_pipeline_tests.homes import F1, F2, STUB_MODELS, build, corpus_of, digests, make_home, refreshed, write_files
from pagerag_pipeline_tests.refresh.conftest import FirstBuilds

ROWS = "".join(f"Village {i},{i * 11},{1000 + i}\n" for i in range(1, 400))
TABLE = f"Village,Population,First named\n{ROWS}"
STORY = "\n\n".join(
    f"{who} came to {where} in the spring and stayed. It was known that {who} had money, and that {who} kept it in the house. " + "So it went on. " * 70
    for who, where in (("Mara Quill", "Hale"), ("Odo Fenn", "Larkhope"), ("Sister Bell", "Low Farm"), ("Ann Moss", "Hale"))
)
FILES = {"villages.csv": TABLE, "story.txt": STORY, "a.txt": F1}


def published(home: Path, sql: str) -> list[tuple[Any, ...]]:
    folder = generations.generation_folder(home, generations.current_name(home) or "")
    with open_tables(folder / generations.TABLES_FILE, StoreSettings(), read_only=True) as tables:
        return tables.rows(sql)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, first_builds: FirstBuilds) -> Path:
    return first_builds.home(tmp_path_factory.mktemp("entities"), FILES)


def test_every_row_gives_its_records_bound_to_its_span_and_its_row_passage(home: Path) -> None:
    rows = published(
        home,
        """SELECT r.entity, r.field, r.number, r.quote, c.kind, c.text FROM records r JOIN chunks c ON c.chunk_id = r.passage_id
           WHERE r.document = 'villages.csv' ORDER BY r.start, r.field""",
    )
    assert len(rows) == 2 * 399
    assert rows[:2] == [
        ("Village 1", "first_named", 1001.0, "Village 1 | 11 | 1001", "row", "Village 1 | 11 | 1001"),
        ("Village 1", "population", 11.0, "Village 1 | 11 | 1001", "row", "Village 1 | 11 | 1001"),
    ]
    assert published(home, "SELECT count(*), sum(number) FROM records WHERE entity_type = 'village' AND field = 'population'") == [(399, 11.0 * 399 * 200)]


def test_entity_passages_cover_every_document_in_order(home: Path) -> None:
    parts = published(home, "SELECT document, string_agg(text, '' ORDER BY ordinal) FROM chunks WHERE kind = 'entity' GROUP BY document ORDER BY document")
    assert parts == published(home, "SELECT document, text FROM documents ORDER BY document")
    told = published(home, "SELECT entity FROM chunks WHERE kind = 'entity' AND document = 'story.txt' ORDER BY ordinal")
    assert [entity for (entity,) in told] == ["Mara Quill", "Odo Fenn", "Sister Bell", "Ann Moss"]


def test_records_of_sentences_lead_to_the_passage_they_stand_in(home: Path) -> None:
    stray = published(
        home,
        """SELECT r.record_id FROM records r LEFT JOIN chunks c ON c.chunk_id = r.passage_id AND c.kind = 'entity'
           WHERE r.document <> 'villages.csv' AND (c.chunk_id IS NULL OR r.start < c.start OR r.start >= c."end")""",
    )
    assert stray == []


def test_what_was_left_out_is_told_by_reason(tmp_path: Path) -> None:
    home = make_home(tmp_path, {"v.csv": "Village,Inns\nHale,2\nLarkhope\n,3\n"})
    details = refreshed(home)["entity_records"].details
    assert details["left_out"] == {"ragged": 1, "rows": 3, "unnamed": 1}
    assert details["passages"] == 1


def test_one_edited_row_is_read_again_with_its_chunk_alone_and_ends_as_a_clean_build(tmp_path: Path, first_builds: FirstBuilds) -> None:
    home = first_builds.home(tmp_path / "kept", FILES)
    write_files(corpus_of(home), {"villages.csv": TABLE.replace("Village 200,2200,", "Village 200,2201,")})
    edited = refreshed(home)
    chunks = edited["entity_records"].units
    assert chunks > 4 and edited["entity_records"].computed <= 2
    assert published(home, "SELECT number FROM records WHERE entity = 'Village 200' AND field = 'population'") == [(2201.0,)]
    clean = make_home(tmp_path / "clean", {**FILES, "villages.csv": TABLE.replace("Village 200,2200,", "Village 200,2201,")})
    assert digests(edited) == digests(refreshed(clean))
    assert refreshed(home)["entity_records"].computed == 0


def test_other_knobs_of_the_partition_part_again_and_tag_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = build(tmp_path, {"story.txt": STORY})
    before = published(home, "SELECT count(*) FROM chunks WHERE kind = 'entity'")
    make_home(tmp_path, {"story.txt": STORY}, settings=f"{STUB_MODELS}\n[partition]\nleast_tokens = 2000\n")
    monkeypatch.setattr(workers, "extract_chunks", None)
    report = refreshed(home)["entity_records"]
    assert report.computed == report.units == 2
    assert published(home, "SELECT count(*) FROM chunks WHERE kind = 'entity'") == [(2,)] != before


def test_a_partition_that_fails_leaves_the_chunk_whole_and_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = make_home(tmp_path, {f"{i}.txt": f"{F1} {F2} Page {i}." for i in range(3)}, settings=f"{STUB_MODELS}\n[refresh]\nmax_failed_share = 0.5\n")
    whole = workers.partition_chunk

    def partition(text: str, *given: Any) -> Any:
        if "Page 1" in text:
            raise TimeoutError("no answer within 60 s")
        return whole(text, *given)

    monkeypatch.setattr(workers, "partition_chunk", partition)
    report = refreshed(home)["entity_records"]
    assert (report.failed, report.details["failures"][0][1]) == (1, "TimeoutError: no answer within 60 s")
    assert published(home, "SELECT text FROM chunks WHERE kind = 'entity' AND document = '1.txt'") == [(f"{F1} {F2} Page 1.",)]
    monkeypatch.setattr(workers, "partition_chunk", whole)
    assert refreshed(home)["entity_records"].failed == 0
