"""Amounts and periods as people write them in tables."""

import pytest

from pagerag_pipeline.indexing.tabular.quantities import find_amount, is_figure, is_period, read_amount, scale_of, split_period


@pytest.mark.parametrize(
    ("cell", "parts"),
    [
        ("1,234", {"number": "1234"}),
        ("1 234,5", {"number": "1234.5"}),
        ("1.234.567,8", {"number": "1234567.8"}),
        ("7,9", {"number": "7.9"}),
        ("0,123", {"number": "0.123"}),
        (".5", {"number": "0.5"}),
        ("(3,115)", {"number": "-3115"}),
        ("\u221212.5", {"number": "-12.5"}),
        ("(4.8%)", {"number": "-4.8", "unit": "%"}),
        ("$4.1bn", {"number": "4.1", "currency": "$", "unit": "bn"}),
        ("US$ 12", {"number": "12", "currency": "US$"}),
        ("12 EUR", {"number": "12", "currency": "EUR"}),
        ("3.20 crowns", {"number": "3.20", "unit": "crowns"}),
        ("21.8 \u00b0C", {"number": "21.8", "unit": "\u00b0C"}),
        ("5 km/h", {"number": "5", "unit": "km/h"}),
        ("142*", {"number": "142"}),
        ("142 [3]", {"number": "142"}),
    ],
)
def test_a_cell_that_is_an_amount_gives_its_parts(cell: str, parts: dict[str, str]) -> None:
    assert dict(read_amount(cell)) == parts


@pytest.mark.parametrize("cell", ["", "Hale", "12 Angry Men", "10\u201312", "3 May 1880", "B-52", "12,34,56 x", "1, 2 and 3"])
def test_other_cells_are_no_amount(cell: str) -> None:
    assert read_amount(cell) == ()


def test_the_first_amount_of_a_phrase_is_found_and_brackets_around_it_are_no_sign() -> None:
    assert dict(find_amount("410,000 crowns")) == {"number": "410000", "unit": "crowns"}
    assert dict(find_amount("some 12 per cent of it")) == {"number": "12", "unit": "per cent"}
    assert dict(find_amount("the cost (1,234)")) == {"number": "1234"}
    assert find_amount("none") == ()


@pytest.mark.parametrize(
    "text",
    ["2023", "FY2023", "FY23", "2022/23", "1998-99", "Q3 2023", "3Q23", "2023 Q3", "H1 2024", "Q3", "March 1901", "31 December 2023", "June 30, 2023",
     "Year ended 31 March 2022", "January\u2013June 2023", "2024E", "week 13", "2021-03-04", "second quarter of 2020"],
)  # fmt: skip
def test_periods_are_known(text: str) -> None:
    assert is_period(text)


@pytest.mark.parametrize("text", ["", "Revenue", "1234", "12", "Q5", "Maybe", "2023 revenue", "Marchmont", "9999", "Total"])
def test_other_texts_are_no_period(text: str) -> None:
    assert not is_period(text)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Revenue 2023", ("Revenue", "2023")),
        ("Revenue, Q3 2023", ("Revenue", "Q3 2023")),
        ("2023 revenue", ("revenue", "2023")),
        ("Population (1950)", ("Population", "1950")),
        ("Headcount", ("Headcount", "")),
        ("FY2023", ("", "FY2023")),
        ("Sales in May", ("Sales in May", "")),
    ],
)
def test_a_heading_is_parted_from_its_period(text: str, parts: tuple[str, str]) -> None:
    assert split_period(text) == parts


@pytest.mark.parametrize("cell", ["1,234", "0.39 - 0.46", "max 0.025", "4% to 5%", "3:1", "< 5", "12 kg"])
def test_measures_are_figures(cell: str) -> None:
    assert is_figure(cell)


@pytest.mark.parametrize("cell", ["Hale", "SNB22-3", "3M Company", "", "None (control)", "June 30, 2023"])
def test_names_are_no_figures(cell: str) -> None:
    assert not is_figure(cell)


def test_the_scale_of_a_table_is_found_in_its_caption_or_over_its_names() -> None:
    assert dict(scale_of("In millions of CHF")) == {"unit": "millions of CHF"}
    assert dict(scale_of("($ million, except per share amounts)")) == {"currency": "$", "unit": "million"}
    assert dict(scale_of("Income (in thousands of dollars)")) == {"unit": "thousands of dollars"}
    assert scale_of("Villages in Hale") == ()
