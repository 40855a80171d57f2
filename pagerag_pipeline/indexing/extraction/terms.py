"""Terms of a sentence: names and common nouns, the nodes of the co-occurrence graph (E2GraphRAG; systems, section 3.3)."""

from collections.abc import Iterator

from pagerag_pipeline.indexing.extraction.names import Name
from pagerag_pipeline.indexing.extraction.reading import WORD, Sentence
from pagerag_pipeline.lexical import STOP_WORDS, name_key
from pagerag_pipeline.schema.knowledge import Term, Token

_SPLIT_TYPES = frozenset({"PERSON", "MISC"})
"""Names whose words are terms of their own, so that a surname alone meets the full name. The full name stays one term."""
_TITLES = frozenset("mr mrs ms miss dr sir lady lord st".split())
_DETERMINERS = frozenset("the a an his her their its my our your this that each every".split())


def sentence_terms(sentence: Sentence, ordinal: int, base: int) -> list[Term]:
    """Terms of one sentence in order, offsets relative to the chunk (`base` = start of the segment in it).

    Names keep their type as label; one word of a person's name is NAME; proper nouns outside names are PROPN, common nouns NOUN by their
    lemma. Values (dates, amounts, counts) give no term, nor do their tokens.
    """
    found = [*_name_terms(sentence, ordinal), *(_noun_terms if sentence.parsed else _guessed_nouns)(sentence, ordinal)]
    found.sort(key=lambda term: (term.start, -term.end, term.key))
    return [Term(t.key, t.surface, t.label, t.start + base, t.end + base, t.sentence) for t in found]


def _name_terms(sentence: Sentence, ordinal: int) -> Iterator[Term]:
    for name in sentence.names:
        if name.literal:
            continue
        yield Term(name_key(name.surface), name.surface, name.label, name.start, name.end, ordinal)
        if name.label in _SPLIT_TYPES:
            yield from _word_terms(sentence, name, ordinal)


def _word_terms(sentence: Sentence, name: Name, ordinal: int) -> Iterator[Term]:
    words = [t for t in sentence.tokens[name.first : name.last] if name.start <= t.start and t.end <= name.end and t.text[0].isupper()]
    if len(words) > 1:
        for word in words:
            if len(word.text) > 1 and word.text.casefold().strip(".") not in _TITLES:
                yield Term(name_key(word.text), word.text, "NAME", word.start, word.end, ordinal)


def _noun_terms(sentence: Sentence, ordinal: int) -> Iterator[Term]:
    run: list[Token] = []
    for index, token in enumerate(sentence.tokens):
        free = index not in sentence.name_at and _is_word(token)
        proper = free and sentence.proper_noun(index) and token.text.casefold().strip(".") not in _TITLES
        if run and not (proper and token.start == run[-1].end + 1):
            yield from _run_terms(sentence, run, ordinal)
            run = []
        if proper:
            run.append(token)
        elif free and token.pos in ("NOUN", "PROPN") and token.text.casefold().strip(".") not in _TITLES:
            yield Term(name_key(token.lemma), token.text, "NOUN", token.start, token.end, ordinal)
    yield from _run_terms(sentence, run, ordinal)


def _run_terms(sentence: Sentence, run: list[Token], ordinal: int) -> Iterator[Term]:
    """A run of proper nouns outside names: as a whole, and its words."""
    if not run:
        return
    surface = sentence.text[run[0].start : run[-1].end]
    yield Term(name_key(surface), surface, "PROPN", run[0].start, run[-1].end, ordinal)
    if len(run) > 1:
        for token in run:
            yield Term(name_key(token.text), token.text, "NAME", token.start, token.end, ordinal)


def _guessed_nouns(sentence: Sentence, ordinal: int) -> Iterator[Term]:
    """Without a parser: the word after a determiner, when it is none of a name and no function word."""
    for index, token in enumerate(sentence.tokens[1:], start=1):
        follows = sentence.tokens[index - 1].lemma in _DETERMINERS
        if follows and index not in sentence.name_at and _is_word(token) and token.text.islower() and token.lemma not in STOP_WORDS:
            yield Term(name_key(token.lemma), token.text, "NOUN", token.start, token.end, ordinal)


def _is_word(token: Token) -> bool:
    return len(token.text) > 1 and WORD.fullmatch(token.text) is not None
