"""What a judge said as a part of the report: tables in Markdown, and lines for a terminal."""

from collections.abc import Mapping, Sequence
from typing import Any

from pagerag_pipeline.evaluation.judging.figures import JUDGED
from pagerag_pipeline.evaluation.tables import figure_text, table

MEANINGS = {
    "judged_strict": "share of answerable questions with references whose answer the judge calls fully correct; a refusal or a fault is wrong",
    "judged_lenient": "the same, fully or partly correct",
    "bbs_judged": "harmonic mean of `judged_lenient` and the share of unanswerable questions that were refused",
    "answer_relevance": "mean cosine of an answerable question with three that the answer would reply to; 0 for a refusal or an evasive answer",
    "faithfulness": "share of an answer's statements that the evidence looked at says",
    "context_recall": "share of the reference answer's statements that the evidence looked at says",
    "context_precision": "mean, over useful pieces of the evidence in rank order, of the share of useful ones down to there",
    "win, loss, tie, disagree": "questions on which both orders agree for the first variant, for the second, on neither; or do not agree, which counts as a tie",
    "share": "mean over both orders of 1 for the first variant, 0.5 for a tie, 0 for the second",
}


def judged_rows(variants: Mapping[str, Mapping[str, Any]]) -> list[tuple[str, ...]]:
    """A row a figure, the number of questions behind it second, a column a variant; the last row tells what failed."""
    rows: list[tuple[str, ...]] = [("judged", "n", *variants)]
    for name in JUDGED:
        known = [figures[name] for figures in variants.values() if name in figures]
        if known:
            numbers = "/".join(dict.fromkeys(str(one["n"]) for one in known))
            rows.append((name, numbers, *(figure_text(figures.get(name)) for figures in variants.values())))
    rows.append(("without a verdict", "", *(failures_text(figures["failures"]) for figures in variants.values())))
    return rows


def pair_rows(families: Mapping[str, Mapping[str, Any]]) -> list[tuple[str, ...]]:
    """A row a dimension of each family, for one pair of variants."""
    rows: list[tuple[str, ...]] = [("dimension", "win", "loss", "tie", "disagree", "share (n)")]
    for family, pairs in families.items():
        for name, one in pairs["dimensions"].items():
            share = f"{figure_text(one['share'])} ({one['share']['n']})" if one["share"] else ""
            rows.append((f"{name} ({family})", *(str(one[state]) for state in ("win", "loss", "tie", "disagree")), share))
        rows.append((f"not compared ({family})", str(pairs["not_compared"]), "", "", "", failures_text(pairs["failures"])))
    return rows


def judged_page(judged: Mapping[str, Any]) -> list[str]:
    """The part of the report, in Markdown."""
    verdicts, spent = judged["verdicts"], judged["spent"].values()
    told = ", ".join(f"{count} {name}" for name, count in verdicts.items())
    cost = f"{sum(one['calls'] for one in spent)} calls, {sum(one['prompt_tokens'] + one['completion_tokens'] for one in spent)} tokens"
    lines = ["", f"## Judged by {judged['model']}", "", f"Verdicts: {told}. Spent: {cost}."]
    lines += ["", *(f"- without a verdict, {count}: {reason}" for reason, count in judged["failures"].items())] if judged["failures"] else []
    for name, variants in judged["results"].items():
        lines += ["", f"### {name}, judged", "", *table(judged_rows(variants))]
        for pair, families in judged["pairs"].get(name, {}).items():
            lines += ["", f"{pair}:", "", *table(pair_rows(families))]
    return [*lines, "", *(f"- `{name}`: {meaning}." for name, meaning in MEANINGS.items())]


def unjudged_text(judged: Mapping[str, Any]) -> str:
    """How many verdicts did not come, and why; empty when all came."""
    given, remembered, failed = (judged["verdicts"][name] for name in ("given", "remembered", "failed"))
    if not failed:
        return ""
    reasons = "; ".join(f"{count} {reason}" for reason, count in judged["failures"].items())
    how_many = f"{failed} of {given + remembered + failed} verdicts" if given + remembered else f"None of {failed} verdicts"
    return f"The judge {judged['model']}: {how_many} {'did not come' if given + remembered else 'came'}: {reasons}"


def failures_text(failures: Mapping[str, int]) -> str:
    """Failures with their counts; 0 when there are none."""
    return ", ".join(f"{count} {name}" for name, count in failures.items()) or "0"


def judged_lines(judged: Mapping[str, Any]) -> list[Sequence[Sequence[str]]]:
    """The tables for a terminal, a set after the other."""
    tables: list[Sequence[Sequence[str]]] = []
    for name, variants in judged["results"].items():
        tables.append([(f"{name}, by {judged['model']}", *rows[1:]) if place == 0 else rows for place, rows in enumerate(judged_rows(variants))])
        tables += [[(pair, *head[1:]), *rows] for pair, families in judged["pairs"].get(name, {}).items() for head, *rows in [pair_rows(families)]]
    return tables
