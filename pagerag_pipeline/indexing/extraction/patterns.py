"""Statements without a parser: two names with a known verb between them. Thin on purpose: it gives tests and other languages a graph."""

import re
from functools import lru_cache

from pagerag_pipeline.indexing.extraction.names import Name
from pagerag_pipeline.indexing.extraction.reading import Phrase
from pagerag_pipeline.indexing.extraction.statements import Gathering
from pagerag_pipeline.indexing.ontology import Ontology
from pagerag_pipeline.lexical import STOP_WORDS
from pagerag_pipeline.schema.knowledge import Modality

_IRREGULAR = {
    "bought": "buy", "sold": "sell", "built": "build", "wrote": "write", "written": "write", "made": "make", "kept": "keep", "led": "lead",
    "taught": "teach", "won": "win", "gave": "give", "given": "give", "took": "take", "taken": "take", "met": "meet", "sent": "send",
    "brought": "bring", "held": "hold", "saw": "see", "seen": "see", "knew": "know", "told": "tell", "found": "find", "lost": "lose",
    "left": "leave", "went": "go", "came": "come", "stood": "stand", "lay": "lie", "sat": "sit", "fought": "fight", "beat": "beat",
    "slew": "slay", "shot": "shoot", "caught": "catch", "stole": "steal", "paid": "pay", "ran": "run", "became": "become", "broke": "break",
    "sank": "sink", "was": "be", "is": "be", "were": "be", "are": "be", "born": "bear", "died": "die", "lives": "live", "dies": "die",
    "drove": "drive", "rode": "ride", "grew": "grow", "hung": "hang", "has": "have", "had": "have", "painted": "paint",
}  # fmt: skip
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_PREPOSITIONS = frozenset("in on at by near beside from to into of with for as after under".split())
_NEGATIONS = frozenset({"not", "never", "no"})
_MODALS = frozenset({"would", "could", "might", "may", "should", "must", "will", "shall", "if"})
_AUXILIARIES = frozenset({"was", "were", "is", "are", "be", "been", "being", "has", "had", "have", "did", "does", "also", "later", "then", "once", "first", "soon", "the", "a", "an"})
_MOST_GAP = 60
_STOP = re.compile(r"[.;:!?()]")
_WITHIN = re.compile(r"\b(?:of|in|at|from|with|by|to|on|that|if)\s+(?:the\s+)?$", re.I)
"""A name after these is part of another phrase or clause, so what follows need not be said of it."""


def pattern_statements(gathering: Gathering) -> None:
    """Add a relation for every two neighboring names joined by a verb the ontology knows, with its date when a year follows."""
    sentence = gathering.sentence
    if sentence.text[: sentence.end].endswith("?"):
        return
    names = [name for name in sentence.names if not name.literal]
    for left, right in zip(names, names[1:], strict=False):
        gap = sentence.text[left.end : right.start]
        if len(gap) <= _MOST_GAP and not _STOP.search(gap) and not _WITHIN.search(sentence.text, sentence.start, left.start):
            _between(gathering, left, right, gap)
    for name in names:
        _noun_after(gathering, name)


def _between(gathering: Gathering, left: Name, right: Name, gap: str) -> None:
    words = [match.group().casefold() for match in _WORD.finditer(gap)]
    core = [word for word in words if word not in _AUXILIARIES and word not in _NEGATIONS and word not in _MODALS]
    modality: Modality = "hypothetical" if set(words) & _MODALS else "negated" if set(words) & _NEGATIONS else "asserted"
    passive = bool(set(words) & {"was", "were", "is", "are", "been"}) and bool(core) and core[-1] == "by"
    predicate = _predicate(gathering.ontology, tuple(core[:-1] if passive else core), copula=bool(set(words) & {"was", "were", "is", "are"}))
    if predicate is None:
        return
    head, tail = (_phrase(right), _phrase(left)) if passive else (_phrase(left), _phrase(right))
    gathering.add("pattern", head, predicate, tail, modality=modality, qualifiers=_year(gathering, right, head, tail, predicate))


@lru_cache(maxsize=20_000)
def _predicate(ontology: Ontology, core: tuple[str, ...], *, copula: bool) -> str | None:
    """The predicate of the words between two names: a verb, a verb with its preposition, or a place after "is"."""
    if copula and len(core) == 1 and core[0] in _PREPOSITIONS:
        return ontology.verbs.get(f"be_{core[0]}")
    if not core or len(core) > 3:
        return None
    for lemma in _lemmas(core[0]):
        for key in (f"{lemma}_{core[-1]}", f"{lemma}_{core[1]}" if len(core) > 1 else lemma):
            if key in ontology.verbs and (len(core) > 1 or key == lemma):
                return ontology.verbs[key]
    return None


def _lemmas(word: str) -> list[str]:
    """What a verb form may come from, likely ones first."""
    found = [word] if word not in _IRREGULAR else [_IRREGULAR[word], word]
    for ending, replacements in (("ied", ("y",)), ("ed", ("", "e")), ("ies", ("y",)), ("es", ("", "e")), ("s", ("",)), ("ing", ("", "e"))):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            stem = word[: -len(ending)]
            found.extend(stem + replacement for replacement in replacements)
            if len(stem) > 2 and stem[-1] == stem[-2]:
                found.append(stem[:-1])
    return found


def _year(gathering: Gathering, right: Name, head: Phrase, tail: Phrase, predicate: str) -> tuple[tuple[str, str], ...]:
    """The year after the second name, if the event has one; it is also the date of what it happened to."""
    known = gathering.ontology.predicates.get(predicate)
    for name in gathering.sentence.names:
        if name.label == "DATE" and name.start >= right.end and name.start - right.end <= 30:
            value = Phrase(name.surface, "DATE", name.start, name.end)
            if known is not None and known.event:
                gathering.add("attribute", tail, f"{predicate}_date", value)
            return (("time", name.surface),)
    return ()


def _noun_after(gathering: Gathering, name: Name) -> None:
    """"Sister Bell kept bees": a known verb and one plain word after a name, when no second name stands in between."""
    sentence = gathering.sentence
    words = list(_WORD.finditer(sentence.text, name.end, min(sentence.end, name.end + _MOST_GAP)))[:4]
    if len(words) < 2 or sentence.text[name.end : words[0].start()] != " ":
        return
    predicate = _predicate(gathering.ontology, (words[0].group().casefold(),), copula=False)
    skipped = [w for w in words[1:] if w.group().casefold() not in ("the", "a", "an")]
    if predicate is None or predicate in ("has", "is_a") or not skipped:
        return
    word = skipped[0]
    free = all(other.end <= word.start() or other.start >= word.end() for other in sentence.names)
    if free and word.group().islower() and word.group() not in STOP_WORDS and word.group() not in _PREPOSITIONS:
        gathering.add("pattern", _phrase(name), predicate, Phrase(word.group(), "NOUN", word.start(), word.end()))


def _phrase(name: Name) -> Phrase:
    return Phrase(" ".join(name.surface.split()), name.label, name.start, name.end)
