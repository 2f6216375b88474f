"""Queens with clues: the search `fewest-first`, and reasons for boards without solution.

The sentences are parsed and checked against the clues by pairs of squares alone.
"""

from __future__ import annotations

import random
import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import nonosat
from helpers.drawing import FUZZ, examples
from helpers.queens import attack, boards, enumerated
from nonosat import _core
from nonosat.core.errors import UnsupportedError
from nonosat.core.limits import LimitReached, Limits, Watch
from nonosat.puzzles import queens
from nonosat.puzzles.queens import Queens, Square
from test_queens import ended, watch

CLUES = "given queens and blocked squares"


def drawn(n: int, num_free: int, seed: int) -> Queens:
    """Board with so many squares that are not blocked."""
    squares = [*product(range(n), repeat=2)]
    return Queens(n, blocked=tuple(random.Random(seed).sample(squares, n * n - num_free)))


def is_free(puzzle: Queens, queens_: list[Square], square: Square) -> bool:
    return square not in puzzle.blocked and not any(
        attack(queen, square) for queen in queens_ if queen != square
    )


def free_in(puzzle: Queens, queens_: list[Square], kind: str, place: int) -> list[Square]:
    """Free squares of a row or a column after these queens are placed."""
    squares = (
        product([place], range(puzzle.n)) if kind == "row" else product(range(puzzle.n), [place])
    )
    return [square for square in squares if is_free(puzzle, queens_, square)]


def numbers(text: str) -> list[int]:
    """Numbers of "1, 3-5 and 7", from 0."""
    spans = [[*map(int, span.split("-"))] for span in re.findall(r"\d+-?\d*", text)]
    return [place - 1 for span in spans for place in range(span[0], span[-1] + 1)]


def hold_against(puzzle: Queens, told: str) -> str:
    """Check a reason; return its kind."""
    if not told:
        return "none"
    standing = [*puzzle.given]
    kind = "lines"
    if forced := re.search(r" force queens (.*), which leave", told):
        kind = "forced"
        for place in re.findall(r"in row (\d+), column (\d+)", forced[1]):
            square = (int(place[0]) - 1, int(place[1]) - 1)
            if "other squares" not in forced[1]:
                lines = [("row", square[0]), ("column", square[1])]
                assert [square] in [free_in(puzzle, standing, *line) for line in lines]
            standing.append(square)
    if "other squares" in told:
        return "many"
    if lost := re.search(r"leave no square of (row|column) (\d+)$", told):
        assert not free_in(puzzle, standing, lost[1], int(lost[2]) - 1)
        return kind
    crowd = re.search(r"leave (row|column)s? ([^c]*) only squares in (?:row|column)s? (.*)$", told)
    assert crowd
    lines, crossing = numbers(crowd[2]), {*numbers(crowd[3])}
    assert len(crossing) < len(lines)
    for line in lines:
        found = free_in(puzzle, standing, crowd[1], line)
        assert {square[crowd[1] == "row"] for square in found} <= crossing
    return "crowd"


@examples(90)
@given(puzzle=boards())
def test_reasons_for_boards_are_true(puzzle):
    if queens.obstacle(puzzle):
        return
    told = queens.breaks(puzzle, watch())
    if told:
        hold_against(puzzle, told)
        assert not enumerated(puzzle)


def crowded(n: int, seed: int) -> Queens:
    """Board on which some rows, or some columns, share fewer columns, or rows."""
    rng = random.Random(seed)
    num_lines = rng.randint(3, 5)
    lines, open_ = rng.sample(range(n), num_lines), rng.sample(range(n), num_lines - 1)
    blocked = [*product(lines, {*range(n)} - {*open_})]
    return Queens(n, blocked=tuple(square[:: 1 if seed % 2 else -1] for square in blocked))


def test_every_kind_of_reason_is_given():
    puzzles = [drawn(8, *each) for each in product(range(24, 40, 2), range(25))]
    puzzles += [crowded(9, seed) for seed in range(20)]
    kinds = {hold_against(puzzle, queens.breaks(puzzle, watch())) for puzzle in puzzles}
    assert kinds == {"none", "lines", "forced", "many", "crowd"}


@pytest.mark.parametrize(
    ("puzzle", "reason"),
    [
        (
            Queens(5, ((0, 0),), ((1, 2), (1, 3))),
            f"{CLUES} force queens in row 2, column 5 and in row 3, column 2, "
            "which leave no square of row 4",
        ),
        (
            Queens(6, (), tuple(product((0, 2, 5), (0, 2, 3, 5)))),
            f"{CLUES} leave rows 1, 3 and 6 only squares in columns 2 and 5",
        ),
        (
            Queens(6, (), tuple(product((0, 2, 3, 5), (0, 2, 5)))),
            f"{CLUES} leave columns 1, 3 and 6 only squares in rows 2 and 5",
        ),
        (Queens(6, ((0, 0),)), ""),
        (Queens(8), ""),
        (Queens(0), ""),
    ],
)
def test_reasons(puzzle, reason):
    assert queens.breaks(puzzle, watch()) == reason
    if reason:
        assert nonosat.solve(puzzle).reason == reason


@examples(45)
@given(puzzle=boards(), seed=st.integers(0, 2**70))
def test_the_search_agrees_with_enumeration(puzzle, seed):
    every = enumerated(puzzle)
    found, ending = ended(queens.METHODS["fewest-first"](puzzle, watch(), seed))
    assert {*found} <= {*every}
    assert len({*found}) == len(found)
    assert bool(found) == bool(every)
    assert ending.exhausted == (not every)


@pytest.mark.parametrize("seed", range(3 * FUZZ))
@pytest.mark.parametrize(("n", "num_free"), [(24, 170), (26, 180), (30, 240)])
def test_hard_boards_end_as_by_another_search(n, num_free, seed):
    puzzle = drawn(n, num_free, seed)
    verdict = nonosat.solve(puzzle, backend="learn").verdict
    found = nonosat.solve(puzzle, backend="fewest-first", seed=seed).verdict
    assert found in (verdict, nonosat.Verdict.UNKNOWN)
    assert nonosat.solve(puzzle, seed=seed).verdict is verdict


@pytest.mark.slow
def test_boards_of_two_hundred_queens_are_completed():
    whole = nonosat.solve(drawn(200, 20_000, 0)).solution
    for share, num_free in ((5, 20_000), (20, 8_000), (50, 12_000), (150, 20_000)):
        blocked = {*drawn(200, num_free, share).blocked} - {*enumerate(whole.columns)}
        given_ = random.Random(share).sample([*enumerate(whole.columns)], share)
        result = nonosat.solve(Queens(200, tuple(given_), tuple(blocked)))
        assert result.verdict is nonosat.Verdict.SOLVED
        assert result.backend == "fewest-first"


def test_the_search_gives_up():
    puzzle = drawn(30, 220, 3)
    search = _core.QueensCompletion(6, bytes([1] * 36), 1)
    assert search.next(0) is _core.Completed.BUDGET
    assert search.next(5) is not _core.Completed.EXHAUSTED
    assert search.num_placed <= 5
    assert sorted(search.columns) != [*range(6)] or search.next(100) is _core.Completed.SOLUTION
    assert search.next(10**6) is _core.Completed.SOLUTION
    assert queens.refutation(Queens(6), queens.Placement(tuple(search.columns))) is None
    with pytest.raises(LimitReached):
        ended(queens.METHODS["fewest-first"](puzzle, Watch(Limits(time_s=0)), 1))


def test_boards_that_the_search_cannot_take_are_refused():
    with pytest.raises(UnsupportedError, match="up to 2000 queens, found 2001"):
        nonosat.solve(Queens(2001, ((0, 0),)), backend="fewest-first")
    for size, squares in ((-1, b""), (2001, b""), (3, bytes(8))):
        with pytest.raises(ValueError, match="a byte for each square"):
            _core.QueensCompletion(size, squares, 0)
