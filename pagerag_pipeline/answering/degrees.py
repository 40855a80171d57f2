"""What adjectives of degree measure: the names under which a text or a table tells the number."""

import re

_MEASURES = {
    "length": "long longer longest short shorter shortest", "height": "high higher highest tall taller tallest low lower lowest",
    "depth": "deep deeper deepest shallow shallower shallowest", "width": "wide wider widest broad broader broadest narrow narrower narrowest",
    "weight": "heavy heavier heaviest lighter lightest", "cost": "costly expensive dear cheap cheaper cheapest",
    "price": "costly expensive dear cheap cheaper cheapest", "temperature": "hot hotter hottest warm warmer warmest cold colder coldest cool cooler coolest",
    "speed": "fast faster fastest slow slower slowest", "distance": "far farther farthest further furthest near nearer nearest",
    "age": "old older oldest young younger youngest",
}  # fmt: skip
_HOW = re.compile(r"\bhow (?P<word>[a-z]+)\b", re.IGNORECASE)


def dimensions(word: str) -> tuple[str, ...]:
    """What an adjective of degree measures, as names of fields."""
    return tuple(name for name, words in _MEASURES.items() if word in words.split())


def measured(question: str) -> tuple[str, ...]:
    """What a question for a degree (`how high`) asks to be measured; nothing when it asks for none."""
    return next((names for match in _HOW.finditer(question) if (names := dimensions(match["word"].lower()))), ())
