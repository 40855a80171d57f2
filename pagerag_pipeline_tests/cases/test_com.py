"""COM: communities and their reports, through a whole refresh."""

import random
from collections.abc import Iterator
from itertools import islice, product
from pathlib import Path
from typing import Any

import pytest

from pagerag_pipeline.models.embedder import load_tokenizer
from pagerag_pipeline.refresh import session as sessions
from pagerag_pipeline.refresh.mapper import InlineMapper
from pagerag_pipeline.settings import ClusterSettings, EmbedSettings, SummarizeSettings
from pagerag_pipeline_tests.cases.stored import stored
from pagerag_pipeline_tests.homes import F1, F2, F3, STUB_MODELS, digests, make_home, refreshed

BOUNDS = ClusterSettings()
SINGLE_UNITS = f"{STUB_MODELS}\n[refresh]\nbatch_units = 1\n"
SYLLABLES = ("Bar", "Cor", "Dal", "Fen", "Gor", "Hul", "Jas", "Kel", "Lom", "Mor", "Nar", "Pel", "Quin", "Rud", "Sal", "Tor", "Ved", "Wex")
WORKS = [f"{first}{second.lower()} Works" for first, second in islice(product(SYLLABLES, SYLLABLES), 300)]
HUB = "\n\n".join(f"Mara Quill founded {name} in {1700 + number}." for number, name in enumerate(WORKS))


class Late(InlineMapper):
    """Every batch takes its own time: results come in another order than the batches went."""

    seed = 0

    def map(self, function: str, batches: Iterator[Any], **options: Any) -> Iterator[tuple[Any, Any]]:
        """Pairs (batch, result) in an order by chance, four batches in flight."""
        chance = random.Random(self.seed)
        done = super().map(function, batches, **options)
        while flight := list(islice(done, 4)):
            chance.shuffle(flight)
            yield from flight


@pytest.mark.parametrize("seed", [1, 2])
def test_com_03_whatever_comes_late_communities_and_reports_are_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    files = {"f1.txt": F1, "f2.txt": F2, "f3.txt": F3, "works.txt": HUB[:2000]}
    wanted = digests(refreshed(make_home(tmp_path / "prompt", files)))
    monkeypatch.setattr(Late, "seed", seed)
    monkeypatch.setattr(sessions, "open_mapper", lambda start, given, settings: Late(start, given))
    home = make_home(tmp_path / "late", dict(sorted(files.items(), reverse=True)), settings=SINGLE_UNITS)
    assert digests(refreshed(home)) == wanted


def test_com_05_a_hub_of_300_keeps_the_bounds_and_its_report_the_budget(tmp_path: Path) -> None:
    home = make_home(tmp_path, {"works.txt": HUB})
    report = refreshed(home)["communities"]
    shape = report.details["shape"]
    found = stored(home)
    assert not found.faults
    hub = next(row["entity_id"] for row in found.rows["nodes"] if row["name"] == "Mara Quill")
    rays = {row["tail"] for row in found.rows["edges"] if row["head"] == hub}
    assert len(rays) == 300
    assert (shape["level_0_largest"], shape["level_1_largest"]) == (BOUNDS.max_upper, BOUNDS.max_leaf)
    assert (shape["level_0_of_one_member"], shape["level_1_of_one_member"]) == (301 - BOUNDS.max_upper, 301 - BOUNDS.max_leaf)
    assert len(found.rows["members"]) == 2 * 301
    tokenizer, summarize = load_tokenizer(EmbedSettings(model="hash")), SummarizeSettings()
    assert {row["level"] for row in found.rows["reports"]} == {0, 1}
    for row in found.rows["reports"]:
        quotes = [one for one in found.rows["report_quotes"] if one["community_id"] == row["community_id"]]
        assert 0 < len(quotes) <= summarize.report_quotes
        assert len(tokenizer.offsets(row["text"])) <= summarize.summary_tokens
        assert row["edges"] == len(quotes) + row["evidence_left_out"]
    assert shape["evidence_left_out"] == sum(row["evidence_left_out"] for row in found.rows["reports"])
