"""The ontology: which relations the governed graph knows, what they may join, and which words express them."""

import re
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import lru_cache
from pathlib import Path
from typing import Any, get_args

from pagerag_pipeline.indexing.lexicon import Lexicon, Value, build_lexicon
from pagerag_pipeline.indexing.word_families import lexicon_fingerprint, name_words, type_labels
from pagerag_pipeline.schema.documents import Mode
from pagerag_pipeline.schema.ids import digest
from pagerag_pipeline.schema.knowledge import GENERIC_TYPES, LITERAL_TYPES
from pagerag_pipeline.settings_file import read_toml

ONTOLOGY_FILE = "ontology.toml"
"""Name of the shipped file, and of the one in a home that replaces it."""
GENERIC = "related_to"
"""The predicate of a statement whose own predicate is unknown."""
ALIAS = "also_known_as"
CAUSES = "causes"
PRECEDES = "precedes"

_SHIPPED = Path(__file__).with_name(ONTOLOGY_FILE)
_NEAR = 0.85
"""Similarity from which an unknown predicate is read as a known one; systems, section 2.3, gate G2."""
_ROLE = re.compile(r"[a-z]+(?:_[a-z]+)?_of")
_TURNED = re.compile(r"(?:_of|_by|[a-z]Of|[a-z]By)$")
_SECTIONS = ("version", "open", "types", "classes", "causal", "predicates")
_KEYS = {
    "verbs": list, "head": str, "tail": str, "inverse": str, "force": str, "label": str, "modes": list,
    "causal": bool, "symmetric": bool, "event": bool,
}  # fmt: skip
_LETTER = re.compile(r"[^\W\d_]")
_MODES = get_args(Mode)
_COUNTRY = frozenset({"country", "nation", "state"})


class OntologyError(ValueError):
    """An ontology file that cannot be used; the message says which file and key, and what is allowed."""


@dataclass(frozen=True, slots=True)
class Predicate:
    """One relation: classes of its ends, its name from the other end, and how it behaves."""

    name: str
    head: str
    tail: str
    inverse: str
    force: str = ""
    """weak: a fleeting act; scholarly: what treatises do and stories only seem to do; empty: neither."""
    causal: bool = False
    symmetric: bool = False
    event: bool = False
    """Happens at a moment: a date beside it dates it."""
    value: Value = "entity"
    """What its tail is."""
    modes: frozenset[str] = frozenset()
    """Discourse modes in whose chunks it may be stated; empty for all."""


@dataclass(frozen=True, slots=True, eq=False)
class Ontology:
    """Predicates by name, verbs by lemma (with preposition), classes of types, and the words that say cause and order."""

    predicates: dict[str, Predicate]
    verbs: dict[str, str]
    classes: dict[str, frozenset[str]]
    causal_cues: tuple[str, ...]
    order_cues: tuple[str, ...]
    fingerprint: str
    open: bool = True
    """Whether roles ("owner_of") and fields of values may be stated that stand nowhere among the predicates."""
    mode_verbs: dict[str, str] = field(default_factory=dict)
    """Predicates of given modes by their verbs; those that nothing else claims stand among `verbs` too."""
    lexicon: Lexicon = field(default_factory=Lexicon)
    """How the predicates that name no verbs are said."""

    def inverse(self, predicate: str) -> str:
        """Name of a relation read from its tail; `inverse_of:r` for one that is not known."""
        if predicate in self.predicates:
            return self.predicates[predicate].inverse
        return f"has_{predicate[:-3]}" if predicate.endswith("_of") else f"inverse_of:{predicate}"

    def allows(self, predicate: str) -> bool:
        """Whether a predicate is known, or one of the family `<role>_of` of an open ontology."""
        return predicate in self.predicates or (self.open and _ROLE.fullmatch(predicate) is not None)

    def states(self, predicate: str, mode: Mode, *, literal: bool) -> bool:
        """Whether a statement may be made in a chunk of a mode; an unknown field of a value only in an open ontology."""
        known = self.predicates.get(predicate)
        if known is None:
            return self.open or not literal
        return not known.modes or mode == "mixed" or mode in known.modes

    def said_by(self, verb: str, mode: Mode) -> str | None:
        """The predicate that a verb (with its preposition) expresses in a chunk of a mode; where that may not be stated, the verb is an unknown one."""
        special = self.mode_verbs.get(verb)
        if special is not None and mode in self.predicates[special].modes:
            return special
        name = self.verbs.get(verb)
        return name if name is None or self.states(name, mode, literal=False) else None

    def nearest(self, predicate: str) -> str | None:
        """The known predicate most like an unknown one (similarity at least 0.85), if any; ties go to the smaller name.

        What is read from its other end ("president_of", "influencedBy") is never like what is not, and a relation that is read by its name is
        like no other: "direct" is what a director does, not a misspelling of it.
        """
        turned = bool(_TURNED.search(predicate))
        words = name_words(predicate)
        likes = [
            known
            for known in sorted(self.predicates)
            if (known not in self.lexicon.predicates and bool(_TURNED.search(known)) == turned) or name_words(known) == words
        ]
        scored = [(SequenceMatcher(None, predicate, known).ratio(), known) for known in likes]
        score, best = max(scored, key=lambda pair: pair[0], default=(0.0, ""))
        return best if score >= _NEAR else None

    def fits(self, end: str, type_: str) -> bool:
        """Whether a type belongs to a class; types that say nothing (unknown names, common nouns) fit every class of entities."""
        if end == "value":
            return type_ in LITERAL_TYPES
        if type_ in LITERAL_TYPES:
            return False
        return end == "any" or type_ in GENERIC_TYPES or type_ in self.classes.get(end, frozenset())


@lru_cache(maxsize=4)
def load_ontology(text: str = "") -> Ontology:
    """The ontology of a text as people wrote it; the one that is shipped with the package when the text is empty. Raises OntologyError."""
    return parse_ontology(text or _SHIPPED.read_text(encoding="utf-8"))


def ontology_fingerprint(text: str = "") -> str:
    """Digest of an ontology: part of every key that depends on it."""
    return load_ontology(text).fingerprint


def parse_ontology(toml_text: str, *, source: str = ONTOLOGY_FILE) -> Ontology:
    """An ontology from TOML. Raises OntologyError for a malformed file, an unknown key, class or mode, or a verb that two predicates claim.

    A predicate without `verbs` is lexicalized from its name or label; `verbs = []` says that nothing expresses it.
    """
    try:
        table = read_toml(toml_text)
    except ValueError as error:
        raise OntologyError(f"{source} is not readable TOML: {error}.") from error
    reader = _Reader(source, table)
    predicates = reader.predicates()
    causal = reader.section("causal")
    cues = tuple(sorted(reader.texts(causal, "causal.cues", "cues"), key=lambda cue: (-len(cue), cue)))
    lexicon = build_lexicon(reader.unsaid)
    words = "" if lexicon.empty else lexicon_fingerprint()
    return Ontology(
        predicates=predicates,
        verbs=reader.mode_verbs | reader.verbs,
        mode_verbs=reader.mode_verbs,
        classes=reader.classes,
        causal_cues=cues,
        order_cues=tuple(sorted(reader.texts(causal, "causal.order_cues", "order_cues"))),
        fingerprint=digest("ontology", toml_text, words),
        open=bool(table.get("open", False)),
        lexicon=lexicon,
    )


class _Reader:
    """Reads the sections of one file; every complaint names the file and the key."""

    def __init__(self, source: str, table: dict[str, Any]) -> None:
        self.source = source
        self.table = table
        self.verbs: dict[str, str] = {}
        self.mode_verbs: dict[str, str] = {}
        self.unsaid: list[tuple[str, str, Value, bool]] = []
        if unknown := sorted(set(table) - set(_SECTIONS)):
            raise self.error(f"unknown key {unknown[0]!r}; known are {', '.join(_SECTIONS)}")
        if not isinstance(table.get("open", False), bool):
            raise self.error("open must be true or false")
        self.types = self.texts(table, "types", "types")
        for place, names in (("types", self.types), ("classes", self.section("classes")), ("predicates", self.section("predicates"))):
            if wordless := [name for name in names if not _LETTER.search(name)]:
                raise self.error(f"{place} has {wordless[0]!r}, which names nothing: a name holds a letter")
        self.classes = self._classes()

    def error(self, complaint: str) -> OntologyError:
        return OntologyError(f"{self.source}: {repr(complaint)[1:-1] if chr(10) in complaint else complaint}.")

    def section(self, name: str) -> dict[str, Any]:
        found = self.table.get(name, {})
        if not isinstance(found, dict):
            raise self.error(f"{name} must be a section of keys and values")
        return found

    def texts(self, table: dict[str, Any], name: str, key: str) -> list[str]:
        found = table.get(key, [])
        if not isinstance(found, list) or not all(isinstance(one, str) and one.strip() for one in found):
            raise self.error(f"{name} must be a list of texts")
        return found

    def _classes(self) -> dict[str, frozenset[str]]:
        section = self.section("classes")
        declared = {name: frozenset(self.texts(section, f"classes.{name}", name)) for name in section}
        named = {name: labels for name in self.types if name not in declared and (labels := type_labels(name)) is not None}
        return {**named, **declared}

    def predicates(self) -> dict[str, Predicate]:
        found: dict[str, Predicate] = {}
        for name, row in self.section("predicates").items():
            if not isinstance(row, dict):
                raise self.error(f'predicates.{name} must be a table like {{ head = "person", tail = "place" }}')
            found[name] = self._predicate(name, row)
            claimed = self.mode_verbs if found[name].modes else self.verbs
            for verb in self.texts(row, f"predicates.{name}.verbs", "verbs"):
                if verb in claimed:
                    raise self.error(f"predicates.{name}.verbs: the verb {verb!r} stands under both {claimed[verb]!r} and {name!r}")
                claimed[verb] = name
        found.setdefault(ALIAS, Predicate(ALIAS, "any", "any", ALIAS, symmetric=True))
        return found

    def _predicate(self, name: str, row: dict[str, Any]) -> Predicate:
        self._check(name, row)
        head, _ = self._end(f"predicates.{name}.head", row.get("head", "any"))
        if head == "value":
            raise self.error(f"predicates.{name}.head: {row['head']!r} is a class of values; a statement is about an entity, only its tail may be a value")
        tail, value = self._end(f"predicates.{name}.tail", row.get("tail", "any"))
        if "verbs" not in row:
            country = row.get("tail", "").casefold() in _COUNTRY
            self.unsaid.append((name, row.get("label", ""), value, country))
        return Predicate(
            name=name,
            head=head,
            tail=tail,
            inverse=row.get("inverse", name if row.get("symmetric") else f"inverse_of:{name}"),
            force=row.get("force", ""),
            causal=row.get("causal", False),
            symmetric=row.get("symmetric", False),
            event=row.get("event", False),
            value=value,
            modes=frozenset(row.get("modes", [])),
        )

    def _check(self, name: str, row: dict[str, Any]) -> None:
        if unknown := sorted(set(row) - set(_KEYS)):
            raise self.error(f"Unknown keys of predicate {name!r}: {', '.join(unknown)}; known are {', '.join(sorted(_KEYS))}")
        for key, kind in _KEYS.items():
            if key in row and not isinstance(row[key], kind):
                raise self.error(f"predicates.{name}.{key} must be a {'text' if kind is str else 'list' if kind is list else 'truth value'}")
        if row.get("force", "") not in ("", "weak", "scholarly"):
            raise self.error(f"Unknown force {row['force']!r} of predicate {name!r}; known are weak and scholarly")
        if unknown := sorted(set(self.texts(row, f"predicates.{name}.modes", "modes")) - set(_MODES)):
            raise self.error(f"Unknown mode {unknown[0]!r} of predicate {name!r}; known are {', '.join(_MODES)}")

    def _end(self, key: str, name: str) -> tuple[str, Value]:
        """The class of an end and what it is; types of the word table need no declaration, other types become `any` once declared."""
        if name in ("any", ""):
            return "any", "entity"
        if name == "value":
            return "value", "text"
        labels = self.classes.get(name) or type_labels(name)
        if labels is None and name not in self.types and name not in self.classes:
            known = ", ".join(sorted({*self.classes, *self.types}))
            raise self.error(f"Unknown class {name!r} of predicate {key.split('.')[1]!r} ({key}); known are any, value, {known}")
        if labels is None:
            return "any", "entity"
        if labels <= frozenset(LITERAL_TYPES):
            return "value", "date" if "DATE" in labels else "text" if "ATTRIBUTE" in labels else "number"
        self.classes.setdefault(name, labels)
        return name, "entity"
