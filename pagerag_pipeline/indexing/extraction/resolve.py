"""What pronouns and definite nouns stand for, where a paragraph leaves one possibility; where it leaves two or none, nothing is resolved.

A resolved end keeps the place of the pronoun, the words of its antecedent, and where the antecedent's sentence begins, so that the quote of
a statement can hold both.
"""

from collections.abc import Sequence
from dataclasses import replace

from pagerag_pipeline.indexing.extraction.mentions import Paragraph, read_paragraph, standing
from pagerag_pipeline.indexing.extraction.nicknames import nickname
from pagerag_pipeline.indexing.extraction.pronouns import HE, SHE, person, thing
from pagerag_pipeline.indexing.extraction.reading import Phrase, Sentence
from pagerag_pipeline.indexing.extraction.speech import quotations, speaker_of, within
from pagerag_pipeline.schema.documents import Mode, Span

SPEAKER = "speaker"
FARTHEST = 500
"""Characters between the beginning of the antecedent's sentence and the pronoun: a quote holds both."""

_IT = frozenset({"it", "its"})
_FIRST = frozenset({"i", "my"})
_RESOLVED_DEPS = frozenset({"nsubj", "nsubjpass", "poss"})


def resolve_references(sentences: Sequence[Sentence], gender: dict[str, str], mode: Mode) -> None:
    """Set `resolved`, `before` and `speaker` of the sentences of one paragraph, in order."""
    if not sentences or not sentences[0].parsed:
        return
    spoken = quotations(sentences[0].text)
    paragraph = read_paragraph(sentences, spoken, gender)
    for number, sentence in enumerate(sentences):
        sentence.before = sentences[number - 1] if number else None
        for index, token in enumerate(sentence.tokens):
            # People speak of others whom only they know.
            if not within(spoken, token.start):
                found = _referent(paragraph, number, index, mode)
                if found is not None and token.start - found.since <= FARTHEST:
                    sentence.resolved[index] = found
    _speech(sentences, spoken)


def _referent(paragraph: Paragraph, number: int, index: int, mode: Mode) -> Phrase | None:
    """What a token stands for, when it is a pronoun or a definite noun."""
    sentence = paragraph.sentences[number]
    token = sentence.tokens[index]
    word = token.text.casefold()
    if token.dep in _RESOLVED_DEPS and word in HE | SHE:
        return person(paragraph, number, index)
    if token.dep in _RESOLVED_DEPS and word in _IT and mode != "narrative":
        return thing(sentence, sentence.before, index, paragraph.spoken)
    if token.pos in ("NOUN", "PROPN") and sentence.children[index]:
        return nickname(paragraph, number, index)
    return None


def _speech(sentences: Sequence[Sentence], spoken: Sequence[Span]) -> None:
    """Name the speaker of quotations, and let "I" in them be the speaker."""
    speaker = speaker_of(sentences, spoken)
    for sentence in sentences:
        sentence.spoken = spoken
        sentence.speaker = speaker
        if speaker is None:
            continue
        for index, token in enumerate(sentence.tokens):
            if token.text.casefold() in _FIRST and token.dep in _RESOLVED_DEPS and within(spoken, token.start):
                home = next((s for s in sentences if s.start <= speaker.start < s.end), sentence)
                since, until = min(home.start, sentence.start), max(home.end, sentence.end)
                if until - since <= FARTHEST:
                    sentence.resolved[index] = replace(standing(speaker, token.start, token.end, since, SPEAKER), until=until)
