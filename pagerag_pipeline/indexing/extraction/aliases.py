"""Declared names: "X, also known as Y", "X (Y)" where one abbreviates the other, "a workshop called Tinworks". Works without a parser."""

import re
from collections.abc import Iterator
from dataclasses import replace

from pagerag_pipeline.indexing.extraction.names import Name
from pagerag_pipeline.indexing.extraction.reading import Phrase, Sentence
from pagerag_pipeline.indexing.extraction.statements import Gathering
from pagerag_pipeline.indexing.ontology import ALIAS

_BE = r"(?:is|was|were|are|had been|has been)"
_HOW = r"(?:(?:[Aa]lso|better|commonly|formerly|originally|popularly|sometimes|often|simply|generally|usually|once|previously|now|locally|later) )*"
_KNOWN = (
    rf"(?:(?:(?:who|which) )?{_BE} )?{_HOW}"
    r"(?:(?:\w+ly )?known (?:\w+ly )?(?:to \w+ )?(?:as|by the name(?: of)?)|referred to as|a\.?k\.?a\.?|alias|n[\u00e9e]e)"
)
"""Words that declare a name wherever they stand."""
_NAMED = (
    rf"(?:[,(]\s*(?:(?:who|which) )?(?:{_BE} )?{_HOW}|(?:(?:who|which) )?{_BE} {_HOW}|(?:[Aa]lso|formerly|originally|locally) )"
    r"(?:called|nicknamed|styled|dubbed|renamed(?: as| to)?)"
)
"""Words that do so set off or after a form of "be": who "called Ann" gave her no name."""
_BETWEEN = re.compile(rf"[\"\u201d\u2019']?\s*(?:[,(]?\s*{_KNOWN}|{_NAMED})\s+(?:the |a |an )?[\"\u201c\u2018']?$")
_OR = re.compile(r",?\s+or\s+(?:simply |just |else )(?:the\s+)?[\"\u201c\u2018']?$|,\s+or\s+(?:the\s+)?[\"\u201c\u2018']?$")
_SHORT = re.compile(r"\s*\(\s*[\"\u201c]?([A-Z](?:\.?[A-Z&]){1,9}\.?)[\"\u201d]?\s*\)")
_CALLED = re.compile(r"^\s*,?\s*(?:(?:which|that|who) (?:is|was|were) )?(?:called|named|known as)\s+(?:the\s+)?[\"\u201c\u2018']?$", re.I)


def alias_statements(gathering: Gathering) -> None:
    """Add the declared names of a sentence: bearer first, alias second."""
    sentence = gathering.sentence
    names = _candidates(sentence)
    for left, right in zip(names, names[1:], strict=False):
        if right.start - left.end <= 80 and _declares(sentence, left, right):
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


def _declares(sentence: Sentence, left: Phrase, right: Phrase) -> bool:
    between = sentence.text[left.end : right.start]
    if _BETWEEN.fullmatch(between):
        return True
    chosen = re.search(r"\b(?:or|either)\s+(?:the\s+)?$", sentence.text[max(0, left.start - 12) : left.start])
    return _OR.fullmatch(between) is not None and chosen is None and _closes(sentence, right)


def _phrase(name: Name) -> Phrase:
    return Phrase(" ".join(name.surface.split()), name.label, name.start, name.end)


def _closes(sentence: Sentence, right: Phrase) -> bool:
    """", or Y" declares a name only when it is set off, by a comma or a verb of being, and no third is named after it: that is a choice."""
    after = sentence.text[right.end : right.end + 12]
    return re.match(r"[\"\u201d\u2019']?\s*(?:,|is\b|was\b)(?!\s*(?:or|and)\b)", after) is not None


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
