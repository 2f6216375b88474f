"""`nonosat show`: puzzles as text, the way they are printed, and the pictures that files hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from nonosat.cli import report

if TYPE_CHECKING:
    from nonosat.cli._sources import Item
    from nonosat.model import Clue
    from nonosat.puzzles.nonogram.data import Nonogram
    from nonosat.render.text import Style

FACTS = ("author", "copyright", "license", "source", "description")


@click.command("show", short_help="Show a puzzle as text.")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--from", "format_", metavar="FORMAT", help="Format of all the files.")
@click.pass_context
def command(ctx: click.Context, files: tuple[str, ...], format_: str | None) -> None:
    """Show every puzzle in FILE... as a printed sheet: column clues on top, row clues at the left.

    A picture that the file holds (its goal) is shown first, in half-block characters; then its
    saved states, a character a cell, where `?` is a cell that is still unknown. In the sheet,
    given cells are filled or crossed out; `?` is a block of unknown length.
    """
    from nonosat.cli._output import style_of_stdout
    from nonosat.cli._sources import items_of

    style = style_of_stdout()
    status = 0
    for index, item in enumerate(items_of(files, format_)):
        if item.error is not None:
            status = max(status, report(item.error))
            continue
        click.echo(("\n" if index else "") + shown(item, style), color=style.ansi)
    ctx.exit(status)


def shown(item: Item, style: Style) -> str:
    """Everything that `show` says of one puzzle."""
    from nonosat.cli._output import heading, picture_with_remarks
    from nonosat.cli._sources import printable
    from nonosat.render.text import legend, sheet, sheet_width

    puzzle: Nonogram = item.puzzle
    parts = [heading(item)]
    about = ((fact, getattr(puzzle.about, fact)) for fact in FACTS)
    parts += [f"{fact}: {printable(text)}" for fact, text in about if text]
    if puzzle.goal is not None:
        parts.append(picture_with_remarks(puzzle, puzzle.goal, style))
    elif len(puzzle.colours) > 1 and not style.ansi:
        parts.append(legend(puzzle))
    parts += _saved(puzzle, style)
    needed = sheet_width(puzzle, style)
    if style.width is None or needed <= style.width:
        return "\n".join([*parts, sheet(puzzle, style)])
    parts += _listed("row", puzzle.rows, puzzle) + _listed("column", puzzle.columns, puzzle)
    parts.append(
        f"(the printed sheet is {needed} characters wide, the terminal {style.width}; "
        "a file or a pipe into `less -S` gets it whole)"
    )
    return "\n".join(parts)


def _saved(puzzle: Nonogram, style: Style) -> list[str]:
    """The saved states; only how far they are where a terminal is too narrow for them."""
    from nonosat.grid import UNKNOWN
    from nonosat.render.text import legend, symbols

    parts = []
    for state in puzzle.saved:
        known = len(state.cells) - state.cells.count(UNKNOWN)
        parts.append(f"saved state: {known} of {len(state.cells)} cells known")
        if style.width is None or puzzle.width <= style.width:
            parts += state.lines(symbols(puzzle))
    if parts and style.ansi and len(puzzle.colours) > 1:
        parts.append(legend(puzzle))
    return parts


def _listed(kind: str, clues: tuple[Clue, ...], puzzle: Nonogram) -> list[str]:
    """Clues one a line, for a terminal too narrow for the sheet."""
    from nonosat.render.text import clue_text

    return [f"{kind} {index}: {clue_text(puzzle, clue)}" for index, clue in enumerate(clues)]
