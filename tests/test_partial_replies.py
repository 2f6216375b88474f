"""Results that a limit cuts short claim only true facts, for a limit at any moment."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from itertools import product
from math import prod

import pytest

import nonosat
from helpers.tripping import REASON, Trip
from nonosat.core.model import Block
from nonosat.core.result import Verdict
from nonosat.explain.minimal_sets import Minimality
from nonosat.puzzles.nonogram import Nonogram, from_grid
from nonosat.questions import counting, why_multiple
from nonosat.questions.ambiguity import Ambiguity, Places
from nonosat.testing.oracles import matches, solutions

# 11 solutions, which agree in cell (0, 3) and in no other.
SETTLED_INSIDE = nonosat.nonogram([[None], [2], [1, 1], [2]], [[None, 1], [None], [None], [None]])
COLOURS = {"a": "red", "b": "blue"}


def drawn(seed: int) -> Nonogram:
    """Return the clues of a random picture, every third with colours, some lengths unknown."""
    draw = random.Random(seed)
    height, width = draw.randint(2, 4), draw.randint(3, 5)
    keys = ".ab" if seed % 3 == 0 else ".#"
    rows = ["".join(draw.choices(keys, k=width)) for _ in range(height)]
    colours = COLOURS if seed % 3 == 0 else None
    puzzle = nonosat.from_picture(rows, colours=colours)
    known = [
        tuple(_forgotten(clue, draw) for clue in side) for side in (puzzle.rows, puzzle.columns)
    ]
    return replace(puzzle, rows=known[0], columns=known[1], goal=None)


def _forgotten(clue: Iterable[Block], draw: random.Random) -> tuple[Block, ...]:
    return tuple(one._replace(length=None) if draw.random() < 0.3 else one for one in clue)


SEVERAL = [
    puzzle for puzzle in map(drawn, range(60)) if 2 <= len(solutions(puzzle, limit=400)) < 400
][:14]
FEW = [puzzle for puzzle in map(drawn, range(40)) if len(solutions(puzzle, limit=3)) < 3][:6]


@pytest.fixture
def trip(monkeypatch: pytest.MonkeyPatch) -> Trip:
    return Trip(monkeypatch)


def fillings(every: set[bytes], puzzle: Nonogram, places: Places) -> set[bytes]:
    """Different fillings of some cells."""
    at = [row * puzzle.width + column for row, column in places]
    return {bytes(one[cell] for cell in at) for one in every}


def values(every: set[bytes], puzzle: Nonogram) -> dict[tuple[int, ...], set[int]]:
    """Values of each cell in all solutions."""
    return {
        divmod(cell, puzzle.width): set(found)
        for cell, found in enumerate(zip(*every, strict=True))
    }


def check_ambiguity(found: Ambiguity, every: set[bytes]) -> None:
    puzzle, of_cell = found.puzzle, values(every, found.puzzle)
    assert found.verdict in (Verdict.MULTIPLE, Verdict.UNKNOWN)
    assert found.solution is None or found.solution.cells in every
    assert found.count == len(every) if found.is_exact else found.count <= len(every)
    if found.verdict is Verdict.UNKNOWN:
        assert not found.switches
        return
    listed = [cell for switch in found.switches for cell in switch.cells]
    assert len({*listed, *found.undecided}) == len(listed) + len(found.undecided)
    for cell, occurring in of_cell.items():
        if cell in listed:
            assert len(occurring) > 1
        elif cell not in found.undecided:
            assert len(occurring) == 1
    sizes = []
    for switch in found.switches:
        own = fillings(every, puzzle, switch.cells)
        most = len(fillings(every, puzzle, (*switch.cells, *found.undecided)))
        sizes.append(len(own))
        assert 2 <= switch.count <= most
        assert not switch.is_exact or len(own) <= switch.count
        assert {*map(bytes, switch.fillings)} <= own
        assert len({*switch.fillings}) == len(switch.fillings) <= why_multiple.KEPT
        assert switch.fillings[0] == tuple(found.solution[cell] for cell in switch.cells)
    assert prod(sizes) == len(fillings(every, puzzle, tuple(listed)))


@pytest.mark.thorough
@pytest.mark.parametrize("most", [0, why_multiple.MOST_FILLINGS])
def test_a_settled_cell_inside_a_counted_part_does_not_differ(
    trip: Trip, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(why_multiple, "MOST_FILLINGS", most)
    every = solutions(SETTLED_INSIDE)
    assert (len(every), values(every, SETTLED_INSIDE)[0, 3]) == (11, {0})
    kinds = set()
    for found in trip.each(lambda: nonosat.why_multiple(SETTLED_INSIDE)):
        check_ambiguity(found, every)
        kinds.add((found.is_exact, bool(found.undecided), found.count))
    assert {(True, False, 11), (False, True, 11)} <= kinds


@pytest.mark.thorough
@pytest.mark.parametrize("puzzle", [*SEVERAL, nonosat.nonogram([[1, 1]] * 2, [1, 1, 0, 1, 1])])
@pytest.mark.parametrize("work", [0, why_multiple.SOON])
def test_switches_under_limits(
    trip: Trip, monkeypatch: pytest.MonkeyPatch, puzzle: Nonogram, work: int
) -> None:
    monkeypatch.setattr(why_multiple, "SOON", work)
    every = solutions(puzzle)
    for found in trip.each(lambda: nonosat.why_multiple(puzzle), stride=7):
        check_ambiguity(found, every)


def test_memory_that_ends_before_there_are_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    def end(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(why_multiple, "unsettled", end)
    found = nonosat.why_multiple(SETTLED_INSIDE)
    assert (found.reason, found.is_exact) == ("out of memory", False)
    check_ambiguity(found, solutions(SETTLED_INSIDE))


def test_edges_under_limits(trip: Trip) -> None:
    puzzle = nonosat.slitherlink(["3..", "..."])
    edges = {place for place in nonosat.backbone(puzzle).differing if len(place) == 4}
    every = {*nonosat.solutions(puzzle)}
    assert len(every) > 2
    for found in trip.each(lambda: nonosat.why_multiple(puzzle), stride=3):
        assert found.count == len(every) if found.is_exact else found.count <= len(every)
        listed = {cell for switch in found.switches for cell in switch.cells}
        assert listed <= edges
        if found.verdict is Verdict.MULTIPLE:
            assert edges <= listed | {*found.undecided}


@pytest.mark.parametrize("puzzle", [SETTLED_INSIDE, *SEVERAL, *FEW])
def test_backbones_under_limits(trip: Trip, puzzle: Nonogram) -> None:
    every = solutions(puzzle)
    of_cell = values(every, puzzle)
    for found in trip.each(lambda: nonosat.backbone(puzzle), stride=5):
        true = Verdict.UNIQUE if len(every) == 1 else Verdict.MULTIPLE
        assert found.verdict in (Verdict.UNKNOWN, true)
        assert {one.cells for one in found.solutions} <= every
        for cell, occurring in of_cell.items():
            if cell in found.differing:
                assert len(occurring) > 1
            elif cell not in found.undecided:
                assert occurring == {found.settled[cell]}


@pytest.mark.slow
@pytest.mark.parametrize("puzzle", [SETTLED_INSIDE, *SEVERAL, *FEW])
def test_counts_under_limits(trip: Trip, monkeypatch: pytest.MonkeyPatch, puzzle: Nonogram) -> None:
    monkeypatch.setattr(counting, "FIRST_WORK", 1)  # takes turns with the backbone
    num = len(solutions(puzzle))
    for found in trip.each(lambda: nonosat.count(puzzle), stride=5):
        assert found.count == num if found.is_exact else found.count <= num
        assert found.is_exact or found.reason


@pytest.mark.parametrize("puzzle", [SETTLED_INSIDE, *SEVERAL[:4], *FEW])
def test_checks_under_limits(trip: Trip, puzzle: Nonogram) -> None:
    every = solutions(puzzle)
    picture = nonosat.Grid(puzzle.height, puzzle.width, min(every))
    own = from_grid(picture, puzzle.colours)
    others = solutions(own)
    expected = Verdict.UNIQUE if len(others) == 1 else Verdict.MULTIPLE
    for found in trip.each(lambda: nonosat.Checker(own).check(), stride=5):
        assert found.verdict in (expected, Verdict.UNKNOWN)
        assert {one.cells for one in found.solutions} <= others
    checker = nonosat.Checker(own)
    replies = [found.verdict for found in trip.each(checker.check)]  # each continues the last one
    assert {*replies} <= {expected, Verdict.UNKNOWN}
    assert replies[-1] is expected


WRONG = [
    nonosat.nonogram([[1, 1], [1], [2], [1]], [[1, 1], [2], []]),
    nonosat.nonogram([[1], [1, 1], [2]], [[2], [2], [1]], given=[(0, 0, 1), (2, 2, 1)]),
]


@pytest.mark.thorough
@pytest.mark.parametrize("puzzle", WRONG)
def test_contradictions_under_limits(trip: Trip, puzzle: Nonogram) -> None:
    assert not solutions(puzzle)
    num_partial = 0
    for found in trip.each(lambda: nonosat.contradiction(puzzle), stride=3):
        num_partial += bool(found.reason)
        assert found.verdict in (Verdict.UNSOLVABLE, Verdict.UNKNOWN)
        if found.minimality is None:
            assert (found.lines, found.cells, found.repairs) == ((), (), ())
            continue
        lines, cells = frozenset(found.lines), frozenset(found.cells)
        assert not can_hold(puzzle, lines, cells)
        if found.minimality is not Minimality.SUFFICIENT:
            assert all(can_hold(puzzle, lines - {line}, cells) for line in lines)
            assert all(can_hold(puzzle, lines, cells - {cell}) for cell in cells)
        for line, clue in found.repairs:
            clues = [*puzzle.rows, *puzzle.columns]
            clues[line] = clue
            rows, columns = clues[: puzzle.height], clues[puzzle.height :]
            assert solutions(replace(puzzle, rows=tuple(rows), columns=tuple(columns)))
    assert num_partial


@cache
def can_hold(
    puzzle: Nonogram, lines: frozenset[int], given: frozenset[tuple[int, int, int]]
) -> bool:
    """Return True if some picture has these clues and these given cells."""
    clues = (puzzle.rows + puzzle.columns, puzzle.height)
    for cells in product(range(2), repeat=puzzle.height * puzzle.width):
        grid = nonosat.Grid(puzzle.height, puzzle.width, bytes(cells))
        if all(grid[row, column] == value for row, column, value in given) and all(
            matches(
                clues[0][line], grid.row(line) if line < clues[1] else grid.column(line - clues[1])
            )
            for line in lines
        ):
            return True
    return False


@pytest.mark.thorough
@pytest.mark.parametrize("puzzle", [SETTLED_INSIDE, *SEVERAL[:3], *FEW[:3]])
def test_steps_under_limits(trip: Trip, puzzle: Nonogram) -> None:
    every = solutions(puzzle)
    of_cell = values(every, puzzle)
    true = Verdict.UNIQUE if len(every) == 1 else Verdict.MULTIPLE
    for found in trip.each(lambda: nonosat.explain(puzzle), stride=5):
        assert found.verdict in (true, Verdict.UNKNOWN)
        if all(step.is_proven for step in found.steps):
            for step in found.steps:
                for row, column, value in step.settled:
                    assert of_cell[row, column] == {value}


@pytest.mark.parametrize("puzzle", [SETTLED_INSIDE, *SEVERAL[:3], *FEW[:3], WRONG[0]])
def test_estimates_under_limits(trip: Trip, puzzle: Nonogram) -> None:
    whole = nonosat.estimate(puzzle)
    for found in trip.each(lambda: nonosat.estimate(puzzle)):
        if found.reason == REASON:
            assert (found.found, found.verdict) == (None, "unknown")
        else:
            assert (found.verdict, found.num_open) == (whole.verdict, whole.num_open)
