"""Whether quotes say the noun that a question asks for (`which prize`, `what license`): in another form, spelling or compound, it is said as well."""

import re
from collections.abc import Collection, Sequence

from pagerag_pipeline.answering.asked import Asked
from pagerag_pipeline.answering.coverage import Wanted
from pagerag_pipeline.answering.extractive import Extract
from pagerag_pipeline.answering.sentences import Sentence, in_passage_of
from pagerag_pipeline.answering.statements import alike
from pagerag_pipeline.lexical import stem, terms, words

_COMPOUND = re.compile(r"(?<![\w-])[^\W\d_]+-[^\W\d_]+(?![\w-])")


def unsaid_head(asked: Asked, wanted: Wanted, extract: Extract, sentences: Sequence[Sentence]) -> frozenset[str]:
    """Terms of the noun asked for when whole sentences answer and none of them says it of what else is asked; empty otherwise.

    A sentence that holds all the rest of a question, and not the noun it asks for, is about something else. What it stands under, leans on, or has as
    a heading in its passage is read with it.
    """
    if asked.kind != "thing" or not asked.english or not asked.head:
        return frozenset()
    others = set(asked.distinctive) - asked.head
    for sentence in extract.quoted:
        own = {*sentence.context, *terms(sentence.read)}
        around = in_passage_of(sentence, sentences)
        beside = own | sentence.in_context | {term for one in around if not one.whole and not one.line for term in one.terms}
        if _says(asked, wanted, own, sentence) and (not others or others & wanted.covered(beside).keys()):
            return frozenset()
    return asked.head


def _says(asked: Asked, wanted: Wanted, own: Collection[str], sentence: Sentence) -> bool:
    """Whether a sentence of these terms says the noun: itself, in two for one word or one for two, or by a word that begins like it."""
    joined = _joined(_COMPOUND.findall(sentence.read))
    asked_joined = _joined([compound for compound in _COMPOUND.findall(asked.text) if asked.head.intersection(terms(compound))])
    said = asked.head & wanted.covered(own).keys() or asked.head & joined or asked_joined.intersection(own)
    return bool(said) or any(alike(head, term) for head in asked.head for term in own)


def _joined(compounds: Sequence[str]) -> set[str]:
    """Stems of compounds written as one word."""
    return {stem("".join(words(compound))) for compound in compounds}
