"""Statements of a model's account of some evidence: which of them cite evidence that was shown, and what of them finds room."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pagerag_pipeline.indexing.asking.replies import once
from pagerag_pipeline.indexing.profiling.language import UNKNOWN, detect_language
from pagerag_pipeline.indexing.summarize import Budget
from pagerag_pipeline.schema.knowledge import Quote
from pagerag_pipeline.schema.language import Failure, Reply, Request, plain_label
from pagerag_pipeline.schema.protocols import LanguageModel, Tokenizer

MOST_LABELS = 3
"""Labels of a statement that are followed: more is a list, not evidence."""
_SCRIPTS = {
    name: re.compile(f"[{letters}]")
    for name, letters in (
        ("Latin", "A-Za-z\u00c0-\u024f"), ("Greek", "\u0370-\u03ff"), ("Cyrillic", "\u0400-\u052f"), ("Hebrew", "\u0590-\u05ff"),
        ("Arabic", "\u0600-\u06ff"), ("Devanagari", "\u0900-\u097f"), ("Thai", "\u0e00-\u0e7f"), ("East Asian", "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"),
    )
}  # fmt: skip
_FOREIGN = 0.1
"""Share of the cited letters in a statement's own script below which it is in another language than what it cites (chosen)."""
_WORD = re.compile(r"[^\W\d_]+")
LEAST_WORDS = 8
"""Words of a text from which they tell its language (chosen)."""
_WORDS = 0.7
"""Words a token, roughly, in what a model is asked to write (chosen)."""


@dataclass(frozen=True, slots=True)
class Told:
    """The statements that stand, joined, the quotes they cite in the order of citing, and how many statements were left out."""

    text: str
    quotes: tuple[Quote, ...]
    uncited: int
    """Statements that cite nothing that was shown, or are in another language than what they cite: a translation was not asked for."""
    cut: int
    """Statements behind the last that found room."""


def label_faults(reply: dict[str, Any], labels: Mapping[str, Quote]) -> list[str]:
    """What is wrong with the labels of statements, and with their language, in words that a model can act on."""
    faults = [] if reply["statements"] else ["statements is empty: state what the evidence says"]
    for place, one in enumerate(reply["statements"]):
        unknown = [label for label in one["labels"] if plain_label(label) not in labels]
        if unknown:
            faults.append(f"statements[{place}] cites {', '.join(unknown)}, which stands nowhere")
        elif not one["labels"]:
            faults.append(f"statements[{place}] cites nothing")
        elif is_foreign(one["text"], [labels[plain_label(label)] for label in one["labels"]]):
            faults.append(f"statements[{place}] is in another language than the pieces it cites: write in theirs")
    return faults


def is_foreign(text: str, cited: Sequence[Quote]) -> bool:
    """Whether a text is mostly in a script that what it cites has hardly any letters of, or its common words are those of another language.

    Common words are asked of LEAST_WORDS or more: of 18,132 such sentences of four English sets, each beside those next to it, 7 were taken for foreign.
    """
    own = Counter({name: len(letters.findall(text)) for name, letters in _SCRIPTS.items()})
    (script, most), *_ = own.most_common(1)
    there = {name: sum(len(letters.findall(quote.text)) for quote in cited) for name, letters in _SCRIPTS.items()}
    return bool(most) and (there[script] < _FOREIGN * sum(there.values()) or _otherwise_worded(text, cited))


def _otherwise_worded(text: str, cited: Sequence[Quote]) -> bool:
    if len(_WORD.findall(text)) < LEAST_WORDS:
        return False
    languages = {detect_language(text), detect_language(" ".join(quote.text for quote in cited))}
    return UNKNOWN not in languages and len(languages) > 1


def ask_labeled(request: Request, labels: Mapping[str, Quote], model: LanguageModel) -> Reply | Failure:
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
        if not cited or not text or is_foreign(text, cited):
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
