"""The demo runs to its end and shows what it is there to show. Deterministic stand-ins for the models keep it short."""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_the_demo_asks_four_questions_and_computes_only_what_an_edit_touched(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PAGERAG_EMBED_MODEL": "hash", "PAGERAG_EXTRACT_TAGGER": "rules"}
    command = [sys.executable, str(ROOT / "examples" / "demo.py"), str(tmp_path / "demo")]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    first, second = (table(part) for part in result.stdout.split("$ pagerag refresh")[1:])
    assert result.stdout.count("$ pagerag ask") == 5
    assert first["chunks"][1] == 0
    assert second["chunks"] == (1, first["chunks"][0] - 1)
    assert 0 < second["entity_records"][0] < second["entity_records"][1] / 10
    assert "eleven shillings" in result.stdout.split("$ pagerag ask")[1]
    *_, asking, opening = result.stdout.splitlines()
    home = os.path.relpath(tmp_path / "demo" / "home")
    assert asking.startswith(f"$ pagerag --home {home} ask ") and opening == f"$ pagerag --home {home} ui"


def table(printed: str) -> dict[str, tuple[int, int]]:
    """Computed and reused by product."""
    rows = re.findall(r"^([a-z_]+) +[\d,]+ +([\d,]+) +([\d,]+) ", printed, re.MULTILINE)
    return {product: (int(computed.replace(",", "")), int(reused.replace(",", ""))) for product, computed, reused in rows}
