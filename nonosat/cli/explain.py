"""`nonosat explain`: solve a puzzle as a person would, or explain the value of one cell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from nonosat.cli._deciding import STATUS
from nonosat.cli._drawing import printed
from nonosat.cli._files import PAGE, force_option, new_file, svg_option, write
from nonosat.cli._given import given_option, marked_item
from nonosat.cli._options import from_, limits, limits_of, one_json, place, puzzle_argument
from nonosat.cli._output import heading, json_line, style_of_stdout
from nonosat.cli._progress import Working
from nonosat.cli._showing import made
from nonosat.cli._sources import the_item
from nonosat.core import families
from nonosat.core.errors import UnsupportedError, counted, rows_by_columns
from nonosat.explain import Reason, explain, reason
from nonosat.explain.explainers import explainer_of
from nonosat.explain.explanation import rating_of
from nonosat.explain.story import storyboard
from nonosat.render import figures
from nonosat.studio.alone import explained_page

if TYPE_CHECKING:
    from nonosat.cli._sources import PuzzleItem
    from nonosat.explain import Explanation

_BEFORE = "   "  # indentation of a row of a board


@click.command("explain")
@puzzle_argument
@from_("PUZZLE")
@click.option(
    "--cell",
    metavar="R,C",
    callback=place,
    help="Explain the value of this cell (row, column from 1): the fewest lines that force it.",
)
@given_option
@click.option("--steps", is_flag=True, help="Show the board after every step.")
@click.option(
    "--html",
    metavar="OUT.html",
    callback=new_file(*PAGE),
    help="Write a page to step through; the steps are printed only with --steps.",
)
@svg_option("the board after the last step")
@click.option(
    "--at",
    metavar="N",
    type=click.IntRange(1),
    help="Draw into OUT.svg the board after step N, with the cells that it decides.",
)
@force_option
@limits("the explanation")
@one_json
@click.pass_context
def command(
    ctx: click.Context, /, cell: tuple[int, int] | None, steps: bool, svg: str | None, **params: Any
) -> None:
    """Solve PUZZLE (FILE, or FILE#ID if it holds several) as a person would, step by step.

    The easiest step comes first: rules for one line, from counting off its blocks to all of its
    placements; then assumptions that parallel lines, or a chain of lines, refute; then a table of
    prices that rows earn and columns pay; then a guess that a search confirms. Every step names the
    line, the rule and the cells; rows, columns and cells count from 1 (with --json from 0, except
    in sentences). For an unsolvable puzzle the clues that contradict each other are shown, with the
    steps of the contradiction. The status is that of the puzzle: 0 unique, 3 multiple, 4
    unsolvable, 5 unknown.

    For a Slitherlink the order is: the fifteen rules of its document about clues and corners, loops
    that would close too early, cells inside and outside of the path, an edge that is tried and
    refuted, and a guess.

    With --cell, for a nonogram: the smallest set of lines whose clues force one cell, proved to be
    smallest up to 8 lines and otherwise irreducible, and the steps by which these lines do it.

    With --given the steps begin with the marks of a file.
    """
    html, at = params["html"], params["at"]
    if steps and params["as_json"]:
        raise click.UsageError("--steps is for people; --json prints the cells of each step")
    if at is not None and svg is None:
        raise click.UsageError("--at is for --svg OUT.svg; use both, or leave it out")

    item = _item(params["given"], params, is_page=html is not None)
    reply: Explanation | Reason
    started = perf_counter() - item.read_s
    with Working(f"explaining {item.name}"):
        if cell is None:
            reply = explain(item.puzzle, **limits_of(params, item.read_s))
        else:
            _check_inside(item, *cell)
            reply = reason(item.puzzle, *cell, **limits_of(params, item.read_s))

    def make() -> str:
        if html is not None:
            _write_page(html, item, reply)
        if svg is not None:
            _draw(svg, reply, at)
        return (
            _json(item, reply)
            if params["as_json"]
            else "\n".join(_lines(item, reply, steps, is_brief=html is not None and not steps))
        )

    click.echo(made(params, started, reply, make))
    ctx.exit(STATUS[reply.verdict.value])


def _item(given: str | None, params: Mapping[str, Any], *, is_page: bool) -> PuzzleItem:
    """Return the puzzle with the marks of --given.

    For a page, its colours get the letters of printed sheets; for other output, and for JSON, they
    keep the letters of the file.
    """
    if params["file"] == given == "-":
        raise click.UsageError("standard input is read only once; PUZZLE or --given must be a file")
    item = the_item(params["file"], params["format_"], params=params)
    item = item if given is None else marked_item(item, given)
    is_paper = is_page and not params["as_json"]
    return item._replace(puzzle=printed(item.puzzle)) if is_paper else item


def _check_inside(item: PuzzleItem, row: int, column: int) -> None:
    """Refuse a cell outside the board, in numbers from 1."""
    families.require(item.puzzle, "nonogram", "reasons of cells are")
    height, width = item.puzzle.height, item.puzzle.width
    if not (0 <= row < height and 0 <= column < width):
        board = rows_by_columns(height, width)
        raise click.UsageError(
            f"cell {row + 1},{column + 1} is outside the board of {board}, which count from 1"
        )


def _ending(reply: Explanation | Reason) -> str:
    """Return the summary of the whole explanation."""
    if isinstance(reply, Reason):
        return reply.sentence.removesuffix(".")
    rating = rating_of(reply)
    counts = ", ".join(f"{count} {name}" for name, count in rating.steps.items())
    techniques = f" ({counts})" if counts else ""
    reason = f" ({reply.reason})" if reply.reason else ""
    difficulty = (
        "" if rating.difficulty is None else f", difficulty {rating.difficulty} ({rating.name})"
    )
    steps = counted(len(reply.steps), "step")
    return f"{reply.verdict.value}{reason}, {steps}{techniques}{difficulty}"


def _write_page(html: str, item: PuzzleItem, reply: Explanation | Reason) -> None:
    ending = _ending(reply)
    why = None if isinstance(reply, Reason) else reply.contradiction
    if why is not None:
        ending += f". {why.description()}"
    write(html, explained_page(reply, heading(item), ending).encode(), "1 page")


def _draw(svg: str, reply: Explanation | Reason, at: int | None) -> None:
    """Write a picture of the board at the end, or after step `at`."""
    scene = reply.scene()._replace(caption=_ending(reply))
    if at is not None:
        story = storyboard(reply.puzzle, reply.steps)
        if at > len(story):
            raise UnsupportedError(f"--at {at}: the explanation has {counted(len(story), 'step')}")
        title, scene = story[at - 1]
        scene = scene._replace(caption=f"{title}: {scene.caption}")
    write(svg, f"{figures.svg_of(scene)}\n".encode(), "1 picture")


def _json(item: PuzzleItem, reply: Explanation | Reason) -> str:
    return json_line({**item.data, **reply.to_data(with_puzzle=False)})


def _lines(
    item: PuzzleItem, reply: Explanation | Reason, with_boards: bool, *, is_brief: bool
) -> Iterator[str]:
    """Yield the lines for people; `is_brief` leaves out the steps, which a page shows."""
    board = explainer_of(item.puzzle).follow(item.puzzle, None)
    width = max(map(len, board.lines())) if with_boards else 0
    remark = style_of_stdout().too_wide("a board", width + len(_BEFORE))
    for number, step in enumerate(() if is_brief else reply.steps, start=1):
        yield f"{number}. {step.sentence}"
        yield from board.table(step)
        board.learn(step)
        if with_boards and not remark:
            yield from (f"{_BEFORE}{row}".rstrip() for row in board.lines())
    if with_boards and remark:
        yield remark
    yield f"{heading(item)}: {_ending(reply)}, {reply.seconds:.3f} s"
    if not isinstance(reply, Reason) and reply.contradiction is not None:
        yield from (f"  {line}" for line in reply.contradiction.report())
