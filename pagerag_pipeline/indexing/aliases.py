"""Declared names: "X, also known as Y", "X (Y)" where one abbreviates the other, "a workshop called Tinworks". Works without a parser."""

import re
from collections.abc import Iterator

from pagerag_pipeline.indexing.ontology import ALIAS
from pagerag_pipeline.indexing.reading import Name, Phrase, Sentence
from pagerag_pipeline.indexing.statements import Gathering

_KNOWN = (
    r"(?:(?:who|which) (?:is|was|were|are) |(?:is|was|were|are|had been|has been) )?"
    r"(?:(?:also|better|commonly|formerly|originally|popularly|sometimes|often|simply|generally|usually|once|previously|now|locally|later) )*"
    r"(?:known (?:to \w+ )?(?:as|by the name(?: of)?)|called|nicknamed|referred to as|styled|dubbed|renamed(?: as| to)?|a\.?k\.?a\.?|alias|n[\u00e9e]e)"
)
_BETWEEN = re.compile(rf"[\"\u201d\u2019']?\s*[,(]?\s*{_KNOWN}\s+(?:the |a |an )?[\"\u201c\u2018']?$", re.I)
_OR = re.compile(r",\s+or\s+(?:the\s+)?[\"\u201c\u2018']?$")
_OPENING_BRACKET = re.compile(r"\s+\(\s*[\"\u201c\u2018']?$")
_CALLED = re.compile(r"^\s*,?\s*(?:(?:which|that|who) (?:is|was|were) )?(?:called|named|known as)\s+(?:the\s+)?[\"\u201c\u2018']?$", re.I)
_QUOTED = re.compile(r"\s*[,(]?\s*[\"\u201c]([A-Z][^\"\u201c\u201d]{1,40})[\"\u201d]\s*\)?(?=\s+[A-Z]|[,)])")


def alias_statements(gathering: Gathering) -> None:
    """Add the declared names of a sentence: bearer first, alias second."""
    sentence = gathering.sentence
    names = [name for name in sentence.names if not name.literal]
    for left, right in zip(names, names[1:], strict=False):
        between = sentence.text[left.end : right.start]
        if len(between) > 80 or _quoted(left) == _quoted(right):
            continue
        if _BETWEEN.fullmatch(between) or (_OR.fullmatch(between) and _closes(sentence, right)) or _abbreviates(sentence, left, right, between):
            gathering.add("alias", _phrase(left), ALIAS, _phrase(right), kind="alias")
    for phrase, name in _called(sentence, names):
        gathering.add("apposition", name, "is_a", phrase)


def _quoted(name: Name) -> str:
    return name.surface.casefold()


def _phrase(name: Name) -> Phrase:
    return Phrase(" ".join(name.surface.split()), name.label, name.start, name.end)


def _closes(sentence: Sentence, right: Name) -> bool:
    """", or Y" declares a name only when it is set off: followed by a comma or a verb of being."""
    return re.match(r"[\"\u201d\u2019']?\s*(?:,|is\b|was\b)", sentence.text[right.end : right.end + 8]) is not None


def _abbreviates(sentence: Sentence, left: Name, right: Name, between: str) -> bool:
    """"World Health Organization (WHO)" and "WHO (World Health Organization)"."""
    if not _OPENING_BRACKET.fullmatch(between) or sentence.text[right.end : right.end + 1] not in (")", '"', "\u201d", "\u2019"):
        return False
    return _initials(left.surface) == right.surface.replace(".", "") or _initials(right.surface) == left.surface.replace(".", "")


def _initials(name: str) -> str:
    words = name.split()
    return "".join(word[0] for word in words if word[0].isupper()) if len(words) > 1 else ""


def _called(sentence: Sentence, names: list[Name]) -> Iterator[tuple[Phrase, Phrase]]:
    """"a workshop called Tinworks": Tinworks is a workshop."""
    if not sentence.parsed:
        return
    for name in names:
        for index in range(name.first - 1, max(-1, name.first - 9), -1):
            token = sentence.tokens[index]
            if token.pos == "NOUN" and _CALLED.match(sentence.text[token.end : name.start]):
                if (phrase := sentence.phrase(index)) is not None and not phrase.named:
                    yield phrase, _phrase(name)
                break
