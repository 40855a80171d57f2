"""Digests, and the ids that are digests of a text."""

import hashlib

DIGEST_BYTES = 16
"""128 bits: the chance of one collision among 10^9 distinct texts is below 10^-20."""


def digest(*parts: str | bytes | int | float | None) -> str:
    """Hex digest (32 characters) of the parts in order; each part carries its length, so no two lists collide by joining."""
    hasher = hashlib.blake2b(digest_size=DIGEST_BYTES)
    for part in parts:
        data = part if isinstance(part, bytes) else repr(part).encode() if not isinstance(part, str) else part.encode("utf-8", "surrogatepass")
        hasher.update(len(data).to_bytes(8, "little"))
        hasher.update(data)
    return hasher.hexdigest()


def content_id(text: str) -> str:
    """Id of a text: equal texts have equal ids, wherever they stand."""
    return digest("text", text)
