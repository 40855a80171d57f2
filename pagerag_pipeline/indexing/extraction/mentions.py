"""The names of a paragraph as what a pronoun or a definite noun may stand for: who acts, who is a man or a woman, which names are of one bearer."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pagerag_pipeline.indexing.extraction.first_names import FEMALE, MALE
from pagerag_pipeline.indexing.extraction.reading import Phrase, Sentence
from pagerag_pipeline.indexing.extraction.speech import within
from pagerag_pipeline.schema.documents import Span
from pagerag_pipeline.schema.knowledge import Token

_MALE_TITLES = frozenset("mr mr. sir lord king prince duke count baron master monsieur herr signor squire father brother uncle".split())
_FEMALE_TITLES = frozenset(
    "mrs mrs. miss ms ms. lady dame queen princess duchess countess baroness madame mademoiselle mme mme. mlle mlle. frau signora signorina "
    "mistress madam sister mother aunt".split()
)
_MAKING = frozenset("found buy sell build own establish open close write paint publish direct design invent repair destroy inherit read in at on of from".split())
"""Verbs and prepositions whose objects are no people who act."""
_ACTING = ("nsubj", "nsubjpass", "poss", "conj", "appos", "agent")


@dataclass(frozen=True, slots=True)
class Mention:
    """A name of the paragraph so far: the sentence it stands in, and whether somebody says it."""

    phrase: Phrase
    sentence: int
    since: int
    spoken: bool
    words: frozenset[str]
    acting: bool = False
    """Whether it is a subject, or an object of anything but making and owning: it may be a person, whatever its type."""
    subject: bool = False
    """Whether something is said of it: it is the subject of a verb."""
    title: str = ""
    """m or f where a title stands before it ("Mr. Darcy")."""
    lone: bool = True
    """Whether it is not one of several that are named together."""
    called: bool = False
    """Whether it is only called out ("Edith!")."""
    the: bool = False
    """Whether "the" stands right before it."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """What resolving reads of a paragraph."""

    sentences: Sequence[Sentence]
    spoken: Sequence[Span]
    mentions: Sequence[Mention]
    gender: dict[str, str]
    nouns: dict[str, list[tuple[int, int]]]
    """Where each singular noun stands, as sentence and token, in order."""


def read_paragraph(sentences: Sequence[Sentence], spoken: Sequence[Span], gender: dict[str, str]) -> Paragraph:
    """The names and nouns of a paragraph's sentences."""
    mentions = [mention for number, sentence in enumerate(sentences) for mention in _mentions(sentence, number, spoken)]
    nouns: dict[str, list[tuple[int, int]]] = {}
    for number, sentence in enumerate(sentences):
        for index, token in enumerate(sentence.tokens):
            word = token.text.casefold()
            if token.pos in ("NOUN", "PROPN") and token.lemma.casefold() == word:
                nouns.setdefault(word, []).append((number, index))
    return Paragraph(sentences, spoken, mentions, gender, nouns)


def genders(sentences: Iterable[Sentence]) -> dict[str, str]:
    """Words of names whose bearer is called Mr, Lady and so on, each with m or f; a word that has both has none."""
    found: dict[str, set[str]] = {}
    for sentence in sentences:
        for name in sentence.names:
            before = sentence.text[max(0, name.start - 14) : name.start].split()
            words = [*before[-1:], *name.surface.split()]
            kind = next((kind for word in words[:2] if (kind := _title(word))), "")
            if kind and len(words) > 1 and not name.literal:
                found.setdefault(words[-1].casefold(), set()).add(kind)
    return {word: next(iter(kinds)) for word, kinds in found.items() if len(kinds) == 1}


def _mentions(sentence: Sentence, number: int, spoken: Sequence[Span]) -> list[Mention]:
    """The names of a sentence: first what a tagger found, then what is written as a name beside."""
    found = []
    for name in sentence.names:
        if not name.literal:
            phrase = Phrase(" ".join(name.surface.split()), name.label, name.start, name.end)
            found.append(_mention(phrase, sentence, name.last - 1, (number, spoken)))
    for index in range(len(sentence.tokens)):
        if index not in sentence.name_at and sentence.tokens[index].dep != "compound" and sentence.proper_noun(index):
            if (loose := sentence.phrase(index)) is not None and loose.named:
                found.append(_mention(loose, sentence, index, (number, spoken)))
    return found


def _mention(phrase: Phrase, sentence: Sentence, index: int, where: tuple[int, Sequence[Span]]) -> Mention:
    number, spoken = where
    before = sentence.text[max(0, phrase.start - 14) : phrase.start].split()[-1:]
    return Mention(
        phrase,
        number,
        sentence.start,
        within(spoken, phrase.start),
        _words(phrase),
        acting=_acts(sentence, index),
        subject=_leading(sentence, index).dep in ("nsubj", "nsubjpass"),
        title=_title(before[0]) if before else "",
        lone=sentence.tokens[index].dep != "conj" and not sentence.having(index, "conj"),
        called=sentence.text[phrase.end : phrase.end + 2].lstrip()[:1] == "!",
        the=[word.casefold() for word in before] == ["the"],
    )


def _leading(sentence: Sentence, index: int) -> Token:
    """The token of a name by which it hangs in the sentence."""
    name = sentence.name_at.get(index)
    while name is not None and name.first <= sentence.head(index) < name.last and sentence.head(index) != index:
        index = sentence.head(index)
    return sentence.tokens[index]


def _acts(sentence: Sentence, index: int) -> bool:
    token = sentence.tokens[index]
    return token.dep in _ACTING or (token.dep in ("dobj", "pobj", "dative") and sentence.tokens[sentence.head(index)].lemma.casefold() not in _MAKING)


def taken_over(phrase: Phrase, sentence: Sentence, number: int, spoken: Sequence[Span]) -> Mention:
    """A pronoun of a sentence that is resolved, as a mention of what it stands for."""
    return Mention(phrase, number, sentence.start, within(spoken, phrase.start), _words(phrase))


def _words(phrase: Phrase) -> frozenset[str]:
    return frozenset(word.strip(".,'\u2019").casefold() for word in phrase.surface.split())


def distinct(mentions: Iterable[Mention]) -> list[Mention]:
    """The bearers of the names: a name whose words are among those of a longer one is the same."""
    kept: list[Mention] = []
    for one in sorted(mentions, key=lambda m: (-len(m.words), m.phrase.start)):
        if not any(one.words <= other.words for other in kept):
            kept.append(one)
    return kept


def gender_of(mention: Mention, gender: dict[str, str]) -> str:
    """m, f or nothing: by its title, by the titles its words have elsewhere, or by its first name."""
    words = mention.phrase.surface.casefold().split()
    if mention.title or (len(words) > 1 and (mention_title := _title(words[0]))):
        return mention.title or mention_title
    told = gender.get(" ".join(words), gender.get(words[-1], ""))
    return told or ("m" if words[0] in MALE else "f" if words[0] in FEMALE else "")


def _title(word: str) -> str:
    folded = word.casefold()
    return "m" if folded in _MALE_TITLES else "f" if folded in _FEMALE_TITLES else ""


def standing(antecedent: Phrase, start: int, end: int, since: int, how: str) -> Phrase:
    """The antecedent's words at the place of what stands for it."""
    return Phrase(antecedent.surface, antecedent.type, start, end, how=how, since=since)
