"""The estimated chance that evidence suffices for a question: a logistic model over a few features, and the rules no score can outvote.

The coefficients stand in `sufficiency.json` with the command that made them.
"""

import json
import math
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib.resources import files

from pagerag_pipeline.answering.asked import ASKING_WORDS, Asked
from pagerag_pipeline.answering.closeness import measure_closeness
from pagerag_pipeline.answering.coverage import Wanted
from pagerag_pipeline.answering.extractive import MUST_BE_TYPED, Extract
from pagerag_pipeline.answering.heads import unsaid_head
from pagerag_pipeline.answering.pointing import pointed_at
from pagerag_pipeline.answering.sentences import Sentence
from pagerag_pipeline.answering.tokens import Tokens
from pagerag_pipeline.answering.written_names import lost_names
from pagerag_pipeline.lexical import content_terms, stem, words
from pagerag_pipeline.schema.asking import Evidence, Reason, TermStatistics
from pagerag_pipeline.schema.protocols import Embedder
from pagerag_pipeline.settings_asking import AnswerSettings

FITTED = "minilm"
"""The embedder whose coefficients stand in for one that has none."""
AGAINST = ("unknown", "negation", "lost", "pointed")
"""Features that speak against an answer; all others speak for one."""


@dataclass(frozen=True, slots=True)
class Grounds:
    """What a verdict stands on: the packed evidence, the ranking it was taken from, how common terms are in scope."""

    evidence: tuple[Evidence, ...]
    pool: tuple[Evidence, ...]
    statistics: TermStatistics
    model: str
    """Name of the embedder in the settings."""
    strict: bool = False
    """Whether the question stands so near the boundary of its scope that the strict gate holds."""
    constrained: bool = True
    """False where a comparison asks without the gate: then whatever can be quoted suffices."""
    story: float = 0.0
    """Chance that two of the pool stand in the same document of fiction, by its profile."""
    sentences: tuple[Sentence, ...] = ()
    """The evidence's own, once it is split."""
    rows: tuple[Evidence, ...] = ()
    """Rows at which passages of the evidence begin: what tells the header of a table that began before."""
    tokens: tuple[Tokens, ...] = ()
    """Of the evidence, as they were kept when it was embedded; may lack some items, or all."""
    told_before: bool = False
    """Whether earlier turns may say what the question points at."""
    findings: tuple[tuple[str, str], ...] = ()
    """Questions that were asked on the way with their answers, for a model to see; never evidence."""


@dataclass(frozen=True, slots=True)
class Features:
    """What the model sees, each about 0..1."""

    sentence: float
    """Cosine with the question of the sentence that is read; for a theme, the best of any item."""
    in_place: float
    """Cosine of the nearest of all sentences of the evidence as they stand in their passages, by the signs of their tokens."""
    stands_out: float
    """How far the best cosine of a passage stands above the mean of the pool, in standard deviations, over 5: relative to the corpus."""
    coverage: float
    """Weighted share of the question's terms in the quoted sentences."""
    entities: float
    """Share of the question's names that the evidence holds."""
    chief: float
    """Share of the relation asked for that the best sentence holds."""
    numbers: float
    """Best share of the question's numbers in a sentence that covers most of it; 1 for a question without numbers."""
    typed: float
    """1 when a span of the asked type was found, or any sentence will do."""
    unknown: float
    """Weighted share of the question's terms that do not occur in scope."""
    names: float
    """How near that sentence comes to the question's name that it meets least."""
    matched: float
    """How near it comes to the other words on average."""
    negation: float
    """1 when the question denies something and that sentence denies nothing."""
    lost: float
    """Share of the question's names that no evidence writes as names."""
    pointed: float
    """1 when the question points at something without naming it, no earlier turn may, and the pool is of several documents."""
    story: float
    """Chance that two of the pool stand in the same story: a long one is asked about in other words than its own, so that all likeness is less there."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the evidence suffices for one question."""

    confidence: float
    reason: Reason | None
    """None when it suffices."""
    why: str
    features: Features


def judge(
    asked: Asked, wanted: Wanted, extract: Extract | None, grounds: Grounds, *, settings: tuple[AnswerSettings, Embedder]
) -> Verdict:
    """The verdict on one question; `why` tells it in words.

    The strict gate (systems, section 2.5, layer 3) asks for a higher estimate, and that one cited sentence covers enough of what is asked:
    a claim that is a quote always overlaps with its source, so its overlap with the question is what can fail.
    """
    knobs = settings[0]
    threshold = knobs.strict_threshold if grounds.strict else knobs.threshold
    features = measure(asked, wanted, extract, grounds, embedder=settings[1])
    chance = sufficiency(features, grounds.model)
    if not grounds.constrained and extract is not None:
        return Verdict(round(chance, 4), None, f"estimated chance {chance:.2f}, asked without a gate", features)
    ruling = _ruling(asked, wanted, extract, features, unknown_share=knobs.unknown_share) or _head_ruling(asked, wanted, extract, grounds)
    ruling = ruling or _strict_ruling(extract, grounds, knobs)
    if ruling is not None:
        return Verdict(ruled_out(chance, knobs), ruling[0], ruling[1], features)
    if chance < threshold:
        gate = " of the strict gate" if grounds.strict else ""
        told = f"{chance:.2f}" if round(chance, 2) < threshold else f"{chance:.4f}"
        unnamed = f"; it points at \"{pointed_at(asked)} ...\", and nothing says which" if features.pointed else ""
        return Verdict(round(chance, 4), "insufficient", f"estimated chance {told} is below {threshold:.2f}{gate}{unnamed}", features)
    return Verdict(round(chance, 4), None, f"estimated chance {chance:.2f} reaches {threshold:.2f}", features)


def ruled_out(chance: float, settings: AnswerSettings) -> float:
    """The estimate of what a rule refuses: below the threshold, and in the order that the estimates had."""
    return round(min(chance, settings.ruled_out * max(chance, settings.threshold), 0.99 * settings.threshold), 4)


def sufficiency(features: Features, model: str) -> float:
    """Logistic model: 1 / (1 + exp(-(bias + sum of weight x feature))); each embedder has coefficients of its own, for its cosines lie elsewhere."""
    bias, weights = _coefficients(model)
    total = bias + sum(weights.get(name, 0.0) * value for name, value in sorted(asdict(features).items()))
    return 1 / (1 + math.exp(-total))


def measure(asked: Asked, wanted: Wanted, extract: Extract | None, grounds: Grounds, *, embedder: Embedder) -> Features:
    """The features of one question on its evidence."""
    dense = [dict(item.scores)["dense"] for item in grounds.pool if "dense" in dict(item.scores)]
    close = measure_closeness(asked, wanted, grounds.sentences, grounds.tokens, embedder)
    return Features(
        sentence=_theme_cosine(grounds) if asked.kind == "theme" else close.cosine,
        in_place=close.in_place,
        stands_out=_stands_out(dense),
        coverage=round(extract.coverage, 4) if extract else 0.0,
        entities=_entity_share(asked, grounds.evidence),
        chief=extract.chief_covered if extract else 0.0,
        numbers=close.numbers,
        typed=1.0 if extract and extract.typed else 0.0,
        unknown=round(sum(wanted.weights[term] for term in sorted(wanted.unknown)) / wanted.total, 4),
        names=close.names,
        matched=close.matched,
        negation=close.negation,
        lost=lost_names(asked, grounds.evidence),
        pointed=1.0 if _points(asked, grounds) else 0.0,
        story=grounds.story,
    )


def _points(asked: Asked, grounds: Grounds) -> bool:
    """Whether a question points at what neither it nor an earlier turn names; a document that stands alone is what it is about."""
    alone = len({span.document for item in grounds.pool for span in item.spans}) < 2
    return not grounds.told_before and not alone and bool(pointed_at(asked))


def unknown_names(asked: Asked, wanted: Wanted) -> list[str]:
    """Names in the question of which no word occurs in scope."""
    if not asked.english:
        return []
    return [name for name in asked.names if (own := set(content_terms(name)) & set(wanted.weights)) and own <= wanted.unknown]


def _ruling(
    asked: Asked, wanted: Wanted, extract: Extract | None, features: Features, *, unknown_share: float
) -> tuple[Reason, str] | None:
    strangers = unknown_names(asked, wanted)
    if strangers:
        return "beyond_scope", f"nothing in scope mentions {', '.join(strangers)}"
    if extract is None:
        return "insufficient", "no sentence of the evidence touches the question"
    if features.unknown >= unknown_share:
        return "insufficient", f"the terms that matter do not occur in scope: {_in_words(asked, wanted.unknown)}"
    if asked.kind in MUST_BE_TYPED and not extract.typed:
        return "insufficient", f"no {asked.kind} stands with what is asked"
    return None


def _head_ruling(asked: Asked, wanted: Wanted, extract: Extract | None, grounds: Grounds) -> tuple[Reason, str] | None:
    unsaid = unsaid_head(asked, wanted, extract, grounds.sentences) if extract is not None else frozenset()
    return ("insufficient", f"no cited sentence says {_in_words(asked, unsaid)} of what is asked") if unsaid else None


def _in_words(asked: Asked, some: Collection[str]) -> str:
    """Terms as the question writes them, sorted."""
    written = {stem(word): word for word in words(asked.text)}
    plain = [term for term in some if term not in ASKING_WORDS and (len(term) > 1 or not term.isascii())]
    return ", ".join(sorted(written.get(term, term) for term in plain or some))


def _strict_ruling(extract: Extract | None, grounds: Grounds, settings: AnswerSettings) -> tuple[Reason, str] | None:
    if not grounds.strict or extract is None or extract.overlap >= settings.strict_overlap:
        return None
    return "insufficient", f"strict gate: no cited sentence covers more than {extract.overlap:.2f} of what is asked, {settings.strict_overlap:.2f} is needed"


def _entity_share(asked: Asked, evidence: Sequence[Evidence]) -> float:
    names = [set(words(name)) for name in asked.names]
    if not names:
        return 1.0
    missing: set[str] = set().union(*names)
    for item in evidence:
        if not missing:
            break
        missing.difference_update(words(item.text))
    return round(sum(len(name - missing) / max(1, len(name)) for name in names) / len(names), 4)


def _theme_cosine(grounds: Grounds) -> float:
    """No sentence answers for a theme: there the best cosine of any item, summaries and reports included, stands for it."""
    return round(max((dict(item.scores).get("dense", 0.0) for item in grounds.evidence), default=0.0), 4)


def _stands_out(dense: Sequence[float]) -> float:
    if len(dense) < 3:
        return 0.5
    mean = sum(dense) / len(dense)
    deviation = math.sqrt(sum((value - mean) ** 2 for value in dense) / len(dense))
    return round(min(5.0, (max(dense) - mean) / deviation) / 5, 4) if deviation > 1e-9 else 0.0


@lru_cache(maxsize=4)
def _coefficients(model: str) -> tuple[float, dict[str, float]]:
    tables = json.loads((files("pagerag_pipeline.answering") / "sufficiency.json").read_text(encoding="utf-8"))
    table = tables.get(model, tables[FITTED])
    return float(table["bias"]), {name: float(weight) for name, weight in table["weights"].items()}
