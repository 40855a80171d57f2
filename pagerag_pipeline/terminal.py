"""How results look on a terminal: values in, text out, and the line that moves while a refresh works. Nothing is computed here."""

import contextlib
import json
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TextIO

from pagerag_pipeline.refresh.report import ProductReport
from pagerag_pipeline.stores.locks import Holder, Progress

WIDTH = 100
TICK_SECONDS = 0.5
LINE_SECONDS = 15.0
"""Off a terminal, how often a product that takes long says how far it is ..."""
FIRST_LINE_SECONDS = 3.0
"""... and after how long it does so first."""
NOTES = 20
"""Files whose counted repairs and omissions are shown; `--json` has more."""

_WHY_AGAIN = {"governed_graph": "governance.toml, its settings, code or what it is made of"}
"""What may have changed where a product of the whole corpus is derived again though no file did."""


class Output:
    """Where results go: a stream, as JSON or as text."""

    def __init__(self, stream: TextIO, *, json: bool) -> None:
        self._stream = stream
        self.json = json

    def show(self, value: Any, text: str) -> None:
        """One result: a JSON object on a line of its own, or its text."""
        self._stream.write((as_json(value, self._stream) if self.json else text) + "\n")
        self._stream.flush()

    def line(self, value: Any) -> None:
        """One JSON object on a line of its own, whether or not JSON was asked for."""
        self._stream.write(as_json(value, self._stream) + "\n")
        self._stream.flush()


def as_json(value: Any, stream: TextIO) -> str:
    """A value as one line of JSON that the stream's encoding can carry."""
    unicode_stream = (stream.encoding or "").lower().replace("-", "") in ("utf8", "utf16", "utf32")
    return json.dumps(value, ensure_ascii=not unicode_stream)


def quiet_encodings() -> None:
    """Let standard output and error show what their encoding lacks as escapes: printing must never end a run."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def refresh_text(reports: Sequence[ProductReport], closing: str) -> str:
    """A table of products with what was computed and reused, the documents that came and went, what was skipped, and a closing line."""
    rows = [(r.product, f"{r.rows:,}", f"{r.computed:,}", f"{r.reused:,}", f"{r.failed:,}", f"{r.seconds:.1f}") for r in reports]
    lines = aligned([("product", "rows", "computed", "reused", "failed", "seconds"), *rows]) if rows else []
    for report in reports:
        if report.added or report.changed or report.deleted:
            lines.append(f"documents: {report.added} added, {report.changed} changed, {report.deleted} deleted")
        lines += [report.details["recovered"]] if report.details.get("recovered") else []
        if report.product == "source_documents" and not report.rows:
            lines.append("no documents: the corpus folder holds no file that gives text")
        if by_rules := report.details.get("without_parser"):
            lines.append("documents read by rules, without a parser: " + ", ".join(f"{count} in {language}" for language, count in by_rules.items()))
        lines += [f"warning: {warning}" for warning in report.details.get("warnings", [])]
        lines += _listed("skipped", report.details, "skipped")
        lines += _listed("noted", report.details, "notes", most=NOTES)
        lines += _listed(f"failed in {report.product}:", report.details, "failures")
    peaks = [report.details["peak_memory_mib"] for report in reports if "peak_memory_mib" in report.details]
    return "\n".join([*lines, *(f"peak memory: {peak:,} MiB" for peak in peaks), closing])


def plan_text(plan: dict[str, Any]) -> str:
    """What a refresh would do."""
    lines = [f"corpus: {plan['corpus']}, {plan['files']} files, {plan['unchanged']} unchanged"]
    for kind in ("new", "changed", "touched", "gone"):
        lines += [f"{kind}: {path}" for path in plan[kind]]
    lines += [f"{kind}: {path}: {reason}" for kind in ("unreadable", "skipped") for path, reason in plan[kind]]
    lines += [f"to be made again in {name}: {count} units (other settings or code)" for name, count in plan["stale_units"].items()]
    lines += [f"to be tried again in {name}: {count} units that failed" for name, count in plan["failed_units"].items()]
    lines += [f"to be derived again: {name} ({_WHY_AGAIN.get(name, 'its settings, code or what it is made of')} changed)" for name in plan["derived_again"]]
    lines += [f"would be refused: {plan['refused']}"] if plan["refused"] else []
    lines += ["nothing to do: the published generation holds all of this"] if plan["nothing_to_do"] else []
    return "\n".join(lines)


def outcome_text(outcome: dict[str, Any]) -> str:
    """An answer with its numbered citations, or the refusal with its reason and what is missing.

    Where the answer is shorter than the claims that it rests on, as a model writes it, they stand below it.
    """
    if outcome["status"] == "failed":
        return f"This question failed: {outcome.get('error', '')}"
    if outcome["status"] == "refused":
        return "\n".join([f"No answer ({outcome['reason']}, confidence {outcome['confidence']:.2f} that the evidence suffices).", *_missing(outcome)])
    numbers = {label: number for number, label in enumerate(dict.fromkeys(c["label"] for c in outcome["citations"]), start=1)}
    marked = [_marked(claim, numbers) for claim in outcome["claims"]]
    short = [_wrapped(outcome["answer"]), ""] if any(claim["text"] not in outcome["answer"] for claim in outcome["claims"]) else []
    answer = _wrapped(" ".join(marked) if marked else outcome["answer"])
    lines = [*short, answer, ""] + [line for label, number in numbers.items() for line in _cited(outcome["citations"], label, number)]
    return "\n".join([*lines, *_missing(outcome), f"(confidence {outcome['confidence']:.2f} that the evidence suffices, generation {outcome['generation']})"])


def results_text(ranking: dict[str, Any]) -> str:
    """A ranking, best first."""
    head = f"{ranking['qid']}: {ranking['question']}"
    return "\n".join([head, *(line for result in ranking["results"] for line in _ranked(result))])


def _ranked(result: dict[str, Any]) -> list[str]:
    beginning = textwrap.shorten(result["text"], WIDTH - 12, placeholder=" ...")
    return [f"{result['score']:10.4f}  {_place(result)}  {result['chunk_id']} [{result['start']}, {result['end']})", f"{'':12}{beginning}"]


def document_text(document: dict[str, Any]) -> str:
    """A document's title, profile, sections and text."""
    profile = document["profile"] or {}
    head = [f"{document['title'] or document['document']}  ({document['document']})"]
    if profile:
        head.append(f"form {profile['form']}, mode {profile['mode']}, language {profile['language']}")
    head += [f"{'  ' * (s['level'] or 0)}{s['title'] or s['kind']}  [{s['start']}, {s['end']})" for s in document["sections"]]
    return "\n".join([*head, "", document["text"]])


def graph_text(report: dict[str, Any]) -> str:
    """The figures of the graph before and after governing, and what each gate took."""
    raw, governed = report["graph"]["raw"], report["graph"]["governed"]
    rows = [(name.replace("_", " "), _figure(raw.get(name)), _figure(governed.get(name))) for name in dict.fromkeys([*raw, *governed])]
    taken = [(f"{one['element']}s: {one['gate']} {one['act']} {one['reason']}", f"{one['count']:,}") for one in report["removed"]]
    added = [(f"{one['element']}s: {one['gate']} {one['act']}, net of merges", f"{one['count']:,}") for one in report["added"]]
    more = ["", *aligned([("added", ""), *added])] if added else []
    return "\n".join([*aligned([("", "raw", "governed"), *rows]), "", *aligned([("taken", ""), *taken]), *more])


def _figure(value: float | None) -> str:
    return "not counted" if value is None else f"{value:,}" if isinstance(value, int) else f"{value:.4f}"


def status_text(status: dict[str, Any]) -> str:
    """The state of a home in a few lines."""
    corpus, refresh, holder = status["corpus"], status["refresh"], status["holder"]
    lines = [f"home        {status['home']}", f"corpus      {corpus['folder'] or 'not set'} ({corpus['state']})"]
    lines.append(f"generation  {status['generation'] or 'none published yet'} {status['created'] or ''}".rstrip())
    lines += [f"damaged     {status['damage']}"] if status["damage"] else []
    at = f", at {refresh['product']} {refresh['done']}/{refresh['total']}" if refresh["product"] else ""
    when = f" {refresh['updated']}" if refresh["updated"] else ""
    lines.append(f"refresh     {refresh['status']}{when}{at}" + (f": {refresh['error']}" if refresh["error"] else ""))
    lines += [f"warning     {warning}" for warning in status["warnings"]]
    if holder:
        lines.append(f"held        {Holder(**holder)}")
    products = _product_rows(status)
    lines += aligned([("product", "rows", "digest"), *products]) if products else []
    return "\n".join([*lines, *([f"next        {status['next']}"] if status["next"] else [])])


def findings_text(findings: Sequence[dict[str, Any]]) -> str:
    """What `pagerag doctor` found, one line each."""
    return "\n".join(f"{'ok  ' if f['ok'] else 'BAD '} {f['name']}: {f['found']}" for f in findings)


@contextlib.contextmanager
def progress_shown(read: Callable[[], Progress | None], stream: TextIO) -> Iterator[None]:
    """Show what `read` tells while the block runs: one moving line on a terminal, plain lines elsewhere."""
    done = threading.Event()
    watcher = threading.Thread(target=_watch, args=(read, stream, done), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def _watch(read: Callable[[], Progress | None], stream: TextIO, done: threading.Event) -> None:
    moving = stream.isatty()
    product, first, due = "", (0, 0.0), 0.0
    while not done.wait(TICK_SECONDS):
        progress = read()
        now = time.monotonic()
        if progress is None or progress.status != "running":
            continue
        if progress.product != product:
            product, first, due = progress.product, (progress.done, now), now + FIRST_LINE_SECONDS
        if moving or now >= due:
            due = now + LINE_SECONDS
            line = progress_line(progress, progress.done - first[0], now - first[1])
            stream.write(f"\r\x1b[K{line[:WIDTH]}" if moving else f"{line}\n")
            stream.flush()
    if moving:
        stream.write("\r\x1b[K")
        stream.flush()


def progress_line(progress: Progress, done: int, seconds: float) -> str:
    """How far a product is, with the rate and the time left once `done` units took `seconds`."""
    line = f"{progress.product} {progress.done:,}/{progress.total:,}"
    if done <= 0 or seconds <= 0:
        return f"{line}, {_duration(seconds)} so far" if seconds >= 1 else line
    rate = done / seconds
    left = (progress.total - progress.done) / rate
    return f"{line}, {rate:,.1f}/s, {_duration(left)} left"


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min" if hours else f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"


def _listed(word: str, details: Mapping[str, Any], name: str, *, most: int | None = None) -> list[str]:
    """A line for each of the first `most` pairs of a list in a report's details, and one that counts the rest, held there or not."""
    pairs = details.get(name, [])
    shown = [f"{word} {one}: {why}" for one, why in pairs[:most]]
    more = details.get(f"{name}_count", len(pairs)) - len(shown)
    return [*shown, f"{word} {more:,} more"] if more > 0 else shown


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as aligned lines: the first column to the left, the others to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  ".join(cell.rjust(w) if i else cell.ljust(w) for i, (cell, w) in enumerate(zip(row, widths, strict=True))) for row in rows]


def _product_rows(status: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(name, f"{product['rows']:,}", product["digest"][:12]) for name, product in status["products"].items()]


def _marked(claim: dict[str, Any], numbers: dict[str, int]) -> str:
    marks = "".join(f"[{numbers[label]}]" for label in claim["labels"] if label in numbers)
    return f"{claim['text']} {marks}".rstrip()


def _cited(citations: Sequence[dict[str, Any]], label: str, number: int) -> list[str]:
    """The place of a label once, and under it its quotes, each once; another place of the same label stands on a line of its own."""
    lines: dict[str, None] = {}
    for citation in citations:
        if citation["label"] == label:
            lines[f"[{number}] {_place(citation)}"] = None
            lines[textwrap.indent(_wrapped(" ".join(citation["quote"].split())), "    ")] = None
    return list(lines)


def _place(found: dict[str, Any]) -> str:
    page = f", page {found['page']}" if found.get("page") is not None else ""
    return ", ".join([found["document"], *([" > ".join(found["section"])] if found["section"] else [])]) + page


def _missing(outcome: dict[str, Any]) -> list[str]:
    return [f"missing: {one}" for one in outcome["missing"]]


def _wrapped(text: str) -> str:
    return "\n".join(textwrap.fill(line, WIDTH - 4, break_long_words=False) for line in text.splitlines())
