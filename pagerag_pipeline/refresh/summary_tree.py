"""The summary tree: a Merkle tree per document, then, of several documents, one over their roots; a group is summarized again only if a leaf below it moved."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import polars as pl

from pagerag_pipeline.indexing.tree import ENDING, document_tree, leaf_marks
from pagerag_pipeline.refresh import codes, given
from pagerag_pipeline.refresh.corpus_wide import Derived, derive
from pagerag_pipeline.refresh.ledger import Computed, Counts, check_failures, compute, open_failures
from pagerag_pipeline.refresh.ledger import bring_up_to_date as bring_ledger
from pagerag_pipeline.refresh.session import Session
from pagerag_pipeline.schema.ids import digest
from pagerag_pipeline.settings import SummarizeSettings
from pagerag_pipeline.stores import tree_rows, work

LEDGER = "summaries"
TABLES = ("tree", "tree_quotes")


@dataclass(frozen=True, slots=True)
class _Node:
    """A node that a parent can stand over: what it is known by, and its last leaf, which decides where groups close after it."""

    node_id: str
    reference: str
    """`c:` and a chunk's content id, or `s:` and a summary's memo key."""
    last_leaf: tuple[str, str]
    """Content id, and the end of its text."""
    height: int


def bring_up_to_date(session: Session) -> tuple[Derived, tuple[Counts, ...]]:
    """Bring tree, summaries and their vectors to the state of the live chunks."""
    code = codes.ledger_code(LEDGER, session.settings)
    state = work.product_state(session.tables, "summary_tree")
    if state is not None and state[0] == given.summary_tree(session) and not open_failures(session, LEDGER):
        counts = Counts(state[2], 0, state[2], 0, 0, 0.0)
        derived = Derived(state[1], state[2], False)
    else:
        planned = plan(session, code)
        with session.tables.staged("planned", planned) as staged:
            counts = _summarize(session, code, staged, int(planned["height"].max() or 0))  # type: ignore[arg-type]
            asked = given.summary_tree(session)
            derived = derive(
                session, "summary_tree", given=asked, tables=TABLES, make=lambda: tree_rows.write_tree(session.tables, staged, LEDGER)
            )
    embedded = bring_ledger(session, "summary_embeddings", codes.ledger_code("summary_embeddings", session.settings))
    check_failures(session, "summary_embeddings", embedded.units)
    return derived, (counts, embedded)


def levels(session: Session) -> list[tuple[int, int]]:
    """(level, nodes) of the tree, leaves first."""
    return tree_rows.levels(session.tables)


def plan(session: given.Standing, code: str) -> pl.DataFrame:
    """Every node of the tree as a row, leaves and summaries; memo keys follow from leaf contents alone, so no summary is needed to plan.

    Columns: node_id, document, level, ordinal, parent_id, chunk_id, input, key, height, weight, children.
    """
    shape = session.settings.summarize
    rows: list[dict[str, object]] = []
    roots: list[list[_Node]] = []
    for document, leaves in tree_rows.leaves_by_document(session.tables, ENDING):
        below = [_Node(digest("leaf", chunk), f"c:{content}", (content, ending), 0) for chunk, content, ending in leaves]
        chunks = [chunk for chunk, _, _ in leaves]
        rows.extend(_row(node.node_id, document=document, level=0, ordinal=i, chunk=chunk) for i, (node, chunk) in enumerate(zip(below, chunks, strict=True)))
        roots.append(_stack(rows, below, document, code, shape))
    if len(roots) > 1:
        _stack(rows, [node for tops in roots for node in tops], "", code, shape)
    return pl.DataFrame(rows, schema=tree_rows.PLAN)


def _stack(rows: list[dict[str, object]], below: Sequence[_Node], document: str, code: str, shape: SummarizeSettings) -> list[_Node]:
    """Add the levels over some nodes to the rows; returns the highest, one root unless groups are fixed (the nodes themselves when nothing stands over them)."""
    nodes = list(below)
    by_id = {str(row["node_id"]): row for row in rows[-len(nodes) :]} if document else {str(row["node_id"]): row for row in rows}
    occurrences: dict[str, int] = {}
    for level in document_tree(leaf_marks([node.last_leaf for node in nodes]), shape):
        above: list[_Node] = []
        for ordinal, (start, end) in enumerate(level.groups):
            children = nodes[start:end]
            asked = digest("summary", *(child.reference for child in children))
            count = occurrences[asked] = occurrences.get(asked, -1) + 1
            node_id = digest("node", document, asked, count)
            key = work.memo_key(code, asked)
            height = 1 + max(child.height for child in children)
            row = _row(node_id, document=document, level=level.level, ordinal=ordinal)
            row.update(input=asked, key=key, height=height, weight=_WEIGHT * len(children), children=[c.reference for c in children])
            rows.append(row)
            by_id[node_id] = row
            for child in children:
                by_id[child.node_id]["parent_id"] = node_id
            above.append(_Node(node_id, f"s:{key}", children[-1].last_leaf, height))
        nodes = above
    return nodes


_WEIGHT = 4_000
"""Characters that a child of a summary stands for when work is batched; about a chunk's."""


def _row(node_id: str, *, document: str, level: int, ordinal: int, chunk: str = "") -> dict[str, object]:
    return {
        "node_id": node_id,
        "document": document,
        "level": level,
        "ordinal": ordinal,
        "parent_id": "",
        "chunk_id": chunk,
        "input": "",
        "key": "",
        "height": 0,
        "weight": 0,
        "children": [],
    }


def _summarize(session: Session, code: str, planned: str, highest: int) -> Counts:
    """Compute the summaries that no memory holds, from the lowest height to the highest: a parent reads its children's quotes."""
    work.stage_wanted(session.tables, LEDGER, code, tree_rows.wanted(planned))
    settled = work.settle(session.tables, LEDGER, code, session.generation)
    done: Iterable[Computed] = [compute(session, LEDGER, code, where=f"height = {height}") for height in range(1, highest + 1)]
    check_failures(session, LEDGER, settled.wanted)
    computed, failed, seconds = (sum(column) for column in zip((0, 0, 0.0), *done, strict=True))
    return Counts(settled.wanted, int(computed), settled.unchanged + settled.remembered, int(failed), settled.gone, seconds)
