"""From the statements of a sentence to knowledge units and records, each with a verbatim quote."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from pagerag_pipeline.indexing.extraction.aliases import alias_statements
from pagerag_pipeline.indexing.extraction.claims import claim_statements
from pagerag_pipeline.indexing.extraction.clauses import clause_statements
from pagerag_pipeline.indexing.extraction.company import MENTIONED_WITH, company_statements
from pagerag_pipeline.indexing.extraction.cued import cued_statements
from pagerag_pipeline.indexing.extraction.definitions import definition_statements
from pagerag_pipeline.indexing.extraction.lifespans import lifespan_statements
from pagerag_pipeline.indexing.extraction.lists import list_statements
from pagerag_pipeline.indexing.extraction.nominals import nominal_statements
from pagerag_pipeline.indexing.extraction.patterns import pattern_statements
from pagerag_pipeline.indexing.extraction.reading import Sentence
from pagerag_pipeline.indexing.extraction.records import record_of
from pagerag_pipeline.indexing.extraction.speech import within
from pagerag_pipeline.indexing.extraction.statements import Gathering, Statement, confidence_of
from pagerag_pipeline.indexing.ontology import Ontology
from pagerag_pipeline.schema.documents import Mode, Span
from pagerag_pipeline.schema.knowledge import LITERAL_TYPES, Record, Unit

_LONGEST_QUOTE = 600
_MARGIN = 160


def sentence_statements(sentence: Sentence, ontology: Ontology, mode: Mode) -> list[Statement]:
    """All statements of one sentence, without repetition, in order of place; full rules where there is a parse, patterns elsewhere."""
    gathering = Gathering(sentence, ontology, mode)
    if sentence.parsed:
        clause_statements(gathering)
        nominal_statements(gathering)
        definition_statements(gathering)
        claim_statements(gathering)
        cued_statements(gathering)
    else:
        pattern_statements(gathering)
    alias_statements(gathering)
    list_statements(gathering)
    lifespan_statements(gathering)
    company_statements(gathering)
    return _distinct(gathering.statements, ontology, mode)


def _distinct(statements: Iterable[Statement], ontology: Ontology, mode: Mode) -> list[Statement]:
    """One statement per (head, predicate, tail), and one date per event: the most confident; the first of equals."""
    best: dict[tuple[str, str, str], Statement] = {}
    for statement in statements:
        dated = statement.predicate.endswith("_date")
        key = (statement.head.surface.casefold(), statement.predicate, "" if dated else statement.tail.surface.casefold())
        other = best.get(key)
        if other is None or confidence_of(statement, ontology, mode) > confidence_of(other, ontology, mode):
            best[key] = statement
    return sorted(best.values(), key=lambda s: (s.head.start, s.tail.start, s.predicate, s.head.surface, s.tail.surface))


def units_and_records(
    sentence: Sentence, text: str, base: int, *, ontology: Ontology, mode: Mode
) -> tuple[list[Unit], list[Record]]:
    """Units and records of one sentence; `text` is the chunk, `base` the start of the sentence's segment in it."""
    units: list[Unit] = []
    records: list[Record] = []
    for statement in sentence_statements(sentence, ontology, mode):
        span = _quote_span(sentence, statement, base)
        quote = text[span.start : span.end]
        statement = replace(statement, qualifiers=(*statement.qualifiers, *told_by(sentence, statement), *resolved(statement)))
        if ontology.states(statement.predicate, mode, literal=statement.tail.type in LITERAL_TYPES):
            units.append(_unit(statement, span, quote, confidence_of(statement, ontology, mode)))
        if statement.predicate != MENTIONED_WITH:
            records.extend(record_of(statement, span, quote, ontology))
    return units, records


def _unit(statement: Statement, span: Span, quote: str, confidence: float) -> Unit:
    return Unit(
        kind=statement.kind,
        head=statement.head.surface,
        head_type=statement.head.type,
        predicate=statement.predicate,
        tail=statement.tail.surface,
        tail_type=statement.tail.type,
        modality=statement.modality,
        confidence=confidence,
        start=span.start,
        end=span.end,
        quote=quote,
        qualifiers=statement.qualifiers,
    )


def resolved(statement: Statement) -> Iterator[tuple[str, str]]:
    """How an end that is not named in its own sentence was found: ("resolved", "pronoun: Mara Quill")."""
    for phrase in (statement.head, statement.tail):
        if phrase.how:
            yield ("resolved", f"{phrase.how}: {phrase.surface}")


def told_by(sentence: Sentence, statement: Statement) -> Iterator[tuple[str, str]]:
    """The named speaker of what is reported: of the quotation it stands in, else the subject of the verb of saying above it."""
    if statement.modality != "reported" or not sentence.parsed:
        return
    place = max(statement.head.start, statement.tail.start) if statement.tail.start >= sentence.start else statement.head.start
    if within(sentence.spoken, place):
        if sentence.speaker is not None:
            yield ("speaker", sentence.speaker.surface)
        return
    for index, token in enumerate(sentence.tokens):
        if token.dep == "ccomp" and sentence.tokens[sentence.leftmost(index)].start <= place <= sentence.tokens[sentence.rightmost(index)].start:
            verb = sentence.head(index)
            for subject in sentence.having(verb, "nsubj"):
                phrase = sentence.phrase(subject)
                if phrase is not None and phrase.named:
                    yield ("speaker", phrase.surface)
            return


def _quote_span(sentence: Sentence, statement: Statement, base: int) -> Span:
    """The sentence; of an overlong one, the part around the statement, cut at white space."""
    start, end = sentence.start, sentence.end
    if resolved := [phrase for phrase in (statement.head, statement.tail) if phrase.how]:
        start = min(start, *(phrase.since for phrase in resolved))
        end = max(end, *(phrase.until for phrase in resolved))
    elif end - start > _LONGEST_QUOTE:
        low = min(statement.head.start, statement.tail.start)
        high = max(statement.head.end, statement.tail.end)
        start = _space_after(sentence, max(start, low - _MARGIN), low)
        end = _space_before(sentence, min(end, high + _MARGIN), high)
    while start < end and sentence.text[start].isspace():
        start += 1
    while end > start and sentence.text[end - 1].isspace():
        end -= 1
    return Span(base + start, base + end)


def _space_after(sentence: Sentence, place: int, most: int) -> int:
    if place == sentence.start:
        return place
    found = sentence.text.find(" ", place, most)
    return found + 1 if found >= 0 else most


def _space_before(sentence: Sentence, place: int, least: int) -> int:
    if place == sentence.end:
        return place
    found = sentence.text.rfind(" ", least, place)
    return found if found >= 0 else least


