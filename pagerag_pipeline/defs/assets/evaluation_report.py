"""The asset `evaluation_report`: systems compared with gold over the published generation, its table and plots in the UI."""

import base64
import inspect
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import dagster as dg
from pydantic import Field

from pagerag_pipeline.defs.product import OWNERS
from pagerag_pipeline.defs.resources import QueryResource
from pagerag_pipeline.evaluation.datasets import SEED, Selection
from pagerag_pipeline.evaluation.harness import Evaluation, Request, evaluate
from pagerag_pipeline.evaluation.judging.page import unjudged_text
from pagerag_pipeline.evaluation.report import FIGURES, markdown, stopped_text
from pagerag_pipeline.evaluation.sources import EvaluationError
from pagerag_pipeline.schema.ids import digest
from pagerag_pipeline.stores.generations import standing_name

QUESTIONS = "questions.jsonl"
"""The question file in the home that is asked when the run names none."""


class EvaluationConfig(dg.Config):
    """What is compared: the options of `pagerag evaluate`."""

    sets: list[str] = Field(
        default=[], description="Folders of sets, or question files with gold. Empty: questions.jsonl in the home."
    )
    systems: list[str] = Field(default=["page", "passages"], description="The systems; differences are taken from the first one.")
    ablations: list[str] = Field(default=[], description="Parts that a system is also asked without.")
    plans: list[str] = Field(default=[], description="Planners (pank); the systems that one may stand in front of (page, ensi) are also asked behind it.")
    judge: list[str] = Field(default=[], description="What a chat model is to judge of the answers: grades, four, six, ragas.")
    corpus: str = Field(default="", description="The folder of documents, where ids of a set are to be looked up in it.")
    out: str = Field(default="", description="Folder of the report. Empty: evaluation/reports in the home.")
    limit: int = Field(default=0, description="A sample of so many questions of each set; 0: all.")
    seed: int = Field(default=SEED, description="Of samples and intervals.")
    cross: bool = Field(default=False, description="Ask answerable questions of another document too, as unanswerable.")
    pool: bool = Field(default=False, description="Ask of all documents; those that a question names are gold.")


def evaluated(
    context: dg.AssetExecutionContext, config: EvaluationConfig, query: QueryResource
) -> Iterator[dg.MaterializeResult[Any]]:
    """Systems compared with gold over the published generation: rankings, answers, evidence, refusals and latency, with paired intervals.

    Asks the question file of the run's configuration (else `questions.jsonl` of the home; without one, nothing is done). The report with its plots
    is shown here and kept as Markdown and JSON; a run that was stopped goes on where it was.
    """
    home = query.folder
    sets = [Path(one).expanduser() for one in config.sets] or [path for path in [home / QUESTIONS] if path.exists()]
    if not sets or standing_name(home) is None:
        context.log.warning(
            f"Nothing was evaluated: {'nothing is published yet' if sets else f'no set is named and {home / QUESTIONS} does not exist'}."
        )
        return
    try:
        found = evaluate(_request(config, home, sets), told=_logged(context))
    except EvaluationError as error:
        raise dg.Failure(str(error)) from error
    if "stopped" in found.report:
        context.log.warning(stopped_text(found.report["stopped"]))
    if told := unjudged_text(found.report["judged"]) if "judged" in found.report else "":
        context.log.warning(told)
    rows = (found.folder / "results.jsonl").read_bytes()
    yield dg.MaterializeResult(metadata=metadata_of(found), data_version=dg.DataVersion(digest("evaluation", rows)))


evaluation_report = dg.multi_asset(
    name="evaluation_report",
    specs=[
        dg.AssetSpec(
            "evaluation_report", deps=["hybrid_repository"], description=inspect.getdoc(evaluated), group_name="evaluation", kinds={"markdown"},
            owners=OWNERS, skippable=True,
        )
    ],
    # Only the output of a subsettable asset is optional.
    can_subset=True,
)(evaluated)  # fmt: skip


def metadata_of(found: Evaluation) -> dict[str, Any]:
    """Figures by set and system, which the UI plots over time, and the report with its plots in it."""
    report = found.report
    told = {
        f"{name}: {variant}: {one}": figures[one]["value"]
        for name, variants in report["results"].items()
        for variant, figures in variants.items()
        for one in FIGURES
        if one in figures and figures[one]["value"] is not None
    }
    return {
        "report": dg.MetadataValue.md(markdown(report, _embedded(found.plots))),
        "folder": dg.MetadataValue.path(str(found.folder)),
        **told,
    }


def _embedded(plots: Mapping[str, str]) -> dict[str, str]:
    """Plots as data URIs: the UI reads no files."""
    return {name: f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}" for name, svg in plots.items()}


def _request(config: EvaluationConfig, home: Path, sets: list[Path]) -> Request:
    selection = Selection(limit=config.limit or None, seed=config.seed, cross=config.cross, pool=config.pool)
    corpus, out = (Path(one).expanduser() if one else None for one in (config.corpus, config.out))
    return Request(tuple(sets), home, tuple(config.systems), tuple(config.ablations), selection, corpus=corpus, home=home, out=out, plans=tuple(config.plans), judge=tuple(config.judge))


def _logged(context: dg.AssetExecutionContext) -> Any:
    """Progress as a line of the log for each variant."""

    def told(part: str, done: int, total: int) -> None:
        if done == 0:
            context.log.info(f"{part}: {total} questions.")

    return told
