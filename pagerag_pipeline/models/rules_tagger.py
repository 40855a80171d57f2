"""A tagger of rules alone: sentence ends, words by pattern, names as runs of capitalized words. No model, no parser, any language."""

import re
from collections.abc import Sequence

from pagerag_pipeline.lexical import STOP_WORDS
from pagerag_pipeline.schema.documents import Span
from pagerag_pipeline.schema.knowledge import NamedSpan, Tagged, Token

FINGERPRINT = "rules/2"
UNKNOWN = "MISC"
"""Label of a name whose type the rules cannot tell."""

_SENTENCE_END = re.compile(r"[.!?\u2026]+[\"'\u201d\u2019)\]]*(?=\s|$)|[\u3002\uff01\uff1f\uff61]+[\u300d\u300f\u201d]*|[\u061f\u06d4\u0964\u0965]+|\n\s*\n")
_ABBREVIATION = re.compile(r"(?:\b(?:Mr|Mrs|Ms|Dr|St|Sr|Jr|Prof|Rev|Hon|Capt|Col|Gen|Lt|Sgt|Mt|No|vs|etc|Inc|Ltd|Co|Mme|Mlle)|\b[^\W\d_])\.$")
_TOKEN = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['\u2019`\-][^\W\d_]+)*|[^\w\s]|_+|\w")
_LETTERS = re.compile(r"[^\W\d_]")
_YEAR = re.compile(r"(?:1[0-9]|20)\d\d")
_QUOTED_TITLE = re.compile(r"[\u300a\u300e]([^\u300a\u300b\u300e\u300f\n]{1,60})[\u300b\u300f]")
_LINKS = frozenset({"of", "de", "du", "des", "von", "van", "der", "den", "la", "le", "di", "da"})
_TITLES = frozenset("mr mrs ms miss dr sir lady lord sister brother father mother captain professor saint st aunt uncle".split())
_NOT_NAMES = STOP_WORDS | frozenset(
    "i yes no one two three four five six seven eight nine ten many every each another chapter part section today yesterday tomorrow "
    "monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october "
    "november december here there however later soon once still even perhaps although though while since until unless never nothing "
    "nobody everyone everybody someone something dear oh ah well please now much several two its let".split()
)


class RulesTagger:
    """Deterministic tagging without a model."""

    fingerprint = FINGERPRINT

    def tag(self, texts: Sequence[str], language: str) -> list[Tagged]:
        """One Tagged per text, in order; lemma is the case-folded word, pos and dep are empty, head is -1."""
        return [tag_text(text) for text in texts]


class SentenceSplitter:
    """The sentences that the rules tagger finds, without words and names: half its work."""

    fingerprint = FINGERPRINT

    def tag(self, texts: Sequence[str], language: str) -> list[Tagged]:
        """One Tagged per text, in order, with sentences alone."""
        return [Tagged(tuple(_sentences(text)), (), ()) for text in texts]


def tag_text(text: str) -> Tagged:
    """One text, tagged."""
    sentences = _sentences(text)
    tokens: list[Token] = []
    for ordinal, sentence in enumerate(sentences):
        for match in _TOKEN.finditer(text, sentence.start, sentence.end):
            word = match.group()
            tokens.append(Token(match.start(), match.end(), word, word.casefold(), "", "", -1, ordinal))
    names = sorted([*_names(tokens, sentences, text), *_quoted_titles(text), *_years(tokens)], key=lambda name: (name.start, -name.end))
    return Tagged(tuple(sentences), tuple(tokens), tuple(_without_overlaps(names)))


def _sentences(text: str) -> list[Span]:
    sentences: list[Span] = []
    start = 0
    for match in _SENTENCE_END.finditer(text):
        if _ABBREVIATION.search(text, max(start, match.start() - 6), match.start() + 1):
            continue
        _add_sentence(text, start, match.end(), sentences)
        start = match.end()
    _add_sentence(text, start, len(text), sentences)
    return sentences


def _add_sentence(text: str, start: int, end: int, sentences: list[Span]) -> None:
    part = text[start:end]
    begin = start + len(part) - len(part.lstrip())
    finish = start + len(part.rstrip())
    if begin < finish and _TOKEN.search(text, begin, finish):
        sentences.append(Span(begin, finish))


def _names(tokens: Sequence[Token], sentences: Sequence[Span], text: str) -> list[NamedSpan]:
    plain = {token.text for token in tokens if token.text.islower()}
    names: list[NamedSpan] = []
    run: list[Token] = []
    for token in tokens:
        if run and token.text == "." and token.start == run[-1].end and _abbreviated(run[-1]):
            continue
        if run and (not _continues(run, token, text) or (not _capitalized(token) and token.lemma not in _LINKS)):
            _close(run, sentences, plain, names)
            run = []
        if _capitalized(token) or (run and token.lemma in _LINKS):
            run.append(token)
    _close(run, sentences, plain, names)
    return names


def _capitalized(token: Token) -> bool:
    return token.text[0].isupper() and bool(_LETTERS.match(token.text))


def _continues(run: Sequence[Token], token: Token, text: str) -> bool:
    if token.sentence != run[-1].sentence:
        return False
    gap = text[run[-1].end : token.start]
    return (not gap.strip() and 0 < len(gap) <= 6) or (gap in (". ", ".", ".\n") and _abbreviated(run[-1]))


def _abbreviated(token: Token) -> bool:
    return token.lemma in _TITLES or len(token.text) == 1


def _close(run: list[Token], sentences: Sequence[Span], plain: set[str], names: list[NamedSpan]) -> None:
    """Add the run as a name, without links at its end and without a first word that is only capitalized by its place."""
    while run and run[-1].lemma in _LINKS:
        run = run[:-1]
    while run and (run[0].lemma in _NOT_NAMES or run[0].lemma in _LINKS):
        run = run[1:]
    if not run:
        return
    opening = run[0].start == sentences[run[0].sentence].start
    if opening and len(run) == 1 and run[0].lemma in plain:
        return
    names.append(NamedSpan(run[0].start, run[-1].end, "PERSON" if run[0].lemma in _TITLES and len(run) > 1 else UNKNOWN))


def _quoted_titles(text: str) -> list[NamedSpan]:
    return [NamedSpan(match.start(1), match.end(1), "WORK_OF_ART") for match in _QUOTED_TITLE.finditer(text)]


def _years(tokens: Sequence[Token]) -> list[NamedSpan]:
    return [NamedSpan(token.start, token.end, "DATE") for token in tokens if _YEAR.fullmatch(token.text)]


def _without_overlaps(names: Sequence[NamedSpan]) -> list[NamedSpan]:
    kept: list[NamedSpan] = []
    for name in names:
        if not kept or name.start >= kept[-1].end:
            kept.append(name)
    return kept
