"""Family queens: data, rules, construction, native backtracking and counting.

Oracle: the solutions of a board as permutations, by a test of each pair of queens.
"""

from __future__ import annotations

import pickle
import random
import re
from collections.abc import Generator

import pytest
from hypothesis import given
from hypothesis import strategies as st

import nonosat
from helpers.clocks import interrupt
from helpers.drawing import FUZZ, examples
from helpers.processes import interruptible
from helpers.queens import boards, enumerated, is_solution
from nonosat import _core
from nonosat.core.errors import LimitReached, PuzzleError, UnsupportedError
from nonosat.core.limits import Limits, Watch
from nonosat.core.plugins import Ending
from nonosat.puzzles import queens
from nonosat.puzzles.queens import Placement, Queens, methods
from nonosat.puzzles.queens.construction import columns
from nonosat.puzzles.queens.reasons import free_squares

COUNTS = [1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596]  # OEIS A000170
# NONOSAT_FUZZ=2 python -m pytest tests/test_queens.py counts them all, in 10 s
LARGE = [(15, 2_279_184), (16, 14_772_512), (17, 95_815_104), (18, 666_090_624)]
# Empty, mirrored with an even and an odd side, with the middle given, neither, no choice, no
# square.
PARTED = [
    *(Queens(n) for n in (1, 2, 3, 6, 7)),
    Queens(6, blocked=((2, 0), (2, 5))),
    Queens(7, ((0, 3),)),
    Queens(7, ((0, 1),), ((3, 3),)),
    Queens(4, ((0, 1), (1, 3), (2, 0), (3, 2))),
    Queens(4, blocked=tuple((1, column) for column in range(4))),
]


def watch() -> Watch:
    return Watch(Limits())


def ended(method: Generator[Placement, None, Ending]) -> tuple[list[Placement], Ending]:
    """Return all solutions of a method, and how it ended."""
    found = []
    while True:
        try:
            found.append(next(method))
        except StopIteration as end:
            return found, end.value


def backtracked(puzzle: Queens) -> list[Placement]:
    found, ending = ended(queens.backtracking(puzzle, watch()))
    assert ending.exhausted
    return found


# Data


def test_a_board_is_frozen_canonical_and_can_be_pickled():
    puzzle = Queens(4, given=((3, 2), (0, 1)), blocked=((1, 1),))
    assert puzzle.given == ((0, 1), (3, 2))
    assert puzzle == Queens(4, given=((0, 1), (3, 2)), blocked=((1, 1),))
    assert pickle.loads(pickle.dumps(puzzle)) == puzzle
    assert hash(puzzle) == hash(Queens(4, ((0, 1), (3, 2)), ((1, 1),)))
    assert puzzle.about_with(title="Four").about.title == "Four"
    assert str(puzzle.about_with(title="Four")) == "Four: 4 queens"
    assert (Queens(1).size, Queens(0).size) == ("1 queen", "0 queens")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"n": -1}, "-1 queens, expected 0 to 1000000"),
        ({"n": 10**7}, "expected 0 to 1000000"),
        ({"n": True}, "True queens"),
        ({"n": 8.0}, "8.0 queens"),
        ({"n": "8"}, "'8' queens"),
        ({"n": None}, "None queens"),
        (
            {"n": 4, "given": ((4, 0),)},
            "given square in row 5, column 1 is off the board of 4 x 4 squares",
        ),
        ({"n": 4, "blocked": ((0, -1),)}, "blocked square in row 1, column 0 is off the board"),
        ({"n": 4, "given": ((1, 2), (1, 2))}, "given square in row 2, column 3 is named twice"),
        ({"n": 4, "given": ((1, 2, 3),)}, r"\(1, 2, 3\), expected \(row, column\)"),
        ({"n": 4, "given": (("1", 2),)}, r"expected \(row, column\)"),
        ({"n": 4, "given": (7,)}, r"expected \(row, column\)"),
        ({"n": 4, "given": 7}, r"given is 7, expected a list"),
        ({"n": 4, "blocked": "0 1"}, r"blocked is '0 1', expected a list"),
        ({"n": 0, "given": ((0, 0),)}, "off the board of 0 x 0"),
    ],
)
def test_invalid_boards_are_refused(fields, message):
    with pytest.raises(PuzzleError, match=message):
        Queens(**fields)
    with pytest.raises(PuzzleError, match=message):
        queens.from_data(fields)


@given(puzzle=boards())
def test_data_come_back(puzzle):
    data = queens.to_data(puzzle)
    assert queens.from_data({**data, "something": "else"}) == puzzle
    assert queens.to_data(queens.from_data(data)) == data


def test_a_placement_is_shown_as_the_document_shows_it():
    """Later placements do not change it: the document's print_board prints a global list instead of
    its argument.
    """
    shown, other = Placement((0, 4, 7, 5, 2, 6, 1, 3)), Placement((1, 3, 0, 2))
    assert queens.solution_data(Queens(8), shown) == [0, 4, 7, 5, 2, 6, 1, 3]
    assert other.lines() == [".Q..", "...Q", "Q...", "..Q."]
    assert shown.lines()[:2] == ["Q.......", "....Q..."]
    assert str(other) == ".Q..\n...Q\nQ...\n..Q."
    assert other.differences(Placement((1, 3, 2, 0))) == [(2, 0), (2, 2), (3, 0), (3, 2)]
    assert other.differences(other) == []


# Rules


@pytest.mark.parametrize(
    ("puzzle", "placed", "reason"),
    [
        (Queens(4), (1, 3, 0), "the placement has 3 rows, the board has 4"),
        (Queens(4), (1, 3, -1, 2), "row 3 has no queen"),
        (Queens(4), (1, 3, 4, 2), "row 3 has no queen"),
        (Queens(4), (1, 3, 1, 2), "queens in row 1, column 2 and in row 3, column 2 attack"),
        (Queens(4), (0, 2, 1, 3), "queens in row 2, column 3 and in row 3, column 2 attack"),
        (Queens(4), (0, 3, 1, 2), "queens in row 3, column 2 and in row 4, column 3 attack"),
        (Queens(4, given=((0, 2),)), (1, 3, 0, 2), "given queen in row 1, column 3 is missing"),
        (Queens(4, blocked=((3, 2),)), (1, 3, 0, 2), "on the blocked square in row 4, column 3"),
    ],
)
def test_the_verifier_names_mistakes(puzzle, placed, reason):
    found = queens.refutation(puzzle, Placement(placed))
    assert found is not None
    assert re.search(reason, found)


@given(puzzle=boards(5), data=st.data())
def test_the_verifier_knows_solutions(puzzle, data):
    placed = data.draw(st.permutations(range(puzzle.n)) | st.just([0] * puzzle.n))
    found = queens.refutation(puzzle, Placement(tuple(placed)))
    assert (found is None) == is_solution(puzzle, tuple(placed))


BOTH = "the given queens in {} and in {} attack each other"


@pytest.mark.parametrize(
    ("puzzle", "reason"),
    [
        (Queens(2), "2 queens on 2 x 2 squares always attack each other"),
        (Queens(3), "3 queens on 3 x 3 squares always attack each other"),
        (Queens(4, ((0, 0), (0, 1))), BOTH.format("row 1, column 1", "row 1, column 2")),
        (Queens(8, ((0, 0), (1, 0))), BOTH.format("row 1, column 1", "row 2, column 1")),
        (Queens(5, ((0, 3), (3, 0))), BOTH.format("row 1, column 4", "row 4, column 1")),
        (
            Queens(4, ((0, 1),), ((0, 1),)),
            "the given queen in row 1, column 2 is on a blocked square",
        ),
        (Queens(4, (), tuple((i, 2) for i in range(4))), "every square of column 3 is blocked"),
        (Queens(1, (), ((0, 0),)), "every square of row 1 is blocked"),
        (Queens(0), None),
        (Queens(1), None),
        (Queens(4), None),
        (Queens(6, ((0, 0),)), None),
    ],
)
def test_obvious_obstacles(puzzle, reason):
    assert queens.obstacle(puzzle) == reason


@given(puzzle=boards())
def test_obvious_obstacles_are_true(puzzle):
    if queens.obstacle(puzzle):
        assert not enumerated(puzzle)


# Construction


def test_the_construction_is_right_for_every_size():
    sizes = [0, 1, *range(4, 300), *range(300, 3000, 37), 100_000]
    for n in sizes:
        placed = columns(n)
        assert sorted(placed) == list(range(n))
        assert len({column - row for row, column in enumerate(placed)}) == n
        assert len({column + row for row, column in enumerate(placed)}) == n


@pytest.mark.parametrize(
    ("puzzle", "found", "is_exhausted"),
    [
        (Queens(0), [()], True),
        (Queens(1), [(0,)], True),
        (Queens(2), [], True),
        (Queens(3), [], True),
        (Queens(4), [(1, 3, 0, 2), (2, 0, 3, 1)], True),
        (Queens(4, given=((0, 1),)), [], False),
        (Queens(4, blocked=((0, 1),)), [], False),
    ],
)
def test_the_construction_reports_its_limits(puzzle, found, is_exhausted):
    placements, ending = ended(queens.construction(puzzle, watch()))
    assert placements == [Placement(placed) for placed in found]
    assert ending.exhausted == is_exhausted


@pytest.mark.parametrize("n", [5, 6, 7, 8, 9, 10, 11, 12, 26, 27, 1000])
def test_images_of_the_construction_are_different_solutions(n):
    found, ending = ended(queens.construction(Queens(n), watch()))
    assert len({*found}) == len(found)
    assert len(found) in (4, 8)
    assert all(queens.refutation(Queens(n), placement) is None for placement in found)
    assert not ending.exhausted


# Native backtracking and counting


@pytest.mark.parametrize(("n", "count"), [*enumerate(COUNTS)])
def test_counts(n, count):
    assert queens.count(Queens(n), watch()) == (count, True)
    if n <= 10:
        found = backtracked(Queens(n))
        assert len(found) == count
        assert found == sorted(found, key=lambda placement: placement.columns)
    if n <= 7:
        assert found == enumerated(Queens(n))


@pytest.mark.parametrize("puzzle", PARTED, ids=str)
def test_parts_sum_up_to_the_count(puzzle):
    whole = _core.QueensCount(free_squares(puzzle))
    parts = [_core.QueensCount(free_squares(puzzle), at) for at in range(whole.num_parts)]
    assert whole.run()
    assert all(part.run() for part in parts)
    assert sum(part.total for part in parts) == whole.total == len(backtracked(puzzle))
    with pytest.raises(ValueError, match="no such part"):
        _core.QueensCount(free_squares(puzzle), whole.num_parts)


@pytest.mark.parametrize("jobs", [2, 3])
@pytest.mark.parametrize("clues", [{}, {"given": ((0, 3),)}, {"blocked": ((5, 5),)}], ids=str)
def test_threads_count_the_same(jobs, clues):
    puzzle = Queens(13, **clues)
    assert queens.count(puzzle, watch(), jobs) == queens.count(puzzle, watch(), 1)


@pytest.mark.parametrize(("n", "count"), LARGE if FUZZ > 1 else LARGE[:1])
def test_large_counts(n, count):
    assert queens.count(Queens(n), watch()) == (count, True)


@examples(45)
@given(puzzle=boards())
def test_backtracking_and_counting_agree_with_enumeration(puzzle):
    every = enumerated(puzzle)
    assert backtracked(puzzle) == every
    assert queens.count(puzzle, watch()) == (len(every), True)


@pytest.mark.parametrize("n", [6, 7, 8, 9])
@pytest.mark.parametrize("seed", range(4 * FUZZ))
def test_counting_on_boards_that_equal_their_mirror_image(n, seed):
    rng = random.Random(seed)
    half = [(rng.randrange(n), rng.randrange(n)) for _ in range(rng.randint(1, n))]
    blocked = {*half, *((row, n - 1 - column) for row, column in half)}
    puzzle = Queens(n, blocked=tuple(blocked))
    assert queens.count(puzzle, watch()) == (len(backtracked(puzzle)), True)


# Counting up to symmetry

CLASSES = [1, 1, 0, 0, 1, 2, 1, 6, 12, 46, 92, 341, 1787]  # OEIS A002562


def num_orbits(puzzle: Queens, placements: list[Placement]) -> int:
    """Number of sets of placements that turns and reflections of the square map to each other."""
    last = puzzle.n - 1

    def key(placement: Placement) -> tuple[tuple[int, int], ...]:
        squares, images = list(enumerate(placement.columns)), []
        for _ in range(4):
            squares = [(column, last - row) for row, column in squares]
            images += [sorted(squares), sorted((row, last - column) for row, column in squares)]
        return tuple(min(images))

    return len({key(placement) for placement in placements})


@pytest.mark.parametrize(("n", "classes"), [*enumerate(CLASSES)])
def test_classes_of_empty_boards(n, classes):
    found = nonosat.count(Queens(n), up_to_symmetry=True)
    assert (found.count, found.up_to_symmetry, found.is_exact) == (COUNTS[n], classes, True)
    assert nonosat.CountResult.from_data(found.to_data()).up_to_symmetry == classes
    assert nonosat.count(Queens(n)).up_to_symmetry is None


@examples(45)
@given(puzzle=boards())
def test_classes_agree_with_enumeration(puzzle):
    every = enumerated(puzzle)
    expected = num_orbits(puzzle, every)
    found = nonosat.count(puzzle, up_to_symmetry=True)
    assert (found.count, found.up_to_symmetry, found.is_exact) == (len(every), expected, True)
    assert sum(queens.PLUGIN.symmetry.is_first(puzzle, each) for each in every) == expected


@pytest.mark.parametrize("n", [5, 8, 9, 10])
@pytest.mark.parametrize("seed", range(4 * FUZZ))
def test_classes_of_boards_with_symmetric_holes(n, seed):
    rng = random.Random(seed)
    squares = {(rng.randrange(n), rng.randrange(n)) for _ in range(rng.randint(1, 2))}
    for _ in range(4):
        squares |= {(column, row) for row, column in squares}
        squares |= {(row, n - 1 - column) for row, column in squares}
    puzzle = Queens(n, blocked=tuple(sorted(squares)))
    every = backtracked(puzzle)
    found = nonosat.count(puzzle, up_to_symmetry=True)
    assert (found.count, found.up_to_symmetry) == (len(every), num_orbits(puzzle, every))


@pytest.mark.parametrize("clues", [{}, {"blocked": ((0, 1),)}], ids=str)
def test_boards_too_hard_for_backtracking_are_counted_one_by_one(monkeypatch, clues):
    puzzle = Queens(7, **clues)
    expected = nonosat.count(puzzle, up_to_symmetry=True)
    monkeypatch.setattr(methods, "SLICES", 0)
    found = nonosat.count(puzzle, up_to_symmetry=True)
    assert found == expected
    assert [stage.name for stage in found.stages] == ["enumerate"]


class Ended(Watch):
    """Watch that ends the work at a given poll."""

    def __init__(self, num_looks: int) -> None:
        super().__init__(Limits())
        self.num_looks = num_looks

    def poll(self) -> bool:
        self.num_looks -= 1
        return self.num_looks < 0

    def check(self) -> None:
        if self.poll():
            raise LimitReached("the end")


@pytest.mark.parametrize("clues", [{}, {"blocked": ((0, 1),)}], ids=str)
def test_an_interrupted_count_of_classes_is_a_lower_bound(monkeypatch, clues):
    """The count is ended at each of its polls in turn: in both of its searches."""
    puzzle = Queens(9, **clues)
    monkeypatch.setattr(methods, "STEPS", 500)
    monkeypatch.setattr(methods, "POLL_EVERY", 5)
    count, classes, _ = methods.count_classes(puzzle, watch())
    bounds = []
    for num_looks in range(1, 1000):
        found = methods.count_classes(puzzle, Ended(num_looks))
        assert found is not None
        bounds.append(found)
        if found[2]:
            break
    assert bounds[-1] == (count, classes, True)
    assert len(bounds) > 3
    assert all(least <= count and some <= classes for least, some, _ in bounds)
    assert any(some for _, some, is_exact in bounds if not is_exact)


def test_a_limit_ends_the_count_of_classes():
    for puzzle in (Queens(26), Queens(26, blocked=((0, 1),))):
        found = nonosat.count(puzzle, up_to_symmetry=True, time_limit_s=1e-9)
        assert not found.is_exact
        assert "time limit" in found.reason


def test_other_families_are_not_counted_up_to_symmetry():
    message = (
        "for the family queens; this puzzle is of the family slitherlink; leave up_to_symmetry out"
    )
    with pytest.raises(UnsupportedError, match=message):
        nonosat.count(nonosat.slitherlink(["..."] * 3), up_to_symmetry=True)


def test_large_boards_are_searched_if_little_is_open():
    for n in (31, 32, 33, 63, 64):
        placed = columns(n)
        given_ = tuple(enumerate(placed))[: n - 10]
        puzzle = Queens(n, given_)
        found = backtracked(puzzle)
        assert Placement(tuple(placed)) in found
        assert all(queens.refutation(puzzle, placement) is None for placement in found)
        assert queens.count(puzzle, watch()) == (len(found), True)


def test_more_than_a_word_of_queens_are_refused():
    with pytest.raises(UnsupportedError, match="up to 64 queens, found 65; use"):
        backtracked(Queens(65))
    assert queens.count(Queens(65), watch()) is None


def test_a_board_too_hard_for_backtracking_is_counted_by_its_model(monkeypatch):
    puzzle = Queens(33)  # its first placement in order takes some seconds
    assert queens.count(puzzle, watch()) is None
    monkeypatch.setattr(methods, "SLICES", 0)
    assert queens.count(Queens(8), watch()) is None
    found = nonosat.count(Queens(8))
    assert (found.count, found.is_exact) == (92, True)
    assert found.stages[-1].detail["nodes"] > 0


@pytest.mark.parametrize("rows", [[1] * 65, [4, 1], [2**63]])
def test_native_code_refuses_boards_beyond_its_bits(rows):
    for made in (_core.QueensCount, _core.QueensSearch):
        with pytest.raises(ValueError, match=r"64 queens|off the board"):
            made(rows)


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("n", [20, 40, 64])
def test_a_limit_ends_counting_with_a_lower_bound(clock, n, jobs):
    clock.step_s = 0.01
    least, is_exact = queens.count(Queens(n), Watch(Limits(time_s=0.1)), jobs)
    assert not is_exact
    assert least <= 39029188884  # of 20 queens; more queens have more


def test_enumeration_resumes():
    search = _core.QueensSearch([255] * 8)
    found: list[bytes] = []
    while not search.is_exhausted:
        found += search.next(5, 100)
    assert [Placement(tuple(each)) for each in found] == backtracked(Queens(8))
    assert search.next(5, 100) == []
    assert search.num_nodes > 2057


@pytest.mark.parametrize(
    "work",
    [
        lambda watch: queens.count(Queens(28), watch),
        lambda watch: list(queens.backtracking(Queens(50), watch)),
    ],
    ids=["counting", "backtracking"],
)
def test_an_interrupt_ends_native_work(clock, work):
    """Ctrl-C during work that would not end."""
    with interruptible(), clock.then(interrupt), pytest.raises(KeyboardInterrupt):
        work(Watch(Limits(time_s=60)))
