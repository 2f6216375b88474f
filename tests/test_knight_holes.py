"""Boards with holes: reasons for the absence of a tour, and attempts without an obvious reason."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import product

import pytest

import nonosat
from helpers.refutations import holds
from nonosat import _core
from nonosat.core.result import Stage, Verdict
from nonosat.puzzles import knight
from nonosat.puzzles.knight import PLUGIN, Knight, methods
from nonosat.puzzles.knight.counting import EdgeShortage
from nonosat.puzzles.knight.graph import Squares
from nonosat.puzzles.knight.parts import board_of
from nonosat.puzzles.knight.refuting import DeadEnd, TooManyParts, refutation_of
from nonosat.puzzles.knight.theorems import _description, obstacle
from nonosat.solving.solve_log import SolveLog

# Every set of squares of a small board


class Subsets:
    """For each set of squares of a board, one bit each: the ends of paths through all of them.

    Computed by the length of the paths, for all sets at once; no search.
    """

    def __init__(self, rows: int, columns: int) -> None:
        self.columns = columns
        self.size = rows * columns
        places = range(self.size)
        self.near = [
            sum(
                1 << other
                for other in places
                if abs(one // columns - other // columns) * abs(one % columns - other % columns)
                == 2
            )
            for one in places
        ]

    def ends(self, starts: Collection[int], *, from_lowest: bool = False) -> list[int]:
        """By set, the ends of its paths from these squares, or from its lowest square."""
        found = [0] * (1 << self.size)
        for start in starts:
            found[1 << start] = 1 << start
        for chosen in range(1, 1 << self.size):
            lowest = chosen & -chosen
            for end in self.bits(found[chosen]):
                for to in self.bits(self.near[end] & ~chosen):
                    if not from_lowest or 1 << to > lowest:
                        found[chosen | 1 << to] |= 1 << to
        return found

    def rings(self) -> list[bool]:
        """By set, True if it has a closed tour."""
        ends = self.ends(range(self.size), from_lowest=True)
        lowest = [(chosen & -chosen).bit_length() - 1 for chosen in range(1 << self.size)]
        return [
            chosen.bit_count() > 3 and bool(ends[chosen] & self.near[lowest[chosen]])
            for chosen in range(1 << self.size)
        ]

    @staticmethod
    def bits(chosen: int) -> Iterator[int]:
        return (at for at in range(chosen.bit_length()) if chosen >> at & 1)


def proof_of(puzzle: Knight):
    """Return the proof that a board has no tour, after its verification; None if there is none."""
    squares = Squares(puzzle)
    board = board_of(puzzle, squares)
    proof = refutation_of(board)
    if proof is not None:
        assert holds(proof, puzzle.columns, squares.places, board.begins, board.ends)
    return proof


def board(rows: int, columns: int, chosen: int, *, closed: bool, start=None) -> Knight:
    every = list(product(range(rows), range(columns)))
    holes = tuple(square for at, square in enumerate(every) if not chosen >> at & 1)
    return Knight(rows, columns, closed=closed, holes=holes, start=start)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("rows", "columns", "step", "num_unseen"), [(3, 4, 1, 0), (3, 5, 17, 0), (4, 4, 41, 1)]
)
def test_sets_of_squares_of_small_boards(rows, columns, step, num_unseen):
    """No set with a tour is refuted; almost all sets without a tour are."""
    subsets = Subsets(rows, columns)
    ends, rings = subsets.ends(range(subsets.size)), subsets.rings()
    unseen = 0
    for chosen, closed in product(range(1, 1 << subsets.size, step), (False, True)):
        has_tour = rings[chosen] if closed else ends[chosen] > 0
        proof = proof_of(board(rows, columns, chosen, closed=closed))
        assert not (has_tour and proof)
        unseen += not has_tour and proof is None
    assert unseen <= num_unseen


@pytest.mark.parametrize("place", [0, 5])
def test_sets_of_squares_with_a_start(place):
    """Tours that have to begin on a given square."""
    subsets = Subsets(4, 4)
    ends, refuted = subsets.ends([place]), 0
    for chosen in range(1, 1 << 16, 61):
        puzzle = board(4, 4, chosen | 1 << place, closed=False, start=divmod(place, 4))
        if obstacle(puzzle) is None or obstacle(replace(puzzle, start=None)) is not None:
            continue
        assert not ends[chosen | 1 << place]
        proof_of(puzzle)
        refuted += 1
    assert refuted


# Larger boards


def scattered(side: int, share: float, draw: random.Random, *, closed: bool) -> Knight:
    """Random holes, such that every square keeps two moves and the colours are even."""
    every = list(product(range(side), repeat=2))
    num_holes = int(share * side * side / 2)
    left = [num_holes, num_holes]
    squares = Squares(Knight(side, side))
    near = {place: set(squares.near(place)) for place in squares.places}
    holes = set()
    for row, column in draw.sample(every, len(every)):
        place = row * side + column
        others = near[place]
        if left[(row + column) % 2] and all(len(near[other]) > 2 for other in others):
            left[(row + column) % 2] -= 1
            holes.add((row, column))
            for other in near.pop(place):
                near[other].discard(place)
    return Knight(side, side, closed=closed, holes=tuple(holes))


def split(side: int, num_holes: int, draw: random.Random, *, closed: bool) -> Knight:
    """Holes of one colour in the left half, of the other in the right one."""
    every = list(product(range(side), repeat=2))
    halves = (
        [(row, column) for row, column in every if (column < side / 2) == (colour == 0)]
        for colour in (0, 1)
    )
    holes = [
        hole
        for colour, half in enumerate(halves)
        for hole in draw.sample([at for at in half if sum(at) % 2 == colour], num_holes)
    ]
    return Knight(side, side, closed=closed, holes=tuple(holes))


def rooms(doors: Collection[int], *, closed: bool) -> Knight:
    """Two rooms of 6 x 6 with a wall between them, two squares wide, with doors."""
    wall = [(row, column) for row in range(6) for column in (6, 7)]
    holes = tuple(square for at, square in enumerate(wall) if at not in doors)
    return Knight(6, 14, closed=closed, holes=holes)


def test_proofs_on_larger_boards_hold():
    draw, kinds = random.Random(21), set()
    for closed, side in product((False, True), (8, 10, 12, 14)):
        boards = [scattered(side, share, draw, closed=closed) for share in (0.2, 0.3, 0.35, 0.4)]
        for part in (12, 11, 10, 9):
            boards.append(split(side, side * side // part, draw, closed=closed))
        boards += [rooms(draw.sample(range(12), 1 + side % 3), closed=closed) for _ in range(4)]
        for puzzle in boards:
            if (proof := proof_of(puzzle)) is not None:
                _description(proof, puzzle.columns)
                kinds.add((type(proof.last).__name__, bool(proof.passages), bool(proof.steps)))
    assert {name for name, _, _ in kinds} == {
        "TooManyParts",
        "DeadEndRegions",
        "DeadEnd",
        "EdgeShortage",
        "UnbalancedColours",
    }
    assert {has_passages for _, has_passages, _ in kinds} == {False, True}


def test_proofs_of_boards_of_four_rows():
    """The theorem about closed tours of four rows follows from counting alone."""
    for columns in range(4, 13):
        proof = proof_of(Knight(4, columns, closed=True))
        assert proof is not None
        assert isinstance(proof.last, TooManyParts | DeadEnd)


def test_a_wrong_proof_is_refused():
    puzzle = Knight(6, 6, closed=True)
    squares = Squares(puzzle)
    board = board_of(puzzle, squares)
    none = refutation_of(board_of(Knight(4, 6, closed=True), Squares(Knight(4, 6, closed=True))))
    assert none is not None
    for last in (
        DeadEnd(0),
        EdgeShortage(frozenset((0, 2)), frozenset((8, 13))),
        TooManyParts(8, (frozenset((0,)), frozenset(board.moves) - {0, 8})),
    ):
        wrong = replace(none, whole=board, steps=(), last=last)
        assert not holds(wrong, 6, squares.places, None, None)


# Sentences


def of_text(rows: str, *, closed: bool = False) -> Knight:
    lines = rows.split("/")
    squares = product(range(len(lines)), range(len(lines[0])))
    holes = tuple((row, column) for row, column in squares if lines[row][column] == "x")
    return Knight(len(lines), len(lines[0]), closed=closed, holes=holes)


@pytest.mark.parametrize(
    ("puzzle", "reason"),
    [
        (
            replace(rooms((4,), closed=True), holes=(*rooms((4,), closed=True).holes, (0, 0))),
            "without row 3, column 7 no moves lead from row 1, column 2 to row 1, column 9: there "
            "is no second way back",
        ),
        (of_text(".x../...x/xx../xxx."), "no moves lead from row 1, column 1 to row 1, column 3"),
        (
            of_text("x...../..x..x/xx.x.."),
            "by one square alone moves lead to the 3 squares 1,3 2,1 2,5 by row 3, column 3, and "
            "row 2, column 2 by row 1, column 4, and row 1, column 5 by row 3, column 6; a tour "
            "begins or ends in each of these parts, but has two ends",
        ),
        (
            of_text("..x./..../x..x/...."),
            "the 3 squares 1,1 4,2 4,4 need 6 moves, but there are at most 5: two at row 2, "
            "column 3, and 3 to others",
        ),
        (
            of_text(".x../...x/..../.xxx"),
            "only row 1, column 3 leads to the 6 squares 1,4 2,1 2,2 3,3 3,4 4,1, so a tour visits "
            "them one after the other; with 4 squares of one colour and 2 of the other it cannot "
            "alternate in colour",
        ),
        (
            of_text("....xx/....../x...xx"),
            "the board, and what is left of it, falls apart at row 3, column 2 and row 1, column "
            "2, so a tour visits the 8 squares 1,3 1,4 2,1 2,2 2,5 2,6 and 2 more one after the "
            "other; row 2, column 2 needs its two moves to row 1, column 4 and row 3, column 4; "
            "row 2, column 6 needs its two moves to row 1, column 4 and row 3, column 4; a move "
            "from row 2, column 6 to row 3, column 4 would close a ring too early; so row 2, "
            "column 6 has fewer than two moves left",
        ),
        (
            of_text("..../x.../..../...x", closed=True),
            "7 conclusions, one from another, by squares with two moves left, early rings and "
            "numbers of moves, leave so few moves that row 3, column 4 has fewer than two moves "
            "left",
        ),
        (
            of_text("....x/.x..x/.x.../..xx./xxx.x"),
            "only row 2, column 3 leads to row 1, column 1, and the tour neither begins nor ends "
            "there",
        ),
    ],
)
def test_sentences_name_squares(puzzle, reason):
    result = nonosat.solve(puzzle)
    assert result.verdict is Verdict.UNSOLVABLE
    assert result.backend == "sight"
    assert result.reason == reason
    proof_of(puzzle)


# Attempts if no reason is found without search

WITHOUT_TOUR = """
.x.....x..x.x.x.xx.x
....x.......x..x..x.
x...xxx.xxxx.xxx...x
..x.....x...........
x..x...xxx..xx......
...xxxx...x......xx.
.x..x.x.....x.xx.x.x
.......xx.x.x..xx.xx
x..xxx......xx.xxxx.
..x...x.....xxx..x.x
xxx..........xx.x..x
.x.....x............
......x.xxx.x.x.x.xx
..x....x.x..xx.x....
x.........xx..xx...x
........xx..x.x..xxx
.xxx.x..x..x....xxx.
....x..x.....x..x.xx
x.xx.....xx.x....x.x
x.xxx......x...x.xxx
"""


def test_an_engine_refutes_a_board_by_the_colours_of_its_ends(monkeypatch):
    """Without a clause about these colours 120,000 conflicts were not enough."""
    puzzle = of_text(WITHOUT_TOUR.strip().replace("\n", "/"))
    assert "30 squares" in obstacle(puzzle)
    monkeypatch.setitem(vars(knight.PLUGIN), "obstacle", lambda puzzle: None)
    result = nonosat.solve(puzzle, backend="learn")
    assert result.verdict is Verdict.UNSOLVABLE


def test_ends_of_both_colours_are_kept():
    """Every tour of a board with as many squares of one colour as of the other is still found."""
    for puzzle in (Knight(3, 4), of_text("x.x./..../...x/..x."), of_text("..../...x/..../x...")):
        found = {*nonosat.solutions(puzzle, backend="learn")}
        assert found == {*nonosat.solutions(puzzle, backend="backtracking")}
        firsts = {divmod(tour.numbers.index(1), tour.columns) for tour in found}
        assert {sum(first) % 2 for first in firsts} == {0, 1}


def test_unknown_names_the_attempts(clock, monkeypatch):
    monkeypatch.setattr(methods, "FIRST_STEPS", 10)
    monkeypatch.setattr(methods, "ROTATED_ATTEMPTS", 0)
    order = ("first-steps", "rotations", "backtracking")
    monkeypatch.setitem(vars(knight.PLUGIN), "auto", lambda puzzle, most: order)
    puzzle = scattered(30, 0.25, random.Random(1), closed=True)
    with clock.pass_at("backtracking", 60):
        result = nonosat.solve(puzzle, time_limit_s=60)
    assert "backtracking" in [stage.name for stage in result.stages]
    assert result.verdict is Verdict.UNKNOWN
    assert result.reason == (
        "time limit of 60 s "
        "(first-steps: a search that entered 10 squares has not ended; "
        "rotations: 0 attempts of 100000 rotations came to no tour)"
    )


def test_unknown_names_the_engine():
    log = SolveLog(Knight(3, 4), PLUGIN)
    assert log.limited("time limit of 1 s") == "time limit of 1 s"
    log.tried.append("warnsdorff: 12 attempts ended in blind alleys")
    log.stages.append(Stage("solve", 1.0, 0, {"engine": "learn", "conflicts": 7}))
    assert log.limited("time limit of 1 s") == (
        "time limit of 1 s (warnsdorff: 12 attempts ended in blind alleys; learn: stopped after 7 "
        "conflicts)"
    )


# Rotations


@pytest.mark.thorough
@pytest.mark.parametrize("closed", [False, True])
def test_rotations_find_existing_tours(closed):
    """From any square, and from a square on which an open tour may begin."""
    draw = random.Random(3)
    for side, share in ((8, 0.1), (14, 0.1), (20, 0.1), (30, 0.1), (40, 0.05)):
        puzzle = scattered(side, share, draw, closed=closed)
        result = nonosat.solve(puzzle, backend="rotations")
        assert result.verdict is Verdict.SOLVED
        start = result.solution.squares()[side]
        if closed or sum(start) % 2 == sum(result.solution.squares()[0]) % 2:
            tour = nonosat.solve(replace(puzzle, start=start), backend="rotations").solution
            assert tour[start] == 1


def test_rotations_agree_with_known_results_on_small_boards():
    """No tour is found where none exists; the verifier would have refused it."""
    subsets = Subsets(4, 4)
    ends = subsets.ends(range(16))
    found = 0
    for chosen in range(1, 1 << 16, 97):
        puzzle = board(4, 4, chosen, closed=False)
        result = nonosat.solve(puzzle, backend="rotations")
        assert result.verdict is not Verdict.SOLVED or ends[chosen]
        found += result.verdict is Verdict.SOLVED
    assert found


def test_rotations_ignore_numbers():
    puzzle = Knight(6, 6, start=(0, 0), given=((3, 3, 9),))
    result = nonosat.solve(puzzle, backend="rotations")
    assert result.verdict is Verdict.UNKNOWN
    assert result.reason == "rotations take no given number but the first move"
    large = nonosat.solve(Knight(150, 150), backend="rotations")
    assert large.reason == "rotations take at most 20000 squares"


@pytest.mark.parametrize(
    "lists", [[], [[0, 9]], [[0], [0, 5]], [[*range(12)], []], [[*range(11)]], [[12]]]
)
def test_native_rotations_refuse_invalid_partitions(lists):
    board = _core.KnightBoard(3, 4, [])
    with pytest.raises((ValueError, IndexError)):
        board.rotated(lists, start_fixed=False, closed=False, seed=0, most=10)


def test_the_rotations_of_a_seed_are_the_same():
    puzzle = scattered(20, 0.1, random.Random(5), closed=False)
    one, again, other = (
        nonosat.solve(puzzle, backend="rotations", seed=seed).solution for seed in (1, 1, 2)
    )
    assert one == again != other
