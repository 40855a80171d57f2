"""The query profile (scope, path need, synthesis need, boundary sensitivity) and the routing table of PAGE-RAG, section 2.4."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pagerag_pipeline.lexical import STOP_WORDS, words
from pagerag_pipeline.schema.asking import Plan
from pagerag_pipeline.settings_asking import RetrieveSettings
from pagerag_pipeline.stores.found import Linked
from pagerag_pipeline.systems.boundary import Boundary
from pagerag_pipeline.systems.gathering import Reading

_RELATION = re.compile(
    r"\b(?:relat\w+|connect\w+|between|compare\w*|difference|married|brother|sister|father|mother|son|daughter|wife|husband|friend|enemy"
    r"|know|knew|met|work\w* (?:with|for)|belong\w*|cause\w*|affect\w*|influence\w*|before|after)\b",
    re.IGNORECASE,
)
_CHAIN = re.compile(
    r"^why\b|\bhow did\b.*\b(?:lead|led|come|end up|become|cause)\b|\bthrough (?:whom|which|what)\b|\b(?:lead|led) to\b|\bwhose\b|\bbecause\b", re.IGNORECASE
)
_NESTED = re.compile(r"\b(?:of|in|by) the \w+(?: \w+)? (?:of|that|who|which|where|whose|in which)\b|'s \w+'s\b|\bof (?:the )?\w+'s\b", re.IGNORECASE)
_INNER_WORD = re.compile(r"(?<![.?!:]) [\"'(\u2018\u201c]?([^\W_]{2,})")
"""A word of two letters or more that begins no sentence."""
_LISTING = re.compile(r"\b(?:how many|list|which of|all the|every|count|number of)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class QueryProfile:
    """u = (alpha, beta, gamma, eta)."""

    scope: Literal["local", "relational", "global"]
    path: bool
    synthesis: bool
    boundary: Boundary
    listing: bool
    names: bool
    """Whether it names something that a second hop may start from."""
    linked: tuple[Linked, ...]
    why: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """The profile as the plan shows it."""
        return {
            "scope": self.scope,
            "path": self.path,
            "synthesis": self.synthesis,
            "boundary": self.boundary.eta,
            "strict": self.boundary.strict,
            "linked": [entity.name for entity in self.linked],
        }


def longest_links(question: str, linked: Sequence[Linked]) -> tuple[Linked, ...]:
    """The entities whose names stand in the question: proper names first, longer before shorter, rarer before commoner.

    A name inside a longer linked name is left out.
    """
    kept: list[Linked] = []
    for entity in sorted(linked, key=lambda e: (not is_named(e), -len(e.alias_key.split()), e.mentions, e.entity_id)):
        inside = any(f" {entity.alias_key} " in f" {other.alias_key} " and entity.alias_key != other.alias_key for other in kept)
        if not inside and not _common(entity, question):
            kept.append(entity)
    return tuple(kept)


def without_names(question: str, linked: Sequence[Linked]) -> str:
    """The question without the names of these entities where they are written with a capital; empty when that leaves it as it is or bare."""
    rest = question
    for key in sorted({entity.alias_key for entity in linked}, key=lambda key: (-len(key), key)):
        name = re.compile(rf"(?<!\w){re.escape(key)}(?!\w)", re.IGNORECASE)
        rest = name.sub(lambda found: found.group() if found.group().islower() else "", rest)
    rest = " ".join(rest.split())
    bare = all(word in STOP_WORDS for word in words(rest))
    return "" if bare or rest == " ".join(question.split()) else rest


def is_named(entity: Linked) -> bool:
    """Whether an entity has a proper name."""
    return entity.name[:1].isupper() and entity.type != "NOUN"


def profile_question(reading: Reading, linked: Sequence[Linked], *, adjacent: bool, boundary: Boundary) -> QueryProfile:
    """Psi by rules; `adjacent` says whether some edge joins two of the linked entities."""
    text = reading.question.text
    why: list[str] = []
    named = [entity for entity in linked if is_named(entity)]
    theme = any(part.kind == "theme" for part in reading.parts)
    scope: Literal["local", "relational", "global"] = "local"
    if theme:
        scope = "global"
        why.append("global: it asks for a theme or an overview")
    elif len(named) >= 2 or (named and _RELATION.search(text)):
        scope = "relational"
        why.append(f"relational: it names {', '.join(e.name for e in named)}")
    else:
        why.append("local: it asks for one fact" + (f" about {linked[0].name}" if linked else ""))
    apart = bool(named) and len(linked) >= 2 and not adjacent
    path = apart or bool(linked and (_CHAIN.search(text) or _NESTED.search(text)))
    if path:
        why.append("paths: what it names are no neighbors" if apart else "paths: it asks along a chain")
    if boundary.beyond:
        why.append(f"beyond: it asks for something {boundary.beyond}")
    if boundary.strict:
        why.append(f"strict gate, wider text pool: much of what it asks for may lie beyond these documents (boundary {boundary.eta:.2f})")
    names = _writes_name(reading.searched) or bool(named and path) or bool(linked and _has_no_case(text))
    if not theme:
        why.append("spread: it names something" if names else "no spread: it writes no name and asks along no chain")
    return QueryProfile(scope, path, theme, boundary, bool(_LISTING.search(text)), names, tuple(linked), tuple(why))


def route(profile: QueryProfile, settings: RetrieveSettings, *, budget: int | None) -> Plan:
    """Pi: the operators, text always among them, with their budgets and the reasons."""
    default = {"local": settings.tokens_local, "relational": settings.tokens_relational, "global": settings.tokens_global}[profile.scope]
    operators = ["text"]
    budgets: dict[str, int] = {"tokens": default if budget is None else budget, "passages": settings.text_passages}
    if profile.scope == "relational" or (profile.linked and profile.path):
        operators.append("neighborhood")
        budgets.update(neighbor_nodes=settings.neighbor_nodes, neighbor_edges=settings.neighbor_edges)
    if profile.path and len(profile.linked) >= 2:
        operators.append("path")
        budgets.update(paths=settings.paths, path_edges=settings.path_edges)
    if profile.scope != "global" and profile.names:
        operators.append("spread")
        budgets["spread_passages"] = settings.spread_passages
    if profile.scope == "global":
        operators += ["community", "tree"]
        budgets.update(reports=settings.reports, report_tokens=settings.report_tokens)
    if profile.listing and profile.linked:
        operators.append("records")
    return Plan(profile.as_dict(), (*operators, "rerank"), budgets, profile.why)


def _writes_name(text: str) -> bool:
    """Whether a word inside a sentence begins with a capital."""
    return any(word[0].isupper() for word in _INNER_WORD.findall(text))


def _has_no_case(text: str) -> bool:
    """Whether the text is written in a script without capitals."""
    return text.lower() == text.upper()


def _common(entity: Linked, question: str) -> bool:
    """Whether a one-word link is a plain word here: its alias is written in lower case in the question and in upper case as a name."""
    if " " in entity.alias_key or not entity.name[:1].isupper():
        return False
    return re.search(rf"\b{re.escape(entity.name)}\b", question) is None and re.search(rf"\b{re.escape(entity.alias_key)}\b", question) is not None


def pointed_at(scores: Mapping[tuple[str, int], float]) -> dict[tuple[str, int], float]:
    """Scores scaled so that the strongest is 1."""
    top = max(scores.values(), default=0.0)
    return {key: value / top for key, value in scores.items()} if top > 0 else {}
