"""The ontology: which predicates the governed graph knows, what they may join, and which verbs express them."""

import re
import tomllib
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from pathlib import Path
from typing import Any

from pagerag_pipeline.schema import GENERIC_TYPES, LITERAL_TYPES, digest

GENERIC = "related_to"
"""The predicate of a statement whose own predicate is unknown."""
ALIAS = "also_known_as"
CAUSES = "causes"
PRECEDES = "precedes"

_SHIPPED = Path(__file__).with_name("ontology.toml")
_NEAR = 0.85
"""Similarity from which an unknown predicate is read as a known one; systems, section 2.3, gate G2."""
_ROLE = re.compile(r"[a-z]+(?:_[a-z]+)?_of")


class OntologyError(ValueError):
    """An ontology file that cannot be used; the message says where and why."""


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


@dataclass(frozen=True, slots=True, eq=False)
class Ontology:
    """Predicates by name, verbs by lemma (with preposition), classes of types, and the words that say cause and order."""

    predicates: dict[str, Predicate]
    verbs: dict[str, str]
    classes: dict[str, frozenset[str]]
    causal_cues: tuple[str, ...]
    order_cues: tuple[str, ...]
    fingerprint: str

    def inverse(self, predicate: str) -> str:
        """Name of a relation read from its tail; `inverse_of:r` for one that is not known."""
        if predicate in self.predicates:
            return self.predicates[predicate].inverse
        return f"has_{predicate[:-3]}" if predicate.endswith("_of") else f"inverse_of:{predicate}"

    def allows(self, predicate: str) -> bool:
        """Whether a predicate is known, or one of the open family `<role>_of`."""
        return predicate in self.predicates or _ROLE.fullmatch(predicate) is not None

    def nearest(self, predicate: str) -> str | None:
        """The known predicate most like an unknown one (similarity at least 0.85), if any; ties go to the smaller name."""
        scored = [(SequenceMatcher(None, predicate, known).ratio(), known) for known in sorted(self.predicates)]
        score, best = max(scored, key=lambda pair: pair[0])
        return best if score >= _NEAR else None

    def fits(self, end: str, type_: str) -> bool:
        """Whether a type belongs to a class; types that say nothing (unknown names, common nouns) fit every class of entities."""
        if end == "value":
            return type_ in LITERAL_TYPES
        if type_ in LITERAL_TYPES:
            return False
        return end == "any" or type_ in GENERIC_TYPES or type_ in self.classes.get(end, frozenset())


@lru_cache(maxsize=1)
def load_ontology() -> Ontology:
    """The ontology that is shipped with the package."""
    return parse_ontology(_SHIPPED.read_text(encoding="utf-8"))


def ontology_fingerprint() -> str:
    """Digest of the shipped ontology: part of every key that depends on it."""
    return load_ontology().fingerprint


def parse_ontology(toml_text: str) -> Ontology:
    """An ontology from TOML. Raises OntologyError for a malformed file, an unknown class, or a verb that two predicates claim."""
    try:
        table = tomllib.loads(toml_text)
    except tomllib.TOMLDecodeError as error:
        raise OntologyError(f"The ontology is not readable TOML: {error}.") from error
    classes = {name: frozenset(types) for name, types in table.get("classes", {}).items()}
    predicates: dict[str, Predicate] = {}
    verbs: dict[str, str] = {}
    for name, row in table.get("predicates", {}).items():
        predicates[name] = _predicate(name, row, classes)
        for verb in row.get("verbs", []):
            if verb in verbs:
                raise OntologyError(f"The verb {verb!r} stands under both {verbs[verb]!r} and {name!r}.")
            verbs[verb] = name
    causal = table.get("causal", {})
    cues = tuple(sorted(causal.get("cues", []), key=lambda cue: (-len(cue), cue)))
    return Ontology(predicates, verbs, classes, cues, tuple(sorted(causal.get("order_cues", []))), digest("ontology", toml_text))


def _predicate(name: str, row: dict[str, Any], classes: dict[str, frozenset[str]]) -> Predicate:
    known = {"verbs", "head", "tail", "inverse", "force", "causal", "symmetric", "event"}
    if unknown := sorted(set(row) - known):
        raise OntologyError(f"Unknown keys of predicate {name!r}: {', '.join(unknown)}; known are {', '.join(sorted(known))}.")
    if row.get("force", "") not in ("", "weak", "scholarly"):
        raise OntologyError(f"Unknown force {row['force']!r} of predicate {name!r}; known are weak and scholarly.")
    for end in (row.get("head", "any"), row.get("tail", "any")):
        if end not in classes and end not in ("any", "value"):
            raise OntologyError(f"Unknown class {end!r} of predicate {name!r}; known are any, value, {', '.join(sorted(classes))}.")
    return Predicate(
        name=name,
        head=row.get("head", "any"),
        tail=row.get("tail", "any"),
        inverse=row.get("inverse", f"inverse_of:{name}"),
        force=row.get("force", ""),
        causal=bool(row.get("causal", False)),
        symmetric=bool(row.get("symmetric", False)),
        event=bool(row.get("event", False)),
    )
