"""Definitions beyond those that a verb of defining gives: "by X we mean Y", "the term X refers to Y" (PAGE-RAG, A_mu, conceptual)."""

from pagerag_pipeline.indexing.extraction.clause_parts import prepositions
from pagerag_pipeline.indexing.extraction.reading import Phrase, Sentence
from pagerag_pipeline.indexing.extraction.statements import DEFINED, Gathering

_MEANING = frozenset({"mean", "understand", "denote", "intend"})
_TERMS = frozenset({"term", "word", "concept", "notion", "expression", "phrase", "name"})
_DEFINING = frozenset({"refer", "mean", "denote", "signify", "designate", "define", "describe"})


def definition_statements(gathering: Gathering) -> None:
    """Add definitions whose term is not the subject of a verb of defining."""
    sentence = gathering.sentence
    for index, token in enumerate(sentence.tokens):
        lemma = token.lemma.casefold()
        if token.pos != "VERB" or lemma not in _MEANING | _DEFINING:
            continue
        if lemma in _MEANING:
            _by(gathering, index)
        if lemma in _DEFINING:
            _term(gathering, index)


def _by(gathering: Gathering, verb: int) -> None:
    """"By inertia we mean a resistance to change", "by inertia is meant ..."."""
    sentence = gathering.sentence
    terms = [at for preposition, at in prepositions(sentence, verb) if preposition == "by"]
    terms += [at for agent in sentence.having(verb, "agent") for at in sentence.having(agent, "pobj")]
    meant = sentence.having(verb, "dobj", "nsubjpass", "oprd", "attr")
    if terms and meant and sentence.tokens[terms[0]].start < sentence.tokens[verb].start:
        gathering.add("definition", sentence.phrase(terms[0]), DEFINED, sentence.phrase(meant[-1]))


def _term(gathering: Gathering, verb: int) -> None:
    """"The term inertia refers to a resistance": the word after "term" is what is defined."""
    sentence = gathering.sentence
    for subject in sentence.having(verb, "nsubj", "nsubjpass"):
        term = _named_term(sentence, subject)
        if term is None:
            continue
        targets = sentence.having(verb, "dobj") or [at for preposition, at in prepositions(sentence, verb) if preposition in ("to", "as")]
        for target in targets[:1]:
            gathering.statements[:] = [s for s in gathering.statements if not (s.predicate == DEFINED and s.tail == sentence.phrase(target))]
            gathering.add("definition", term, DEFINED, sentence.phrase(target))


def _named_term(sentence: Sentence, subject: int) -> Phrase | None:
    token = sentence.tokens[subject]
    if token.lemma.casefold() in _TERMS:
        apposed = [phrase for child in sentence.having(subject, "appos", "nmod") if (phrase := sentence.phrase(child))]
        return apposed[0] if apposed else None
    before = sentence.tokens[subject - 1] if subject else None
    if before is None or before.lemma.casefold() not in _TERMS or before.dep != "compound":
        return None
    return Phrase(token.text, "NOUN", token.start, token.end)
