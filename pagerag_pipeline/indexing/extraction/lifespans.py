"""Years in brackets after a name: "Ann Hale (3 May 1880 - 1951)", "Bob Fenn (born 1912)". Works without a parser."""

import re

from pagerag_pipeline.indexing.extraction.reading import Phrase, Sentence
from pagerag_pipeline.indexing.extraction.statements import Gathering

_MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_DATE = rf"(?:(?:c\.|ca\.|circa|about)\s*)?(?:\d{{1,2}}(?:st|nd|rd|th)?\s+{_MONTH},?\s+\d{{3,4}}|{_MONTH}\s+(?:\d{{1,2}},?\s+)?\d{{3,4}}|\d{{3,4}})"
_BRACKET = re.compile(
    rf"[\"\u201d]?\s*\(\s*(?:[^()\d]{{0,80}}?[;,]\s*)?(?P<mark>born:?|b\.|n[\u00e9e]e [^()\d]{{1,40}}|died:?|d\.)?\s*(?:[^()\d]{{0,40}}?\s)?"
    rf"(?P<first>{_DATE})(?:[^()\u2013\u2014-]{{0,60}}?\s*[\u2013\u2014-]+\s*(?:died:?\s*)?(?P<second>{_DATE}))?[^()]{{0,60}}\)"
)
_PEOPLE = frozenset({"PERSON", "MISC", "PROPN", "ORG", "GPE", "NORP", "FAC", "LOC"})
"""A small tagger calls people many things; a date of a day, or the word born, says that it is one."""
_OF = re.compile(r"(?:[A-Z][\w'\u2019-]*\s+){1,4}(?:of|de|von|van)\s+$")
_DAY = re.compile(_MONTH)


def lifespan_statements(gathering: Gathering) -> None:
    """Add the dates of birth and death that stand in brackets after a name."""
    sentence = gathering.sentence
    for head in _heads(sentence):
        match = _BRACKET.match(sentence.text, head.end, sentence.end)
        if match is None or head.type not in _PEOPLE:
            continue
        mark = (match.group("mark") or "").rstrip(".:")
        if match.group("second") and (head.type == "PERSON" or _DAY.search(match.group("first"))):
            gathering.add("years", head, "born_date", _date(match, "first"))
            gathering.add("years", head, "died_date", _date(match, "second"))
        elif mark.startswith(("b", "n")):
            gathering.add("years", head, "born_date", _date(match, "first"))
        elif mark.startswith("d"):
            gathering.add("years", head, "died_date", _date(match, "first"))


def _heads(sentence: Sentence) -> list[Phrase]:
    """Names, and where there is a parse, proper nouns outside names, that a bracket follows."""
    found = [Phrase(" ".join(n.surface.split()), n.label, n.start, n.end) for n in sentence.names if not n.literal]
    if sentence.parsed:
        loose = [i for i in range(len(sentence.tokens)) if i not in sentence.name_at and sentence.proper_noun(i)]
        found.extend(p for i in loose if (p := sentence.phrase(i)) is not None and p.named)
    return [_whole(sentence, phrase) for phrase in found if "(" in sentence.text[phrase.end : phrase.end + 3]]


def _whole(sentence: Sentence, phrase: Phrase) -> Phrase:
    """The name with the "Clara of " that stands before it."""
    before = _OF.search(sentence.text, sentence.start, phrase.start)
    if before is None:
        return phrase
    surface = " ".join(sentence.text[before.start() : phrase.end].split())
    return Phrase(surface, "PERSON" if phrase.type == "PERSON" else "PROPN", before.start(), phrase.end)


def _date(match: re.Match[str], group: str) -> Phrase:
    return Phrase(" ".join(match.group(group).split()), "DATE", match.start(group), match.end(group))
