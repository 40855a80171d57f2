"""Plots as plain SVG: lines in the unit square, and points with intervals. Text in, text out; nothing is computed here."""

from collections.abc import Mapping, Sequence
from html import escape

COLORS = ("#0b6bcb", "#c2410c", "#15803d", "#7e22ce", "#b91c1c", "#0f766e", "#a16207", "#475569")
WIDTH, HEIGHT = 460, 340
LEFT, TOP, SIDE = 52, 34, 250
"""Where the square of a chart begins, and its side."""
ROW = 17
"""Height of a row of points, and of a legend's line."""

Line = Sequence[tuple[float, float]]


def line_chart(title: str, lines: Mapping[str, Line], *, across: str, up: str, diagonal: bool = False) -> str:
    """Lines over the unit square with a legend; points are marked, and the diagonal drawn where it is the ideal."""
    body = [_grid(), _text(LEFT + SIDE / 2, TOP + SIDE + 32, across, "middle"), _turned(14, TOP + SIDE / 2, up)]
    body += [_path([(0.0, 0.0), (1.0, 1.0)], "#999", 'stroke-dasharray="4 4"')] if diagonal else []
    for place, (name, line) in enumerate(lines.items()):
        color = COLORS[place % len(COLORS)]
        body.append(_path(line, color))
        body += [f'<circle cx="{_x(x):.1f}" cy="{_y(y):.1f}" r="2.5" fill="{color}"/>' for x, y in line] if len(line) <= 20 else []
        body += [_mark(LEFT + SIDE + 14, TOP + 8 + ROW * place, color), _text(LEFT + SIDE + 24, TOP + 12 + ROW * place, name)]
    return _svg(title, body, HEIGHT)


def point_chart(title: str, groups: Mapping[str, Mapping[str, tuple[float, float, float]]]) -> str:
    """Per group (a figure) a point with its interval for each name, values in 0..1."""
    body: list[str] = []
    names = list(dict.fromkeys(name for points in groups.values() for name in points))
    at = TOP + 10
    for group, points in groups.items():
        body.append(_text(8, at + 4, group))
        for name, (value, low, high) in points.items():
            color = COLORS[names.index(name) % len(COLORS)]
            x = [LEFT + 90 + SIDE * one for one in (value, low, high)]
            body.append(f'<line x1="{x[1]:.1f}" y1="{at}" x2="{x[2]:.1f}" y2="{at}" stroke="{color}" stroke-width="2"/>')
            body += [f'<circle cx="{x[0]:.1f}" cy="{at}" r="3.5" fill="{color}"/>', _text(LEFT + 98 + SIDE, at + 4, f"{value:.3f}")]
            at += ROW
        at += 6
    for one in (0.0, 0.5, 1.0):
        scale = LEFT + 90 + SIDE * one
        line = f'<line x1="{scale:.1f}" y1="{TOP - 4}" x2="{scale:.1f}" y2="{at - 8}" stroke="#ddd"/>'
        body.insert(0, line + _text(scale, TOP - 6, f"{one:g}", "middle"))
    for place, name in enumerate(names):
        body += [_mark(14, at + 4 + ROW * place, COLORS[place % len(COLORS)]), _text(24, at + 8 + ROW * place, name)]
    return _svg(title, body, at + 12 + ROW * len(names))


def _svg(title: str, body: Sequence[str], height: float) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height:.0f}" font-family="sans-serif" font-size="11">'
    return "\n".join([head, '<rect width="100%" height="100%" fill="white"/>', _text(8, 18, title), *body, "</svg>"]) + "\n"


def _grid() -> str:
    frame = f'<rect x="{LEFT}" y="{TOP}" width="{SIDE}" height="{SIDE}" fill="none" stroke="#999"/>'
    marks = [
        _text(_x(one), TOP + SIDE + 14, f"{one:g}", "middle") + _text(LEFT - 6, _y(one) + 4, f"{one:g}", "end")
        for one in (0, 0.25, 0.5, 0.75, 1)
    ]
    return frame + "".join(marks)


def _path(line: Line, color: str, more: str = "") -> str:
    points = " ".join(f"{_x(x):.1f},{_y(y):.1f}" for x, y in line)
    return f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="1.5" {more}/>'


def _mark(x: float, y: float, color: str) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{color}"/>'


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _turned(x: float, y: float, text: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle" transform="rotate(-90 {x:.1f} {y:.1f})">{escape(text)}</text>'


def _x(value: float) -> float:
    return LEFT + SIDE * value


def _y(value: float) -> float:
    return TOP + SIDE * (1 - value)
