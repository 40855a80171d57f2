"""Clauses of a sentence: which words are said of each other, by the parse where there is one, else by the marks between them."""

import re
from collections.abc import Collection, Sequence

from pagerag_pipeline.schema.knowledge import Token

_BORDER = re.compile(r"[;\u2014]|--|\s\u2013\s|[.!?][\"'\u201d\u2019)]*\s+(?=[\"'\u201c\u2018A-Z])|\n\s*\n|\n\s*[-*\u2022]")
_ABBREVIATED = re.compile(r"(?:\b(?:Mr|Mrs|Ms|Dr|St|Sr|Jr|Prof|Rev|Capt|Col|Gen|Lt|Sgt)|\b[A-Z])$")
_VERBS = ("VERB", "AUX")
_OWN = ("relcl", "acl")
_DEPENDENT = ("advcl", "ccomp", "conj", "parataxis", "csubj", "pcomp")
_SUBJECTS = ("nsubj", "nsubjpass", "expl", "csubj")
_RELATIVE = ("who", "which", "that", "whom")


def between_borders(text: str, start: int, end: int) -> tuple[int, int]:
    """The stretch around a span up to the next semicolon, dash, sentence end or list mark on either side."""
    borders = [match for match in _BORDER.finditer(text) if not (match.group()[0] == "." and _ABBREVIATED.search(text[: match.start()]))]
    first = max((match.end() for match in borders if match.end() <= start), default=0)
    last = next((match.start() for match in borders if match.start() >= end), len(text))
    return first, last


def is_parsed(tokens: Sequence[Token]) -> bool:
    """Whether a parser read the tokens."""
    return any(token.head >= 0 for token in tokens)


def inside(tokens: Sequence[Token], start: int, end: int) -> frozenset[int]:
    """Places of the tokens that begin within a span."""
    return frozenset(place for place, token in enumerate(tokens) if start <= token.start < end)


def head_of(tokens: Sequence[Token], span: Collection[int]) -> int | None:
    """The first token of a span that hangs on one outside it; None for an empty span."""
    return next((place for place in sorted(span) if tokens[place].head not in span or tokens[place].head == place), min(span, default=None))


def verb_of(tokens: Sequence[Token], place: int) -> int:
    """The verb that governs a token, or is it; one without a subject of its own belongs to the verb it hangs on. A text without a verb has its root."""
    for _ in tokens:
        token = tokens[place]
        if token.head in (place, -1):
            break
        if token.pos in _VERBS and (token.dep in _OWN or (token.dep in _DEPENDENT and _children(tokens, place, _SUBJECTS))):
            break
        place = token.head
    return place


def deed_of(tokens: Sequence[Token], place: int) -> int | None:
    """The nearest verb above a token, or itself; None where none is."""
    for _ in tokens:
        if tokens[place].pos == "VERB" or (tokens[place].pos == "AUX" and tokens[place].dep not in ("aux", "auxpass")):
            return place
        if tokens[place].head in (place, -1):
            return None
        place = tokens[place].head
    return None


def shares_time(tokens: Sequence[Token], place: int, verb: int) -> bool:
    """Whether what hangs on a verb is said of a token too: a part of what the verb says (`began to build`), a deed before it (`built and opened in`)."""
    if tokens[verb].dep == "conj" and tokens[verb].head == place:
        return not any(token.head == place and place < at < verb and token.dep not in ("cc", "conj", "punct") for at, token in enumerate(tokens))
    for _ in tokens:
        if place == verb:
            return True
        if tokens[place].head in (place, -1) or tokens[place].dep in (*_DEPENDENT, *_OWN):
            return False
        place = tokens[place].head
    return False


def same_clause(tokens: Sequence[Token], span: Collection[int], anchor: int) -> bool:
    """Whether a span and a token are arguments of one verb, or the token stands in a clause that describes the span."""
    own = head_of(tokens, span)
    if own is None:
        return False
    verb = verb_of(tokens, anchor)
    if verb == verb_of(tokens, own):
        return True
    described = tokens[verb].head if tokens[verb].dep in _OWN else -1
    return described >= 0 and bool(_with_others(tokens, {described}) & set(span))


def subjects(tokens: Sequence[Token], verb: int) -> frozenset[int]:
    """Who does what a verb says: its subject, that of the verb it shares one with, what a clause describes, or the agent of a passive."""
    if _is_passive(tokens, verb):
        agents = [place for by in _children(tokens, verb, ("agent",)) for place in _children(tokens, by, ("pobj",))]
        return _with_others(tokens, agents)
    for _ in tokens:
        own = _children(tokens, verb, ("nsubj",))
        relative = [place for place in own if tokens[place].text.lower() in _RELATIVE]
        if (relative or not own) and tokens[verb].dep in _OWN:
            return _with_others(tokens, [tokens[verb].head])
        if own or tokens[verb].dep not in ("conj", "xcomp", "advcl") or tokens[verb].head in (verb, -1):
            return _with_others(tokens, own)
        verb = tokens[verb].head
    return frozenset()


def objects(tokens: Sequence[Token], verb: int) -> frozenset[int]:
    """To whom or what it is done, prepositions included; of a passive its subject, or what its clause describes."""
    direct = _children(tokens, verb, ("dobj", "obj", "dative", "attr", "oprd"))
    behind = [place for prep in _children(tokens, verb, ("prep", "dative")) for place in _children(tokens, prep, ("pobj",))]
    done = _children(tokens, verb, ("nsubjpass",)) if _is_passive(tokens, verb) else []
    if _is_passive(tokens, verb) and tokens[verb].dep in _OWN and not [one for one in done if tokens[one].text.lower() not in _RELATIVE]:
        done = [tokens[verb].head]
    return _with_others(tokens, [*direct, *behind, *done])


def _is_passive(tokens: Sequence[Token], verb: int) -> bool:
    told = _children(tokens, verb, ("nsubjpass", "auxpass", "agent"))
    return bool(told) or (tokens[verb].dep == "acl" and tokens[verb].text.lower().endswith(("ed", "en", "wn", "ilt", "ade")))


def _with_others(tokens: Sequence[Token], places: Collection[int]) -> frozenset[int]:
    """Tokens with what is added to them (`and`), set beside them (appositions), and the words of their names."""
    found = set(places)
    todo = list(places)
    while todo:
        more = [one for one in _children(tokens, todo.pop(), ("conj", "appos", "compound", "flat", "nmod")) if one not in found]
        found.update(more)
        todo += more
    return frozenset(found)


def _children(tokens: Sequence[Token], place: int, dependencies: Sequence[str]) -> list[int]:
    return [child for child, token in enumerate(tokens) if token.head == place and child != place and token.dep in dependencies]
