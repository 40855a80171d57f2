"""Casts of small texts: every name that a test lists is a mention tagged as it says, wherever it stands."""

import re
from collections.abc import Iterable

from pagerag_pipeline.indexing.aligning.casts import Cast, Group, Standing, cast_of, people_among
from pagerag_pipeline.indexing.aligning.people import align_people
from pagerag_pipeline.indexing.aligning.voices import Mention, Voices, read_voices
from pagerag_pipeline.lexical import name_key


def mentions(text: str, names: tuple[str, ...]) -> list[Mention]:
    """Where the names stand, the longest that fits first."""
    pattern = "|".join(rf"\b{re.escape(name)}(?!\w)" for name in sorted(names, key=len, reverse=True))
    return [Mention(match.start(), match.end(), name_key(match.group())) for match in re.finditer(pattern, text)]


def voices(text: str, *names: str) -> Voices:
    """What a text tells of the names."""
    return read_voices(text, mentions(text, names))


def cast(text: str, *names: str, label: str = "PERSON", declared: Iterable[Group] = ()) -> Cast:
    """The aligned cast of a text."""
    found = mentions(text, names)
    counts = {one.key: sum(other.key == one.key for other in found) for one in found}
    surfaces = {one.key: text[one.start : one.end] for one in found}
    stands = {key: Standing(surfaces[key], {label: count}, {label: count}) for key, count in counts.items()}
    people = people_among(stands)
    made = cast_of(people, stands, read_voices(text, [one for one in found if one.key in people]))
    align_people(made, declared)
    return made


def groups(made: Cast) -> list[tuple[str, ...]]:
    """The groups of more than one name."""
    return sorted({group for group in made.groups.values() if len(group) > 1})
