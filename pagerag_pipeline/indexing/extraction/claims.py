"""What an argument states: claims with who makes them, evidence for them, and premises with their conclusions (PAGE-RAG, A_mu, argumentative)."""

import re

from pagerag_pipeline.indexing.extraction.clause_parts import bearer, read_clause
from pagerag_pipeline.indexing.extraction.reading import Phrase, Sentence
from pagerag_pipeline.indexing.extraction.statements import Gathering

CLAIM = "CLAIM"
"""Type of an end that is a whole proposition."""
CLAIMS, SUPPORTS = "claims", "supports"
PREMISE = "premise"

_CLAIMING = frozenset(
    "claim argue assert maintain contend hold believe think say propose state suppose insist affirm declare object reply conclude write remark observe".split()
)
_SHOWING = frozenset("show prove demonstrate indicate suggest confirm imply establish reveal entail find".split())
_CONCLUDING = frozenset({"therefore", "thus", "hence", "consequently", "accordingly"})
_GIVING_REASONS = frozenset({"because", "since", "for"})
_ACCORDING = re.compile(r"\baccording to$", re.I)
_SHORTEST, _LONGEST = 12, 240


def claim_statements(gathering: Gathering) -> None:
    """Add the claims of a sentence; only in an argument do they stand as units of their own."""
    sentence = gathering.sentence
    if gathering.mode != "argumentative" or sentence.text[: sentence.end].endswith("?"):
        return
    for index, token in enumerate(sentence.tokens):
        lemma = token.lemma.casefold()
        if token.dep == "ccomp" and sentence.tokens[sentence.head(index)].pos == "VERB":
            _told(gathering, index)
        elif token.dep == "advcl":
            _because(gathering, index)
        elif lemma in _CONCLUDING and token.dep == "advmod":
            _therefore(gathering, index)
        elif lemma == "to" and _ACCORDING.search(sentence.text[sentence.start : token.end]):
            _according(gathering, index)


def _told(gathering: Gathering, clause: int) -> None:
    """"Mill argues that P", "the experiment shows that P", "it follows that P"."""
    sentence = gathering.sentence
    verb = sentence.head(clause)
    lemma = sentence.tokens[verb].lemma.casefold()
    proposition = proposition_of(sentence, clause)
    if lemma == "follow":
        sources = [p for prep in sentence.having(verb, "prep") for t in sentence.having(prep, "pobj") if (p := sentence.phrase(t))]
        gathering.add("claim", sources[0] if sources else _before(sentence), SUPPORTS, proposition, kind="claim")
        return
    predicate = CLAIMS if lemma in _CLAIMING else SUPPORTS if lemma in _SHOWING else ""
    if not predicate:
        return
    told = read_clause(sentence, verb)
    for subject in told.subjects[:1]:
        gathering.add("claim", bearer(sentence, subject), predicate, proposition, kind="claim", modality=told.modality)


def _because(gathering: Gathering, clause: int) -> None:
    """"P because Q": Q supports P."""
    sentence = gathering.sentence
    if {sentence.tokens[mark].lemma.casefold() for mark in sentence.having(clause, "mark")} & _GIVING_REASONS:
        main = sentence.head(clause)
        premise, conclusion = proposition_of(sentence, clause), proposition_of(sentence, main)
        gathering.add("claim", premise, SUPPORTS, conclusion, kind="claim", modality=read_clause(sentence, main).modality)


def _therefore(gathering: Gathering, word: int) -> None:
    """"P; therefore Q", "P. Therefore Q": P supports Q."""
    sentence = gathering.sentence
    verb = sentence.head(word)
    if sentence.tokens[verb].pos not in ("VERB", "AUX"):
        return
    above = sentence.head(verb)
    joined = above != verb and sentence.tokens[verb].dep in ("conj", "ccomp", "parataxis") and sentence.tokens[above].pos in ("VERB", "AUX")
    earlier = [child for child in sentence.having(verb, "ccomp", "parataxis") if child < word and sentence.tokens[child].pos in ("VERB", "AUX")]
    premise = proposition_of(sentence, above if joined else earlier[-1]) if joined or earlier else _before(sentence)
    gathering.add("claim", premise, SUPPORTS, proposition_of(sentence, verb), kind="claim", modality=read_clause(sentence, verb).modality)


def _according(gathering: Gathering, word: int) -> None:
    """"According to Mill, P": Mill claims P."""
    sentence = gathering.sentence
    sources = [phrase for t in sentence.having(word, "pobj") if (phrase := sentence.phrase(t))]
    root = next((i for i, t in enumerate(sentence.tokens) if sentence.head(i) == i and t.pos in ("VERB", "AUX")), None)
    if sources and root is not None:
        gathering.add("claim", sources[0], CLAIMS, proposition_of(sentence, root), kind="claim", modality="asserted")


def _before(sentence: Sentence) -> Phrase | None:
    """The proposition of the sentence before, in this paragraph; the quote then holds both."""
    earlier = sentence.before
    if earlier is None:
        return None
    root = next((i for i, t in enumerate(earlier.tokens) if earlier.head(i) == i and t.pos in ("VERB", "AUX")), None)
    found = proposition_of(earlier, root) if root is not None else None
    return None if found is None else Phrase(found.surface, CLAIM, found.start, found.end, how=PREMISE, since=earlier.start)


def proposition_of(sentence: Sentence, verb: int) -> Phrase | None:
    """A clause from its subject to the end of what belongs to it, without clauses of reason; None when a pronoun is its subject or it is overlong."""
    subjects = sentence.having(verb, "nsubj", "nsubjpass")
    if not subjects or sentence.tokens[subjects[0]].pos == "PRON":
        return None
    last = verb
    for child in sentence.children[verb]:
        reason = sentence.tokens[child].dep == "advcl" and any(
            sentence.tokens[mark].lemma.casefold() in _GIVING_REASONS for mark in sentence.having(child, "mark")
        )
        other = sentence.tokens[child].dep in ("punct", "cc", "parataxis") or (sentence.tokens[child].dep == "conj" and sentence.having(child, "nsubj"))
        if child > verb and not reason and not other:
            last = max(last, sentence.rightmost(child))
    start, end = sentence.tokens[sentence.leftmost(subjects[0])].start, sentence.tokens[last].end
    surface = " ".join(sentence.text[start:end].split())
    return Phrase(surface, CLAIM, start, end) if _SHORTEST <= len(surface) <= _LONGEST else None
