"""What a benchmark tells: its figures as lines to read and as one JSON object, with the command, data, n and machine they belong to."""

import json
import os
import platform
import resource
import shlex
import sys
from pathlib import Path
from typing import Any

MEBIBYTE = 1024 * 1024
PLACES = ("PAGERAG_EVAL", "PAGERAG_HOME")


def show(benchmark: str, *, data: str, n: int, figures: dict[str, Any]) -> None:
    """Print figures, human lines first, the JSON object last."""
    command = shlex.join(["python", f"benchmarks/{Path(sys.argv[0]).name}", *_without_work(sys.argv[1:])])
    print(f"{benchmark}: {data}, n = {n}")
    print(f"  {command}")
    for name, value in figures.items():
        print(f"  {name:<28} {_shown(value)}")
    report = {"benchmark": benchmark, "command": command, "settings": overrides(), "data": data, "n": n, "machine": machine(), "figures": figures}
    print(json.dumps(report, ensure_ascii=False))


def overrides() -> dict[str, str]:
    """Settings that the environment overrides, so that no figure hides them."""
    return {name: value for name, value in sorted(os.environ.items()) if name.startswith("PAGERAG_") and name not in PLACES}


def machine() -> dict[str, Any]:
    """What the figures were measured on."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {"cores": len(os.sched_getaffinity(0)), "memory_gib": round(memory / 1024**3), "python": platform.python_version()}


def peak_memory_mib() -> int:
    """The most memory this process or its largest finished child held so far, in MiB (Linux counts in KiB)."""
    return max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) // 1024


def disk_mib(folder: Path) -> float:
    """Size of a folder's files in MiB; a hard-linked file counts once."""
    sizes = {(stat.st_dev, stat.st_ino): stat.st_size for stat in (path.lstat() for path in folder.rglob("*") if path.is_file())}
    return round(sum(sizes.values()) / MEBIBYTE, 1)


def quantile(values: list[float], share: float) -> float:
    """The value below which this share of the values lies."""
    return sorted(values)[min(int(share * len(values)), len(values) - 1)]


def _without_work(arguments: list[str]) -> list[str]:
    """The arguments without `--work FOLDER`: where homes stand is a matter of the machine."""
    kept = list(arguments)
    if "--work" in kept:
        at = kept.index("--work")
        del kept[at : at + 2]
    return [one for one in kept if not one.startswith("--work=")]


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_shown(one)}" for key, one in value.items())
    return f"{value:.3f}" if isinstance(value, float) else str(value)
