"""`nonosat show`: print puzzles as text like a printed sheet, with the pictures stored in files."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from nonosat import render
from nonosat.cli import report
from nonosat.cli._files import draw, force_option, svg_option
from nonosat.cli._options import files_argument, limits, limits_of, reading
from nonosat.cli._output import heading, style_of_stdout
from nonosat.cli._sources import check_single, items_of
from nonosat.core.errors import NonosatError, printable
from nonosat.core.limits import watch_of
from nonosat.core.scope import within

if TYPE_CHECKING:
    from nonosat.cli._sources import PuzzleItem
    from nonosat.core.limits import Watch
    from nonosat.render import Style

_CHUNK = 2**16  # characters printed at once: copying the whole text would use the memory limit
_PRINTING = 12  # bytes per character while printing
_DRAWING = 30  # bytes per cell of the whole sheet of a random nonogram
FACTS = ("author", "copyright", "license", "source", "description")


@click.command("show")
@files_argument
@reading()
@svg_option("the sheet of one puzzle")
@force_option
@limits("reading and drawing each puzzle")
@click.pass_context
def command(ctx: click.Context, /, svg: str | None, **params: Any) -> None:
    """Show every puzzle in FILE... as a printed sheet: column clues on top, row clues at the left.

    A picture that the file holds (its goal) is shown first, in half-block characters; then its
    saved states, a character per cell, `?` for an unknown cell. In the sheet, given cells are
    filled or crossed out; `?` is a block of unknown length.

    If a terminal is too narrow, two columns of the picture share a character, or the picture is
    scaled down, and clues are listed in place of the sheet; a line states the width that is needed.
    A pipe or a file gets the full size. In the locale C (LC_ALL=C) all of it is ASCII.
    """
    style = style_of_stdout()
    status = 0
    is_single = svg is not None
    items = items_of(
        params["files"], params["format_"], params["family"], params, is_single=is_single
    )
    if is_single:
        check_single(items, "--svg")
    for index, item in enumerate(items):
        try:
            if item.error is not None:
                raise item.error
            watch = watch_of(**limits_of(params, item.read_s))
            parts = within(watch, partial(shown, item, style, watch))
            if index:
                click.echo()
            for part in parts:
                _print(part, style)
            if svg is not None:
                within(watch, partial(draw, svg, item.puzzle))
        except NonosatError as error:
            status = max(status, report(error, "" if error is item.error else item.name))
    ctx.exit(status)


def shown(item: PuzzleItem, style: Style, watch: Watch) -> list[str]:
    """Return the complete output of `show` for one puzzle; each part begins a line.

    Raises:
        LimitReached: Drawing or printing it would exceed the memory limit of `watch`.
    """
    puzzle = item.puzzle
    about = ((fact, getattr(puzzle.about, fact)) for fact in FACTS)
    facts = [f"{fact}: {printable(text)}" for fact, text in about if text]
    if style.width is None:
        cells = getattr(puzzle, "height", 0) * getattr(puzzle, "width", 0)
        watch.reserve(_DRAWING * cells)
    text = render.text(puzzle, None, style)
    watch.reserve(_PRINTING * min(len(text), _CHUNK))
    return [heading(item), *facts, text]


def _print(text: str, style: Style) -> None:
    for start in range(0, len(text), _CHUNK):
        click.echo(text[start : start + _CHUNK], nl=False, color=style.ansi)
    click.echo()
