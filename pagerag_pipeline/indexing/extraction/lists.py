"""Lists of what something has: "has four rooms: the Red Room and the Attic", "the rooms of the inn are ..."; works without a parser."""

import re
from collections.abc import Iterator

from pagerag_pipeline.indexing.extraction.reading import Phrase, Sentence
from pagerag_pipeline.indexing.extraction.statements import Gathering
from pagerag_pipeline.lexical import STOP_WORDS

_HAVING = r"(?:has|have|had|contains|contained|contain|includes|included|include|comprises|comprised|consists of|consisted of|houses|holds)"
_VERB = re.compile(rf"\b(?:(?P<no>(?:has|have|had) no|do(?:es)? not have|did not have)|{_HAVING})\s+", re.I)
_NUMBER = r"\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|several|many"
_COUNT = re.compile(
    rf"(?:(?:only|also|now|just|exactly|about|the following)\s+)*(?P<count>{_NUMBER})\s+(?P<noun>[^\W\d_]+(?: [^\W\d_]+)?)", re.I
)
_ROSTER = re.compile(
    rf"(?:^|(?<=[.;:\s]))(?:there (?:are|were) )?(?:(?:the|these) )?(?:(?P<count>{_NUMBER}) )?(?P<noun>[^\W\d_]+s) (?:of|in|at|inside) "
    r"(?:(?:the|this|its|his|her|their) )?(?P<whole>[^\W_][^:;,.!?]{1,60}?)(?: (?:are|were|include|included)(?: called| named)?)?(?P<colon>:)?(?=\s)",
    re.I,
)
_ROSTER_VERB = re.compile(r"\b(?:are|were|include|included)(?: called| named)?$")
_ANNOUNCES = re.compile(r":|\b(?:are|were|included?)\s")
_DETERMINER = re.compile(r"(?:(?:the|a|an|its|his|her|their|one|another|and|as well as|or)\s+)+", re.I)
_SEPARATOR = re.compile(r"\s*(?:,\s*and\s+|;\s*and\s+|,\s*|;\s*|\s+and\s+|\s+as well as\s+)")
_ITEM = re.compile(r"[^\W_][\w'\u2019`&.\-]*(?: [\w'\u2019`&.\-]+){0,4}")
_SUBJECT = re.compile(r"(?:^|[.!?;:,]\s+|\b(?:and|but|that|where)\s+)(?:(?:the|a|an|this|that)\s+)?(?P<noun>[^\W\d_]+(?:[ \-][^\W\d_]+)?)\s+$", re.I)
_STOPS = ("which", "who", "that", "where", "in", "on", "at", "with", "for", "to", "from", "by", "is", "was", "because", "when", "but")


def list_statements(gathering: Gathering) -> None:
    """Add `has` for each item of a list after a verb of having, and the count that announces it as a property."""
    sentence = gathering.sentence
    text = sentence.text[: sentence.end]
    for match in _VERB.finditer(text, sentence.start):
        subject = _subject(sentence, match.start())
        if subject is None:
            continue
        modality = "negated" if match.group("no") else "asserted"
        start = match.end()
        if count := _COUNT.match(text, start):
            noun = count.group("noun").split()[-1] if ":" in text[count.end() : count.end() + 1] else count.group("noun").split()[0]
            value = Phrase(count.group("count"), "CARDINAL", count.start("count"), count.end("count"))
            gathering.add("attribute", subject, noun.casefold(), value, modality=modality)
            colon = text.find(":", count.end() - 1, count.end() + 40)
            if colon < 0:
                continue
            start = colon + 1
        elif sentence.parsed:
            continue
        items = list(_items(sentence, text, start))
        for item in items:
            gathering.add("list", subject, "has", item, modality=modality)
        if items and count:
            _replace(gathering, count.start("noun"), start)
    _rosters(gathering, text)


def _rosters(gathering: Gathering, text: str) -> None:
    """Add `has` for each item of "the rooms of the inn are ..." and of "there are four rooms in the inn: ..."; two items at least, names unless announced."""
    sentence = gathering.sentence
    found = _ROSTER.finditer(text, sentence.start) if _ANNOUNCES.search(text, sentence.start) else ()
    for match in found:
        if not match.group("colon") and not _ROSTER_VERB.search(match.group()):
            continue
        items = list(_items(sentence, text, match.end()))
        whole = _whole(sentence, match)
        if whole is None or len(items) < 2 or not (match.group("colon") and match.group("count") or all(i.surface[0].isupper() for i in items)):
            continue
        _replace(gathering, match.start("noun"), match.end("noun"))
        for item in items:
            gathering.add("list", whole, "has", item)
        return


def _whole(sentence: Sentence, match: re.Match[str]) -> Phrase | None:
    """What the roster is of: a name, or a noun of one or two words."""
    start, end = match.span("whole")
    named = next((name for name in sentence.names if (name.start, name.end) == (start, end) and not name.literal), None)
    surface = match.group("whole")
    if named is not None or surface[0].isupper():
        return Phrase(surface, named.label if named else "PROPN", start, end)
    return Phrase(surface, "NOUN", start, end) if len(surface.split()) <= 2 else None


def _replace(gathering: Gathering, start: int, end: int) -> None:
    """Take back what was said of "rooms" where a list says which: the announcing noun is no further thing."""
    kept = [s for s in gathering.statements if s.rule in ("attribute", "list") or not any(start <= e.start < end for e in (s.head, s.tail))]
    gathering.statements[:] = kept


def _subject(sentence: Sentence, end: int) -> Phrase | None:
    """The name, or the noun with its determiner, that ends just before the verb; a pronoun is none."""
    for name in reversed(sentence.names):
        if not name.literal and name.end <= end and not sentence.text[name.end : end].strip():
            return Phrase(" ".join(name.surface.split()), name.label, name.start, name.end)
    match = _SUBJECT.search(sentence.text, sentence.start, end)
    if match is None or any(word in STOP_WORDS for word in match.group("noun").casefold().split()):
        return None
    return Phrase(match.group("noun"), "NOUN", match.start("noun"), match.end("noun"))


def _items(sentence: Sentence, text: str, start: int) -> Iterator[Phrase]:
    """Items up to the end of the sentence or of the list; a determiner is left out, an item that is no short phrase ends the list."""
    position = start
    for piece in [*_SEPARATOR.finditer(text, start), None]:
        end = piece.start() if piece else len(text)
        phrase = _item(sentence, text, position, end, colon=text[start - 1] == ":")
        if phrase is None:
            return
        yield phrase
        position = piece.end() if piece else end


def _item(sentence: Sentence, text: str, start: int, end: int, *, colon: bool) -> Phrase | None:
    """One item; without a parse and a colon it must begin with a determiner or a capital, since "had killed" has none."""
    start += len(text[start:end]) - len(text[start:end].lstrip())
    if not sentence.parsed and not colon and not text[start:end][:1].isupper() and _DETERMINER.match(text, start, end) is None:
        return None
    if (determiner := _DETERMINER.match(text, start, end)) is not None:
        start = determiner.end()
    match = _ITEM.match(text, start, end)
    if match is None:
        return None
    words = match.group().rstrip(".").split(" ")
    kept: list[str] = []
    for word in words:
        if word.casefold() in _STOPS or word.casefold() in STOP_WORDS:
            break
        kept.append(word)
    surface = " ".join(kept)
    if not surface or surface[0].isdigit() and len(kept) == 1:
        return None
    label = next((name.label for name in sentence.names if name.start == start and name.end - start == len(surface)), "")
    kind = label or ("PROPN" if surface[0].isupper() else "NOUN")
    return Phrase(surface, kind, start, start + len(surface))
