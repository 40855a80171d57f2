"""A process that was killed outright leaves no children behind, and those that are not its own are let be."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from pagerag_pipeline.stores.locks import process_identity
from pagerag_pipeline.stores.orphans import watch

PARENT = "import subprocess, sys; child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']); print(child.pid, flush=True); sys.stdin.read(); {}"

pytestmark = pytest.mark.skipif(not os.path.exists(f"/proc/self/task/{os.getpid()}/children"), reason="the kernel lists no children")


@pytest.fixture(params=["", "child.kill(); child.wait()"])
def parent(request: pytest.FixtureRequest) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """A process and its child, which it ends in good order or not at all."""
    with subprocess.Popen([sys.executable, "-c", PARENT.format(request.param)], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        child = int(process.stdout.readline())
        yield process, child
        process.kill()
    if process_identity(child):
        os.kill(child, signal.SIGKILL)


def watched(process: subprocess.Popen[bytes], end: str) -> list[int]:
    found: list[int] = []
    thread = threading.Thread(target=lambda: found.extend(watch(process.pid, pause=0.05, patience=0.5)))
    thread.start()
    time.sleep(1.0)
    if end == "killed":
        process.kill()
    else:
        assert process.stdin is not None
        process.stdin.close()
    process.wait()
    thread.join()
    return found


@pytest.mark.parametrize("end", ["killed", "in good order"])
def test_children_that_outlive_a_process_are_ended(parent: tuple[subprocess.Popen[bytes], int], end: str, request: pytest.FixtureRequest) -> None:
    process, child = parent
    ends_it = end == "in good order" and "kill" in request.node.callspec.params["parent"]
    assert watched(process, end) == ([] if ends_it else [child])
    for _ in range(100):
        if not process_identity(child):
            break
        time.sleep(0.05)
    assert not process_identity(child)
