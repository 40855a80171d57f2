"""The planner that needs no model: rules over the dependency parse of a question, and an honest plan of one hop where none of them fits."""

from collections.abc import Sequence

from pagerag_pipeline.lexical import STOP_WORDS, words
from pagerag_pipeline.schema.protocols import Tagger
from pagerag_pipeline.systems.planning.bridges import Description, descriptions, inside
from pagerag_pipeline.systems.planning.comparisons import compared
from pagerag_pipeline.systems.planning.conjunctions import joined
from pagerag_pipeline.systems.planning.hops import FINAL, Hop, HopPlan, single
from pagerag_pipeline.systems.planning.parse import Parse, parse_of
from pagerag_pipeline.systems.planning.scopes import scope_of
from pagerag_pipeline.systems.planning.tails import tail_asked
from pagerag_pipeline.systems.planning.times import timed
from pagerag_pipeline.systems.planning.validation import MOST_HOPS, validated

ENGLISH_SHARE = 0.2
"""A question with a smaller share of English function words is taken to be in another language; lower than the gate's, for names take up much of a chain."""


def plan_question(text: str, tagger: Tagger, *, most: int = MOST_HOPS) -> HopPlan:
    """The whole plan of a question, sound, with what was seen in `why`: conjunction, comparison, bridges, temporal chain, or one hop."""
    asked = " ".join(text.split())
    every = words(asked)
    if sum(word in STOP_WORDS for word in every) < ENGLISH_SHARE * len(every):
        return single(asked, "one hop: the rules read English, and this is not", scope_of(asked))
    draft = joined(asked, tagger, lambda part: _planned(part, tagger)) or _planned(asked, tagger)
    return validated(draft, most=most)


def _planned(text: str, tagger: Tagger) -> HopPlan:
    """The draft of a question that asks one thing."""
    parse = parse_of(text, tagger.tag([text], "en")[0])
    if parse is None:
        return single(text, "one hop: no parser reads this question", scope_of(text))
    draft = compared(parse) or _bridged(parse) or tail_asked(parse)
    return draft or single(text, "one hop: no bridge, comparison, conjunction or temporal chain was seen", scope_of(text))


def _bridged(parse: Parse) -> HopPlan | None:
    """The plan with a hop for each description, the inner ones first, and one for the time of another event; None when there is neither."""
    found = [*descriptions(parse)]
    found = sorted([*found, *timed(parse, found)], key=lambda one: (one.last - one.first, one.first))
    if not found:
        return None
    outer = [one for one in found if not any(inside(one, other) for other in found)]
    ids: dict[int, str] = {}
    hops: list[Hop] = []
    for sequence, top in enumerate(sorted(outer, key=lambda one: one.first), start=1):
        chain = [one for one in found if one is top or inside(one, top)]
        for place, one in enumerate(chain, start=1):
            ids[id(one)] = f"{sequence}-{place}"
            hops.append(_hop(parse, one, [other for other in chain if id(other) in ids and other is not one], ids))
    final = _text(parse, (0, len(parse.tokens) - 1), outer, ids)
    why = tuple(f"bridge: {hop.hop_id} asks what stands for '{hop.stands_for}'" for hop in hops)
    return HopPlan(parse.text, tuple(hops), Hop(FINAL, final, tuple(ids[id(one)] for one in sorted(outer, key=lambda o: o.first)), scope_of(final)), why)


def _hop(parse: Parse, one: Description, done: Sequence[Description], ids: dict[int, str]) -> Hop:
    """The hop that asks for a description, with places for the answers of those directly inside it."""
    own = [other for other in done if inside(other, one)]
    direct = [other for other in own if not any(inside(other, third) for third in own)]
    body = _text(parse, one.body, [other for other in direct if one.body[0] <= other.first and other.last <= one.body[1]], ids, skip=one.moved)
    ending = " from" if one.lead.startswith("Which") and one.lead.endswith(" is") and one.body[1] < one.last else ""
    query = f"{one.lead} {body}{ending}?"
    phrase = _text(parse, (one.first, one.last), direct, ids)
    return Hop(ids[id(one)], query, tuple(ids[id(other)] for other in direct), scope_of(query), phrase)


def _text(parse: Parse, run: tuple[int, int], replaced: Sequence[Description], ids: dict[int, str], *, skip: int = -1) -> str:
    """The words from one token to another with places in the stead of descriptions, one token left out."""
    pieces: list[str] = []
    at, last = run
    for one in sorted(replaced, key=lambda d: d.first):
        pieces += [_kept(parse, at, one.first - 1, skip), f"<{ids[id(one)]}>"]
        at = one.last + 1
    pieces.append(_kept(parse, at, last, skip))
    joined_text = " ".join(piece for piece in pieces if piece)
    for mark in "?.,;:":
        joined_text = joined_text.replace(f" {mark}", mark)
    return joined_text.replace("> 's", ">'s").replace("> \u2019s", ">\u2019s")


def _kept(parse: Parse, first: int, last: int, skip: int) -> str:
    if not first <= skip <= last:
        return parse.words(first, last)
    return " ".join(part for part in (parse.words(first, skip - 1), parse.words(skip + 1, last)) if part)
