"""Statements around forms of be, and what a noun in apposition says: kinds, roles, values, qualities, places."""

from collections.abc import Iterator

from pagerag_pipeline.indexing.extraction.attachments import PLACE_PREPOSITIONS, prepositional_statements
from pagerag_pipeline.indexing.extraction.clause_parts import Clause, bearer, prepositions
from pagerag_pipeline.indexing.extraction.reading import Phrase, Sentence
from pagerag_pipeline.indexing.extraction.statements import Gathering
from pagerag_pipeline.schema.knowledge import Modality

_MEASURES = {"old": "age", "tall": "height", "high": "height", "long": "length", "wide": "width", "deep": "depth", "heavy": "weight"}


def copula_statements(gathering: Gathering, clause: Clause) -> None:
    """Add what a clause with a form of be says of its subjects."""
    sentence = gathering.sentence
    subjects = [phrase for s in clause.subjects if (phrase := bearer(sentence, s))]
    for subject_at in clause.subjects:
        if (subject := bearer(sentence, subject_at)) is None:
            continue
        for attribute in sentence.having(clause.verb, "attr"):
            for one in sentence.conjuncts(attribute):
                described(gathering, (subject_at, subject), one, "copula", clause.modality)
        for adjective in sentence.having(clause.verb, "acomp"):
            _adjective(gathering, subject, adjective, clause.modality)
    if not sentence.having(clause.verb, "attr", "acomp"):
        for subject in subjects:
            prepositional_statements(gathering, clause, subject, [], {"modality": clause.modality})
    elif sentence.having(clause.verb, "expl"):
        _existence(gathering, clause)


def _adjective(gathering: Gathering, subject: Phrase, adjective: int, modality: Modality) -> None:
    """"is old" gives an attribute; "is 30 metres tall" one named by the adjective."""
    sentence = gathering.sentence
    token = sentence.tokens[adjective]
    for measure in sentence.having(adjective, "npadvmod"):
        if measure in sentence.name_at and (value := sentence.phrase(measure)):
            gathering.add("attribute", subject, _MEASURES.get(token.lemma.casefold(), token.lemma.casefold()), value, modality=modality)
            return
    for one in sentence.conjuncts(adjective):
        quality = sentence.tokens[one]
        if quality.pos == "ADJ" and (subject.named or gathering.mode in ("conceptual", "argumentative")):
            value = Phrase(quality.text, "ATTRIBUTE", quality.start, quality.end)
            gathering.add("attribute", subject, "has_attribute", value, modality=modality, category="aspect")


def _existence(gathering: Gathering, clause: Clause) -> None:
    """"There is a bell in the tower": the bell is located at the tower."""
    sentence = gathering.sentence
    for attribute in sentence.having(clause.verb, "attr"):
        for place in (clause.verb, attribute):
            for preposition, target in prepositions(sentence, place):
                if preposition in PLACE_PREPOSITIONS:
                    for one in sentence.conjuncts(attribute):
                        gathering.add("preposition", sentence.phrase(one), "located_at", sentence.phrase(target), modality=clause.modality)


def described(gathering: Gathering, subject: tuple[int, Phrase], noun: int, rule: str, modality: Modality) -> None:
    """What a noun after a copula or in apposition says of its subject: a role of something, a kind, a value, or another name."""
    sentence = gathering.sentence
    subject_at, head = subject
    token = sentence.tokens[noun]
    phrase = sentence.phrase(noun)
    if phrase is None:
        return
    if phrase.type in ("CARDINAL", "QUANTITY", "MONEY", "PERCENT", "DATE", "TIME", "ORDINAL"):
        _valued(gathering, subject, phrase, modality)
    elif not phrase.named:
        for owner in _owners(sentence, noun):
            gathering.add("role", head, f"{token.lemma.casefold()}_of", owner, modality=modality)
        kind = "definition" if head.type == "NOUN" else "relation"
        if rule != "copula" or _classifies(sentence, noun):
            gathering.add(rule, head, "is_a", phrase, modality=modality, kind=kind)
    elif head.type == "NOUN" and phrase.type != "NORP":
        owners = list(_owners(sentence, subject_at))
        for owner in owners:
            gathering.add("role", phrase, f"{sentence.tokens[subject_at].lemma.casefold()}_of", owner, modality=modality)
        if not owners and rule == "apposition":
            gathering.add(rule, phrase, "is_a", head, modality=modality)
    elif rule == "copula":
        gathering.add("identity", head, "is", phrase, modality=modality)


def _classifies(sentence: Sentence, noun: int) -> bool:
    """Whether a noun after a copula names a kind: it has an article or modifier of its own or of the noun it is coordinated with."""
    while sentence.tokens[noun].dep == "conj" and sentence.head(noun) != noun:
        noun = sentence.head(noun)
    token = sentence.tokens[noun]
    return bool(sentence.having(noun, "det", "amod", "compound", "nummod", "poss")) or token.lemma.casefold() != token.text.casefold()


def _valued(gathering: Gathering, subject: tuple[int, Phrase], value: Phrase, modality: Modality) -> None:
    """"The population of Hale is 4,000": the property `population` of Hale; "the price is 40 crowns": the value of the price."""
    sentence = gathering.sentence
    owners = list(_owners(sentence, subject[0]))
    for owner in owners:
        gathering.add("attribute", owner, sentence.tokens[subject[0]].lemma.casefold(), value, modality=modality)
    if not owners and not subject[1].named:
        gathering.add("attribute", subject[1], "value", value, modality=modality)


def _owners(sentence: Sentence, noun: int) -> Iterator[Phrase]:
    """Names that a noun belongs to: "owner of Tinworks", "Mara's brother"."""
    if sentence.tokens[noun].pos != "NOUN":
        return
    targets = [t for p in sentence.having(noun, "prep") if sentence.tokens[p].lemma == "of" for t in sentence.having(p, "pobj")]
    for target in [*targets, *sentence.having(noun, "poss")]:
        for one in sentence.conjuncts(target):
            phrase = sentence.phrase(one)
            if phrase is not None and phrase.named:
                yield phrase
