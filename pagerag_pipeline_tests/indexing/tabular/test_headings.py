"""What a column's heading says."""

import pytest

from pagerag_pipeline.indexing.tabular.headings import read_heading


@pytest.mark.parametrize(
    ("cell", "field", "period", "unit"),
    [
        ("Revenue ($m)", "revenue", "", {"currency": "$", "unit": "m"}),
        ("Light admitted (%)", "light_admitted", "", {"unit": "%"}),
        ("Evaporative loss (L per m\u00b2 per week)", "evaporative_loss", "", {"unit": "L per m\u00b2 per week"}),
        ("Sales in billion $", "sales", "", {"unit": "billion $"}),
        ("Share, %", "share", "", {"unit": "%"}),
        ("Revenue 2023 ($m)", "revenue", "2023", {"currency": "$", "unit": "m"}),
        ("Population (1950)", "population", "1950", {}),
        ("2023", "", "2023", {}),
        ("2023 ($m)", "", "2023", {"currency": "$", "unit": "m"}),
        ("$m", "", "", {"currency": "$", "unit": "m"}),
        ("Dusty weeks (9)", "dusty_weeks", "", {}),
        ("Sales (a)", "sales", "", {}),
        ("**Founded by**", "founded_by", "", {}),
        ("[Owner](http://example.org)", "owner", "", {}),
        ("Stra\u00dfe", "strasse", "", {}),
        ("\u4eba\u53e3", "\u4eba\u53e3", "", {}),
        ("", "", "", {}),
    ],
)
def test_a_heading_gives_field_period_and_unit(cell: str, field: str, period: str, unit: dict[str, str]) -> None:
    heading = read_heading(cell)
    assert (heading.field, heading.period, dict(heading.unit)) == (field, period, unit)
