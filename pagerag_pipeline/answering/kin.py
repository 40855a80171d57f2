"""Questions for somebody's kin: a name answers where the sentence tells that it is that kin of the one asked about, and nowhere else."""

import re

from pagerag_pipeline.answering.asked import Asked
from pagerag_pipeline.lexical import STOP_WORDS, stem, words

KIN = (
    "father mother brother sister son daughter wife husband uncle aunt cousin nephew niece grandfather grandmother grandson granddaughter widow "
    "widower fiance fiancee bride bridegroom stepfather stepmother godfather godmother twin parent spouse child"
).split()
_PRONOUNS = r"his|her|their|its|my|our|your"
_DESCRIBING = r"(?:(?!(?:of|who|whom|that|which|his|her|their|its|and|or|to)\b)[\w-]+\s+)"
"""A word before a word of kin that may describe it."""
_NAMES = r"(?:[A-Z\u00c0-\u00de][\w.-]*(?:\s+|(?=['\u2019])))+"
_BEING = r"(?:is|was|are|were|has been|had been)(?: now| then)?"
_CAPITALIZED = re.compile(r"(?<![\w.])[A-Z\u00c0-\u00de][\w-]+")
_ASKED = re.compile(
    rf"\bwho\s+(?:{_BEING})\s+(?:the\s+)?(?P<owner>[^?]*?)(?:['\u2019]s?)\s+(?:[\w-]+\s+){{0,2}}?(?P<kin>{'|'.join(KIN)})s?\b\s*\??\s*$"
    rf"|\bwho\s+(?:{_BEING})\s+(?:the\s+)?(?:[\w-]+\s+){{0,2}}?(?P<kin2>{'|'.join(KIN)})s?\s+(?:of|to)\s+(?P<owner2>[^?]+?)\s*\??\s*$"
    rf"|\b(?:name|called)\b.*?\b(?P<owner3>[^?]*?)['\u2019]s?\s+(?:[\w-]+\s+){{0,2}}?(?P<kin3>{'|'.join(KIN)})s?\b[^?]{{0,12}}\??\s*$",
    re.IGNORECASE,
)


def asks_kin(asked: Asked) -> bool:
    """Whether a question asks who somebody's kin is."""
    return _ASKED.search(asked.text) is not None


def is_kin(asked: Asked, sentence: str, start: int, end: int) -> bool:
    """Whether a sentence says of the name at a place that it is the kin asked for: `X's sister Y`, `Y, the sister of X`, `his sister Y` where X is named."""
    match = _ASKED.search(asked.text)
    if match is None:
        return False
    kin = (match["kin"] or match["kin2"] or match["kin3"]).lower()
    owner = {stem(word) for word in words(match["owner"] or match["owner2"] or match["owner3"] or "") if word not in STOP_WORDS}
    before = _before(kin, sentence[:start])
    told = _behind(kin, sentence[end:]) if before is None else before
    if told is None:
        return False
    said = {stem(word) for word in words(told)} - {stem(word) for word in STOP_WORDS}
    if said:
        return said <= owner or owner <= said
    if any(stem(word.lower()) not in owner and word.lower() not in STOP_WORDS for word in _CAPITALIZED.findall(sentence[:start])):
        return False
    elsewhere = {stem(word) for word in words(sentence[:start] + " " + sentence[end:])}
    return bool(owner & elsewhere)


def _before(kin: str, text: str) -> str | None:
    """Whose kin stands right before a name (`Mary's elder sister `); empty for a pronoun or an article, None where no such word stands there."""
    match = re.search(
        rf"(?:(?P<owner>{_NAMES})['\u2019]s?|\b(?:{_PRONOUNS}|the|a|an|one|only))\s+{_DESCRIBING}{{0,2}}?{kin}(?:\s+of\s+(?P<of>{_NAMES}))?"
        rf"\s*(?:,|\s(?:is|was|were|named|called|being)|,\s+(?:named|called))?\s*(?:Mrs?\.\s+)?$",
        text,
    )
    return None if match is None else (match["owner"] or match["of"] or "").strip()


def _behind(kin: str, text: str) -> str | None:
    """The same of what stands right behind a name (`, the sister of Mary`, ` was Mary's sister`)."""
    match = re.match(
        rf"\s*,?\s*(?:who\s+)?(?:is|was|were|had\s+been|being)?\s*(?:(?P<owner>{_NAMES})['\u2019]s?|\b(?:{_PRONOUNS}|the|a|an|only))\s+{_DESCRIBING}{{0,3}}?{kin}\b"
        rf"(?:\s+(?:of|to)\s+(?:the\s+)?(?P<of>{_NAMES}|[\w-]+))?",
        text,
    )
    return None if match is None else (match["owner"] or match["of"] or "").strip()
