"""`nonosat repair`: the fewest cells of a picture, or clues, to change for one solution."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from nonosat import formats, render
from nonosat.cli._deciding import STATUS
from nonosat.cli._each import Question, each
from nonosat.cli._files import force_option, format_for, new_file, svg_option, write
from nonosat.cli._options import limits_of, of_each_puzzle
from nonosat.cli._output import heading, style_of_stdout
from nonosat.core.errors import FormatError, counted, rows_by_columns
from nonosat.generate.mending.repair import Interrupted, repair

if TYPE_CHECKING:
    from nonosat.cli._sources import PuzzleItem
    from nonosat.core.grid import Grid
    from nonosat.core.plugins import Puzzle
    from nonosat.generate.mending.clue_repair import ClueRepair
    from nonosat.generate.mending.result import Place, RepairResult
    from nonosat.render import Style

_MOST_LISTED = 20  # changes listed per repair
_MOST_DRAWN = 24  # repairs drawn, as in a picture


@click.command("repair")
@of_each_puzzle
@click.option(
    "-o",
    "--output",
    "out",
    metavar="OUT",
    callback=new_file(),
    help="Write the repaired puzzles; the suffix selects the format. - is standard output.",
)
@click.option(
    "--to", metavar="FORMAT", help="Format of OUT or of standard output (default there: jsonl)."
)
@click.option(
    "--max-changes",
    metavar="K",
    type=click.IntRange(min=1),
    help="Maximum number of changes; if there is no such repair, that is proved.",
)
@click.option(
    "--all",
    "most",
    metavar="N",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Find up to N repairs: those with the fewest changes first, of these the least ugly.",
)
@click.option(
    "--keep", metavar="MASK", help="A picture of the same size; its filled cells stay unchanged."
)
@click.option(
    "--logic-only",
    is_flag=True,
    help="Line logic alone, one line at a time, solves the repaired puzzle.",
)
@click.option(
    "--grade",
    metavar="1-7",
    type=click.IntRange(1, 7),
    help="The repaired puzzle has this difficulty (see `nonosat rate`): make it harder or easier.",
)
@svg_option("the repaired pictures side by side, their changes marked")
@force_option
@click.pass_context
def command(ctx: click.Context, /, **params: Any) -> None:
    """Change the fewest cells of each picture in FILE... so that its clues have one solution.

    For a Slitherlink or queens, clues are changed: if there is no solution, the fewest
    contradictory clues are removed; then, for the solution that is found first, the fewest of its
    clues are added that exclude all other solutions. The clues of the cells in --keep stay
    unchanged; --all, --logic-only and --grade are for nonograms.

    A picture is a puzzle's goal, or else its first solution. Given cells stay unchanged. Of equally
    few changes those at the outline of a shape are preferred to lone pixels and holes. The
    resulting picture is shown; its changed cells are marked, without colours as + (filled now) and
    - (empty now). If a limit was reached, the best repair so far is shown and written, with the
    lower bound on the number of changes; the status is then 5. It is 0 when no repair has fewer
    changes, and 4 if there is none. With --grade a picture that is unique already is made harder or
    easier; without a limit the search ends after a fixed effort. For grade 7 a staircase of
    dominoes is inserted into the picture in a place where that changes few cells: mostly 20 to 50.
    """
    if params["out"] is not None:
        format_ = format_for(params["out"], params["to"], "jsonl", params["most"])
    elif params["to"] is not None:
        sentence = "--to is the format of OUT; add -o OUT, or -o - for standard output"
        raise click.UsageError(sentence)
    repaired: list[Puzzle] = []
    mask = None if params["keep"] is None else _mask(params["keep"])

    text = partial(_text, style_of_stdout())

    def query(item: PuzzleItem) -> RepairResult | ClueRepair:
        wishes = {name: params[name] for name in ("max_changes", "most", "logic_only", "grade")}
        keep = () if mask is None else _kept(mask, item.puzzle, params["keep"])
        try:
            found = repair(item.puzzle, keep=keep, **wishes, **limits_of(params, item.read_s))
        except Interrupted as stopped:
            repaired.extend(stopped.found.repaired())
            if not params["as_json"]:
                click.echo(text(item, stopped.found))
            raise
        repaired.extend(found.repaired())
        return found

    status = each(Question(query, _status, text), params)
    if params["out"] is not None and repaired:
        write(params["out"], formats.write(repaired, format_), counted(len(repaired), "puzzle"))
    ctx.exit(status)


def _mask(path: str) -> Grid:
    grid: Grid | None = getattr(formats.load(path), "goal", None)
    if grid is None:
        raise FormatError("a puzzle without a picture, expected a picture as mask", path=path)
    return grid


def _kept(mask: Grid, puzzle: Puzzle, path: str) -> list[Place]:
    if (mask.height, mask.width) != (puzzle.height, puzzle.width):
        raise FormatError(
            f"a mask of {rows_by_columns(mask.height, mask.width)}, expected "
            f"{rows_by_columns(puzzle.height, puzzle.width)} as the puzzle has",
            path=path,
        )
    return [divmod(cell, mask.width) for cell, value in enumerate(mask.cells) if value]


def _status(reply: RepairResult | ClueRepair) -> int:
    if not reply.is_complete:
        return STATUS["unknown"]
    return 0 if reply.repaired() else STATUS["unsolvable"]


def _signed(drawn: str, solution: Any, marked: Collection[tuple[int, ...]]) -> str:
    """Replace the "?" of changed cells, so that the resulting picture can be read.

    A cell that is filled now is "+", one that is empty now is "-".
    """
    signs = iter("+" if solution[place] else "-" for place in sorted(marked))
    if drawn.count("?") != len(marked):  # scaled down: a character represents several cells
        return drawn
    return "".join(next(signs) if char == "?" else char for char in drawn)


def _text(style: Style, item: PuzzleItem, reply: RepairResult | ClueRepair) -> str:
    reason = f" ({reply.reason})" if reply.reason else ""
    text = f"{heading(item)}: {reply.description()}{reason}, {reply.seconds:.3f} s"
    versions = reply.versions(_MOST_LISTED)
    if not versions:
        return text
    several, blocks = len(versions) > 1, list[str]()
    for number, (puzzle, solution, marked, words) in enumerate(versions, start=1):
        lines = [f"  {f'{number}: ' if several else ''}{words}"] if words else []
        if number <= _MOST_DRAWN:
            drawn = render.text(puzzle, solution, style, marked)
            if puzzle.family == "nonogram" and not style.ansi:
                drawn = _signed(drawn, solution, marked)
            lines = [drawn, *lines] if several else [drawn, text, *lines]
        blocks.append("\n".join(lines))
    return "\n".join([*blocks, text] if several else blocks)
