"""`nonosat hint`: the next step from a partly filled board, or what is wrong with it."""

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
    from nonosat.cli._sources import Item
    from nonosat.explain import Hint

WRONG_MARKS = 1


@click.command("hint")
@puzzle_argument
@from_("PUZZLE")
@click.option(
    "--given",
    metavar="FILE",
    help="What is filled in: a line a row, or what `show` prints (see above); - is standard input. "
    "Else the last state that is saved in the puzzle, or nothing.",
)
@limits("the hint")
@one_json
@svg_option("the board, with the cells of the step marked")
@force_option
@click.pass_context
def command(ctx: click.Context, /, given: str | None, svg: str | None, **asked: Any) -> None:
    """Tell the next easiest step for PUZZLE (FILE, or FILE#ID where it holds many).

    Where the marks contradict the clues it tells which do: those that are wrong in every
    solution, and few that contradict the clue of a line, or the clues together (of up to 8 the
    fewest, of more some of which none can be left out). Of a puzzle without a solution it tells
    which clues contradict each other. Rows and columns count from 1, with --json from 0 except in
    sentences.

    In --given a cell is filled (`#` or a block character; a colour's symbol), empty (`.`, or
    crossed out with `x`, `X` or a times sign) or open (`?` or a blank). What `show` and `solve`
    print is read as well: a picture in half blocks, saved states (the last one counts), or the
    printed sheet with your marks in its frame, where dots are open.

    Of a Slitherlink, --given is the frame that `show` and `solve` print, with what is drawn into
    it: an edge is on the path (`-`, `|`), off it (`x`) or open (a blank).

    The status is 0 for a step or a finished board, 1 where marks are wrong, 3 where what is open
    differs in two solutions, 4 where the puzzle has no solution, 5 where a limit was hit.
    """
    if asked["file"] == given == "-":
        raise click.UsageError("standard input is one file; PUZZLE or --given has to be another")
    item = the_item(asked["file"], asked["format_"], asked=asked)
    data = None if given is None else _content(item, given)  # which may wait for a pipe
    started = perf_counter() - item.read_s
    state = None if given is None or data is None else _state(item, given, data, asked)
    with Working(f"hint for {item.name}"):
        reply = hint(item.puzzle, state, **limits_of(asked, perf_counter() - started))

    def make() -> str:
        if svg is not None:
            draw(svg, reply)
        return _json(item, reply) if asked["as_json"] else _text(item, reply)

    click.echo(made(asked, started, reply, make))
    if reply.verdict is not None:
        ctx.exit(STATUS[reply.verdict.value])
    ctx.exit(WRONG_MARKS if reply.is_wrong else 0)


def _content(item: Item, file: str) -> bytes:
    explainer_of(item.puzzle, "hints are")  # or there is nothing to read for
    return named_by(file, lambda: content(file))


def _state(item: Item, file: str, data: bytes, asked: Mapping[str, Any]) -> Any:
    """The state in a file; errors name the file.

    Raises:
        LimitReached: What reading the puzzle has left of the limits is too little for it.
    """
    read_state = explainer_of(item.puzzle).read_state
    watch = watch_of(**limits_of(asked, item.read_s))
    return named_by(file, lambda: within(watch, lambda: read_state(data, item.puzzle)))


def _json(item: Item, reply: Hint) -> str:
    return json_line({**item.data, **reply.to_data(with_puzzle=False)})


def _text(item: Item, reply: Hint) -> str:
    lines = [reply.sentence, *reply.table()]
    if reply.contradiction is not None:
        lines += reply.contradiction.report(with_steps=False)
    return "\n".join([*lines, f"{heading(item)}: {_outcome(reply)}, {reply.seconds:.3f} s"])


def _outcome(reply: Hint) -> str:
    """What there is, in a word or two."""
    if reply.step is not None:
        return f"a step by {reply.step.technique}"
    if reply.verdict is not None:
        return reply.verdict.value
    wrong = counted(len(reply.wrong), "wrong mark")
    return wrong if reply.wrong else "marks that contradict the clues"
