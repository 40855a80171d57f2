"""Re-DocRED as relations.py reads it: its texts with gold triples over names, and which of our predicates stands for which of its relations."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

REDOCRED = {
    "born_in": ("place of birth", True),
    "died_in": ("place of death", True),
    "born_date": ("date of birth", True),
    "died_date": ("date of death", True),
    "married": ("spouse", True),
    "wife_of": ("spouse", True),
    "husband_of": ("spouse", True),
    "widow_of": ("spouse", True),
    "brother_of": ("sibling", True),
    "sister_of": ("sibling", True),
    "son_of": ("child", False),
    "daughter_of": ("child", False),
    "father_of": ("child", True),
    "mother_of": ("child", True),
    "lives_in": ("residence", True),
    "citizen_of": ("country of citizenship", True),
    "studied_at": ("educated at", True),
    "works_for": ("employer", True),
    "employs": ("employer", False),
    "member_of": ("member of", True),
    "represents": ("member of sports team", True),
    "won": ("award received", True),
    "wrote": ("author", False),
    "author_of": ("author", False),
    "directed": ("director", False),
    "director_of": ("director", False),
    "performed": ("performer", False),
    "performed_in": ("cast member", False),
    "features": ("cast member", True),
    "published": ("publisher", False),
    "published_date": ("publication date", True),
    "founded": ("founded by", False),
    "founder_of": ("founded by", False),
    "founded_date": ("inception", True),
    "owns": ("owned by", False),
    "owner_of": ("owned by", False),
    "subsidiary_of": ("parent organization", True),
    "capital_of": ("capital of", True),
    "located_at": ("located in the administrative territorial entity", True),
    "flows_into": ("mouth of the watercourse", True),
    "part_of": ("part of", True),
    "participates_in": ("participant of", True),
    "succeeded": ("replaces", True),
    "influenced": ("influenced by", False),
}
"""Our predicate: the name of its relation there, and whether our head is its head."""

_BEFORE = re.compile(r" (?=[,.;:!?)%]|'s\b|\u2019s\b|n't\b)")
_AFTER = re.compile(r"(?<=\() | - ")


def read_redocred(path: Path) -> Iterator[tuple[str, str, tuple[tuple[tuple[str, ...], str, tuple[str, ...]], ...]]]:
    """Id, text and gold triples of each document; its tokens are joined as people write them."""
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        names = {entity["id"]: tuple(written(name) for name in entity["names"]) for entity in row["entities"]}
        gold = tuple((names[head], relation, names[tail]) for head, _, relation, tail in row["triples"])
        yield row["doc_id"], " ".join(written(sentence) for sentence in row["sents"]), gold


def written(tokens: str) -> str:
    """A sentence of tokens as people write it."""
    return _AFTER.sub(lambda match: "-" if "-" in match.group() else "", _BEFORE.sub("", tokens))
