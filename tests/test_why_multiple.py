"""Reasons for several solutions: parts against the set of all solutions, and their output."""

from __future__ import annotations

import random
from itertools import chain, product
from math import prod
from typing import Any

import pytest
from hypothesis import given

import nonosat
from helpers.clocks import Clock
from helpers.commands import put, records, run
from helpers.drawing import examples
from nonosat.core.errors import LimitReached
from nonosat.core.grid import UNKNOWN, Grid
from nonosat.core.result import Verdict
from nonosat.puzzles.nonogram import Nonogram, from_grid, mono
from nonosat.questions import groups, why_multiple
from nonosat.questions.ambiguity import Ambiguity
from nonosat.questions.backbone_result import BackboneResult
from nonosat.questions.why_multiple import factors
from nonosat.render import Style, figures
from nonosat.render.nonogram import groups as drawn
from nonosat.solving.problem import Problem
from nonosat.testing.oracles import solutions
from nonosat.testing.strategies import puzzles

__all__ = ["put"]  # a fixture

# Two switches whose cells in row 1 depend on each other according to that line: 1 1 in four places
# has six fillings, four of which occur in the solutions.
CROSSED = nonosat.nonogram(
    [[1, 1], [1], [1]],
    [[1], [], [1], [], [1], [], [1]],
    given=[(1, 4, 0), (1, 6, 0), (2, 0, 0), (2, 2, 0)],
)
PAIR_DATA = {"id": "pair", "rows": [[1, 1]] * 2, "columns": [[1], [1], [], [1], [1]]}
PAIR = mono([[1, 1], [1, 1]], [[1], [1], [], [1], [1]])


def is_product(fillings: set[bytes], parts: list[tuple[int, ...]]) -> bool:
    """True if the fillings are the product of their parts."""
    sizes = [len({tuple(one[at] for at in part) for one in fillings}) for part in parts]
    return prod(sizes) == len(fillings)


def check_parts(fillings: set[bytes], parts: list[tuple[int, ...]]) -> None:
    """Check that the parts of places are indivisible, and that the fillings are their product."""
    assert sorted(at for part in parts for at in part) == list(range(len(next(iter(fillings)))))
    assert is_product(fillings, parts)
    for part in parts:
        own = {bytes(one[at] for at in part) for one in fillings}
        for mask in range(1, 2 ** (len(part) - 1)):
            two = [[], []]  # type: list[list[int]]
            for at in range(len(part)):
                two[mask >> at & 1].append(at)
            assert not is_product(own, [tuple(two[0]), tuple(two[1])])


def test_factors_are_the_finest_parts() -> None:
    every = [bytes(one) for one in product(range(2), repeat=3)]
    for mask in range(1, 2**8):
        fillings = {one for at, one in enumerate(every) if mask >> at & 1}
        check_parts(fillings, [one.places for one in factors(fillings)])
    draw = random.Random(0)
    for _ in range(60):
        sides = [
            draw.sample([bytes(one) for one in product(range(3), repeat=2)], draw.randint(1, 5))
            for _ in range(3)
        ]
        order = draw.sample(range(6), 6)
        whole = (b"".join(parts) for parts in product(*sides))
        fillings = {bytes(one[at] for at in order) for one in whole}
        check_parts(fillings, [one.places for one in factors(fillings)])


def check_against(puzzle: Nonogram, all_solutions: set[bytes]) -> Ambiguity:
    """Check that the switches are the finest independent parts of all solutions."""
    found = nonosat.why_multiple(puzzle)
    assert found.is_exact
    assert (found.count, found.undecided) == (len(all_solutions), ())
    assert (
        found.verdict is (Verdict.UNSOLVABLE, Verdict.UNIQUE, Verdict.MULTIPLE)[min(found.count, 2)]
    )
    if not all_solutions:
        assert (found.solution, found.switches) == (None, ())
        return found
    assert found.solution is not None
    assert found.solution.cells in all_solutions
    expected = [one for one in factors(all_solutions) if len(one.fillings) > 1]
    assert [
        [row * puzzle.width + column for row, column in one.cells] for one in found.switches
    ] == [list(one.places) for one in expected]
    for switch, factor in zip(found.switches, expected, strict=True):
        assert switch.count == len(factor.fillings)
        assert len(switch.fillings) == min(switch.count, why_multiple.KEPT)
        assert set(switch.fillings) <= factor.fillings
        assert switch.fillings[0] == tuple(found.solution[cell] for cell in switch.cells)
    assert Ambiguity.from_data(found.to_data()) == found
    return found


@examples(90)
@given(puzzles(max_cells=25))
def test_switches_are_the_finest_parts_of_all_solutions(puzzle: Nonogram) -> None:
    check_against(puzzle, solutions(puzzle))


def test_puzzles_of_several_switches() -> None:
    draw = random.Random(5)
    several = 0
    for _ in range(160):
        height, width = draw.randint(2, 4), draw.randint(3, 4)
        rows = [[draw.random() < 0.5 for _ in range(2 * width + 1)] for _ in range(height)]
        for row in rows:
            row[width] = False
        puzzle = from_grid(Grid(height, 2 * width + 1, bytes(map(int, chain(*rows)))))
        several += len(check_against(puzzle, solutions(puzzle)).switches) > 1
    assert several > 5


@pytest.mark.parametrize("most", [0, 256])
def test_a_line_that_falls_apart_only_in_solutions(
    monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(why_multiple, "MOST_FILLINGS", most)
    found = check_against(CROSSED, solutions(CROSSED))
    assert [switch.count for switch in found.switches] == [2, 2]


@pytest.mark.parametrize("of_rule", [0, 1, 24])
def test_parts_that_are_not_taken_apart_wholly_are_independent(
    monkeypatch: pytest.MonkeyPatch, of_rule: int
) -> None:
    monkeypatch.setattr(why_multiple, "MOST_FILLINGS", 0)
    monkeypatch.setattr(why_multiple, "MOST_OF_RULE", of_rule)
    draw = random.Random(6)
    for _ in range(60):
        puzzle = from_grid(Grid(4, 7, bytes(draw.random() < 0.55 for _ in range(28))))
        every = solutions(puzzle)
        found = nonosat.why_multiple(puzzle)
        assert (found.count, found.is_exact) == (len(every), True)
        parts = [tuple(row * 7 + column for row, column in one.cells) for one in found.switches]
        settled = sorted(set(range(28)) - {at for part in parts for at in part})
        assert is_product(every, [*parts, *((at,) for at in settled)])


def test_the_cells_that_stay_are_a_lower_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(why_multiple, "SOON", 0)
    monkeypatch.setattr(why_multiple, "LONG", 0)
    puzzle = mono([[1]] * 6, [[1]] * 6)
    found = nonosat.why_multiple(puzzle)
    (switch,) = found.switches
    assert (len(switch.cells), switch.is_exact, found.is_exact) == (36, False, False)
    assert 2 <= switch.count <= 720
    assert str(found).endswith(f"1 switch, at least {switch.count} solutions")
    assert len(switch.fillings) == why_multiple.KEPT
    assert nonosat.why_multiple(mono([[1]] * 5, [[1]] * 5)).count >= 2


def test_limits_keep_results_so_far(clock: Clock) -> None:
    clock.step_s = 0.005
    draw = random.Random(1)
    puzzle = from_grid(Grid(40, 40, bytes(draw.random() < 0.4 for _ in range(1600))))
    found = nonosat.why_multiple(puzzle, time_limit_s=1e-9)
    assert (found.verdict, found.reason) == (Verdict.UNKNOWN, "time limit of 1e-09 s")
    assert (found.count, found.is_exact, found.description()) == (0, False, "not decided")
    found = nonosat.why_multiple(puzzle, time_limit_s=0.6)
    assert found.reason == "time limit of 0.6 s"
    assert not found.is_exact
    cells = [cell for switch in found.switches for cell in switch.cells] + [*found.undecided]
    assert len(cells) == len(set(cells))


def test_cells_not_known_to_differ_are_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a limit ends the backbone."""
    puzzle = mono([[1], [1], [1]], [[1], [1], [1]])
    first, second = nonosat.solutions(puzzle, limit=2)
    differing = tuple(first.differences(second))

    def cut(problem: Problem) -> BackboneResult:
        return BackboneResult(
            problem.puzzle,
            Verdict.MULTIPLE,
            Grid(3, 3, bytes([UNKNOWN]) * 9),
            differing,
            (first, second),
            (first.cells, second.cells),
            reason="time limit of 1 s",
        )

    def end(*_: object) -> None:
        raise LimitReached("time limit of 1 s")

    monkeypatch.setattr(why_multiple, "backbone_of", cut)
    monkeypatch.setattr(why_multiple._ComponentSearch, "_take_apart", end)
    found = nonosat.why_multiple(puzzle)
    (switch,) = found.switches
    assert switch.cells == differing
    assert {*switch.fillings} == {tuple(one[cell] for cell in differing) for one in (first, second)}
    assert {*found.undecided} == {*product(range(3), repeat=2)} - {*differing}
    assert (found.count, found.is_exact) == (2, False)
    assert nonosat.Ambiguity.from_data(found.to_data()) == found


def test_only_puzzles_are_accepted() -> None:
    with pytest.raises(nonosat.NotAPuzzleError):
        nonosat.why_multiple([[1]])  # type: ignore[arg-type]


# Marks and colours


def test_every_switch_has_a_mark_that_is_no_symbol_of_the_puzzle() -> None:
    colours = {"A": "red", "b": "blue"}
    puzzle = nonosat.nonogram([[(1, "A")]], [[(1, "A")]], colours=colours)
    assert groups.marks(puzzle, 3) == "BCD"
    most = groups.marks(puzzle, 400)
    assert set(most).isdisjoint(puzzle.symbols)
    assert len(set(most[:200])) == 200
    assert most.endswith(groups.OTHERS * 100)
    assert groups.marks(puzzle, 400, ascii_only=True).isascii()


def test_pictures_of_switches() -> None:
    found = nonosat.why_multiple(PAIR)
    assert found.solution is not None
    cells = [switch.cells for switch in found.switches]
    assert drawn.text(PAIR, found.solution, cells) == "AA.BB\nAA.BB"
    assert drawn.text(PAIR, found.solution, cells[:1], cells[1]) == "AA.??\nAA.??"
    painted = drawn.text(PAIR, found.solution, cells, style=Style(ansi=True))
    assert painted.count("A") == painted.count("B") == 4
    assert painted.count("48;2;") == 8  # a colour for each of filled and empty, twice in a row
    narrow = drawn.text(PAIR, found.solution, cells, style=Style(width=4))
    assert narrow.startswith("(the picture is 5 characters wide, the terminal 4;")
    many = drawn.text(PAIR, found.solution, [[cell] for cell in cells[0]] * 99, style=Style())
    assert many.endswith("(* marks all others: there are more than marks)")
    svg = figures.svg_of(found)
    fills = {groups.tint(group, filled) for group in (0, 1) for filled in (False, True)}
    assert len(fills) == 4
    assert all(fill in svg for fill in fills)
    assert groups.OPEN_RGB in figures.svg_of(
        Ambiguity(PAIR, found.verdict, found.solution, found.switches[:1], cells[1])
    )


def test_more_switches_than_colours_are_drawn() -> None:
    names = {f"c{number}": f"#{number:06x}" for number in range(252)}
    puzzle = nonosat.nonogram([[(1, "c0")], [(1, "c0")]], [[(1, "c0")]] * 2, colours=names)
    assert "<svg" in figures.svg_of(nonosat.why_multiple(puzzle))
    wide = mono([[1] * 150] * 2, [[1], [1], []] * 150)
    found = nonosat.why_multiple(wide)
    assert (len(found.switches), found.count) == (150, 2**150)
    assert "<svg" in figures.svg_of(found)


# The command


def test_switches_are_printed(put: Any) -> None:
    done = run("why-multiple", put(PAIR_DATA))
    assert done.exit_code == 3
    lines = done.stdout.splitlines()
    assert lines[:2] == ["AA.BB", "AA.BB"]
    assert lines[2].startswith("pair, 2 rows x 5 columns: multiple, 2 independent switches, ")
    assert ", 2 x 2 = 4 solutions, " in lines[2]
    assert lines[3] == "  A: 4 cells, 2 fillings (row,column): 1,1 1,2 2,1 2,2"
    assert len(lines) == 5


def test_statuses_are_those_of_check(put: Any) -> None:
    ends = [([[1]], [[1]], 0, ": unique, "), ([[1], [1]], [[1], [1]], 3, ": multiple, 1 switch")]
    ends.append(([[2]], [[1], []], 4, ": unsolvable (the rows fill 2 cells, the columns 1), "))
    for rows, columns, status, told in ends:
        done = run("why-multiple", put({"id": "one", "rows": rows, "columns": columns}))
        assert done.exit_code == status
        assert told in done.stdout
    done = run("why-multiple", "--time-limit", "1e-9", put(PAIR_DATA))
    assert done.exit_code == 5


def test_switches_as_json(put: Any) -> None:
    done = run("why-multiple", "--json", put(PAIR_DATA))
    (record,) = records(done)
    assert (record["id"], record["verdict"], record["count"], record["exact"]) == (
        "pair",
        "multiple",
        "4",
        True,
    )
    first, second = record["switches"]
    assert first["cells"] == [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert sorted(second["fillings"]) == ["#..#", ".##."]
