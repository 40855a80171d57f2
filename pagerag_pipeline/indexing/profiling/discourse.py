"""How a text speaks, in figures: dialogue, tense, person, definitions, argument, citation, law, numbers; the ground of form and mode."""

import re
from collections import Counter
from collections.abc import Sequence

from pagerag_pipeline.indexing.profiling.sentences import guess_sentences, read_sentences
from pagerag_pipeline.schema.documents import Block

WINDOW = 3_000
"""Characters read at each of several places of a long text."""

_EVENT_VERBS = (
    "went came took made saw knew thought told found gave got began stood felt left heard kept ran sat brought became grew won lost led fought "
    "built bought sold sent spent met fell rose held lay wrote spoke died said"
).split()
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_QUOTE = re.compile(r"[\"“”«»„「」『』]|(?:^|\s)[‘'](?=\w)|\n[ \t]{0,8}[—–-]{1,2}[ ]?(?=[A-ZÀ-Ý])")
_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]+")
_DEFINITION = re.compile(
    r"\b(?:is|are|was) (?:an?|the|defined|called|known|used|one of|any)\b|\b(?:refers? to|consists? of|such as|known as|defined as|means|includes?)\b"
    r"|\best (?:une?|le|la)\b|\bist (?:eine?|der|die|das)\b|是"
)
_CITATION = re.compile(
    r"\([^()\n]{0,60}\b(?:19|20)\d\d[a-z]?\)|\[\d{1,3}(?:, ?\d{1,3})*\]|\bet al\b|\b(?:BIB|FIG|TAB|SEC)REF|INLINEFORM|\b(?:Fig(?:ure|\.)|Table|Section|Eq\.) ?\d|\barXiv\b|\bdoi\b"
)
_BE = r"(?:is|are|was|were|be|been|being|am|has|have|had|get|got|not|also|often|usually|first|originally|later|now|then|commonly|generally)"
_EVENT = re.compile(rf"\b(?!{_BE}\b)[A-Za-z]+\s+(?:[a-z]{{3,}}ed|{'|'.join(_EVENT_VERBS)})\b(?!\s+by\b)")
_DATED = re.compile(r"\b(?:In|On|By|During|After|From|Since|Until)\s(?:[\w,]+\s){0,4}?(?:1[0-9]\d\d|20[0-4]\d|January|February|March|April|May|June|July|August|September|October|November|December)\b")
_YEAR = re.compile(r"\b1[0-9]\d\d\b|\b20[0-4]\d\b")
_WORDS = {
    "past": (
        "was were had did said went came took made saw knew thought told found gave got began stood felt left heard kept ran sat brought became seemed looked turned "
        "asked replied cried answered spoke fell rose held lay wrote "
        "était avait étaient avaient fut eut fit dit vint prit furent répondit allait faisait "
        "war hatte waren hatten wurde sagte ging kam machte konnte wollte sah stand lag ließ"
    ),
    "present": "is are has have does do can may will 's est sont a ont peut ist sind hat haben kann wird werden",
    "third": "he she his her him himself herself il elle lui son sa ses er ihn ihm sein seine seinen ihre ihrem",
    "first": "i me my mine myself je me mon ma mes moi ich mich mir mein meine",
    "plural": "we our us ours nous notre nos wir unser unsere uns",
    "second": "you your yours vous votre vos du sie ihr",
    "sequence": (
        "then after before later when while until finally soon once already suddenly afterwards subsequently eventually during following meanwhile again next "
        "puis alors après avant quand lorsque pendant enfin bientôt dann nachdem bevor als während bis endlich bald"
    ),
    "modal": "would could might should must ought need needs needed have devrait pourrait faut sollte müsste könnte würde",
    "opinion": (
        "think thinks believe agree support important concern concerns view views idea wish hope feel feels right wrong better worse good bad best worth "
        "crois pense croire bien mal glaube meine gut schlecht"
    ),
    "argument": (
        "therefore thus hence because however although though unless whether ought must should reason reasons argument arguments argue argued claim claims objection "
        "conclude conclusion suppose prove proof principle principles opinion opinions truth justified justify belief believe question clearly surely indeed rather "
        "false true deny cannot neither nor donc car cependant ainsi parce doit raison deshalb denn jedoch muss grund"
    ),
    "research": (
        "dataset datasets data model models baseline baselines experiment experiments experimental results result method methods proposed propose evaluate evaluation "
        "performance training task tasks accuracy hypothesis theory theoretical measured measurements calculated obtained analysis approach investigation presented compared"
    ),
    "law": (
        "shall hereby hereunder hereof thereof herein herewith thereto pursuant party parties agreement clause section subsection notwithstanding licensee licensor "
        "terminate termination liability warranty applicable provisions"
    ),
}
PLAIN = (
    "the a an of to in on at by for with from as into through over under between among against during before after until since when while where who whom whose which "
    "that what how why if because so than then there here this these those it its his him her they them their we our us you your i my me and or but nor not no only "
    "also both each every any some many most more less such other another same own very too just even still yet again once up out off down about around is are was "
    "were be been being has have had do does did can could may might must shall should will would"
).split()
"""Small words of English, each a figure of its own: how often it stands tells how a text speaks and nothing of what it is about."""
_SETS = {name: frozenset(words.split()) for name, words in _WORDS.items()}
_PAST_ENDINGS = {"en": ("ed",), "fr": ("ait", "aient", "èrent", "irent", "urent"), "de": ("te", "ten", "teten")}
_CHINESE = {
    "past": "[了曾]|した|だった|ました",
    "present": "是|です|である|ている",
    "third": "[他她彼]",
    "first": "[我俺私僕]",
    "plural": "我们|我們|私たち",
    "second": "[你您]|あなた",
    "argument": "因此|因为|因為|所以|但是|然而|必须|必須|应该|應該|しかし|だから|なぜなら",
    "sequence": "然后|然後|之后|之後|以后|後來|后来|时候|時候|忽然|便|それから|その後|とき",
    "modal": "应当|應當|可能|也许|也許|能够|能夠|べき|かもしれない",
    "opinion": "认为|認為|觉得|覺得|相信|重要|と思う|重要",
    "research": "数据|數據|模型|方法|结果|結果|实验|實驗|分析|データ|実験|手法",
    "law": "合同|协议|協議|条款|條款|当事人|當事人|契約|責任",
    "abstract": "[性度化论論主]义?",
    "definition": "是指|称为|稱為|包括|例如|とは|という",
}
_DIGIT = re.compile(r"\d")
_ABSTRACT = ("tion", "tions", "ment", "ments", "ness", "ity", "ities", "ism", "ence", "ance", "heit", "keit", "ung", "ité")


def sample(text: str, windows: int, window: int = WINDOW) -> str:
    """At most so many windows of a text, of so many characters each, evenly spaced from its beginning to its end."""
    if len(text) <= windows * window:
        return text
    step = (len(text) - window) / (windows - 1)
    return "\n".join(text[int(at * step) : int(at * step) + window] for at in range(windows))


def measure(text: str, language: str) -> dict[str, float]:
    """Features of a text by name, per 100 words (dialogue, digits, code: per 100 characters), so that they are comparable across lengths.

    `size` is the number of words. Capitals tell nothing in German, so `names` is 0 there; scripts without spaces are counted by characters.
    """
    if language in ("zh", "ja"):
        return _spaceless(text)
    words = _WORD.findall(text)
    folded = [word.casefold() for word in words]
    total = max(1, len(words))
    counts = Counter(folded)
    found = {name: 100 * sum(counts[word] for word in known) / total for name, known in _SETS.items()}
    endings = _PAST_ENDINGS.get(language, ("ed",))
    found["past"] += 100 * sum(times for word, times in counts.items() if word.endswith(endings) and len(word) > 4) / total
    found["abstract"] = 100 * sum(times for word, times in counts.items() if word.endswith(_ABSTRACT) and len(word) > 5) / total
    found["names"] = 0.0 if language == "de" else 100 * len(_NAME.findall(text)) / total
    found["definition"] = 100 * len(_DEFINITION.findall(text.lower())) / total
    found["events"] = found["past"] if language not in ("en", "und") else 100 * sum(1 for _ in _EVENT.finditer(text)) / total
    found["tense"] = _tense(found)
    found |= {word_feature(word): 100 * counts[word] / total for word in PLAIN}
    sentences = read_sentences(text) if language in ("en", "und") else guess_sentences(found["tense"])
    return found | _marks(text, total) | sentences


def word_feature(word: str) -> str:
    """The name of the figure of a small word, which is never that of another figure."""
    return f"word {word}"


def _tense(found: dict[str, float]) -> float:
    """Weight of the past among verbs whose tense can be read, 0 to 100."""
    return 100 * found["past"] / (found["past"] + found["present"] + 0.5)


def _marks(text: str, total: float) -> dict[str, float]:
    characters = max(1, len(text))
    return {
        "citation": 100 * len(_CITATION.findall(text)) / total,
        "dated": 100 * len(_DATED.findall(text)) / total,
        "years": 100 * len(_YEAR.findall(text)) / total,
        "dialogue": 100 * len(_QUOTE.findall(text)) / characters,
        "digits": 100 * len(_DIGIT.findall(text)) / characters,
        "code": 100 * text.count("`") / characters,
        "size": total,
    }


def _spaceless(text: str) -> dict[str, float]:
    total = max(1.0, sum(c.isalpha() for c in text) / 1.6)
    found = {name: 100 * len(re.findall(pattern, text)) / total for name, pattern in _CHINESE.items()}
    tense = _tense(found)
    found |= dict.fromkeys(map(word_feature, PLAIN), 0.0)
    return found | {"names": 0.0, "tense": tense, "events": found["past"]} | _marks(text, total) | guess_sentences(tense)


def cover(blocks: Sequence[Block], kind: str, length: int) -> float:
    """Share of a text, 0 to 1, that stands in blocks of a kind."""
    return min(1.0, sum(block.end - block.start for block in blocks if block.kind == kind) / max(1, length))
