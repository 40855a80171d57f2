"""Temporal chains: a clause that dates the question by another event (`when the area became a state`), asked for on its own."""

from collections.abc import Sequence

from pagerag_pipeline.systems.planning.bridges import Description, inside
from pagerag_pipeline.systems.planning.parse import Parse

MARKS = frozenset("when after before while until since during once".split())


def timed(parse: Parse, known: Sequence[Description]) -> list[Description]:
    """The clause behind `when`, `after` or `before` inside a question, where it has a subject of its own and a name or a description in it."""
    found = []
    for one in range(1, len(parse.tokens) - 3):
        if parse.lower(one) not in MARKS or parse.pos(one) not in ("SCONJ", "ADP", "ADV"):
            continue
        verb = parse.tokens[one].head
        if parse.pos(verb) not in ("VERB", "AUX") or parse.tokens[verb].dep not in ("advcl", "relcl") or verb < one:
            continue
        last = parse.edges[verb][1]
        while last > verb and parse.pos(last) == "PUNCT":
            last -= 1
        own = Description(one + 1, last, verb, "When", (one + 1, last))
        subject = any(parse.below(verb, "nsubj", "nsubjpass")) and parse.edges[verb][0] <= one + 1
        names = parse.named(one + 1, last) or any(inside(other, own) for other in known)
        if subject and names and all(inside(other, own) or other.last < own.first or own.last < other.first for other in known):
            found.append(own)
    return found[:1]
