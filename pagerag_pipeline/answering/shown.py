"""What a model is shown of the evidence: as much as fits its window, best first, each piece fenced under its label, and findings apart from it."""

from collections.abc import Callable, Sequence

from pagerag_pipeline.answering.sentences import TEXT_KINDS
from pagerag_pipeline.prompts.load import fence_text
from pagerag_pipeline.schema.asking import Evidence
from pagerag_pipeline.schema.language import Request
from pagerag_pipeline.schema.protocols import LanguageModel

Finding = tuple[str, str]
"""A question that was asked on the way, and its answer."""


def fit_evidence(
    evidence: Sequence[Evidence], make: Callable[[Sequence[Evidence]], Request], model: LanguageModel
) -> tuple[tuple[Evidence, ...], Request]:
    """The evidence by rank, text before graph, that fits the model's window, in the order in which it was labeled; and the request with it."""
    ranked = sorted(evidence, key=lambda item: (item.kind not in TEXT_KINDS, -item.score, item.label))
    labels: set[str] = set()
    request = make(())
    for item in ranked:
        tried = make([one for one in evidence if one.label in labels | {item.label}])
        if model.fits(tried):
            labels.add(item.label)
            request = tried
    return tuple(one for one in evidence if one.label in labels), request


def fence_evidence(evidence: Sequence[Evidence]) -> str:
    """Each piece under its label, what it says under its titles, as data."""
    return "\n\n".join(f"{item.label}:\n{fence_text(under_titles(item))}" for item in evidence)


def under_titles(item: Evidence) -> str:
    """What an item says, below what it stands under."""
    return f"{item.context}\n{item.text}" if item.context else item.text


def fence_findings(findings: Sequence[Finding]) -> str:
    """What was found on the way, as data."""
    return fence_text("\n".join(f"{asked} -> {answer}" for asked, answer in findings)) if findings else "none"

