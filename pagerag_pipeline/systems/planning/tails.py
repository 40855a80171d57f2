"""Statements that ask at their end about a thing which they only describe (`X is on a network founded by who?`): the thing is found first."""

from pagerag_pipeline.systems.planning.bridges import ASKING
from pagerag_pipeline.systems.planning.hops import FINAL, Hop, HopPlan
from pagerag_pipeline.systems.planning.parse import Parse
from pagerag_pipeline.systems.planning.scopes import scope_of


def tail_asked(parse: Parse) -> HopPlan | None:
    """Two hops for a question whose asking word stands in a clause that describes a noun, itself in a statement with a name; else None."""
    asking = max((one for one in range(len(parse.tokens)) if parse.lower(one) in ASKING and _asks(parse, one)), default=-1)
    if asking < 3:
        return None
    clause, noun = _clause_around(parse, asking)
    if noun < 0 or parse.is_name(noun) or not parse.named(0, noun - 1):
        return None
    article = noun
    while article > 0 and parse.pos(article) != "DET" and parse.pos(article - 1) in ("DET", "ADJ", "NOUN", "PROPN", "NUM", "ADV"):
        article -= 1
    if parse.lower(article) not in ("a", "an", "the", "another", "one"):
        return None
    statement = f"{parse.words(0, article - 1)} which {parse.words(article + 1, noun)}?"
    phrase = f"the {parse.words(article + 1, noun)}"
    rest = parse.words(clause, len(parse.tokens) - 1)
    final = f"<1-1> {rest}"
    hop = Hop("1-1", statement, (), scope_of(statement), phrase)
    return HopPlan(parse.text, (hop,), Hop(FINAL, final, ("1-1",), scope_of(final)), (f"bridge: 1-1 asks what stands for '{phrase}', of which the end asks",))


def _asks(parse: Parse, one: int) -> bool:
    """Whether a question word asks: it ends the question, or stands before a noun or a number, or behind a preposition; `that` never does."""
    behind = parse.pos(one + 1)
    return behind in ("PUNCT", "") or behind in ("NOUN", "ADJ", "PROPN") or parse.pos(one - 1) == "ADP" or parse.lower(one + 1) in ("in", "at")


def _clause_around(parse: Parse, asking: int) -> tuple[int, int]:
    """The first token of the innermost clause around the asking word that describes a noun, and that noun; -1 for none."""
    above = asking
    for _ in range(8):
        token = parse.tokens[above]
        if token.dep in ("relcl", "acl") and parse.pos(above) in ("VERB", "AUX"):
            first = parse.edges[above][0]
            noun = first - 1
            while noun > 0 and parse.pos(noun) in ("PUNCT", "ADP"):
                noun -= 1
            return (first, noun) if parse.pos(noun) in ("NOUN", "PROPN") and first <= asking else (-1, -1)
        if token.dep == "prep" and parse.pos(token.head) == "NOUN" and token.head == above - 1 and _is_some(parse, token.head):
            return above, token.head
        if token.head == above:
            break
        above = token.head
    return -1, -1


def _is_some(parse: Parse, noun: int) -> bool:
    """Whether a noun has an indefinite article."""
    return any(parse.lower(child) in ("a", "an") for child in parse.below(noun, "det"))
