"""The shape of the graph as a picture: bars before and after governing, and what each gate took. Plain SVG inside an image that Markdown holds."""

import base64
from collections.abc import Mapping, Sequence
from html import escape

Figures = Mapping[str, Mapping[str, float]]
Loss = tuple[str, str, int]
"""What a part of a bar is, what it is called when pointed at, and how many it stands for."""

DRAWN = ("nodes", "edges", "isolated", "components", "largest_component", "communities", "largest_community", "joined_share")
_RAW, _GOVERNED = "#9aa5b1", "#2f6f9f"
_PARTS = ("#2f6f9f", "#d98c3f", "#b5473c", "#7a5fa0", "#5f8f5a", "#8c8c3f", "#9aa5b1")
_WIDTH, _LEFT, _BAR, _ROW = 720, 150, 440, 34


def shape_picture(graph: Figures, removed: Sequence[Sequence[str | int]]) -> str:
    """A Markdown image: for each of DRAWN that both graphs have a pair of bars, the longer one full; then nodes and edges in parts by gate."""
    names = [name for name in DRAWN if name in graph["raw"] and name in graph["governed"]]
    drawn = [line for place, name in enumerate(names) for line in _pair(place * _ROW, name, graph["raw"][name], graph["governed"][name])]
    top = len(names) * _ROW + 18
    for place, element in enumerate(("node", "edge")):
        drawn += _parts(top + place * _ROW, f"{element}s by fate", _fates(graph["governed"][f"{element}s"], removed, element))
    height = top + 2 * _ROW + 8
    style = "<style>text{font:12px sans-serif;fill:#333}</style>"
    back = f'<rect width="{_WIDTH}" height="{height}" fill="#fff"/>'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}">{style}{back}{"".join(drawn)}</svg>'
    return f"![The graph before and after governing](data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()})"


def shape_table(graph: Figures, removed: Sequence[Sequence[str | int]]) -> str:
    """The figures of both graphs, and what each gate took, as two Markdown tables."""
    names = list(dict.fromkeys([*graph["raw"], *graph["governed"]]))
    rows = [f"| {name} | {_told(graph['raw'].get(name))} | {_told(graph['governed'].get(name))} |" for name in names]
    taken = [f"| {element} | {gate} | {act} | {reason} | {count:,} |" for element, gate, act, reason, count in removed if int(count) >= 0]
    taken += [f"| {element} | {gate} | split | net of merges | added: {-int(count):,} |" for element, gate, _, _, count in removed if int(count) < 0]
    return "\n".join(["| | raw | governed |", "| --- | --- | --- |", *rows, "", "| taken | gate | act | reason | |", "| --- | --- | --- | --- | --- |", *taken])


def _fates(kept: float, removed: Sequence[Sequence[str | int]], element: str) -> list[Loss]:
    """What became of the raw elements: what more came of splits than merges took is none of them."""
    losses = [(f"{gate} {act}", f"{gate} {act} {reason}", int(count)) for what, gate, act, reason, count in removed if what == element and int(count) > 0]
    added = sum(-int(count) for what, *_, count in removed if what == element and int(count) < 0)
    return [("kept", "kept", int(kept) - added), *sorted(losses, key=lambda loss: -loss[2])]


def _pair(top: int, name: str, raw: float, governed: float) -> list[str]:
    most = max(raw, governed) or 1
    lines = [f'<text x="{_LEFT - 8}" y="{top + 21}" text-anchor="end">{escape(name.replace("_", " "))}</text>']
    for place, (value, color) in enumerate(((raw, _RAW), (governed, _GOVERNED))):
        y, width = top + 4 + 13 * place, max(1, round(_BAR * value / most))
        lines.append(f'<rect x="{_LEFT}" y="{y}" width="{width}" height="12" fill="{color}"/>')
        lines.append(f'<text x="{_LEFT + width + 6}" y="{y + 10}">{_told(value)} {("raw", "governed")[place]}</text>')
    return lines


def _parts(top: int, name: str, fates: Sequence[Loss]) -> list[str]:
    whole = sum(count for *_, count in fates) or 1
    lines = [f'<text x="{_LEFT - 8}" y="{top + 14}" text-anchor="end">{escape(name)}</text>']
    x = float(_LEFT)
    for place, (short, full, count) in enumerate(fates):
        width = (_WIDTH - _LEFT - 10) * count / whole
        title = f"<title>{escape(full)}: {count:,}</title>"
        lines.append(f'<rect x="{x:.1f}" y="{top + 2}" width="{width:.1f}" height="14" fill="{_PARTS[place % len(_PARTS)]}">{title}</rect>')
        if width > 9 * len(short):
            lines.append(f'<text x="{x:.1f}" y="{top + 28}">{escape(short)} {count:,}</text>')
        x += width
    return lines


def _told(value: float | None) -> str:
    if value is None:
        return "not counted"
    return f"{value:,}" if isinstance(value, int) else f"{value:.4f}"
