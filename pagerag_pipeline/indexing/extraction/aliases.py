"""Declared names: "X, also known as Y", "X (Y)" where one abbreviates the other, "a workshop called Tinworks". Works without a parser."""

import re
from collections.abc import Iterator
from dataclasses import replace

from pagerag_pipeline.indexing.extraction.names import Name
from pagerag_pipeline.indexing.extraction.reading import Phrase, Sentence
from pagerag_pipeline.indexing.extraction.statements import Gathering
from pagerag_pipeline.indexing.ontology import ALIAS

_KNOWN = (
    r"(?:(?:who|which) (?:is|was|were|are) |(?:is|was|were|are|had been|has been) )?"
    r"(?:(?:[Aa]lso|better|commonly|formerly|originally|popularly|sometimes|often|simply|generally|usually|once|previously|now|locally|later) )*"
    r"(?:(?:\w+ly )?known (?:\w+ly )?(?:to \w+ )?(?:as|by the name(?: of)?)|called|nicknamed|referred to as|styled|dubbed|renamed(?: as| to)?|a\.?k\.?a\.?|alias|n[\u00e9e]e)"
)
_BETWEEN = re.compile(rf"[\"\u201d\u2019']?\s*[,(]?\s*{_KNOWN}\s+(?:the |a |an )?[\"\u201c\u2018']?$")
_OR = re.compile(r",?\s+or\s+(?:simply |just |else )(?:the\s+)?[\"\u201c\u2018']?$|,\s+or\s+(?:the\s+)?[\"\u201c\u2018']?$")
_SHORT = re.compile(r"\s*\(\s*[\"\u201c]?([A-Z](?:\.?[A-Z&]){1,9}\.?)[\"\u201d]?\s*\)")
_CALLED = re.compile(r"^\s*,?\s*(?:(?:which|that|who) (?:is|was|were) )?(?:called|named|known as)\s+(?:the\s+)?[\"\u201c\u2018']?$", re.I)


def alias_statements(gathering: Gathering) -> None:
    """Add the declared names of a sentence: bearer first, alias second."""
    sentence = gathering.sentence
    names = _candidates(sentence)
    for left, right in zip(names, names[1:], strict=False):
        between = sentence.text[left.end : right.start]
        if len(between) <= 80 and _declares(sentence, right, between):
            gathering.add("alias", left, ALIAS, right, kind="alias")
    for name in names:
        if (short := _abbreviation(sentence, name)) is not None:
            gathering.add("alias", name, ALIAS, short, kind="alias")
    for phrase, name in _called(sentence):
        gathering.add("apposition", name, "is_a", phrase)


def _candidates(sentence: Sentence) -> list[Phrase]:
    """What may be declared: names, proper nouns outside them, and a capitalized first word."""
    found = [_phrase(name) for name in sentence.names if not name.literal]
    if sentence.parsed:
        for index, token in enumerate(sentence.tokens):
            loose = index not in sentence.name_at and (sentence.proper_noun(index) or (index == 0 and token.pos == "NOUN"))
            if loose and token.text[0].isupper() and token.dep != "compound" and (phrase := sentence.phrase(index)) is not None:
                found.append(replace(phrase, type="PROPN") if phrase.type == "NOUN" else phrase)
    return sorted(found, key=lambda phrase: (phrase.start, phrase.end))


def _declares(sentence: Sentence, right: Phrase, between: str) -> bool:
    return _BETWEEN.fullmatch(between) is not None or (_OR.fullmatch(between) is not None and _closes(sentence, right))


def _phrase(name: Name) -> Phrase:
    return Phrase(" ".join(name.surface.split()), name.label, name.start, name.end)


def _closes(sentence: Sentence, right: Phrase) -> bool:
    """", or Y" declares a name only when it is set off: followed by a comma or a verb of being."""
    return re.match(r"[\"\u201d\u2019']?\s*(?:,|is\b|was\b)", sentence.text[right.end : right.end + 8]) is not None


def _abbreviation(sentence: Sentence, name: Phrase) -> Phrase | None:
    """"World Health Organization (WHO)": the letters in brackets are the first letters of the name before them."""
    match = _SHORT.match(sentence.text, name.end, sentence.end)
    if match is None or _initials(name.surface) != match.group(1).replace(".", ""):
        return None
    return Phrase(match.group(1), name.type, match.start(1), match.end(1))


def _initials(name: str) -> str:
    words = name.split()
    return "".join(word[0] for word in words if word[0].isupper()) if len(words) > 1 else ""


def _called(sentence: Sentence) -> Iterator[tuple[Phrase, Phrase]]:
    """"a workshop called Tinworks": Tinworks is a workshop."""
    if not sentence.parsed:
        return
    for name in sentence.names:
        for index in range(name.first - 1, max(-1, name.first - 9), -1):
            token = sentence.tokens[index]
            between = sentence.text[token.end : name.start]
            if token.pos == "NOUN" and len(between) <= 40 and _CALLED.match(between):
                if (phrase := sentence.phrase(index)) is not None and not phrase.named:
                    yield phrase, _phrase(name)
                break
