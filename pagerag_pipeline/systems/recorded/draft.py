"""A question while it is read against the rows of one type: values, bounds, period and measure are taken from it, and what is left is told."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pagerag_pipeline.answering.degrees import dimensions
from pagerag_pipeline.answering.word_families import relatives
from pagerag_pipeline.lexical import stem, words
from pagerag_pipeline.schema.knowledge import Token
from pagerag_pipeline.systems.recorded import cues
from pagerag_pipeline.systems.recorded.plan import Condition
from pagerag_pipeline.systems.recorded.vocabulary import Field, Kind, place_of

_TELLING = frozenset(("NOUN", "PROPN", "ADJ", "NUM", "VERB"))
Nearest = Callable[[str, Sequence[str]], str]
"""The name among some whose words mean what a phrase says, or an empty string."""


@dataclass(slots=True)
class Draft:
    """A question while it is read: what of it was understood so far."""

    text: str
    tokens: Sequence[Token]
    kind: Kind
    read: list[tuple[int, int]] = field(default_factory=list)
    telling: list[tuple[int, int]] = field(default_factory=list)
    """What of it says something of the rows: all but the type, a period and words of degree."""
    filters: list[tuple[str, str]] = field(default_factory=list)
    """Field and value."""
    conditions: list[Condition] = field(default_factory=list)
    having: list[str] = field(default_factory=list)
    period: str = ""
    missing: str = ""
    why: list[str] = field(default_factory=list)

    @property
    def lower(self) -> str:
        """The text as keys are compared."""
        return self.text.lower().replace("\u2019", "'")

    def take(self, start: int, end: int, *, telling: bool = True) -> None:
        """Note that a part was understood."""
        self.read.append((start, end))
        if telling:
            self.telling.append((start, end))

    def taken(self, token: Token) -> bool:
        """Whether a token is part of what was understood."""
        return any(start <= token.start < end for start, end in self.read)

    def open(self) -> list[Token]:
        """Tokens that were not understood so far."""
        return [token for token in self.tokens if not self.taken(token)]


def read_values(draft: Draft) -> None:
    """Values of rows that the question names, longest first; one under several fields goes by the field's own words."""
    for value, names in draft.kind.values.items():
        place = place_of(value, draft.lower)
        if place is None or any(start < place[1] and place[0] < end for start, end in draft.read) or len(value) < 2:
            continue
        said = [name for name in names if _says(draft, draft.kind.field(name))]
        fits = said or list(names)
        draft.take(*place)
        if len(fits) > 1:
            draft.missing = draft.missing or f"{value!r} stands under {', '.join(fits)}: which is meant?"
            continue
        draft.filters.append((fits[0], value))
        _take_field(draft, draft.kind.field(fits[0]))


def _says(draft: Draft, one: Field) -> bool:
    return one.stems <= {stem(token.text.lower()) for token in draft.open()}


def _take_field(draft: Draft, one: Field) -> None:
    for token in draft.open():
        if stem(token.text.lower()) in one.stems:
            draft.take(token.start, token.end)


def read_measure(draft: Draft, degrees: frozenset[str], nearest: Nearest) -> tuple[str, bool]:
    """The field whose numbers are compared and whether the highest is asked for; notes what is missing where there is none."""
    open_tokens = draft.open()
    places = [place for place, token in enumerate(open_tokens) if token.text.lower() in degrees]
    if not places:
        draft.missing = draft.missing or "what is to be compared is not said"
        return "", True
    cue = open_tokens[places[0]]
    word = cue.text.lower()
    behind = open_tokens[places[0] + 1] if places[0] + 1 < len(open_tokens) else None
    graded = dimensions(word) or (dimensions(behind.text.lower()) if behind is not None and word in ("most", "least", "more", "less") else ())
    found = _nearest_field(draft, cue)
    draft.take(cue.start, cue.end, telling=False)
    if places[0] and open_tokens[places[0] - 1].text.lower() == "at":
        draft.missing = draft.missing or f"what 'at {word}' bounds is not said before it"
    if behind is not None and behind.text.lower() == "away":
        draft.take(behind.start, behind.end, telling=False)
    if found is None and graded:
        found = next((one for one in _numeric(draft) if one.stems & {stem(name) for name in graded}), None)
        if found is not None and behind is not None and dimensions(behind.text.lower()):
            draft.take(behind.start, behind.end)
    if found is None and (word in cues.DATED or word == "first"):
        dated = [one for one in draft.kind.fields if one.dated]
        found = dated[0] if len(dated) == 1 else None
    if found is None and not graded:
        found = _meant(draft, cue, nearest)
    if found is None:
        draft.missing = draft.missing or f"no field of {draft.kind.type} is what {draft.text[cue.start :].strip(' ?')!r} compares"
        return "", True
    _take_field(draft, found)
    return found.name, _is_high(word, found)


def _is_high(word: str, found: Field) -> bool:
    if word in ("older", "oldest", "earlier", "earliest", "first"):
        return not found.dated
    return word in cues.HIGH or (word in ("newer", "newest", "younger", "youngest") and found.dated)


def _numeric(draft: Draft) -> list[Field]:
    return [one for one in draft.kind.fields if one.numeric]


def _nearest_field(draft: Draft, cue: Token) -> Field | None:
    """The numeric field whose words all stand in the question, the one that begins soonest behind a cue, else nearest before it."""
    places: dict[str, int] = {}
    for token in draft.open():
        places.setdefault(stem(token.text.lower()), token.start)
    said = [(one, min(places[part] for part in one.stems)) for one in _numeric(draft) if one.stems <= set(places)]
    ranked = sorted(said, key=lambda pair: (pair[1] < cue.start, abs(pair[1] - cue.start), -len(pair[0].stems), pair[0].name))
    return ranked[0][0] if ranked else None


def _meant(draft: Draft, cue: Token, nearest: Nearest) -> Field | None:
    phrase = " ".join(token.text.lower() for token in draft.open() if token.start > cue.start and token.pos in ("NOUN", "ADJ", "PROPN"))
    name = nearest(phrase, [one.name for one in _numeric(draft)]) if phrase else ""
    if name:
        draft.why.append(f"{phrase!r} means the field {name}")
        for token in draft.open():
            if token.start > cue.start and token.pos in ("NOUN", "ADJ", "PROPN"):
                draft.take(token.start, token.end)
    return draft.kind.field(name) if name else None


def read_bounds(draft: Draft) -> None:
    """Bounded numbers, and plain ones before a field's own word, each as a condition on the field that its unit or words name."""
    for one in cues.bounds(draft.text):
        found = _bounded_field(draft, one)
        if found is None:
            draft.missing = draft.missing or f"no field of {draft.kind.type} is what {draft.text[one.start : one.end]!r} is said of"
            return
        draft.take(one.start, one.end)
        draft.conditions.append(Condition(found.name, one.relation, one.number))
        _take_field(draft, found)
        _take_unit(draft, one.end)
    for plain, noun in cues.plain_numbers(draft.text):
        fits = [one for one in _numeric(draft) if stem(noun.lower()) in one.stems]
        free = not any(start < plain.end and plain.start < end for start, end in draft.read)
        if free and len(fits) == 1:
            draft.take(plain.start, plain.end)
            draft.conditions.append(Condition(fits[0].name, "=", plain.number))
            _take_field(draft, fits[0])


def _bounded_field(draft: Draft, bound: cues.Bound) -> Field | None:
    """The field that a bound speaks of: by the noun behind the number, the degree before it, its own words, its unit; None where two fit or none."""
    here = {stem(token.text.lower()) for token in draft.open()}
    dated = bound.cue in ("before", "after", "since")
    fields = [one for one in _numeric(draft) if one.dated or not dated]
    behind = {stem(word) for word in words(draft.text[bound.end :])[:2]}
    unit = _unit(draft.text[bound.end :])
    measured = [one for one in fields if unit and any(known.startswith(unit) or unit.startswith(known) for known in one.units)]
    dimension = {stem(name) for name in dimensions(bound.cue.split(" ")[0])}
    said = [one for one in fields if one.stems <= here]
    for fits in (
        [one for one in fields if one.stems <= behind],
        [one for one in fields if one.stems & dimension],
        [one for one in said if one in measured] if measured else said,
        measured,
        [one for one in fields if one.dated] if dated else [],
    ):
        if fits:
            return fits[0] if len(fits) == 1 else None
    return None


def _unit(behind: str) -> str:
    said = " ".join(behind.strip().lower().strip("?.").split()[:2])
    for name in (said, said.split(" ")[0] if said else ""):
        if name in cues.UNITS:
            return cues.UNITS[name]
    return said.split(" ")[0] if said else ""


def _take_unit(draft: Draft, end: int) -> None:
    """The unit behind a number was understood when a field of the condition has it."""
    known = {word for one in draft.kind.fields for unit in one.units for word in unit.split()}
    for token in draft.open():
        word = token.text.lower()
        if end <= token.start <= end + 30 and (word in known or cues.UNITS.get(word, "") in known or stem(word) in {stem(unit) for unit in known}):
            draft.take(token.start, token.end)


def read_period(draft: Draft, measure: str) -> None:
    """The year that is asked for: a period of the fields that count, or of the rows; without one that fits, what is missing."""
    match = cues.YEAR.search(draft.text)
    if match is None or any(start <= match.start("year") < end for start, end in draft.read):
        return
    names = [measure, *(one.field for one in draft.conditions)] if measure or draft.conditions else [one.name for one in draft.kind.fields]
    periods = {period for name in names if name for period in draft.kind.field(name).periods}
    year = match["year"]
    if year in periods:
        draft.period = year
        draft.take(match.start(), match.end(), telling=False)
        return
    dated = [one for one in draft.kind.fields if one.dated and _says(draft, one)]
    if dated and not measure:
        draft.conditions.append(Condition(dated[0].name, "=", float(year)))
        draft.take(match.start(), match.end(), telling=False)
    elif year in draft.kind.context and not periods:
        draft.take(match.start(), match.end(), telling=False)
    else:
        draft.missing = draft.missing or f"no {'/'.join(sorted(filter(None, names)))} of {draft.kind.type} is known for {year}"


def read_fields(draft: Draft) -> None:
    """Fields that are only named: a row must state them. One called first or last may as well ask for the earliest or latest."""
    for one in draft.kind.fields:
        if _says(draft, one) and not any(one.name == name for name, _ in draft.filters):
            if one.stems & {"first", "last"}:
                draft.missing = draft.missing or f"whether {one.name} is only named, or one end of it asked for, is not said"
            draft.having.append(one.name)
            _take_field(draft, one)


def read_rest(draft: Draft) -> None:
    """What was not understood is missing: a noun or a degree always, a verb unless it governs what was, and whatever may turn the rest around."""
    for place, token in enumerate(draft.tokens):
        word = token.text.lower()
        if draft.taken(token) or not words(word):
            continue
        if _turns(draft, token):
            draft.missing = draft.missing or f"what {token.text!r} leaves out, joins or changes is not understood"
        known = not word[0].isdigit() and (stem(word) in cues.GENERIC or stem(word) in draft.kind.context)
        if token.pos not in _TELLING or known or (token.pos == "VERB" and _governs(draft, place)):
            continue
        draft.missing = draft.missing or f"nothing in the rows of {draft.kind.type} is called {token.text!r}"


def _turns(draft: Draft, token: Token) -> bool:
    """Whether a word that was not read may turn around or narrow what was: an `or` between conditions, a negation, a particle that is not plain."""
    word = token.text.lower()
    if word == "or":
        said = {name for name, _ in draft.filters} | set(draft.having)
        return bool(draft.conditions) or len(said) > 1
    if word == "between":
        return bool(draft.filters or draft.conditions)
    if word in cues.NEGATIONS or stem(word) in cues.TURNS:
        return True
    plain = word in cues.PLAIN or words(word)[0] in cues.PLAIN or stem(word) in cues.GENERIC
    return token.pos not in _TELLING and not plain


def _governs(draft: Draft, verb: int) -> bool:
    """Whether a row may state what a verb says, and what it governs, apart from the rows it is said of, tells something that was understood."""
    own = stem(draft.tokens[verb].text.lower())
    if own not in cues.STATING and not any(one.stems & relatives(own).keys() for one in draft.kind.fields):
        return False
    for token in draft.tokens:
        if any(start <= token.start < end for start, end in draft.telling) and _hangs_on(draft, token, verb):
            return True
    return False


def _hangs_on(draft: Draft, token: Token, verb: int) -> bool:
    """Whether a token stands below a verb, and not below the word that says the type."""
    seen = 0
    while seen <= len(draft.tokens):
        if draft.tokens.index(token) == verb:
            return True
        above = draft.tokens[token.head] if token.head >= 0 else token
        if above is token or draft.read[0][0] <= above.start < draft.read[0][1]:
            return False
        token, seen = above, seen + 1
    return False
