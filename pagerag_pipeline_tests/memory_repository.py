"""A repository in memory: the reading methods of `stores/repository.py` over typed texts and edges, exact and without any engine."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from pagerag_pipeline.lexical import name_key, terms
from pagerag_pipeline.models.embedder import load_embedder
from pagerag_pipeline.retrieval.evidence import weighed
from pagerag_pipeline.retrieval.text import bm25
from pagerag_pipeline.schema.asking import Scope, SourceSpan, TermStatistics
from pagerag_pipeline.schema.documents import chunk_id, embed_text
from pagerag_pipeline.schema.ids import content_id
from pagerag_pipeline.schema.knowledge import edge_id, entity_id
from pagerag_pipeline.schema.protocols import Embedder
from pagerag_pipeline.settings import EmbedSettings
from pagerag_pipeline.settings_asking import RetrieveSettings
from pagerag_pipeline.stores.activation import ActivationGraph
from pagerag_pipeline.stores.activation_reading import read_activation_graph
from pagerag_pipeline.stores.found import Linked, Passage, Place, Quoted
from pagerag_pipeline.stores.paths import PathSearch
from pagerag_pipeline_tests.graph_sources import TypedGraph


@dataclass(frozen=True)
class TypedEdge:
    """What `stores/graph.py` gives for an edge."""

    edge_id: str
    head: str
    predicate: str
    tail: str
    modality: str
    confidence: float
    weight: int


@dataclass
class MemoryRepository:
    """Documents by id, each a list of passage texts; edges as (head, predicate, tail, document, quote)."""

    texts: dict[str, list[str]]
    edges: Sequence[tuple[str, str, str, str, str]] = ()
    told: Sequence[tuple[str, str]] = ()
    """(document, quote) of one-quote reports."""
    facts: Sequence[tuple[str, str, str, str, str]] = ()
    """Records as (entity, field, value, document, quote)."""
    titles: dict[str, str] = field(default_factory=dict)
    """Titles by document."""
    kappa: Sequence[dict[str, str]] = ()
    """Boundaries of profiles, whatever the scope."""
    embedder: Embedder = field(default_factory=lambda: load_embedder(EmbedSettings(model="hash")))
    generation: str = "memory"

    def __post_init__(self) -> None:
        self.rows: list[Passage] = []
        self.full = {document: "\n".join(parts) for document, parts in self.texts.items()}
        for document, parts in sorted(self.texts.items()):
            at = 0
            for text in parts:
                self.rows.append(self._passage(document, text, at))
                at += len(text) + 1
        keys = sorted({row.embed_key: embed_text(row.context, row.text) for row in self.rows}.items())
        encoded = self.embedder.encode_passages([text for _, text in keys])
        self._vectors = {key: one.vector for (key, _), one in zip(keys, encoded, strict=True)}
        self._signs = {key: one.signs for (key, _), one in zip(keys, encoded, strict=True)}
        self._edges = [self._edge(one) for one in self.edges]
        self._bound = {edge.edge_id: self._place(one[3], one[4]) for edge, one in zip(self._edges, self.edges, strict=True)}
        self._report_vectors = [self.embedder.encode([quote])[0] for _, quote in self.told]

    def places(self, chunk_ids: Sequence[str]) -> dict[str, Place]:
        return {row.chunk_id: Place((), None, row.start, row.text) for row in self.rows if row.chunk_id in chunk_ids}

    def slice(self, document: str, start: int, end: int) -> str:
        return self.full[document][start:end]

    def match(self, query: Sequence[str], *, limit: int, scope: Scope) -> list[tuple[str, float]]:
        statistics = self.statistics(query, Scope())
        weights = weighed(query, statistics)
        scored = {row.embed_key: bm25(weights, row.terms.split(" "), statistics.mean_terms) for row in self._in(scope)}
        return sorted(((key, score) for key, score in scored.items() if score > 0), key=lambda one: (-one[1], one[0]))[:limit]

    def nearest(self, table: str, vector: np.ndarray, *, limit: int, scope: Scope) -> list[tuple[str, float]]:
        vectors = {row.embed_key: self._vectors[row.embed_key] for row in self._in(scope)} if table == "passages" else {}
        if table == "reports":
            vectors = {str(i): one for i, one in enumerate(self._report_vectors) if self._allowed(self.told[i][0], scope)}
        return sorted(((key, float(one @ vector)) for key, one in vectors.items()), key=lambda one: (-one[1], one[0]))[:limit]

    def vectors(self, table: str, keys: Sequence[str]) -> dict[str, np.ndarray]:
        return {key: self._vectors[key] for key in keys}

    def signs(self, embed_keys: Sequence[str]) -> dict[str, np.ndarray]:
        return {key: self._signs[key] for key in embed_keys if key in self._signs}

    def passages(self, embed_keys: Sequence[str], scope: Scope) -> list[Passage]:
        return [row for row in self._in(scope) if row.embed_key in set(embed_keys)]

    def passages_at(self, spans: Sequence[SourceSpan], scope: Scope) -> list[Passage]:
        return [r for r in self._in(scope) if any(s.document == r.document and r.start <= s.start < r.end for s in spans)]

    def passages_by_id(self, chunk_ids: Sequence[str], scope: Scope) -> list[Passage]:
        return [row for row in self._in(scope) if row.chunk_id in set(chunk_ids)]

    def activation_graph(self, scope: Scope) -> ActivationGraph:
        ends = {entity_id(name_key(n)): n for head, _, tail, _, _ in self.edges for n in (head, tail)}
        inside = [r for r in sorted(self._in(scope), key=lambda r: r.chunk_id)]
        told = TypedGraph(
            [(r.chunk_id, r.document, r.embed_key) for r in inside],
            [(e, r.chunk_id) for e, n in sorted(ends.items()) for r in inside if n in r.text],
            [(e, name_key(n), n, "") for e, n in sorted(ends.items())],
            [(document, title) for document, title in sorted(self.titles.items()) if self._allowed(document, scope)],
            [(e.head, e.tail) for e in self._edges if self._allowed(self._bound[e.edge_id].document, scope)],
        )
        return read_activation_graph(told.sources(lambda keys: self.vectors("passages", keys)), RetrieveSettings())

    def statistics(self, wanted: Sequence[str], scope: Scope) -> TermStatistics:
        rows = [row.terms.split(" ") for row in self._in(scope)]
        counts = Counter(term for row in rows for term in set(row))
        mean = sum(map(len, rows)) / len(rows) if rows else 1.0
        return TermStatistics(len(rows), mean, {term: counts[term] for term in wanted if counts[term]})

    def linked(self, alias_keys: Sequence[str], scope: Scope) -> list[Linked]:
        names = sorted({name for head, _, tail, document, _ in self.edges if self._allowed(document, scope) for name in (head, tail)})
        return [Linked(entity_id(name_key(n)), n, "MISC", 1, name_key(n)) for n in names if name_key(n) in set(alias_keys)]

    def names(self, entity_ids: Sequence[str]) -> dict[str, str]:
        return {entity_id(name_key(name)): name for head, _, tail, _, _ in self.edges for name in (head, tail)}

    def joined(self, entity_ids: Sequence[str], scope: Scope) -> bool:
        return any(edge.head in entity_ids and edge.tail in entity_ids for edge in self._seen(scope))

    def neighbors(self, entity_ids: Sequence[str], scope: Scope, *, limit: int) -> list[TypedEdge]:
        return [e for e in self._seen(scope) if e.head in entity_ids or e.tail in entity_ids][:limit]

    def count_neighbors(self, entity_ids: Sequence[str], scope: Scope) -> int:
        return len(self.neighbors(entity_ids, scope, limit=len(self._edges)))

    def boundaries(self, scope: Scope) -> tuple[dict[str, str], ...]:
        return tuple(self.kappa)

    def paths(self, source: str, target: str, scope: Scope, *, max_edges: int, limit: int) -> PathSearch[TypedEdge]:
        found: list[list[TypedEdge]] = []
        stack: list[tuple[str, list[TypedEdge]]] = [(source, [])]
        while stack:
            at, path = stack.pop()
            for edge in self._seen(scope):
                other = edge.tail if edge.head == at else edge.head if edge.tail == at else None
                if other is None or edge in path:
                    continue
                if other == target:
                    found.append([*path, edge])
                elif len(path) + 1 < max_edges:
                    stack.append((other, [*path, edge]))
        return PathSearch(found[:limit])

    def bindings(self, element_ids: Sequence[str], scope: Scope) -> dict[str, list[SourceSpan]]:
        return {one: [self._bound[one]] for one in element_ids if one in self._bound and self._allowed(self._bound[one].document, scope)}

    def reports(self, embed_keys: Sequence[str], scope: Scope) -> list[Quoted]:
        one = [(key, *self.told[int(key)]) for key in embed_keys]
        return [Quoted(key, quote, (self._place(doc, quote),)) for key, doc, quote in one if self._allowed(doc, scope)]

    def summaries(self, embed_keys: Sequence[str], scope: Scope) -> list[Quoted]:
        return []

    def records(self, entity_keys: Sequence[str], scope: Scope, *, terms: Sequence[str], limit: int) -> tuple[list[Quoted], int]:
        own = [one for one in self.facts if name_key(one[0]) in entity_keys and self._allowed(one[3], scope)]
        own.sort(key=lambda one: -sum(term in one[4].lower() for term in terms))
        told = [Quoted(f"r{i}", " | ".join(one[:3]), (self._place(one[3], one[4]),)) for i, one in enumerate(own)]
        return told[:limit], len(told)

    def _seen(self, scope: Scope) -> list[TypedEdge]:
        return [edge for edge in self._edges if self._allowed(self._bound[edge.edge_id].document, scope)]

    def _in(self, scope: Scope) -> list[Passage]:
        return [row for row in self.rows if self._allowed(row.document, scope)]

    @staticmethod
    def _allowed(document: str, scope: Scope) -> bool:
        return scope.documents is None or document in scope.documents

    def _passage(self, document: str, text: str, at: int) -> Passage:
        count = len(self.embedder.tokenizer.offsets(text))
        own = chunk_id(document, "passage", content_id(text), 0)
        key = content_id(embed_text("", text))
        return Passage(document, own, "passage", "", at, at + len(text), text, "", content_id(text), key, count, " ".join(terms(text)))

    def _edge(self, one: tuple[str, str, str, str, str]) -> TypedEdge:
        head, tail = entity_id(name_key(one[0])), entity_id(name_key(one[2]))
        return TypedEdge(edge_id(head, one[1], tail, "asserted"), head, one[1], tail, "asserted", 0.9, 1)

    def _place(self, document: str, quote: str) -> SourceSpan:
        start = self.full[document].index(quote)
        return SourceSpan(document, f"chunk of {document}", start, start + len(quote), quote)
