"""Which words can stand for a question's word: itself, its derivations, and its family in `word_families.txt`."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType

from pagerag_pipeline.lexical import stem

EXACT, DERIVED, FAMILY = 1.0, 0.9, 0.7
"""How much of a question's word is covered by itself, by a derivation, by a word of its family; chosen, and the estimate was fitted on it."""

_SUFFIXES = frozenset(
    "er r or ist ship ment ion ation al age ance ence ing ness ity ful less ly th hood dom y place s ed d n ian".split()
)


@lru_cache(maxsize=1024)
def relatives(term: str) -> Mapping[str, float]:
    """Terms that can stand for a term, with the share of it that they cover."""
    families, forms = _table()
    related = {other: FAMILY for other in families.get(term, frozenset())}
    related.update({term + suffix: DERIVED for suffix in _SUFFIXES if len(term) >= 3})
    related.update({term[: -len(suffix)]: DERIVED for suffix in _SUFFIXES if term.endswith(suffix) and len(term) - len(suffix) >= 3})
    related.update({other: DERIVED for other in forms.get(term, frozenset())})
    related[term] = EXACT
    return MappingProxyType(related)


def derivations(term: str) -> frozenset[str]:
    """A term and what is derived from it, without the other words of its family."""
    return frozenset(other for other, share in relatives(term).items() if share >= DERIVED)


_Groups = dict[str, frozenset[str]]


@lru_cache(maxsize=1)
def _table() -> tuple[_Groups, _Groups]:
    text = (files("pagerag_pipeline.answering") / "word_families.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return _groups([line for line in lines if not line.startswith("=")]), _groups([line[1:] for line in lines if line.startswith("=")])


def _groups(lines: Sequence[str]) -> _Groups:
    """Of each stem, the stems of all lines it stands in."""
    groups: dict[str, set[str]] = {}
    for line in lines:
        stems = {stem(word) for word in line.split()}
        for one in stems:
            groups.setdefault(one, set()).update(stems)
    return {one: frozenset(others) for one, others in groups.items()}
