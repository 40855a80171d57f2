"""Figures over typed rows, worked out by hand: means where gold speaks, paired differences, sets apart and together."""

from typing import Any

import pytest

from pagerag_pipeline.evaluation.report import draw, markdown
from pagerag_pipeline.evaluation.summary import ALL_SETS, summarize


def row(qid: str, variant: str, *, confidence: float, answerable: bool = True, name: str = "own", **more: Any) -> dict[str, Any]:
    answered = confidence >= 0.5
    scores = (
        {"lenient": answered, "strict": False, "hit": True, "present": answered}
        if answerable
        else dict.fromkeys(("lenient", "strict", "hit", "present"))
    )
    return {
        "set": name, "qid": qid, "question": f"What is {qid}?", "variant": variant, "answerable": answerable, "status": "answered" if answered else "refused",
        "reason": None if answered else "insufficient", "error": "", "confidence": confidence, "seconds": 0.1, "steps": {"text": 0.02}, "operators": ["text", "path"], "evidence_tokens": 100,
        "ranked": None, "relevant": {}, **scores, **more,
    }  # fmt: skip


ROWS = [
    row("1", "page", confidence=0.9, ranked=["a", "b"], relevant={"a": 1}),
    row("2", "page", confidence=0.3, seconds=0.3),
    row("3", "page", confidence=0.4, answerable=False, operators=["text"]),
    row("1", "passages", confidence=0.8, ranked=["b", "a"], relevant={"a": 1}),
    row("2", "passages", confidence=0.6),
    row("3", "passages", confidence=0.7, answerable=False),
]

ABOUT = {
    "split": "eval", "questions": 3, "answerable": 2, "left_out": {"beyond_limit": 4}, "skipped": [["x.jsonl", "no `text`"]],
    "generation": ["g1"], "settings_digest": "abcdef", "threshold": 0.5, "noted": ["9 plain files are not asked of"],
}  # fmt: skip
CONDITIONS = {
    "systems": ["page", "passages"],
    "variants": ["page", "passages"],
    "ablations": [],
    "selection": {"seed": 7, "limit": None},
    "versions": {"scipy": "1"},
    "sets": {"own": ABOUT},
}


def values(figures: dict[str, Any], *names: str) -> list[tuple[float, int]]:
    return [(figures[name]["value"], figures[name]["n"]) for name in names]


def test_figures_are_means_over_the_questions_of_which_gold_speaks() -> None:
    page = summarize(ROWS, ["page", "passages"], seed=7)["results"]["own"]["page"]
    assert page["questions"] == 3 and page["statuses"] == {"answered": 1, "refused": 2} and page["reasons"] == {"insufficient": 2}
    assert values(page, "recall@2", "mrr@10", "lenient", "evidence_hit", "evidence_hit_of_present", "answered", "correct_refusals") == [
        (1.0, 1), (1.0, 1), (0.5, 2), (1.0, 2), (1.0, 1), (0.5, 2), (1.0, 1),
    ]  # fmt: skip
    assert values(page, "bbs_answered", "auroc") == [(pytest.approx(2 * 0.5 / 1.5, abs=1e-4), 3), (0.5, 3)]
    # Answering the surest two would be as good as deciding: the best threshold answers the first alone.
    assert (page["bbs_best"], page["best_threshold"]) == (pytest.approx(2 / 3, abs=1e-4), 0.9)
    assert page["latency_ms"]["p50"] == 100.0 and page["latency_ms_by_step"]["text"] == {"p50": 20.0, "p95": 20.0, "n": 3}
    assert page["plans_with"] == {"path": pytest.approx(2 / 3, abs=1e-4), "text": 1.0} and page["evidence_tokens"] == 100.0


def test_differences_are_taken_question_by_question() -> None:
    apart = summarize(ROWS, ["page", "passages"], seed=7)["paired"]["own"]["page - passages"]
    assert values(apart, "mrr@10", "lenient", "answered", "correct_refusals") == [(0.5, 1), (-0.5, 2), (-0.5, 2), (1.0, 1)]
    # 0.5 of the pairs against 0.5: 0.9 and 0.3 beside 0.4, 0.8 and 0.6 beside 0.7.
    assert values(apart, "auroc") == [(0.0, 3)]


def test_what_was_asked_of_one_variant_alone_is_in_no_difference() -> None:
    stopped = summarize(ROWS[:4], ["page", "passages", "e2"], seed=7)
    assert values(stopped["paired"]["own"]["page - passages"], "mrr@10", "lenient") == [(0.5, 1), (0.0, 1)]
    assert stopped["paired"]["own"]["page - e2"] == {} and stopped["results"]["own"]["e2"]["questions"] == 0
    assert "| lenient | 2/1 |" in markdown({**CONDITIONS, **stopped}, {})


def test_a_failed_question_is_neither_answered_nor_refused() -> None:
    failed = row("3", "page", confidence=0.0, answerable=False, status="failed", error="RuntimeError: no room")
    page = summarize([ROWS[0], failed], ["page"], seed=7)["results"]["own"]["page"]
    assert page["failures"] == [["3", "RuntimeError: no room"]]
    assert page["statuses"] == {"answered": 1, "failed": 1} and values(page, "correct_refusals", "bbs_answered") == [
        (0.0, 1),
        (0.0, 2),
    ]


def test_several_sets_are_told_apart_and_together() -> None:
    other = [row("9", "page", confidence=0.9, name="other")]
    found = summarize([*ROWS[:3], *other], ["page"], seed=7)
    assert {name: part["page"]["questions"] for name, part in found["results"].items()} == {"own": 3, "other": 1, ALL_SETS: 4}
    assert values(found["results"][ALL_SETS]["page"], "lenient") == [(pytest.approx(2 / 3, abs=1e-4), 3)]
    assert "auroc" not in found["results"]["other"]["page"] and "other" in found["curves"] and not found["curves"]["other"]


def test_the_report_shows_every_figure_with_its_interval_and_its_plots() -> None:
    report = {**CONDITIONS, **summarize(ROWS, ["page", "passages"], seed=7)}
    plots = draw(report)
    assert set(plots) == {"own-figures", "own-risk", "own-reliability"} and all(
        svg.startswith("<svg ") and len(svg) < 100_000 for svg in plots.values()
    )
    page = markdown(report, {name: f"plots/{name}.svg" for name in plots})
    assert "- own: 9 plain files are not asked of." in page
    assert "| lenient | 2 | 0.500 (0.000 to 1.000) | 1.000 (1.000 to 1.000) |" in page
    assert (
        "![own-risk](plots/own-risk.svg)" in page and "4 beyond limit" in page and "x.jsonl: no `text`" in page and "seed 7" in page
    )
