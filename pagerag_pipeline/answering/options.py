"""Questions with options: the one that the answer's quotes hold, when they hold just one."""

from collections.abc import Sequence
from dataclasses import replace

from pagerag_pipeline.answering.gate import Decision
from pagerag_pipeline.lexical import content_terms, terms


def choose_option(decision: Decision, options: Sequence[str]) -> Decision:
    """The decision with the option as its answer that alone has all its words in the quoted answer, or else in one cited sentence.

    A refusal, a part of an answer, and a quote that fits no option or several stay as they are: nothing is guessed.
    """
    if decision.status != "answered" or decision.answer is None or len(decision.claims) != 1 or not options:
        return decision
    texts = ([decision.answer], [sentence.text for sentence in decision.cited])
    for shown in texts:
        held = [option for option in distinct_options(options) if _stands_in(option, shown)]
        if len(held) == 1:
            step = {"step": "options", "chosen": held[0], "quoted": decision.answer}
            claim = replace(decision.claims[0], text=held[0])
            return replace(decision, answer=held[0], claims=(claim,), trace=(*decision.trace, step))
        if held:
            break
    return replace(decision, trace=(*decision.trace, {"step": "options", "chosen": None, "held": held}))


def distinct_options(options: Sequence[str]) -> tuple[str, ...]:
    """The options that say something, each once: those that differ in white space alone are one, as the first writes it."""
    found = {" ".join(option.split()): option for option in reversed(options)}
    return tuple(dict.fromkeys(found[words] for option in options if (words := " ".join(option.split()))))


def _stands_in(option: str, texts: Sequence[str]) -> bool:
    wanted = set(content_terms(option)) or set(terms(option))
    return bool(wanted) and any(wanted <= set(terms(text)) for text in texts)
