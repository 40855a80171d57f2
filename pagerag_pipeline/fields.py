"""How fields of records are named, the same for writing and for asking: as they are stated (fine), and by what they are a kind of (broad)."""

import re
import unicodedata

VERSION = "fields/1"

LONGEST = 80
"""Characters of a field's name."""

_APART = re.compile(r"[^\w]+")
_LINKS = frozenset("of per by in at on to for from with as under over into after before during".split())
_VAGUE = frozenset("date a an the and or is has was".split())
"""Last words that say nothing alone: `founded_date` and `died_date` are no kind of one field."""


def field_name(text: str) -> str:
    """A field as it is compared: NFKC, case-folded, its words joined by underscores."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("'", "").replace("\u2019", "")
    return _APART.sub("_", folded).strip("_")[:LONGEST].strip("_")


def broad_field(field: str) -> str:
    """The coarser name of a field: the last word before "of", "per", "by" and the like (`net_operating_revenue` gives `revenue`, `founded_by` `founded`).

    The mark `inverse_of:` stays; a field whose last word would say nothing stays whole.
    """
    mark, colon, name = field.rpartition(":")
    words = name.split("_")
    end = next((place for place, word in enumerate(words) if place and word in _LINKS), len(words))
    last = words[end - 1]
    return f"{mark}{colon}{name if last in _VAGUE or last.isdigit() else last}"
