"""Whom "he" and "she" can be, and what "it" goes on with: the only one in this sentence and the one before, by name, gender and everybody else there."""

from collections.abc import Iterator, Sequence

from pagerag_pipeline.indexing.extraction.mentions import Mention, Paragraph, distinct, gender_of, standing, taken_over
from pagerag_pipeline.indexing.extraction.reading import Phrase, Sentence
from pagerag_pipeline.indexing.extraction.speech import within
from pagerag_pipeline.schema.documents import Span

PRONOUN = "pronoun"
HE = frozenset({"he", "his"})
SHE = frozenset({"she", "her", "hers"})
_HIM = HE | {"him", "himself"}
_HER = SHE | {"herself"}
_MEN = frozenset(
    "man boy gentleman lad fellow father brother son husband uncle nephew grandfather king prince duke count lord priest monk friar knight widower "
    "waiter sailor soldier policeman guy sir mister butler footman groom bridegroom".split()
)
_WOMEN = frozenset(
    "woman girl lady mother sister daughter wife aunt niece grandmother queen princess duchess countess nun widow maid waitress bride nurse madam "
    "housekeeper governess".split()
)
_PEOPLE = frozenset(
    "person child baby friend servant doctor teacher stranger visitor guest neighbor neighbour cousin captain driver officer clerk poet author writer "
    "student pupil master lawyer judge merchant thief lover enemy companion host partner passenger infant cook gardener secretary minister".split()
)
_ACTORS = frozenset(
    "comrade mate colleague favorite favourite rival opponent hero villain victim prisoner hunter miner prospector rider traveler traveller foreigner native "
    "pilot sergeant colonel general major lieutenant admiral attendant agent assistant attorney baker banker barber bishop boss butcher carpenter "
    "chief citizen creature customer dancer dealer farmer fisherman artist actor actress painter singer musician landlord landlady leader manservant "
    "manager messenger murderer nobleman orphan owner patient peasant player president professor proprietor rebel relative ruler sculptor shepherd "
    "speaker squire steward tailor teenager tenant tutor veteran wanderer youth fugitive inspector detective employer employee worker workman "
    "shopkeeper caller newcomer giant dwarf ghost figure".split()
)
"""More people: as subjects or possessors they lead the sentence, as anything else they are its furniture."""
_LEADING = ("nsubj", "nsubjpass", "poss", "agent")
_SOMEBODY = frozenset({"someone", "somebody"})
_EMPTY_VERBS = frozenset({"seem", "appear", "happen", "turn", "rain", "snow", "take", "follow", "matter"})
_PLACES = frozenset({"GPE", "LOC", "FAC", "NORP", "LANGUAGE", "LAW", "EVENT"})


def person(paragraph: Paragraph, number: int, index: int) -> Phrase | None:
    """The only person that he or she can be: of this sentence before it, and of the sentence before; speech and telling apart."""
    token = paragraph.sentences[number].tokens[index]
    wanted = "m" if token.text.casefold() in HE else "f"
    inside = within(paragraph.spoken, token.start)
    window = [m for m in paragraph.mentions if number - 1 <= m.sentence <= number and m.phrase.start < token.start and m.spoken == inside]
    people = [m for m in window if _may_be(m, wanted, paragraph.gender)]
    taken = _taken(paragraph, (number, index), wanted)
    if any(phrase is None for _, phrase in taken):
        return None
    people += [taken_over(phrase, paragraph.sentences[n], n, paragraph.spoken) for n, phrase in taken if phrase is not None]
    bearers = distinct(people)
    if len(bearers) != 1 or not _is_person(bearers[0], people) or _others(paragraph, (number, index), wanted):
        return None
    if not any(gender_of(m, paragraph.gender) for m in people) and not _vouched(paragraph, (number, index), people, wanted):
        return None
    since = min(m.phrase.since if m.phrase.how else m.since for m in people)
    return standing(bearers[0].phrase, token.start, token.end, since, PRONOUN)


def _may_be(mention: Mention, wanted: str, gender: dict[str, str]) -> bool:
    """Whether a name may be a person of that gender; what acts may be one, whatever a tagger took it for."""
    person = mention.phrase.type == "PERSON" or (mention.acting and mention.phrase.type not in _PLACES)
    return person and gender_of(mention, gender) in ("", wanted)


def _is_person(bearer: Mention, mentions: Sequence[Mention]) -> bool:
    """Whether the bearer is one for sure: of that type, written in more than initials, and not only called to ("Edith! Edith!")."""
    return bearer.phrase.type == "PERSON" and any(len(word) > 1 for word in bearer.words) and not all(m.called for m in mentions)


def _vouched(paragraph: Paragraph, place: tuple[int, int], people: Sequence[Mention], wanted: str) -> bool:
    """Whether a name of unknown gender is the one that is spoken of: a subject or of the same sentence, with no pronoun of another gender around."""
    near = any(m.subject or m.phrase.how or m.sentence == place[0] for m in people)
    return near and not _two_genders(paragraph, place, wanted)


def _taken(paragraph: Paragraph, place: tuple[int, int], wanted: str) -> list[tuple[int, Phrase | None]]:
    """What he or she stands for so far, by sentence; None where that is not known, for then somebody else may be there."""
    words = _HIM if wanted == "m" else _HER
    return [(n, paragraph.sentences[n].resolved.get(i)) for n, i in _before(paragraph, place) if _is_pronoun(paragraph, n, i, words)]


def _is_pronoun(paragraph: Paragraph, number: int, index: int, words: frozenset[str]) -> bool:
    token = paragraph.sentences[number].tokens[index]
    return token.text.casefold() in words and token.pos == "PRON"


def _before(paragraph: Paragraph, place: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """The tokens of the sentence before a place and of its own up to it, on its side of speech, as sentence and token."""
    number, index = place
    inside = within(paragraph.spoken, paragraph.sentences[number].tokens[index].start)
    for n in range(max(0, number - 1), number + 1):
        tokens = paragraph.sentences[n].tokens
        yield from ((n, i) for i in range(index if n == number else len(tokens)) if within(paragraph.spoken, tokens[i].start) == inside)


def _two_genders(paragraph: Paragraph, place: tuple[int, int], wanted: str) -> bool:
    """Whether people of both genders are around: the other pronoun stands before, or is the only subject to the end of the next sentence."""
    number, index = place
    if any(_is_pronoun(paragraph, n, i, _HER if wanted == "m" else _HIM) for n, i in _before(paragraph, place)):
        return True
    own, other = ("he", "she") if wanted == "m" else ("she", "he")
    around = [paragraph.sentences[number], *paragraph.sentences[number + 1 : number + 2]]
    words = {token.text.casefold() for sentence in around for token in sentence.tokens if not within(paragraph.spoken, token.start)}
    return other in words and own not in words


def _others(paragraph: Paragraph, place: tuple[int, int], wanted: str) -> bool:
    """Whether a noun for somebody of that gender stands there too, who may be meant; one that is said of a name is no other."""
    nouns = _PEOPLE | (_MEN if wanted == "m" else _WOMEN)
    for number, index in _before(paragraph, place):
        sentence, token = paragraph.sentences[number], paragraph.sentences[number].tokens[index]
        if token.dep in ("attr", "appos", "compound") or any(c in sentence.name_at for c in sentence.having(index, "appos")):
            continue
        if token.pos == "NOUN" and index not in sentence.name_at and token.lemma.casefold() in nouns:
            return True
        if token.dep in _LEADING and (token.lemma.casefold() in _ACTORS or _one_of(sentence, index)):
            return True
    return False


def _one_of(sentence: Sentence, index: int) -> bool:
    """Whether it is somebody, or one of several."""
    word = sentence.tokens[index].text.casefold()
    return word in _SOMEBODY or (word in ("one", "another") and any(sentence.tokens[p].lemma == "of" for p in sentence.having(index, "prep")))


def thing(sentence: Sentence, before: Sentence | None, index: int, spoken: Sequence[Span]) -> Phrase | None:
    """The named subject that "it" goes on with: of this sentence where it stands before, else of the sentence before; no person."""
    token = sentence.tokens[index]
    verb = sentence.head(index)
    if token.dep != "poss" and (sentence.having(verb, "ccomp", "csubj", "expl") or sentence.tokens[verb].lemma in _EMPTY_VERBS):
        return None
    for place in (sentence, before):
        if place is None:
            continue
        subject = _topic(place)
        if subject is None or place.tokens[subject].start >= token.start or subject == index and place is sentence:
            continue
        phrase = place.phrase(subject)
        if phrase is None or not phrase.named or phrase.type == "PERSON" or len(place.conjuncts(subject)) > 1:
            return None
        if within(spoken, phrase.start) != within(spoken, token.start):
            return None
        since = phrase.since if phrase.how else place.start
        return standing(phrase, token.start, token.end, since, PRONOUN)
    return None


def _topic(sentence: Sentence) -> int | None:
    """The subject of the main clause."""
    for index, token in enumerate(sentence.tokens):
        if sentence.head(index) == index and token.pos in ("VERB", "AUX"):
            return next(iter(sentence.having(index, "nsubj", "nsubjpass")), None)
    return None
