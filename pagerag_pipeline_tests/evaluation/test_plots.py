"""Plots are well-formed and put values where they belong."""

from xml.etree import ElementTree

from pagerag_pipeline.evaluation.plots import LEFT, SIDE, TOP, line_chart, point_chart

SVG = "{http://www.w3.org/2000/svg}"


def test_lines_lie_in_the_unit_square_and_names_are_escaped() -> None:
    root = ElementTree.fromstring(line_chart("a < b", {"<page>": [(0.0, 0.0), (1.0, 0.5)]}, across="x", up="y", diagonal=True))
    lines = [one.attrib["points"] for one in root.iter(f"{SVG}polyline")]
    assert lines[1] == f"{LEFT:.1f},{TOP + SIDE:.1f} {LEFT + SIDE:.1f},{TOP + SIDE / 2:.1f}"
    assert {"a < b", "<page>"} <= {one.text for one in root.iter(f"{SVG}text")}


def test_a_point_stands_between_the_ends_of_its_interval() -> None:
    root = ElementTree.fromstring(point_chart("t", {"recall": {"page": (0.5, 0.25, 1.0)}}))
    *scale, line = (one.attrib for one in root.iter(f"{SVG}line"))
    assert sorted(float(one["x1"]) for one in scale) == [float(scale[-1]["x1"]) + SIDE * part for part in (0.0, 0.5, 1.0)]
    circle = next(root.iter(f"{SVG}circle")).attrib
    assert float(line["x2"]) - float(line["x1"]) == 0.75 * SIDE
    assert float(circle["cx"]) - float(line["x1"]) == 0.25 * SIDE
