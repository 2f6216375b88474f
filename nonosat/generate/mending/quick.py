"""Pictures mended at once: not with the fewest changes, and the same ones on every machine."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from nonosat.core.grid import Grid
from nonosat.core.limits import Watch
from nonosat.generate.mending.driving import Driver, Orbit, alone
from nonosat.generate.mending.flaws import doubts, in_line_logic, in_uniqueness
from nonosat.generate.mending.result import of_picture
from nonosat.puzzles.nonogram.data import Nonogram


def mended(
    puzzle: Nonogram,
    watch: Watch,
    *,
    logic_only: bool = False,
    eased: bool = False,
    kept: Collection[int] = (),
    orbit: Orbit = alone,
) -> Nonogram | None:
    """The puzzle of a mended picture; None where changes went round and round.

    Args:
        puzzle: Its goal is mended; given cells stay.
        watch: Ends it with LimitReached.
        logic_only: The clues are to be solved by line logic alone, too.
        eased: Take back what is not needed, which takes longer.
        kept: Cells that stay, too, row-major.
        orbit: Cells that change together with a cell.
    """
    assert puzzle.goal is not None
    find = in_line_logic if logic_only else in_uniqueness

    def wrong(picture: Grid) -> list[Sequence[int]]:
        watch.check()
        of = of_picture(puzzle, picture)
        return doubts(lambda budget: find(of, picture, watch, budget))

    stays = {row * puzzle.width + column for row, column, _ in puzzle.given}.union(kept)
    driver = Driver(puzzle.goal, len(puzzle.colours), wrong, stays, orbit, watch.check)
    found = driver.drive(puzzle.goal, len(puzzle.goal.cells) + 1)
    if found is None:
        return None
    *_, found = (found, *driver.eased(found)) if eased else (found,)
    return of_picture(puzzle, found)
