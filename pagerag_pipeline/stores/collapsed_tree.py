"""The co-occurrence graph and the summary tree of a scope over one cut of its text: what E2GraphRAG reads of a generation, once."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from pagerag_pipeline.schema.asking import Scope
from pagerag_pipeline.stores import reading, term_graph
from pagerag_pipeline.stores.generations import GenerationError
from pagerag_pipeline.stores.repository import Repository
from pagerag_pipeline.stores.term_graph import TermGraph, read_term_graph, read_windows
from pagerag_pipeline.stores.tree_nodes import TreeNodes, read_tree_nodes


@dataclass(frozen=True, slots=True)
class CollapsedTree:
    """Leaves and summaries as one list of nodes, and the graph of the terms in them."""

    graph: TermGraph
    tree: TreeNodes


def collapsed_tree(repository: Repository, scope: Scope, cut: str) -> CollapsedTree:
    """The graph and the tree of what is in scope, read when first asked for and kept while the generation is open. Raises GenerationError."""
    return repository.held(_READERS[cut], scope)


def _read(repository: Repository, scope: Scope, *, cut: str) -> CollapsedTree:
    if not repository.rows(term_graph.HOLDS):
        raise GenerationError(f"Generation {repository.generation} holds no co-occurrence graph: an earlier version of this program wrote it. Refresh.")

    def rows(statement: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        sql, scoping = reading.scoped(statement, "c.document", scope)
        return repository.rows(sql, [*parameters, *scoping])

    windows = read_windows(rows, cut)
    if cut == "fixed" and not windows.chunk_ids and read_windows(rows, "chunk").chunk_ids:
        raise GenerationError(f"Generation {repository.generation} holds no fixed windows: set `fixed = true` in [chunk] and refresh, or `cut = \"chunk\"` in [e2].")
    return CollapsedTree(read_term_graph(rows, windows), read_tree_nodes(rows, repository.vectors, windows))


_READERS = {cut: partial(_read, cut=cut) for cut in term_graph.WINDOWS}
