"""Times of random triddlers: `python benchmarks/families/lanes.py > table.md`; see LANES.md.

Each cell of a hexagon is filled with a given probability, and `check` decides the clues. Times of
this first table are seconds of the processor. The second one has counts of the solutions, within a
limit. The numbers depend on the seed alone, except for the times.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from time import process_time

import nonosat
from nonosat.board.presolve import PresolvedModel
from nonosat.puzzles.lanes import LaneNonogram, build, from_grid, triddler

SIDES, DENSITIES, NUM_PUZZLES = (10, 15, 20), (0.4, 0.5, 0.6), 20
COUNTED_SIDES, COUNTED_DENSITIES, NUM_COUNTED = (5, 8, 10, 12, 15, 20), (0.2, 0.3, 0.4, 0.5), 4
LIMIT_S = 4


def drawn(rng: Random, side: int, density: float) -> LaneNonogram:
    """Return the clues of a random picture on a hexagon."""
    shape = triddler(side)
    cells = bytearray(shape.layout.height * shape.layout.width)
    for row, column in shape.layout.places:
        cells[row * shape.layout.width + column] = rng.random() < density
    grid = nonosat.Grid(shape.layout.height, shape.layout.width, bytes(cells))
    return from_grid(shape, grid)


def counts() -> None:
    rng = Random(2)
    print("| side | filled | counted exactly | longest | most solutions |")
    print("|---|---|---|---|---|")
    for side in COUNTED_SIDES:
        for density in COUNTED_DENSITIES:
            puzzles = [drawn(rng, side, density) for _ in range(NUM_COUNTED)]
            found = [nonosat.count(puzzle, time_limit_s=LIMIT_S) for puzzle in puzzles]
            exact = [each for each in found if each.is_exact]
            longest = f"{max(each.seconds for each in exact):.2f} s" if exact else "-"
            most = f"{max(each.count for each in exact):,}" if exact else "-"
            print(
                f"| {side} | {density} | {len(exact)} of {NUM_COUNTED} | {longest} | {most} |",
                flush=True,
            )


def main() -> None:
    rng = Random(1)
    print("| side | cells | filled | unique | propagation, longest | check, mean | longest |")
    print("|---|---|---|---|---|---|---|")
    for side in SIDES:
        for density in DENSITIES:
            propagation, whole, verdicts = [], [], Counter[str]()
            for _ in range(NUM_PUZZLES):
                puzzle = drawn(rng, side, density)
                board = PresolvedModel.of(build(puzzle)).any_board
                assert board is not None
                started = process_time()
                board.propagate()
                propagation.append(process_time() - started)
                started = process_time()
                verdicts[nonosat.check(puzzle, time_limit_s=60).verdict.value] += 1
                whole.append(process_time() - started)
            assert not verdicts["unknown"]
            mean = sum(whole) / NUM_PUZZLES
            print(
                f"| {side} | {6 * side * side} | {density} | {verdicts['unique']} of {NUM_PUZZLES} "
                f"| {1000 * max(propagation):.2f} ms | {1000 * mean:.0f} ms "
                f"| {1000 * max(whole):.0f} ms |"
            )
    print()
    counts()


if __name__ == "__main__":
    main()
