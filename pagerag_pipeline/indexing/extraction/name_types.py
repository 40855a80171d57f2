"""What the words of a name say about its type, where they say more than a small tagger's guess."""

from pagerag_pipeline.schema.knowledge import GENERIC_TYPES

PERSON_TITLES = frozenset(
    "mr mr. mrs mrs. ms ms. miss dr dr. sir lady lord dame madam madame monsieur mademoiselle herr frau sister brother father mother aunt uncle "
    "cousin captain colonel general major sergeant lieutenant professor prof prof. reverend rev rev. saint king queen prince princess duke "
    "duchess count countess baron baroness master mistress".split()
)
_PLACES = frozenset(
    "street lane road avenue square alley terrace boulevard mountains farm river island islands isle valley gardens harbour harbor county "
    "village creek ocean sea desert coast peninsula".split()
)
_BUILDINGS = frozenset("castle inn cathedral station airport palace cottage tavern hotel stadium library".split())
_PLACES_OR_SURNAMES = frozenset("hill lake bay forest wood woods park garden mountain cape drive".split())
_BUILDINGS_OR_SURNAMES = frozenset("hall house tower church abbey mill lodge bridge gate".split())
"""Words that also end the names of people: they decide only where the tagger did not say PERSON."""
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
        return _place_type(words[-1], label)
    return label


def _place_type(last: str, label: str) -> str:
    if last in _PLACES or (last in _PLACES_OR_SURNAMES and label != "PERSON"):
        return "LOC"
    if last in _BUILDINGS or (last in _BUILDINGS_OR_SURNAMES and label != "PERSON"):
        return "FAC"
    return label
