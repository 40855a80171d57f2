"""Statements of prepositional phrases: "stands on Harbour Lane", "lived in Hale", "appointed Ann as head"."""

from collections.abc import Mapping

from pagerag_pipeline.indexing.extraction.clause_parts import Clause, prepositions
from pagerag_pipeline.indexing.extraction.reading import Phrase
from pagerag_pipeline.indexing.extraction.statements import Gathering
from pagerag_pipeline.indexing.ontology import ALIAS
from pagerag_pipeline.schema.knowledge import LITERAL_TYPES

_OF_THE_OBJECT = frozenset({"as", "after"})
"""Prepositions that say something of a verb's object: "appointed Ann as head"."""
PLACE_PREPOSITIONS = frozenset({"in", "at", "on", "near", "beside", "by", "inside", "outside", "behind", "under", "above", "opposite"})
_PLACE_TYPES = frozenset({"GPE", "LOC", "FAC"})
UNSAID = frozenset(
    "say think do let try seem appear go come turn look cry exclaim demand reply whisper murmur mutter shout ask answer interrupt continue suggest".split()
)
"""Verbs that state nothing without their complement, and verbs of saying."""


def prepositional_statements(
    gathering: Gathering, clause: Clause, subject: Phrase, objects: list[Phrase], more: Mapping[str, object]
) -> None:
    """Add what the prepositional phrases of a verb say of its subject, or of its objects."""
    sentence, ontology = gathering.sentence, gathering.ontology
    for preposition, target in prepositions(sentence, clause.verb):
        tail = sentence.phrase(target)
        if tail is None or tail.type in LITERAL_TYPES:
            continue
        known = ontology.said_by(f"{clause.lemma}_{preposition}", gathering.mode)
        if known == ALIAS and not (subject.named and tail.named):
            continue
        if known is not None:
            for head in objects if objects and preposition in _OF_THE_OBJECT else (subject,):
                gathering.add("preposition", head, known, tail, **more)
        elif clause.passive or clause.lemma in UNSAID:
            continue
        elif preposition in PLACE_PREPOSITIONS and tail.type in _PLACE_TYPES and subject.named:
            gathering.add("present", subject, "present_at", tail, **more)
        elif not objects and tail.named:
            gathering.add("preposition", subject, f"{clause.lemma}_{preposition}", tail, **more)
