"""What is wrong with a model's reply, held against its schema, in words that can be quoted back to it."""

from collections.abc import Iterator
from typing import Any

_TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "number": (int, float),
    "integer": int,
    "boolean": bool,
}
KEYWORDS = frozenset({"type", "description", "enum", "properties", "required", "additionalProperties", "items", "minimum", "maximum"})
"""What the schemas here may say: the part of JSON Schema that servers with structured output know."""


def reply_faults(value: Any, schema: dict[str, Any], where: str = "reply") -> Iterator[str]:
    """Each fault of a parsed reply with the place it stands at; nothing when it fits, as all does for an empty schema.

    Raises ValueError for a keyword beyond KEYWORDS.
    """
    if not schema:
        return
    if unknown := sorted(set(schema) - KEYWORDS):
        raise ValueError(f"{where}: the schema says {', '.join(unknown)}, which is not checked here")
    kind = schema["type"]
    if not _is_a(value, kind):
        yield f"{where} is no {kind}"
    elif kind == "object":
        yield from _object_faults(value, schema, where)
    elif kind == "array":
        for number, item in enumerate(value):
            yield from reply_faults(item, schema["items"], f"{where}[{number}]")
    elif "enum" in schema and value not in schema["enum"]:
        yield f"{where} is {value!r}, not one of {', '.join(map(str, schema['enum']))}"
    elif kind in ("number", "integer") and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        yield f"{where} is {value}, not between {schema.get('minimum')} and {schema.get('maximum')}"


def _is_a(value: Any, kind: str) -> bool:
    return isinstance(value, _TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))


def _object_faults(value: dict[str, Any], schema: dict[str, Any], where: str) -> Iterator[str]:
    known = schema["properties"]
    for name in schema.get("required", ()):
        if name not in value:
            yield f"{where} has no {name!r}"
    for name in sorted(set(value) - set(known)):
        yield f"{where} has {name!r}, which is not asked for"
    for name in known:
        if name in value:
            yield from reply_faults(value[name], known[name], f"{where}.{name}")
