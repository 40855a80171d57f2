"""What the words of a name say about its type, where they say more than a small tagger's guess."""

from pagerag_pipeline.schema import GENERIC_TYPES

PERSON_TITLES = frozenset(
    "mr mr. mrs mrs. ms ms. miss dr dr. sir lady lord dame madam madame monsieur mademoiselle herr frau sister brother father mother aunt uncle "
    "cousin captain colonel general major sergeant lieutenant professor prof prof. reverend rev rev. saint king queen prince princess duke "
    "duchess count countess baron baroness master mistress".split()
)
_PLACES = frozenset(
    "street lane road avenue square alley drive terrace boulevard hill mountain mountains farm river lake island islands isle bay valley "
    "forest wood woods park garden gardens bridge harbour harbor county village creek ocean sea desert coast cape peninsula".split()
)
_BUILDINGS = frozenset("hall house castle inn tower church abbey cathedral station airport palace mill lodge cottage tavern hotel stadium".split())
_ORGANIZATIONS = frozenset(
    "company inc inc. ltd ltd. corp corp. corporation university college school academy bank society association club co-operative cooperative "
    "council ministry department party press records institute institution museum agency committee commission church guild union league "
    "orchestra band fc foundation studios pictures".split()
)


def retyped(surface: str, label: str) -> str:
    """The type of a name: as its first or last word says, else as given."""
    words = surface.casefold().split()
    if not words:
        return label
    if words[0] in PERSON_TITLES and len(words) > 1:
        return "PERSON"
    if len(words) > 1 and words[-1] in _ORGANIZATIONS and label not in ("FAC", "LOC"):
        return "ORG"
    if len(words) > 1 and label in ("PERSON", "ORG", "NORP", "PRODUCT", *GENERIC_TYPES):
        if words[-1] in _PLACES:
            return "LOC"
        if words[-1] in _BUILDINGS:
            return "FAC"
    return label
