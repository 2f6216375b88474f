"""Cactus plots as SVG: number of puzzles solved over the seconds for each.

The form is that of SAT competitions. The curve of a method contains (n, the n-th smallest time);
lower and longer is better. Seconds are on a logarithmic scale.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import log10

PANEL_W, PANEL_H = 430, 400  # a panel's curves, without the labels
LEFT, TOP, BOTTOM, KEY_W = 60, 40, 50, 240
LEAST_S, MOST_S = 0.001, 100.0
# Distinguishable also by most colour-blind readers, with dashes for further methods (P. Tol).
COLOURS = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#555555")
DASHES = ("", "6 3", "2 2", "9 2 2 2")

Curves = Mapping[str, Sequence[float]]


def plot(panels: Mapping[str, Curves]) -> str:
    """Plot one panel for each engine, with the curves of its methods, the best named first.

    Args:
        panels: Ascending seconds of the solved puzzles by engine and method.
    """
    most = max(len(seconds) for curves in panels.values() for seconds in curves.values())
    width = (LEFT + PANEL_W + KEY_W) * len(panels)
    height = TOP + PANEL_H + BOTTOM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    styles = _styles(panels)
    for index, (title, curves) in enumerate(panels.items()):
        x = (LEFT + PANEL_W + KEY_W) * index + LEFT
        parts.append(f'<g transform="translate({x} {TOP})">')
        parts += [*_frame(title, max(most, 1)), *_curves(curves, max(most, 1), styles), "</g>"]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _styles(panels: Mapping[str, Curves]) -> dict[str, str]:
    """Return colour and dashes of each method, the same in all panels."""
    names = list(dict.fromkeys(name for curves in panels.values() for name in curves))
    return {
        name: f'stroke="{COLOURS[index % len(COLOURS)]}" '
        f'stroke-dasharray="{DASHES[index // len(COLOURS) % len(DASHES)]}"'
        for index, name in enumerate(names)
    }


def _x(solved: int, most: int) -> float:
    return round(PANEL_W * solved / most, 1)


def _y(seconds: float) -> float:
    share = log10(max(seconds, LEAST_S) / LEAST_S) / log10(MOST_S / LEAST_S)
    return round(PANEL_H * (1 - share), 1)


def _frame(title: str, most: int) -> list[str]:
    """Return axes, grid and labels."""
    parts = [f'<text x="0" y="-14" font-size="15" font-weight="bold">{escape(title)}</text>']
    for power in range(-3, 3):
        y = _y(10.0**power)
        parts.append(f'<path d="M0 {y}H{PANEL_W}" stroke="#ddd"/>')
        parts.append(f'<text x="-6" y="{y + 4}" text-anchor="end">{10.0**power:g} s</text>')
    step = max(1, round(most / 7 / 5) * 5)
    for solved in range(0, most + 1, step):
        x = _x(solved, most)
        parts.append(f'<path d="M{x} 0V{PANEL_H}" stroke="#ddd"/>')
        parts.append(f'<text x="{x}" y="{PANEL_H + 18}" text-anchor="middle">{solved}</text>')
    label = "puzzles decided, each in so many CPU seconds"
    parts.append(f'<text x="{PANEL_W / 2}" y="{PANEL_H + 38}" text-anchor="middle">{label}</text>')
    return parts


def _curves(curves: Curves, most: int, styles: Mapping[str, str]) -> list[str]:
    """Return the curves and their key, ordered by number solved, then by time."""
    parts = []
    ranked = sorted(curves, key=lambda name: (-len(curves[name]), sum(curves[name])))
    for index, name in enumerate(ranked):
        seconds = curves[name]
        points = " ".join(
            f"{_x(solved, most)},{_y(second)}" for solved, second in enumerate(seconds, start=1)
        )
        y = 10 + 17 * index
        key = f'<path d="M{PANEL_W + 10} {y}h24" stroke-width="2" {styles[name]}/>'
        text = f'<text x="{PANEL_W + 40}" y="{y + 4}">{escape(name)} ({len(seconds)})</text>'
        parts += [f'<polyline points="{points}" fill="none" stroke-width="1.6" {styles[name]}/>']
        parts += [key, text]
    return parts
