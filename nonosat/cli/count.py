"""`nonosat count`: how many solutions puzzles have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from nonosat.cli import EPILOG, UNKNOWN
from nonosat.cli._limits import of_each_puzzle

if TYPE_CHECKING:
    from nonosat.cli._each import Shown
    from nonosat.cli._sources import Item
    from nonosat.counting import CountResult

UNSOLVABLE = 4
LONG = 30  # digits from which on a number is also given roughly


@click.command("count", short_help="Count the solutions of puzzles.", epilog=EPILOG)
@of_each_puzzle
@click.pass_context
def command(
    ctx: click.Context,
    files: tuple[str, ...],
    format_: str | None,
    time_limit_s: float | None,
    memory_limit_mib: int | None,
    as_json: bool,
) -> None:
    """Count the solutions of every puzzle in FILE..., exactly and however many there are.

    Where a limit is hit before that, "at least N" is a lower bound, and the status is 5; it is 0
    for an exact number of at least 1, and 4 where there is no solution.
    """
    from nonosat.cli._each import each
    from nonosat.counting import count

    def show(item: Item) -> Shown:
        found = count(item.puzzle, time_limit_s=time_limit_s, memory_limit_mib=memory_limit_mib)
        status = UNKNOWN if not found.is_exact else 0 if found.count else UNSOLVABLE
        return status, _record(item, found) if as_json else _text(item, found)

    ctx.exit(each(files, format_, as_json, show))


def _text(item: Item, found: CountResult) -> str:
    from nonosat.cli._output import heading
    from nonosat.counting import digits, solutions_text

    text = solutions_text(found.count, found.is_exact)
    notes = [found.reason] if found.reason else []
    number = digits(found.count)
    if len(number) > LONG:
        notes.insert(0, f"about {number[0]}.{number[1:3]}e{len(number) - 1}")
    told = f" ({'; '.join(notes)})" if notes else ""
    return f"{heading(item)}: {text}{told}, {found.seconds:.3f} s"


def _record(item: Item, found: CountResult) -> dict[str, Any]:
    """A count as JSON data; the number is a string, because few readers keep long ones."""
    from nonosat.counting import digits
    from nonosat.deciding import stage_data
    from nonosat.versions import versions

    data: dict[str, Any] = {
        "id": item.puzzle.about.id,
        "file": item.file,
        "count": digits(found.count),
        "exact": found.is_exact,
        "seconds": round(found.seconds, 6),
        "stages": [stage_data(stage) for stage in found.stages],
        "options": {
            "time_limit_s": found.limits.time_s,
            "memory_limit_mib": found.limits.memory_mib,
        },
        "versions": versions(),
    }
    return data | ({"reason": found.reason} if found.reason else {})
