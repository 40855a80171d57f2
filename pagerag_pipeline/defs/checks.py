"""What is checked of a product when it was brought up to date: audits of the work file, and what its report says of failures."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import dagster as dg

from pagerag_pipeline.refresh.governing import audit_limits
from pagerag_pipeline.refresh.report import ProductReport
from pagerag_pipeline.refresh.session import Session
from pagerag_pipeline.stores import audits


@dataclass(frozen=True, slots=True)
class Audit:
    """A check that stops what comes next: `stores.audits` must find no offender under this name."""

    name: str
    description: str

    @property
    def check_name(self) -> str:
        """The check's name in the UI: it says what must hold."""
        return f"no_{self.name}"


NOTHING_FAILED = "nothing_failed"


def check_specs(product: str, held: Sequence[Audit]) -> list[dg.AssetCheckSpec]:
    """The checks that a product declares: each audit, blocking, and that nothing failed, which only warns.

    Too many failures stop the product itself (`refresh.max_failed_share`), before any check.
    """
    blocking = [dg.AssetCheckSpec(a.check_name, asset=product, description=a.description, blocking=True) for a in held]
    return [*blocking, dg.AssetCheckSpec(NOTHING_FAILED, asset=product, description="No unit of work failed in this product.")]


def audit_results(session: Session, product: str, held: Sequence[Audit]) -> Iterator[dg.AssetCheckResult]:
    """What came of each audit, with the number of offenders and the first of them."""
    for audit in held:
        found = audits.offenders(session.tables, audit.name, audit_limits(session.settings))
        yield dg.AssetCheckResult(
            check_name=audit.check_name,
            asset_key=product,
            passed=found.count == 0,
            metadata={"offenders": found.count, "first": dg.MetadataValue.json(list(found.first))},
        )


def failure_result(report: ProductReport) -> dg.AssetCheckResult:
    """Whether units failed, with the first of them and their errors; a warning, since the rest of the product stands."""
    return dg.AssetCheckResult(
        check_name=NOTHING_FAILED,
        asset_key=report.product,
        passed=report.failed == 0,
        severity=dg.AssetCheckSeverity.WARN,
        metadata={"failed": report.failed, "first": dg.MetadataValue.json(report.details.get("failures", [])[: audits.SHOWN])},
    )
