"""What a question asks, read from its words alone: its parts, the type of its answer, the terms and names it rests on."""

import re
from dataclasses import dataclass
from typing import Literal

from pagerag_pipeline.answering.units import UNIT
from pagerag_pipeline.lexical import QUESTION_WORDS, SPACELESS_ASKING, STOP_WORDS, stem, words

AnswerType = Literal["person", "place", "time", "number", "color", "money", "yes_no", "reason", "theme", "thing"]

_NAME = re.compile(r"\b[A-Z\u00c0-\u00de][\w'\u2019.-]*(?:\s+(?:(?:of|the|de|von|van|la|le)\s+)?[A-Z\u00c0-\u00de0-9][\w'\u2019.-]*)*")
_LETTER_A = re.compile(r"(?<=[a-z] )A(?=\s+[a-z]|\s*[?.,;]|\s*$)")
"""The letter as a name ("older is A", "plan A"): a capital in mid-sentence that begins no title."""
_QUOTED = re.compile(r"[\"\u201c\u00ab]([^\"\u201d\u00bb]{2,80})[\"\u201d\u00bb]")
_WH = r"(?:who|whom|whose|when|where|which|what|why|how)"
_PREPOSITION = r"(?:in|on|at|of|from|to|for|by|with|about|into|under|during)"
_PARTS = re.compile(rf"(?:,\s*|;\s*|\?\s*|\s+)(?:and|and also|as well as)\s+(?=(?:{_PREPOSITION}\s+)?{_WH}\b)|[?;]\s+(?=\S)", re.IGNORECASE)
_NOUN_PARTS = re.compile(r"^(?P<lead>(?:who|what|which|when|where)\s+(?:is|are|was|were)\s+|(?:name|give|state|tell me|list)\s+)(?P<first>.+?)"
                         r"(?:,)?\s+(?:and(?: also)?|as well as)\s+(?P<second>(?:his|her|its|their|the)\s+.+)$", re.IGNORECASE)
_WH_WORD = re.compile(rf"\b{_WH}\b", re.IGNORECASE)
_ASKS_YES_NO = re.compile(r"(?:is|are|were|do|does|did|have|had|can|could|would|should|might)\b", re.IGNORECASE)
"""English auxiliaries that begin no question in another language (as `was` does in German, `has` in Spanish)."""
_LAST_NUMBER = re.compile(r"\s[\d.,]+$")
_MEASURE_ASKED = re.compile(r"\bhow (?P<measure>big|large|many|much)\b", re.IGNORECASE)
"""Texts tell sizes and counts by their units and nouns alone."""
_ALSO_ENGLISH = frozenset("comment come dove quale".split())
"""Words that ask in another language and mean something else in English."""
_OPENING = " \n\t\"'(\u00a1\u00bf\u201c\u2018"
_SPACES = re.compile(r"\s{2,}")
_CLAUSE_FIRST = re.compile(rf"(?:when|where|while|after|before|once|as)\b[^,?]+,\s+(?=(?:{_PREPOSITION}\s+)?{_WH}\b)", re.IGNORECASE)
_AUXILIARY = re.compile(r"^(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|might)\b", re.IGNORECASE)
_WORK = r"(?:book|story|text|novel|novella|paper|essay|report|poem|play|author|narrator|corpus|collection)"
_THEME = re.compile(
    r"\b(?:themes?|overview|summar\w+|overall|main (?:idea|point|topic|subject|argument)s?|discuss|central (?:idea|conflict|theme)s?|in general"
    rf"|whole {_WORK}|what is (?:it|this|the {_WORK}) about|develop\w* of|attitude (?:of|to|towards?)|general principle|significance|symboli\w+"
    rf"|portray\w*|suggest\w* about|say\w* about|what (?:part|role) (?:does|do|did) .+ play|how (?:does|do) the {_WORK}\b.* (?:treat|see|view|regard)\w*)\b",
    re.IGNORECASE,
)
_KEYWORDS = r"^(?![^?]*\b(?:is|was|are|were|the)\b)[^?]+ "
"""Before a noun that ends a question without a verb (`Autumn fair 2021 location`): it is what is asked for."""
_TYPES: tuple[tuple[str, AnswerType], ...] = (
    (r"\bhow (?:much (?:money|(?:is|was|are|were|did|does|do|will|would) .* (?:cost|pay|paid|worth|charged?))|expensive)\b"
     r"|\bwhat (?:\w+ )?(?:price|cost|sum|salary|wage)\b"
     r"|\bwhat (?:is|was|are|were) the (?:[\w-]+ ){0,3}(?:price|cost|fee|fare|salary|wage|rent)s?\b(?= (?:of|for|in|to|per)\b|\s*\??$)"
     r"|\bwhat (?:is|was|were) (?:the |[\w.-]+['\u2019]s? )(?:[\w-]+ )?(?:revenue|turnover|budget)s?\b(?= (?:of|for|in)\b|\s*\??$)", "money"),
    (r"\bwhen\b|\bwh(?:at|ich) (?:\w+ )?(?:year|date|day|month|century|decade|time)\b|\bhow long ago\b"
     r"|\bwh(?:at|ich) (?:is|was|are|were) the (?:[\w-]+ ){0,2}(?:date|birthday)s?\b(?= (?:of|for|on|at)\b|\s*\??$)"
     rf"|{_KEYWORDS}(?:date|birthday)\s*\??$", "time"),
    (r"\bhow (?:many|much|old|long|far|tall|high|deep|big|large|often|wide|heavy|thick|broad)\b"
     r"|\bhow fast (?:is|are|was|were|can|do|does|an?)\b|\bwhat (?:\w+ )?(?:number|percentage|share|age)\b", "number"),
    (r"\bwhere\b|\bwh(?:at|ich) (?:\w+ )?(?:city|town|country|place|street|village|state|region|county|birthplace|lane|island)\b|\bbirthplace\b"
     rf"|\bwhat (?:is|was) the (?:[\w-]+ )?(?:location|venue)\b(?= (?:of|for)\b|\s*\??$)|{_KEYWORDS}(?:location|venue)\s*\??$", "place"),
    (r"\bwh(?:at|ich) (?:is the )?colou?r\b|\bcolou?r (?:is|was|are|were)\b", "color"),
    (r"\bwho(?:m|se)?\b|\bwh(?:at|ich) (?:person|man|woman|author|character|king|queen|writer|director|actor|scientist)\b"
     r"|\bwhat (?:is|was) the (?:\w+ )?name of (?:the|a|an|his|her|their) (?:\w+ ){0,2}?\w*(?:man|woman|person|boy|girl|lady|wife|husband|son|daughter|brother|sister)\b"
     r"|\b(?:the|a|its|'s) (?:founder|owner|author|director|inventor)\s*\??$"
     r"|^(?:name|give|what (?:is|was)) the (?:founder|owner|author|director|inventor)\b", "person"),
    (r"^why\b|\bfor what reason\b|\bhow come\b", "reason"),
)
_COMPILED = tuple((re.compile(pattern, re.IGNORECASE), kind) for pattern, kind in _TYPES)
_OWNER = r"(?:the|a|an|his|her|its|their|(?:[\w.-]+\s+){1,4}?[\w.-]+['\u2019]s|[\w.-]+['\u2019]s)"
_ATTRIBUTE = re.compile(rf"\bwh(?:at|ich) (?:is|was|are|were) {_OWNER} (?P<head>(?:[\w'\u2019-]+\s+){{0,3}}?[\w'\u2019-]+)(?=\s+(?:{_PREPOSITION}|that|which|who)\b|\s*[?.,]?\s*$)", re.IGNORECASE)
_VERB = r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|might)"
_WHICH = re.compile(rf"(?<!, )\bwh(?:at|ich) (?!(?:one|{_VERB})\b)(?P<head>[\w'\u2019-]+(?:\s+(?!{_VERB}\b)[\w'\u2019-]+){{0,3}})", re.IGNORECASE)
_CLOSED = re.compile(rf"\bwh(?:at|ich) (?!{_VERB}\b)[\w'\u2019-]+(?:\s+(?!{_VERB}\b)[\w'\u2019-]+){{0,3}}\s+{_VERB}\b", re.IGNORECASE)
_GRADE = re.compile(
    r"\w{2,}est|most|least|real|true|exact|full|actual|original|current|present|common|\d+|one|two|three|four|five|six|seven|eight|nine|ten"
    r"|(?:cause|purpose|result|effect|outcome|origin|meaning|goal|aim|role|topic|function|relation(?:ship)?|consequence|significance|importance"
    r"|nature|method|basis|problem|solution|subject|title|fate|answer|response|reaction|difference|fact|detail|advantage|benefit"
    r"|motive|point|status|component|element|factor)s?|process(?:es)?|caused|led"
)
"""Words that grade a noun, nouns that texts seldom say though they answer for them, and verbs that ask for a cause."""
WHOLE_SENTENCE = ("yes_no", "reason", "theme", "thing")
"""Types that sentences answer, not spans of them."""
ASKING_WORDS = frozenset(
    stem(word)
    for word in (
        "name names called many much year years month day date time hour city town country place street person people man woman character "
        "characters thing things number amount kind type sort color colour way reason example examples describe explain tell list give state "
        "mention mentioned according text book novel story document passage author narrator protagonist first last new different main following "
        "happen happened long old far tall often type does done person's use used make made get got become became refer role event"
    ).split()
)
"""Words that shape a question more than they say what it is about: a text may answer without them."""


ENGLISH_SHARE = 0.25
"""A question with a smaller share of English function words is taken to be in another language."""


MOST_PARTS = 8
"""A text of more parts is no question of several parts but a text: it is judged as a whole, in one pass (chosen, not fitted)."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One question, or one part of a question, as read."""

    text: str
    kind: AnswerType
    terms: tuple[str, ...]
    """Distinct content terms in order, asking words included."""
    names: tuple[str, ...]
    """Capitalized runs and quoted titles, the question's first word apart."""
    chief: str
    """The term that names the relation asked for (the first one after the question word that is no name); empty when there is none."""
    object_asked: bool
    """Whether the question asks for the object of its verb (`whom did X see`) and not for its subject (`who saw X`)."""
    head: frozenset[str] = frozenset()
    """Terms of the noun asked for (`maiden` in `what was her maiden name`), of which an answer must say one; empty when there is none."""

    @property
    def english(self) -> bool:
        """Whether it begins with an English word that asks, or its function words are English: then what is written with a capital is a name."""
        return _is_english(self.text)

    @property
    def distinctive(self) -> tuple[str, ...]:
        """Terms that say what the question is about."""
        return tuple(term for term in self.terms if term not in ASKING_WORDS)


def read_question(text: str) -> Asked:
    """The question as one whole, runs of white space as one space."""
    text = _SPACES.sub(" ", text)
    letter = ("a",) if _LETTER_A.search(text) else ()
    every, left_out = words(SPACELESS_ASKING.sub(" ", text)), _left_out(text)
    terms = tuple(dict.fromkeys(stem(word) for word in every if (word not in STOP_WORDS or word in letter) and word not in left_out))
    names = question_names(text)
    name_terms = {stem(word) for name in names for word in words(name)}
    chief = next((term for term in terms if term not in name_terms and term not in ASKING_WORDS), "")
    object_asked = bool(re.search(r"\b(?:whom|who|what|which \w+) (?:did|does|do)\b", text, re.IGNORECASE))
    return Asked(text.strip(), answer_type(text), terms, names, chief, object_asked, frozenset(_head(text)) - name_terms)


def _is_english(text: str) -> bool:
    every = words(text)
    return bool(_WH_WORD.match(text) or _ASKS_YES_NO.match(text)) or sum(word in STOP_WORDS for word in every) >= ENGLISH_SHARE * len(every)


def _left_out(text: str) -> frozenset[str]:
    """Words that only ask: those of other languages (of an English question no more than the first), single kana, which join, and `large` behind `how`."""
    every = words(text)
    joining = {word for word in words(SPACELESS_ASKING.sub(" ", text)) if len(word) == 1 and "\u3041" <= word <= "\u3096"}
    joining |= {match["measure"].lower() for match in _MEASURE_ASKED.finditer(text)}
    if not _is_english(text):
        return frozenset(joining | QUESTION_WORDS)
    return frozenset(joining | ({*every[:1]} & QUESTION_WORDS - _ALSO_ENGLISH))


def _head(text: str) -> list[str]:
    """Terms of the noun that `what` or `which` asks for, words that shape or grade it apart; none when it asks with a bare verb."""
    match = _ATTRIBUTE.search(text) or _WHICH.search(text)
    phrase = words(match["head"]) if match else []
    own = [word for word in phrase if word not in STOP_WORDS and stem(word) not in ASKING_WORDS and not _GRADE.fullmatch(word)]
    # Without an auxiliary behind it, nothing tells where the noun ends and the verb begins.
    return [stem(word) for word in (own if match and match.re is _ATTRIBUTE or _CLOSED.search(text) else own[:1])]


def split_question(text: str) -> list[Asked]:
    """The parts of a question that asks several things, each once, or the question alone when it asks one, or more than `MOST_PARTS`."""
    text = _SPACES.sub(" ", text)
    pieces = list(dict.fromkeys(stripped for piece in _PARTS.split(text.strip()) if piece and (stripped := piece.strip(" ,;?"))))
    if len(pieces) > MOST_PARTS:
        return [read_question(text)]
    if len(pieces) == 1:
        match = _NOUN_PARTS.match(text.strip(" ?."))
        if match and not match["lead"].lower().startswith("list"):
            pieces = [match["lead"] + match["first"], match["lead"] + match["second"]]
    parts = [read_question(piece) for piece in pieces]
    return parts if len(parts) > 1 and all(part.distinctive for part in parts) else [read_question(text)]


def needs_tagger(text: str) -> bool:
    """Whether some part of a question asks for a span that a tagger helps to find."""
    return any(part.kind not in WHOLE_SENTENCE for part in split_question(text))


def answer_type(text: str) -> AnswerType:
    """The type of answer that the question's words call for."""
    if _THEME.search(text):
        return "theme"
    question = text.strip()
    asking = _asking_place(question)
    matches = [(match, kind) for pattern, kind in _COMPILED for match in pattern.finditer(question)]
    found = [(match.start(), kind) for match, kind in matches if match.start() <= asking < match.end() or not _WH_WORD.search(match.group())]
    if _AUXILIARY.match(question) and not re.match(r"^\w+ (?:you )?(?:tell|say)\b", question, re.IGNORECASE):
        return "yes_no"
    return min(found, key=lambda pair: pair[0])[1] if found else "thing"


def _asking_place(question: str) -> int:
    """Where the word stands that asks: the first of its kind, or the one behind the clause of time or place that a question begins with.

    Another `when`, `where` or `who` behind it only says more of what is asked about ("What did she do when he left?").
    """
    behind = _CLAUSE_FIRST.match(question)
    first = _WH_WORD.search(question, behind.end() if behind else 0)
    return first.start() if first else len(question)


def question_names(text: str) -> tuple[str, ...]:
    """Names as the question writes them, in order."""
    found = [(match.start(1), match.group(1).strip()) for match in _QUOTED.finditer(text)]
    for match in _NAME.finditer(text):
        measured = UNIT.match(text[match.end() :].lstrip())
        name = (_LAST_NUMBER.sub("", match.group()) if measured else match.group()).strip(" .,'\u2019-")
        first, _, rest = name.partition(" ")
        starts_sentence = text[: match.start()].strip(_OPENING)[-1:] in ("", *".?!")
        if starts_sentence and first.casefold() in STOP_WORDS:
            name = rest.strip()
        elif starts_sentence and not rest:
            name = ""
        if name and (name.casefold() not in STOP_WORDS or _LETTER_A.match(text, match.start())):
            found.append((match.start(), name))
    return tuple(dict.fromkeys(name for _, name in sorted(found)))
