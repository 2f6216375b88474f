"""`nonosat count`: number of solutions of puzzles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from nonosat.cli import _jobs
from nonosat.cli._deciding import STATUS
from nonosat.cli._each import Question, each
from nonosat.cli._given import given_option
from nonosat.cli._options import limits_of, of_each_puzzle
from nonosat.cli._output import heading
from nonosat.questions.counting import count, digits

if TYPE_CHECKING:
    from nonosat.cli._sources import PuzzleItem
    from nonosat.questions.counting import CountResult

LONG = 30  # digits from which on a number is also given approximately


@click.command("count")
@of_each_puzzle
@given_option
@click.option(
    "--up-to-symmetry",
    is_flag=True,
    help="Count also the classes of solutions that turns and reflections map to each other "
    "(queens).",
)
@click.option(
    "--backend",
    metavar="NAME",
    default="auto",
    show_default=True,
    help="Model counter; `nonosat list counters` shows those of other packages.",
)
@_jobs.threads
@click.pass_context
def command(ctx: click.Context, /, **params: Any) -> None:
    """Count the solutions of every puzzle in FILE..., exactly, even for huge numbers.

    If a limit is reached first, "at least N" is a lower bound, and the status is 5; it is 0 for an
    exact number of at least 1, and 4 if there is no solution.
    """
    jobs = _jobs.num_threads(params)

    def query(item: PuzzleItem) -> CountResult:
        limits = limits_of(params, item.read_s)
        chosen = {name: params[name] for name in ("up_to_symmetry", "backend")}
        return count(item.puzzle, **limits, jobs=jobs, **chosen)

    ctx.exit(each(Question(query, status_of, _text), params))


def status_of(reply: CountResult) -> int:
    """Return the exit status of a count."""
    return STATUS["unknown"] if not reply.is_exact else 0 if reply.count else STATUS["unsolvable"]


def _text(item: PuzzleItem, reply: CountResult) -> str:
    text = reply.description()
    notes = [reply.reason] if reply.reason else []
    number = digits(reply.count)
    if len(number) > LONG:
        notes.insert(0, f"about {number[0]}.{number[1:3]}e{len(number) - 1}")
    sentence = f" ({'; '.join(notes)})" if notes else ""
    return f"{heading(item)}: {text}{sentence}, {reply.seconds:.3f} s"
