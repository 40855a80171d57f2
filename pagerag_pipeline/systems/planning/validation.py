"""A plan mended: every fault has one repair, and each repair is told (PankRAG, section 4.3, plan validator)."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pagerag_pipeline.lexical import words
from pagerag_pipeline.systems.planning.hops import PLACE, Hop, HopPlan, places, single, with_places

MOST_HOPS = 8
"""Hops of the longest plan among those measured in the released cache of PankRAG; systems, section 4.3."""


def validated(plan: HopPlan, *, most: int = MOST_HOPS) -> HopPlan:
    """The plan with unique ids, texts in every hop, known dependencies, no cycle, and at most `most` hops; a sound plan comes back as it is.

    A plan without a hop asks the question itself.
    """
    notes: list[str] = []
    hops = _unique(plan.hops, notes)
    final = replace(plan.final, sub_query=with_places(plan.final.sub_query) or plan.query)
    hops, final = _without_empty(hops, final, notes)
    if not hops:
        kept = single(plan.query, "one hop: no hop of the plan asks anything" if plan.hops else "one hop", plan.final.scope)
        return replace(kept, why=plan.why if not plan.hops and plan.why else (*plan.why, *notes, *kept.why))
    known = {hop.hop_id for hop in hops}
    hops = [_known(hop, known - {hop.hop_id}, notes) for hop in hops]
    final = _known(final, known, notes)
    hops, final = _without_empty(_acyclic(hops, notes), final, notes)
    if not final.dependencies:
        final = replace(final, dependencies=_sinks(hops))
        notes.append(f"the final query named no dependency: it rests on {', '.join(final.dependencies)}")
    hops, final = _fewer(hops, final, most, notes)
    return replace(plan, hops=tuple(hops), final=final, why=(*plan.why, *notes))


def ancestors(final: Hop, hops: Iterable[Hop]) -> frozenset[str]:
    """The hops that the final query rests on, at first or second hand."""
    needs = {hop.hop_id: hop.dependencies for hop in hops}
    found: set[str] = set()
    waiting = list(final.dependencies)
    while waiting:
        one = waiting.pop()
        if one in needs and one not in found:
            found.add(one)
            waiting += needs[one]
    return frozenset(found)


def levels(hops: Sequence[Hop]) -> list[tuple[Hop, ...]]:
    """Hops in topological order, level by level (Kahn), in each level as they were declared; dependencies on hops that are not among them wait for nothing.

    Raises ValueError for a cycle, which `validated` leaves none of.
    """
    here = {hop.hop_id for hop in hops}
    done: set[str] = set()
    rest, found = list(hops), []
    while rest:
        level = tuple(hop for hop in rest if all(one in done or one not in here for one in hop.dependencies))
        if not level:
            raise ValueError(f"the hops {', '.join(hop.hop_id for hop in rest)} wait for each other")
        found.append(level)
        done |= {hop.hop_id for hop in level}
        rest = [hop for hop in rest if hop.hop_id not in done]
    return found


def _unique(given: Sequence[Hop], notes: list[str]) -> list[Hop]:
    """Hops with ids of their own; of two with one id the later gets the next free place of its sequence, for what names the id means the first."""
    taken = {hop.hop_id for hop in given}
    seen: set[str] = set()
    hops: list[Hop] = []
    for hop in given:
        own = hop.hop_id
        if own in seen:
            sequence = own.partition("-")[0]
            own = next(name for place in range(1, len(given) + len(taken) + 2) if (name := f"{sequence}-{place}") not in taken)
            notes.append(f"two hops were called {hop.hop_id}: the later one is {own}")
        taken.add(own)
        seen.add(own)
        hops.append(replace(hop, hop_id=own, sub_query=with_places(hop.sub_query)))
    return hops


def _without_empty(hops: list[Hop], final: Hop, notes: list[str]) -> tuple[list[Hop], Hop]:
    """Without hops that ask nothing; what depended on one depends on what it depended on."""
    for empty in [hop for hop in hops if not words(PLACE.sub("", hop.sub_query))]:
        notes.append(f"hop {empty.hop_id} asks nothing and was dropped")
        hops, final = _dropped(empty, hops, final)
    return hops, final


def _dropped(gone: Hop, hops: Sequence[Hop], final: Hop) -> tuple[list[Hop], Hop]:
    def reconnected(hop: Hop) -> Hop:
        if gone.hop_id not in hop.dependencies:
            return hop
        around = [two for one in hop.dependencies for two in (gone.dependencies if one == gone.hop_id else (one,)) if two != gone.hop_id]
        return replace(hop, dependencies=tuple(dict.fromkeys(around)))

    return [reconnected(hop) for hop in hops if hop.hop_id != gone.hop_id], reconnected(final)


def _known(hop: Hop, known: Iterable[str], notes: list[str]) -> Hop:
    """The hop with dependencies that exist, each once; a place for the answer of a hop is a dependency on it."""
    allowed = set(known)
    for one in dict.fromkeys(hop.dependencies):
        if one == hop.hop_id:
            notes.append(f"{hop.hop_id} depended on itself")
        elif one not in allowed:
            notes.append(f"{hop.hop_id} depended on {one}, which is no hop")
    named = tuple(dict.fromkeys(one for one in hop.dependencies if one in allowed))
    added = tuple(one for one in places(hop.sub_query) if one in allowed and one not in named)
    notes += [f"{hop.hop_id} has a place for the answer of {one}, so it depends on it" for one in added]
    return replace(hop, dependencies=(*named, *added))


def _acyclic(hops: list[Hop], notes: list[str]) -> list[Hop]:
    """Without cycles: of each cycle the hop that was declared last lets go of the next one in it."""
    order = {hop.hop_id: place for place, hop in enumerate(hops)}
    while (cycle := _cycle(hops)) is not None:
        late = max(cycle, key=lambda one: order[one])
        gone = cycle[(cycle.index(late) + 1) % len(cycle)]
        hops = [_without(hop, gone) if hop.hop_id == late else hop for hop in hops]
        notes.append(f"a cycle was broken: {late} no longer depends on {gone}")
    return hops


def _without(hop: Hop, gone: str) -> Hop:
    """The hop without a dependency and without the place for its answer."""
    text = " ".join(hop.sub_query.replace(f"<{gone}>", " ").split())
    return replace(hop, sub_query=text, dependencies=tuple(one for one in hop.dependencies if one != gone))


def _cycle(hops: Sequence[Hop]) -> list[str] | None:
    """A cycle, each hop before one that it depends on; None when there is none."""
    needs = {hop.hop_id: hop.dependencies for hop in hops}
    settled: set[str] = set()

    def walk(one: str, path: list[str]) -> list[str] | None:
        if one in path:
            return path[path.index(one) :]
        if one in settled:
            return None
        for other in needs[one]:
            if (found := walk(other, [*path, one])) is not None:
                return found
        settled.add(one)
        return None

    return next((found for hop in hops if (found := walk(hop.hop_id, [])) is not None), None)


def _sinks(hops: Sequence[Hop]) -> tuple[str, ...]:
    """Hops that no other depends on."""
    needed = {one for hop in hops for one in hop.dependencies}
    return tuple(hop.hop_id for hop in hops if hop.hop_id not in needed)


def _fewer(hops: list[Hop], final: Hop, most: int, notes: list[str]) -> tuple[list[Hop], Hop]:
    """At most so many hops: those that the final query rests on first, in the order in which they are run; the rest is dropped and told."""
    if len(hops) <= most:
        return hops, final
    reached = ancestors(final, hops)
    ordered = [hop for level in levels(hops) for hop in level]
    ranked = sorted(ordered, key=lambda hop: hop.hop_id not in reached)
    gone = [hop.hop_id for hop in ranked[most:]]
    notes.append(f"{len(hops)} hops are more than {most}: {', '.join(gone)} dropped")
    for one in gone:
        hops, final = _dropped(next(hop for hop in hops if hop.hop_id == one), hops, final)
    return hops, final
