"""Output of `solve` and `check`: pictures and verdicts for people, JSON Lines for programs."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from nonosat import render
from nonosat.cli import message_of
from nonosat.cli._sources import PuzzleItem
from nonosat.core.errors import LimitReached, NonosatError, counted, printable
from nonosat.core.wording import SHOWN_CELLS, cells_text
from nonosat.render import Style
from nonosat.solving.ignored_options import remark_of

if TYPE_CHECKING:
    from nonosat.core.result import Result
    from nonosat.explain import Contradiction, Rating
    from nonosat.questions.backbones import Differing

MOST_PICTURES = 100  # pictures of one puzzle
VERDICT_COLOURS = {"solved": "green", "unique": "green", "multiple": "yellow"}


def style_of_stdout() -> Style:
    """Return the style that standard output supports; only a terminal has colours and a width."""
    try:
        "▀█│×".encode(sys.stdout.encoding or "ascii")
        can_draw = True
    except UnicodeEncodeError:
        can_draw = False
    can_draw = can_draw and not _is_ascii_locale()
    if not sys.stdout.isatty():
        return Style(unicode=can_draw)
    can_paint = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Style(ansi=can_paint and can_draw, unicode=can_draw, width=_terminal_width())


def _is_ascii_locale() -> bool:
    """Return True if the environment sets the locale C, which Python treats as UTF-8."""
    is_replaced = sys.flags.utf8_mode and os.environ.get("PYTHONUTF8") != "1"
    named = (os.environ.get(name) for name in ("LC_ALL", "LANG"))
    return bool(is_replaced) and next(filter(None, named), "") in ("C", "POSIX")


def _terminal_width() -> int | None:
    """Return the characters per line; COLUMNS takes precedence; None if unknown."""
    params = os.environ.get("COLUMNS", "")
    if re.fullmatch("[0-9]{1,9}", params) and int(params):
        return int(params)
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or None
    except OSError:
        return None


# For people


def heading(item: PuzzleItem) -> str:
    """Return name, title and size of a puzzle, in a line."""
    name, puzzle = item.name, item.puzzle
    title = printable(puzzle.about.title)
    named = f'{name} "{title}"' if title and title != name else name
    return f"{named}, {puzzle.size}"


class UnsolvableReason(NamedTuple):
    """Contradiction of an unsolvable puzzle.

    Args:
        lines: Text for people.
        data: Data for programs.
        contradiction: Object that a picture shows; None if none was found.
    """

    lines: list[str]
    data: dict[str, Any]
    contradiction: Contradiction | None = None


class Gate(NamedTuple):
    """Difficulty of a unique puzzle, and the grade that it must not exceed."""

    rating: Rating
    most: int

    @property
    def is_passed(self) -> bool | None:
        """True if the grade is not exceeded; None if a limit ended the rating."""
        difficulty = self.rating.difficulty
        return None if difficulty is None else int(difficulty) <= self.most

    @property
    def sentence(self) -> str:
        """Difficulty and outcome in words."""
        text, reason = self.rating.description(), self.rating.reason
        if self.is_passed is None:
            return f"{text} ({reason})"
        return text if self.is_passed else f"{text}, above grade {self.most}"


class ExtraFindings(NamedTuple):
    """Further findings that are shown with a result, None if not computed.

    Args:
        found: The cells in which some two solutions differ.
        why: The clues that contradict each other.
        gate: The difficulty, and the grade that it must not exceed.
    """

    found: Differing | None = None
    why: UnsolvableReason | None = None
    gate: Gate | None = None


NOTHING = ExtraFindings()


def picture(
    style: Style, every: bool, item: PuzzleItem, result: Result, shown: ExtraFindings = NOTHING
) -> str:
    """Return the solved picture, and below it a line with the verdict.

    Args:
        style: Style that standard output supports.
        every: Show every solution instead of the first.
        item: The puzzle and its origin.
        result: The result.
        shown: Findings about it.
    """
    (found, why, gate), parts = shown, list[str]()
    num_found = len(result.solutions)
    drawn = result.solutions[: MOST_PICTURES if every else 1]
    marked = found.cells if found else result.disputed if len(drawn) == 1 else ()
    for index, grid in enumerate(drawn, start=1):
        if len(drawn) > 1:
            parts.append(f"solution {index} of {num_found}:")
        parts.append(render.text(result.puzzle, grid, style, marked))
    if every and num_found > len(drawn):
        more = counted(num_found - len(drawn), "more solution")
        parts.append(f"{more} found but not drawn; --json prints all of them")
    parts.append(f"{heading(item)}: {_verdict(style, result)}")
    parts += [f"  {line}" for line in _description(result, found)]
    parts += [f"  {line}" for line in (why.lines if why else ())]
    parts += [f"  {gate.sentence}"] if gate else []
    parts += [f"  warning: {warning}" for warning in result.warnings]
    parts += [f"  remark: {text}" for stage in result.stages if (text := remark_of(stage))]
    return "\n".join(parts)


def _verdict(style: Style, result: Result) -> str:
    word = result.verdict.value
    if style.ansi:
        word = click.style(word, fg=VERDICT_COLOURS.get(word, "red"), bold=True)
    reason = f" ({result.reason})" if result.reason else ""
    return f"{word}{reason}, {result.seconds:.3f} s, {_decided_by(result)}"


def found_by(backend: str) -> str:
    """Return the source of a verdict in words: "by learn", or "without search"."""
    return "without search" if backend == "sight" else f"by {backend}"


def _decided_by(result: Result) -> str:
    """Return the number of cells that each stage decided, or without a solution the last stage."""
    if not result.solutions:
        if result.backend:
            return found_by(result.backend)
        last = next((one for one in reversed(result.stages) if not remark_of(one)), None)
        return f"during {last.detail.get('engine', last.name)}" if last else "before any engine"
    counts: dict[str, int] = {}
    for stage in result.stages:
        engine = str(stage.detail.get("engine", stage.name))
        counts[engine] = counts.get(engine, 0) + stage.decided
    steps = [f"{count} by {engine}" for engine, count in counts.items() if count]
    return f"cells: {', '.join(steps)}" if steps else found_by(result.backend)


def _description(result: Result, found: Differing | None) -> Iterator[str]:
    """Yield lines on the cells in which the first two solutions differ, and any two if known."""
    disputed = result.disputed
    if not disputed:
        return
    number = len(result.solutions)
    two = "two solutions" if number == 2 else f"the first two of {number} solutions"
    num_cells, listed = counted(len(disputed), "cell"), cells_text(disputed)
    all_are = "; --json lists all" * (len(disputed) > SHOWN_CELLS)
    yield f"{two}, differing in {num_cells} (row,column): {listed}{all_are}"
    if found is not None:
        every = counted(len(found.cells), "cell")
        verb = "differs" if len(found.cells) == 1 else "differ"
        least = "" if found.is_complete else "at least "
        yield f"{least}{every} {verb} between some two solutions (marked)"


# For programs


def error_data(error: Exception) -> dict[str, Any]:
    """Return the JSON data for a puzzle with an error instead of a reply."""
    if isinstance(error, LimitReached):
        return {"verdict": "unknown", "reason": message_of(error)}
    is_ours = isinstance(error, NonosatError | OSError) and str(error)
    return {"error": message_of(error) if is_ours else f"{type(error).__name__}: {error}"}


def print_json(record: Mapping[str, Any]) -> None:
    """Print one object per line."""
    click.echo(json_line(record))


def json_line(record: Mapping[str, Any]) -> str:
    """Return an object without line breaks."""
    return json.dumps(record)
