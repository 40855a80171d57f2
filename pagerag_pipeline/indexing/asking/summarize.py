"""Summaries of the tree by a model, every statement with the sentences that say it; without sound citations the extractive summary stays (E2GraphRAG)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pagerag_pipeline.indexing.asking.statements import ask_labeled, in_order, told, words_of
from pagerag_pipeline.indexing.summarize import SummaryPart, sentences, summarize_texts
from pagerag_pipeline.prompts.load import fence_text, load_prompt
from pagerag_pipeline.schema.knowledge import Quote, Summary
from pagerag_pipeline.schema.language import Failure, Request
from pagerag_pipeline.schema.protocols import LanguageModel, Tokenizer
from pagerag_pipeline.settings import SummarizeSettings

VERSION = "ask_summarize/1"
PROMPT = "summarize"
_SHRINK = 0.75
_FEWEST = 64
"""Tokens of sentences below which nothing is left to condense."""


@dataclass(frozen=True, slots=True)
class Group:
    """What stands under one summary: `parts` are chunks, or the quotes of a child; `said` are the children's own texts, empty for chunks."""

    parts: tuple[tuple[SummaryPart, ...], ...]
    said: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Condensed:
    """A summary, and what became of its making."""

    summary: Summary
    shown: int
    left_out: int
    """Sentences that were shown, and those that did not fit the model's window."""
    uncited: int = 0
    cut: int = 0
    """Statements dropped because they cite nothing, or found no room."""
    extractive: bool = False
    """Whether the summary is the one that needs no model."""


def needs_model(group: Group, base: Summary) -> bool:
    """Whether there is anything to condense: an extractive summary that holds every sentence is the text itself."""
    every, _ = sentences([part for parts in group.parts for part in parts])
    return len(base.quotes) < len(every)


def ask_summary(group: Group, base: Summary, model: LanguageModel, *, tokenizer: Tokenizer, settings: SummarizeSettings) -> Condensed | Failure:
    """A summary of at most `summary_tokens` tokens whose quotes are the sentences that it cites, in reading order."""
    every, _ = sentences([part for parts in group.parts for part in parts])
    shown, request = _packed(group, every, model, (tokenizer, settings))
    labels = _labels(shown)
    reply = ask_labeled(request, labels, model)
    if isinstance(reply, Failure):
        return reply
    found = told(reply.value, labels, tokenizer, settings.summary_tokens)
    left = len(every) - len(shown)
    if not found.text:
        return Condensed(base, len(shown), left, found.uncited, found.cut, extractive=True)
    return Condensed(Summary(found.text, in_order(found.quotes, shown)), len(shown), left, found.uncited, found.cut)


def _packed(group: Group, every: Sequence[Quote], model: LanguageModel, means: tuple[Tokenizer, SummarizeSettings]) -> tuple[list[Quote], Request]:
    """The sentences that fit the model's window, the most central ones where not all do, in reading order; and the request with them."""
    tokenizer, settings = means
    shown = list(every)
    request = _request(group, shown, settings)
    budget = sum(len(tokenizer.offsets(quote.text)) for quote in every)
    while not model.fits(request) and budget > _FEWEST:
        budget = int(budget * _SHRINK)
        chosen = summarize_texts([part for parts in group.parts for part in parts], tokenizer, replace(settings, summary_tokens=budget))
        shown = list(chosen.quotes)
        request = _request(group, shown, settings)
    return shown, request


def _labels(shown: Sequence[Quote]) -> dict[str, Quote]:
    return {f"S{number}": quote for number, quote in enumerate(shown, start=1)}


def _request(group: Group, shown: Sequence[Quote], settings: SummarizeSettings) -> Request:
    named = {(quote.content_id, quote.start): label for label, quote in _labels(shown).items()}
    pieces = [_piece(parts, said, named) for parts, said in zip(group.parts, group.said, strict=True)]
    told_pieces = "\n\n".join(fence_text(piece) for piece in pieces if piece)
    return load_prompt(PROMPT).request(most_words=words_of(settings.summary_tokens), pieces=told_pieces)


def _piece(parts: Sequence[SummaryPart], said: str, named: dict[tuple[str, int], str]) -> str:
    quotes, _ = sentences(parts)
    lines = [f"[{named[place]}] {' '.join(quote.text.split())}" for quote in quotes if (place := (quote.content_id, quote.start)) in named]
    return "\n".join([said, *lines] if said and lines else lines)
