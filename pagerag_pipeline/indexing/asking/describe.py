"""Descriptions of entities of which much is said, condensed by a model; what is little is its own description (PankRAG, section 4.2)."""

from collections.abc import Sequence
from dataclasses import dataclass

from pagerag_pipeline.indexing.asking.statements import ask_labeled, told, words_of
from pagerag_pipeline.indexing.summarize import Budget
from pagerag_pipeline.prompts.load import fence_text, load_prompt
from pagerag_pipeline.schema.knowledge import Quote
from pagerag_pipeline.schema.language import Failure, Request
from pagerag_pipeline.schema.protocols import LanguageModel, Tokenizer

VERSION = "ask_describe/1"
PROMPT = "describe"


@dataclass(frozen=True, slots=True)
class Description:
    """What is said of an entity, the quotes it stands on, and what became of its making."""

    text: str
    quotes: tuple[Quote, ...]
    condensed: bool
    left_out: int = 0
    """Quotes that did not fit the model's window, or the description where none of it could be cited."""
    uncited: int = 0
    cut: int = 0
    """Statements dropped because they cite nothing, or found no room."""


def ask_description(
    name: str, quotes: Sequence[Quote], model: LanguageModel, *, tokenizer: Tokenizer, tokens: int
) -> Description | Failure:
    """What the quotes say of an entity: all of them, as long as they have fewer than `tokens` tokens together, else one call that condenses them below that.

    Where the call cites nothing that was shown, the first quotes stand that find room.
    """
    joined = " ".join(" ".join(quote.text.split()) for quote in quotes)
    if len(tokenizer.offsets(joined)) < tokens:
        return Description(joined, tuple(quotes), condensed=False)
    shown = list(quotes)
    request = _request(name, shown, tokens)
    while not model.fits(request) and len(shown) > 1:
        shown = shown[: len(shown) * 3 // 4]
        request = _request(name, shown, tokens)
    labels = {f"E{number}": quote for number, quote in enumerate(shown, start=1)}
    reply = ask_labeled(request, labels, model)
    if isinstance(reply, Failure):
        return reply
    found = told(reply.value, labels, tokenizer, tokens)
    if not found.text:
        kept = _first(quotes, tokenizer, tokens)
        text = " ".join(" ".join(quote.text.split()) for quote in kept)
        return Description(text, kept, condensed=False, left_out=len(quotes) - len(kept), uncited=found.uncited, cut=found.cut)
    return Description(found.text, found.quotes, condensed=True, left_out=len(quotes) - len(shown), uncited=found.uncited, cut=found.cut)


def _first(quotes: Sequence[Quote], tokenizer: Tokenizer, tokens: int) -> tuple[Quote, ...]:
    """The quotes that find room, in order; the first one where none does: no description is empty."""
    budget = Budget(tokenizer, tokens)
    return tuple(quote for quote in quotes if budget.takes(f" {quote.text}")) or tuple(quotes[:1])


def _request(name: str, shown: Sequence[Quote], tokens: int) -> Request:
    evidence = "\n\n".join(f"E{number}:\n{fence_text(' '.join(quote.text.split()))}" for number, quote in enumerate(shown, start=1))
    return load_prompt(PROMPT).request(most_words=words_of(tokens // 2), name=fence_text(name), evidence=evidence)
