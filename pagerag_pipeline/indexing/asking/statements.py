"""Statements of a model's account of some evidence: which of them cite evidence that was shown, and what of them finds room."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pagerag_pipeline.indexing.asking.replies import once
from pagerag_pipeline.indexing.summarize import Budget
from pagerag_pipeline.schema.knowledge import Quote
from pagerag_pipeline.schema.language import Failure, Reply, Request, plain_label
from pagerag_pipeline.schema.protocols import LanguageModel, Tokenizer

MOST_LABELS = 3
"""Labels of a statement that are followed: more is a list, not evidence."""
_WORDS = 0.7
"""Words a token, roughly, in what a model is asked to write (chosen)."""


@dataclass(frozen=True, slots=True)
class Told:
    """The statements that stand, joined, the quotes they cite in the order of citing, and how many statements were left out."""

    text: str
    quotes: tuple[Quote, ...]
    uncited: int
    """Statements that cite nothing that was shown."""
    cut: int
    """Statements behind the last that found room."""


def label_faults(reply: dict[str, Any], labels: Iterable[str]) -> list[str]:
    """What is wrong with the labels of statements, in words that a model can act on."""
    known = set(labels)
    faults = [] if reply["statements"] else ["statements is empty: state what the evidence says"]
    for place, one in enumerate(reply["statements"]):
        unknown = [label for label in one["labels"] if plain_label(label) not in known]
        if unknown:
            faults.append(f"statements[{place}] cites {', '.join(unknown)}, which stands nowhere")
        elif not one["labels"]:
            faults.append(f"statements[{place}] cites nothing")
    return faults


def ask_labeled(request: Request, labels: Iterable[str], model: LanguageModel) -> Reply | Failure:
    """The reply to a request whose statements must cite these labels; one that does not is asked about once and then left to `told`."""
    return model.reply(replace(request, faults=once(lambda reply: label_faults(reply, labels))))


def told(reply: dict[str, Any], shown: dict[str, Quote], tokenizer: Tokenizer, tokens: int) -> Told:
    """The statements with known labels, in order, as long as they fit; of the others it is counted how many there are."""
    budget = Budget(tokenizer, tokens)
    kept: list[str] = []
    quotes: dict[Quote, None] = {}
    uncited, cut = 0, 0
    for one in reply["statements"]:
        text = " ".join(one["text"].split())
        cited = [shown[label] for label in map(plain_label, one["labels"]) if label in shown][:MOST_LABELS]
        if not cited or not text:
            uncited += 1
        elif cut or not budget.takes(f" {text}"):
            cut += 1
        else:
            kept.append(text)
            quotes.update(dict.fromkeys(cited))
    return Told(" ".join(kept), tuple(quotes), uncited, cut)


def words_of(tokens: int) -> str:
    """About how many words have so many tokens, as prompts say it."""
    return str(max(20, round(tokens * _WORDS / 10) * 10))


def in_order(quotes: Sequence[Quote], order: Sequence[Quote]) -> tuple[Quote, ...]:
    """Quotes in the order in which they stand in another list."""
    place = {quote: number for number, quote in enumerate(order)}
    return tuple(sorted(quotes, key=lambda quote: place[quote]))
