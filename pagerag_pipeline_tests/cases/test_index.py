"""The table of cases names tests that exist."""

import re
from pathlib import Path

import pytest

from pagerag_pipeline_tests import cases

HERE = Path(__file__).parent
ROWS = re.findall(r"^\| ([A-Z]{3}-\d\d) \| .*? \| (.*) \|$", cases.__doc__ or "", re.MULTILINE)


def find(path: str) -> Path | None:
    """A file or folder named from here, from the tests, or from the repository."""
    return next((folder / path for folder in (HERE, HERE.parent, HERE.parent.parent) if path and (folder / path).exists()), None)


@pytest.mark.parametrize(("case", "places"), ROWS, ids=[case for case, _ in ROWS])
def test_every_place_of_a_case_exists(case: str, places: str) -> None:
    text = ""
    for named in re.findall(r"`([^`]+)`", places):
        path, _, test = named.partition("::")
        found = find(path.split()[0])
        if found is None:
            test = path
        else:
            text = found.read_text(encoding="utf-8") if found.is_file() else ""
        pattern = re.escape(test).replace(r"\*", r"\w*")
        assert not test or re.search(rf"^def {pattern}\(", text, re.MULTILINE) or f'"{test}"' in text, named


def test_the_table_holds_each_case_once() -> None:
    assert len(ROWS) == len({case for case, _ in ROWS}) > 20
