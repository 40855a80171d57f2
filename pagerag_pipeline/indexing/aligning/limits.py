"""Figures of the alignment of people; those of one document were fitted on four of the novels of pdnc (`benchmarks/alignment.py`)."""

GENDER_PRONOUNS = 4
"""A name is a man's or a woman's by the pronouns after it from so many on ..."""
GENDER_SHARE = 0.75
"""... if this share of them agrees."""

APART_SCORE = 2.0
"""Two names are two people when they stand side by side, or one speaks to or of the other, at least so often ..."""
APART_SHARE = 0.05
"""... and in this share of the places of the rarer one; the text of a novel is full of slips."""

NARRATED = 8
"""A given name and a title with a surname are two people when the narrator says each so often ..."""
NARRATED_SHARE = 0.5
"""... and one this share as often as the other: narrators call a person in one way."""

CREDIBLE = 20.0
"""A full name whose surname stands nowhere else is not that of a given name that is said more than so many times as often."""
CREDIBLE_FORM = 5.0
"""The same for another form of its given name."""
DOMINANCE = 5.0
"""A name that fits several people means the one who is named so many times as often as all others together."""

ANSWERS = 3
"""Names without a word in common are one person's when the one who is called by the first answers by the second so often ..."""
ANSWERS_MARGIN = 2.0
"""... and so many times as often as anybody else does."""

SHARED_CONTEXT = 1
"""People of two documents with a full name in common are one when it stands with so many of the same names or nouns in both: any at all, as none is the rule for namesakes."""
