"""Tables of figures as text."""

from collections.abc import Mapping, Sequence
from typing import Any


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """A Markdown table, its first row the head."""
    lines = [f"| {' | '.join(cell.replace('|', '/') for cell in row)} |" for row in rows]
    return [lines[0], f"|{' --- |' * len(rows[0])}", *lines[1:]] if lines else []


def figure_text(figure: Mapping[str, Any] | float | None) -> str:
    """A figure with its interval, or a plain number; empty where it is not known."""
    if isinstance(figure, Mapping):
        bounds = f" ({figure['low']:.3f} to {figure['high']:.3f})" if figure["low"] is not None else ""
        return f"{figure['value']:.3f}{bounds}" if figure["value"] is not None else ""
    return "" if figure is None else f"{figure:g}"
