"""Names that one sentence mentions together without a statement that joins them: too weak to stand alone, telling when it recurs."""

from itertools import combinations

from pagerag_pipeline.indexing.extraction.reading import Phrase
from pagerag_pipeline.indexing.extraction.statements import Gathering

MENTIONED_WITH = "mentioned_with"
_MOST_NAMES = 4
"""In a sentence of more names (a list), only neighbors are paired."""
_NO_COMPANY = frozenset({"NORP", "LANGUAGE", "LAW"})


def company_statements(gathering: Gathering) -> None:
    """Add `mentioned_with` for pairs of names that no statement so far joins.

    Its confidence lets it pass gate G4 only when at least two distinct spans mention the pair, so that a story's people are linked by how
    often they meet, with every meeting as evidence.
    """
    sentence = gathering.sentence
    names: dict[str, Phrase] = {}
    for name in sentence.names:
        if not name.literal and name.label not in _NO_COMPANY:
            names.setdefault(name.surface.casefold(), Phrase(" ".join(name.surface.split()), name.label, name.start, name.end))
    keys = list(names)
    pairs = combinations(keys, 2) if len(keys) <= _MOST_NAMES else zip(keys, keys[1:], strict=False)
    joined = {frozenset((s.head.surface.casefold(), s.tail.surface.casefold())) for s in gathering.statements}
    for pair in pairs:
        if frozenset(pair) not in joined:
            head, tail = sorted(pair)
            gathering.add("company", names[head], MENTIONED_WITH, names[tail])
