"""Community reports by a model, every finding with the evidence that says it; without sound citations the extractive report stays (PAGE-RAG, section 2.3, step 5)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pagerag_pipeline.indexing.asking.replies import listed
from pagerag_pipeline.indexing.asking.statements import ask_labeled, told, words_of
from pagerag_pipeline.indexing.report import Binding, MemberEvidence, report_community
from pagerag_pipeline.prompts.load import fence_text, load_prompt
from pagerag_pipeline.schema.knowledge import Quote, Report
from pagerag_pipeline.schema.language import Failure, Request
from pagerag_pipeline.schema.protocols import LanguageModel, Tokenizer
from pagerag_pipeline.settings import SummarizeSettings

VERSION = "ask_report/1"
PROMPT = "report"
_MEMBERS = 40
"""Most members that are named; the largest communities with a report have as many."""
_TITLE_TOKENS = 48
"""As many as an extractive title has at most: with the text it fits the embedder's window."""
_TOPICS = 5
_LONG = 40
"""Characters of a topic."""


@dataclass(frozen=True, slots=True)
class Community:
    """What a report is made of, and the report that needs no model."""

    members: tuple[MemberEvidence, ...]
    binding: Binding
    base: Report


@dataclass(frozen=True, slots=True)
class Reported:
    """A report, and what became of its making."""

    report: Report
    shown: int
    uncited: int = 0
    cut: int = 0
    """Findings dropped because they cite nothing, or found no room."""
    extractive: bool = False


def ask_report(
    community: Community, model: LanguageModel, *, tokenizer: Tokenizer, settings: SummarizeSettings, most: int
) -> Reported | Failure:
    """A report of at most `summary_tokens` tokens whose quotes are the pieces that it cites; `most` pieces are shown, those first that speak of most members."""
    shown = _evidence(community, tokenizer, settings, most)
    request = _request(community, shown, settings)
    while not model.fits(request) and len(shown) > 1:
        shown = shown[: len(shown) * 3 // 4]
        request = _request(community, shown, settings)
    labels = {f"E{number}": quote for number, quote in enumerate(shown, start=1)}
    reply = ask_labeled(request, labels, model)
    if isinstance(reply, Failure):
        return reply
    found = told(reply.value, labels, tokenizer, settings.summary_tokens)
    if not found.text:
        return Reported(community.base, len(shown), found.uncited, found.cut, extractive=True)
    report = _report(community, reply.value, found.text, (found.quotes, tokenizer))
    return Reported(report, len(shown), found.uncited, found.cut)


def _report(community: Community, reply: dict[str, Any], text: str, cited: tuple[tuple[Quote, ...], Tokenizer]) -> Report:
    quotes, tokenizer = cited
    base = community.base
    title = " ".join(reply["title"].split())
    topics = tuple(dict.fromkeys(" ".join(topic.split()) for topic in reply["topics"] if 0 < len(topic.strip()) <= _LONG))[:_TOPICS]
    spoken = {(quote.content_id, quote.start, quote.end) for quote in quotes}
    uncited = sum(not any((q.content_id, q.start, q.end) in spoken for q in member.quotes) for member in community.members)
    every = {(q.content_id, q.start, q.end) for member in community.members for q in member.quotes}
    return replace(
        base,
        title=title if title and len(tokenizer.offsets(title)) <= _TITLE_TOKENS else base.title,
        text=text,
        topics=topics or base.topics,
        quotes=quotes,
        uncited=uncited,
        evidence_left_out=max(community.binding.places, len(every)) - len(quotes),
    )


def _evidence(community: Community, tokenizer: Tokenizer, settings: SummarizeSettings, most: int) -> list[Quote]:
    """The pieces to show, in order of importance; that of the extractive report, gone on with."""
    every = sum(len(tokenizer.offsets(quote.text)) for member in community.members for quote in member.quotes)
    wide = replace(settings, summary_tokens=max(every, settings.summary_tokens), report_quotes=most)
    return list(report_community(community.members, tokenizer, wide, binding=community.binding).quotes)


def _request(community: Community, shown: Sequence[Quote], settings: SummarizeSettings) -> Request:
    ordered = sorted(community.members, key=lambda member: (-member.weight, member.name, member.entity_id))
    names = [member.name for member in ordered[:_MEMBERS]]
    more = [f"and {len(ordered) - len(names)} more"] * (len(ordered) > len(names))
    evidence = "\n\n".join(f"E{number}:\n{fence_text(' '.join(quote.text.split()))}" for number, quote in enumerate(shown, start=1))
    return load_prompt(PROMPT).request(
        most_words=words_of(settings.summary_tokens),
        members=fence_text(listed([*names, *more])),
        bonds=fence_text(listed(community.base.bonds)),
        evidence=evidence,
    )
