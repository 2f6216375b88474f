"""`nonosat sample`: uniformly random solutions of puzzles."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from nonosat import render
from nonosat.cli._deciding import STATUS
from nonosat.cli._each import Question, each
from nonosat.cli._given import given_option
from nonosat.cli._options import limits_of, of_each_puzzle, seed
from nonosat.cli._output import MOST_PICTURES, heading, style_of_stdout
from nonosat.core.errors import counted
from nonosat.questions.sampling import sample

if TYPE_CHECKING:
    from nonosat.cli._sources import PuzzleItem
    from nonosat.questions.sampling import Sample
    from nonosat.render import Style


@click.command("sample")
@click.option(
    "-n",
    "num_samples",
    metavar="N",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Number of solutions, for each puzzle.",
)
@seed("Seed of the random numbers.")
@of_each_puzzle
@given_option
@click.pass_context
def command(ctx: click.Context, /, num_samples: int, seed: int, **params: object) -> None:
    """Show random solutions of every puzzle in FILE..., all solutions equally probable.

    All solutions are counted, exactly, and the one with a random number is computed; solutions are
    drawn independently, so that some may be equal. Puzzles too large for `nonosat count` are too
    large here. The status is 5 if a limit was reached before the last one, 4 if there is none.
    """

    def query(item: PuzzleItem) -> Sample:
        return sample(item.puzzle, num_samples, seed=seed, **limits_of(params, item.read_s))

    text = partial(_text, style_of_stdout(), num_samples)
    ctx.exit(each(Question(query, partial(_status, num_samples), text), params))


def _status(required: int, reply: Sample) -> int:
    if reply.count == 0:
        return STATUS["unsolvable"]
    return 0 if len(reply.solutions) == required else STATUS["unknown"]


def _text(style: Style, required: int, item: PuzzleItem, reply: Sample) -> str:
    parts = list[str]()
    for index, solution in enumerate(reply.solutions[:MOST_PICTURES], start=1):
        if required > 1:
            parts.append(f"solution {index} of {required}:")
        parts.append(render.text(item.puzzle, solution, style))
    if (more := len(reply.solutions) - MOST_PICTURES) > 0:
        parts.append(f"{counted(more, 'more solution')} drawn but not shown; --json prints all")
    reason = f" ({reply.reason})" if reply.reason else ""
    parts.append(f"{heading(item)}: {reply.description()}{reason}, {reply.seconds:.3f} s")
    return "\n".join(parts)
