"""The language of a text by its script and its commonest words; no model, no list of names."""

import re
from collections import Counter

SAMPLE = 20_000
"""Characters looked at, in three parts: beginning, middle, end."""
_WORD = re.compile(r"[^\W\d_]+")
_COMMON = {
    "en": "the of and to in that was he his with for it as had her not but which you from",
    "fr": "le la les de des et en un une que qui dans il elle est pas pour sur avec ce",
    "de": "der die und das den von zu mit sich des ist nicht ein eine auf er sie dem im es",
    "es": "el la los las de que y en un una por con se del no su para al lo como",
    "it": "il la di che e un una per non con del della si le sono nel lo gli i al",
    "pt": "o a os as de que e em um uma para com não se do da no na por mais",
    "nl": "de het een en van dat in is op te zijn niet met hij die voor aan er maar zich",
    "sv": "och att det som en ett på av för med den till är inte han var jag om de så",
    "da": "og at det som en et på af for med den til er ikke han var jeg om de så der",
    "pl": "i w na z się nie to że do jest jak po co o ale za tak był od",
    "fi": "ja on ei se että hän oli mutta kun niin ovat joka minä kuin mitä sen",
    "la": "et in est non ad cum ut sed quod qui ex aut si per atque enim quae",
}
_SCRIPTS = (
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("ko", re.compile(r"[\uac00-\ud7af]")),
    ("zh", re.compile(r"[\u3400-\u9fff]")),
    ("ru", re.compile(r"[\u0400-\u04ff]")),
    ("el", re.compile(r"[\u0370-\u03ff]")),
    ("he", re.compile(r"[\u0590-\u05ff]")),
    ("ar", re.compile(r"[\u0600-\u06ff]")),
    ("hi", re.compile(r"[\u0900-\u097f]")),
    ("th", re.compile(r"[\u0e00-\u0e7f]")),
)


def detect_language(text: str) -> str:
    """ISO 639-1 code of the language most of a text is in; `und` when too few words tell."""
    sample = _sample(text)
    letters = sum(1 for c in sample if c.isalpha())
    if letters == 0:
        return "und"
    for code, script in _SCRIPTS:
        if len(script.findall(sample)) > (0.05 if code == "ja" else 0.3) * letters:
            return _cyrillic(sample) if code == "ru" else code
    counts = Counter(_WORD.findall(sample.casefold()))
    words = sum(counts.values())
    shares = sorted(((sum(counts[word] for word in common.split()) / words, code) for code, common in _COMMON.items()), reverse=True)
    (best, code), (second, _) = shares[0], shares[1]
    return code if best > 0.08 and best > 1.05 * second else "und"


def _cyrillic(sample: str) -> str:
    return "uk" if len(re.findall("[іїєґ]", sample.casefold())) > 0.02 * len(sample) else "ru"


def _sample(text: str) -> str:
    if len(text) <= SAMPLE:
        return text
    part = SAMPLE // 3
    middle = len(text) // 2
    return "\n".join((text[:part], text[middle : middle + part], text[-part:]))
