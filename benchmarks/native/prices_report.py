"""Tables and plot of the record of `prices.py`: `python prices_report.py FILE [--svg OUT]`.

The tables are printed as Markdown, as in PRICES.md. The plot shows seconds over the number of
dominoes, by prices and by clause learning; it is plain SVG.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

Figures = Mapping[str, Any]
Point = tuple[float, float]

WIDTH, HEIGHT = 640, 340
LEFT, RIGHT, TOP, BOTTOM = 64, 20, 34, 46
INK, GRID, PRICES, LEARN = "#24292f", "#d8dee4", "#1a7f37", "#bc4c00"


# Plot


class Axes:
    """A linear axis of dominoes, and a logarithmic one of seconds."""

    def __init__(self, most_n: int, least_s: float, most_s: float) -> None:
        self.most_n = most_n
        self.low = math.floor(math.log10(least_s))
        self.high = math.ceil(math.log10(most_s))

    def place(self, n: float, seconds: float) -> Point:
        """Return a position in pixels from the upper left."""
        across = (WIDTH - LEFT - RIGHT) * n / self.most_n
        up = (math.log10(seconds) - self.low) / (self.high - self.low)
        return LEFT + across, HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * up

    def drawn(self) -> Iterable[str]:
        """Yield grid lines with their numbers."""
        for power in range(self.low, self.high + 1):
            x, y = self.place(0, 10.0**power)
            yield _line([(x, y), (WIDTH - RIGHT, y)], GRID, 1)
            yield _text(x - 8, y + 4, _seconds(10.0**power), "end")
        for n in range(0, self.most_n + 1, 10):
            x, y = self.place(n, 10.0**self.low)
            yield _line([(x, y), (x, y + 5)], INK, 1)
            yield _text(x, y + 20, str(n), "middle")
        yield _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, "dominoes", "middle")


def plot(growth: Figures) -> str:
    """Return the plot of a recorded growth."""
    by_prices = [(int(n), one["s"]) for n, one in growth["prices"].items()]
    decided = {int(n): one for n, one in growth["learn"].items() if one["verdict"] == "unique"}
    learnt = [(n, one["s"]) for n, one in decided.items()]
    seconds = [s for _, s in (*by_prices, *learnt)]
    most_n = math.ceil(max(n for n, _ in (*by_prices, *learnt)) / 10) * 10
    axes = Axes(most_n, min(seconds), 100 * max(seconds))
    body = [*axes.drawn(), *_curve(axes, by_prices, PRICES), *_curve(axes, learnt, LEARN)]
    body += _labels(axes, growth, by_prices, learnt)
    title = "Seconds to prove a staircase of n dominoes unique"
    body.append(_text(LEFT, 18, title, "start", INK, "bold"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
        f'height="{HEIGHT}" font-family="sans-serif" font-size="12"><title>{title}</title>'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>{"".join(body)}</svg>\n'
    )


def _curve(axes: Axes, points: Sequence[Point], colour: str) -> Iterable[str]:
    places = [axes.place(*point) for point in points]
    yield _line(places, colour, 2)
    for x, y in places:
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{colour}"/>'


def _labels(
    axes: Axes, growth: Figures, by_prices: Sequence[Point], learnt: Sequence[Point]
) -> Iterable[str]:
    """Yield labels of the curves; that of clause learning is extrapolated in dashes."""
    fits = growth["fits"]
    x, y = axes.place(*by_prices[-1])
    power = f", n to the {fits['exponent of n']:.1f}" if fits["exponent of n"] else ""
    yield _text(x, y - 12, f"by prices{power}", "end", PRICES, "bold")
    factor = fits["times a domino"]
    if learnt and factor:
        n, seconds = learnt[-1]
        far = n + math.log(10.0**axes.high / seconds) / math.log(factor)
        end = axes.place(far, 10.0**axes.high)
        yield _line([axes.place(n, seconds), end], LEARN, 1.5, "5 4")
        label = f"by clause learning, {factor:.2f} times more a domino"
        yield _text(end[0] + 10, end[1] + 14, label, "start", LEARN, "bold")


def _line(points: Sequence[Point], colour: str, width: float, dashes: str = "") -> str:
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="{width}"{dashed}/>'


def _text(
    x: float, y: float, text: str, anchor: str, colour: str = INK, weight: str = "normal"
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}" '
        f'font-weight="{weight}">{text}</text>'
    )


def _seconds(seconds: float) -> str:
    return f"{1000 * seconds:g} ms" if seconds < 1 else f"{seconds:,.0f} s"


# Tables


def growth_table(growth: Figures) -> Iterable[str]:
    """Yield seconds by n."""
    yield from _head("dominoes", "cells", "sweeps", "by prices", "by `learn`")
    numbers = sorted({*map(int, growth["prices"]), *map(int, growth["learn"])})
    for n in numbers:
        one, learnt = growth["prices"].get(str(n)), growth["learn"].get(str(n))
        priced = (", ".join(map(str, one["sweeps"])), _shown(one["s"])) if one else ("", "")
        yield _row(n, (2 * n + 1) ** 2, *priced, _search(learnt, growth["limit_s"]))
    yield f"\nFitted: {json.dumps(growth['fits'])}."


def families_table(families: Figures) -> Iterable[str]:
    """Yield one line per puzzle."""
    yield from _head(
        *("puzzle", "open cells", "bound", "sweeps to find / prove", "`auto`", "`learn`"),
        *("conflicts of `learn` / `cadical195`", "what closes the gap"),
    )
    for name, one in families.items():
        if "prove" not in one:
            yield _row(name, one["open"], *[""] * 6)
            continue
        sweeps = f"{one['find']['sweeps']} / {one['prove']['sweeps']}"
        conflicts = " / ".join(_conflicts(one[engine]) for engine in ("learn", "cadical195"))
        by = f" by {one['auto']['by']}" if one["auto"]["by"] else ""
        auto = _search(one["auto"], one["auto"]["limit_s"]) + by
        times = (auto, _search(one["learn"], one["learn"]["limit_s"]))
        bound = one["prove"]["bound"]
        yield _row(name, one["open"], bound, sweeps, *times, conflicts, _closed(one.get("gap")))


def noise_table(noise: Figures) -> Iterable[str]:
    """Yield one line per size."""
    yield from _head("noise", "prices", "share of `check`, median", "most")
    for name, one in noise.items():
        shares = (f"{100 * one[which]:.1f} %" for which in ("share", "most"))
        yield _row(name, _shown(one["prices_s"]), *shares)


def _closed(gap: Figures | None) -> str:
    if gap is None:
        return ""
    if gap["by settling"]["open"] == 0 or gap["by settling"]["bound"] == 0:
        return f"settling, {_shown(gap['cpu_s'])}"
    left = gap["by probing"]["open"]
    what = "probing by prices" if left == 0 else f"not closed: {left} cells open after probing"
    return (
        f"{what}: {gap['refuted']} of {gap['tried']} cells, {gap['sweeps']} sweeps, "
        + _shown(gap["cpu_s"])
        if "tried" in gap
        else what
    )


def _search(one: Figures | None, limit_s: float) -> str:
    if one is None:
        return ""
    over = one["verdict"] == "unknown"
    return f"> {limit_s:.0f} s" if over else _shown(one["s"])


def _conflicts(one: Figures) -> str:
    if not one["conflicts"]:  # an engine that was stopped reports none
        return "?"
    over = "> " if one["verdict"] == "unknown" else ""
    return over + f"{one['conflicts']:,}"


def _shown(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 1 else f"{1000 * seconds:.3g} ms"


def _head(*cells: str) -> Iterable[str]:
    yield _row(*cells)
    yield _row(*["---"] * len(cells))


def _row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", type=Path, help="a record of `prices.py --record`")
    parser.add_argument("--svg", metavar="OUT", type=Path, help="draw the growth")
    asked = parser.parse_args()
    figures = json.loads(asked.file.read_text())
    tables = {"growth": growth_table, "families": families_table, "noise": noise_table}
    for name, table in tables.items():
        if name in figures:
            print("\n".join(table(figures[name])) + "\n")
    if asked.svg:
        asked.svg.write_text(plot(figures["growth"]))


if __name__ == "__main__":
    main()
