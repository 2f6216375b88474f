"""Output of `solve` and `check`: pictures and verdicts for people, JSON Lines for programs."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from nonosat import render
from nonosat.cli._sources import Item, printable
from nonosat.errors import counted
from nonosat.render import Style

if TYPE_CHECKING:
    from nonosat.cli._why import Why
    from nonosat.result import Result

SHOWN_CELLS = 10  # disputed cells listed for people
VERDICT_COLOURS = {"solved": "green", "unique": "green", "multiple": "yellow"}


def style_of_stdout() -> Style:
    """The style that standard output can show; only a terminal has colours and a width."""
    try:
        "▀█│×".encode(sys.stdout.encoding or "ascii")
        can_draw = True
    except UnicodeEncodeError:
        can_draw = False
    if not sys.stdout.isatty():
        return Style(unicode=can_draw)
    can_paint = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Style(ansi=can_paint and can_draw, unicode=can_draw, width=_terminal_width())


def _terminal_width() -> int | None:
    """Characters a line; COLUMNS wins; None where nobody knows."""
    asked = os.environ.get("COLUMNS", "")
    if asked.isdecimal() and int(asked):
        return int(asked)
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or None
    except OSError:
        return None


# For people


def heading(item: Item) -> str:
    """Name, title and size."""
    name, puzzle = item.name, item.puzzle
    title = printable(puzzle.about.title)
    named = f'{name} "{title}"' if title and title != name else name
    return f"{named}, {puzzle.size}"


class Pictures:
    """The solved picture, then a line with the verdict.

    Args:
        every: Show every solution rather than the first.
    """

    def __init__(self, every: bool) -> None:
        self.every = every
        self.style = style_of_stdout()
        self.verdicts: Counter[str] = Counter()

    def result(self, item: Item, result: Result, *, why: Why | None = None) -> None:
        parts = [""] if self.verdicts else []
        self.verdicts[result.verdict.value] += 1
        shown = result.solutions if self.every else result.solutions[:1]
        marked = result.disputed if len(shown) == 1 else ()
        for index, grid in enumerate(shown, start=1):
            if len(shown) > 1:
                parts.append(f"solution {index} of {len(shown)}:")
            parts.append(render.text(result.puzzle, grid, self.style, marked))
        parts.append(f"{heading(item)}: {self._verdict(result)}")
        if result.disputed:
            parts.append(f"  {_listed(result.disputed)}")
        parts += [f"  {line}" for line in (why.lines if why else ())]
        parts += [f"  warning: {warning}" for warning in result.warnings]
        click.echo("\n".join(parts), color=self.style.ansi)

    def _verdict(self, result: Result) -> str:
        word = result.verdict.value
        if self.style.ansi:
            word = click.style(word, fg=VERDICT_COLOURS.get(word, "red"), bold=True)
        reason = f" ({result.reason})" if result.reason else ""
        return f"{word}{reason}, {result.seconds:.3f} s, {_decided_by(result)}"

    def error(self, item: Item, error: Exception) -> None:
        """Standard error has been told; only the count is left to do."""
        self.verdicts["failed"] += 1

    def summary(self) -> None:
        """How many of each verdict, where there were several puzzles."""
        if (total := self.verdicts.total()) > 1:
            counts = ", ".join(f"{count} {word}" for word, count in self.verdicts.most_common())
            click.echo(f"\n{counted(total, 'puzzle')}: {counts}")


def _decided_by(result: Result) -> str:
    """How many cells each stage decided, or what had the last word where there is no picture."""
    if not result.solutions:
        return f"by {result.backend}" if result.backend else "before any engine"
    counts: dict[str, int] = {}
    for stage in result.stages:
        engine = str(stage.detail.get("engine", stage.name))
        counts[engine] = counts.get(engine, 0) + stage.decided
    steps = [f"{count} by {engine}" for engine, count in counts.items() if count]
    return f"cells: {', '.join(steps)}" if steps else f"by {result.backend}"


def _listed(cells: tuple[tuple[int, int], ...]) -> str:
    """Disputed cells, shortened when there are many."""
    text = " ".join(f"({row}, {column})" for row, column in cells[:SHOWN_CELLS])
    more = len(cells) - SHOWN_CELLS
    rest = f" and {more} more; --json lists all" if more > 0 else ""
    return (
        f"the solutions differ in {counted(len(cells), 'cell')} (row, column from 0): {text}{rest}"
    )


# For programs


class Records:
    """One JSON object a puzzle, printed at once."""

    def result(self, item: Item, result: Result, *, why: Why | None = None) -> None:
        print_json(record(item, result) | ({"contradiction": why.data} if why else {}))

    def error(self, item: Item, error: Exception) -> None:
        print_json({**item.data, "error": str(error) or type(error).__name__})

    def summary(self) -> None:
        """Nothing: every line is a puzzle."""


def print_json(record: Mapping[str, Any]) -> None:
    """One object a line."""
    import json

    click.echo(json.dumps(record))


def record(item: Item, result: Result) -> dict[str, Any]:
    """A result as JSON data."""
    from nonosat.batch.deciding import options_data, result_data
    from nonosat.versions import versions

    return {
        **item.data,
        **result_data(result),
        "options": options_data(result.options),
        "versions": versions(),
    }
