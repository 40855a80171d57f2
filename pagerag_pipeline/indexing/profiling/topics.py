"""What a document is about: its commonest noun-like words, weighted; no corpus, no model."""

import re
from collections import Counter

from pagerag_pipeline.lexical import STOP_WORDS, stem, words

LEAST_TIMES = 3
"""A topic stands in the text at least so often, unless the text is very short."""
_AFTER_DETERMINER = re.compile(
    r"\b(?:the|an?|of|his|her|their|its|this|these|our|your|my|for|in|les?|la|des?|une?|du|der|die|das|den|dem|eine[rnms]?)\s+(?:[^\W\d_]{3,12}\s+)?([^\W\d_]{4,})",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<=[\w,;] )([A-Z][a-zà-ÿ]{2,})")
_GENERIC = frozenset(
    "thing things time times year years day days way ways man men woman women people person part parts place places hand hands eyes head face side end moment "
    "world life work case fact kind sort number point question word words name names nothing something anything everything others other same first last next "
    "great good little large long many much several such example result results order form use used using hour hours night morning evening minute minutes "
    "week weeks month months house room door chapter section figure table page note notes project gutenberg ebook mister lady gentleman "
    "fois jour jours temps homme hommes femme chose choses main mains yeux tête monde vie deux trois zeit mann frau hand hände augen kopf leben jahr jahre tag tage "
    "nicht sich noch schon auch nur sehr wieder aber oder wenn dann doch immer ganz etwas wurde wurden worden dass diese dieser dieses "
    "dans tout tous toute plus comme mais sans cette leur leurs aussi bien encore même être avoir fait point avec elle nous vous quelque "
    "again behind here never always away young second held free told present late 什么 笑道 一个 "
    "more most whole half rest course means manner matter mind heart voice right left back front set given based two three four five".split()
)


def find_topics(text: str, most: int) -> tuple[tuple[str, float], ...]:
    """At most so many (word, weight) pairs, weights summing to 1, heaviest first; names of people do not crowd out things.

    Forms of one word count together and are shown as the commonest of them.
    """
    counts = Counter(word.casefold() for word in _AFTER_DETERMINER.findall(text))
    names = Counter(word.casefold() for word in _NAME.findall(text))
    found = {word: times for word, times in counts.items() if word not in STOP_WORDS and word not in _GENERIC and names[word] < times}
    if not found:
        found = {word: times for word, times in Counter(words(text)).items() if len(word) > 1 and word not in STOP_WORDS and word not in _GENERIC}
    forms: dict[str, Counter[str]] = {}
    for word, times in found.items():
        forms.setdefault(stem(word), Counter())[word] = times
    least = LEAST_TIMES if len(text) > 2_000 else 1
    scores = {min(form, key=lambda word: (-form[word], word)): form.total() for form in forms.values() if form.total() >= least}
    best = sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:most]
    total = sum(times for _, times in best)
    return tuple((word, round(times / total, 4)) for word, times in best)
