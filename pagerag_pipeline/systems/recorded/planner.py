"""From a question to its plan over records, by its words and what the index holds: what cannot be read is told as missing, never guessed."""

from collections.abc import Sequence

from pagerag_pipeline.lexical import name_key, stem, words
from pagerag_pipeline.schema.knowledge import Token
from pagerag_pipeline.systems.recorded import cues
from pagerag_pipeline.systems.recorded.draft import (
    Draft,
    Nearest,
    read_bounds,
    read_fields,
    read_measure,
    read_period,
    read_rest,
    read_values,
)
from pagerag_pipeline.systems.recorded.plan import Anchor, Hop, RecordPlan
from pagerag_pipeline.systems.recorded.vocabulary import Kind, place_of


def plan_question(text: str, tokens: Sequence[Token], kinds: Sequence[Kind], nearest: Nearest) -> RecordPlan | None:
    """The plan of a question for all that matches, or None for one that asks something else, or of something that no table lists.

    A plan with `missing` was understood to ask for all that matches, and not in which field or under what condition.
    """
    form = _form(text, tokens)
    if not form:
        return None
    chosen = _kind_of(text, tokens, kinds, form, nearest)
    if chosen is None:
        return _untyped(text, kinds, form)
    kind, span = chosen
    draft = Draft(text, tokens, kind)
    draft.take(*span, telling=False)
    if form == "comparison":
        return _comparison(draft, nearest)
    read_values(draft)
    read_bounds(draft)
    measure, highest = ("", True)
    if form == "extreme":
        measure, highest = read_measure(draft, cues.SUPERLATIVES, nearest)
    read_period(draft, measure)
    read_fields(draft)
    read_rest(draft)
    hops = tuple(Hop(number, form, Anchor(type=kind.type, field=name, value=value)) for number, (name, value) in enumerate(draft.filters, 1))
    target = {"count": "count", "list": "list", "extreme": "entity"}[form]
    return RecordPlan(
        target, "aggregation", "all_matching", hops or (Hop(1, form, Anchor(type=kind.type)),), tuple(draft.having),  # type: ignore[arg-type]
        tuple(draft.conditions), draft.period, measure, highest, draft.missing, (f"{form} over all rows of {kind.type}", *draft.why),
    )  # fmt: skip


def _form(text: str, tokens: Sequence[Token]) -> str:
    """What is asked for over all that matches; empty for a question that asks for something else."""
    bounded = cues.bounds(text)
    lower = [token.text.lower() for token in tokens if not any(one.start <= token.start < one.end for one in bounded)]
    if cues.COUNT.search(text):
        return "count"
    if cues.JOINED.search(text) and any(word in cues.COMPARATIVES or word == "first" for word in lower):
        return "comparison"
    if not cues.LIST.search(text) or cues.ONE.search(text):
        return ""
    return "extreme" if any(word in cues.SUPERLATIVES for word in lower) else "list"


def _kind_of(
    text: str, tokens: Sequence[Token], kinds: Sequence[Kind], form: str, nearest: Nearest
) -> tuple[Kind, tuple[int, int]] | None:
    """The type that a question asks about, with the word that says it (nothing where two entities say it)."""
    if form == "comparison":
        named = [kind for kind in kinds if len(_options(text, kind)) == 2]
        said = [kind for kind in named if any(stem(token.text.lower()) in kind.stems for token in tokens)]
        fits = said or named
        return (max(fits, key=lambda kind: (len(kind.entries), kind.type)), (0, 0)) if fits else None
    for token in _heads(text, tokens):
        fits = [kind for kind in kinds if stem(token.text.lower()) in kind.stems]
        if fits:
            return max(fits, key=lambda kind: (len(kind.entries), kind.type)), (token.start, token.end)
    head = next(reversed(_heads(text, tokens)), None)
    if head is None:
        return None
    under = [kind for kind in kinds if stem(head.text.lower()) in kind.context and not _is_field(head, kind) and not _is_unit(head, kind)]
    if len(under) == 1:
        return under[0], (head.start, head.end)
    found = "" if any(_is_field(head, kind) for kind in kinds) else nearest(head.text.lower(), [kind.type for kind in kinds])
    return next(((kind, (head.start, head.end)) for kind in kinds if kind.type == found), None)


def _heads(text: str, tokens: Sequence[Token]) -> list[Token]:
    """The words of the first noun phrase behind the asking words, its head last: what is to be counted or named."""
    asked = cues.COUNT.search(text) or cues.LIST.search(text)
    found: list[Token] = []
    for token in tokens:
        if asked is None or token.start < asked.end():
            continue
        if stem(token.text.lower()) in cues.GENERIC:
            if any(one.pos in ("NOUN", "PROPN") for one in found):
                break
            continue
        if token.pos in ("NOUN", "PROPN") or (token.pos in ("ADJ", "VERB") and not found):
            found.append(token)
        elif any(one.pos in ("NOUN", "PROPN") for one in found):
            break
    return found


def _is_field(token: Token, kind: Kind) -> bool:
    return any(stem(token.text.lower()) in one.stems for one in kind.fields)


def _is_unit(token: Token, kind: Kind) -> bool:
    """Whether a word is what numbers of a table are told in: so many of them are one row's, not a number of rows."""
    return any(stem(token.text.lower()) in {stem(word) for unit in one.units for word in words(unit)} for one in kind.fields)


def _untyped(text: str, kinds: Sequence[Kind], form: str) -> RecordPlan | None:
    """A refusal where a question speaks of what tables hold but of no type in them; None when they have nothing to do with it."""
    lower = text.lower()
    known = [(kind.type, value) for kind in kinds for value in kind.values if len(value) > 3 and place_of(value, lower)]
    if form != "count" or not known:
        return None
    kind, value = known[0]
    why = f"{value!r} is known of {kind}, but no table lists what is to be counted"
    return RecordPlan("count", "aggregation", "all_matching", (Hop(1, form, Anchor(type=kind, value=value)),), missing=why, why=(why,))


def _options(text: str, kind: Kind) -> list[tuple[str, tuple[int, int]]]:
    """The two entities that a question leaves to choose, each with its place; fewer when one of them is unknown."""
    choice = cues.CHOICE.search(text)
    found: list[tuple[str, tuple[int, int]]] = []
    for name in ("first", "second") if choice else ():
        assert choice is not None
        start, end = choice.span(name)
        before = text.rfind(",", 0, end)
        start = max(start, before + 1) if name == "first" else start
        key = _entity(text[start:end], kind)
        if key:
            found.append((key, (start, end)))
    return found if len(found) == 2 else _named(text, kind)


def _named(text: str, kind: Kind) -> list[tuple[str, tuple[int, int]]]:
    """The entities that a question names anywhere, longer names first, each place once."""
    lower = text.lower().replace("\u2019", "'")
    found: list[tuple[str, tuple[int, int]]] = []
    for key in kind.entities:
        place = place_of(key, lower)
        if place and not any(start < place[1] and place[0] < end for _, (start, end) in found):
            found.append((key, place))
    return found


def _entity(said: str, kind: Kind) -> str:
    """The entity that some words name: as written, at their end, or by the same words in another order."""
    lower = name_key(said)
    for key in kind.entities:
        place = place_of(key, lower)
        if place and not words(lower[place[1] :]):
            return key
    own = {stem(word) for word in words(lower)} - {"the", "a", "an"}
    same = [key for key in kind.entities if {stem(word) for word in words(key)} == own]
    return same[0] if len(same) == 1 else ""


def _comparison(draft: Draft, nearest: Nearest) -> RecordPlan:
    options = _options(draft.text, draft.kind)
    for _, place in options:
        draft.take(*place)
    for token in draft.tokens:
        if stem(token.text.lower()) in draft.kind.stems:
            draft.take(token.start, token.end, telling=False)
    measure, highest = read_measure(draft, cues.COMPARATIVES | {"first"}, nearest)
    read_period(draft, measure)
    read_rest(draft)
    hops = tuple(Hop(number, "comparison", Anchor(key, draft.kind.type, measure)) for number, (key, _) in enumerate(options, 1))
    return RecordPlan(
        "entity", "comparison", "all_matching", hops, period=draft.period, measure=measure, highest=highest, missing=draft.missing,
        why=("comparison of two entities of one table", *draft.why),
    )  # fmt: skip
