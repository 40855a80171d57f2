"""`pagerag ui`: what is looked at before Dagster takes the process over, and in what state it gets it."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pagerag_pipeline import cli
from pagerag_pipeline.stores import orphans
from pagerag_pipeline.stores.serving import hold_ui


class Started(Exception):
    """Stands for the moment in which Dagster takes over."""


@pytest.fixture
def dispositions(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[object]]:
    """How SIGINT and SIGTERM stood at the exec; this process gets back what it had."""
    seen: list[object] = []

    def started(*_: object) -> None:
        seen.extend([signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)])
        assert watched == [os.getpid()]
        raise Started

    watched: list[int] = []
    monkeypatch.setattr(orphans, "start", lambda: watched.append(os.getpid()))
    monkeypatch.setattr(os, "execve", started)
    monkeypatch.setenv("PAGERAG_TRACE", "1")
    before = {one: signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)}
    here = Path.cwd()
    yield seen
    os.chdir(here)
    for one, handler in before.items():
        signal.signal(one, handler)


@pytest.fixture
def port() -> int:
    """A port that nothing listens on."""
    with socket.socket() as tried:
        tried.bind(("127.0.0.1", 0))
        return int(tried.getsockname()[1])


def test_the_ui_can_be_interrupted_though_it_was_started_with_interrupts_ignored(tmp_path: Path, port: int, dispositions: list[object]):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with pytest.raises(Started):
        cli.main(["ui", "--home", str(tmp_path), "--port", str(port)])
    assert dispositions == [signal.SIG_DFL, signal.SIG_DFL]


def test_a_port_in_use_is_told_in_one_line_and_another_one_is_taken_then(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        taken = busy.getsockname()[1]
        assert cli.main(["ui", "--home", str(tmp_path), "--port", str(taken)]) == cli.REFUSED
    assert capsys.readouterr().err == f"pagerag: Port {taken} is in use: take another one with --port N.\n"
    os.close(hold_ui(tmp_path, host="127.0.0.1", port=taken))


def test_a_second_ui_of_a_home_is_refused_until_the_process_that_runs_the_first_has_ended(
    tmp_path: Path, port: int, capsys: pytest.CaptureFixture[str]
):
    code = f"import os, sys; from pathlib import Path; from pagerag_pipeline.stores.serving import hold_ui; hold_ui(Path({str(tmp_path)!r}), host='127.0.0.1', port={port})"
    command = f"{code}; os.execv(sys.executable, [sys.executable, '-c', 'print(1, flush=True); input()'])"
    with subprocess.Popen([sys.executable, "-c", command], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as first:
        assert first.stdout is not None and first.stdout.readline() == b"1\n"
        assert cli.main(["ui", "--home", str(tmp_path), "--port", str(port + 1)]) == cli.REFUSED
        told = capsys.readouterr().err
        assert told == f"pagerag: A UI over this home already runs at http://127.0.0.1:{port} (process {first.pid}).\n"
        first.kill()
    os.close(hold_ui(tmp_path, host="127.0.0.1", port=port))


def test_a_host_that_is_not_of_this_machine_is_told(tmp_path: Path, port: int, capsys: pytest.CaptureFixture[str]):
    assert cli.main(["ui", "--home", str(tmp_path), "--host", "192.0.2.1", "--port", str(port)]) == cli.REFUSED
    assert capsys.readouterr().err.startswith(f"pagerag: Nothing can listen on 192.0.2.1, port {port}: ")
