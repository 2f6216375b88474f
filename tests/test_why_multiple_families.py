"""Switches of Slitherlinks, queens and tours, against all solutions by enumeration."""

from __future__ import annotations

import random
from itertools import permutations
from typing import Any

import pytest

import nonosat
from helpers.clocks import Clock
from helpers.commands import put, records, run
from helpers.lattices import Board, board_of
from nonosat import render
from nonosat.core.result import Verdict
from nonosat.puzzles.slitherlink import BLANK, Slitherlink
from nonosat.questions import groups, why_multiple
from nonosat.questions.ambiguity import Ambiguity
from nonosat.questions.why_multiple import factors
from nonosat.render import Style, figures
from nonosat.render.look import MARK
from nonosat.testing import loops

__all__ = ["put"]  # a fixture

# Three corners, each of which can be cut off or not: 2 x 2 x 2 loops.
THREE = ["2123", "1...", ".0..", "211.", "12..", "0..1", "0..0"]
VERDICTS = (Verdict.UNSOLVABLE, Verdict.UNIQUE, Verdict.MULTIPLE)


def blanked(board: Board, rng: random.Random) -> Slitherlink:
    """Clues of a drawn loop, some of them blank."""
    clues, share = board.clues_of(rng.choice(board.every)), rng.choice([0, 0.4, 0.6, 0.8, 1])
    kept = bytes(clue if rng.random() < share else BLANK for clue in clues)
    return Slitherlink(board.height, board.width, kept)


def check_product(found: Ambiguity, places: list[Any], every: set[bytes]) -> list[tuple[int, ...]]:
    """Check that the solutions are the product of the switches; return the places of each by
    number.
    """
    assert (found.count, found.is_exact, found.undecided) == (len(every), True, ())
    assert found.verdict is VERDICTS[min(len(every), 2)]
    parts = [tuple(sorted(map(places.index, one.cells))) for one in found.switches]
    values = list(zip(*every, strict=True))  # of each place in every solution
    for switch, part in zip(found.switches, parts, strict=True):
        fillings = set(zip(*(values[at] for at in part), strict=True))
        assert switch.count == len(fillings)
        assert set(_by_number(switch, places)) <= fillings
    free = [at for at, column in enumerate(values) if len(set(column)) > 1]
    assert sorted(at for part in parts for at in part) == free
    return parts


def _by_number(switch: Any, places: list[Any]) -> list[tuple[int, ...]]:
    """Return the fillings of a switch in the order of all places."""
    order = sorted(range(len(switch.cells)), key=lambda at: places.index(switch.cells[at]))
    return [tuple(filling[at] for at in order) for filling in switch.fillings]


@pytest.mark.parametrize(("height", "width"), [(1, 1), (1, 4), (2, 3), (3, 3), (3, 4)])
def test_switches_of_slitherlinks_are_the_finest_parts(height: int, width: int) -> None:
    board, rng = board_of(height, width), random.Random(height)
    for _ in range(24):
        puzzle = blanked(board, rng)
        every = board.solutions(puzzle)
        found = nonosat.why_multiple(puzzle)
        parts = check_product(found, board.places, every)
        assert found.solution.edges in every
        if len(every) <= why_multiple.MOST_FILLINGS:
            finest = [one.places for one in factors(every) if len(one.fillings) > 1]
            assert sorted(parts) == sorted(finest)
        assert Ambiguity.from_data(found.to_data()) == found


@pytest.mark.thorough
@pytest.mark.parametrize("most", [1, 2, 8])
def test_loops_that_are_not_all_found_fall_into_independent_parts(
    monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(why_multiple, "MOST_FILLINGS", most)
    board, rng, several = board_of(4, 4), random.Random(4), 0
    for _ in range(60):
        puzzle = blanked(board, rng)
        parts = check_product(nonosat.why_multiple(puzzle), board.places, board.solutions(puzzle))
        several += len(parts) > 1
    assert several > 3 if most > 1 else not several


def test_an_unsolvable_slitherlink_has_no_switches() -> None:
    for rows in (["00"], ["44"], ["33", "33"]):
        found = nonosat.why_multiple(nonosat.slitherlink(rows))
        assert (found.verdict, found.switches, found.count) == (Verdict.UNSOLVABLE, (), 0)


def test_queens_fall_into_the_finest_parts() -> None:
    rng = random.Random(5)
    for _ in range(30):
        n = rng.randint(4, 7)
        squares = [(row, column) for row in range(n) for column in range(n)]
        blocked = rng.sample(squares, rng.randint(0, n))
        puzzle = nonosat.Queens(n, blocked=blocked)
        every = {
            bytes(columns[row] == column for row, column in squares)
            for columns in permutations(range(n))
            if len({columns[row] + row for row in range(n)}) == n
            and len({columns[row] - row for row in range(n)}) == n
            and not any(columns[row] == column for row, column in blocked)
        }
        parts = check_product(nonosat.why_multiple(puzzle), squares, every)
        finest = [one.places for one in factors(every) if len(one.fillings) > 1] if every else []
        assert sorted(parts) == sorted(finest)


@pytest.mark.thorough
def test_closed_tours_are_distinguished_by_their_moves() -> None:
    found = nonosat.why_multiple(nonosat.Knight(3, 10, closed=True))
    assert (found.count, found.is_exact) == (16, True)  # known number
    cycles = loops.cycles(loops.loop_of(30, loops.knight(3, 10), spanning=True))
    places = [(*divmod(one, 10), *divmod(other, 10)) for one, other in loops.knight(3, 10)]
    every = {bytes(at in one for at in range(len(places))) for one in cycles}
    parts = check_product(found, places, every)
    finest = [one.places for one in factors(every) if len(one.fillings) > 1]
    assert sorted(parts) == sorted(finest)


def test_rules_about_other_variables_keep_cells_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers on a tour have variables that are no moves."""
    monkeypatch.setattr(why_multiple, "MOST_FILLINGS", 1)
    puzzle = nonosat.Knight(3, 4, given=[(0, 0, 1)])
    found = nonosat.why_multiple(puzzle)
    assert (found.count, found.is_exact) == (nonosat.count(puzzle).count, True)


def test_parts_of_a_family_without_loop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two independent halves of a board."""
    rows = [[1, 2, 0, 0], [3, 4, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    sudoku = pytest.importorskip("examples.sudoku")
    puzzle = sudoku.Sudoku(tuple(map(tuple, rows)))
    whole = nonosat.why_multiple(puzzle)
    monkeypatch.setattr(why_multiple, "MOST_FILLINGS", 0)
    for most in (0, 24):
        monkeypatch.setattr(why_multiple, "MOST_OF_RULE", most)
        found = nonosat.why_multiple(puzzle)
        assert (found.count, found.is_exact) == (nonosat.count(puzzle).count, True)
        assert len(found.switches) <= len(whole.switches)


def test_a_limit_leaves_switches_of_edges(clock: Clock) -> None:
    clock.step_s = 0.05
    puzzle = nonosat.slitherlink(["." * 30] * 30)
    found = nonosat.why_multiple(puzzle, time_limit_s=1)
    assert found.reason == "time limit of 1 s"
    assert not found.is_exact
    assert all(len(place) == 4 for switch in found.switches for place in switch.cells)
    assert all(len(place) == 4 for place in found.undecided)


# Output


def test_pictures_of_switches_of_edges() -> None:
    found = nonosat.why_multiple(nonosat.slitherlink(THREE))
    cells = [switch.cells for switch in found.switches]
    text = render.grouped(found.puzzle, found.solution, cells)
    assert [text.count(sign) for sign in "ABC"] == [len(one) for one in cells]
    open_ones = render.grouped(found.puzzle, found.solution, cells[:1], cells[1])
    assert open_ones.count(groups.OPEN) == len(cells[1])
    assert "too wide" not in text
    assert "characters wide" in render.grouped(
        found.puzzle, found.solution, cells, (), Style(width=9)
    )
    many = render.grouped(found.puzzle, found.solution, [[cell] for cell in cells[0]] * 99)
    assert many.endswith(groups.OTHERS_NOTE)
    svg = figures.svg_of(found)
    fills = {groups.tint(group, on) for group in range(len(cells)) for on in (False, True)}
    assert all(fill in svg for fill in fills)


def test_families_without_pictures_of_groups_mark_all_places() -> None:
    found = nonosat.why_multiple(nonosat.Queens(4))
    text = render.grouped(found.puzzle, found.solution, [one.cells for one in found.switches])
    assert text.count("?") == len(found.switches[0].cells) == 8
    assert MARK in figures.svg_of(found)


def test_switches_of_edges_are_printed(put: Any) -> None:
    done = run("why-multiple", put({"id": "three", "family": "slitherlink", "rows": THREE}))
    assert done.exit_code == 3
    assert ": multiple, 3 independent switches, 2 x 2 x 2 = 8 solutions, " in done.stdout
    *_, last = done.stdout.splitlines()
    assert last.startswith("  C: 8 places, 2 fillings (row,column): ")
    (record,) = records(
        run("why-multiple", "--json", put({"id": "x", "family": "slitherlink", "rows": THREE}))
    )
    assert (record["count"], len(record["switches"])) == ("8", 3)
    first = record["switches"][0]
    assert all(len(cell) == 4 for cell in first["cells"])
    assert all(set(filling) <= {".", "#"} for filling in first["fillings"])
