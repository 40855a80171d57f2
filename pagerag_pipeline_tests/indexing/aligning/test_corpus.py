"""From names by document to what is decided: who is a person where, and every reason told in words."""

import re
from pathlib import Path

import polars as pl

from pagerag_pipeline import stories
from pagerag_pipeline.indexing import aligning
from pagerag_pipeline.indexing.aligning.corpus import crowds

NAMES = {"document": pl.String, "key": pl.String, "surface": pl.String, "label": pl.String, "n": pl.Int64}


def people(*rows: tuple[str, str, str, int]) -> dict[str, list[str]]:
    frame = pl.DataFrame(
        [(document, surface.casefold(), surface, label, n) for document, surface, label, n in rows], schema=NAMES, orient="row"
    )
    return {document: sorted(crowd.names) for document, crowd in crowds(frame).items()}


def test_a_place_that_was_once_tagged_as_a_person_is_none() -> None:
    assert people(("a", "Quillton", "GPE", 9), ("b", "Quillton", "PERSON", 1)) == {"a": [], "b": []}


def test_a_full_name_that_is_a_persons_in_one_document_is_so_in_all() -> None:
    assert people(("a", "Odo Fenn", "PERSON", 9), ("b", "Odo Fenn", "ORG", 1), ("b", "Fenn", "ORG", 1)) == {
        "a": ["odo fenn"],
        "b": ["odo fenn"],
    }


def test_a_word_of_a_persons_name_is_a_persons_where_it_stands_beside_it() -> None:
    assert people(("a", "Mr. Fenn", "PERSON", 1), ("a", "Fenn", "ORG", 2), ("b", "Fenn", "ORG", 2)) == {
        "a": ["fenn", "mr. fenn"],
        "b": [],
    }


def test_every_reason_is_told_in_words() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in sorted(Path(aligning.__file__).parent.glob("*.py")))
    given = set(re.findall(r'Verdict\("(\w+)"', source)) | set(re.findall(r'^ +"(\w+)": .*,$', source, re.M)) - {"tail"}
    merges = {reason for gate, act, reason in stories.TOLD if (gate, act) == ("G5", "merge")}
    assert {reason for reason in given if "_" in reason or reason in ("gender", "married", "answers", "surname")} <= merges | set(
        stories.APART
    )
