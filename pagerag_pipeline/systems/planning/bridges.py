"""Descriptions inside a question that stand for something unnamed (`the director of Jump for Glory`), each with the question that finds it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pagerag_pipeline.systems.planning.parse import BE, Parse

RELATIVE = frozenset("who whom which that where whose".split())
ASKING = frozenset("who whom whose what which where when how why".split())
PLACES = frozenset("country state city town village county province region continent district nation island birthplace hometown area municipality".split())
_PERSON = re.compile(
    r"(?:\w+(?:ist|ian|man|woman|person|wright|smith)|person|people|husband|wife|spouse|father|mother|son|daughter|brother|sister|sibling|child|children|parent|uncle|aunt"
    r"|cousin|friend|king|queen|prince|princess|president|chief|coach|captain|star|host|poet|boss|head|mayor|bishop|pope|heir|cast|founder|author|"
    r"\w{3,}(?:tor|sor|ser|der|ner|ger|ler|yer|per|ter|eer|ver|ker|mer|cer|pher|cher))s?$"
)
_NO_PERSON = frozenset(
    "number river border order paper newspaper chapter tower water summer winter career theater center quarter letter member sector factor motor "
    "computer character matter gender former other power offer corner order predecessor successor chapter disaster monster poster register".split()
)
_SHAPES = frozenset("name kind type sort part number list member citizen instance one charge end time form example piece result place way rest each some east west north south goal".split())
"""Nouns that stand before `of` and describe nothing of their own."""
_QUOTES = ('"', "\u201d")
_CLAUSES = ("relcl", "acl")


@dataclass(frozen=True, slots=True)
class Description:
    """A run of tokens that stands for something unnamed, and how to ask for it."""

    first: int
    last: int
    head: int
    lead: str
    """What the question begins with ..."""
    body: tuple[int, int]
    """... and the tokens that follow, in which inner descriptions are replaced by places ..."""
    moved: int = -1
    """... but for the one that stands in the lead already."""


def descriptions(parse: Parse) -> list[Description]:
    """The descriptions of a question that are nested in each other or apart, the asked thing itself left out; shorter ones first."""
    found = [*_by_relative(parse), *_by_contact(parse), *_by_of(parse), *_by_owner(parse), *_by_participle(parse), *_by_degree(parse)]
    found = [_without_verb(parse, one) for one in found]
    fit = [one for one in found if not is_asked(parse, one.head) and _holds_on(parse, one, found) and not _asks(parse, one.first, one.last)]
    kept: list[Description] = []
    for one in sorted(fit, key=lambda d: (d.first - d.last, d.first)):
        if all(_apart(one, other) for other in kept) and one.head not in {other.head for other in kept}:
            kept.append(one)
    return sorted(kept, key=lambda d: (d.last - d.first, d.first))


def inside(inner: Description, outer: Description) -> bool:
    """Whether one description lies within another."""
    return inner is not outer and outer.first <= inner.first and inner.last <= outer.last


def is_person(noun: str) -> bool:
    """Whether a noun says who somebody is, by its ending or a list."""
    word = noun.casefold()
    return bool(_PERSON.match(word)) and word.removesuffix("s") not in _NO_PERSON


def is_asked(parse: Parse, head: int) -> bool:
    """Whether a noun is what the question asks for: `what N`, or what `who` or `what` is said to be; also behind `the name of`."""
    if any(parse.lower(child) in ASKING for child in parse.below(head, "det", "poss", "amod")):
        return True
    token = parse.tokens[head]
    above = token.head
    if token.dep == "pobj" and parse.lower(above) == "of" and parse.lower(parse.tokens[above].head) in ("name", "names"):
        return is_asked(parse, parse.tokens[above].head)
    if token.dep not in ("attr", "nsubj") or parse.lower(above) not in BE:
        return False
    return any(parse.lower(child) in ("who", "what", "which") for child in parse.below(above, "attr", "nsubj") if child != head)


def _by_relative(parse: Parse) -> Iterator[Description]:
    """`the country where X is found`, `the association which published X`, `the person under whom ...`; the noun is the one that stands before."""
    for one in range(2, len(parse.tokens) - 2):
        if parse.lower(one) not in RELATIVE or parse.pos(one) == "DET" and parse.lower(one) != "whose":
            continue
        before = one - 1
        preposition = parse.lower(before) if parse.pos(before) == "ADP" else ""
        before -= bool(preposition)
        before -= parse.tokens[before].text == ","
        verb = _verb_of(parse, one)
        if parse.pos(before) not in ("NOUN", "PROPN") or verb <= one or parse.is_name(before):
            continue
        yield _relative(parse, before, one, preposition=preposition, verb=verb)


def _relative(parse: Parse, head: int, one: int, *, preposition: str, verb: int) -> Description:
    """The description by a clause that this relative word opens, behind a preposition or not."""
    noun, last = _noun(parse, head), _clause_end(parse, verb, one)
    pronoun, subject = parse.lower(one), parse.tokens[one].dep in ("nsubj", "nsubjpass")
    first = _noun_start(parse, head)
    if subject:
        return Description(first, last, head, "Who" if is_person(parse.lower(head)) else f"Which {noun}", (one + 1, last))
    if pronoun == "whose":
        return Description(first, last, head, f"Which {noun} is the one whose", (one + 1, last))
    lead = f"In which {noun}" if pronoun == "where" else f"{preposition.capitalize()} which {noun}" if preposition else f"Which {noun}"
    return _inverted(parse, Description(first, last, head, lead, (one + 1, last)), verb)


def _by_contact(parse: Parse) -> Iterator[Description]:
    """`the country Signmark is from`: a noun, a name behind it that is no part of it, and a verb; up to a preposition that nothing follows."""
    for one in range(1, len(parse.tokens) - 3):
        bare = parse.lower(one - 1) not in ("the", "a", "an") and parse.pos(one - 1) != "ADJ"
        if parse.pos(one) != "NOUN" or bare or parse.tokens[one].dep == "compound" or parse.lower(one) in _SHAPES:
            continue
        name_end = parse.run_of_name(one + 1)
        if name_end <= one or not parse.is_name(name_end) or parse.pos(name_end + 1) not in ("AUX", "VERB"):
            continue
        last = _stranded(parse, name_end + 1)
        if last > name_end:
            yield _inverted(parse, Description(_noun_start(parse, one), last, one, f"Which {_noun(parse, one)}", (one + 1, last)), name_end + 1)


def _by_of(parse: Parse) -> Iterator[Description]:
    """`the director of X`, X being a name or another description; `the village of X` is X itself."""
    for one in range(1, len(parse.tokens) - 2):
        if parse.pos(one) != "NOUN" or parse.lower(one + 1) not in ("of", "for") or parse.lower(one) in _SHAPES or parse.is_name(one):
            continue
        if parse.lower(one + 1) == "for" and not is_person(parse.lower(one)) or _many_things(parse, one):
            continue
        if parse.lower(one) in PLACES - {"birthplace", "hometown"} and parse.run_of_name(one + 2) > one + 1:
            continue
        first = _noun_start(parse, one)
        if parse.lower(first) not in ("the", "a", "an", "both"):
            continue
        objects = list(parse.below(one + 1, "pobj", "pcomp"))
        last = max((parse.edges[child][1] for child in objects), default=one + 1)
        named = parse.run_of_name(one + 2)
        last = max(last, named) if named > one + 1 else last
        if last > one + 1:
            yield Description(first, last, one, _who_or_what(parse, one), (first, last))


def _by_owner(parse: Parse) -> Iterator[Description]:
    """`Damerjog's country`; of a place it is asked which one its owner is from."""
    for one in range(2, len(parse.tokens)):
        owners = [child for child in parse.below(one, "poss") if child < one and parse.lower(child) not in ASKING and parse.pos(child) in ("PROPN", "NOUN")]
        if parse.pos(one) != "NOUN" or not owners or parse.is_name(one) or _many_things(parse, one):
            continue
        owner = owners[-1]
        mark = owner + 1
        if parse.tokens[mark].text not in ("'s", "\u2019s", "'", "\u2019"):
            continue
        first = parse.edges[owner][0]
        if parse.lower(one) in PLACES - {"birthplace", "hometown", "area"}:
            yield Description(first, one, one, f"Which {parse.words(mark + 1, one)} is", (first, mark - 1))
        else:
            yield Description(first, one, one, _who_or_what(parse, one), (first, one))


def _by_participle(parse: Parse) -> Iterator[Description]:
    """`the band founded by X`."""
    for one in range(1, len(parse.tokens) - 2):
        behind = one + 1
        if parse.pos(one) == "NOUN" and parse.tokens[behind].dep in _CLAUSES and parse.tokens[behind].head == one and parse.lower(behind).endswith(("ed", "en", "wn", "un", "lt", "nt", "ade")):
            last = parse.edges[behind][1]
            lead = ("Who was" if is_person(parse.lower(one)) else f"Which {_noun(parse, one)} was")
            yield Description(_noun_start(parse, one), last, one, lead, (behind, last))


def _by_degree(parse: Parse) -> Iterator[Description]:
    """`the continent with the lowest average temperature`."""
    for one in range(1, len(parse.tokens) - 3):
        if parse.pos(one) == "NOUN" and parse.lower(one + 1) == "with":
            last = max((parse.edges[child][1] for child in parse.below(one + 1, "pobj")), default=one)
            if last > one + 1 and parse.superlative(one + 2, last):
                yield Description(_noun_start(parse, one), last, one, f"Which {_noun(parse, one)} has", (one + 2, last))


def _many_things(parse: Parse, head: int) -> bool:
    """Whether a noun stands for several things: no one name can stand in their place."""
    return parse.lower(head).endswith("s") and parse.tokens[head].lemma != parse.lower(head) and not is_person(parse.lower(head))


def _who_or_what(parse: Parse, head: int) -> str:
    return ("Who" if is_person(parse.lower(head)) else "What") + (" are" if parse.lower(head).endswith("s") and is_person(parse.lower(head)) else " is")


def _noun_start(parse: Parse, head: int) -> int:
    """The first word of a noun's own phrase: article, grades and nouns before it."""
    first = head
    while first > 0 and parse.pos(first - 1) in ("DET", "ADJ", "NOUN", "NUM", "PROPN", "PART") and parse.lower(first - 1) not in ASKING and parse.pos(first - 1) != "PUNCT":
        first -= 1
        if parse.pos(first) == "DET":
            break
    return first


def _noun(parse: Parse, head: int) -> str:
    """A noun's own phrase without its article."""
    first = _noun_start(parse, head)
    return parse.words(first + (parse.pos(first) == "DET" and first < head), head)


def _verb_of(parse: Parse, one: int) -> int:
    """The verb of the clause that a relative word opens, -1 when there is none behind it."""
    above = one
    for _ in range(4):
        above = parse.tokens[above].head
        if parse.pos(above) in ("VERB", "AUX"):
            return above if above > one else -1
    return -1


def _clause_end(parse: Parse, verb: int, opened: int) -> int:
    """The last token of a clause: what its verb governs, up to a comma that the main verb follows, and never the mark at the end."""
    last = parse.edges[verb][1]
    root = next((child for child in range(opened) if parse.tokens[child].head == child), -1)
    if root < 0:
        outer = parse.tokens[verb].head
        last = min(last, outer - 1) if verb < outer else last
    while last > verb and parse.pos(last) == "PUNCT" and parse.tokens[last].text not in _QUOTES:
        last -= 1
    return last + (parse.words(last + 1, last + 1) in _QUOTES)


def _stranded(parse: Parse, verb: int) -> int:
    """Where a contact clause ends: at a preposition before a verb or a mark, else where the question does."""
    for one in range(verb, len(parse.tokens)):
        ends = parse.pos(one + 1) in ("VERB", "PUNCT", "") or parse.pos(one + 1) == "NOUN" and parse.pos(one + 2) in ("PUNCT", "")
        if parse.pos(one) in ("ADP", "ADV") and ends and one > verb:
            return one
        if parse.pos(one) == "PUNCT" and parse.tokens[one].text in ",?.!":
            return one - 1
    return len(parse.tokens) - 1


def _inverted(parse: Parse, given: Description, verb: int) -> Description:
    """With the clause's auxiliary behind what is asked for, as questions have it."""
    mains = [verb, *parse.below(verb, "aux", "auxpass")]
    moved = next((one for one in sorted(mains) if parse.pos(one) == "AUX" and given.body[0] < one <= given.body[1]), -1)
    if moved < 0:
        return given
    return Description(given.first, given.last, given.head, f"{given.lead} {parse.tokens[moved].text}", given.body, moved)


def _without_verb(parse: Parse, one: Description) -> Description:
    """Without the question's main verb, where `did` or `was` waits for one and it stands at the very end (`What position did X play?`)."""
    root = next((at for at, token in enumerate(parse.tokens) if token.head == at), 0)
    end = len(parse.tokens) - 1
    end -= parse.pos(end) == "PUNCT"
    waits = parse.lower(root) in ("do", "does", "did") or parse.lower(root) in BE and parse.pos(end) == "VERB"
    if not waits or one.last != end or one.last <= one.head + 1 or parse.is_name(end):
        return one
    last = end - 1 - (parse.pos(end - 1) == "PUNCT")
    return Description(one.first, last, one.head, one.lead, (one.body[0], min(one.body[1], last)), one.moved)


def _holds_on(parse: Parse, one: Description, every: Sequence[Description]) -> bool:
    """Whether something in a description can be searched for: a name or number beside its noun, a degree, or a description that has one."""
    rest = [(one.first, one.head - 1), (one.head + 1, one.last)]
    if any(first <= last and (parse.named(first, last) or parse.superlative(first, last)) for first, last in rest):
        return True
    return any(inside(other, one) and _holds_on(parse, other, every) for other in every if other.last - other.first < one.last - one.first)


def _asks(parse: Parse, first: int, last: int) -> bool:
    """Whether the word that asks stands inside: a question word that opens no clause."""
    return any(
        parse.lower(one) in ASKING and not (parse.lower(one) in {*RELATIVE, "when"} and 0 < one < last and _verb_of(parse, one) > one) for one in range(first, last + 1)
    )


def _apart(one: Description, other: Description) -> bool:
    """Whether two descriptions lie in each other or have nothing in common."""
    return inside(one, other) or inside(other, one) or one.last < other.first or other.last < one.first
