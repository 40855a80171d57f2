"""Relations said by nouns: "X's director is Y", "the director of X, Y", "Y is the director of X", "X has a population of 400", "250 students"."""

from pagerag_pipeline.indexing.extraction.clause_parts import read_clause
from pagerag_pipeline.indexing.extraction.cue_matches import MOST_HOPS, cue_matches
from pagerag_pipeline.indexing.extraction.cue_owners import owners, turned
from pagerag_pipeline.indexing.extraction.cue_tails import tails
from pagerag_pipeline.indexing.extraction.named_ends import object_end, subject_end, suits
from pagerag_pipeline.indexing.extraction.reading import Sentence
from pagerag_pipeline.indexing.extraction.statements import Gathering


def noun_statements(gathering: Gathering) -> None:
    """Add what the nouns of the ontology's lexicon say."""
    sentence = gathering.sentence
    for found in cue_matches(gathering):
        predicate = found.cue.predicate
        if found.cue.form == "reversed":
            heads, ends = turned(sentence, found)
        else:
            value = gathering.ontology.predicates[predicate].value
            heads, ends = list(owners(sentence, found, value)), list(tails(sentence, found, value))
        ends = [end for end in ends if suits(gathering, predicate, "tail", end)]
        for head in heads:
            for end in ends if suits(gathering, predicate, "head", head) else ():
                gathering.add("cued", head, predicate, end, modality=_modality(sentence, found.noun), rank=3 * found.cue.literal)


def work_statements(gathering: Gathering) -> None:
    """Add whom a work is by: "X is a novel by Y", "X, a film by Y"."""
    sentence, works = gathering.sentence, gathering.ontology.lexicon.works_by
    for index, token in enumerate(sentence.tokens):
        predicate = works.get(token.lemma.casefold())
        if predicate is None:
            continue
        owner = subject_end(sentence, index)
        for prep in sentence.having(index, "prep"):
            if sentence.tokens[prep].lemma.casefold() != "by" or owner is None or not owner.named:
                continue
            for target in (one for t in sentence.having(prep, "pobj") for one in sentence.conjuncts(t)):
                tail = object_end(sentence, target)
                if tail is not None and suits(gathering, predicate, "head", owner) and suits(gathering, predicate, "tail", tail):
                    gathering.add("cued", owner, predicate, tail, modality=_modality(sentence, index))


def _modality(sentence: Sentence, noun: int) -> str:
    for _ in range(MOST_HOPS):
        if sentence.tokens[noun].pos in ("VERB", "AUX"):
            return read_clause(sentence, noun).modality
        noun = sentence.head(noun)
    return "asserted"
