"""What a report becomes in Dagster: numbers, a summary, and the shape of the graph as a picture and tables."""

import base64
import re
from xml.etree import ElementTree

from pagerag_pipeline.defs.materialization import metadata_of, report_from
from pagerag_pipeline.defs.picture import shape_picture, shape_table
from pagerag_pipeline.refresh.report import ProductReport

GRAPH = {
    "raw": {"nodes": 400, "edges": 300, "isolated": 100, "joined_share": 0.25, "communities": 40},
    "governed": {"nodes": 100, "edges": 150, "isolated": 0, "joined_share": 0.5},
}
REMOVED = [
    ["node", "G7", "leave_out", "no_statement", 250],
    ["node", "G4", "hold", "confidence", 50],
    ["edge", "G4", "hold", "confidence", 150],
    ["edge", "G6", "merge", "parallel", 0],
]
SVG = "{http://www.w3.org/2000/svg}"


def drawing(markdown: str) -> ElementTree.Element:
    image = re.fullmatch(r"!\[[^\]]+\]\(data:image/svg\+xml;base64,([A-Za-z0-9+/=]+)\)", markdown)
    assert image
    return ElementTree.fromstring(base64.b64decode(image[1]))


def test_bars_are_as_long_as_what_they_stand_for() -> None:
    bars = drawing(shape_picture(GRAPH, REMOVED)).findall(f"{SVG}rect")[1:]
    assert [float(bar.attrib["width"]) for bar in bars[:8]] == [440, 110, 440, 220, 440, 1, 220, 440]
    nodes, edges = bars[8:11], bars[11:13]
    assert [bar.findtext(f"{SVG}title") for bar in nodes] == ["kept: 100", "G7 leave_out no_statement: 250", "G4 hold confidence: 50"]
    assert [float(bar.attrib["width"]) for bar in nodes] == [140, 350, 70]
    assert [float(bar.attrib["width"]) for bar in edges] == [280, 280]


def test_what_one_graph_alone_has_is_no_pair_of_bars_but_stands_in_the_table() -> None:
    told = [text.text for text in drawing(shape_picture(GRAPH, REMOVED)).findall(f"{SVG}text")]
    assert "joined share" in told and "communities" not in told
    assert "| communities | 40 | not counted |" in shape_table(GRAPH, REMOVED)
    assert "| joined_share | 0.2500 | 0.5000 |" in shape_table(GRAPH, REMOVED)
    assert "| node | G7 | leave_out | no_statement | 250 |" in shape_table(GRAPH, REMOVED)


def test_what_came_of_splits_is_no_negative_loss() -> None:
    removed = [*REMOVED[:3], ["edge", "G6", "merge", "parallel", -20]]
    assert "| edge | G6 | split | net of merges | added: 20 |" in shape_table(GRAPH, removed) and "-20" not in shape_table(GRAPH, removed)
    edges = drawing(shape_picture(GRAPH, removed)).findall(f"{SVG}rect")[12:]
    assert [bar.findtext(f"{SVG}title") for bar in edges] == ["kept: 130", "G4 hold confidence: 150"]
    assert all(float(bar.attrib["width"]) >= 0 for bar in edges)


def test_an_empty_graph_is_drawn() -> None:
    nothing = {graph: {"nodes": 0, "edges": 0} for graph in ("raw", "governed")}
    assert drawing(shape_picture(nothing, [])).tag == f"{SVG}svg"


def test_the_shape_is_metadata_of_its_own_and_comes_back_with_the_details() -> None:
    report = ProductReport("governed_graph", "d", 100, 1, 1, 0, 0, 0.5, details={"nodes": 100, "graph": GRAPH, "removed": REMOVED})
    metadata = metadata_of(report)
    shape, summary = metadata["shape"].value, metadata["summary"].value
    assert shape.startswith("![") and shape.endswith(shape_table(GRAPH, REMOVED))
    assert "| nodes | 100 |" in summary and "removed" not in summary and "raw" not in summary
    assert report_from({name: value for name, value in metadata.items() if hasattr(value, "value")} | plain(metadata), "governed_graph") == report


def plain(metadata: dict[str, object]) -> dict[str, object]:
    class Value:
        def __init__(self, value: object) -> None:
            self.value = value

    return {name: Value(value) for name, value in metadata.items() if not hasattr(value, "value")}
