"""Drafts of plans out of JSON, as a model writes them: read strictly, and a plan of one hop where nothing can be read."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from pagerag_pipeline.systems.planning.hops import FINAL, Hop, HopPlan, HopScope, hop_id, single, with_places
from pagerag_pipeline.systems.planning.scopes import scope_of
from pagerag_pipeline.systems.planning.validation import MOST_HOPS, validated


def read_plan(reply: str | Mapping[str, Any] | None, query: str, *, most: int = MOST_HOPS) -> HopPlan:
    """The sound plan that a reply holds for a question: `path.sequences[].hop[]` and `path.final_query[]`, of JSON or a parsed object.

    What is no plan (no JSON, a null path, no sequences) is a plan of one hop, and its `why` says so; nothing is guessed out of broken JSON.
    """
    table: Any = reply
    if isinstance(reply, str):
        try:
            table = json.loads(reply)
        except (ValueError, RecursionError) as error:
            return single(query, f"one hop: the plan is not JSON ({error})", scope_of(query))
    path = table.get("path") if isinstance(table, Mapping) else None
    if not isinstance(path, Mapping):
        return single(query, "one hop: the plan has no path", scope_of(query))
    sequences = path.get("sequences")
    if not isinstance(sequences, Sequence) or isinstance(sequences, str) or not sequences:
        return single(query, "one hop: the plan has no sequences", scope_of(query))
    notes: list[str] = []
    hops = [hop for number, one in enumerate(sequences, start=1) for hop in _sequence(one, number, notes)]
    draft = HopPlan(query, tuple(hops), _final(path.get("final_query"), query, notes), ("a plan was given", *notes))
    return validated(draft, most=most)


def _sequence(given: Any, number: int, notes: list[str]) -> list[Hop]:
    own = given.get("hop", given.get("hops")) if isinstance(given, Mapping) else None
    if not isinstance(own, Sequence) or isinstance(own, str):
        notes.append(f"sequence {number} has no hops")
        return []
    named = str(given.get("sequence_id", number)).strip()
    sequence = str(int(named)) if named.isdecimal() else str(number)
    return [hop for place, one in enumerate(own, start=1) if (hop := _hop(one, f"{sequence}-{place}", notes)) is not None]


def _hop(given: Any, default: str, notes: list[str]) -> Hop | None:
    if not isinstance(given, Mapping):
        notes.append(f"hop {default} is no object and was dropped")
        return None
    text = with_places(_text(given.get("sub_query")))
    own = hop_id(given["hop_id"]) if given.get("hop_id") not in (None, "") else default
    return Hop(own, text, _ids(given.get("dependencies")), _scope(given, text), _text(given.get("stands_for")))


def _final(given: Any, query: str, notes: list[str]) -> Hop:
    one = given[0] if isinstance(given, Sequence) and not isinstance(given, str) and given else given
    if not isinstance(one, Mapping):
        notes.append("the plan has no final query: the question is asked as it is")
        return Hop(FINAL, query, scope=scope_of(query))
    text = with_places(_text(one.get("final_query"))) or query
    return replace(Hop(FINAL, text, _ids(one.get("dependencies"))), scope=_scope(one, text))


def _scope(given: Mapping[str, Any], text: str) -> HopScope:
    """As the plan says it, by name or by the older flag; else by rules."""
    said = given.get("scope")
    if said in ("specific", "abstract"):
        return cast(HopScope, said)
    flag = given.get("if_abstract")
    return ("abstract" if flag else "specific") if isinstance(flag, bool) else scope_of(text)


def _ids(given: Any) -> tuple[str, ...]:
    every = given if isinstance(given, Sequence) and not isinstance(given, str) else [given] if given not in (None, "") else []
    return tuple(hop_id(one) for one in every)


def _text(given: Any) -> str:
    return " ".join(given.split()) if isinstance(given, str) else ""
