"""Check the steps of a Slitherlink's explanation by all its solutions.

Every mark has to hold in every solution, only new ones are reported, and the evidence of a step has
to be right: its clues are on the board, its known edges are known before it.
"""

from __future__ import annotations

from nonosat.core.grid import UNKNOWN
from nonosat.core.result import Verdict
from nonosat.explain import Explanation
from nonosat.explain.slitherlink.step import GRADES, RANK, Mark, Step
from nonosat.puzzles.slitherlink import Edges, Path, Slitherlink
from nonosat.testing.boards import slitherlink_solutions

Place = tuple[int, int, int, int]


def edges(puzzle: Slitherlink) -> dict[Place, int]:
    """Number of each edge, by place."""
    height, width = puzzle.height, puzzle.width
    across = [(r, c, r, c + 1) for r in range(height + 1) for c in range(width)]
    down = [(r, c, r + 1, c) for r in range(height) for c in range(width + 1)]
    return {place: at for at, place in enumerate([*across, *down])}


def assert_sound(
    puzzle: Slitherlink, known: dict[Place, int], step: Step, solutions: set[Path]
) -> None:
    """Check that a step holds in all solutions, is new, and uses only known edges."""
    number = edges(puzzle)
    assert step.settled
    assert RANK.keys() == GRADES.keys()
    for mark in step.settled:
        assert mark[:4] not in known, step
        assert mark[4] in (0, 1)
        for path in solutions:
            assert path.edges[number[mark[:4]]] == mark[4], (puzzle.rows(), step)
    cells, corners, lit = step.evidence
    assert all(0 <= r < puzzle.height and 0 <= c < puzzle.width for r, c in cells)
    assert all(0 <= r <= puzzle.height and 0 <= c <= puzzle.width for r, c in corners)
    if not step.assumed:
        assert all(place in known for place in lit), step
    assert step.sentence[0].isupper()
    assert step.sentence.endswith(".")


def learn(known: dict[Place, int], marks: tuple[Mark, ...]) -> None:
    """Apply marks."""
    known.update((mark[:4], mark[4]) for mark in marks)


def assert_explained(found: Explanation) -> None:
    """Check that every step is sound, and that they lead to the state, which has all certain
    places.
    """
    puzzle, known = found.puzzle, dict[Place, int]()
    solutions = slitherlink_solutions(puzzle)
    for step in found.steps:
        assert_sound(puzzle, known, step, solutions)
        learn(known, step.settled)
    number = edges(puzzle)
    values = bytearray([UNKNOWN]) * len(number)
    for place, value in known.items():
        values[number[place]] = value
    assert found.grid == Edges(puzzle.height, puzzle.width, bytes(values))
    assert found.verdict is _verdict(solutions)
    assert bool(found.reason) == (len(solutions) != 1)
    if found.verdict is Verdict.UNIQUE:
        assert {found.grid.path()} == solutions
    if found.verdict is Verdict.MULTIPLE:
        for at, value in enumerate(values):
            assert (value == UNKNOWN) == (len({path.edges[at] for path in solutions}) > 1)


def _verdict(solutions: set[Path]) -> Verdict:
    return (Verdict.UNSOLVABLE, Verdict.UNIQUE, Verdict.MULTIPLE)[min(len(solutions), 2)]
