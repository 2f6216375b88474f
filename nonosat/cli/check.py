"""`nonosat check`: decide if each puzzle has exactly one solution."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from nonosat.cli import _deciding
from nonosat.cli._each import Question, each
from nonosat.cli._options import LIMITS, is_given, limits_of
from nonosat.cli._output import heading
from nonosat.cli._sources import PuzzleItem
from nonosat.core.limits import watch_of
from nonosat.core.scope import within
from nonosat.core.wording import sentence
from nonosat.generate.grades import LINE_LOGIC

if TYPE_CHECKING:
    from nonosat.questions.partial import BrokenClue

WRONG_MARKS = 1
_OF_PARTIAL = frozenset(("partial", "format_", "family", "as_json", "quiet", *LIMITS, "files"))


def _partial(ctx: click.Context, params: Mapping[str, Any]) -> int:
    """Show the first clue that marks break; return the exit status."""
    from nonosat.questions.partial import first_broken  # other checks start faster without it

    for param in ctx.command.params:
        if param.name not in _OF_PARTIAL and is_given(ctx, param.name):
            raise click.UsageError(f"--partial decides nothing; leave {param.opts[-1]} out")

    def query(item: PuzzleItem) -> BrokenClue | None:
        watch = watch_of(**limits_of(params, item.read_s))
        return within(watch, lambda: first_broken(item.puzzle))

    def text(item: PuzzleItem, broken: BrokenClue | None) -> str:
        return f"{heading(item)}: {_sentence(broken)}"

    def data(item: PuzzleItem, broken: BrokenClue | None) -> dict[str, Any]:
        found = None if broken is None else {**broken.place, "name": broken.name}
        return {**item.data, "broken": found, "sentence": sentence(_sentence(broken))}

    status = {True: WRONG_MARKS, False: 0}
    return each(Question(query, lambda broken: status[broken is not None], text, data), params)


def _sentence(broken: BrokenClue | None) -> str:
    if broken is None:
        return "no clue is broken by itself"
    return f"{broken.name} cannot be satisfied with these marks"


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
@click.option(
    "--partial",
    metavar="MARKS",
    help="Decide nothing: show the first clue that marks break, in a file as for --given.",
)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    why: bool,
    grade_at_most: int | None,
    logic_only: bool,
    partial: str | None,
    **params: Any,
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

    With --partial each clue of a nonogram (also with open clues) or Slitherlink is compared with
    the marks alone, for checkers of single steps: the status is 1 if one is broken, else 0. No
    broken clue does not mean that a solution agrees with the marks; `hint --given` decides it.
    """
    if partial is not None:
        ctx.exit(_partial(ctx, {**params, "given": partial, "partial": partial}))
    if logic_only and grade_at_most is not None:
        raise click.UsageError("--logic-only is a grade as well; leave one of the two out")
    if logic_only:
        grade_at_most = LINE_LOGIC
    ctx.exit(_deciding.decide_all("check", params, with_why=why, grade_at_most=grade_at_most))
