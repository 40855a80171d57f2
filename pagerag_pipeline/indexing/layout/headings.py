"""Paragraphs that look like headings of plain text: each by itself, by its words and its shape. Which of them count is decided in `outline`."""

import re
from dataclasses import dataclass

from pagerag_pipeline.indexing.layout.numerals import CHINESE_DIGITS, number_of, roman
from pagerag_pipeline.indexing.layout.paragraphs import Paragraph

LONGEST = 200
"""Characters that a heading with its own title may have."""

_ORNAMENT = re.compile(r"[-–—_=*~•.\s]{4,}|\[[^\]]{0,80}\]")
_EDGE = " _*#=~\t\u3000"
_KEYWORDS = {
    "volume": "volume vol tome band",
    "book": "book buch livre libro",
    "part": "part teil partie parte",
    "act": "act acte akt aufzug",
    "chapter": "chapter chap chapitre kapitel capítulo capitolo stave canto elegy lecture lesson essay fable night adventure episode",
    "letter": "letter lettre brief epistle",
    "scene": "scene scène szene auftritt",
    "section": "section sect article article abschnitt",
}
_FAMILY = {word: family for family, words in _KEYWORDS.items() for word in words.split()}
RANKS = {"volume": 10, "book": 20, "part": 25, "act": 30, "chapter": 40, "letter": 40, "listed": 42, "caps": 45, "scene": 50, "section": 50, "roman": 60, "arabic": 70}
"""How far out a family of headings stands unless the text shows otherwise; smaller is further out."""

_WORDS = "|".join(sorted(_FAMILY, key=len, reverse=True))
_NUMERAL = r"(?:the\s+)?[ivxlcdm]+(?![\w'’])|\d{1,3}(?:st|nd|rd|th)?(?!\w)|(?:the\s+)?[^\W\d_]+(?:[- ](?:one|two|three|four|five|six|seven|eight|nine|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth))?"
_BEFORE = re.compile(rf"(?P<word>{_WORDS})\b\.?\s+(?:no\.?\s+)?(?P<number>{_NUMERAL})(?P<rest>.*)", re.IGNORECASE | re.DOTALL)
_AFTER = re.compile(rf"(?:the\s+)?(?P<number>[^\W\d_]+(?:-[^\W\d_]+)?|\d{{1,3}}\.?(?:st|nd|rd|th|er|e)?)\s+(?P<word>{_WORDS})\b(?P<rest>.*)", re.IGNORECASE | re.DOTALL)
_CHINESE = re.compile(rf"第(?P<number>[{CHINESE_DIGITS}]{{1,8}})(?P<word>[回章節节卷部篇集幕折話话])(?P<rest>.*)", re.DOTALL)
_CHINESE_FAMILY = {"卷": "book", "部": "part", "篇": "part", "集": "part", "幕": "act", "節": "section", "节": "section"}
_ROMAN = re.compile(r"[\[(§]?\s*(?P<number>[IVXLCDM]+|[ivxl]+)\s*[\])]?(?P<mark>[.:)—–-]*)(?P<rest>.*)", re.DOTALL)
_ARABIC = re.compile(r"[\[(§]?\s*(?P<number>\d{1,3}(?:\.\d{1,2}){0,3})\s*[\])]?(?P<mark>[.:)—–-]*)(?P<rest>.*)", re.DOTALL)
_NAMED = {
    "contents": r"(?:table of )?contents|inhalt(?:sverzeichnis)?|table(?: des mati[eè]res)?|chapters|目录|目錄|目次"
    r"|(?:list of )?(?:illustrations|woodcuts|plates|figures|tables|maps)",
    "front": r"preface(?: to .*)?|foreword|introduction|introductory(?: note| remarks)?|prefatory note|dedication|acknowledge?ments?|(?:author|editor|translator|publisher)['’]s (?:note|preface)"
    r"|transcriber['’]s notes?|note|to the reader|advertisement|biographical (?:note|introduction)|dramatis personae|characters|pr[ée]face|avant-propos|avertissement|vorwort|einleitung|vorrede|前言|序言?",
    "whole": r"prologue|epilogue|conclusion|prelude|interlude|postscript|finale|coda|prolog|epilog|schluss|épilogue|尾声|楔子",
    "back": r"foot-?notes?(?: [^\d]{1,30})?|end-?notes|notes(?: (?:to|on) .{1,60})?|index(?: of .{1,40})?|glossary|(?:a )?(?:brief |select )?bibliograph(?:y|ical note)(?: of .{1,60})?|references|works cited"
    r"|appendi(?:x|ces)(?:\s.{1,60})?|errata|afterword|colophon|anmerkungen|nachwort|anhang|notes et variantes|literaturverzeichnis",
}  # fmt: skip
_NAMES = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _NAMED.items()}
_CLOSING = re.compile(r"(?:the )?end\b.*|fin(?:is|e)?|ende|\W*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: where it stands, the family it belongs to with its number there, and what it says."""

    index: int
    """Of its paragraph."""
    start: int
    end: int
    family: str
    """A key of RANKS, or contents | front | whole | back for named parts."""
    number: int | None
    title: str
    bare: bool = False
    """It has a number and no title of its own yet."""
    top: int = 0
    """The first of several numbers (2 of `2.1`), for arabic ones."""
    depth: int = 1
    """How many numbers it has (2 for `2.1`)."""


def plain_words(text: str) -> str:
    """A heading without ornaments, on one line."""
    return " ".join(_ORNAMENT.sub(" ", text).split()).strip(_EDGE)


def read_heading(paragraph: Paragraph, index: int) -> Heading | None:
    """The heading that a paragraph may be, or None: a keyword with a number, a number, a known name, or capitals."""
    if len(paragraph.text) > LONGEST or paragraph.lines > 5 or paragraph.text[:1] in "\"'“‘«»":
        return None
    words = plain_words(paragraph.text)
    if not words or len(words) > LONGEST:
        return None
    found = _keyword(words) or _named(words) or _numbered(words) or _capitals(words)
    if found is None:
        return None
    family, number, bare = found
    top, depth = _dotted(words) if family == "arabic" else (number or 0, 1)
    return Heading(index, paragraph.start, paragraph.end, family, number, words, bare, top, depth)


def normal_key(text: str) -> str:
    """Letters and digits of a heading or of a line of a table of contents, for comparison."""
    return "".join(c for c in text.casefold() if c.isalnum())


def _keyword(words: str) -> tuple[str, int, bool] | None:
    chinese = _CHINESE.match(words)
    if chinese and len(words) <= 60 and (chinese["rest"][:1] in " :：、" or (len(words) <= 20 and words[-1] not in "。，；！？")):
        family = _CHINESE_FAMILY.get(chinese["word"], "chapter")
        return family, number_of(chinese["number"]) or 0, not chinese["rest"].strip()
    for pattern in (_BEFORE, _AFTER):
        match = pattern.match(words)
        if match and (number := number_of(match["number"]) or _last(match["number"])) and _title_follows(match["rest"]):
            return _FAMILY[match["word"].casefold()], number, not match["rest"].strip(" .:—–-")
    return None


def _last(word: str) -> int:
    return 999 if word.casefold() in ("the last", "last") else 0


def _title_follows(rest: str) -> bool:
    """Whether what stands after the number can be a title: nothing, or words set apart or with a capital."""
    stripped = rest.strip()
    if not stripped.strip(".:—–-"):
        return True
    if rest[0].isalnum() or stripped[0] in ",;'’":
        return False
    apart = stripped[0] in ".:—–-("
    first = stripped.lstrip(".:—–-_*( \"“‘'[")[:1]
    return bool(first) and (apart or not first.islower())


def _named(words: str) -> tuple[str, None, bool] | None:
    bare = words.strip(" .:—–-()[]")
    for name, pattern in _NAMES.items():
        if pattern.fullmatch(bare) and (bare[:1].isupper() or not bare.isascii()):
            return name, None, False
    return None


def _numbered(words: str) -> tuple[str, int, bool] | None:
    """A bare number, or a number set apart from a short title."""
    for family, pattern in (("roman", _ROMAN), ("arabic", _ARABIC)):
        match = pattern.match(words)
        if not match:
            continue
        number = roman(match["number"]) if family == "roman" else int(match["number"].rsplit(".", 1)[-1])
        rest = match["rest"].strip(" .:—–-")
        if number and not rest:
            return family, number, True
        apart = match["mark"] or (family == "arabic" and match["rest"].startswith(" "))
        if number and apart and not match["number"].islower() and len(words) <= 100 and (rest[:1].isupper() or rest[:1] in "\"“‘«_") and not _sentence(words):
            return family, number, False
    return None


def _sentence(words: str) -> bool:
    """Whether words end like a sentence of prose and are no title: a final stop, and mostly lower-case words."""
    if words[-1] not in ".!?;,":
        return words[-1] in ";,"
    parts = [w for w in words.split() if w[:1].isalpha() and len(w) > 3]
    return len(words) > 60 and sum(w[0].islower() for w in parts) > len(parts) / 2


def _capitals(words: str) -> tuple[str, None, bool] | None:
    letters = [c for c in words if c.isalpha()]
    upper = sum(c.isupper() for c in letters)
    if len(letters) < 3 or upper < 0.95 * len(letters) or len(words) > 150 or words[-1] in "!?\"”’'-)]" or _CLOSING.fullmatch(words):
        return None
    return "caps", None, False


def _dotted(words: str) -> tuple[int, int]:
    match = _ARABIC.match(words)
    numbers = match["number"].split(".") if match else ["0"]
    return int(numbers[0]), len(numbers)
