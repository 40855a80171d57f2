"""Communities and their reports: clustered anew when the graph moved, reported anew only where members or evidence moved."""

from pagerag_pipeline.indexing.cluster import cluster
from pagerag_pipeline.refresh import codes, given
from pagerag_pipeline.refresh.asked import is_asked
from pagerag_pipeline.refresh.corpus_wide import Derived, derive
from pagerag_pipeline.refresh.ledger import Counts, check_failures, compute, open_failures
from pagerag_pipeline.refresh.ledger import bring_up_to_date as bring_ledger
from pagerag_pipeline.refresh.session import Session
from pagerag_pipeline.stores import community_rows, description_rows, work

LEDGER = "reports"
TABLES = ("communities", "members", "reports", "report_quotes")


def bring_up_to_date(session: Session) -> tuple[Derived, Derived, tuple[Counts, ...]]:
    """Bring communities, reports and their vectors, and descriptions of entities, to the state of the governed graph."""
    described = _describe(session)
    clustered = derive(session, "communities", given=given.communities(session), tables=TABLES[:2], make=lambda: _cluster(session))
    reported, counts = _report(session)
    embedded = bring_ledger(session, "report_embeddings", codes.ledger_code("report_embeddings", session.settings))
    check_failures(session, "report_embeddings", embedded.units)
    return clustered, reported, (described, counts, embedded)


def shape(session: Session) -> dict[str, int]:
    """Communities by level with what their bounds and sizes cost, and what reports left out."""
    return community_rows.shape(session.tables, session.settings.cluster.min_report)


def _describe(session: Session) -> Counts:
    """Describe the entities of the governed graph where a model is asked to; elsewhere nothing is wanted."""
    knobs = session.settings
    if not is_asked(description_rows.LEDGER, knobs) and not description_rows.is_any(session.tables):
        return Counts(0, 0, 0, 0, 0, 0.0)
    description_rows.stage_entities(session.tables, knobs.build.evidence, knobs.build.condense_tokens)
    counts = bring_ledger(session, description_rows.LEDGER, codes.ledger_code(description_rows.LEDGER, knobs))
    check_failures(session, description_rows.LEDGER, counts.units)
    return counts


def _cluster(session: Session) -> None:
    nodes, edges = community_rows.weighted_edges(session.tables)
    community_rows.write_communities(session.tables, cluster(nodes, edges, session.settings.cluster))


def _report(session: Session) -> tuple[Derived, Counts]:
    state = work.product_state(session.tables, LEDGER)
    if state is not None and state[0] == given.reports(session) and not open_failures(session, LEDGER):
        return Derived(state[1], state[2], False), Counts(state[2], 0, state[2], 0, 0, 0.0)
    code = codes.ledger_code(LEDGER, session.settings)
    smallest = session.settings.cluster.min_report
    community_rows.stage_evidence(session.tables, smallest, session.settings.summarize.report_evidence)
    work.stage_wanted(session.tables, LEDGER, code, community_rows.WANTED_REPORTS)
    settled = work.settle(session.tables, LEDGER, code, session.generation)
    done = compute(session, LEDGER, code)
    check_failures(session, LEDGER, settled.wanted)
    derived = derive(session, LEDGER, given=given.reports(session), tables=TABLES[2:], make=lambda: community_rows.write_reports(session.tables))
    reused = settled.unchanged + settled.remembered
    return derived, Counts(settled.wanted, done.computed, reused, done.failed, settled.gone, done.seconds)
