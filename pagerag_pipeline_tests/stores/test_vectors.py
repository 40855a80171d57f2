"""Vector tables: exact sync, scores that do not depend on history, versions that readers keep, cleanup that respects them."""

import hashlib
import json
import math
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

from pagerag_pipeline.schema.ids import digest
from pagerag_pipeline.settings import EmbedSettings
from pagerag_pipeline.stores import hits, vector_handles, vectors
from pagerag_pipeline.stores.damaged import FileDamaged
from pagerag_pipeline.stores.seals import rows_seal
from pagerag_pipeline.stores.sign_table import SignTable
from pagerag_pipeline.stores.vector_rows import VectorsError, vector_rows
from pagerag_pipeline.stores.vectors import SyncReport, VectorReader, VectorStore

SETTINGS = EmbedSettings(index_rows=150)
DIMENSION = 16


def _terms(key: str) -> str:
    rng = random.Random(key)
    return " ".join(f"t{min(rng.randrange(1, 60), rng.randrange(1, 60))}" for _ in range(rng.randrange(5, 40)))


def _vector(key: str) -> list[float]:
    vector = np.random.default_rng(int(key[:8], 16)).normal(size=DIMENSION)
    return [float(x) for x in vector / np.linalg.norm(vector)]


def fetch(keys: Sequence[str]) -> pl.DataFrame:
    return pl.DataFrame(
        {"key": list(keys), "terms": [_terms(k) for k in keys], "vector": [_vector(k) for k in keys]},
        schema_overrides={"vector": pl.List(pl.Float32)},
    )


def keys(count: int, start: int = 0) -> list[str]:
    return [digest("key", number) for number in range(start, start + count)]


def built(folder: Path, wanted: Sequence[str], *, table: str = "passages") -> VectorReader:
    store = VectorStore(folder, SETTINGS)
    store.sync(table, wanted, fetch)
    store.index(table)
    return VectorReader(folder, store.versions())


def test_sync_adds_what_is_missing_deletes_what_is_not_wanted_and_then_rests(tmp_path: Path):
    store = VectorStore(tmp_path, SETTINGS)
    asked: list[str] = []

    def counting(some: Sequence[str]) -> pl.DataFrame:
        asked.extend(some)
        return fetch(some)

    assert store.sync("passages", keys(30), counting) == SyncReport(30, 0, 30)
    assert store.sync("passages", keys(30, 10), counting) == SyncReport(10, 10, 30)
    version = store.versions()
    assert store.sync("passages", list(reversed(keys(30, 10))) * 2, counting) == SyncReport(0, 0, 30)
    assert store.versions() == version
    assert sorted(asked) == sorted(keys(40))
    assert store.sync("passages", [], counting) == SyncReport(0, 30, 0)


def test_indexes_are_built_once_for_the_same_rows(tmp_path: Path):
    store = VectorStore(tmp_path, SETTINGS)
    assert not store.index("passages")
    store.sync("passages", keys(30), fetch)
    assert store.index("passages")
    assert not store.index("passages")
    store.compact()
    assert not store.index("passages")
    store.sync("passages", keys(29), fetch)
    assert VectorStore(tmp_path, SETTINGS).index("passages")


def test_scores_after_any_history_are_those_of_a_clean_build(tmp_path: Path):
    final = keys(400, 100)
    store = VectorStore(tmp_path / "long", SETTINGS)
    for wanted in (keys(300), keys(90, 30) + keys(50, 400), keys(600, 50), final):
        store.sync("passages", wanted, fetch)
        store.index("passages")
        store.tag(f"g{len(wanted)}")
    incremental = VectorReader(tmp_path / "long", store.versions())
    clean = built(tmp_path / "clean", final)
    for number in range(30):
        terms = [f"t{number}", f"t{number % 7 + 1}", "t2"]
        assert incremental.match("passages", terms, limit=20) == clean.match("passages", terms, limit=20)
        query = np.asarray(_vector(digest("query", number)))
        assert incremental.nearest("passages", query, limit=20) == clean.nearest("passages", query, limit=20)


def test_match_is_bm25_over_any_of_the_terms(tmp_path: Path):
    wanted = keys(120)
    bags = {key: Counter(_terms(key).split()) for key in wanted}
    mean = sum(sum(bag.values()) for bag in bags.values()) / len(bags)

    def score(key: str, terms: Sequence[str]) -> float:
        total, length = 0.0, sum(bags[key].values())
        for term in terms:
            holds = sum(term in bag for bag in bags.values())
            idf = math.log(1 + (len(bags) - holds + 0.5) / (holds + 0.5))
            total += idf * bags[key][term] * 2.2 / (bags[key][term] + 1.2 * (0.25 + 0.75 * length / mean))
        return total

    reader = built(tmp_path, wanted)
    terms = ["t3", "t17", "t40"]
    found = reader.match("passages", terms, limit=500)
    assert {key for key, _ in found} == {key for key in wanted if any(bags[key][term] for term in terms)}
    assert all(abs(value - score(key, terms)) < 2e-4 for key, value in found)
    assert found == sorted(found, key=lambda hit: (-hit[1], hit[0]))
    assert reader.match("passages", [*terms, "t3"], limit=500) == found


def test_terms_are_matched_as_they_are(tmp_path: Path):
    long = "x" * 300
    texts = {"a" * 32: f"the running Été {long}", "b" * 32: "The run ete the's 東京", "c" * 32: ""}
    store = VectorStore(tmp_path, SETTINGS)
    store.sync(
        "passages",
        list(texts),
        lambda some: pl.DataFrame({"key": list(some), "terms": [texts[k] for k in some], "vector": [_vector(k) for k in some]}),
    )
    store.index("passages")
    reader = VectorReader(tmp_path, store.versions())

    def found(term: str) -> list[str]:
        return [key[0] for key, _ in reader.match("passages", [term], limit=5)]

    assert [found(term) for term in ("the", "running", "run", "Été", "ete", "The", long, "the's", "東京", "東")] == [
        ["a"], ["a"], ["b"], ["a"], ["b"], ["b"], ["a"], ["b"], ["b"], [],
    ]  # fmt: skip


def test_nearest_is_exact_below_and_above_the_index_limit(tmp_path: Path):
    for count in (100, 400):
        reader = built(tmp_path / str(count), keys(count))
        query = np.asarray(_vector(digest("query", count)), dtype=np.float32)
        expected = sorted(((k, round(float(np.asarray(_vector(k)) @ query), 6)) for k in keys(count)), key=lambda hit: (-hit[1], hit[0]))
        found = reader.nearest("passages", query * 3, limit=10)
        assert [key for key, _ in found] == [key for key, _ in expected[:10]]
        assert [value for _, value in found] == pytest.approx([value for _, value in expected[:10]], abs=2e-6)


@pytest.mark.parametrize("count", [3, 300, 2500])
def test_keys_restrict_both_searches_without_changing_scores(tmp_path: Path, count: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(hits, "KEYS_A_QUERY", 1000)
    total = max(400, count + 100)
    reader = built(tmp_path, keys(total))
    allowed = keys(count, 50) + [digest("unknown"), "o'hara"]
    query = np.asarray(_vector(digest("query")))
    everything = reader.match("passages", ["t2", "t9"], limit=total)
    assert reader.match("passages", ["t2", "t9"], limit=25, keys=allowed) == [h for h in everything if h[0] in set(allowed)][:25]
    near = reader.nearest("passages", query, limit=total)
    assert reader.nearest("passages", query, limit=25, keys=allowed) == [h for h in near if h[0] in set(allowed)][:25]
    assert reader.match("passages", ["t2"], limit=5, keys=[]) == [] == reader.nearest("passages", query, limit=5, keys=[])


def test_ties_are_broken_by_key_in_whatever_order_rows_came(tmp_path: Path):
    same: Callable[[Sequence[str]], pl.DataFrame] = lambda some: pl.DataFrame(  # noqa: E731
        {"key": list(some), "terms": ["same words"] * len(some), "vector": [[1.0, 0.0]] * len(some)}
    )
    for name, order in (("up", [keys(100), keys(200)]), ("down", [keys(100, 100), keys(200)])):
        store = VectorStore(tmp_path / name, SETTINGS)
        for wanted in order:
            store.sync("reports", wanted, same)
        store.index("reports")
        reader = VectorReader(tmp_path / name, store.versions())
        best = sorted(keys(200))[:7]
        assert [key for key, _ in reader.match("reports", ["same"], limit=7)] == best
        assert [key for key, _ in reader.nearest("reports", np.array([1.0, 0.0]), limit=7)] == best


def test_absent_and_empty_tables_give_nothing(tmp_path: Path):
    store = VectorStore(tmp_path, SETTINGS)
    assert store.sync("summaries", [], fetch) == SyncReport(0, 0, 0)
    store.sync("passages", keys(3), fetch)
    store.sync("passages", [], fetch)
    assert store.index("passages") or store.versions()["passages"]
    for reader in (VectorReader(tmp_path, store.versions()), VectorReader(tmp_path / "none", {})):
        for table in ("passages", "summaries", "reports"):
            assert reader.nearest(table, np.ones(DIMENSION), limit=3) == [] == reader.match(table, ["t1"], limit=3)
            assert reader.vectors(table, keys(2)) == {}
    with pytest.raises(ValueError, match="no vector table"):
        reader.match("passage", ["t1"], limit=3)


def test_a_vector_of_another_length_is_a_plain_error_with_both_lengths(tmp_path: Path):
    reader = built(tmp_path, keys(5))
    with pytest.raises(ValueError, match="16 dimensions, the question's has 384"):
        reader.nearest("passages", np.ones(384), limit=3)


def test_vectors_come_back_as_stored(tmp_path: Path):
    reader = built(tmp_path, keys(50))
    found = reader.vectors("passages", [*keys(3), digest("unknown")])
    assert sorted(found) == sorted(keys(3))
    for key, vector in found.items():
        assert vector.dtype == np.float32 and np.allclose(vector, _vector(key), atol=1e-7)


def test_another_fingerprint_begins_a_table_anew_while_its_readers_go_on(tmp_path: Path):
    store = VectorStore(tmp_path, SETTINGS)
    store.sync("passages", keys(20), fetch, fingerprint="model one")
    store.index("passages")
    store.tag("g1")
    old = VectorReader(tmp_path, store.versions())
    other: Callable[[Sequence[str]], pl.DataFrame] = lambda some: fetch(some).with_columns(  # noqa: E731
        vector=pl.Series([[0.6, 0.8]] * len(some), dtype=pl.List(pl.Float32))
    )
    with pytest.raises(VectorsError, match="16 dimensions, 2 came"):
        store.sync("passages", keys(21), other, fingerprint="model one")
    assert store.sync("passages", keys(20), other, fingerprint="model two") == SyncReport(20, 20, 20)
    assert store.sync("passages", keys(20), other, fingerprint="model two") == SyncReport(0, 0, 20)
    store.index("passages")
    store.compact()
    new = VectorReader(tmp_path, store.versions())
    assert new.nearest("passages", np.array([0.6, 0.8]), limit=1)[0][1] == 1.0
    assert len(old.nearest("passages", np.ones(DIMENSION), limit=50)) == 20
    assert store.sync("passages", [], fetch, fingerprint="model three") == SyncReport(0, 20, 0)
    assert VectorReader(tmp_path, store.versions()).nearest("passages", np.ones(2), limit=3) == []
    assert store.sync("passages", keys(3), fetch, fingerprint="model three") == SyncReport(3, 0, 3)


def test_a_begin_anew_that_was_cut_off_leaves_no_row_of_the_old_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    store = VectorStore(tmp_path, SETTINGS)
    store.sync("passages", keys(20), fetch, fingerprint="model one")

    def failing(some: Sequence[str]) -> pl.DataFrame:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.sync("passages", keys(20), failing, fingerprint="model two")
    assert store.sync("passages", keys(20), fetch, fingerprint="model two") == SyncReport(20, 20, 20)


def test_what_fetch_does_not_deliver_is_an_error(tmp_path: Path):
    store = VectorStore(tmp_path, SETTINGS)
    with pytest.raises(VectorsError, match="1 of 4 wanted keys have no vector"):
        store.sync("passages", keys(4), lambda some: fetch(some[:-1]))
    with pytest.raises(VectorsError, match="different lengths"):
        store.sync(
            "passages", keys(2), lambda some: pl.DataFrame({"key": list(some), "terms": ["a", "b"], "vector": [[1.0], [1.0, 0.0]]})
        )


def test_a_sync_that_was_cut_off_is_completed_by_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(vectors, "_ADD_ROWS", 10)
    store = VectorStore(tmp_path, SETTINGS)
    calls: list[int] = []

    def failing(some: Sequence[str]) -> pl.DataFrame:
        calls.append(len(some))
        if len(calls) == 3:
            raise KeyboardInterrupt
        return fetch(some)

    with pytest.raises(KeyboardInterrupt):
        store.sync("passages", keys(45), failing)
    assert VectorStore(tmp_path, SETTINGS).sync("passages", keys(45), fetch) == SyncReport(25, 0, 45)


def test_tagged_versions_stay_readable_through_cleanup_and_go_with_their_tag(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(vector_handles, "_CLEANUP_MARGIN", vector_handles.datetime.timedelta(milliseconds=300))
    store = VectorStore(tmp_path, SETTINGS)
    versions: dict[str, dict[str, int]] = {}
    for number in range(4):
        time.sleep(0.4 if number == 3 else 0)
        store.sync("passages", keys(40, 10 * number), fetch)
        store.index("passages")
        versions[f"g{number}"] = store.versions()
        store.tag(f"g{number}")
    held = VectorReader(tmp_path, versions["g0"])
    store.compact()
    for number in range(4):
        reader = VectorReader(tmp_path, versions[f"g{number}"])
        assert sorted(reader.vectors("passages", keys(100))) == sorted(keys(40, 10 * number))
        assert {key for key, _ in reader.match("passages", [f"t{n}" for n in range(60)], limit=99)} == set(keys(40, 10 * number))
    assert len(held.match("passages", [f"t{n}" for n in range(60)], limit=99)) == 40
    size = _size(tmp_path)
    for name in ("g0", "g1", "g2", "g2"):
        store.drop_tag(name)
    store.compact()
    assert store.tags() == {"passages": ["g3"]}
    assert _size(tmp_path) < size
    with pytest.raises(FileDamaged, match="version [0-9]+ of it cannot be opened"):
        VectorReader(tmp_path, versions["g0"])
    assert len(VectorReader(tmp_path, versions["g3"]).vectors("passages", keys(100))) == 40


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def test_readers_of_a_version_are_not_disturbed_by_writes_indexing_and_cleanup(tmp_path: Path):
    store = VectorStore(tmp_path, SETTINGS)
    store.sync("passages", keys(200), fetch)
    store.index("passages")
    store.tag("g0")
    reader = VectorReader(tmp_path, store.versions())
    query, stop = np.asarray(_vector(digest("query"))), threading.Event()

    def ask() -> list[tuple[str, float]]:
        return reader.match("passages", ["t2", "t9"], limit=9) + reader.nearest("passages", query, limit=9, keys=keys(50))

    def work(_: int) -> bool:
        same = [ask() == expected]
        while not stop.is_set():
            same.append(ask() == expected)
        return all(same)

    expected = ask()
    with ThreadPoolExecutor(4) as pool:
        outcomes = [pool.submit(work, number) for number in range(4)]
        for number in range(4):
            store.sync("passages", keys(200, 30 * number + 30), fetch)
            store.index("passages")
            store.compact()
        stop.set()
        assert all(outcome.result() for outcome in outcomes)


def test_a_folder_without_a_first_commit_is_no_table_yet(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    (tmp_path / "passages.lance" / "data").mkdir(parents=True)
    (tmp_path / "passages.lance" / "data" / "half.lance").write_bytes(b"half")
    store = VectorStore(tmp_path, SETTINGS)
    assert store.versions() == {}
    assert store.sync("passages", keys(3), fetch) == SyncReport(3, 0, 3)
    assert capfd.readouterr().err == ""


def test_a_writer_killed_anywhere_leaves_tables_that_the_next_sync_completes(tmp_path: Path):
    code = """
import sys
from pathlib import Path
from pagerag_pipeline_tests.stores.test_vectors import SETTINGS, VectorStore, fetch, keys
store = VectorStore(Path(sys.argv[1]), SETTINGS)
print("go", flush=True)
for number in range(1000):
    store.sync("passages", keys(180, number % 9 * 20), fetch)
    store.index("passages")
    store.tag("g")
    store.compact()
"""
    home = tmp_path / "killed"
    for pause in (0.05, 0.21):
        process = subprocess.Popen([sys.executable, "-c", code, str(home)], stdout=subprocess.PIPE)
        assert process.stdout is not None and process.stdout.readline() == b"go\n"
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(timeout=pause)
        process.kill()
        process.wait()
        reader, clean = built(home, keys(180, 7)), built(tmp_path / f"clean{pause}", keys(180, 7))
        assert reader.count("passages") == 180
        for number in range(10):
            terms = [f"t{number}", "t3"]
            assert reader.match("passages", terms, limit=20) == clean.match("passages", terms, limit=20)


def test_many_vectors_take_bounded_memory_and_give_as_many_neighbors_as_asked(tmp_path: Path):
    program = [sys.executable, "-m", "pagerag_pipeline_tests.stores.many_vectors", str(tmp_path)]
    told = json.loads(subprocess.run(program, check=True, capture_output=True, text=True, timeout=120).stdout)
    assert (told["rows"], told["hits"]) == (20_000, 40)
    assert told["mib"] < 400, told


def _signs(key: str) -> np.ndarray:
    tokens = int(key[:8], 16) % 5
    return np.random.default_rng(int(key[:8], 16)).integers(0, 256, size=(tokens, DIMENSION // 8), dtype=np.uint8)


def fetch_signed(keys: Sequence[str]) -> pl.DataFrame:
    return fetch(keys).with_columns(signs=pl.Series([_signs(key).tobytes() for key in keys], dtype=pl.Binary))


def test_signs_come_back_as_they_were_given_and_in_memory_they_are_the_same(tmp_path: Path) -> None:
    store, wanted = VectorStore(tmp_path, SETTINGS), keys(40)
    store.sync("passages", wanted[:25], fetch_signed)
    store.sync("passages", wanted[5:], fetch_signed)
    store.index("passages")
    reader = VectorReader(tmp_path, store.versions())
    kept = SignTable(pa.Table.from_batches(list(reader.batches("passages", ("key", "signs")))), reader.token_bytes("passages"))
    for told in (reader.signs("passages", [*wanted, "no such key"]), kept.signs([*wanted, "no such key"])):
        assert sorted(told) == sorted(wanted[5:])
        assert all(one.dtype == np.uint8 and one.shape[1] == 2 and np.array_equal(one, _signs(key)) for key, one in told.items())
    assert {len(_signs(key)) for key in wanted[5:]} == {0, 1, 2, 3, 4}
    assert kept.nbytes > sum(_signs(key).nbytes for key in wanted[5:])
    assert reader.signs("passages", []) == {} == kept.signs([])


def test_a_table_without_signs_tells_none_and_gets_them_when_it_is_begun_anew(tmp_path: Path) -> None:
    store, wanted = VectorStore(tmp_path, SETTINGS), keys(8)
    store.sync("passages", wanted, fetch, fingerprint="earlier")
    earlier = VectorReader(tmp_path, store.versions())
    store.sync("passages", wanted, fetch_signed, fingerprint="now")
    now = VectorReader(tmp_path, store.versions())
    assert (earlier.token_bytes("passages"), earlier.signs("passages", wanted)) == (0, {})
    assert (now.token_bytes("passages"), sorted(now.signs("passages", wanted))) == (2, sorted(wanted))
    assert [batch.schema.names for batch in earlier.batches("passages")] == [["key", "terms", "vector"]]
    assert (now.token_bytes("summaries"), now.signs("summaries", wanted)) == (0, {})


def test_a_seal_tells_changed_signs_whatever_the_batches_and_stays_what_it_was_without_them() -> None:
    wanted = keys(6)
    plain, signed = (vector_rows("passages", sorted(wanted), one(wanted), "") for one in (fetch, fetch_signed))
    seal = rows_seal(signed.to_batches())
    assert rows_seal(signed.to_batches(max_chunksize=2)) == seal
    moved = [value + b"x" for value in signed["signs"].to_pylist()]
    assert rows_seal(signed.set_column(3, "signs", pa.array(moved, pa.binary())).to_batches()) != seal
    assert rows_seal(signed.drop_columns("signs").to_batches()) == rows_seal(plain.to_batches()) != seal
    assert rows_seal(plain.to_batches()) == {"size": 6, "digest": _seal_of_three(plain)}


def _seal_of_three(rows: pa.Table) -> str:
    """As generations without signs were sealed."""
    parts = ["".join(f"{one}\n" for one in rows[name].to_pylist()).encode() for name in ("key", "terms")]
    parts.append(np.array(rows["vector"].to_pylist(), dtype=np.float32).tobytes())
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()
