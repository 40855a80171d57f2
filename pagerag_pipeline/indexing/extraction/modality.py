"""Whether a clause asserts, denies, supposes or reports what it says."""

from pagerag_pipeline.indexing.extraction.reading import Sentence
from pagerag_pipeline.schema.knowledge import Modality

_MODALS = frozenset({"would", "could", "might", "may", "should", "must", "will", "shall", "can", "'ll", "'d", "ought"})
_NEGATIONS = frozenset({"never", "not", "n't", "n\u2019t", "hardly", "scarcely", "no", "neither", "nor"})
_PERHAPS = frozenset({"perhaps", "maybe", "possibly", "probably", "presumably", "supposedly", "conceivably"})
_NOBODY = frozenset({"no", "neither"})
_NONE = frozenset({"nobody", "none", "neither", "nothing"})
_CONDITIONS = frozenset({"if", "unless", "whether", "lest"})
_INTENDING = frozenset(
    "want wish hope plan intend try attempt expect offer agree promise threaten need like seem appear long mean prepare propose decide "
    "suppose imagine pretend dream".split()
)
_DENYING = frozenset({"refuse", "fail", "decline", "deny", "forget", "cease", "doubt"})
_REPORTING = frozenset(
    "say claim believe think report argue assert maintain suggest allege state declare insist tell write hear explain suspect assume swear "
    "announce mention imply admit guess suppose feel".split()
)
_OPENING, _CLOSING = "\u201c\u00ab", "\u201d\u00bb"


def clause_modality(sentence: Sentence, verb: int) -> Modality:
    """Modality of the clause of a verb: hypothetical before negated before reported before asserted."""
    hypothetical, negated = _own(sentence, verb)
    reported = inside_quotation(sentence, sentence.tokens[verb].start)
    index = verb
    while (head := sentence.head(index)) != index:
        dep = sentence.tokens[index].dep
        lemma = sentence.tokens[head].lemma.casefold()
        if dep == "conj" and not sentence.having(index, "nsubj", "nsubjpass"):
            hypothetical, negated = hypothetical or _own(sentence, head)[0], negated
        if dep == "xcomp":
            above = _own(sentence, head)
            hypothetical, negated = hypothetical or lemma in _INTENDING or above[0], negated or lemma in _DENYING or above[1]
        if dep == "ccomp":
            negated = negated or (lemma in _DENYING - {"doubt", "forget"})
            hypothetical = hypothetical or lemma in ("hope", "wish", "imagine", "doubt", "expect")
            reported = reported or lemma in _REPORTING
        if dep == "advcl":
            hypothetical = hypothetical or _conditional(sentence, index)
        if dep not in ("conj", "xcomp", "ccomp", "relcl", "advcl", "acl"):
            break
        index = head
    hypothetical = hypothetical or any(_conditional(sentence, clause) for clause in sentence.having(verb, "advcl"))
    return "hypothetical" if hypothetical else "negated" if negated else "reported" if reported else "asserted"


def _own(sentence: Sentence, verb: int) -> tuple[bool, bool]:
    """Whether the verb itself is under a modal or a condition, and whether it is denied (by an adverb or by "no" before an object)."""
    said = sentence.having(verb, "aux", "neg", "advmod", "mark", "preconj", "cc")
    words = {sentence.tokens[child].lemma.casefold() for child in said if not _not_only(sentence, child)}
    ends = sentence.having(verb, "dobj", "attr", "nsubj", "nsubjpass")
    before = [child for end in ends for child in sentence.having(end, "det", "neg", "preconj", "cc")]
    denied = any(sentence.tokens[child].lemma.casefold() in _NOBODY for child in before)
    nobody = any(sentence.tokens[end].lemma.casefold() in _NONE for end in ends)
    return bool(words & (_MODALS | _CONDITIONS | _PERHAPS)), bool(words & _NEGATIONS) or denied or nobody


def _not_only(sentence: Sentence, word: int) -> bool:
    """"Not only" denies nothing."""
    return sentence.tokens[word].dep in ("neg", "preconj", "advmod") and any(
        token.text.casefold() in ("only", "merely", "just") for token in sentence.tokens[word + 1 : word + 2]
    )


def _conditional(sentence: Sentence, clause: int) -> bool:
    return any(sentence.tokens[child].lemma.casefold() in _CONDITIONS for child in sentence.having(clause, "mark", "advmod"))


def inside_quotation(sentence: Sentence, place: int) -> bool:
    """Whether a character stands inside quotation marks that open before it and close after it, in its paragraph.

    Speech of a paragraph that does not close its marks runs to the end.
    """
    before = sentence.text[:place]
    curly = sum(before.count(mark) for mark in _OPENING) - sum(before.count(mark) for mark in _CLOSING)
    return curly > 0 or before.count('"') % 2 == 1
