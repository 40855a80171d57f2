"""What a definite noun stands for: "the inn" is the Red Inn, "the baker" is Odo Fenn who is said to be one, where nothing else can be meant.

A name's noun is a description only where the name is read as one: at its head, after an article or in the name of a house or a body; "Covent
Garden" is no garden, "the song" no Song Contest. Any other thing of that kind in the paragraph so far leaves it open.
"""

from collections.abc import Iterator
from dataclasses import replace

from pagerag_pipeline.indexing.extraction.clause_parts import bearer
from pagerag_pipeline.indexing.extraction.mentions import Mention, Paragraph, distinct, standing
from pagerag_pipeline.indexing.extraction.name_types import PERSON_TITLES, retyped
from pagerag_pipeline.indexing.extraction.reading import Phrase, Sentence
from pagerag_pipeline.indexing.extraction.speech import within

NICKNAME = "nickname"
_TELLING = ("amod", "compound", "nmod", "prep", "relcl", "acl", "poss", "nummod", "appos")
"""Dependents that make a definite noun another one."""
_SHORTEST = 3
_DETERMINERS = frozenset({"the", "this", "that"})
_INDEFINITE = frozenset({"a", "an", "one"})
_SOME = frozenset("other some several many all both various most these those two three four five six seven eight nine ten".split())
_THINGS = frozenset({"it", "this", "that", "these", "those", "they"})
_CALLED_SO = frozenset({"ORG", "FAC"})
"""Types that a name's last word says by itself ("Hale College"): it needs no article to be a description."""
_NEVER = frozenset({"NORP", "WORK_OF_ART", "LANGUAGE"})
"""A group is not one of something; the words of a title do not say what it is."""
_TELLS_NOTHING = frozenset(
    "name title word term family story tale book chapter man woman person fellow boy girl gentleman lady people other rest part side end "
    "head place thing time day year father mother parent brother sister son daughter wife husband uncle aunt cousin nephew niece friend enemy "
    "master member example kind sort case way".split()
)
"""Nouns of names and texts, of mere people, of parts, and of kin and company: every other one in a story is called so too."""


def nickname(paragraph: Paragraph, number: int, index: int) -> Phrase | None:
    """"The college" is the only name of the paragraph so far whose noun is college, or that is said to be one."""
    sentence = paragraph.sentences[number]
    token = sentence.tokens[index]
    word = token.text.casefold()
    name = sentence.name_at.get(index)
    if name is not None and name.last - name.first > 1 + (name.first < index):
        return None
    determiners = [d for d in sentence.having(index, "det") if sentence.tokens[d].text.casefold() in _DETERMINERS]
    if not determiners or token.lemma.casefold() != word or token.dep in ("attr", "appos") or sentence.having(index, *_TELLING):
        return None
    if len(word) < _SHORTEST or word in _TELLS_NOTHING:
        return None
    inside = within(paragraph.spoken, token.start)
    earlier = [m for m in paragraph.mentions if m.sentence < number and m.spoken == inside]
    said = {m.phrase.start: place for m, place in _said_to_be(paragraph, word) if m in earlier}
    fitting = [m for m in earlier if (m.lone and m.phrase.start in said) or _is_called(m, word)]
    bearers = distinct(fitting)
    if len(bearers) != 1 or any(_head(m) == word and not m.words <= bearers[0].words for m in earlier):
        return None
    if _rival(paragraph, (number, index), fitting, {said[m.phrase.start] for m in fitting if m.phrase.start in said}):
        return None
    start = sentence.tokens[determiners[0]].start
    return replace(standing(bearers[0].phrase, token.start, token.end, min(m.since for m in fitting), NICKNAME), start=start)


def _is_called(mention: Mention, word: str) -> bool:
    """Whether the word is the noun of a name that describes: a rank before a person, else the head, where the name is not one only by custom."""
    words = mention.phrase.surface.casefold().split()
    kind = mention.phrase.type
    if len(words) < 2 or kind in _NEVER or any(one.endswith(("'s", "\u2019s", "s'", "s\u2019")) for one in words) or not _clean(mention.phrase.surface):
        return False
    if kind == "PERSON":
        return words[0] == word and word in PERSON_TITLES
    return _head(mention) == word and (mention.the or retyped(mention.phrase.surface, "PROPN") in _CALLED_SO)


def _head(mention: Mention) -> str:
    """The noun of a name of several words: before "of", else the last."""
    words = mention.phrase.surface.casefold().split()
    return words[words.index("of") - 1] if "of" in words[1:] else words[-1] if len(words) > 1 else ""


def _clean(surface: str) -> bool:
    """Whether a name holds nothing in small letters but short joints, and is of one, not of some ("Other Baltic Provinces")."""
    words = surface.split()
    return words[0].casefold() not in _SOME and all(word[0].isupper() or len(word) <= 3 for word in words)


def _said_to_be(paragraph: Paragraph, word: str) -> Iterator[tuple[Mention, tuple[int, int]]]:
    """Names that are said to be a so-and-so, with the place of that noun: "Odo Fenn, a baker", "Hale is a town", "the planet Mars"."""
    for number, index in paragraph.nouns.get(word, ()):
        sentence = paragraph.sentences[number]
        named = bearer(sentence, index) if sentence.tokens[index].pos == "NOUN" and _says(sentence, index) else None
        if named is not None and named.named and not named.how and named.type != "NORP":
            same = [m for m in paragraph.mentions if m.sentence == number and m.phrase.start == named.start and (m.subject or not _of_another(sentence))]
            yield from ((m, (number, index)) for m in same[:1])


def _of_another(sentence: Sentence) -> bool:
    """Whether the sentence is about a thing by pronoun, which may be of that kind too: "It is a sequel to the film Night"."""
    return any(token.text.casefold() in _THINGS and token.dep in ("nsubj", "nsubjpass") for token in sentence.tokens)


def _says(sentence: Sentence, index: int) -> bool:
    """Whether a noun stands so that it says of a name what it is; after a name only with a or an: "the" begins something else as often."""
    if sentence.having(index, "appos"):
        return True
    dep = sentence.tokens[index].dep
    return dep == "attr" or (dep == "appos" and any(sentence.tokens[d].text.casefold() in _INDEFINITE for d in sentence.having(index, "det")))


def _rival(paragraph: Paragraph, place: tuple[int, int], fitting: list[Mention], said: set[tuple[int, int]]) -> bool:
    """Whether another one of that kind was spoken of: the noun before its name, or with something that tells it apart."""
    word = paragraph.sentences[place[0]].tokens[place[1]].text.casefold()
    first = min(m.phrase.start for m in fitting)
    for number, index in paragraph.nouns.get(word, ()):
        sentence, token = paragraph.sentences[number], paragraph.sentences[number].tokens[index]
        if (number, index) >= place:
            return False
        if (number, index) in said or token.dep == "compound" or any(m.phrase.start <= token.start < m.phrase.end for m in paragraph.mentions):
            continue
        bare = any(sentence.tokens[d].text.casefold() in _DETERMINERS for d in sentence.having(index, "det")) and not sentence.having(index, *_TELLING)
        if bare == (token.start < first):
            return True
    return False
