"""The harness: sets, homes and variants in, one row a question out, kept as they come, and a report over them."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from pagerag_pipeline.evaluation.asking import Run, ask_set
from pagerag_pipeline.evaluation.datasets import QuestionSet, Selection, Task, read_set
from pagerag_pipeline.evaluation.homes import CACHE, EvaluatedHome, names_held, ready_home
from pagerag_pipeline.evaluation.judging.cases import case_of
from pagerag_pipeline.evaluation.judging.judge import Judge, open_judge
from pagerag_pipeline.evaluation.judging.run import Wanted, judge_cases
from pagerag_pipeline.evaluation.judging.scoring import KINDS
from pagerag_pipeline.evaluation.libraries import library_versions, require_libraries
from pagerag_pipeline.evaluation.measure import EVIDENCE_TOKENS, Variant
from pagerag_pipeline.evaluation.metrics import ALL_GOLD, CUTS
from pagerag_pipeline.evaluation.raw_graph import RAW_GRAPH
from pagerag_pipeline.evaluation.report import write_report
from pagerag_pipeline.evaluation.results import Results, Row
from pagerag_pipeline.evaluation.sources import EvaluationError
from pagerag_pipeline.evaluation.summary import summarize
from pagerag_pipeline.models.chat.opening import Chat, open_chat
from pagerag_pipeline.models.ready import Models
from pagerag_pipeline.query import PLANS, SYSTEMS
from pagerag_pipeline.refresh.asking import CeilingReached
from pagerag_pipeline.schema.ids import digest
from pagerag_pipeline.schema.protocols import Embedder, Progress
from pagerag_pipeline.settings import slice_digest
from pagerag_pipeline.settings_chat import BuildSettings
from pagerag_pipeline.settings_file import load_settings, with_ceilings
from pagerag_pipeline.stores.generations import current, engine_versions
from pagerag_pipeline.stores.servers import ChatServers
from pagerag_pipeline.systems.ablations import ABLATIONS, system_of
from pagerag_pipeline.systems.pank import PLANNABLE

KNOWN_ABLATIONS = (*ABLATIONS, RAW_GRAPH)

@dataclass(frozen=True, slots=True)
class Request:
    """What is to be compared."""

    sets: tuple[Path, ...]
    """Folders of sets, or question files."""
    start: Path
    """The home whose settings are taken, and in whose folder `evaluation` homes and reports stand unless they are named."""
    systems: tuple[str, ...] = ("page", "passages")
    ablations: tuple[str, ...] = ()
    selection: Selection = field(default_factory=Selection)
    corpus: Path | None = None
    home: Path | None = None
    out: Path | None = None
    plans: tuple[str, ...] = ()
    """Planners; each of the systems that one may stand in front of is also asked behind it."""
    judge: tuple[str, ...] = ()
    """What a chat model is to judge of the answers; nothing without it."""
    ceilings: Mapping[str, float] = field(default_factory=dict)
    """`max_calls`, `max_tokens` and `max_usd` of the whole run, in place of those in the settings."""

    @property
    def variants(self) -> tuple[Variant, ...]:
        """Systems first, in the order given, then those behind a planner, then the ablations. Raises EvaluationError for a name that is not known."""
        _check(self.systems, tuple(SYSTEMS), "system")
        _check(self.ablations, KNOWN_ABLATIONS, "ablation")
        _check(self.plans, tuple(filter(None, PLANS)), "planner")
        whole = dict.fromkeys(Variant(one) for one in self.systems)
        planned = dict.fromkeys(Variant(one, plan=plan) for plan in self.plans for one in self.systems if one in PLANNABLE)
        if self.plans and not planned:
            raise EvaluationError(f"No planner stands in front of {', '.join(self.systems)}; one may stand in front of {', '.join(PLANNABLE)}.")
        return (*whole, *planned, *dict.fromkeys(Variant(system_of(one), one) for one in self.ablations))


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What came of a request."""

    report: dict[str, Any]
    folder: Path
    """Holds report.md, report.json, results.jsonl and plots."""
    plots: dict[str, str]
    """Name to SVG."""


def evaluate(request: Request, *, told: Progress | None = None) -> Evaluation:
    """Ask every question of every set in every variant, unless its row is there already, and report.

    All of it, the judge and the building of homes too, spends under the ceilings of one run; when one is reached, what was measured is reported
    with what was not asked. Raises CeilingReached when nothing was measured, EvaluationError, GenerationMoved, and as a refresh does where a home
    has to be built.
    """
    require_libraries()
    variants = request.variants
    chat = _opened_chat(request)
    judge = _opened_judge(request, chat)
    held = names_held(request.home) if request.home else None
    sets = [read_set(one, request.selection, corpus=request.corpus, held=held) for one in request.sets]
    _check_names([one.name for one in sets])
    folder = request.out or (request.home or request.start) / CACHE / "reports" / _report_name(request, sets)
    _make_folder(folder)
    run = Run(Results(folder / "results.jsonl", with_contexts=judge is not None), chat, told)
    asked = _asked(request, sets, run)
    pairs = [pair for one in asked for pair in one.pairs]
    if run.ceiling and not pairs:
        raise CeilingReached(f"No question was asked to its end. {run.ceiling} What was built is kept.")
    rows = [row for _, row in pairs] if run.ceiling else run.results.finish([row["key"] for _, row in pairs])
    summary = summarize(rows, [variant.label for variant in variants], seed=request.selection.seed)
    report = {**_conditions(request), "sets": {one.set.name: _about(one) for one in asked}, **summary}
    if judge is not None:
        cases = [case_of(task, row) for (task, _), row in zip(pairs, rows, strict=True)]
        report["judged"] = judge_cases(judge, cases, _wanted(request, asked), told=told)
    report |= {**run.stopped(), **run.spent()}
    return Evaluation(report, folder, write_report(report, folder))


@dataclass(frozen=True, slots=True)
class _Asked:
    """A set that was asked, as far as the ceilings allowed."""

    set: QuestionSet
    home: EvaluatedHome | None
    """None when a ceiling was reached before its home was built."""
    pairs: tuple[tuple[Task, Row], ...]


def _asked(request: Request, sets: Sequence[QuestionSet], run: Run) -> list[_Asked]:
    found: list[_Asked] = []
    for one in sets:
        home = _home(request, one, run)
        pairs: list[tuple[Task, Row]] = []
        for variant in request.variants:
            if home is None:
                run.left_out(one, variant, len(one.tasks))
            else:
                pairs += ask_set(run, one, variant, home)
        found.append(_Asked(one, home, tuple(pairs)))
    return found


def _home(request: Request, asked: QuestionSet, run: Run) -> EvaluatedHome | None:
    """The home of a set, None when a ceiling ended its building: what was built is kept."""
    try:
        return ready_home(asked, request.home, request.start, told=run.told, chat=run.chat)
    except CeilingReached:
        if not run.ceiling:
            raise
        return None


def _opened_chat(request: Request) -> Chat | None:
    """The chat models of the whole run; None where no server is set. Raises SettingsError for ceilings that cannot be meant."""
    home = request.home or request.start
    # What a build may ask is no matter here: questions are asked either way.
    settings = with_ceilings(replace(load_settings(home), build=BuildSettings()), **request.ceilings)
    return open_chat(settings.chat, ChatServers(home))


def _opened_judge(request: Request, chat: Chat | None) -> Judge | None:
    """The judge, before anything is built or asked; None where none is wanted. Raises EvaluationError."""
    _check(request.judge, KINDS, "kind of verdict")
    home = request.home or request.start
    return open_judge(chat, home, home / CACHE) if request.judge else None


def _wanted(request: Request, asked: Sequence[_Asked]) -> Wanted:
    named = {one.set.name: one.home for one in asked if one.home and one.pairs} if "ragas" in request.judge else {}
    return Wanted(request.judge, request.selection.seed, {name: _embedder(home) for name, home in named.items()})


def _embedder(home: EvaluatedHome) -> Embedder:
    """The embedder that a home was built with."""
    manifest = current(home.folder)
    if manifest is None:
        raise EvaluationError(f"{home.folder} has published nothing: refresh it first.")
    return Models(home.settings, ChatServers(home.folder)).embedder(manifest.settings["embed"], manifest.fingerprints["embedder"])


def _about(one: _Asked) -> dict[str, Any]:
    asked, home = one.set, one.home
    told = {
        "split": asked.split,
        "questions": len(asked.tasks),
        "answerable": sum(task.gold.answerable for task in asked.tasks),
        "left_out": dict(asked.left_out),
        "skipped": [list(pair) for pair in asked.skipped],
        "noted": list(asked.noted),
        "generation": sorted({row["generation"] for _, row in one.pairs if row["generation"]}),
    }
    if home is None:
        return {**told, "home": None, "home_reused": False, "settings_digest": "", "threshold": None}
    digests = {"settings_digest": slice_digest(home.settings), "threshold": home.settings.answer.threshold}
    return {**told, "home": home.folder.name, "home_reused": home.reused, **digests}


def _conditions(request: Request) -> dict[str, Any]:
    return {
        "systems": list(request.systems),
        "plans": list(request.plans),
        "ablations": list(request.ablations),
        "variants": [variant.label for variant in request.variants],
        "selection": asdict(request.selection),
        "seed": request.selection.seed,
        "k": list(CUTS),
        "all_gold_k": ALL_GOLD,
        "evidence_tokens": EVIDENCE_TOKENS,
        "versions": {**library_versions(), **engine_versions()},
    }


def _report_name(request: Request, sets: Sequence[QuestionSet]) -> str:
    """Names of the sets with a digest of what is selected: other questions have a report of their own."""
    return f"{'+'.join(one.name for one in sets)}-{digest('report', repr(request.selection))[:8]}"


def _make_folder(folder: Path) -> None:
    """The folder of a report is there and takes files. Raises EvaluationError when it cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise EvaluationError(
            f"The report cannot be written to {folder}: {error.strerror}. Name another folder with --out."
        ) from error


def _check(names: Sequence[str], known: Sequence[str], kind: str) -> None:
    unknown = [one for one in names if one not in known]
    if unknown:
        raise EvaluationError(f"There is no {kind} {unknown[0]}; known are {', '.join(known)}.")


def _check_names(names: Sequence[str]) -> None:
    twice = sorted({one for one in names if names.count(one) > 1})
    if twice:
        raise EvaluationError(f"Two sets are called {twice[0]}: evaluate them one after the other.")
