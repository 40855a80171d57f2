"""Answers out of tables: the cell that stands in the row of what is asked about, under the column that is asked for."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from pagerag_pipeline.answering.asked import ASKING_WORDS, WHOLE_SENTENCE, AnswerType, Asked
from pagerag_pipeline.answering.candidates import has_number
from pagerag_pipeline.answering.coverage import Wanted
from pagerag_pipeline.answering.degrees import measured
from pagerag_pipeline.answering.rows import Row
from pagerag_pipeline.answering.sentences import Sentence
from pagerag_pipeline.answering.word_families import DERIVED
from pagerag_pipeline.lexical import content_terms, stem, terms, words

LEAST_NAMED = 0.5
"""Least weighted share of the words of the relation asked for that a column must carry; chosen."""

_OVER_ROWS = re.compile(
    r"\b(?:\w+est|most|least|fewest|best|worst|(?:more|less|fewer|\w+er) than|total|sum|average|altogether|how many of|how many times)\b", re.IGNORECASE
)
"""Questions that one row cannot answer, unless a column says so itself."""
_TURNING = re.compile(r"\b(?:before|after|since|until|till|earlier|later|than|not|never|without|except)\b|n['\u2019]t\b", re.IGNORECASE)
"""Words that turn what a cell says around, or set it beside other rows: a question with one is answered by no cell, unless a heading has the word."""
_WHERE = re.compile(r"\bwhere\b", re.IGNORECASE)
_COUNTED = re.compile(r"\bhow many ((?:[\w'-]+\s+){0,3}[\w'-]+)", re.IGNORECASE)
_UNIT = re.compile(r"\([^)]*\)")
_ENTERED = frozenset(stem(w) for w in "measure count record find list report show enter note".split())
"""What is done with every value of a table: no heading says it."""
_PAID = frozenset(stem(w) for w in "cost pay charge come amount".split())
"""What a fare or a rent does as well, so that the heading need not say it twice."""
_HAVING = frozenset(stem(w) for w in "have carry hold contain bear show give reach stand lie make produce yield put take get exist".split())
"""What a thing does with a value of its own, so that no heading says it; chosen."""
_MODAL = frozenset("may can could might must shall should will would out up down off".split())
"""Modal verbs, and particles that stand by a verb."""
_TYPE_HEADINGS: Mapping[AnswerType, frozenset[str]] = {
    "place": frozenset(stem(w) for w in "place town city village country location street address county region state parish port harbor coast island where".split()),
    "time": frozenset(stem(w) for w in "year date day time when".split()),
    "money": frozenset(stem(w) for w in "price cost fare fee amount".split()),
    "person": frozenset(stem(w) for w in "name person who".split()),
}
_UNTOLD_CELLS = 2
"""Bars in a line from which on it has cells that only a header tells apart: a line of two cells tells one of the other."""
_NOTHING = " -?\u2013\u2014"
"""Signs of an empty cell."""
_ENDS = (("from", "to"), ("to", "from"))
PARTLY, NEARLY, WHOLLY = 0, 1, 2
"""How far a question names a row: in part, by its key but for the word that its column is called or by a number alone, wholly."""


@dataclass(frozen=True, slots=True)
class CellAnswer:
    """A cell, the row it is quoted from, and what that row tells of the question."""

    sentence: Sentence
    text: str
    terms: frozenset[str]
    """Terms of the row, its header and caption included."""
    naming: int = PARTLY
    sure: bool = False
    """Whether the question names the row and the column, and nothing beside them that the table does not say."""


def find_cell(asked: Asked, wanted: Wanted, sentences: Sequence[Sentence], beside: Sequence[Sentence] = ()) -> CellAnswer | None:
    """The one cell that answers, or None: when no row holds all that the question names, when no column is asked for, or when rows disagree.

    Rows beside the evidence speak against it where they are named as well; none of them is quoted.
    """
    if asked.kind in WHOLE_SENTENCE and asked.kind != "thing":
        return None
    shown = {(one.span.document, one.span.start) for one in sentences}
    others = [one for one in beside if (one.span.document, one.span.start) not in shown]
    found: list[CellAnswer] = []
    for rows in _tables([*sentences, *others]).values():
        found += _of_table(asked, wanted, rows, _around(rows, sentences))
    best = max((answer.naming for answer in found), default=PARTLY)
    found = [answer for answer in found if answer.naming == best]
    own = [answer for answer in found if (answer.sentence.span.document, answer.sentence.span.start) in shown]
    return own[0] if own and len({answer.text.casefold() for answer in found}) == 1 else None


def may_answer(asked: Asked, wanted: Wanted, sentence: Sentence) -> bool:
    """Whether a sentence may be quoted as it is: a line of a table only when it holds the names and the relation asked for.

    A value that must be of a type stands in a cell; where no cell answers, the line of a table with a header does not either. Nor does one line answer
    for a thing whose row the question does not name: others may tell as much of it. Of several cells without a header nothing says what they are.
    """
    if sentence.row is None and not sentence.whole and sentence.text.count(" | ") >= _UNTOLD_CELLS:
        return asked.kind in ("theme", "reason", "yes_no")
    if not sentence.line:
        return True
    if sentence.row is not None and asked.kind in ("thing", *_TYPE_HEADINGS) and _turns(asked, sentence.row):
        return False
    if sentence.row is not None and asked.kind == "thing" and _asks_empty(asked, sentence.row):
        return False
    if sentence.row is not None and (asked.kind not in WHOLE_SENTENCE or (asked.kind == "thing" and not _row_naming(sentence.row, set(asked.terms)))):
        return False
    held = _row_terms(sentence) | sentence.context
    return _holds_names(asked, held) and not _reversed(sentence, asked.text) and (not asked.chief or asked.chief in wanted.covered(held))


def _asks_empty(asked: Asked, row: Row) -> bool:
    """Whether the question says the whole heading of a cell that the row leaves empty: what else the row tells does not answer it."""
    for heading, cell in zip_longest(row.header, row.cells, fillvalue=""):
        if not cell.strip(_NOTHING) and _named(_UNIT.sub("", heading), set(asked.terms)):
            return True
    return False


def _tables(sentences: Sequence[Sentence]) -> dict[tuple[str, tuple[str, ...]], list[Sentence]]:
    tables: dict[tuple[str, tuple[str, ...]], list[Sentence]] = {}
    for sentence in sentences:
        if sentence.row is not None:
            tables.setdefault((sentence.span.document, sentence.row.header), []).append(sentence)
    return tables


def _around(rows: Sequence[Sentence], sentences: Sequence[Sentence]) -> frozenset[str]:
    """Terms of what the rows stand under and beside: title, section path, the text of the same items, the document's path."""
    items = {row.item for row in rows}
    beside = {term for s in sentences if s.item in items and not s.line for term in s.terms}
    captions = [terms(row.row.caption) for row in rows if row.row]
    return frozenset(beside.union(*(row.context for row in rows), *captions, terms(rows[0].span.document)))


def _of_table(asked: Asked, wanted: Wanted, rows: Sequence[Sentence], around: frozenset[str]) -> list[CellAnswer]:
    heading = frozenset(terms(rows[0].row.heading)) if rows[0].row else frozenset()
    if any(not set(terms(match.group())) & heading for match in _OVER_ROWS.finditer(asked.text)):
        return []
    if rows[0].row and _turns(asked, rows[0].row):
        return []
    in_heading = _exact(wanted, heading)
    keys = {term for row in rows for term in _exact(wanted, row.terms)} - in_heading
    holding = [row for row in rows if keys and keys <= _exact(wanted, row.terms)]
    holding = [row for row in holding if _holds_names(asked, _row_terms(row) | around) and not _reversed(row, asked.text)]
    called = keys | {term for name in asked.names for term in terms(name)}
    naming = {id(row): _row_naming(row.row, called) for row in holding if row.row is not None}
    most = max(naming.values(), default=PARTLY)
    named = [row for row in holding if naming.get(id(row)) == most] if most else holding
    answers: list[CellAnswer] = []
    for sentence in named:
        cell, sure = _asked_cell(asked, wanted, sentence, keys, around) if sentence.row else ("", False)
        if cell.strip(_NOTHING):
            answers.append(CellAnswer(sentence, cell, _row_terms(sentence), most, sure and most > PARTLY))
    return answers if len(answers) == len(named) else []


def _turns(asked: Asked, row: Row) -> bool:
    """Whether the question says a word that turns what a row says, and no heading does."""
    header = set(words(row.heading))
    return any(match.group().lower() not in header for match in _TURNING.finditer(asked.text))


def _row_naming(row: Row, called: set[str]) -> int:
    """How far a question names a row by one of its cells; a number alone names none wholly."""
    found = [PARTLY]
    for heading, cell in zip(row.header, row.cells, strict=False):
        if _named(cell, called):
            found.append(WHOLLY if any(c.isalpha() for c in cell) else NEARLY)
        elif _named(" ".join(set(content_terms(cell)) - set(content_terms(heading))), called):
            found.append(NEARLY)
    return max(found)


def _asked_cell(asked: Asked, wanted: Wanted, sentence: Sentence, keys: set[str], around: frozenset[str]) -> tuple[str, bool]:
    """The cell under the heading that the question's other words name, and whether nothing is left of them.

    Else the row's name, when the headings of its key cells are what is asked by.
    """
    row = sentence.row
    assert row is not None
    names = {term for name in asked.names for term in terms(name)}
    plain = keys | names | ASKING_WORDS | _ENTERED | _MODAL | _HAVING
    apart = (around - frozenset(terms(row.heading))) | plain
    rest = {term: wanted.weights[term] for term in asked.terms if term not in apart}
    columns = list(zip(row.header, row.cells, strict=False))
    key_columns = [i for i, (_, cell) in enumerate(columns) if _named(cell, keys | names)]
    said = {*terms(row.caption), *sentence.terms, *sentence.context.difference(terms(row.heading)), *terms(" ".join(row.header[i] for i in key_columns))}
    open_terms = set(asked.terms) - plain - wanted.covered(said).keys() - (_PAID if asked.kind == "money" else set())
    degrees = _measuring(asked, row)
    ranked: list[tuple[float, float, bool, int]] = []
    for i, (heading, cell) in enumerate(columns):
        # An empty cell stands for what is not known: the next column must not answer for it.
        if i in key_columns or not (_fits(asked, heading, cell) if cell.strip(_NOTHING) else _counts(asked, heading)) or (degrees and i not in degrees):
            continue
        score, told = (1.0, 1.0) if degrees else _naming(asked, wanted, heading, keys)
        left = open_terms - wanted.covered(set(terms(heading))).keys()
        sure = (bool(degrees) and len(left) <= 1) or (_is_said(asked, wanted, heading, keys | names) and not left)
        if told and (sure or _share(wanted, rest, heading) >= LEAST_NAMED):
            ranked.append((score, told, sure, i))
    ranked.sort(reverse=True)
    if ranked and (len(ranked) == 1 or ranked[0][:2] > ranked[1][:2]):
        return row.cells[ranked[0][3]], ranked[0][2]
    by = " ".join(row.header[i] for i in key_columns)
    if not ranked and key_columns and 0 not in key_columns and asked.kind in ("thing", "person", "place") and _share(wanted, rest, by) >= LEAST_NAMED:
        return row.cells[0], False
    return "", False


def _measuring(asked: Asked, row: Row) -> list[int]:
    """The columns of what a question for a degree (`how high`) asks to be measured; none where it asks for none, or the table has none."""
    names = {stem(name) for name in measured(asked.text)}
    return [i for i, heading in enumerate(row.header) if names & set(terms(_UNIT.sub("", heading)))]


def _is_said(asked: Asked, wanted: Wanted, heading: str, named: set[str]) -> bool:
    """Whether the question says all of a heading beside the names of the row: what it is called, or its unit with the period in what it is called.

    A bare `where` says what places are called.
    """
    own = set(content_terms(_UNIT.sub("", heading))) or set(terms(heading))
    unit = set(terms(" ".join(_UNIT.findall(heading))))
    beside = [others for word, others in wanted.stand_ins.items() if word not in named]
    said = {term for term in own | unit if any(others.get(term, 0.0) >= DERIVED for others in beside)}
    if asked.kind == "place" and _WHERE.search(asked.text):
        return own <= _TYPE_HEADINGS["place"]
    return own <= said or (bool(unit) and unit <= said and {term for term in own if term.isdigit()} <= said)


def _naming(asked: Asked, wanted: Wanted, heading: str, keys: set[str]) -> tuple[float, float]:
    """How much of the question a heading names by weight, and how much of the heading the question does; a type's own heading names a little."""
    plain = set(content_terms(_UNIT.sub("", heading))) or set(terms(heading))
    shares = {term: share for term, share in wanted.covered(set(terms(heading))).items() if term not in keys}
    if not shares:
        typed = bool(plain & _TYPE_HEADINGS.get(asked.kind, frozenset()))
        return (0.0, 0.1) if typed else (0.0, 0.0)
    said = sum(any(term in wanted.stand_ins[own] for own in shares) for term in plain)
    return round(sum(wanted.weights[t] * share for t, share in shares.items()), 6), max(0.1, said / max(1, len(plain)))


def _share(wanted: Wanted, rest: Mapping[str, float], heading: str) -> float:
    """Weighted share of the words of the relation that a heading carries; 1 when the question has none."""
    covered = wanted.covered(set(terms(heading)))
    counted = {t: weight for t, weight in rest.items() if t not in _PAID} if any(t in covered for t in rest if t not in _PAID) else rest
    total = sum(counted.values())
    return sum(weight * covered.get(term, 0.0) for term, weight in counted.items()) / total if total else 1.0


def _fits(asked: Asked, heading: str, cell: str) -> bool:
    """Whether a cell can be of the type asked for; what is counted must stand in its heading."""
    if asked.kind in ("number", "money", "time") and not has_number(cell):
        return False
    if asked.kind in ("person", "place", "color") and not any(c.isalpha() for c in cell):
        return False
    return _counts(asked, heading)


def _counts(asked: Asked, heading: str) -> bool:
    """Whether a column can tell what is counted, if anything is."""
    counted = _COUNTED.search(asked.text)
    return counted is None or bool(set(content_terms(counted.group(1))) & set(terms(heading)))


def _exact(wanted: Wanted, found: frozenset[str]) -> set[str]:
    """The question's terms that stand among the found ones, themselves or as a derivation."""
    return {term for term, share in wanted.covered(found).items() if share >= DERIVED}


def _named(cell: str, keys: set[str]) -> bool:
    """Whether the question names the whole cell."""
    own = set(content_terms(cell))
    return bool(own) and own <= keys


def _row_terms(sentence: Sentence) -> frozenset[str]:
    return sentence.terms.union(terms(sentence.row.heading), terms(sentence.row.caption)) if sentence.row else sentence.terms


def _holds_names(asked: Asked, held: frozenset[str]) -> bool:
    return all(set(content_terms(name)) <= held for name in asked.names) if asked.english else True


def _reversed(sentence: Sentence, question: str) -> bool:
    """Whether a row tells of the way back: its `from` cell stands behind `to` in the question, or the other way about."""
    row = sentence.row
    if row is None:
        return False
    for heading, cell in zip(row.header, row.cells, strict=False):
        for own, other in _ENDS:
            if own in words(heading) and cell and re.search(rf"\b{other}\s+(?:the\s+)?{re.escape(cell)}(?!\w)", question, re.IGNORECASE):
                return True
        start, way, end = cell.partition(" to ")
        back = rf"\bfrom\s+(?:the\s+)?{re.escape(end.strip())}\b.*\bto\s+(?:the\s+)?{re.escape(start.strip())}(?!\w)"
        if way and re.search(back, question, re.IGNORECASE):
            return True
    return False
