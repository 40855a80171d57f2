"""Whether a hop asks for something specific or for something abstract, where its planner does not say (PankRAG, section 4.3)."""

import re

from pagerag_pipeline.answering.asked import answer_type, question_names
from pagerag_pipeline.systems.planning.hops import PLACE, HopScope

_ABSTRACT = re.compile(
    r"^\s*(?:how|why)\b(?! (?:many|much|old|long|far|tall|high|deep|big|large|often|wide|heavy)\b)"
    r"|\b(?:impacts?|influences?|effects?|implications?|consequences?|overview|summar\w+|themes?|trends?|challenges|benefits|significance|role of|main ideas?)\b",
    re.IGNORECASE,
)


def scope_of(text: str) -> HopScope:
    """`specific` where a name stands, an answer comes in, or one fact is asked; `abstract` for how, why, impact, overview without a name."""
    if question_names(text) or PLACE.search(text):
        return "specific"
    return "abstract" if answer_type(text) == "theme" or _ABSTRACT.search(text) else "specific"
