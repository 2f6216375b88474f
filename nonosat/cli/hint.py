"""`nonosat hint`: the next step from a partly filled board, or its errors."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from nonosat.cli._deciding import STATUS
from nonosat.cli._files import draw, force_option, named_by, svg_option
from nonosat.cli._options import from_, limits, limits_of, one_json, puzzle_argument
from nonosat.cli._output import heading, json_line
from nonosat.cli._progress import Working
from nonosat.cli._showing import made
from nonosat.cli._sources import the_item
from nonosat.core.errors import counted
from nonosat.core.limits import watch_of
from nonosat.core.scope import within
from nonosat.explain import hint
from nonosat.explain.explainers import explainer_of
from nonosat.formats import content

if TYPE_CHECKING:
    from nonosat.cli._sources import PuzzleItem
    from nonosat.explain import Hint

WRONG_MARKS = 1


@click.command("hint")
@puzzle_argument
@from_("PUZZLE")
@click.option(
    "--given",
    metavar="FILE",
    help="Marks on the board: a line per row, or the output of `show` (see above); - is standard "
    "input. Default: the last state that is saved in the puzzle, or none.",
)
@limits("the hint")
@one_json
@svg_option("the board, with the cells of the step marked")
@force_option
@click.pass_context
def command(ctx: click.Context, /, given: str | None, svg: str | None, **params: Any) -> None:
    """Show the next easiest step for PUZZLE (FILE, or FILE#ID if it holds several).

    If the marks contradict the clues, the wrong ones are shown: marks that are wrong in every
    solution, and a small set that contradicts the clue of a line, or the clues together (proved
    smallest up to 8, a larger set irreducible). For a puzzle without a solution the clues that
    contradict each other are shown. Rows and columns count from 1, with --json from 0 except in
    sentences.

    In --given a cell is filled (`#` or a block character; a colour's symbol), empty (`.`, or
    crossed out with `x`, `X` or a times sign) or open (`?` or a blank). The output of `show` and
    `solve` is read as well: a picture in half blocks, saved states (the last one counts), or the
    printed sheet with your marks in its frame, where dots are open.

    For a Slitherlink, --given is the frame that `show` and `solve` print, with edges drawn into it:
    an edge is on the path (`-`, `|`), off it (`x`) or open (a blank).

    The status is 0 for a step or a finished board, 1 if marks are wrong, 3 if open cells differ in
    two solutions, 4 if the puzzle has no solution, 5 if a limit was reached.
    """
    if params["file"] == given == "-":
        raise click.UsageError("standard input is read only once; PUZZLE or --given must be a file")
    item = the_item(params["file"], params["format_"], params=params)
    data = None if given is None else _content(item, given)  # reading may block on a pipe
    started = perf_counter() - item.read_s
    state = None if given is None or data is None else _state(item, given, data, params)
    with Working(f"searching a hint for {item.name}"):
        reply = hint(item.puzzle, state, **limits_of(params, perf_counter() - started))

    def make() -> str:
        if svg is not None:
            draw(svg, reply)
        return _json(item, reply) if params["as_json"] else _text(item, reply)

    click.echo(made(params, started, reply, make))
    if reply.verdict is not None:
        ctx.exit(STATUS[reply.verdict.value])
    ctx.exit(WRONG_MARKS if reply.is_wrong else 0)


def _content(item: PuzzleItem, file: str) -> bytes:
    explainer_of(item.puzzle, "hints are")  # raises before the file, perhaps a pipe, is read
    return named_by(file, lambda: content(file))


def _state(item: PuzzleItem, file: str, data: bytes, params: Mapping[str, Any]) -> Any:
    """Return the state in a file; errors name the file.

    Raises:
        LimitReached: Reading the puzzle has left too little of the limits.
    """
    read_state = explainer_of(item.puzzle).read_state
    watch = watch_of(**limits_of(params, item.read_s))
    return named_by(file, lambda: within(watch, lambda: read_state(data, item.puzzle)))


def _json(item: PuzzleItem, reply: Hint) -> str:
    return json_line({**item.data, **reply.to_data(with_puzzle=False)})


def _text(item: PuzzleItem, reply: Hint) -> str:
    lines = [reply.sentence, *reply.table()]
    if reply.contradiction is not None:
        lines += reply.contradiction.report(with_steps=False)
    return "\n".join([*lines, f"{heading(item)}: {_outcome(reply)}, {reply.seconds:.3f} s"])


def _outcome(reply: Hint) -> str:
    """Return the outcome in a word or two."""
    if reply.step is not None:
        return f"a step by {reply.step.technique}"
    if reply.verdict is not None:
        return reply.verdict.value
    wrong = counted(len(reply.wrong), "wrong mark")
    return wrong if reply.wrong else "marks that contradict the clues"
