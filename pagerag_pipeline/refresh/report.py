"""What a product function tells: counts, digest and details worth showing."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class ProductReport:
    """What became of one product in one refresh."""

    product: str
    digest: str
    """Digest of the product's content: equal content, equal digest, however it came about."""
    rows: int
    """Rows of its chief table."""
    units: int
    """Units of work it consists of now."""
    computed: int
    reused: int
    failed: int
    seconds: float
    added: int = 0
    """Documents that came since the last refresh, as far as this product tells them apart; likewise `changed` and `deleted`."""
    changed: int = 0
    deleted: int = 0
    details: dict[str, Any] = field(default_factory=dict)
