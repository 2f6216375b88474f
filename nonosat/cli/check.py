"""`nonosat check`: decide if each puzzle has exactly one solution."""

from __future__ import annotations

import click

from nonosat.cli import _deciding
from nonosat.generate.grades import LINE_LOGIC


@click.command("check")
@_deciding.arguments(fewest=2)
@click.option(
    "--why",
    is_flag=True,
    help="For an unsolvable puzzle, find the fewest clues that contradict each other.",
)
@click.option(
    "--grade-at-most",
    metavar="GRADE",
    type=click.IntRange(1, 8),
    help="Rate unique puzzles; exit status 7 if one has a higher grade (1 to 8, see `rate`).",
)
@click.option(
    "--logic-only",
    is_flag=True,
    help=f"As --grade-at-most {LINE_LOGIC}: nonograms that line logic solves, one line at a time.",
)
@click.pass_context
def command(
    ctx: click.Context, /, why: bool, grade_at_most: int | None, logic_only: bool, **params: object
) -> None:
    """Search for a second solution of every puzzle in FILE...

    The verdict is unique, multiple, unsolvable or unknown. For multiple, two solutions are
    compared; for a single puzzle the cells in which any two solutions differ are marked, as far as
    a short search finds them.

    With --why, an unsolvable puzzle is explained: the clues and given cells that contradict each
    other, and, for nonograms, the steps of the contradiction. A set of up to 8 is proved to be
    smallest, a larger one irreducible. The search uses the rest of the limits.

    With --grade-at-most or --logic-only, the difficulty of a unique nonogram or Slitherlink is
    computed within the rest of the limits, too: a gate for collections of puzzles.
    """
    if logic_only and grade_at_most is not None:
        raise click.UsageError("--logic-only is a grade as well; leave one of the two out")
    if logic_only:
        grade_at_most = LINE_LOGIC
    ctx.exit(_deciding.decide_all("check", params, with_why=why, grade_at_most=grade_at_most))
