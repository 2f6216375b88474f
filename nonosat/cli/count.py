"""`nonosat count`: how many solutions puzzles have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from nonosat.cli import EPILOG
from nonosat.cli._deciding import STATUS
from nonosat.cli._options import of_each_puzzle, within

if TYPE_CHECKING:
    from nonosat.cli._sources import Item
    from nonosat.questions.counting import CountResult

LONG = 30  # digits from which on a number is also given roughly


@click.command("count", short_help="Count the solutions of puzzles.", epilog=EPILOG)
@of_each_puzzle
@click.pass_context
def command(ctx: click.Context, /, **asked: Any) -> None:
    """Count the solutions of every puzzle in FILE..., exactly and however many there are.

    Where a limit is hit before that, "at least N" is a lower bound, and the status is 5; it is 0
    for an exact number of at least 1, and 4 where there is no solution.
    """
    from nonosat.cli._each import Question, each
    from nonosat.questions.counting import count

    def ask(item: Item) -> CountResult:
        return count(item.puzzle, **within(asked))

    ctx.exit(each(Question(ask, status_of, _text, _data), asked))


def status_of(found: CountResult) -> int:
    """The exit status that a count means."""
    return STATUS["unknown"] if not found.is_exact else 0 if found.count else STATUS["unsolvable"]


def _text(item: Item, found: CountResult) -> str:
    from nonosat.cli._output import heading
    from nonosat.questions.counting import digits, solutions_text

    text = solutions_text(found.count, found.is_exact)
    notes = [found.reason] if found.reason else []
    number = digits(found.count)
    if len(number) > LONG:
        notes.insert(0, f"about {number[0]}.{number[1:3]}e{len(number) - 1}")
    told = f" ({'; '.join(notes)})" if notes else ""
    return f"{heading(item)}: {text}{told}, {found.seconds:.3f} s"


def _data(_: Item, found: CountResult) -> dict[str, Any]:
    """A count as JSON data; the number is a string, because few readers keep long ones."""
    from nonosat.cli._each import work_data
    from nonosat.questions.counting import digits

    return {"count": digits(found.count), "exact": found.is_exact, **work_data(found)}
