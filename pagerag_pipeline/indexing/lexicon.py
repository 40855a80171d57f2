"""How a relation that an ontology only names is said in English: from the words of its name to verbs, nouns and measures that express it.

The word families are those of `lexicon.toml`; nothing here knows any one ontology.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from pagerag_pipeline.indexing.word_families import name_words, place_words, singular, verb_lemmas, word_tables

AGENT, PATIENT, SECOND, DATE, PLACE = "s", "o", "o2", "DATE", "PLACE"
"""Roles of the ends of a verb besides prepositions; SECOND is the object that a passive keeps ("was awarded the prize")."""

Form = Literal["noun", "counted", "reversed"]
Value = Literal["entity", "number", "date", "text"]

_PREPOSITIONS = frozenset("in at on by for with from to after of under near as".split())
_PERFORMING = ("band", "singer", "group", "musician")
_FUNCTION_WORDS = frozenset("the a an its his their of to by in at for with and or".split())


@dataclass(frozen=True, slots=True)
class VerbCue:
    """A verb that expresses a relation, by the roles of the relation's ends; `requires` are words that must stand in the sentence too."""

    predicate: str
    head: str
    tail: str
    requires: frozenset[str] = frozenset()
    kind: str = ""
    """What the name calls the tail: `city` of "city served", `year` of "founding year"."""
    literal: bool = True
    """Whether the verb is a word of the name, not only one of its family."""


@dataclass(frozen=True, slots=True)
class NounCue:
    """A noun phrase that expresses a relation. counted: "250 students"; reversed: the tail owns it ("X is part of Y")."""

    predicate: str
    words: tuple[str, ...]
    form: Form = "noun"
    literal: bool = True


@dataclass(slots=True)
class Lexicon:
    """All cues of an ontology's relations: verbs by lemma, nouns by their first word (longest first), measures by phrase, places by kind."""

    verbs: dict[str, list[VerbCue]] = field(default_factory=dict)
    nouns: dict[str, list[NounCue]] = field(default_factory=dict)
    measures: list[tuple[str, str]] = field(default_factory=list)
    places: dict[str, str] = field(default_factory=dict)
    nationality: list[str] = field(default_factory=list)
    works_by: dict[str, str] = field(default_factory=dict)
    """By the noun of a work, the relation to whom it is by."""
    predicates: set[str] = field(default_factory=set)
    """The relations that are read by their names."""

    @property
    def empty(self) -> bool:
        """Whether no relation of the ontology has to be read by its name."""
        return not (self.verbs or self.nouns or self.measures or self.places)


def build_lexicon(relations: Iterable[tuple[str, str, Value, bool]]) -> Lexicon:
    """Cues of relations: (name, label, what its tail is, whether the tail is a country). The order of relations does not matter."""
    lexicon = Lexicon()
    for name, label, value, country in sorted(relations):
        lexicon.predicates.add(name)
        if words := name_words(label or name):
            _Builder(lexicon, name, value, country).add(words)
    for cues in lexicon.nouns.values():
        cues.sort(key=lambda cue: (-len(cue.words), cue.words, cue.predicate))
    _add_works(lexicon)
    lexicon.measures.sort(key=lambda pair: (-len(pair[0]), pair))
    return lexicon


def _add_works(lexicon: Lexicon) -> None:
    """"A song by Y" is read only where the ontology has one relation to whoever made a work."""
    tables = word_tables()["works_by"]
    called = {name: words[-1] for name in lexicon.predicates if (words := name_words(name)) and words[-1] in tables["makers"].split()}
    for noun, families in tables.items():
        rivals = sorted(name for name, word in called.items() if word in (*families.split(), *_PERFORMING))
        if noun != "makers" and len(rivals) == 1 and called[rivals[0]] in families.split():
            lexicon.works_by[noun] = rivals[0]


class _Builder:
    """Adds the cues of one relation."""

    def __init__(self, lexicon: Lexicon, predicate: str, value: Value, country: bool) -> None:
        self.lexicon = lexicon
        self.predicate = predicate
        self.value = value
        self.country = country
        self.kind = ""

    def add(self, words: tuple[str, ...]) -> None:
        tables = word_tables()
        passive = words[0] in ("is", "was", "were", "are") and len(words) > 1
        words = words[1:] if (words[0] in ("has", "have") or passive) and len(words) > 1 else words
        phrase = " ".join(words)
        self._place(words)
        if family := tables["families"].get(phrase) or tables["families"].get(singular(phrase)):
            self._verbs(family["verbs"])
            for noun in family["nouns"]:
                self._noun(tuple(noun.split()))
        elif len(words) == 1:
            self._single(words[0])
        self._compound(words)
        self._measure(words)
        self._nouns(words)

    def _verbs(self, forms: Iterable[str], requires: frozenset[str] = frozenset()) -> None:
        for form in forms:
            lemma, head, tail, *more = form.split()
            self.lexicon.verbs.setdefault(lemma, []).append(VerbCue(self.predicate, head, tail, requires | set(more), self.kind, self._names(lemma)))

    def _names(self, word: str) -> bool:
        return any(part.startswith(word[: min(4, len(word))]) for part in name_words(self.predicate))

    def _noun(self, words: tuple[str, ...], form: Form = "noun") -> None:
        words = (*words[:-1], singular(words[-1]))
        cue = NounCue(self.predicate, words, form, all(self._names(word) for word in words if word not in _FUNCTION_WORDS))
        known = self.lexicon.nouns.setdefault(words[0], [])
        if cue not in known:
            known.append(cue)

    def _single(self, word: str) -> None:
        """One word that no family knows: an agent noun, a participle with a date, or a noun for what happens."""
        if self.value == "date" and (lemmas := verb_lemmas(word)):
            self._verbs(f"{lemma} {role} {DATE}" for lemma in lemmas for role in (PATIENT, AGENT))
        elif self.value == "entity" and word.endswith(("er", "or")):
            self._verbs(f"{lemma} {PATIENT} {AGENT}" for lemma in verb_lemmas(word))
        elif self.value == "entity" and word.endswith("s") and word != singular(word):
            self._verbs([f"{singular(word)} {AGENT} {PATIENT}"])
        if word in word_tables()["nominals"] or singular(word) in word_tables()["nominals"]:
            self._happening(word if word in word_tables()["nominals"] else singular(word), DATE if self.value == "date" else PLACE)

    def _compound(self, words: tuple[str, ...]) -> None:
        """Names of several words that hold a verb: founded by, city served, operating organization, birth place."""
        if len(words) < 2:
            return
        suffixes = word_tables()["suffixes"]
        first, last = words[0], words[-1]
        self.kind = first if last.endswith("ed") else last
        if last in _PREPOSITIONS and (lemmas := verb_lemmas(first)):
            tail = AGENT if last == "by" else last
            needed = frozenset(word for word in words[1:-1] if word not in _FUNCTION_WORDS)
            self._verbs((f"{lemma} {PATIENT} {tail}" for lemma in lemmas), needed)
            if last != "by":
                self._verbs((f"{lemma} {AGENT} {tail}" for lemma in lemmas), needed)
        elif len(words) == 2 and last.endswith("ed") and (lemmas := verb_lemmas(last)) and first not in ("first", "last", "most"):
            self._verbs(f"{lemma} {AGENT} {PATIENT}" for lemma in lemmas)
        elif len(words) == 2 and last in suffixes["agent"].split() and first.endswith("ing"):
            self._verbs(f"{lemma} {PATIENT} {AGENT}" for lemma in verb_lemmas(first))
        elif len(words) == 2 and last in word_tables()["families"] and word_tables()["families"][last]["verbs"] and not first.endswith("est"):
            self._verbs(word_tables()["families"][last]["verbs"], frozenset({first}))
        elif last in suffixes["date"].split() and self.value in ("date", "number", "text", "entity"):
            self._happening(first, DATE)
        elif last in suffixes["place"].split():
            self._happening(first, PLACE)

    def _happening(self, noun: str, tail: str) -> None:
        nominals = word_tables()["nominals"]
        verbs = nominals.get(noun) or nominals.get(singular(noun))
        if verbs is None:
            verbs = [f"{lemma} {role}" for lemma in verb_lemmas(noun) if noun.endswith("ing") for role in (PATIENT, AGENT)]
        self._verbs(f"{verb} {tail}" for verb in verbs)

    def _measure(self, words: tuple[str, ...]) -> None:
        phrases = word_tables()["measures"].get(words[0]) if self.value in ("number", "text") else None
        for phrase in phrases or ():
            self.lexicon.measures.append((phrase, self.predicate))

    def _nouns(self, words: tuple[str, ...]) -> None:
        """The noun phrases that say the name: "place of birth", "total area", "number of students"."""
        counted = word_tables()["suffixes"]["counted"].split()
        if words[-1] == "of":
            if len(words) > 1:
                self._noun(words[:-1], "reversed")
            return
        if words[-1] in _PREPOSITIONS or (len(words) > 1 and set(words) & {"its", "the", "their"} and words[0] in _FUNCTION_WORDS):
            return
        self._noun(words)
        if len(words) > 1 and words[0] in word_tables()["qualifiers"]["dropped"].split():
            self._noun(words[1:])
        if self.value == "number":
            thing = words[2:] if words[:2] == ("number", "of") else words[:-1] if words[-1] in counted and len(words) > 1 else ()
            if thing:
                self._counted(thing)
        if len(words) == 2:
            first, last = words
            if last in (*word_tables()["suffixes"]["date"].split(), *word_tables()["suffixes"]["place"].split()):
                self._noun((last, "of", first))
                self._noun((first + last,))
            if last == "total":
                self._noun((last, first))

    def _counted(self, thing: tuple[str, ...]) -> None:
        family = word_tables()["families"].get(singular(thing[-1]), {"nouns": []})
        for noun in (thing[-1], *(family["nouns"] if len(thing) == 1 else ())):
            phrase = (*thing[:-1], *noun.split())
            self._noun(phrase, "counted")
            self._noun(phrase)

    def _place(self, words: tuple[str, ...]) -> None:
        joined = "_".join(words)
        for kind in ("country", "city", "state", "county", "region", "location", "part"):
            if joined in place_words(kind) or f"is_{joined}" in place_words(kind):
                self.lexicon.places.setdefault(kind, self.predicate)
        if self.country and (words[-1] in ("country", "nationality", "citizenship", "origin") or words[0] == "country"):
            self.lexicon.nationality.append(self.predicate)
