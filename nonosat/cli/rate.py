"""`nonosat rate`: difficulty of puzzles for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from nonosat.cli._deciding import status_of
from nonosat.cli._each import Question, each
from nonosat.cli._given import given_option
from nonosat.cli._options import limits_of, of_each_puzzle
from nonosat.cli._output import heading
from nonosat.explain import rate

if TYPE_CHECKING:
    from nonosat.cli._sources import PuzzleItem
    from nonosat.explain import Rating


@click.command("rate")
@of_each_puzzle
@given_option
@click.pass_context
def command(ctx: click.Context, /, **params: object) -> None:
    """Rate every puzzle in FILE... by the techniques that its explanation needs.

    A difficulty is a grade and tenths: the hardest necessary technique (1 counting off blocks, 2
    overlap, 3 splitting, 4 all placements of a line, 5 parallel lines, 6 probing, 7 prices, 8 a
    guess) and the tenths of the cells that it decides. For a Slitherlink the grades are 1 counting
    at clues and corners, 2 threes and cut off corners, 3 the path at a clue's corner, 4 loops that
    close too early, 5 inside and outside, 6 look-ahead on an edge, 7 either way or far look-ahead,
    8 a guess. Puzzles that are not unique have none.

    With --given it is the difficulty of the open cells.
    """

    def query(item: PuzzleItem) -> Rating:
        return rate(item.puzzle, **limits_of(params, item.read_s))

    ctx.exit(each(Question(query, status_of, _text), params))


def _text(item: PuzzleItem, reply: Rating) -> str:
    if reply.difficulty is None:
        text = f"no difficulty, {reply.verdict.value} ({reply.reason})"
    else:
        counts = ", ".join(f"{count} {name}" for name, count in reply.steps.items())
        text = (
            f"difficulty {reply.difficulty} ({reply.name}){f', steps: {counts}' if counts else ''}"
        )
    return f"{heading(item)}: {text}, {reply.seconds:.3f} s"
