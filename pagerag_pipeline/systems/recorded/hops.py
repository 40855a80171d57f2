"""Hops of a question for single facts: anchors at the entities it names, bridges along stated relations, and a guard of text search."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pagerag_pipeline.answering.word_families import derivations
from pagerag_pipeline.lexical import content_terms, name_candidates, name_key
from pagerag_pipeline.retrieval.evidence import likeness
from pagerag_pipeline.retrieval.text import retrieve_text, score_passages
from pagerag_pipeline.schema.asking import Evidence, Plan, SourceSpan
from pagerag_pipeline.stores.found import Passage
from pagerag_pipeline.stores.record_index import Entry, RecordIndex
from pagerag_pipeline.systems.ablations import told_ablations
from pagerag_pipeline.systems.alike import alike_entities
from pagerag_pipeline.systems.asking.bridge import ask_bridge
from pagerag_pipeline.systems.gathering import Gathered, Means, Reading, encode_question, text_query
from pagerag_pipeline.systems.packing import pack
from pagerag_pipeline.systems.recorded.matching import Match, match_anchor
from pagerag_pipeline.systems.recorded.meanings import Meanings
from pagerag_pipeline.systems.recorded.plan import Anchor, Hop, RecordPlan, repaired


@dataclass(frozen=True, slots=True)
class Walked:
    """What the hops of a question found: records by hop, best first, and what became of each hop."""

    records: tuple[tuple[Match, ...], ...]
    steps: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Start:
    """What is known before single facts are looked up."""

    plan: RecordPlan | None = None
    """The plan of a model; None where rules are to plan."""
    steps: tuple[dict[str, Any], ...] = ()


def gather_point(reading: Reading, index: RecordIndex, meanings: Meanings, *, means: Means, start: Start = Start()) -> Gathered:
    """The best passages of each hop, and of text search beside them where records lead to fewer than `guard_below`."""
    plan = fact_plan(reading, index, meanings, means) if start.plan is None else _with_keys(start.plan, index, means)
    walked = walk(plan, index, reading, meanings, means=means)
    chosen = [_best(one, reading, means) for one in walked.records]
    entries = [entry for some in chosen for entry in some]
    structured = _passages(entries, means)
    guarded = len(structured) < means.ensi.guard_below or not any(match.exact for some in walked.records for match in some)
    beside = _guard(reading, means) if guarded else []
    pooled = {passage.chunk_id: passage for passage in [*structured, *beside]}
    scored = score_passages(list(pooled.values()), text_query(reading, means), means.repository, known={}, dense_weight=means.retrieve.dense_weight) if pooled else []
    exact = any(match.exact for some in walked.records for match in some)
    ranked = _ordered(scored, _rows_of(plan, chosen), structured if exact else [])
    # The gate's estimate was fitted on pools of text search: in a pool of another kind the same evidence would stand out more, or less.
    pool = retrieve_text(text_query(reading, means), means.repository, scope=means.scope, settings=means.retrieve)
    budget = means.ensi.tokens if means.budget is None else means.budget
    packed = pack(ranked, [], budget=budget, most=means.retrieve.text_passages if means.budget is None else None, floor=means.retrieve.floor_passages)
    told = Plan({"reach": "point", "target": plan.target}, ("records", *(("text",) if guarded else ())), {"tokens": budget}, (*plan.why, *told_ablations(means.ablations, "ensi")))
    guard = {"step": "guard", "on": guarded, "by_records": len(structured), "added": len(pooled) - len(structured)}
    semantic = {"step": "meanings", "embedded": meanings.embedded, "left_out": meanings.left_out}
    trace = (*start.steps, plan.step, *walked.steps, guard, semantic, {"step": "pack", "tokens": packed.tokens, "left_out": packed.left_out})
    return Gathered(reading, told, tuple(ranked), packed.evidence, trace, pool=pool.evidence)


def gather_nearest(reading: Reading, means: Means) -> Gathered:
    """The passages nearest to the question by vectors alone: what is left without records."""
    near = dict(means.repository.nearest("passages", reading.vector, limit=means.retrieve.pool, scope=means.scope))
    passages = means.repository.passages(list(near), means.scope)
    scored = score_passages(passages, text_query(reading, means), means.repository, known=near, dense_weight=means.retrieve.dense_weight) if passages else []
    ranked = sorted(scored, key=lambda item: (-dict(item.scores)["dense"], item.spans[0].document, item.spans[0].start))
    budget = means.ensi.tokens if means.budget is None else means.budget
    packed = pack(ranked, [], budget=budget, most=means.retrieve.text_passages if means.budget is None else None, floor=means.retrieve.floor_passages)
    told = Plan({"reach": "point", "target": "value"}, ("dense",), {"tokens": budget}, told_ablations(means.ablations, "ensi"))
    trace = ({"step": "dense", "found": len(ranked)}, {"step": "pack", "tokens": packed.tokens, "left_out": packed.left_out})
    return Gathered(reading, told, tuple(ranked), packed.evidence, trace)


def fact_plan(reading: Reading, index: RecordIndex, meanings: Meanings, means: Means) -> RecordPlan:
    """A hop for each entity that the question names, with the field it asks for, and a bridge behind it for what its relations lead to.

    Without any entity the plan of last resort starts from the first name of the question, which search then looks for by its words.
    """
    named = _named(reading, index, means)
    hops: list[Hop] = []
    for entity in named:
        name = _field(entity, reading, index, meanings)
        first = len(hops) + 1
        hops.append(Hop(first, "the fact", Anchor(entity, field=name), bridge=True))
        hops.append(Hop(first + 1, "what it leads to", Anchor(), depends_on=(first,)))
    if not hops:
        names = [name for part in reading.parts for name in part.names]
        hops = [Hop(1, "last resort", Anchor(name_key(names[0]) if names else name_key(reading.question.text)))]
    why = f"the question names {', '.join(named)}" if named else "no entity of the records is named: text search"
    return repaired(RecordPlan("value", "multi_hop" if named else "direct", "point", tuple(hops), why=(why,)))


def walk(plan: RecordPlan, index: RecordIndex, reading: Reading, meanings: Meanings, *, means: Means) -> Walked:
    """The records of each hop; a hop whose bridge brings nothing is blocked, and the others go on."""
    values: dict[int, list[str]] = {}
    records: list[tuple[Match, ...]] = []
    steps: list[dict[str, Any]] = []
    for hop in plan.hops:
        starts = [hop.anchor.entity] if hop.anchor.entity else [key for one in hop.depends_on for key in values.get(one, [])]
        blocked = not starts and not hop.anchor.type
        anchors = [replace(hop.anchor, entity=start) for start in starts] or ([hop.anchor] if hop.anchor.type else [])
        found = [match for anchor in anchors for match in match_anchor(anchor, index, meanings.cosine, means.ensi)]
        if hop.bridge:
            values[hop.number], cut = bridge_values(found, hop.anchor.field, means.ensi.fan_out)
            if plan.by == "model" and not values[hop.number] and not blocked:
                values[hop.number], cut, asked = _asked(hop, found, reading, index, means)
                steps += asked
            steps.append({"step": "bridge", "hop": hop.number, "values": values[hop.number], "left_out": cut})
        records.append(tuple(found))
        steps.append({"step": "hop", "hop": hop.number, "anchors": len(anchors), "records": len(found), "blocked": blocked})
    return Walked(tuple(records), tuple(steps))


def bridge_values(found: Sequence[Match], name: str, most: int) -> tuple[list[str], int]:
    """The entities that matched relations lead to, at most `most`, and how many more there were: those of the asked field, where one was asked for."""
    led = [match.entry.value_key for match in found if match.entry.value_is_entity and (match.exact or not name)]
    distinct = list(dict.fromkeys(led))
    return distinct[:most], max(0, len(distinct) - most)


def _asked(
    hop: Hop, found: Sequence[Match], reading: Reading, index: RecordIndex, means: Means
) -> tuple[list[str], int, list[dict[str, Any]]]:
    """The entities that a hop's passages, or those of text search, lead to as a model reads them, how many more there were, and the step that tells it."""
    asking = means.asking
    if asking is None or not asking.settings.bridges:
        return [], 0, []
    passages = _passages(_best(found, reading, means), means) or _guard(reading, means)
    scored = score_passages(passages, text_query(reading, means), means.repository, known={}, dense_weight=means.retrieve.dense_weight) if passages else []
    evidence = pack(scored, [], budget=means.ensi.tokens, most=means.ensi.passages, floor=means.ensi.passages).evidence
    lookup = "; ".join(part for part in (hop.purpose, hop.anchor.entity, hop.anchor.type, hop.anchor.field.replace("_", " "), hop.anchor.value) if part)
    names, step = ask_bridge(lookup, reading.question, evidence, asking)
    keys = list(dict.fromkeys(_key(name_key(name), index, means) for name in names))
    return keys[: means.ensi.fan_out], max(0, len(keys) - means.ensi.fan_out), [step]


def _with_keys(plan: RecordPlan, index: RecordIndex, means: Means) -> RecordPlan:
    """The plan with the entities that its names mean."""
    hops = [replace(hop, anchor=replace(hop.anchor, entity=_key(hop.anchor.entity, index, means))) if hop.anchor.entity else hop for hop in plan.hops]
    return replace(plan, hops=tuple(hops))


def _key(name: str, index: RecordIndex, means: Means) -> str:
    """The entity of a name: as written or by a declared alias, else by likeness; the name itself where no record has any."""
    if name in index.by_entity:
        return name
    linked = [key for one in means.repository.linked([name], means.scope) if (key := name_key(one.name)) in index.by_entity]
    return next(iter(linked), "") or next(iter(_alike(name, index, means)), name)


def _named(reading: Reading, index: RecordIndex, means: Means) -> list[str]:
    """Keys of the entities that the question names: as written or by a declared alias, else by likeness to a name of it."""
    keys = name_candidates(reading.searched)
    linked = {one.alias_key: name_key(one.name) for one in means.repository.linked(keys, means.scope)}
    spoken = [name.lower() for part in reading.parts for name in part.names]
    exact = {key: linked.get(key, key) if linked.get(key, key) in index.by_entity else key for key in keys}
    found = {key: entity for key, entity in exact.items() if entity in index.by_entity and (len(key.split()) > 1 or any(key in name for name in spoken))}
    outer = [entity for key, entity in found.items() if not any(f" {key} " in f" {other} " for other in found if other != key)]
    return list(dict.fromkeys(outer)) or [key for part in reading.parts for name in part.names for key in _alike(name, index, means)]


def _alike(name: str, index: RecordIndex, means: Means) -> list[str]:
    """Entities whose name is nearly what the question says, at most `entities`."""
    near = alike_entities(encode_question(name_key(name), means.embedder), means, least=means.ensi.entity_cosine, most=means.ensi.entities)
    return [key for key in near if key in index.by_entity][: means.ensi.entities]


def _field(entity: str, reading: Reading, index: RecordIndex, meanings: Meanings) -> str:
    """The field of an entity that the question asks for: by its words, else by meaning; empty when neither tells."""
    names = sorted({index.field_of(entry) for entry in index.by_entity[entity]})
    own = set(content_terms(entity))
    rest = [term for term in reading.content if term not in own]
    said = [(len(parts), name) for name in names if (parts := set(content_terms(name.replace("_", " ")))) and parts <= _derived(rest)]
    if said:
        return max(said, key=lambda one: (one[0], one[1]))[1]
    chief = " ".join(part.chief for part in reading.parts if part.chief)
    return meanings.nearest(chief, names) if chief else ""


def _derived(terms: Sequence[str]) -> set[str]:
    """Terms with their derivations: who owns is the owner."""
    return {other for term in terms for other in derivations(term)}


def _best(found: Sequence[Match], reading: Reading, means: Means) -> list[Entry]:
    """The records of a hop by score and by what they say of the question, as many as lead to `passages` passages."""
    def merit(match: Match) -> float:
        entry = match.entry
        told = set(content_terms(f"{entry.entity} {entry.field} {entry.value} {entry.quote}"))
        return match.score + likeness(reading.content, told, reading.statistics)

    order = sorted(found, key=lambda match: (-round(merit(match), 5), match.entry.record_id))
    places: dict[str, None] = {}
    chosen: list[Entry] = []
    for match in order:
        if len(places) == means.ensi.passages and match.entry.passage_id not in places:
            continue
        places[match.entry.passage_id] = None
        chosen.append(match.entry)
    return chosen


def _passages(entries: Iterable[Entry], means: Means) -> list[Passage]:
    """The rows and passages that these records are addresses of."""
    spans = [SourceSpan(entry.document, entry.chunk_id, entry.start, entry.end, entry.quote) for entry in entries]
    return means.repository.passages_at(spans, means.scope)


def _guard(reading: Reading, means: Means) -> list[Passage]:
    """Passages by words and by vectors, beside what records lead to and never instead of it."""
    lexical = means.repository.match(reading.terms, limit=means.ensi.guard_lexical, scope=means.scope)
    dense = means.repository.nearest("passages", reading.vector, limit=means.ensi.guard_dense, scope=means.scope)
    return means.repository.passages(list(dict.fromkeys(key for key, _ in [*lexical, *dense])), means.scope)


def _rows_of(plan: RecordPlan, chosen: Sequence[Sequence[Entry]]) -> set[tuple[str, int]]:
    """Where the rows stand that records of the named entities are cells of, by document and start."""
    named = [entries for hop, entries in zip(plan.hops, chosen, strict=True) if hop.anchor.entity]
    return {(entry.document, entry.start) for entries in named for entry in entries if entry.in_row}


def _ordered(scored: Sequence[Evidence], rows: Collection[tuple[str, int]], structured: Sequence[Passage]) -> list[Evidence]:
    """The rows of a named entity, then what an exact field led to, before all else; each, and the rest, by its score as text."""
    own = {passage.chunk_id for passage in structured}

    def place(item: Evidence) -> tuple[int, float, str, int]:
        in_row = item.kind == "row" and any((span.document, span.start) in rows for span in item.spans)
        first = 0 if in_row else 1 if any(span.chunk_id in own for span in item.spans) else 2
        return first, -item.score, item.spans[0].document, item.spans[0].start

    return sorted(scored, key=place)
