"""What quotes that look like an answer leave unsaid: the deed itself, that it was done and not only planned, or the date that is asked about."""

import re
from collections.abc import Sequence

from pagerag_pipeline.answering.asked import Asked
from pagerag_pipeline.answering.coverage import Wanted
from pagerag_pipeline.answering.extractive import Extract
from pagerag_pipeline.answering.premise import read_statement
from pagerag_pipeline.answering.sentences import Sentence
from pagerag_pipeline.answering.word_families import relatives
from pagerag_pipeline.answering.years import YEAR
from pagerag_pipeline.lexical import MONTHS, content_terms, stem

PREDICATE = 0.5
"""Weighted share of what a question for yes or no says of its names that the quotes must hold; chosen."""

_MONTH_YEAR = re.compile(rf"\b(?P<month>{'|'.join(MONTHS)})(?:\s+of)?,?\s+(?P<year>1\d{{3}}|20\d{{2}})\b", re.IGNORECASE)
_NUMBERED = re.compile(r"(?<=[^.?!:] )(?P<kind>[A-Z][a-z]+) (?:[Nn]o\. ?)?(?P<number>\d{1,3})\b(?![.,:]\d|%)")
"""One of several that are told apart by number (`Car 2`); a word that begins a sentence is none of its kind."""
_RANGE = re.compile(r"\b(?:after|before|since|until|till|between|from|by|older|younger|latest|ago)\b", re.IGNORECASE)
_DONE = re.compile(r"\b(?:did|had)\b", re.IGNORECASE)
_PLANNED = re.compile(
    r"\b(?:must|shall|should|ought to|(?:is|are|am) to|will|instruct\w*|order\w* (?:him|her|them|the)|ask\w* (?:him|her|them|the)|intend\w*|plan\w*|hope\w*|propose\w*|recommend\w*)\b",
    re.IGNORECASE,
)


def find_gap(asked: Asked, wanted: Wanted, extract: Extract, sentences: Sequence[Sentence]) -> str:
    """What the quotes leave unsaid of a question, in words; empty when no rule finds anything. English alone: the rules read its verbs."""
    if not asked.english or asked.kind == "theme":
        return ""
    return (
        _no_such_deed(asked, sentences)
        or _other_predicate(asked, wanted, extract)
        or _only_planned(asked, wanted, extract)
        or _other_date(asked, extract, sentences)
        or _other_number(asked, extract)
    )


def _no_such_deed(asked: Asked, sentences: Sequence[Sentence]) -> str:
    """The reason for a deed is asked, and no word of the deed stands in the evidence."""
    said = read_statement(asked.text) if asked.kind == "reason" else None
    if said is None or any(sentence.terms & relatives(said.verb).keys() for sentence in sentences):
        return ""
    return "no source says that it happened"


def _other_predicate(asked: Asked, wanted: Wanted, extract: Extract) -> str:
    """A question for yes or no is answered by a quote on the same names that says something else of them."""
    names = {term for name in asked.names for term in content_terms(name)}
    weights = {term: wanted.weights[term] for term in asked.distinctive if term not in names}
    if asked.kind != "yes_no" or not names or not weights:
        return ""
    covered = wanted.covered({term for sentence in extract.sentences for term in sentence.terms | sentence.context})
    share = sum(weight * covered.get(term, 0.0) for term, weight in weights.items()) / (sum(weights.values()) or 1e-9)
    return "" if share >= PREDICATE else "the quotes name it and say something else of it"


def _only_planned(asked: Asked, wanted: Wanted, extract: Extract) -> str:
    """What was done is asked, and the sentences that speak of it say only that it is to be done."""
    chief = asked.chief
    if asked.kind not in ("thing", "time", "person", "number") or not chief or not _DONE.search(asked.text) or _PLANNED.search(asked.text):
        return ""
    speaking = [sentence for sentence in extract.sentences if chief in wanted.covered(sentence.terms)]
    stands = relatives(chief)
    if speaking and all(_is_planned(sentence.text, set(stands)) for sentence in speaking):
        return "it is said to be planned or due, not to have happened"
    return ""


def _is_planned(text: str, forms: set[str]) -> bool:
    places = [match.start() for match in re.finditer(r"[^\W\d_]+", text) if stem(match.group().lower()) in forms]
    clauses = [re.split(r"[.;:]", text[:place])[-1] for place in places]
    return bool(clauses) and all(_PLANNED.search(clause) for clause in clauses)


def _other_date(asked: Asked, extract: Extract, sentences: Sequence[Sentence]) -> str:
    """A month or year is asked about, and the quote that holds the answer stands under another and not under it."""
    years = YEAR.findall(asked.text)
    if asked.kind == "time" or len(years) != 1 or _RANGE.search(asked.text):
        return ""
    month = _MONTH_YEAR.search(asked.text)
    number = MONTHS.index(month["month"].lower()) + 1 if month else 0
    other = False
    for quoted in [one for one in extract.quoted if extract.answer in one.text] or extract.quoted[:1]:
        around = [s for s in sentences if s.item == quoted.item and s.span.document == quoted.span.document]
        terms = {term for s in (quoted, *around) for term in s.terms | s.context}
        path = quoted.span.document
        in_month = not month or stem(month["month"].lower()) in terms or f"{years[0]}-{number:02d}" in path
        if (years[0] in terms or years[0] in path) and in_month:
            return ""
        other = other or bool(YEAR.search(" ".join(sorted(terms))))
    return f"the quotes are of another time than {month.group() if month else years[0]}" if other else ""


def _other_number(asked: Asked, extract: Extract) -> str:
    """One of several numbered things is asked about, and the quotes speak of others of its kind alone."""
    said = " ".join(f"{sentence.text} {' '.join(sorted(sentence.context))}" for sentence in extract.sentences)
    for match in _NUMBERED.finditer(asked.text):
        kind, number = match["kind"], match["number"]
        if kind.lower() in MONTHS or re.search(rf"(?<!\d){number}(?!\d)", said):
            continue
        others = re.findall(rf"\b{re.escape(kind)} (?:[Nn]o\. ?)?(\d{{1,3}})\b", said)
        if others:
            return f"the quotes are of {kind} {', '.join(dict.fromkeys(others))}, not of {kind} {number}"
    return ""
