"""What a plan is made of: hops in parallel sequences, what they depend on, and the final query; and what a plan is as JSON."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

HopScope = Literal["specific", "abstract"]

FINAL = "final"
"""Id of the final query among the steps of a plan."""
CLAUSES = "0-"
"""How the ids of hops begin that disambiguate: they put a part of the question anew once others are answered."""
_ID = r"(?P<sequence>\d+)\s*[-.\u2010-\u2014]\s*(?P<place>\d+)"
_HOP_ID = re.compile(rf"\s*(?:sub[\s_-]?q(?:uery|uestion)?|hop)?\s*#?\s*{_ID}\s*", re.IGNORECASE)
_SPELLED = re.compile(
    rf"[<\[{{]\s*(?:the\s+)?(?:(?:answer|result)s?\s*(?:of|to|from|for|in)?\s*)?(?:sub[\s_-]?q(?:uery|uestion)?|hop)?\s*#?\s*{_ID}"
    r"(?:['\u2019]s)?\s*(?:answer|result)?\s*[>\]}]",
    re.IGNORECASE,
)
PLACE = re.compile(r"<(\d+-\d+)>")
"""Where the answer of an earlier hop comes in, in the one spelling that is kept."""


@dataclass(frozen=True, slots=True)
class Hop:
    """One step of a plan."""

    hop_id: str
    """`sequence-place`; sequence 0 is the one that disambiguates."""
    sub_query: str
    """What it asks; `<1-1>` is where the answer of hop 1-1 comes in."""
    dependencies: tuple[str, ...] = ()
    scope: HopScope = "specific"
    stands_for: str = ""
    """The words of the question that its answer stands for: what is put in where there is no answer."""


@dataclass(frozen=True, slots=True)
class HopPlan:
    """How a whole question is resolved: every hop before the final query. Without hops the final query is the one hop."""

    query: str
    hops: tuple[Hop, ...]
    """In the order of their declaration."""
    final: Hop
    why: tuple[str, ...] = ()
    """What the planner saw, and each repair."""
    by: str = "rules"
    """Who planned: `rules`, the name of a model, or none."""
    fallback: str = ""
    """Why a model that was asked has not planned; empty otherwise."""

    @property
    def steps(self) -> tuple[Hop, ...]:
        """All that is asked, the final query last."""
        return (*self.hops, self.final)

    def step(self) -> dict[str, Any]:
        """The plan's step in the trace of an outcome."""
        told = {"step": "plan", "by": self.by, "plan": self.as_dict(), "why": list(self.why)}
        return {**told, **({"fallback": self.fallback} if self.fallback else {})}

    def as_dict(self) -> dict[str, Any]:
        """The plan as JSON holds it, and as `drafted` reads it."""
        sequences: dict[str, list[dict[str, Any]]] = {}
        for hop in self.hops:
            told = {"hop_id": hop.hop_id, "sub_query": hop.sub_query, "dependencies": list(hop.dependencies), "scope": hop.scope}
            sequences.setdefault(hop.hop_id.partition("-")[0], []).append(told)
        final = {"final_query": self.final.sub_query, "dependencies": list(self.final.dependencies), "scope": self.final.scope}
        return {"query": self.query, "path": {"sequences": [{"sequence_id": one, "hop": own} for one, own in sequences.items()], "final_query": [final]}}


def single(query: str, why: str, scope: HopScope = "specific") -> HopPlan:
    """The plan that asks the question itself and nothing before it; `why` says why there is no other."""
    return HopPlan(query, (), Hop(FINAL, query, scope=scope), (why,))


def hop_id(given: Any) -> str:
    """The one spelling of a hop's id (`SubQ1.2` is `1-2`); other texts as they are, without the space around them."""
    text = str(given).strip()
    found = _HOP_ID.fullmatch(text)
    return f"{int(found['sequence'])}-{int(found['place'])}" if found else text


def with_places(text: str) -> str:
    """A text with every spelling of a place for an answer (`[1.1]`, `<1.1>`, `[1-1]`, `<answer of 1-1>`) as `<1-1>`."""
    return _SPELLED.sub(lambda found: f"<{int(found['sequence'])}-{int(found['place'])}>", text)


def places(text: str) -> tuple[str, ...]:
    """The hops whose answers a text has places for, each once, in order."""
    return tuple(dict.fromkeys(PLACE.findall(text)))


def fill(text: str, answers: Mapping[str, str], phrases: Mapping[str, str]) -> str:
    """A text with answers in their places; where there is none, the words that it stands for, else nothing: no search is for a place itself (K8)."""
    seen: set[str] = set()
    while (found := PLACE.search(text)) is not None:
        one = found.group(1)
        put = answers.get(one, "") or ("" if one in seen else phrases.get(one, ""))
        seen.add(one)
        text = f"{text[: found.start()]}{put}{text[found.end() :]}"
    return re.sub(r"\s+([?.,;:!'])", r"\1", " ".join(text.split()))
