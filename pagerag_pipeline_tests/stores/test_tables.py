"""The door to DuckDB: frames in and out, transactions, locks, versions, and what a killed process leaves."""

import subprocess
import sys
import threading
from pathlib import Path

import polars as pl
import pyarrow as pa
import pytest

from pagerag_pipeline.settings import StoreSettings
from pagerag_pipeline.stores import layout
from pagerag_pipeline.stores.damaged import FileDamaged
from pagerag_pipeline.stores.tables import TablesError, TablesLocked, TablesVersion, is_interrupt, open_tables

SETTINGS = StoreSettings(duckdb_memory="500MB", duckdb_threads=1)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "some.duckdb"


def test_the_whole_layout_is_valid_sql(path: Path):
    with open_tables(path, SETTINGS) as tables:
        for name in layout.LEDGERS:
            tables.execute(layout.LEDGER.format(name=name))
        tables.execute(layout.WORK)
        for name, columns in layout.CORPUS.items():
            tables.execute(f"CREATE TABLE {name} ({columns})")
        tables.execute(layout.LIVE)
        assert tables.rows("SELECT count(*) FROM live_chunks") == [(0,)]


def test_insert_matches_columns_by_name_and_leaves_others_null(path: Path):
    with open_tables(path, SETTINGS) as tables:
        tables.execute("CREATE TABLE t (a INTEGER, b VARCHAR, c DOUBLE)")
        assert tables.insert("t", pl.DataFrame({"b": ["x", None, "é\U0001f600"], "a": [1, 2, 3]})) == 3
        assert tables.insert("t", pa.table({"c": [0.5], "a": [4]})) == 1
        assert tables.insert("t", pl.DataFrame({"a": []})) == 0
        assert tables.rows("SELECT * FROM t ORDER BY a") == [(1, "x", None), (2, None, None), (3, "é\U0001f600", None), (4, None, 0.5)]


def test_insert_keeps_the_order_of_a_large_frame(path: Path):
    with open_tables(path, StoreSettings(duckdb_threads=4)) as tables:
        tables.execute("CREATE TABLE t (a BIGINT)")
        tables.insert("t", pl.DataFrame({"a": range(300_000)}))
        assert tables.frame("SELECT a FROM t")["a"].to_list() == list(range(300_000))


def test_frame_keeps_names_and_types_when_no_row_comes(path: Path):
    with open_tables(path, SETTINGS) as tables:
        tables.execute("CREATE TABLE t (a INTEGER, v FLOAT[])")
        assert tables.frame("SELECT * FROM t WHERE a = ?", [1]).schema == {"a": pl.Int32, "v": pl.List(pl.Float32)}


def test_parameters_are_data_never_sql(path: Path):
    odd = "O'Hara`s \"Inn\" \\ ; DROP TABLE t --"
    with open_tables(path, SETTINGS) as tables:
        tables.execute("CREATE TABLE t (a VARCHAR)")
        tables.execute("INSERT INTO t VALUES (?)", [odd])
        assert tables.frame("SELECT a FROM t WHERE a = ?", [odd])["a"].to_list() == [odd]


def test_an_unknown_table_is_an_error_even_when_a_variable_has_its_name(path: Path):
    with open_tables(path, SETTINGS) as tables:
        ghost = pl.DataFrame({"a": [1]})
        for one in (tables, tables.cursor()):
            with pytest.raises(Exception, match="ghost"):
                one.frame("SELECT * FROM ghost")
        assert ghost.height == 1


def test_statements_after_unfetched_ones_work(path: Path):
    with open_tables(path, SETTINGS) as tables:
        tables.execute("SELECT range FROM range(100000)")
        assert tables.frame("SELECT 1 AS a").height == 1
        tables.execute("SELECT range FROM range(100000)")
        assert tables.rows("SELECT 1") == [(1,)]


def test_a_staged_frame_is_readable_only_inside_its_context(path: Path):
    with open_tables(path, SETTINGS) as tables:
        with tables.staged("wanted", pl.DataFrame({"a": [1, 2]})) as name:
            assert tables.rows(f"SELECT sum(a) FROM {name}") == [(3,)]
        with pytest.raises(Exception, match="wanted"):
            tables.rows("SELECT * FROM wanted")


def test_a_transaction_that_raises_leaves_nothing(path: Path):
    with open_tables(path, SETTINGS) as tables:
        tables.execute("CREATE TABLE t (a INTEGER)")
        with pytest.raises(KeyError), tables.transaction():
            tables.insert("t", pl.DataFrame({"a": [1]}))
            raise KeyError("stop")
        with pytest.raises(Exception, match="Conversion"), tables.transaction():
            tables.execute("INSERT INTO t VALUES ('no number')")
        assert tables.rows("SELECT count(*) FROM t") == [(0,)]
        with tables.transaction():
            tables.execute("INSERT INTO t VALUES (2)")
        assert tables.rows("SELECT a FROM t") == [(2,)]


def test_cursors_serve_four_threads_at_once(path: Path):
    with open_tables(path, SETTINGS) as tables:
        tables.execute("CREATE TABLE t AS SELECT range AS a FROM range(1000)")
        sums: list[int] = []

        def work() -> None:
            with tables.cursor() as mine:
                sums.extend(mine.rows("SELECT sum(a) FROM t WHERE a >= ?", [0])[0][0] for _ in range(20))

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sums == [499_500] * 80


def test_an_attached_file_is_written_and_whole_after_detach(path: Path, tmp_path: Path):
    other = tmp_path / "it's other.duckdb"
    with open_tables(path, SETTINGS) as tables:
        tables.attach(other, "out")
        tables.execute('CREATE TABLE "out".t AS SELECT 7 AS a')
        tables.detach("out")
        assert not other.with_name(other.name + ".wal").exists()
        with open_tables(other, SETTINGS, read_only=True) as read:
            assert read.rows("SELECT a FROM t") == [(7,)]


def _other_process(path: Path, mode: str) -> subprocess.Popen[str]:
    code = f"""
import sys
from pathlib import Path
from pagerag_pipeline.settings import StoreSettings
from pagerag_pipeline.stores.damaged import FileDamaged
from pagerag_pipeline.stores.tables import open_tables
tables = open_tables(Path(sys.argv[1]), StoreSettings(), read_only={mode == "read"})
print("open", flush=True)
sys.stdin.readline()
"""
    process = subprocess.Popen([sys.executable, "-c", code, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "open\n"
    return process


@pytest.mark.parametrize("read_only", [False, True])
def test_a_file_that_another_process_writes_is_named_in_the_error(path: Path, read_only: bool):
    process = _other_process(path, "write")
    try:
        with pytest.raises(TablesLocked) as caught:
            open_tables(path, SETTINGS, read_only=read_only)
        assert str(path) in str(caught.value) and "refresh" in str(caught.value) and str(process.pid) in str(caught.value)
    finally:
        process.communicate("\n")
    open_tables(path, SETTINGS, read_only=read_only).close()


def test_readers_in_several_processes_share_a_file(path: Path):
    open_tables(path, SETTINGS).close()
    process = _other_process(path, "read")
    try:
        with open_tables(path, SETTINGS, read_only=True) as one, open_tables(path, SETTINGS, read_only=True) as two:
            assert one.rows("SELECT 1") == two.rows("SELECT 1")
    finally:
        process.communicate("\n")


def test_a_file_open_for_writing_in_this_process_cannot_be_read_beside_it(path: Path):
    with open_tables(path, SETTINGS), pytest.raises(TablesLocked, match="some.duckdb"):
        open_tables(path, SETTINGS, read_only=True)


def test_a_file_of_another_engine_version_is_refused_with_both_versions(path: Path):
    open_tables(path, SETTINGS).close()
    data = bytearray(path.read_bytes())
    data[12:20] = (100_000).to_bytes(8, "little")
    data[0:8] = _block_checksum(bytes(data[8:4096])).to_bytes(8, "little")
    path.write_bytes(data)
    with pytest.raises(TablesVersion, match="another version of DuckDB") as caught:
        open_tables(path, SETTINGS)
    assert "100000" in str(caught.value) and str(path) in str(caught.value)


def _block_checksum(block: bytes) -> int:
    result = 5381
    for start in range(0, len(block), 8):
        result ^= int.from_bytes(block[start : start + 8], "little") * 0xBF58476D1CE4E5B9 & (1 << 64) - 1
    return result


def test_what_is_no_table_file_is_a_plain_error(path: Path):
    path.write_bytes(b"no database" * 1000)
    with pytest.raises(FileDamaged, match="not a valid DuckDB"):
        open_tables(path, SETTINGS)
    with pytest.raises(TablesError, match="does not exist"):
        open_tables(path.with_name("none.duckdb"), SETTINGS, read_only=True)


def _killed_while_writing(path: Path) -> int:
    """Rows that a process acknowledged before it killed itself; it leaves a log behind."""
    code = """
import os, sys
from pathlib import Path
from pagerag_pipeline.settings import StoreSettings
from pagerag_pipeline.stores.damaged import FileDamaged
from pagerag_pipeline.stores.tables import open_tables
tables = open_tables(Path(sys.argv[1]), StoreSettings())
tables.execute("CREATE TABLE t (a INTEGER)")
tables.checkpoint()
for i in range(300):
    with tables.transaction():
        tables.execute("INSERT INTO t SELECT ? FROM range(20)", [i])
        tables.execute("INSERT INTO t SELECT ? FROM range(20)", [i])
    print(i + 1, flush=True)
tables.execute("BEGIN")
tables.execute("INSERT INTO t SELECT 999 FROM range(20)")
os.kill(os.getpid(), 9)
"""
    run = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=False)
    assert run.returncode == -9
    return 40 * int(run.stdout.split()[-1])


def test_acknowledged_rows_survive_a_kill_and_open_transactions_do_not(path: Path):
    acknowledged = _killed_while_writing(path)
    assert path.with_name(path.name + ".wal").exists()
    with open_tables(path, SETTINGS) as tables:
        assert tables.rows("SELECT count(*), count(*) FILTER (a = 999) FROM t") == [(acknowledged, 0)]


def test_a_torn_log_recovers_to_a_whole_transaction(path: Path):
    acknowledged = _killed_while_writing(path)
    log = path.with_name(path.name + ".wal")
    log.write_bytes(log.read_bytes()[:-5])
    with open_tables(path, SETTINGS) as tables:
        (count,) = tables.rows("SELECT count(*) FROM t")[0]
        assert count == acknowledged - 40


def test_a_damaged_log_never_keeps_a_file_from_opening_on_a_transaction_boundary(path: Path, caplog: pytest.LogCaptureFixture):
    acknowledged = _killed_while_writing(path)
    log = path.with_name(path.name + ".wal")
    whole, file = log.read_bytes(), path.read_bytes()
    for place in range(len(whole) // 2, len(whole) // 2 + 300, 15):
        path.write_bytes(file)
        log.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        with open_tables(path, SETTINGS) as tables:
            (count,) = tables.rows("SELECT count(*) FROM t")[0]
            assert count % 40 == 0 and count < acknowledged
    assert "set aside" in caplog.text and log.with_name(log.name + ".damaged").exists()


def test_ctrl_c_during_a_statement_is_known_as_such_and_no_other_fault_is():
    assert is_interrupt(caused(RuntimeError("broken"), RuntimeError("Query interrupted")))
    assert not is_interrupt(caused(RuntimeError("broken"), ValueError("no query"))) and not is_interrupt(None)


def caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error
