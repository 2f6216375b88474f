"""Fast repair of pictures: not with the fewest changes, but equal on every machine."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from nonosat.core.grid import Grid
from nonosat.core.limits import Watch
from nonosat.generate.mending.driving import LocalSearch, Orbit, alone
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
    """Return the puzzle of a repaired picture; None if the changes ran into a cycle.

    Args:
        puzzle: Puzzle whose goal is repaired; given cells stay.
        watch: Ends the search with LimitReached.
        logic_only: Require that line logic alone solves the clues.
        eased: Revert changes that are not needed, which takes longer.
        kept: Further cells that stay unchanged, row-major.
        orbit: Function that returns the cells that change together with a cell.
    """
    assert puzzle.goal is not None
    find = in_line_logic if logic_only else in_uniqueness

    def wrong(picture: Grid) -> list[Sequence[int]]:
        watch.check()
        of = of_picture(puzzle, picture)
        return doubts(lambda budget: find(of, picture, watch, budget))

    stays = {row * puzzle.width + column for row, column, _ in puzzle.given}.union(kept)
    driver = LocalSearch(puzzle.goal, len(puzzle.colours), wrong, stays, orbit, watch.check)
    found = driver.drive(puzzle.goal, len(puzzle.goal.cells) + 1)
    if found is None:
        return None
    *_, found = (found, *driver.eased(found)) if eased else (found,)
    return of_picture(puzzle, found)
