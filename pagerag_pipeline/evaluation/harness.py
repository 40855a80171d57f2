"""The harness: sets, homes and variants in, one row a question out, kept as they come, and a report over them."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from pagerag_pipeline.batch import asking_now
from pagerag_pipeline.evaluation.datasets import QuestionSet, Selection, Task, read_set
from pagerag_pipeline.evaluation.homes import (
    CACHE,
    EvaluatedHome,
    HomeTexts,
    check_generation,
    names_held,
    ready_home,
    with_full_ids,
)
from pagerag_pipeline.evaluation.judging.cases import case_of
from pagerag_pipeline.evaluation.judging.hearing import Overheard
from pagerag_pipeline.evaluation.judging.judge import Judge, open_judge
from pagerag_pipeline.evaluation.judging.run import Wanted, judge_cases
from pagerag_pipeline.evaluation.judging.scoring import KINDS
from pagerag_pipeline.evaluation.libraries import library_versions, require_libraries
from pagerag_pipeline.evaluation.measure import EVIDENCE_TOKENS, Variant, measured, shown
from pagerag_pipeline.evaluation.metrics import ALL_GOLD, CUTS
from pagerag_pipeline.evaluation.raw_graph import RAW_GRAPH, raw_home
from pagerag_pipeline.evaluation.report import write_report
from pagerag_pipeline.evaluation.results import Results, Row
from pagerag_pipeline.evaluation.sources import EvaluationError
from pagerag_pipeline.evaluation.summary import summarize
from pagerag_pipeline.models.ready import Models
from pagerag_pipeline.query import PLANS, SYSTEMS, QueryEngine
from pagerag_pipeline.schema.ids import digest
from pagerag_pipeline.schema.protocols import Embedder, Progress
from pagerag_pipeline.settings import slice_digest
from pagerag_pipeline.settings_file import load_settings
from pagerag_pipeline.stores.generations import current, engine_versions
from pagerag_pipeline.stores.opening import open_repository
from pagerag_pipeline.stores.servers import ChatServers
from pagerag_pipeline.systems.ablations import ABLATIONS, system_of
from pagerag_pipeline.systems.pank import PLANNABLE

KNOWN_ABLATIONS = (*ABLATIONS, RAW_GRAPH)
_SCORING = ("datasets.py", "measure.py", "metrics.py", "raw_graph.py", "rows.py")
"""What a row depends on in this room."""


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

    Raises EvaluationError, GenerationMoved, and as a refresh does where a home has to be built.
    """
    require_libraries()
    variants = request.variants
    judge = _opened_judge(request)
    held = names_held(request.home) if request.home else None
    sets = [read_set(one, request.selection, corpus=request.corpus, held=held) for one in request.sets]
    _check_names([one.name for one in sets])
    folder = request.out or (request.home or request.start) / CACHE / "reports" / _report_name(request, sets)
    _make_folder(folder)
    results = Results(folder / "results.jsonl", with_contexts=judge is not None)
    keys: list[str] = []
    about: dict[str, Any] = {}
    homes: dict[str, EvaluatedHome] = {}
    for asked in sets:
        home = homes[asked.name] = ready_home(asked, request.home, request.start, told=told)
        own = [key for variant in variants for key in _ask_set(asked, variant, home, results, told=told)]
        keys += own
        about[asked.name] = _about(asked, home, [row for key in own if (row := results.kept(key))])
    rows = results.finish(keys)
    summary = summarize(rows, [variant.label for variant in variants], seed=request.selection.seed)
    report = {**_conditions(request), "sets": about, **summary}
    if judge is not None:
        tasks = [task for asked in sets for _ in variants for task in asked.tasks]
        report["judged"] = judge_cases(judge, list(map(case_of, tasks, rows)), _wanted(request, homes), told=told)
    return Evaluation(report, folder, write_report(report, folder))


def _opened_judge(request: Request) -> Judge | None:
    """The judge, before anything is built or asked; None where none is wanted. Raises EvaluationError."""
    _check(request.judge, KINDS, "kind of verdict")
    home = request.home or request.start
    return open_judge(load_settings(home).chat, home, home / CACHE) if request.judge else None


def _wanted(request: Request, homes: dict[str, EvaluatedHome]) -> Wanted:
    named = homes if "ragas" in request.judge else {}
    return Wanted(request.judge, request.selection.seed, {name: _embedder(home) for name, home in named.items()})


def _embedder(home: EvaluatedHome) -> Embedder:
    """The embedder that a home was built with."""
    manifest = current(home.folder)
    if manifest is None:
        raise EvaluationError(f"{home.folder} has published nothing: refresh it first.")
    return Models(home.settings, ChatServers(home.folder)).embedder(manifest.settings["embed"], manifest.fingerprints["embedder"])


def _ask_set(
    asked: QuestionSet, variant: Variant, home: EvaluatedHome, results: Results, *, told: Progress | None
) -> Iterator[str]:
    """The keys of a set's rows in a variant, in order, each in the results when it is given."""
    at = raw_home(home) if variant.ablation == RAW_GRAPH else home.folder
    conditions = asking_now(at, home.settings, system=variant.system).digest
    check_generation(home)
    lacking = [(task, key) for task in asked.tasks if results.kept(key := _key(asked, task, variant, conditions)) is None]
    if lacking:
        with _opened(at, home, variant) as (engine, texts, resolve):
            tasks = resolve([task for task, _ in lacking])
            # What is loaded at the first question is no part of what a question takes.
            Models(home.settings).tagger.tag(["Ready?"], "en")
            engine.ask(shown(tasks[0].question), system=variant.system, plan=variant.plan)
            for done, (task, (_, key)) in enumerate(zip(tasks, lacking, strict=True)):
                if told:
                    told(f"{asked.name} {variant.label}", done, len(tasks))
                heard = Overheard(engine)
                row = measured(heard, variant, task, texts)
                check_generation(home)
                results.add({"key": key, "set": asked.name, **row, **({"contexts": heard.contexts} if results.with_contexts else {})})
    yield from (_key(asked, task, variant, conditions) for task in asked.tasks)


@contextmanager
def _opened(
    at: Path, home: EvaluatedHome, variant: Variant
) -> Iterator[tuple[QueryEngine, HomeTexts, Callable[[Sequence[Task]], list[Task]]]]:
    """An engine for a variant, the texts of the home, and what gives tasks the full ids of their documents."""
    parts = {variant.ablation} & set(ABLATIONS)
    repository = open_repository(at, home.settings)
    try:
        with QueryEngine(at, home.settings, ablations=parts) as engine:
            yield engine, HomeTexts(repository), lambda tasks: with_full_ids(tasks, repository)
    finally:
        repository.close()


def _key(asked: QuestionSet, task: Task, variant: Variant, conditions: str) -> str:
    """Digest of all that a row depends on: the question, its gold, the variant, the generation, the settings and the code."""
    question, gold = task.question, task.gold
    return digest("result", asked.name, variant.label, conditions, repr(question), repr(gold), _scoring_digest())


@cache
def _scoring_digest() -> str:
    return digest("scoring", *(files("pagerag_pipeline.evaluation").joinpath(name).read_bytes() for name in _SCORING))


def _about(asked: QuestionSet, home: EvaluatedHome, rows: Sequence[Row]) -> dict[str, Any]:
    return {
        "split": asked.split,
        "questions": len(asked.tasks),
        "answerable": sum(task.gold.answerable for task in asked.tasks),
        "left_out": dict(asked.left_out),
        "skipped": [list(pair) for pair in asked.skipped],
        "noted": list(asked.noted),
        "home": home.folder.name,
        "home_reused": home.reused,
        "generation": sorted({row["generation"] for row in rows if row["generation"]}),
        "settings_digest": slice_digest(home.settings),
        "threshold": home.settings.answer.threshold,
    }


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
