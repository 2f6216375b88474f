"""`nonosat show`: puzzles as text, the way they are printed, and the pictures that files hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from nonosat.cli import report
from nonosat.cli._files import draw, force_option, svg_option
from nonosat.cli._options import files_argument, reading
from nonosat.cli._progress import quiet_option

if TYPE_CHECKING:
    from nonosat.cli._sources import Item
    from nonosat.render import Style

FACTS = ("author", "copyright", "license", "source", "description")


@click.command("show", short_help="Show a puzzle as text.")
@files_argument
@reading()
@svg_option("the sheet of one puzzle")
@force_option
@quiet_option
@click.pass_context
def command(ctx: click.Context, /, svg: str | None, **asked: Any) -> None:
    """Show every puzzle in FILE... as a printed sheet: column clues on top, row clues at the left.

    A picture that the file holds (its goal) is shown first, in half-block characters; then its
    saved states, a character a cell, where `?` is a cell that is still unknown. In the sheet,
    given cells are filled or crossed out; `?` is a block of unknown length.
    """
    from nonosat.cli._output import style_of_stdout
    from nonosat.cli._sources import check_single, items_of

    style = style_of_stdout()
    status = 0
    items = items_of(asked["files"], asked["format_"], asked["family"])
    if svg is not None:
        check_single(items, "--svg")
    for index, item in enumerate(items):
        if item.error is not None:
            status = max(status, report(item.error))
            continue
        click.echo(("\n" if index else "") + shown(item, style), color=style.ansi)
        if svg is not None:
            draw(svg, item.puzzle)
    ctx.exit(status)


def shown(item: Item, style: Style) -> str:
    """Everything that `show` says of one puzzle."""
    from nonosat import render
    from nonosat.cli._output import heading
    from nonosat.errors import printable

    puzzle = item.puzzle
    about = ((fact, getattr(puzzle.about, fact)) for fact in FACTS)
    facts = [f"{fact}: {printable(text)}" for fact, text in about if text]
    return "\n".join([heading(item), *facts, render.text(puzzle, None, style)])
