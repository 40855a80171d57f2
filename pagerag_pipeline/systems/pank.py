"""The `pank` system (PankRAG, section 4): the whole plan first, its hops by local or global search, reranked by what they rest on."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from pagerag_pipeline.lexical import name_candidates
from pagerag_pipeline.retrieval.around import Around, Looking, entities_of, look_around, nearest_entities
from pagerag_pipeline.retrieval.evidence import Found
from pagerag_pipeline.retrieval.overview import map_reports, search_reports
from pagerag_pipeline.retrieval.text import retrieve_text, score_passages
from pagerag_pipeline.schema.asking import Evidence, Question, SourceSpan
from pagerag_pipeline.stores.activation import ActivationGraph
from pagerag_pipeline.stores.graph import GraphLimit
from pagerag_pipeline.systems.alike import alike_entities
from pagerag_pipeline.systems.asking.reports import report_scorer
from pagerag_pipeline.systems.ensi import gather_ensi
from pagerag_pipeline.systems.gathering import Gathered, Means, Reading, read, text_query
from pagerag_pipeline.systems.page import gather_page
from pagerag_pipeline.systems.planned import Search, Searched, gather_planned, searched_by
from pagerag_pipeline.systems.planning.hops import HopScope

NEAREST_PASSAGES = 8
"""Nearest passages whose entities a local search starts from beside those it names (chosen: as many as spreading activation starts from)."""

MOST_TEXTS = 200
"""Texts of a local search that are ranked, in its own order: in a book an entity may stand in a thousand (chosen)."""

_PAGE = searched_by(gather_page)
_ENSI = searched_by(gather_ensi)


def gather_pank(question: Question, means: Means) -> Gathered:
    """Evidence for a question by its plan, each hop searched as `pank.hop_search` says."""
    return gather_planned(question, means, search=SEARCHES[means.pank.hop_search], rerank=True)


def search_graph(question: Question, scope: HopScope, means: Means) -> Searched:
    """Local search for a specific hop, global search for an abstract one; passages by text alone where the graph leads to none."""
    reading = read(question, means)
    if scope == "abstract":
        return _overview(reading, *_reports(reading, means), means)
    graph = means.repository.activation_graph(means.scope)
    by_handles = means.pank.entity_search == "handles"
    alike = _alike(reading, graph, means) if by_handles else entities_of(_nearest(reading, means), graph)
    near = nearest_entities({**alike, **_named(reading, graph, means)}, graph, means.pank)
    try:
        around = look_around(near, means.repository, graph, scope=means.scope, looking=Looking(means.pank, means.tokenizer, reading.content))
        stopped: dict[str, Any] = {}
    except GraphLimit as error:
        around, stopped = Around(), {"stopped": str(error)}
    step = {"step": "local", "entities": len(near), "by": f"names and the nearest {means.pank.entity_search}", **around.notes(), **stopped}
    step |= {"texts_left_out": len(around.chunks) - MOST_TEXTS} if len(around.chunks) > MOST_TEXTS else {}
    ranked = _in_order(dict(itertools.islice(around.chunks.items(), MOST_TEXTS)), reading, means)
    if not ranked:
        return _by_text(reading, means, (step,))
    return Searched(reading, tuple(ranked), around.in_turn(), (step,), means.pank.text_tokens)


def gather_planned_records(question: Question, means: Means) -> Gathered:
    """`ensi` behind the planner; a question over all that matches is one plan over records already, and has no hops."""
    whole = gather_ensi(question, replace(means, asking=None))
    if whole.computed is None:
        return gather_planned(question, means, search=_ENSI)
    step = {"step": "plan", "why": ["one hop: it is worked out over all that matches"]}
    return replace(whole, trace=(step, *whole.trace))


def search_page(question: Question, scope: HopScope, means: Means) -> Searched:
    """As the system `page` searches; for an abstract hop with the reports that a model finds to bear on it, where one is asked, and what they quote last."""
    found = _PAGE(question, scope, means)
    if scope != "abstract" or not _maps(means):
        return found
    reports, steps = _mapped(found.reading, means)
    if reports is None:
        return replace(found, steps=(*found.steps, *steps))
    known = {item.spans for item in found.ranked}
    more = [item for item in _in_order(_quoted(reports.evidence, means), found.reading, means) if item.spans not in known]
    others = (*reports.evidence, *(item for item in found.others if item.kind != "report"))
    return Searched(found.reading, (*found.ranked, *more), others, (*found.steps, *steps))


def _maps(means: Means) -> bool:
    """Whether a model reads reports."""
    return means.asking is not None and means.asking.settings.map_calls > 0


def _mapped(reading: Reading, means: Means) -> tuple[Found | None, tuple[dict[str, Any], ...]]:
    """Reports that a model finds to bear on the question, and the step that tells it; none where no model reads them, or it gave nothing."""
    if means.asking is None or not _maps(means):
        return None, ()
    score = report_scorer(reading.question.text, means.asking)
    found = map_reports(score, means.repository, scope=means.scope, settings=means.pank, tokenizer=means.tokenizer)
    if isinstance(found, str):
        return None, ({"step": "map", "fallback": f"reports by cosine: {means.asking.answer.name} scored none ({found})"},)
    return found, (found.step("global"),)


def _reports(reading: Reading, means: Means) -> tuple[Found, tuple[dict[str, Any], ...]]:
    """Reports that bear on the question, by a model where one reads them, else by cosine, and the steps that tell which."""
    mapped, steps = _mapped(reading, means)
    if mapped is not None:
        return mapped, steps
    found = search_reports(reading.vector, means.repository, scope=means.scope, settings=means.pank, tokenizer=means.tokenizer)
    return found, (*steps, found.step("global"))


def _quoted(reports: Sequence[Evidence], means: Means) -> dict[str, float]:
    """The chunks that reports quote, each with the best score of a report that does."""
    scores: dict[str, float] = {}
    for report in reports:
        for passage in means.repository.passages_at(report.spans, means.scope):
            scores.setdefault(passage.chunk_id, report.score)
    return scores


def _overview(reading: Reading, found: Found, steps: tuple[dict[str, Any], ...], means: Means) -> Searched:
    """Reports that bear on the question, and the passages that they quote."""
    ranked = _in_order(_quoted(found.evidence, means), reading, means)
    if not ranked:
        return _by_text(reading, means, steps)
    return Searched(reading, tuple(ranked), found.evidence, steps)


def _by_text(reading: Reading, means: Means, steps: tuple[dict[str, Any], ...]) -> Searched:
    """Passages by text search: what is left where the graph is empty or leads nowhere."""
    found = retrieve_text(text_query(reading, means), means.repository, scope=means.scope, settings=means.retrieve)
    return Searched(reading, found.evidence, (), (*steps, {**found.step("text"), "why": "the graph leads to no passage"}))


def _nearest(reading: Reading, means: Means) -> dict[str, float]:
    """Cosines of the nearest passages by chunk id."""
    near = dict(means.repository.nearest("passages", reading.vector, limit=NEAREST_PASSAGES, scope=means.scope))
    return {passage.chunk_id: near[passage.embed_key] for passage in means.repository.passages(list(near), means.scope)}


def _alike(reading: Reading, graph: ActivationGraph, means: Means) -> dict[str, float]:
    """The nodes of the entities whose handles are nearest to the question (PK-5), by cosine."""
    near = alike_entities(reading.vector, means, least=means.pank.entity_similarity, most=means.pank.entities)
    linked = {one.alias_key: one.entity_id for one in means.repository.linked(list(near), means.scope)}
    nodes = {key: linked.get(key, f"title:{key}") for key in near}
    return {node: near[key] for key, node in reversed(nodes.items()) if node in graph.nodes}


def _named(reading: Reading, graph: ActivationGraph, means: Means) -> dict[str, float]:
    """The nodes of entities and titles that the question names, as near as can be; a name inside a longer one is left out."""
    keys = name_candidates(reading.searched)
    linked = {one.alias_key: one.entity_id for one in means.repository.linked(keys, means.scope)}
    nodes = {key: node for key in keys if (node := linked.get(key, f"title:{key}")) in graph.nodes}
    return {node: 1.0 for key, node in nodes.items() if not any(f" {key} " in f" {other} " for other in nodes if other != key)}


def _in_order(scores: Mapping[str, float], reading: Reading, means: Means) -> list[Evidence]:
    """The passages of these chunks in the order given, with their R as score beside the scores by text."""
    passages = means.repository.passages_by_id(list(scores), means.scope)
    found = score_passages(passages, text_query(reading, means), means.repository, known={}, dense_weight=means.retrieve.dense_weight)
    by_chunk = {span.chunk_id: item for item in found for span in item.spans}
    ordered: dict[tuple[SourceSpan, ...], Evidence] = {}
    for chunk, score in scores.items():
        if chunk in by_chunk:
            ordered.setdefault(by_chunk[chunk].spans, replace(by_chunk[chunk], score=score))
    return list(ordered.values())


SEARCHES: dict[str, Search] = {"local": search_graph, "page": search_page}
"""How hops are searched, by the name in the settings."""
PLANNABLE: dict[str, Callable[[Question, Means], Gathered]] = {"page": partial(gather_planned, search=_PAGE), "ensi": gather_planned_records}
"""Systems that the planner may stand in front of (`--plan pank`)."""
