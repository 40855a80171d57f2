"""The language of a text by its script and its commonest words; no model, no list of names."""

import re
from collections import Counter

UNKNOWN = "und"
"""The code of a text whose language too few words tell."""
SAMPLE = 20_000
"""Characters looked at, in three parts: beginning, middle, end."""
LEAST_EVIDENCE = 1.0
"""The fewest words of one language alone, or as much in words that several share, from which a text has a language ..."""
LEAST_WORDS = 2
"""... how many different ones they must be ..."""
LEAST_SHARE = 0.08
"""... the share of all its words that they must be ..."""
LEAD = 1.25
"""... and how many times as much as for any other language."""
_WORD = re.compile(r"\b(?:[cdjlmnst]|qu)'|[^\W\d_]+(?:'(?:s|t|m)\b)?")
_COMMON = {
    "en": "the of and to a in is was he she it that his her with for as had not but which you from by are were be this have an at on or they "
    "their we i my who what when there will would been has its no one all so if about into out up than then them him do did said how can more "
    "your where may also after other some could our only very it's don't isn't i'm that's didn't",
    "fr": "le la les de des du et en un une que qui dans il elle est pas pour sur avec ce cette ces ne se je tu nous vous ils elles au aux son sa "
    "ses mon ma mes par plus mais ou où était sont fut comme tout tous bien avait être fait leur lui me te y on si même sans dit ont c' d' j' l' n' qu' s'",
    "de": "der die und das den dem von zu mit sich des ist nicht ein eine einen einem einer auf er sie es im ich du wir ihr war hatte daß dass als "
    "auch an aus bei nach noch nur so wie für über um am zum zur wenn aber oder kein keine sein seine seinen ihre ihren haben hat sind wird wurde vor "
    "doch man schon mehr was ja",
    "es": "el la los las de del que y en un una por con se no su sus para al lo como más pero es era fue son este esta ese yo me mi te le les ya o "
    "si muy sin sobre también hasta hay donde cuando todo qué ser había porque él",
    "it": "il la di del della che e è un una uno per non con le gli i al alla nel nella lo si sono era come più ma da dal dalla in ed questo questa "
    "mi ti ci anche suo sua io lui lei quando dei delle degli ha ho era l'",
    "pt": "o os as de do da dos das que e é em um uma para com não se no na nos nas por mais mas como ao à foi era ele ela seu sua eu me sem ou "
    "quando muito também já são pelo pela isso",
    "nl": "de het een en van dat in is op te zijn niet met hij die voor aan er maar zich ik je was had ook als bij om naar dan uit nog zo ze wij "
    "hun haar door over wat werd geen deze wordt of heeft ben",
    "sv": "och att det som en ett på av för med den till är inte han hon var jag om de så i sig från men har hade sin efter vid när kan ska nu "
    "där denna vi du",
    "da": "og at det som en et på af for med den til er ikke han hun var jeg om de så i sig fra men har havde sin efter ved når kan skal nu der "
    "denne vi du blev være",
    "pl": "i w na z się nie to że do jest jak po co o ale za tak był była od przez tym jego jej ich dla czy już tylko gdy ja ty on ona oraz "
    "może jako są",
    "fi": "ja on ei se että hän oli mutta kun niin ovat joka minä kuin mitä sen ole oli hänen olen tämä nyt jos vain myös sitä tai ovat siitä "
    "minun ollut",
    "la": "et in est non ad cum ut sed quod qui ex aut si per atque enim quae sunt esse ac quam hoc nec ab eius ne quid iam quidem autem",
}
_LANGUAGES_OF = Counter(word for common in _COMMON.values() for word in set(common.split()))
_WEIGHTS = {code: {word: 1 / _LANGUAGES_OF[word] for word in common.split()} for code, common in _COMMON.items()}
"""A word that several languages share tells as much less for each of them."""
_KANA = re.compile(r"[\u3040-\u30ff]")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_SCRIPTS = (
    ("ko", re.compile(r"[\u1100-\u11ff\uac00-\ud7af]")),
    ("zh", re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f]")),
    ("ru", re.compile(r"[\u0400-\u04ff]")),
    ("el", re.compile(r"[\u0370-\u03ff\u1f00-\u1fff]")),
    ("he", re.compile(r"[\u0590-\u05ff]")),
    ("ar", re.compile(r"[\u0600-\u06ff]")),
    ("hi", re.compile(r"[\u0900-\u097f]")),
    ("bn", re.compile(r"[\u0980-\u09ff]")),
    ("ta", re.compile(r"[\u0b80-\u0bff]")),
    ("te", re.compile(r"[\u0c00-\u0c7f]")),
    ("th", re.compile(r"[\u0e00-\u0e7f]")),
    ("ka", re.compile(r"[\u10a0-\u10ff]")),
    ("hy", re.compile(r"[\u0530-\u058f]")),
)


def detect_language(text: str) -> str:
    """ISO 639-1 code of the language most of a text is in; `und` when too few words tell."""
    sample = _sample(text)
    letters = sum(1 for c in sample if c.isalpha())
    if letters == 0:
        return UNKNOWN
    for code, script in _SCRIPTS:
        if len(script.findall(sample)) > 0.3 * letters:
            return _KIN[code](sample) if code in _KIN else code
    return _by_words(sample)


def _by_words(sample: str) -> str:
    counts = Counter(_WORD.findall(sample.casefold().replace("\u2019", "'")))
    scores = {code: sum(weight * counts[word] for word, weight in weights.items()) for code, weights in _WEIGHTS.items()}
    code = max(scores, key=lambda one: scores[one])
    second = max(score for other, score in scores.items() if other != code)
    tells = scores[code] >= max(LEAST_EVIDENCE, LEAST_SHARE * counts.total(), LEAD * second)
    return code if tells and len(_WEIGHTS[code].keys() & counts.keys()) >= LEAST_WORDS else UNKNOWN


def _east_asian(sample: str) -> str:
    return "ja" if len(_KANA.findall(sample)) > 0.05 * len(_HAN.findall(sample)) else "zh"


def _cyrillic(sample: str) -> str:
    return "uk" if len(re.findall("[іїєґ]", sample.casefold())) > 0.02 * len(sample) else "ru"


def _sample(text: str) -> str:
    if len(text) <= SAMPLE:
        return text
    part = SAMPLE // 3
    middle = len(text) // 2
    return "\n".join((text[:part], text[middle : middle + part], text[-part:]))


_KIN = {"zh": _east_asian, "ru": _cyrillic}
"""Scripts of several languages, and what tells these apart."""
