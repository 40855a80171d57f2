"""`pagerag evaluate`: from a command line to a comparison, and what it tells on a terminal."""

import argparse
import sys
from pathlib import Path
from typing import Any

from pagerag_pipeline.evaluation.datasets import Selection
from pagerag_pipeline.evaluation.harness import Evaluation, Request, evaluate
from pagerag_pipeline.evaluation.judging.page import judged_lines, unjudged_text
from pagerag_pipeline.evaluation.judging.scoring import KINDS
from pagerag_pipeline.evaluation.report import FIGURES, spent_text, stopped_text
from pagerag_pipeline.evaluation.tables import figure_text
from pagerag_pipeline.settings_file import CEILINGS, home_folder
from pagerag_pipeline.stores.locks import Progress
from pagerag_pipeline.terminal import aligned, progress_shown


def evaluated(given: argparse.Namespace) -> tuple[dict[str, Any], str, list[str]]:
    """What `pagerag evaluate` prints: the report as a value and as text, and what is not as it was wanted, for standard error.

    Raises EvaluationError, and as a refresh does.
    """
    seen: list[Progress] = []

    def told(product: str, done: int, total: int) -> None:
        seen[:] = [Progress("", product, done, total, "running")]

    with progress_shown(lambda: seen[0] if seen else None, sys.stderr):
        found = evaluate(requested(given, home_folder()), told=told)
    value, wrong = ended(found.report)
    return {**found.report, "folder": str(found.folder), **value}, evaluation_text(found), wrong


def ended(report: dict[str, Any]) -> tuple[dict[str, str], list[str]]:
    """How an evaluation ended, in the words of `refresh --json`, and what to tell of it.

    `stopped` at a ceiling, `failed` where questions failed or no verdict came, or `done`.
    """
    stopped = [stopped_text(report["stopped"])] if "stopped" in report else []
    failed = [told] if (told := failed_text(report)) else []
    judged = report.get("judged")
    unjudged = [told] if judged is not None and (told := unjudged_text(judged)) else []
    if stopped:
        return {"status": "stopped", "kind": "CeilingReached", "error": stopped[0]}, stopped + failed + unjudged
    if failed:
        return {"status": "failed", "kind": "QuestionsFailed", "error": failed[0]}, failed + unjudged
    if judged is not None and unjudged and not judged["verdicts"]["given"] + judged["verdicts"]["remembered"]:
        return {"status": "failed", "kind": "NoVerdict", "error": unjudged[0]}, unjudged
    return {"status": "done"}, unjudged


def failed_text(report: dict[str, Any]) -> str:
    """How many questions failed in which variant, and the first reason; empty when none did. They count as wrong in every mean."""
    counts: list[str] = []
    first = ""
    for name, variants in report["results"].items():
        for label, figures in variants.items():
            if number := figures["statuses"].get("failed", 0):
                counts.append(f"{number} of {figures['questions']} of {name} by {label}")
                first = first or next((str(error) for _, error in figures.get("failures", ())), "")
    if not counts:
        return ""
    return f"Questions failed, and count as wrong in the figures: {'; '.join(counts)}. The first: {first.rstrip('.')}. The same command asks those alone again."


def requested(given: argparse.Namespace, start: Path) -> Request:
    """The request that a command line makes."""
    selection = Selection(
        given.questions,
        tuple(given.where),
        given.shortest,
        given.limit,
        given.seed,
        cross=given.cross,
        pool=given.pool,
        last_turn=given.last_turn,
    )
    return Request(
        tuple(_path(one) for one in given.sets),
        start,
        tuple(given.system),
        tuple(given.ablate),
        selection,
        corpus=_path(given.corpus) if given.corpus else None,
        plans=tuple(given.plan),
        home=_path(given.home) if given.home else None,
        out=_path(given.out) if given.out else None,
        judge=tuple(dict.fromkeys(given.judge)) or KINDS if given.judge is not None else (),
        ceilings={name: value for name in CEILINGS if (value := getattr(given, name)) is not None},
    )


def evaluation_text(found: Evaluation) -> str:
    """Figures of each set by variant with their intervals, the paired differences, and where the report stands."""
    lines: list[str] = []
    for name, variants in found.report["results"].items():
        rows = [(name, *variants), ("questions", *(str(figures["questions"]) for figures in variants.values()))]
        rows += [
            (one, *(figure_text(f.get(one)) for f in variants.values()))
            for one in FIGURES
            if any(one in f for f in variants.values())
        ]
        failed = {label: figures["statuses"].get("failed", 0) for label, figures in variants.items()}
        rows += [("failed", *map(str, failed.values()))] if any(failed.values()) else []
        rows += [("ms p50, p95", *(_latency(figures) for figures in variants.values()))]
        lines += [*aligned(rows), ""]
    for told in judged_lines(found.report["judged"]) if "judged" in found.report else ():
        lines += [*aligned(told), ""]
    lines += [
        f"{name}: {count} not asked: {reason.replace('_', ' ')}"
        for name, about in found.report["sets"].items()
        for reason, count in about["left_out"].items()
    ]
    lines += [f"{name}: {noted}" for name, about in found.report["sets"].items() for noted in about.get("noted", ())]
    lines += [f"skipped {file}: {why}" for about in found.report["sets"].values() for file, why in about["skipped"]]
    lines += [spent_text(found.report["spent"])] if "spent" in found.report else []
    return "\n".join([*lines, f"Report, plots and results by question: {found.folder}"])


def _latency(figures: dict[str, Any]) -> str:
    times = figures.get("latency_ms")
    return f"{times['p50']:.0f}, {times['p95']:.0f}" if times else ""


def _path(given: str) -> Path:
    return Path(given).expanduser().absolute()
