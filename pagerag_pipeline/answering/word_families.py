"""Which words can stand for a question's word: itself, its derivations, and its family in `word_families.txt`."""

from functools import lru_cache
from importlib.resources import files

from pagerag_pipeline.lexical import stem

EXACT, DERIVED, FAMILY = 1.0, 0.9, 0.7
"""How much of a question's word is covered by itself, by a derivation, by a word of its family."""

_SUFFIXES = frozenset(
    "er r or ist ship ment ion ation al age ance ence ing ness ity ful less ly th hood dom y place s ed d n ian".split()
)


def relatives(term: str) -> dict[str, float]:
    """Terms that can stand for a term, with the share of it that they cover."""
    related = {other: FAMILY for other in _families().get(term, frozenset())}
    related.update({term + suffix: DERIVED for suffix in _SUFFIXES})
    related.update({term[: -len(suffix)]: DERIVED for suffix in _SUFFIXES if term.endswith(suffix) and len(term) - len(suffix) >= 3})
    related[term] = EXACT
    return related


@lru_cache(maxsize=1)
def _families() -> dict[str, frozenset[str]]:
    text = (files("pagerag_pipeline.answering") / "word_families.txt").read_text(encoding="utf-8")
    families: dict[str, set[str]] = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            stems = {stem(word) for word in line.split()}
            for one in stems:
                families.setdefault(one, set()).update(stems)
    return {one: frozenset(others) for one, others in families.items()}
