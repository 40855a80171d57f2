"""What quotes that look like an answer leave unsaid: the deed itself, its being done and not only planned, the date, number or quality asked about."""

import re
from collections.abc import Sequence

from pagerag_pipeline.answering.asked import ASKING_WORDS, Asked
from pagerag_pipeline.answering.candidates import has_number
from pagerag_pipeline.answering.coverage import Wanted
from pagerag_pipeline.answering.extractive import Extract
from pagerag_pipeline.answering.qualities import lacks_quality, qualities_asked
from pagerag_pipeline.answering.quantities import PEOPLE, counted_noun, missing_measure
from pagerag_pipeline.answering.sentences import Sentence, in_passage_of
from pagerag_pipeline.answering.standing import BEING_SOMEWHERE
from pagerag_pipeline.answering.statements import DOER_ASKED, deed_asked, names_deed, read_statement, said_at
from pagerag_pipeline.answering.told_numbers import spans_year, told_numbers, years_in
from pagerag_pipeline.answering.word_families import derivations, relatives
from pagerag_pipeline.answering.years import YEAR
from pagerag_pipeline.lexical import MONTHS, content_terms, stem, words

PREDICATE = 0.5
"""Weighted share of what a question for yes or no says of its names that the quotes must hold; chosen."""

_OBJECT_ASKED = re.compile(r"\W*what\s+(?:did|does|do)\b", re.IGNORECASE)
_LOOSE = frozenset(stem(word) for word in "ever actually really still already yet always".split())
"""Words that a question for yes or no may say and its answer need not."""
_MONTH_YEAR = re.compile(rf"\b(?P<month>{'|'.join(MONTHS)})(?:\s+of)?,?\s+(?P<year>1\d{{3}}|20\d{{2}})\b", re.IGNORECASE)
_ORDERED = (
    r"versions?|releases?|chapters?|sections?|parts?|volumes?|rooms?|platforms?|pages?|phases?|stages?|levels?|grades?|figures?|tables?|items?|steps?|acts?"
    r"|seasons?|episodes?|articles?|clauses?|routes?|lines?|units?|lots?|floors?|gates?|zones?|groups?|classes|class|types?|models?|rules?"
)
_NUMBERED = re.compile(rf"(?<=[^.?!:] )(?P<kind>[A-Z][a-z]+|{_ORDERED}) (?:[Nn]o\. ?)?(?P<number>\d{{1,3}}(?:\.\d{{1,3}})*)\b(?![.,:]\d|%)")
"""One of several that are told apart by number (`Car 2`, `version 2.1`); a word that begins a sentence is none of its kind."""
_BY_DATES = frozenset(stem(word) for word in "born die died".split())
_PERSONAL = re.compile(r"\b(?:he|she|his|her|hers|him|they|their|them|I|my|we|our)\b", re.IGNORECASE)
_WHOLE = 4
"""Words of the shortest answer that is taken for a sentence and not for a span; chosen."""
_UNDONE = re.compile(r"(?![^.;]*\bby\b)")
"""Behind a passive without an agent."""
_AUXILIARY = re.compile(r"\b(?:is|are|was|were|be|been|being)\s+(?:\w+ly\s+)?$", re.IGNORECASE)
_NO_COUNT = re.compile(
    rf"[$\u00a3\u20ac]\s?\d[\d,.]*|\b\d{{1,2}}\s+(?:{'|'.join(MONTHS)})\b|\b(?:1\d{{3}}|20\d{{2}})\b|\d[\d.,]*\s?%|\b(?:one|once|first)\b", re.IGNORECASE
)
"""Numbers that count nothing."""
_COMPARED = re.compile(r"\b(?:over|under|above|below|more|less|fewer|than|least|most|about|around|nearly|almost|exceed\w*|worth)\b", re.IGNORECASE)
_RANGE = re.compile(r"\b(?:after|before|since|until|till|between|from|by|older|younger|latest|ago)\b", re.IGNORECASE)
STORY = 0.5
"""Chance of a story from which on deeds may be told in other words; chosen."""
_DONE = re.compile(r"\b(?:did|had)\b", re.IGNORECASE)
_PLANNED = re.compile(
    r"\b(?:must|shall|should|ought to|(?:is|are|am) to|will|instruct\w*|order\w* (?:him|her|them|the)|ask\w* (?:him|her|them|the)|intend\w*|plan\w*|hope\w*|propose\w*|recommend\w*)\b",
    re.IGNORECASE,
)


def find_gap(asked: Asked, wanted: Wanted, extract: Extract, sentences: Sequence[Sentence], *, story: float) -> str:
    """What the quotes leave unsaid of a question, in words; empty when no rule finds anything. All read English; a sure cell of a table leaves no more than a number unsaid.

    That a deed is unsaid, or said of something else, is not held against quotes of a story (`story` is the chance that they are), which is asked about in
    other words than its own, nor where the question is written without a capital, so that its names cannot be told from its other words.
    """
    if asked.kind == "theme" or not asked.english:
        return ""
    numbers = _other_date(asked, wanted, extract, sentences) or _other_number(asked, extract) or _other_count(asked, extract)
    if numbers or extract.sure:
        return numbers
    plain = story < STORY and not asked.text.islower()
    return (
        (_no_such_deed(asked, sentences) if plain or asked.kind == "reason" else "")
        or _other_predicate(asked, wanted, extract)
        or _only_planned(asked, wanted, extract)
        or _other_quality(asked, extract, sentences)
        or _no_measure(asked, extract)
        or (plain and (_other_deed(asked, wanted, extract, sentences) or _no_doer(asked, extract)))
        or _no_count(asked, extract)
    )


def _no_such_deed(asked: Asked, sentences: Sequence[Sentence]) -> str:
    """The reason for a deed, or its object (`what did X study`), is asked, and no word of the deed stands in the evidence."""
    said = read_statement(asked.text) if asked.kind == "reason" or _OBJECT_ASKED.match(asked.text) else None
    if said is None or (asked.kind != "reason" and (said.verb in ASKING_WORDS or said.rest.lstrip().startswith("to "))):
        return ""
    forms = relatives(said.verb).keys()
    if any(sentence.terms & forms or (asked.kind != "reason" and names_deed(said.verb, sentence.terms)) for sentence in sentences):
        return ""
    return "no source says that it happened"


def _other_predicate(asked: Asked, wanted: Wanted, extract: Extract) -> str:
    """A question for yes or no is answered by a quote on the same names that says something else of them."""
    names = {term for name in asked.names for term in content_terms(name)}
    weights = {term: wanted.weights[term] for term in asked.distinctive if term not in names | _LOOSE}
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


def _other_date(asked: Asked, wanted: Wanted, extract: Extract, sentences: Sequence[Sentence]) -> str:
    """A month or year is asked about, and the quote that holds the answer tells of another one, or stands under one, and not of it.

    Of a date that is asked for, the quote's own years are the answer: there only a passage that never says the year speaks against it.
    """
    years = years_in(asked.text)
    if len(YEAR.findall(asked.text)) != 1 or _RANGE.search(asked.text):
        return ""
    month = _MONTH_YEAR.search(asked.text)
    number = MONTHS.index(month["month"].lower()) + 1 if month else 0
    other = False
    answering = _answering(extract)
    saying = [one for one in answering if asked.chief in wanted.covered(one.terms)] if len(answering) > 1 else []
    for quoted in saying or answering:
        around = in_passage_of(quoted, sentences)
        terms = {term for s in (quoted, *around) for term in s.terms | s.context}
        path = quoted.span.document
        own, above = years_in(quoted.read), years_in(f"{path.replace('_', ' ')} {' '.join(sorted(quoted.context))}")
        in_month = not month or stem(month["month"].lower()) in terms or any(f"{year}-{number:02d}" in path for year in years)
        beside = {year for year in years if str(year) in terms}
        told = years & (own | above) or any(spans_year(quoted.text, year) for year in years) or _as_count(years, quoted.text)
        if in_month and (told or (beside and (asked.kind == "time" or not (own | above)))):
            return ""
        other = other or bool(own | above or YEAR.search(" ".join(sorted(terms))))
    return f"the quotes are of another time than {month.group() if month else min(years)}" if other else ""


def _as_count(years: set[int], text: str) -> bool:
    """Whether a text says as a count what looks like a year (`1,500 pupils`)."""
    return any(f"{year:,}" in text for year in years)


def _answering(extract: Extract) -> Sequence[Sentence]:
    """The quoted sentences that hold the answer, else the first of those that the answer is made of."""
    made_of = [one for one in extract.quoted if one.text in extract.answer]
    return [one for one in extract.quoted if extract.answer in one.text] or made_of[:1] or extract.quoted[:1]


def _other_number(asked: Asked, extract: Extract) -> str:
    """One of several numbered things is asked about, and the quotes speak of others of its kind alone."""
    said = _with_contexts(_answering(extract))
    for match in _NUMBERED.finditer(asked.text):
        kind, number = match["kind"], match["number"]
        if kind.lower() in MONTHS or re.search(rf"(?<![\d.]){re.escape(number)}(?!\.?\d)", said):
            continue
        others = re.findall(rf"\b{re.escape(kind)} (?:no\. ?)?(\d{{1,3}}(?:\.\d{{1,3}})*)\b", said, re.IGNORECASE)
        if others:
            return f"the quotes are of {kind} {', '.join(dict.fromkeys(others))}, not of {kind} {number}"
    return ""


def _other_count(asked: Asked, extract: Extract) -> str:
    """A place in an order or a count is told as a fact (`the second quarter`, `300 pupils`), and the quotes give other numbers of the same noun alone."""
    counted = asked.kind in ("number", "money", "yes_no") or _RANGE.search(asked.text) or _COMPARED.search(asked.text)
    answering = _answering(extract)
    placed, counts = told_numbers(_with_contexts(answering)), told_numbers(" . ".join(sentence.text for sentence in answering))
    for kind, numbers in told_numbers(asked.text).items():
        others = (counts if kind[0] == "count" else placed).get(kind, set())
        if others and not others & numbers and not (kind[0] == "count" and counted):
            told, own = (", ".join(f"{number:g}" for number in sorted(some)) for some in (others, numbers))
            noun = next((word for word in words(asked.text) if stem(word) == kind[1]), kind[1])
            return f"the quotes tell {told} where the question says {own} ({noun})"
    return ""


def _other_deed(asked: Asked, wanted: Wanted, extract: Extract, sentences: Sequence[Sentence]) -> str:
    """When, where or by whom something was done is asked, and no quote says the deed, or none says it of anything that the question is about.

    Births and deaths may be told by dates alone, deeds by who did it (`by X`), or in other words of the one that is named.
    """
    deed = deed_asked(asked.text)
    if asked.kind not in ("time", "person", "place") or deed not in wanted.weights or deed in BEING_SOMEWHERE:
        return ""
    by = asked.kind == "person" and (len(extract.answer.split()) < _WHOLE or any(re.search(r"\bby\b", sentence.text) for sentence in extract.quoted))
    read = extract.quoted if len(extract.answer.split()) >= _WHOLE else _answering(extract)
    saying = [sentence for sentence in read if _says(deed, wanted, sentence)]
    if not saying:
        return "" if by or deed in _BY_DATES else f"no quote says {_written(asked, deed)}"
    others = {term for term in asked.distinctive if term != deed and not term[:1].isdigit()}
    if not others or any(others & wanted.covered(_said_about(sentence, sentences)).keys() for sentence in saying):
        return ""
    return f"the quotes say it of something else than {', '.join(_written(asked, term) for term in asked.distinctive if term in others)}"


def _says(deed: str, wanted: Wanted, sentence: Sentence) -> bool:
    said = sentence.terms | sentence.context
    return deed in wanted.covered(said) or names_deed(deed, said)


def _said_about(sentence: Sentence, sentences: Sequence[Sentence]) -> frozenset[str]:
    """Terms of a sentence in its context, and where it speaks of somebody by a pronoun, those of all whole sentences of its passage."""
    around = [one for one in in_passage_of(sentence, sentences) if one.whole]
    said = sentence.in_context
    return said.union(*(one.terms for one in around)) if _PERSONAL.search(sentence.text) else said


def _no_doer(asked: Asked, extract: Extract) -> str:
    """Who did something is asked, and all that is said of the deed is that it was done."""
    deed = deed_asked(asked.text) if DOER_ASKED.match(asked.text) else ""
    if not deed or extract.guess == extract.answer or len(extract.answer.split()) < _WHOLE:
        return ""
    told = [
        _UNDONE.match(sentence.text, verb.end()) is None or _AUXILIARY.search(sentence.text[: verb.start()]) is None
        for sentence in extract.quoted
        for verb in said_at(deed, sentence.text)
    ]
    return "no quote says who did it" if told and not any(told) else ""


def _no_count(asked: Asked, extract: Extract) -> str:
    """A count of something is asked for, and no quote that says it says a number."""
    noun = counted_noun(asked.text)
    known = {other for term in noun for other in derivations(term)}
    if asked.kind != "number" or not noun - ASKING_WORDS - PEOPLE or len(extract.answer.split()) < _WHOLE:
        return ""
    told = any(sentence.terms & known and has_number(_NO_COUNT.sub(" ", sentence.text)) for sentence in extract.quoted)
    return "" if told else f"no quote tells how many {' '.join(_written(asked, term) for term in sorted(noun))}"


def _written(asked: Asked, term: str) -> str:
    return next((word for word in words(asked.text) if stem(word) == term), term)


def _with_contexts(sentences: Sequence[Sentence]) -> str:
    return " . ".join(text for sentence in sentences for text in (sentence.text, *sorted(sentence.context)))


def _other_quality(asked: Asked, extract: Extract, sentences: Sequence[Sentence]) -> str:
    """A color, a material or a side is told of what is asked about (`the red paint`), and the quotes tell another one of it, or none."""
    for quality, noun in qualities_asked(asked.text) if asked.kind not in ("yes_no", "color") else ():
        answering = _answering(extract)
        texts = [(one.text, _around(one, sentences)) for one in answering]
        if all(lacks_quality((quality, noun), f"{text} {' '.join(one.context)}", around) for one, (text, around) in zip(answering, texts, strict=True)):
            return f"no quote tells of \"{quality} {noun}\""
    return ""


def _around(sentence: Sentence, sentences: Sequence[Sentence]) -> str:
    return " ".join(one.text for one in in_passage_of(sentence, sentences))


def _no_measure(asked: Asked, extract: Extract) -> str:
    """A day or month, an age, a length is asked for, and no quote tells one."""
    quotes = [sentence.text for sentence in extract.quoted]
    unit = missing_measure(asked, [*quotes, extract.answer])
    return f"no quote tells {unit}" if unit else ""
