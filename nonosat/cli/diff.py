"""`nonosat diff`: differences of two solutions, pictures or puzzles."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import zip_longest
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from nonosat.cli import report
from nonosat.cli._files import draw, force_option, svg_option
from nonosat.cli._options import limits, limits_of, one_json, reading
from nonosat.cli._output import heading, json_line, style_of_stdout
from nonosat.cli._progress import Working
from nonosat.cli._showing import made
from nonosat.cli._sources import the_item
from nonosat.core.errors import FormatError, PuzzleError, path_text
from nonosat.core.grid import UNKNOWN
from nonosat.core.limits import watch_of
from nonosat.core.scope import within
from nonosat.core.wording import cells_text
from nonosat.explain.nonogram.given import read_state
from nonosat.formats import content
from nonosat.puzzles.nonogram.data import Nonogram
from nonosat.questions.difference import diff
from nonosat.render.nonogram import groups

if TYPE_CHECKING:
    from nonosat.cli._sources import PuzzleItem
    from nonosat.questions.difference import Difference
    from nonosat.render import Style

GAP = "   "  # between adjacent pictures
MOST_LISTED = 20  # lines whose clues are written out; --json has all


@click.command("diff")
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@reading("A and B")
@limits("reading and comparing")
@one_json
@svg_option("the first picture, with differing cells in colours")
@force_option
@click.pass_context
def command(
    ctx: click.Context, /, first: str, second: str, svg: str | None, **params: object
) -> None:
    """Show the differences of A and B: nonograms, or pictures in any format that holds them.

    One of them may also be the output of `solve` or `decode`: a picture in half blocks is read as
    an answer to the other one.

    Cells are compared if both hold a picture, and the clues of all lines. If both pictures are
    solutions of the same clues, the cells that differ are divided into independent switches:
    changing the cells of any of them leads from either picture to a solution. The smallest of these
    switches is printed. Letters mark them in the picture; with several switches each has its own.
    The status is 0 with and without differences.
    """
    if first == second == "-":
        raise click.UsageError("standard input is read only once; A or B must be a file")
    items = _both(first, second, params)
    spent = sum(item.read_s for item in items)
    started = perf_counter() - spent
    with Working(f"comparing {items[0].name} {items[1].name}"):
        watch = watch_of(**limits_of(params, spent))
        try:
            found = within(watch, partial(diff, items[0].puzzle, items[1].puzzle))
        except PuzzleError as error:
            ctx.exit(report(error, " and ".join(_names(items))))

    style = style_of_stdout()

    def make() -> str:
        if svg is not None:
            draw(svg, found)
        if params["as_json"]:
            who = {"first": items[0].data, "second": items[1].data}
            return json_line({**who, **found.to_data(with_puzzle=False)})
        return _text(style, items, found)

    click.echo(made(params, started, found, make), color=style.ansi)
    ctx.exit(0)


def _both(first: str, second: str, params: dict[str, Any]) -> tuple[PuzzleItem, PuzzleItem]:
    """Return both puzzles; an input that is not a puzzle may be an answer to the other one."""
    items: list[PuzzleItem | FormatError] = []
    for file in (first, second):
        try:
            items.append(the_item(file, params["format_"], params["family"], params))
        except FormatError as error:
            items.append(error)
    one, other = items
    if isinstance(one, FormatError) and not isinstance(other, FormatError):
        one = _answer(first, other, one, params)
    elif isinstance(other, FormatError) and not isinstance(one, FormatError):
        other = _answer(second, one, other, params)
    if isinstance(one, FormatError):
        raise one
    assert not isinstance(other, FormatError)
    return one, other


def _answer(file: str, item: PuzzleItem, error: FormatError, params: dict[str, Any]) -> PuzzleItem:
    """Return a printed picture as an answer to a puzzle, or raise the original error.

    Raises:
        FormatError: It is not a complete picture of that puzzle either. If the text states the
            puzzle's size, as `solve` does below a picture, the error is that of the picture.
    """
    if not isinstance(item.puzzle, Nonogram):
        raise error
    if file == "-":
        error.message += "; what `solve` prints is read from a file, not from standard input"
        raise error
    watch, data = watch_of(**limits_of(params, item.read_s)), content(file)
    try:
        state = within(watch, lambda: read_state(data, item.puzzle))
    except FormatError as wrong:
        wrong.path = file
        raise (wrong if item.puzzle.size.encode() in data else error) from None
    if UNKNOWN in state.cells:
        raise error
    return item._replace(file=file, puzzle=replace(item.puzzle, goal=state).about_with(id=file))


def _names(items: tuple[PuzzleItem, PuzzleItem]) -> list[str]:
    """Return the names of both items; the files if the items have the same name."""
    names = [item.name for item in items]
    return [path_text(item.file) for item in items] if names[0] == names[1] else names


def _text(style: Style, items: tuple[PuzzleItem, PuzzleItem], found: Difference) -> str:
    names = _names(items)
    lines = [
        *_pictures(style, names, found),
        f"{heading(items[0])}, and {names[1]}: {found.description()}",
    ]
    if found.cells:
        lines.append(f"  cells (row,column): {cells_text(found.cells)}")
    if found.switches:
        word = "the switch" if len(found.switches) == 1 else "the smallest of them"
        lines.append(f"  {word}: {cells_text(found.smallest)}")
    text = found.differing_clues()
    lines += [f"  {line}" for line in text[:MOST_LISTED]]
    if len(text) > MOST_LISTED:
        lines.append(f"  and {len(text) - MOST_LISTED} more; --json lists all")
    if found.given:
        lines.append(f"  given cells (row,column): {cells_text(found.given)}")
    return "\n".join([*lines, *(f"  {note}" for note in found.notes)])


def _pictures(style: Style, names: list[str], found: Difference) -> list[str]:
    """Return both pictures and their differences side by side, or vertically if too wide."""
    first, second = found.first.goal, found.second.goal
    if first is None or second is None or not found.cells:
        return []
    parts = [
        (names[0], groups.text(found.first, first, (), (), style)),
        (names[1], groups.text(found.second, second, (), (), style)),
        ("differences", groups.text(found.first, first, found.groups(), (), style)),
    ]
    width = max(first.width, *(len(name) for name, _ in parts))
    if style.width is not None and 3 * width + 2 * len(GAP) > style.width:
        return [line for name, text in parts for line in (f"{name}:", *text.splitlines())]
    columns = [[name, *text.splitlines()[: first.height]] for name, text in parts]
    rest = parts[0][1].splitlines()[first.height :]  # a legend
    rows = zip_longest(*columns, fillvalue="")
    return [*(_row(cells, width, first.width, at) for at, cells in enumerate(rows)), *rest]


def _row(cells: tuple[str, ...], width: int, of_picture: int, at: int) -> str:
    """Return one line of adjacent pictures; colour codes of a terminal have no width."""
    padded = (cell + " " * (width - (of_picture if at else len(cell))) for cell in cells)
    return GAP.join(padded).rstrip()
