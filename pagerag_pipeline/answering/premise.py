"""What a question takes for granted, and the quote that denies it: by an explicit negation, or by another filler of a relation that has one.

Only what speaks against a premise is looked for; a premise of which the sources say nothing is a matter of the estimate.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pagerag_pipeline.answering.asked import Asked
from pagerag_pipeline.answering.coverage import Wanted
from pagerag_pipeline.answering.otherwise import YEAR_NEAR, other_count, other_year
from pagerag_pipeline.answering.sentences import Sentence
from pagerag_pipeline.answering.statements import DOER_ASKED, NAME, Statement, read_statement, said_at
from pagerag_pipeline.answering.told_numbers import told_numbers
from pagerag_pipeline.answering.word_families import DERIVED, relatives
from pagerag_pipeline.answering.years import YEAR
from pagerag_pipeline.lexical import STOP_WORDS, content_terms, stem, words

DENIES = 0.8
"""A sentence speaks of a premise when it holds this weighted share of it, the noun asked for apart; chosen, high because a refusal rests on it."""
NEAR = 3
"""Words between a negation, or a name, and the verb that it belongs to; chosen."""

_DENIED = re.compile(r"\b(?:not|never|\w+n['\u2019]t|nor|neither|without|(?:refus|declin|fail)(?:e|ed|es|d)? to)\b", re.IGNORECASE)
_REFUSED = re.compile(
    r"\A(?>.*?\b(?:motion|proposal|plan|offer|bid|attempt|request|petition|bill)\b.*?\bto (?P<verb>[a-z]+)\b).*\b(?:was|were|been) "
    r"(?:lost|rejected|refused|turned down|defeated|declined|withdrawn|abandoned|dropped|voted down)\b",
    re.IGNORECASE | re.DOTALL,
)
_ONE_OBJECT = frozenset(stem(word) for word in "marry married marries wed wedded succeed succeeded".split())
"""Relations in which somebody stands to one other: what is named behind them."""
_ONE_SUBJECT = frozenset(
    stem(word)
    for word in (
        "found founded establish established invent invented write wrote written paint painted compose composed discover discovered "
        "design designed build built kill killed murder murdered assassinate assassinated forge forged burn burned carve carved"
    ).split()
)
"""Deeds that are done once, by one."""
_ONE_TIME = _ONE_SUBJECT | frozenset(
    stem(word)
    for word in (
        "born die died open opened close closed marry married baptize baptized bury buried abolish abolished launch launched elect elected appoint appointed "
        "publish published release released sink sank sunk"
    ).split()
)
"""What happens in one year."""
_BOUND = re.compile(r"\b(?:over|under|above|below|more|less|fewer|than|least|most|exceed\w*|rise|rose|fall|fell|increas\w*|from|to \d)\b", re.IGNORECASE)
_SUMS = frozenset(("count", stem(word)) for word in "pounds dollars euros shillings pence cents francs crowns guineas marks".split())
_PRICE = frozenset(stem(word) for word in "cost costs price priced pay paid worth charge charged fare fee".split())
"""Words that say of something only that it has a price."""
_PARTS_OF_SUMS = frozenset(stem(word) for word in "hundred thousand million billion pound dollar euro".split())


@dataclass(frozen=True, slots=True)
class Denial:
    """Why a premise does not hold, and the sentence that says so."""

    why: str
    sentence: Sentence


def find_denial(asked: Asked, wanted: Wanted, sentences: Sequence[Sentence]) -> Denial | None:
    """The first quote that denies what a question takes for granted; None when none does, or when another quote says just what is asked.

    A question for yes or no takes for granted no more than its year or number, and one that says `not` is asked of a denial.
    """
    if asked.kind == "theme" or not asked.english or _DENIED.search(asked.text):
        return None
    told = [sentence for sentence in sentences if sentence.whole]
    if asked.kind == "yes_no":
        return _told_otherwise(asked, wanted, told)
    said = read_statement(asked.text)
    if said is None:
        return _doer_of_another_year(asked, told) or _other_number(asked, wanted, told)
    negated = [sentence for sentence in told if _negates(asked, wanted, said, sentence)]
    if negated and not any(_affirms(asked, wanted, said, sentence) for sentence in told if sentence not in negated):
        return _denial("the sources deny it", negated[0])
    others = [(why, sentence) for sentence in told for why in _other_fillers(said, sentence)]
    held = any(_holds_both(said, sentence) for sentence in told)
    return _denial(*others[0]) if others and not held else _other_number(asked, wanted, told)


def _denial(why: str, sentence: Sentence) -> Denial:
    quote = " ".join(sentence.text.split())
    return Denial(f"false premise, {why}: {sentence.label} says \u201c{quote}\u201d", sentence)


def _told_otherwise(asked: Asked, wanted: Wanted, told: Sequence[Sentence]) -> Denial | None:
    """Whether something was done in a year, or is so much, is asked, and a sentence tells another year or number of it."""
    if (dated := other_year(asked, wanted, told, _ONE_TIME)) is not None:
        return _denial(f"it was in {dated[0]}", dated[1])
    if (counted := other_count(asked, wanted, told)) is not None:
        return _denial(f"it is {counted[0]:,.12g}, not {counted[1]:,.12g}", counted[2])
    return None


def _doer_of_another_year(asked: Asked, told: Sequence[Sentence]) -> Denial | None:
    """Who did something in a year is asked, and a sentence tells the same deed of another year."""
    match = DOER_ASKED.search(asked.text)
    years = YEAR.findall(match["rest"]) if match else []
    if match is None or stem(match["verb"]) not in _ONE_TIME or len(years) != 1:
        return None
    said = Statement("", stem(match["verb"]), match["rest"], passive=False)
    thing = set(content_terms(match["rest"])) - set(years)
    others: list[tuple[str, Sentence]] = []
    for sentence in told if thing else ():
        verbs = [verb for verb in said_at(said.verb, sentence.text) if thing <= sentence.terms and not _negated(sentence.text, verb.start())]
        if verbs and (years[0] in sentence.text or years[0] in sentence.context):
            return None
        near = [year for verb in verbs for year in YEAR.findall(sentence.text[verb.start() : verb.end() + YEAR_NEAR])]
        others += [(f"it was in {near[0]}", sentence)] if near else []
    return _denial(*others[0]) if others else None


def _other_number(asked: Asked, wanted: Wanted, told: Sequence[Sentence]) -> Denial | None:
    """Why something costs, weighs or lasts so much is asked, and a sentence that says all the rest tells another number of the same unit."""
    if asked.kind != "reason" or _BOUND.search(asked.text):
        return None
    for kind, numbers in told_numbers(asked.text).items():
        rest = [term for term in asked.distinctive if term in wanted.weights and term != kind[1] and not _is_number(term)]
        rest = [term for term in rest if term not in _PRICE] if kind in _SUMS else rest
        about = [one for one in told if kind[0] == "count" and rest and set(rest) <= wanted.covered(one.terms).keys()]
        said = [(told_numbers(one.text).get(kind, set()), one) for one in about]
        if any(others & numbers for others, _ in said):
            continue
        for others, sentence in said:
            if others:
                return _denial(f"it is {min(others):g}, not {min(numbers):g}", sentence)
    return None


def _is_number(term: str) -> bool:
    return term[:1].isdigit() or bool(told_numbers(f"{term} things")) or term in _PARTS_OF_SUMS


def _about(asked: Asked, wanted: Wanted, said: Statement, sentence: Sentence) -> bool:
    """Whether a sentence, with what it stands under, holds enough of the premise, every name in it included."""
    terms = [term for term in asked.distinctive if term not in asked.head and term in wanted.weights]
    covered = wanted.covered(sentence.terms | sentence.context)
    names = {term for name in asked.names for term in content_terms(name)}
    total = sum(wanted.weights[term] for term in terms)
    holds = sum(wanted.weights[term] for term in terms if covered.get(term, 0.0) >= DERIVED or term == said.verb)
    return total > 0 and holds >= DENIES * total and names <= sentence.terms | sentence.context


def _negates(asked: Asked, wanted: Wanted, said: Statement, sentence: Sentence) -> bool:
    if not _about(asked, wanted, said, sentence):
        return False
    motion = _REFUSED.search(sentence.text)
    if motion and stem(motion["verb"].lower()) in relatives(said.verb):
        return True
    return any(_negated(sentence.text, verb.start()) for verb in said_at(said.verb, sentence.text))


def _negated(text: str, place: int) -> bool:
    """Whether a negation stands within `NEAR` words before a place, in the same clause."""
    clause = re.split(r"[,;:.]|\b(?:but|and|because|who|which|that)\b", text[:place])[-1]
    return any(len(words(clause[match.end() :])) < NEAR for match in _DENIED.finditer(clause))


def _affirms(asked: Asked, wanted: Wanted, said: Statement, sentence: Sentence) -> bool:
    verbs = list(said_at(said.verb, sentence.text))
    return bool(verbs) and _about(asked, wanted, said, sentence) and not any(_negated(sentence.text, verb.start()) for verb in verbs)


def _holds_both(said: Statement, sentence: Sentence) -> bool:
    """Whether a sentence says the verb with all that stands on both its sides in the question."""
    sides = {*content_terms(said.subject), *content_terms(said.rest)}
    return sides <= sentence.terms | sentence.context and any(True for _ in said_at(said.verb, sentence.text))


def _other_fillers(said: Statement, sentence: Sentence) -> Iterator[str]:
    """How a sentence says the same of another: object, doer or year; nothing unless it holds the whole of the other side by name."""
    text, subject, rest = sentence.text, set(content_terms(said.subject)), set(content_terms(said.rest))
    for verb in said_at(said.verb, text):
        if _negated(text, verb.start()):
            continue
        before, after = _name_before(text[: verb.start()]), _name_after(text[verb.end() :])
        doer = _doer_behind(text[verb.end() :])
        own = set(content_terms(before))
        if said.verb in _ONE_OBJECT and not said.passive and _named(said.subject) and _named(said.rest) and own and (own <= subject or subject <= own):
            if after and not set(content_terms(after)) & rest:
                yield f"it is {after}"
        if said.verb in _ONE_SUBJECT and not said.passive and _named(said.subject) and _names(said.rest) and _names(said.rest) <= sentence.terms:
            other = doer or before
            if other and not set(content_terms(other)) & (subject | rest) and not subject & sentence.terms:
                yield f"it was {other}"
        years, told = YEAR.findall(said.rest), YEAR.findall(text[verb.start() : verb.end() + 40])
        thing = subject if said.passive else subject | rest - set(years)
        if said.verb in _ONE_TIME and len(years) == 1 and told and years[0] not in text and _named(said.subject) and thing <= sentence.terms:
            yield f"it was in {told[0]}"


def _name_before(text: str) -> str:
    """The name that ends a text, auxiliaries and up to `NEAR` words in lower case behind it."""
    match = re.search(rf"(?P<name>{NAME})(?:\s+[a-z]+){{0,{NEAR - 1}}}\s+$", text)
    name = match["name"] if match else ""
    return "" if name.lower() in STOP_WORDS else name


def _name_after(text: str) -> str:
    match = re.match(rf"\s+(?:[a-z]+\s+){{0,1}}(?P<name>{NAME})", text)
    return match["name"].strip(".'") if match else ""


def _doer_behind(text: str) -> str:
    match = re.match(rf"[^.;:]{{0,40}}?\bby\s+(?:the\s+)?(?P<name>{NAME})", text)
    return match["name"].strip(".'") if match else ""


def _named(text: str) -> bool:
    return bool(re.search(r"[A-Z\u00c0-\u00de]", text))


def _names(text: str) -> set[str]:
    return {term for match in re.finditer(NAME, text) for term in content_terms(match.group())}
