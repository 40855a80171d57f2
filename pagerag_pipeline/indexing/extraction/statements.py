"""Statements while they are being gathered: two phrases and a predicate with what qualifies them, not yet a unit."""

from dataclasses import dataclass, field
from typing import Literal

from pagerag_pipeline.indexing.extraction.reading import Phrase, Sentence
from pagerag_pipeline.indexing.ontology import Ontology
from pagerag_pipeline.schema.documents import TREATISES, Mode
from pagerag_pipeline.schema.knowledge import LITERAL_TYPES, Modality

Kind = Literal["relation", "attribute", "definition", "event", "claim", "alias"]

DEFINED = "defined_as"

RULES = {
    "alias": 0.92,
    "apposition": 0.86,
    "attribute": 0.86,
    "cause": 0.85,
    "chain": 0.60,
    "cued": 0.90,
    "claim": 0.80,
    "company": 0.50,
    "definition": 0.88,
    "doubtful": 0.68,
    "identity": 0.70,
    "copula": 0.88,
    "list": 0.92,
    "pattern": 0.80,
    "place": 0.70,
    "possessive": 0.84,
    "preposition": 0.86,
    "present": 0.80,
    "role": 0.90,
    "together": 0.78,
    "verb": 0.90,
    "years": 0.88,
}
"""Confidence of a statement by the kind of rule that found it: how often such a reading was right on novels and encyclopedia text."""
_WEAK = 0.8
_WEAK_NAMED = 0.86
"""A fleeting act between two names ("Tom told Daisy") is still how a story links its people."""
_VAGUE = 0.8
_HALF_VAGUE = 0.9
"""For a concept of somebody's ("its laws", "certain terms") of which a treatise asserts something: whose or which it is matters less than in a story."""
_EVERYBODY = frozenset({"our", "my", "one's"})
"""In a treatise "our knowledge" is knowledge, and "my senses" are anybody's."""
_SPOKEN = 0.85
"""For an apposition in speech, which is as often a form of address."""
_COMMON = 0.88
"""For a relation read by its name that is said of a common noun, where the text is no treatise: names bear such relations."""
_RESOLVED = 0.9
"""For an end that a pronoun or a definite noun stands for."""
_LOOSE = 0.89
"""For a statement of having or being somewhere whose tail is a common noun: half of those are figures of speech.

In a treatise what something consists of and what is said to be somebody's ("Hume's scepticism") are none, nor is being in something that has a
determiner or a modifier ("in the mind", not "in danger"), but for a few phrases.
"""
_FIGURES = frozenset("right wrong place hand whole contrary habit rate order course direction respect degree form power favour favor majority present dark addition".split())
"""Nouns that are no place after "in" and "on", even with an article."""
_SCHOLARLY = {"narrative": 0.8, "mixed": 0.95, "conceptual": 1.0, "argumentative": 1.0}
_NOUN_ENDS: dict[str, tuple[float, float, float]] = {
    "narrative": (1.0, 0.92, 0.72),
    "mixed": (1.0, 0.94, 0.82),
    "conceptual": (1.0, 1.0, 0.96),
    "argumentative": (1.0, 1.0, 0.96),
}
"""Factor by mode and by how many ends are common nouns: in a story they are props, in a treatise the subject (PAGE-RAG, A_mu)."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of a sentence."""

    kind: Kind
    rule: str
    head: Phrase
    predicate: str
    tail: Phrase
    modality: Modality = "asserted"
    qualifiers: tuple[tuple[str, str], ...] = ()
    category: str = "relation"
    """property | relation | aspect: how it is addressed as a record."""
    rank: int = 0
    """Of relations read by their names: how literally; of several between two ends the most literal one is meant."""


@dataclass(slots=True)
class Gathering:
    """What the rules found in one sentence so far."""

    sentence: Sentence
    ontology: Ontology
    mode: Mode
    statements: list[Statement] = field(default_factory=list)

    def add(self, rule: str, head: Phrase | None, predicate: str, tail: Phrase | None, **more: object) -> None:
        """Add a statement when both ends are there and differ; the kind follows from the ends unless given."""
        if head is None or tail is None or head.type in LITERAL_TYPES or head.surface.casefold() == tail.surface.casefold():
            return
        literal = tail.type in LITERAL_TYPES
        kind = "attribute" if literal else "definition" if predicate == DEFINED else "event" if self._happens(rule, predicate) else "relation"
        given = {"kind": kind, "category": "property" if literal else "relation", **more}
        self.statements.append(Statement(rule=rule, head=head, predicate=predicate, tail=tail, **given))  # type: ignore[arg-type]

    def _happens(self, rule: str, predicate: str) -> bool:
        """Whether a statement tells an event: what a verb says in a story, when it happens at a moment."""
        known = self.ontology.predicates.get(predicate)
        return self.mode == "narrative" and rule in ("verb", "preposition") and known is not None and known.event


def confidence_of(statement: Statement, ontology: Ontology, mode: Mode) -> float:
    """Confidence of a statement: its rule's, less for fleeting verbs, for common nouns (by mode) and for phrases that hang on a pronoun."""
    confidence = RULES[statement.rule]
    known = ontology.predicates.get(statement.predicate)
    if known is not None:
        both_named = statement.head.named and statement.tail.named
        confidence *= (_WEAK_NAMED if both_named else _WEAK) if known.force == "weak" else _SCHOLARLY[mode] if known.force == "scholarly" else 1.0
        if statement.tail.type == "NOUN" and _loosely(statement, known.name, known.tail, mode):
            confidence *= _LOOSE
    nouns = sum(1 for end in (statement.head, statement.tail) if end.type == "NOUN")
    if statement.head.type == "NOUN" or statement.rule not in ("apposition", "copula"):
        confidence *= _NOUN_ENDS[mode][nouns]
    if statement.rule == "cued" and statement.head.type == "NOUN" and mode in ("narrative", "mixed"):
        confidence *= _COMMON
    if statement.rule == "apposition" and statement.modality == "reported":
        confidence *= _SPOKEN
    confidence *= min(_clarity(end, statement, mode) for end in (statement.head, statement.tail))
    if statement.head.how or statement.tail.how:
        confidence *= _RESOLVED
    return round(confidence, 4)


def _loosely(statement: Statement, predicate: str, tail: str, mode: Mode) -> bool:
    """Whether a statement about a common noun is one of having or being somewhere that may be a figure of speech."""
    if mode in TREATISES and predicate == "has" and statement.rule in ("preposition", "possessive"):
        return False
    if mode in TREATISES and predicate == "located_at" and statement.rule == "preposition":
        return statement.tail.bare or statement.tail.surface.casefold().split(" of ")[0].split()[-1] in _FIGURES
    return statement.rule != "list" and (tail == "place" or predicate in ("has", "located_at"))


def _clarity(end: Phrase, statement: Statement, mode: Mode) -> float:
    """How clear it is what a phrase means: in a treatise a concept may be everybody's, or somebody's of whom it is asserted."""
    if not end.vague:
        return 1.0
    if mode not in TREATISES or not end.hangs_on or statement.rule == "apposition":
        return _VAGUE
    return 1.0 if end.hangs_on in _EVERYBODY else _HALF_VAGUE if statement.modality == "asserted" else _VAGUE
