"""The estimated chance that evidence suffices for a question: a logistic model over a few features, and the rules no score can outvote.

The coefficients stand in `sufficiency.json` with the command that made them.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib.resources import files

from pagerag_pipeline.answering.asked import Asked
from pagerag_pipeline.answering.coverage import Wanted
from pagerag_pipeline.answering.extractive import MUST_BE_TYPED, Extract
from pagerag_pipeline.lexical import content_terms, words
from pagerag_pipeline.schema import Evidence, Reason

UNKNOWN_SHARE = 0.5
"""From this weighted share of unknown terms on a question is about something else (INC-19: a roof that no text mentions)."""
RULED_OUT = 0.4
"""Factor on the estimate when a rule refuses: the estimate stays comparable, and below what the evidence alone would have given."""


@dataclass(frozen=True, slots=True)
class Features:
    """What the model sees, each about 0..1."""

    cosine: float
    """Best cosine of a passage with the question."""
    coverage: float
    """Weighted share of the question's terms in the quoted sentences."""
    entities: float
    """Share of the question's names that the evidence holds."""
    chief: float
    """Share of the relation asked for that the best sentence holds."""
    typed: float
    """1 when a span of the asked type was found, or any sentence will do."""
    margin: float
    """How far the best item stands out from the mean, in standard deviations, at most 3, over 3."""
    unknown: float
    """Weighted share of the question's terms that do not occur in scope."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the evidence suffices for one question."""

    confidence: float
    reason: Reason | None
    """None when it suffices."""
    why: str
    features: Features


def judge(asked: Asked, wanted: Wanted, extract: Extract | None, evidence: Sequence[Evidence], *, threshold: float) -> Verdict:
    """The verdict on one question; `why` tells it in words."""
    features = measure(asked, wanted, extract, evidence)
    chance = sufficiency(features)
    ruling = _ruling(asked, wanted, extract, features)
    if ruling is not None:
        return Verdict(round(min(chance, RULED_OUT * max(chance, threshold), 0.99 * threshold), 4), ruling[0], ruling[1], features)
    if chance < threshold:
        return Verdict(round(chance, 4), "insufficient", f"estimated chance {chance:.2f} is below {threshold:.2f}", features)
    return Verdict(round(chance, 4), None, f"estimated chance {chance:.2f} reaches {threshold:.2f}", features)


def sufficiency(features: Features) -> float:
    """Logistic model: 1 / (1 + exp(-(bias + sum of weight x feature)))."""
    bias, weights = _coefficients()
    total = bias + sum(weights.get(name, 0.0) * value for name, value in sorted(asdict(features).items()))
    return 1 / (1 + math.exp(-total))


def measure(asked: Asked, wanted: Wanted, extract: Extract | None, evidence: Sequence[Evidence]) -> Features:
    """The features of one question on its evidence."""
    scores = [item.score for item in evidence]
    cosines = [dict(item.scores).get("dense", 0.0) for item in evidence]
    unknown = sum(wanted.weights[term] for term in sorted(wanted.unknown)) / wanted.total
    return Features(
        cosine=round(max(cosines, default=0.0), 4),
        coverage=round(extract.coverage, 4) if extract else 0.0,
        entities=_entity_share(asked, evidence),
        chief=extract.chief_covered if extract else 0.0,
        typed=1.0 if extract and extract.typed else 0.0,
        margin=_margin(scores),
        unknown=round(unknown, 4),
    )


def unknown_names(asked: Asked, wanted: Wanted) -> list[str]:
    """Names in the question of which no word occurs in scope."""
    return [name for name in asked.names if (own := set(content_terms(name)) & set(wanted.weights)) and own <= wanted.unknown]


def _ruling(asked: Asked, wanted: Wanted, extract: Extract | None, features: Features) -> tuple[Reason, str] | None:
    strangers = unknown_names(asked, wanted)
    if strangers:
        return "beyond_scope", f"nothing in scope mentions {', '.join(strangers)}"
    if extract is None:
        return "insufficient", "no sentence of the evidence touches the question"
    if features.unknown >= UNKNOWN_SHARE:
        return "insufficient", f"the terms that matter do not occur in scope: {', '.join(sorted(wanted.unknown))}"
    if asked.kind in MUST_BE_TYPED and not extract.typed:
        return "insufficient", f"no {asked.kind} stands with what is asked"
    return None


def _entity_share(asked: Asked, evidence: Sequence[Evidence]) -> float:
    names = [set(words(name)) for name in asked.names]
    if not names:
        return 1.0
    seen = {word for item in evidence for word in words(item.text)}
    return round(sum(len(name & seen) / max(1, len(name)) for name in names) / len(names), 4)


def _margin(scores: Sequence[float]) -> float:
    if len(scores) < 2:
        return 0.5
    mean = sum(scores) / len(scores)
    deviation = math.sqrt(sum((score - mean) ** 2 for score in scores) / len(scores))
    return round(min(3.0, (max(scores) - mean) / deviation) / 3, 4) if deviation > 0 else 0.0


@lru_cache(maxsize=1)
def _coefficients() -> tuple[float, dict[str, float]]:
    table = json.loads((files("pagerag_pipeline.answering") / "sufficiency.json").read_text(encoding="utf-8"))
    return float(table["bias"]), {name: float(weight) for name, weight in table["weights"].items()}


