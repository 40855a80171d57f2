"""The report: one JSON object for machines, one Markdown page with plots for people."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pagerag_pipeline.evaluation.judging.page import judged_page
from pagerag_pipeline.evaluation.plots import line_chart, point_chart
from pagerag_pipeline.evaluation.summary import BALANCED, MEANS
from pagerag_pipeline.evaluation.tables import figure_text, table

FIGURES = (*MEANS, *BALANCED)
PLAIN = ("bbs_best", "best_threshold", "bbs_of_best", "aurc", "aurc_lenient", "calibration_error", "evidence_tokens")

MEANINGS = {
    "recall@k": "share of the gold documents among the first k, documents counted once, at the place of their first passage",
    "all_gold@8": "share of questions all of whose gold documents are among the first 8",
    "lenient": "a reference stands in a cited quote, or the answer's token F1 with one is at least 0.5",
    "strict": "a reference stands in an answer of at most 40 words",
    "evidence_hit": "a reference stands in the evidence packed into 2,400 tokens; `of_present`: of questions whose reference stands in the documents at all",
    "answered": "share of answerable questions with an answer, whole or partial, right or wrong",
    "correct_refusals": "share of unanswerable questions that were refused",
    "bbs_answered": "harmonic mean of `answered` and `correct_refusals`, as decided at the default threshold; `bbs_best`: at the threshold best for this set",
    "bbs_lenient": "harmonic mean of lenient accuracy on answerable questions and `correct_refusals`",
    "auroc": "chance that an answerable question has more confidence than an unanswerable one",
    "aurc": "mean share of unanswerable questions among what is answered, over all coverages, the surest first; `lenient`: share without a lenient answer",
    "calibration_error": "expected difference between confidence and the share that is answerable, over ten bins",
}


def write_report(report: Mapping[str, Any], folder: Path) -> dict[str, str]:
    """Write report.json, report.md and plots/*.svg; returns the plots by name."""
    plots = draw(report)
    (folder / "plots").mkdir(parents=True, exist_ok=True)
    for name, svg in plots.items():
        (folder / "plots" / f"{name}.svg").write_text(svg, encoding="utf-8")
    (folder / "report.json").write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    (folder / "report.md").write_text(markdown(report, {name: f"plots/{name}.svg" for name in plots}), encoding="utf-8")
    return plots


def draw(report: Mapping[str, Any]) -> dict[str, str]:
    """SVG by file name: figures with intervals, risk over coverage and reliability, of each set."""
    plots = {}
    for name, variants in report["results"].items():
        shown = [one for one in FIGURES if any(one in figures for figures in variants.values())]
        groups = {one: {label: _point(figures[one]) for label, figures in variants.items() if one in figures} for one in shown}
        slug = name.replace(" ", "_")
        plots[f"{slug}-figures"] = point_chart(f"{name}: figures, 95 % intervals", groups)
        curves = report["curves"].get(name, {})
        if curves:
            risk = {label: list(zip(c["coverage"], c["risk"], strict=True)) for label, c in curves.items()}
            sure = {
                label: list(zip(c["reliability"]["confidence"], c["reliability"]["answerable"], strict=True))
                for label, c in curves.items()
            }
            plots[f"{slug}-risk"] = line_chart(
                f"{name}: risk over coverage", risk, across="share answered", up="share unanswerable among them"
            )
            plots[f"{slug}-reliability"] = line_chart(
                f"{name}: reliability", sure, across="confidence", up="share answerable", diagonal=True
            )
    return plots


def markdown(report: Mapping[str, Any], plots: Mapping[str, str]) -> str:
    """The report as a page; `plots` gives for each plot the link to it."""
    lines = ["# Evaluation", "", *_about(report)]
    for name, variants in report["results"].items():
        lines += ["", f"## {name}", "", *_figures(variants), "", *_costs(variants)]
        lines += _paired(report["paired"].get(name, {}))
        failures = {(qid, label): error for label, figures in variants.items() for qid, error in figures.get("failures", ())}
        lines += ["", *(f"- failed: {qid} in {label}: {error}" for (qid, label), error in failures.items())] if failures else []
        own = [one for one in plots if one.rpartition("-")[0] == name.replace(" ", "_")]
        lines += ["", *(f"![{one}]({plots[one]})" for one in own)]
    lines += judged_page(report["judged"]) if "judged" in report else []
    return "\n".join([*lines, "", "## Figures", "", *(f"- `{name}`: {told}." for name, told in MEANINGS.items())]) + "\n"


def _about(report: Mapping[str, Any]) -> list[str]:
    selection = {name: value for name, value in report["selection"].items() if value not in (None, "", False, [], ())}
    lines = [
        f"Systems: {', '.join(report['variants'])} (+ behind a planner, : without a part). "
        f"Intervals: 95 %, bootstrap over questions. Selection: {', '.join(f'{name} {value}' for name, value in selection.items())}. "
        f"Versions: {', '.join(f'{name} {version}' for name, version in report['versions'].items())}.",
        "",
    ]
    head = ("set", "split", "questions", "answerable", "generation", "settings", "threshold", "not asked", "skipped files")
    rows = [head]
    for name, about in report["sets"].items():
        left = ", ".join(f"{count} {reason.replace('_', ' ')}" for reason, count in about["left_out"].items())
        numbers = (
            str(about["questions"]),
            str(about["answerable"]),
            ", ".join(about["generation"]),
            about["settings_digest"][:12],
            "" if about["threshold"] is None else str(about["threshold"]),
        )
        rows.append((name, about["split"], *numbers, left, "; ".join(f"{file}: {why}" for file, why in about["skipped"])))
    lines += [stopped_text(report["stopped"]), ""] if "stopped" in report else []
    lines += [spent_text(report["spent"]), ""] if "spent" in report else []
    noted = [f"- {name}: {one}." for name, about in report["sets"].items() for one in about.get("noted", ())]
    return [*lines, *table(rows), *(["", *noted] if noted else [])]


def stopped_text(stopped: Mapping[str, Any]) -> str:
    """Which ceiling ended an evaluation, how many rows were not asked, and how to go on."""
    counts = [f"{count} of {name} {variant}" for name, variants in stopped["not_asked"].items() for variant, count in variants.items()]
    left = f"{stopped['rows']} rows were not asked ({', '.join(counts)})" if counts else "All questions were asked, not all verdicts came"
    return f"Stopped: {stopped['why']} {left}. What came is kept: the same command asks for the rest."


def spent_text(spent: Mapping[str, Mapping[str, Any]]) -> str:
    """What this run spent on chat models, by stage."""
    stages = [
        f"{stage} {one['calls']:,} calls, {one['prompt_tokens'] + one['completion_tokens']:,} tokens, {one['usd']:.4f} dollars"
        for stage, one in spent.items()
    ]
    return f"Spent on chat models by this run: {'; '.join(stages) or 'nothing'}."


def _figures(variants: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """A row a figure, a column a variant, with the number of questions behind it."""
    rows = [("figure", "n", *variants)]
    rows += [("questions, failed", "", *(f"{f['questions']}, {f['statuses'].get('failed', 0)}" for f in variants.values()))]
    rows += [
        ("refused because", "", *(", ".join(f"{n} {reason}" for reason, n in f["reasons"].items()) for f in variants.values()))
    ]
    for name in FIGURES:
        known = [figures[name] for figures in variants.values() if name in figures]
        if known:
            rows.append((name, "/".join(dict.fromkeys(str(one["n"]) for one in known)), *(figure_text(figures.get(name)) for figures in variants.values())))
    for name in PLAIN:
        if any(figures.get(name) is not None for figures in variants.values()):
            rows.append((name, "", *(figure_text(figures.get(name)) for figures in variants.values())))
    return table(rows)


def _costs(variants: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Milliseconds, median and 95th percentile, overall and by step; and the share of plans with each operator."""
    sound = {label: figures for label, figures in variants.items() if "latency_ms" in figures}
    steps = sorted({step for figures in sound.values() for step in figures["latency_ms_by_step"]})
    rows = [
        ("ms, p50 / p95 (share of plans)", *sound),
        ("whole question", *(_pair(figures["latency_ms"]) for figures in sound.values())),
    ]
    for step in steps:
        rows.append((step, *(_step(figures, step) for figures in sound.values())))
    return table(rows) if sound else []


def _step(figures: Mapping[str, Any], step: str) -> str:
    times = figures["latency_ms_by_step"].get(step)
    share = figures["plans_with"].get(step)
    return (_pair(times) if times else "") + (f" ({share:.2f})" if share is not None else "")


def _paired(pairs: Mapping[str, Mapping[str, Any]]) -> list[str]:
    shown = [name for name in FIGURES if any(name in figures for figures in pairs.values())]
    rows = [
        ("paired difference", *pairs),
        *((name, *(figure_text(figures.get(name)) for figures in pairs.values())) for name in shown),
    ]
    return ["", *table(rows)] if shown else []


def _pair(times: Mapping[str, float]) -> str:
    return f"{times['p50']:.1f} / {times['p95']:.1f}"


def _point(figure: Mapping[str, Any]) -> tuple[float, float, float]:
    value = figure["value"] or 0.0
    return value, value if figure["low"] is None else figure["low"], value if figure["high"] is None else figure["high"]
