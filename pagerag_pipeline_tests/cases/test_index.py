"""The table of cases names tests that exist."""

import re
from pathlib import Path

import pytest

from pagerag_pipeline_tests import cases

HERE = Path(__file__).parent
ROWS = re.findall(r"^\| ([A-Z]{3}-\d\d) \| .*? \| (.*) \|$", cases.__doc__ or "", re.MULTILINE)


@pytest.mark.parametrize(("case", "places"), ROWS, ids=[case for case, _ in ROWS])
def test_every_place_of_a_case_exists(case: str, places: str) -> None:
    file = ""
    for named in re.findall(r"`([^`]+)`", places):
        path, _, test = named.partition("::")
        if not path.endswith(".py"):
            path, test = file, path
        found = next((folder / path for folder in (HERE, HERE.parent) if (folder / path).exists()), None)
        assert found is not None, path
        pattern = re.escape(test).replace(r"\*", r"\w*") if test else r"test_\w+"
        text = found.read_text(encoding="utf-8")
        assert re.search(rf"^def {pattern}\(", text, re.MULTILINE) or test in text, named
        file = path


def test_the_table_holds_each_case_once() -> None:
    assert len(ROWS) == len({case for case, _ in ROWS}) > 20
