"""Gate G3 over people: no merge makes a cause its own effect, or turns it; what would is taken apart again."""

from collections.abc import Mapping, Sequence

from pagerag_pipeline.indexing.aligning.across import Unit
from pagerag_pipeline.indexing.causal import turned

Cause = tuple[str, str, str]
"""A document, a key that is stated to be a cause in it, and the key of its effect."""


def without_reversals(
    keys: Mapping[Unit, str], causes: Sequence[Cause], forced: Sequence[Sequence[str]], everywhere: Mapping[str, str]
) -> tuple[dict[Unit, str], list[list[Unit]]]:
    """The key of every unit once no merge turns a cause, and the groups that were split for it; names that people merged stay together.

    `everywhere` are keys of names that are no person's in their document.
    """
    found = dict(keys)
    split: list[list[Unit]] = []
    held = {key for group in forced for key in group}
    while guilty := _guilty(found, causes, everywhere):
        members: dict[str, list[Unit]] = {}
        for unit, key in sorted(found.items()):
            members.setdefault(key, []).append(unit)
        loose = [[unit for unit in members[key] if unit[1] not in held] for key in sorted(guilty)]
        loose = [
            units
            for units in loose
            if len({unit[1] for unit in units}) > 1 or (units and len(units) < len(members[found[units[0]]]))
        ]
        if not loose:
            break
        for units in loose:
            split.append(units)
            found.update({unit: f"{unit[1]} ({unit[0]})" for unit in units})
    return found, split


def _guilty(keys: Mapping[Unit, str], causes: Sequence[Cause], everywhere: Mapping[str, str]) -> set[str]:
    """Keys of people that make a cause its own effect, or put causes of separate entities into a circle of two."""

    def meant(document: str, name: str) -> str:
        return keys.get((document, name), everywhere.get(name, name))

    ends = (((meant(document, head), meant(document, tail)), (head, tail)) for document, head, tail in causes)
    return turned(ends) & set(keys.values())
