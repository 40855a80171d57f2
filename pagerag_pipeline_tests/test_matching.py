"""The rule by which benchmarks call two ends the same."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "benchmarks"))

from matching import same_end  # noqa: E402


@pytest.mark.parametrize(
    ("stated", "gold"),
    [
        ("Lady Anne Monson", "Lady_Anne_Monson"),
        ("Turn Me On", "Turn_Me_On_(album)"),
        ("Abilene", "Abilene,_Texas"),
        ("1,121 metres", "1121.0"),
        ("$556.3 million", "556300000"),
        ("about 500", '"~500"'),
        ("August 16th,1920", "1920-08-16"),
        ("16-08-1920", "1920-08-16"),
        ("08-16-1920", "1920-08-16"),
        ("1920", "1920-08-16"),
    ],
)
def test_the_same(stated: str, gold: str) -> None:
    assert same_end(stated, gold)


@pytest.mark.parametrize(
    ("stated", "gold"),
    [("Ann", "Anne_Monson"), ("500", "1500"), ("August 17, 1920", "1920-08-16"), ("1921", "1920-08-16"), ("", "Hale"), ("raisin", "raisins")],
)
def test_not_the_same(stated: str, gold: str) -> None:
    assert not same_end(stated, gold)
