"""Cells of a row, however a format sets them apart."""

import pytest

from pagerag_pipeline.indexing.tabular.cells import aligned, form_of, plain_cell, split_cells


@pytest.mark.parametrize(
    ("line", "form", "cells"),
    [
        ("| a | b |  |", "framed", ["a", "b", ""]),
        ("| | 2021 | 2022 |", "framed", ["", "2021", "2022"]),
        (r"| a \| b | c |", "framed", [r"a \| b", "c"]),
        ("| 2021 | 2022", "bars", ["", "2021", "2022"]),
        ("a |  | c", "bars", ["a", "", "c"]),
        ("a\t\tc", "tabs", ["a", "", "c"]),
        ("Net sales  3,909   3,673", "gaps", ["Net sales", "3,909", "3,673"]),
        ("<tr><td>a <b>x</b></td><td>1</td></tr>", "tags", ["a x", "1"]),
    ],
)
def test_a_line_knows_its_form_and_gives_its_cells(line: str, form: str, cells: list[str]) -> None:
    assert form_of(line) == form
    assert split_cells(line, form) == cells  # type: ignore[arg-type]


def test_marks_of_a_gap_and_emphasis_say_nothing() -> None:
    assert [plain_cell(cell) for cell in ("-", "\u2014", "n/a", "", "**Total**", "`x`", "snake_case", "[Hale](hale.md)")] == [
        "", "", "", "", "Total", "x", "snake_case", "Hale",
    ]  # fmt: skip


def test_a_ragged_row_is_not_guessed_at() -> None:
    assert aligned(["a", "b"], 3, "bars") is None
    assert aligned(["a", "b", "c", "d"], 3, "bars") is None
    assert aligned(["a", "b", "c", ""], 3, "bars") == ["a", "b", "c"]
    assert aligned(["a", "b"], 3, "framed") == ["a", "b", ""]
