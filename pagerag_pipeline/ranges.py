"""What a number in the settings may be: the ranges that its type carries."""

from typing import Annotated, NamedTuple


class Range(NamedTuple):
    """The least and the greatest value that a number may have."""

    least: float
    most: float

    def __str__(self) -> str:
        return f"{self.least:,} to {self.most:,}"


Count = Annotated[int, Range(1, 10_000)]
"""How many of what stands in memory or before a reader at once."""
Tokens = Annotated[int, Range(1, 1_000_000)]
Bytes = Annotated[int, Range(1, 2**46)]
Share = Annotated[float, Range(0.0, 1.0)]
"""Of a whole, or a chance, or a confidence."""
