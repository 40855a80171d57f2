"""What the ten product assets share: how a product function becomes an asset with its report and its checks."""

import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import dagster as dg

from pagerag_pipeline.defs.checks import Audit, audit_results, check_specs, failure_result
from pagerag_pipeline.defs.materialization import metadata_of
from pagerag_pipeline.defs.resources import RefreshResource
from pagerag_pipeline.refresh.report import ProductReport
from pagerag_pipeline.refresh.session import Session

Results = Iterator[dg.MaterializeResult[Any] | dg.AssetCheckResult]
OWNERS = ["team:pagerag"]


def product(
    *, after: Sequence[str], group: str, kinds: set[str], checks: Sequence[Audit] = ()
) -> Callable[[Callable[..., Results]], dg.AssetsDefinition]:
    """A decorator: the asset named as the function, described by its docstring, with its checks declared on it.

    The asset may end without a result, with what comes after it skipped: that is how a run ends which finds the home held.
    """

    def decorate(function: Callable[..., Results]) -> dg.AssetsDefinition:
        spec = dg.AssetSpec(
            function.__name__,
            deps=list(after),
            description=inspect.getdoc(function),
            group_name=group,
            kinds=kinds,
            owners=OWNERS,
            skippable=True,
        )
        # Only outputs of a subsettable asset are optional, its checks included.
        return dg.multi_asset(
            name=function.__name__, specs=[spec], check_specs=check_specs(function.__name__, checks), can_subset=True
        )(function)

    return decorate


def kept_fresh(
    context: dg.AssetExecutionContext, refresh: RefreshResource, function: Callable[[Session], ProductReport], *, checks: Sequence[Audit] = ()
) -> Results:
    """Bring a product up to date and tell what came of it; nothing when another refresh holds the home.

    A run that was asked for checks alone evaluates the audits of what is there, and brings nothing up to date.
    """
    if not context.selected_asset_keys:
        session = refresh.opened(context)
        yield from audit_results(session, context.op_execution_context.op.name, checks) if session else ()
        return
    report = refresh.bring_up_to_date(context, function)
    if report is None:
        return
    context.log.info(_in_words(report))
    results = [*audit_results(refresh.session, report.product, checks), failure_result(report)]
    broken = [r.check_name for r in results if not r.passed and r.severity == dg.AssetCheckSeverity.ERROR]
    if broken:
        refresh.session.fail(RuntimeError(f"{report.product}: {', '.join(str(name) for name in broken)}"))
    yield dg.MaterializeResult(
        asset_key=report.product, metadata=metadata_of(report), data_version=dg.DataVersion(report.digest), check_results=results
    )


def _in_words(report: ProductReport) -> str:
    if not report.computed and not report.failed and not (report.added or report.changed or report.deleted):
        return f"{report.product}: nothing changed, {report.reused:,} reused."
    return f"{report.product}: {report.computed:,} computed, {report.reused:,} reused, {report.failed:,} failed in {report.seconds:.1f} s."
