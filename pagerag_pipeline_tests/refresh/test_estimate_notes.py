"""An estimate says of itself what holds, and nothing that does not."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pagerag_pipeline.models.chat.dialects import Dialect, Dialects
from pagerag_pipeline.refresh.estimate_notes import Reckoned, notes
from pagerag_pipeline.refresh.expecting import Expected
from pagerag_pipeline.refreshing import estimate_text
from pagerag_pipeline.settings import Settings
from pagerag_pipeline.settings_chat import ChatSettings
from pagerag_pipeline.stores.servers import ChatServers

SETTINGS = Settings(chat=ChatSettings(base_url="http://127.0.0.1:1/v1", model="small"))
ALL = ("document_profiles", "entity_records", "passage_records", "reports")


def stage(*, known: bool = False, calls: int = 3) -> Expected:
    return Expected(calls, (calls, calls), (10, 20), (1, 2), (0.0, 0.0), known)


def told(home: Path, stages: dict[str, Expected], *, settings: Settings = SETTINGS, apart: tuple[str, ...] = ()) -> str:
    return "\n".join(notes(home, settings, Reckoned(stages, dict.fromkeys(stages, "small"), frozenset(apart))))


def test_nothing_is_told_where_nothing_is_asked(tmp_path: Path) -> None:
    assert told(tmp_path, {"reports": stage(calls=0)}, apart=("reports",)) == ""


@pytest.mark.parametrize(
    ("words", "holds", "holds_not"),
    [
        ("fewer than 10 units", {"stages": {"summaries": stage()}}, {"stages": {"summaries": stage(known=True)}}),
        ("means of earlier runs", {"stages": {"summaries": stage(known=True)}}, {"stages": {"summaries": stage()}}),
        ("Reports are guessed", {"stages": {"reports": stage()}, "apart": ("reports",)}, {"stages": {"reports": stage()}}),
        ("Profiles: a changed document", {"stages": {"document_profiles": stage()}, "apart": ("document_profiles",)}, {"stages": {"document_profiles": stage()}}),
        ("up to 2 calls more a chunk", {"stages": {"entity_records": stage()}, "settings": replace(SETTINGS, build=replace(SETTINGS.build, glean_rounds=2))}, {"stages": {"entity_records": stage()}}),
        ("by passage", {"stages": {"passage_records": stage()}}, {"stages": {"entity_records": stage()}}),
        ("[chat] max_calls = 9 stops it", {"stages": {"reports": stage()}, "settings": replace(SETTINGS, chat=replace(SETTINGS.chat, max_calls=9))}, {"stages": {"reports": stage()}}),
        ("No ceiling is set", {"stages": {"reports": stage()}}, {"stages": {"reports": stage()}, "settings": replace(SETTINGS, chat=replace(SETTINGS.chat, max_tokens=9))}),
    ],
)  # fmt: skip
def test_each_thing_is_told_where_it_holds_and_not_elsewhere(tmp_path: Path, words: str, holds: dict[str, Any], holds_not: dict[str, Any]) -> None:
    assert words in told(tmp_path, **holds) and words not in told(tmp_path, **holds_not)


def test_a_probe_is_left_out_only_of_a_model_that_was_not_probed(tmp_path: Path) -> None:
    stages = {"reports": stage()}
    assert "Not counted: a short probe or two of small" in told(tmp_path, stages)
    dialects = Dialects(SETTINGS.chat.base_url, ChatServers(tmp_path))
    dialects.of("small", {}, lambda dialect: '{"color": "blue", "number": 7}')
    assert isinstance(dialects.of("small", {}, lambda dialect: ""), Dialect)
    assert "Not counted" not in told(tmp_path, stages)


def test_dollars_without_a_price_are_no_figure() -> None:
    one = {"units": 3, "calls": (3, 3), "prompt_tokens": (1, 2), "completion_tokens": (1, 2), "usd": (0.0012, 0.0034), "known": False}
    rows = [{"stage": "reports", "model": "dear", **one}, {"stage": "summaries", "model": "free", **one, "usd": (0.0, 0.0)}]
    lines = estimate_text({"stages": rows, "total": one, "unpriced": ["free"], "notes": []}).splitlines()
    assert "0.0012 to 0.0034" in lines[1] and "no price" in lines[2] and "0.0012 to 0.0034" in lines[3]
    assert lines[4] == "No price is set for free, so its dollars are not counted: name it in [[chat.prices]] of pagerag.toml."
    assert "no price" in estimate_text({"stages": rows[1:], "total": one, "unpriced": ["free"], "notes": []}).splitlines()[2]
