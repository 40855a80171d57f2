"""Whether a span of a quote may stand alone as the answer: it must be of the kind asked for and be said of what is asked, else the quote stands whole."""

import re
from collections.abc import Sequence

from pagerag_pipeline.answering.asked import Asked
from pagerag_pipeline.answering.candidates import Candidate, saying
from pagerag_pipeline.answering.clauses import (
    between_borders,
    deed_of,
    head_of,
    inside,
    is_parsed,
    objects,
    same_clause,
    shares_time,
    subjects,
    verb_of,
)
from pagerag_pipeline.answering.kin import KIN, asks_kin, is_kin
from pagerag_pipeline.answering.pairs import asked_pair, is_one_of
from pagerag_pipeline.answering.quantities import counts, dates, in_stretch, whole_time
from pagerag_pipeline.answering.statements import deed_asked, names_deed
from pagerag_pipeline.lexical import content_terms, stem, terms, words
from pagerag_pipeline.schema.knowledge import Tagged, Token

_PERSONS, _GROUPS, _PLACES = frozenset({"PERSON"}), frozenset({"ORG", "NORP", "MISC"}), frozenset({"GPE", "LOC", "FAC"})
_INSIDE = re.compile(r"\b(?:in|at|on|near|into|outside|inside|behind|beside|throughout)\s+(?:the\s+)?(?:[A-Z][\w-]*\s+)?$")
_NAMED_PLACE = re.compile(r"\bwh(?:at|ich) (?:\w+ )?(?:city|town|country|village|state|region|county|island|nation)\b", re.IGNORECASE)
_LAND = re.compile(r"\b(?:island|region|state|nation)\b", re.IGNORECASE)
_TRAILING = re.compile(r"\b(?:of|his|her|the|clad|a|an|their|its|object|way|end|time|rest|moment|side|case|name|idea|world|life)$", re.IGNORECASE)
_BARE = re.compile(r"^\s*who(?:'s| is| was| are| were)\s+(?P<name>[^?]+?)\s*\??\s*$", re.IGNORECASE)
_OTHER_WH = re.compile(r"\bwho(?:m|se)?\b.*\b(?:what|which)\b(?!\s+(?:person|man|woman|author|character|king|queen|writer|director|actor|scientist)\b)", re.IGNORECASE)
_FIRST_WHO = re.compile(r"^\W*(?:\w+\s+)?who(?:m|se)?\b", re.IGNORECASE)
_DONE_TO = re.compile(r"\bwho(?:m)?\s+(?:else\s+)?(?:was|were|is|are|has been|have been|had been|got)\s+(?:\w+ly\s+)?(?P<deed>\w+)\b(?!\s+by\b)", re.IGNORECASE)
_PARTICIPLE = re.compile(r"\w+(?:ed|en|wn|ung|ght|ade|old|ost|ound|eft|ut)$")
_LEAVING_ROLE = re.compile(r"\b(?:resign\w*|retir\w*|step\w* down|ceas\w*|dismiss\w*|oust\w*|former\w*|no longer|gave up)\b", re.IGNORECASE)
NOW = frozenset(stem(word) for word in "now today currently current present presently latest nowadays".split())
"""Terms that say of a question only that it asks for what holds now."""
_HOW_OLD = re.compile(r"\bhow old\b", re.IGNORECASE)
_YEARS_OLD = re.compile(r"(?:-years?)?-olds?\b")
_SPAN_OF_TIME = re.compile(r"\s+(?:after|before|ago|later|earlier|since|hence)\b", re.IGNORECASE)
"""What stands behind years that passed, and behind no age."""
_PARTNERS = re.compile(r"\s+(?:and|&)\s+(?:Sons?|Daughters?|Brothers|Company|Co\.|Partners|Associates)(?!\w)")
"""What belongs to the name of a firm behind the name of its founder."""
BEING_SOMEWHERE = frozenset(stem(word) for word in "located situated found lie stand based placed set sited".split())
"""Verbs that say no more of a place than `is`."""
_KIN_BEFORE = re.compile(rf"\b(?:{'|'.join(KIN)})s?,?\s+$", re.IGNORECASE)
_OF_SOMEBODY = re.compile(r"^['\u2019]s?\b")


def may_stand(candidate: Candidate, sentence: str, tagged: Tagged, asked: Asked) -> bool:
    """Whether a candidate of the type asked for is one that its sentence says of what is asked; an unsure one is none."""
    start, end = candidate.start, candidate.end
    if candidate.text.strip(",. ") in words(asked.text) or not is_one_of(asked_pair(asked.text), frozenset(content_terms(candidate.text))):
        return False
    if _HOW_OLD.search(asked.text) and _SPAN_OF_TIME.match(sentence[end:]):
        return False
    if asked.kind == "number":
        return counts(asked, sentence, (start, end), alone=_without_noun(tagged.tokens, start, end)) and _beside(candidate, sentence, tagged, asked)
    if asked.kind == "time":
        whole = whole_span(candidate, sentence, tagged, asked)
        return dates(asked, whole) and _beside(candidate, sentence, tagged, asked) and (in_stretch(sentence, start, end) or _is_dated(candidate, tagged, asked))
    if asked.kind == "person":
        return _is_somebody(candidate, sentence, tagged, asked) and _is_said_of(candidate, sentence, tagged, asked)
    if asked.kind == "place":
        return _says_deed(tagged, asked) and _is_somewhere(candidate, sentence, tagged, asked) and _beside(candidate, sentence, tagged, asked)
    return _beside(candidate, sentence, tagged, asked)


def whole_span(candidate: Candidate, sentence: str, tagged: Tagged, asked: Asked) -> str:
    """The text of a candidate: a part of a date or of a run of days made whole, a name that stands for a noun behind it with that noun."""
    start, end = candidate.start, candidate.end
    if asked.kind == "time":
        start, end = whole_time(asked.text, sentence, start, end)
    elif asked.kind == "number" and (old := _YEARS_OLD.match(sentence, end)):
        end = old.end()
    elif asked.kind == "person" and _label(candidate, tagged) in _GROUPS:
        noun = _noun_behind(tagged.tokens, start, end)
        end = end if noun is None else tagged.tokens[noun].end
    if asked.kind == "person" and (partners := _PARTNERS.match(sentence, end)):
        end = partners.end()
    return sentence[start:end].strip(" \n\t,;:*_-\u2014")


def anchors(tokens: Sequence[Token], asked: Asked) -> list[int]:
    """Places of the words that say the relation asked for; where none does, of those that say what else is asked, names last."""
    names = {stem(word) for name in asked.names for word in words(name)}
    others = tuple(term for term in asked.distinctive if term not in names and term not in NOW)
    for wanted in ((asked.chief,) if asked.chief not in NOW else (), others, tuple(sorted(names))):
        found = saying(tokens, wanted)
        if found:
            return found
    return []


def _noun_behind(tokens: Sequence[Token], start: int, end: int) -> int | None:
    """The common noun that a name only describes (`the Jin dynasty`); None where it stands for itself."""
    own = head_of(tokens, inside(tokens, start, end))
    if own is None or tokens[own].dep not in ("compound", "amod", "nmod") or tokens[own].head < 0:
        return None
    noun = tokens[own].head
    return noun if tokens[noun].pos == "NOUN" and 0 <= tokens[noun].start - end <= 2 else None


def _without_noun(tokens: Sequence[Token], start: int, end: int) -> bool | None:
    """Whether a number stands without a noun that it counts; None where no parse tells."""
    own = head_of(tokens, inside(tokens, start, end)) if is_parsed(tokens) else None
    return None if own is None else tokens[own].pos == "NUM" and tokens[own].dep in ("nsubj", "nsubjpass", "dobj", "attr", "pobj", "conj", "ROOT", "appos")


def _beside(candidate: Candidate, sentence: str, tagged: Tagged, asked: Asked) -> bool:
    """Whether no border stands between a span and every word that says what is asked; true where none does."""
    said = anchors(tagged.tokens, asked)
    first, last = between_borders(sentence, candidate.start, candidate.end)
    return not said or any(first <= tagged.tokens[place].start < last for place in said)


def of_another(candidate: Candidate, tagged: Tagged, asked: Asked) -> bool:
    """Whether a date stands in a clause that only describes somebody or something beside the deed that is asked for (`who was born in 1850`)."""
    tokens = tagged.tokens
    if asked.kind != "time" or _is_dated(candidate, tagged, asked):
        return False
    own = head_of(tokens, inside(tokens, candidate.start, candidate.end))
    deed = None if own is None else deed_of(tokens, own)
    return deed is not None and tokens[deed].dep in ("relcl", "acl")


def _is_dated(candidate: Candidate, tagged: Tagged, asked: Asked) -> bool:
    """Whether a date belongs to the deed that is asked for, and not to another deed of the sentence; true where no parse, or no deed, tells."""
    tokens = tagged.tokens
    own = head_of(tokens, inside(tokens, candidate.start, candidate.end)) if is_parsed(tokens) else None
    names = {stem(word) for name in asked.names for word in words(name)}
    asking = tuple(term for term in asked.distinctive if term not in names and term not in NOW)
    verbs = [place for place in saying(tokens, asking) if tokens[place].pos in ("VERB", "AUX")]
    if own is None:
        return True
    nearest = deed_of(tokens, own)
    if not verbs:
        return nearest is None or tokens[nearest].pos != "VERB" or not (deed := deed_asked(asked.text)) or names_deed(deed, _said(tokens))
    return nearest is None or any(nearest in (place, deed_of(tokens, place)) or shares_time(tokens, place, nearest) for place in verbs)


def _says_deed(tagged: Tagged, asked: Asked) -> bool:
    """Whether a sentence says the deed of which the place is asked; true where no deed is, or no parse tells."""
    deed = deed_asked(asked.text) if is_parsed(tagged.tokens) else ""
    return not deed or deed in BEING_SOMEWHERE or bool(saying(tagged.tokens, (deed,))) or names_deed(deed, _said(tagged.tokens))


def _said(tokens: Sequence[Token]) -> set[str]:
    return {term for token in tokens for term in terms(token.text)}


def _label(candidate: Candidate, tagged: Tagged) -> str:
    """The label of the name that overlaps a candidate most; empty where none does."""
    shared = [(min(one.end, candidate.end) - max(one.start, candidate.start), -one.start, one.label) for one in tagged.names]
    best = max((one for one in shared if one[0] > 0), default=None)
    return best[2] if best else ""


def _is_somebody(candidate: Candidate, sentence: str, tagged: Tagged, asked: Asked) -> bool:
    """Whether a name may be who is asked for: no place, no longer form of a name that the question says, and the question asks for a name at all."""
    label = _label(candidate, tagged)
    if _INSIDE.search(sentence[: candidate.start]):
        return False
    if label not in _PERSONS | _GROUPS and is_parsed(tagged.tokens):
        return False
    noun = _noun_behind(tagged.tokens, candidate.start, candidate.end)
    if noun is not None and (label in _PERSONS or (label == "NORP" and not tagged.tokens[noun].text.endswith("s"))):
        return False
    bare = _BARE.match(asked.text)
    if bare and asked.names and bare["name"].strip(" .") in asked.names:
        return False
    if _OTHER_WH.search(asked.text) and not _FIRST_WHO.search(asked.text):
        return False
    if _is_kind_asked_about(candidate, asked) or _PARTNERS.fullmatch(f" and {candidate.text}"):
        return False
    own = {stem(word) for word in words(candidate.text)}
    extended = any({stem(word) for word in words(name)} < own for name in asked.names)
    return not extended or asks_kin(asked)


def _is_kind_asked_about(candidate: Candidate, asked: Asked) -> bool:
    """Whether a name ends with a noun that the question says of something else than who is asked for (`the Tamar Bridge` of who designed the bridge)."""
    named = {term for name in asked.names for term in content_terms(name)}
    own = content_terms(candidate.text)
    return len(own) > 1 and own[-1] in asked.distinctive and own[-1] not in named | asked.head and not asks_kin(asked)


def _is_said_of(candidate: Candidate, sentence: str, tagged: Tagged, asked: Asked) -> bool:
    """Whether a name has the part in the deed that is asked for, or stands in one clause with the relation; kin must be told to be kin."""
    if asks_kin(asked):
        return is_kin(asked, sentence, candidate.start, candidate.end)
    first, last = between_borders(sentence, candidate.start, candidate.end)
    if not _beside(candidate, sentence, tagged, asked) or (_BARE.match(asked.text) and _LEAVING_ROLE.search(sentence[first:last]) and not _LEAVING_ROLE.search(asked.text)):
        return False
    tokens = tagged.tokens
    said = anchors(tokens, asked)
    if not said or not is_parsed(tokens):
        return True
    span = inside(tokens, candidate.start, candidate.end)
    loose = _label(candidate, tagged) in _PERSONS
    return any(_takes_part(tokens, span, place, asked, loose=loose) for place in said)


def _takes_part(tokens: Sequence[Token], span: frozenset[int], place: int, asked: Asked, *, loose: bool) -> bool:
    """Whether a name does, or suffers, what a verb says; of a person it is enough to stand in its clause where nobody else is named to do so."""
    if tokens[place].pos not in ("VERB", "AUX"):
        return same_clause(tokens, span, place)
    doing, done = subjects(tokens, place), objects(tokens, place)
    wanted, other = (done, doing) if _asks_done(asked) else (doing, done)
    if span & wanted:
        return True
    named = any(tokens[one].pos == "PROPN" for one in wanted)
    return loose and not span & other and not named and same_clause(tokens, span, place)


def _asks_done(asked: Asked) -> bool:
    """Whether a question asks to whom something is done: `whom did X see`, `who was seen`."""
    match = _DONE_TO.search(asked.text)
    return asked.object_asked or (match is not None and bool(_PARTICIPLE.search(match["deed"].lower())))


def _is_somewhere(candidate: Candidate, sentence: str, tagged: Tagged, asked: Asked) -> bool:
    """Whether a span may be where: a place by its label, or a name behind a preposition of place that is no person."""
    label = _label(candidate, tagged)
    named = candidate.text[:1].isupper()
    of_somebody = _KIN_BEFORE.search(sentence[: candidate.start]) or _OF_SOMEBODY.match(sentence[candidate.end :])
    if label == "PERSON" or of_somebody or _noun_behind(tagged.tokens, candidate.start, candidate.end) is not None:
        return False
    if _NAMED_PLACE.search(asked.text):
        unlabeled = not label and _INSIDE.search(sentence[: candidate.start]) is not None
        return named and (unlabeled or label == "GPE" or (label == "LOC" and _LAND.search(asked.text) is not None))
    if named:
        return label in _PLACES or bool(_INSIDE.search(sentence[: candidate.start]))
    return _TRAILING.search(candidate.text) is None and (not is_parsed(tagged.tokens) or _hangs_on_deed(candidate, tagged, asked))


def _hangs_on_deed(candidate: Candidate, tagged: Tagged, asked: Asked) -> bool:
    """Whether a phrase is said of what is asked, or of the verb that governs it, and not of something beside it."""
    tokens = tagged.tokens
    own = head_of(tokens, inside(tokens, candidate.start, candidate.end))
    said = anchors(tokens, asked)
    return own is not None and tokens[own].head in {*said, *(verb_of(tokens, place) for place in said)}
