"""What pronouns and definite nouns stand for, where a paragraph leaves one possibility; where it leaves two or none, nothing is resolved.

A resolved end keeps the place of the pronoun, the words of its antecedent, and where the antecedent's sentence begins, so that the quote of
a statement can hold both.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pagerag_pipeline.indexing.extraction.clause_parts import bearer
from pagerag_pipeline.indexing.extraction.first_names import FEMALE, MALE
from pagerag_pipeline.indexing.extraction.reading import Phrase, Sentence
from pagerag_pipeline.indexing.extraction.speech import quotations, speaker_of, within
from pagerag_pipeline.schema.documents import Mode, Span

PRONOUN, NICKNAME, SPEAKER = "pronoun", "nickname", "speaker"
FARTHEST = 500
"""Characters between the beginning of the antecedent's sentence and the pronoun: a quote holds both."""

_HE = frozenset({"he", "his"})
_SHE = frozenset({"she", "her", "hers"})
_IT = frozenset({"it", "its"})
_FIRST = frozenset({"i", "my"})
_RESOLVED_DEPS = frozenset({"nsubj", "nsubjpass", "poss"})
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
_MALE_TITLES = frozenset("mr mr. sir lord king prince duke count baron master monsieur herr father brother uncle".split())
_FEMALE_TITLES = frozenset("mrs mrs. miss ms ms. lady dame queen princess duchess countess baroness madame mademoiselle frau sister mother aunt".split())
_EMPTY_VERBS = frozenset({"seem", "appear", "happen", "turn", "rain", "snow", "take", "follow", "matter"})
_MAKING = frozenset("found buy sell build own establish open close write paint publish direct design invent repair destroy inherit read in at on of from".split())
"""Verbs and prepositions whose objects are no people who act."""
_TELLING = ("amod", "compound", "nmod", "prep", "relcl", "acl", "poss", "nummod", "appos")
"""Dependents that make a definite noun another one."""
_SHORTEST = 3
_PLACES = frozenset({"GPE", "LOC", "FAC", "NORP", "LANGUAGE", "LAW", "EVENT"})
_DETERMINERS = frozenset({"the", "this", "that"})


@dataclass(frozen=True, slots=True)
class _Mention:
    """A name of the paragraph so far: the sentence it stands in, and whether somebody says it."""

    phrase: Phrase
    sentence: int
    since: int
    spoken: bool
    words: frozenset[str]
    acting: bool = False
    """Whether it is a subject, or an object of anything but making and owning: it may be a person, whatever its type."""


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


@dataclass(frozen=True, slots=True)
class _Paragraph:
    """What resolving reads of a paragraph."""

    sentences: Sequence[Sentence]
    spoken: Sequence[Span]
    mentions: Sequence[_Mention]
    kinds: dict[str, list[_Mention]]
    gender: dict[str, str]


def resolve_references(sentences: Sequence[Sentence], gender: dict[str, str], mode: Mode) -> None:
    """Set `resolved`, `before` and `speaker` of the sentences of one paragraph, in order."""
    if not sentences or not sentences[0].parsed:
        return
    spoken = quotations(sentences[0].text)
    mentions = [mention for number, sentence in enumerate(sentences) for mention in _mentions(sentence, number, spoken)]
    paragraph = _Paragraph(sentences, spoken, mentions, _kinds(sentences, mentions), gender)
    for number, sentence in enumerate(sentences):
        sentence.before = sentences[number - 1] if number else None
        for index, token in enumerate(sentence.tokens):
            # People speak of others whom only they know.
            if not within(spoken, token.start):
                found = _referent(paragraph, number, index, mode)
                if found is not None and token.start - found.since <= FARTHEST:
                    sentence.resolved[index] = found
    _speech(sentences, spoken)


def _referent(paragraph: _Paragraph, number: int, index: int, mode: Mode) -> Phrase | None:
    """What a token stands for, when it is a pronoun or a definite noun."""
    sentence = paragraph.sentences[number]
    token = sentence.tokens[index]
    word = token.text.casefold()
    if token.dep in _RESOLVED_DEPS and word in _HE | _SHE:
        return _person(paragraph, number, index)
    if token.dep in _RESOLVED_DEPS and word in _IT and mode != "narrative":
        return _thing(sentence, sentence.before, index, paragraph.spoken)
    if token.pos in ("NOUN", "PROPN") and sentence.children[index]:
        return _nickname(paragraph, number, index)
    return None


def _mentions(sentence: Sentence, number: int, spoken: Sequence[Span]) -> list[_Mention]:
    found = []
    for name in sentence.names:
        if not name.literal:
            phrase = Phrase(" ".join(name.surface.split()), name.label, name.start, name.end)
            found.append(replace(_mention(phrase, sentence, number, spoken), acting=_acts(sentence, name.last - 1)))
    for index in range(len(sentence.tokens)):
        if index not in sentence.name_at and sentence.tokens[index].dep != "compound" and sentence.proper_noun(index):
            if (loose := sentence.phrase(index)) is not None and loose.named:
                found.append(replace(_mention(loose, sentence, number, spoken), acting=_acts(sentence, index)))
    return found


def _acts(sentence: Sentence, index: int) -> bool:
    token = sentence.tokens[index]
    return token.dep in ("nsubj", "nsubjpass", "poss", "conj", "appos", "agent") or (
        token.dep in ("dobj", "pobj", "dative") and sentence.tokens[sentence.head(index)].lemma.casefold() not in _MAKING
    )


def _mention(phrase: Phrase, sentence: Sentence, number: int, spoken: Sequence[Span]) -> _Mention:
    words = frozenset(word.strip(".,'\u2019").casefold() for word in phrase.surface.split())
    return _Mention(phrase, number, sentence.start, within(spoken, phrase.start), words)


def _person(paragraph: _Paragraph, number: int, index: int) -> Phrase | None:
    """The only person that he or she can be: of this sentence before it, and of the sentence before; speech and telling apart."""
    sentences, spoken, gender = paragraph.sentences, paragraph.spoken, paragraph.gender
    token = sentences[number].tokens[index]
    wanted = "m" if token.text.casefold() in _HE else "f"
    inside = within(spoken, token.start)
    window = [m for m in paragraph.mentions if number - 1 <= m.sentence <= number and m.phrase.start < token.start and m.spoken == inside]
    people = [m for m in window if (m.phrase.type == "PERSON" or (m.acting and m.phrase.type not in _PLACES)) and _gender(m.phrase.surface, gender) in ("", wanted)]
    distinct = _distinct(people)
    if number and (earlier := _earlier(sentences[number - 1], wanted, spoken, inside)):
        if any(phrase is None for phrase in earlier):
            return None
        people = [*people, *(_mention(phrase, sentences[number - 1], number - 1, spoken) for phrase in earlier if phrase is not None)]
        distinct = _distinct(people)
    if len(distinct) != 1 or distinct[0].phrase.type != "PERSON":
        return None
    if any(_other_person(sentences[n], wanted, token.start, spoken, inside) for n in range(max(0, number - 1), number + 1)):
        return None
    since = min(m.phrase.since if m.phrase.how else m.since for m in people)
    return _standing(distinct[0].phrase, token.start, token.end, since, PRONOUN)


def _earlier(sentence: Sentence, wanted: str, spoken: Sequence[Span], inside: bool) -> list[Phrase | None]:
    """What he or she stands for in the sentence before; None where that is not known."""
    words = _HE | {"him"} if wanted == "m" else _SHE
    places = [i for i, t in enumerate(sentence.tokens) if t.text.casefold() in words and t.pos == "PRON" and within(spoken, t.start) == inside]
    return [sentence.resolved.get(place) for place in places]


def _distinct(people: Sequence[_Mention]) -> list[_Mention]:
    """The bearers of the names: a name whose words are among those of a longer one is the same."""
    kept: list[_Mention] = []
    for one in sorted(people, key=lambda m: (-len(m.words), m.phrase.start)):
        if not any(one.words <= other.words for other in kept):
            kept.append(one)
    return kept


def _title(word: str) -> str:
    folded = word.casefold()
    return "m" if folded in _MALE_TITLES else "f" if folded in _FEMALE_TITLES else ""


def _gender(surface: str, gender: dict[str, str]) -> str:
    words = surface.casefold().split()
    if len(words) > 1 and (kind := _title(words[0])):
        return kind
    told = gender.get(" ".join(words), gender.get(words[-1], ""))
    return told or ("m" if words[0] in MALE else "f" if words[0] in FEMALE else "")


def _other_person(sentence: Sentence, wanted: str, before: int, spoken: Sequence[Span], inside: bool) -> bool:
    """Whether a noun for somebody of that gender stands there too, who may be meant; one that is said of a name is no other."""
    nouns = _PEOPLE | (_MEN if wanted == "m" else _WOMEN)
    for index, token in enumerate(sentence.tokens):
        if token.start >= before:
            return False
        if token.pos == "NOUN" and token.lemma.casefold() in nouns and index not in sentence.name_at and within(spoken, token.start) == inside:
            if token.dep not in ("attr", "appos", "compound") and not any(c in sentence.name_at for c in sentence.having(index, "appos")):
                return True
    return False


def _thing(sentence: Sentence, before: Sentence | None, index: int, spoken: Sequence[Span]) -> Phrase | None:
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
        return _standing(phrase, token.start, token.end, since, PRONOUN)
    return None


def _topic(sentence: Sentence) -> int | None:
    """The subject of the main clause."""
    for index, token in enumerate(sentence.tokens):
        if sentence.head(index) == index and token.pos in ("VERB", "AUX"):
            return next(iter(sentence.having(index, "nsubj", "nsubjpass")), None)
    return None


def _kinds(sentences: Sequence[Sentence], mentions: Sequence[_Mention]) -> dict[str, list[_Mention]]:
    """What names of the paragraph are said to be, in apposition or across a form of be: "Odo Fenn, a baker" gives baker."""
    found: dict[str, list[_Mention]] = {}
    for number, sentence in enumerate(sentences):
        for index, token in enumerate(sentence.tokens):
            if token.pos != "NOUN" or token.lemma != token.text or token.dep not in ("attr", "appos") and not sentence.having(index, "appos"):
                continue
            named = bearer(sentence, index)
            if named is not None and named.named and not named.how:
                same = [m for m in mentions if m.sentence == number and m.phrase.start == named.start]
                found.setdefault(token.lemma.casefold(), []).extend(same[:1])
    return found


def _nickname(paragraph: _Paragraph, number: int, index: int) -> Phrase | None:
    """"The college" is the only name of the paragraph so far that has the word college in it, or that is said to be one."""
    sentence, spoken = paragraph.sentences[number], paragraph.spoken
    token = sentence.tokens[index]
    name = sentence.name_at.get(index)
    if name is not None and name.last - name.first > 1 + (name.first < index):
        return None
    determiners = [d for d in sentence.having(index, "det") if sentence.tokens[d].text.casefold() in _DETERMINERS]
    if not determiners or token.lemma.casefold() != token.text.casefold() or token.dep in ("attr", "appos") or sentence.having(index, *_TELLING):
        return None
    word = token.text.casefold()
    before = [m for m in paragraph.mentions if m.phrase.end <= token.start and m.spoken == within(spoken, token.start) and m.sentence < number]
    fitting = [m for m in before if word in m.words and len(m.words) > 1]
    fitting += [m for m in paragraph.kinds.get(token.lemma.casefold(), ()) if m.sentence < number and m in before]
    distinct = _distinct(fitting)
    if len(distinct) != 1 or len(word) < _SHORTEST:
        return None
    start = sentence.tokens[determiners[0]].start
    return replace(_standing(distinct[0].phrase, token.start, token.end, min(m.since for m in fitting), NICKNAME), start=start)


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
                    sentence.resolved[index] = replace(_standing(speaker, token.start, token.end, since, SPEAKER), until=until)


def _standing(antecedent: Phrase, start: int, end: int, since: int, how: str) -> Phrase:
    return Phrase(antecedent.surface, antecedent.type, start, end, how=how, since=since)
