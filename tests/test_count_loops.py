"""Counts of loops: known numbers, enumeration that shares no code with the count, and limits."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from itertools import product
from math import factorial

import pytest
from hypothesis import given

import nonosat
from helpers.clocks import Clock
from helpers.commands import put, run
from helpers.drawing import examples
from helpers.modelled import Modelled, number_of
from helpers.progress import reported
from nonosat import _core
from nonosat.core.errors import LimitReached
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import FALSE, TRUE, Clause, Count, Loop, Model
from nonosat.puzzles import slitherlink
from nonosat.puzzles.knight import Knight, methods
from nonosat.puzzles.slitherlink import Slitherlink
from nonosat.questions import counting
from nonosat.questions.countable import loops_of
from nonosat.testing.boards import knight_solutions
from nonosat.testing.oracles import every_solution
from nonosat.testing.strategies import knights, slitherlinks

__all__ = ["put"]  # a fixture

# Sequence A140517 of the OEIS: simple closed paths on the lattice of n x n cells.
LOOPS = (
    1,
    13,
    213,
    9349,
    1222363,
    487150371,
    603841648931,
    2318527339461265,
    27359264067916806101,
    988808811046283595068099,
)
# Undirected closed tours of a knight, by the sides of its board.
TOURS = {
    (5, 5): 0,
    (4, 6): 0,
    (5, 6): 8,
    (3, 10): 16,
    (3, 12): 176,
    (6, 6): 9862,
    (5, 8): 44202,
    (6, 7): 1067638,
    (6, 8): 55488142,
}


def blank(height: int, width: int) -> Slitherlink:
    return nonosat.slitherlink(["." * width] * height)


@pytest.mark.parametrize("side", range(1, 10))
def test_loops_of_a_lattice(side: int) -> None:
    found = nonosat.count(blank(side, side))
    assert (found.count, found.is_exact) == (LOOPS[side - 1], True)


def test_long_boards_are_narrow() -> None:
    wide, tall = nonosat.count(blank(3, 60)), nonosat.count(blank(60, 3))
    assert wide.count == tall.count > 2**64
    assert {wide.stages[-1].detail["width"], tall.stages[-1].detail["width"]} == {5}


@pytest.mark.slow
@pytest.mark.parametrize(("size", "number"), TOURS.items())
def test_closed_tours(size: tuple[int, int], number: int) -> None:
    assert nonosat.count(Knight(*size, closed=True)).count == number
    assert nonosat.count(Knight(*size[::-1], closed=True)).count == number


def test_open_tours() -> None:
    # Each counts in both directions, since its squares are numbered.
    assert nonosat.count(Knight(5, 5)).count == 1728
    assert nonosat.count(Knight(5, 5, start=(0, 0))).count == 304
    assert nonosat.count(Knight(3, 4)).count == 16


# Directed open tours of a knight, by the sides of its board (rows x columns, either way round).
OPEN_TOURS = {
    (1, 2): 0,
    (3, 3): 0,
    (3, 4): 16,
    (3, 5): 0,
    (3, 6): 0,
    (3, 7): 104,
    (3, 8): 792,
    (3, 9): 1120,
    (3, 10): 6096,
    (4, 4): 0,
    (4, 5): 164,
    (4, 6): 1488,
    (4, 7): 12756,
    (5, 5): 1728,
    (5, 6): 37568,
    (5, 7): 1245736,
    (6, 6): 6637920,
}


@pytest.mark.parametrize(("size", "number"), OPEN_TOURS.items())
def test_open_tours_of_both_kinds_of_boards(size: tuple[int, int], number: int) -> None:
    for rows, columns in (size, size[::-1]):
        found = nonosat.count(Knight(rows, columns))
        assert (found.count, found.is_exact) == (number, True)
        if number:  # otherwise a theorem may decide it
            assert [stage.name for stage in found.stages] == ["count"]
            assert set(found.stages[0].detail) == {"edges", "width", "states"}


def num_walks(squares: set[tuple[int, int]], path: list[tuple[int, int]]) -> int:
    """Return the number of ways to extend a path to all squares, by depth-first search."""
    if len(path) == len(squares):
        return 1
    number = 0
    for square in squares.difference(path):
        if not path or sorted(abs(a - b) for a, b in zip(square, path[-1], strict=True)) == [1, 2]:
            number += num_walks(squares, [*path, square])
    return number


@pytest.mark.thorough
def test_open_tours_around_holes_against_depth_first_search() -> None:
    rng = random.Random(5)
    numbers = set()
    for _ in range(60):
        rows, columns = rng.choice([(3, 4), (3, 5), (4, 4), (3, 6)])
        squares = list(product(range(rows), range(columns)))
        holes = rng.sample(squares, rng.randint(0, len(squares) // 3))
        if len(squares) - len(holes) > 16:
            continue
        found = nonosat.count(Knight(rows, columns, holes=tuple(holes)))
        number = num_walks({*squares} - {*holes}, [])
        assert (found.count, found.is_exact) == (number, True)
        numbers.add(number)
    assert len(numbers) > 3


def test_given_numbers_divide_the_tours() -> None:
    """Any number is on exactly one square of each tour."""
    for rows, columns, number, total in ((4, 5, 10, 164), (5, 5, 7, 1728), (3, 8, 23, 792)):
        squares = product(range(rows), range(columns))
        found = [nonosat.count(Knight(rows, columns, given=((*one, number),))) for one in squares]
        assert all(each.is_exact for each in found)
        assert sum(each.count for each in found) == total


def test_tours_with_given_numbers_against_depth_first_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = random.Random(9)
    for is_closed, (rows, columns), hole in (
        (False, (3, 4), None),
        (False, (3, 5), (1, 1)),
        (False, (4, 4), (0, 0)),
        (True, (3, 5), (1, 2)),
        (True, (4, 4), None),
    ):
        holes = () if hole is None else (hole,)
        every = knight_solutions(Knight(rows, columns, closed=is_closed, holes=holes))
        squares = [*{*product(range(rows), range(columns))} - {*holes}]
        for num_given in (1, 2, 3, 5):
            tour = rng.choice(every) if every else None
            given = [
                (*one, tour[one] if tour else at)
                for at, one in enumerate(rng.sample(sorted(squares), num_given), 1)
            ]
            puzzle = Knight(rows, columns, closed=is_closed, holes=holes, given=tuple(given))
            number = len(knight_solutions(puzzle))
            for most in (methods.COUNTED, 0):  # by the search, by the model
                with monkeypatch.context() as patch:
                    patch.setattr(methods, "COUNTED", most)
                    found = nonosat.count(puzzle)
                assert (found.count, found.is_exact) == (number, True)


def test_a_count_with_given_numbers_that_is_interrupted_is_a_lower_bound() -> None:
    tour = nonosat.solve(Knight(6, 6)).solution
    assert tour is not None
    (square,) = (one for one in product(range(6), range(6)) if tour[one] == 18)
    found, is_exact = methods.count(
        Knight(6, 6, given=((*square, 18),)), Watch(Limits(0.0)), 1
    ) or (-1, True)
    assert not is_exact
    assert found >= 0


def test_an_open_tour_of_few_squares() -> None:
    assert nonosat.count(Knight(1, 1)).count == 1
    apart, near = ((0, 1), (0, 2), (1, 0), (1, 1)), ((0, 1), (0, 2), (1, 0), (1, 2))
    assert nonosat.count(Knight(2, 3, holes=apart)).count == 2
    assert nonosat.count(Knight(2, 3, holes=near)).count == 0


def test_an_interrupted_open_count_is_a_lower_bound_and_continues(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(counting, "FIRST_WORK", 100_000)
    monkeypatch.setattr(counting, "GROWTH", 1)
    found = nonosat.count(Knight(5, 6))
    assert (found.count, found.is_exact) == (37568, True)
    assert "backbone" in [stage.name for stage in found.stages]
    seen: list[int] = []

    def limited(run: counting.CountComputation, slice_s: float, jobs: int) -> None:
        seen.append(run.known()[0])
        if len(seen) == 5:
            raise LimitReached("no time")

    monkeypatch.setattr(counting.CountComputation, "_common", limited)
    found = nonosat.count(Knight(5, 6))
    assert (found.count, found.is_exact) == (seen[-1], False)
    assert seen == sorted(seen)
    assert seen[-1] <= 37568


@examples(20)
@given(slitherlinks(max_cells=12))
def test_slitherlinks_against_enumeration(puzzle: Slitherlink) -> None:
    solutions = every_solution(puzzle)
    assert solutions is not None
    found = nonosat.count(puzzle)
    assert (found.count, found.is_exact) == (len(list(solutions)), True)


@examples(30)
@given(knights(max_squares=16, given=False))
def test_tours_against_enumeration(puzzle: Knight) -> None:
    solutions = every_solution(puzzle)
    if solutions is not None:
        assert nonosat.count(puzzle).count == len(list(solutions))


# Graphs of all kinds


def drawn(rng: random.Random) -> Model:
    """Draw a graph with rules for its edges: parallel edges, signs, constants."""
    num_vertices, num_vars = rng.randint(2, 6), rng.randint(1, 9)
    edges = []
    for var in range(1, num_vars + 1):
        u, v = rng.sample(range(num_vertices), 2)
        edges.append((u, v, rng.choice((var, var, -var))))
    for constant in (TRUE, FALSE):
        if rng.random() < 0.2:
            edges.append((0, 1, constant))
    rng.shuffle(edges)
    counts, clauses = [], []
    for _ in range(rng.randint(0, 3)):
        among = rng.sample(range(1, num_vars + 1), rng.randint(1, min(5, num_vars)))
        lits = [rng.choice((1, -1)) * var for var in among]
        lits += [rng.choice((TRUE, FALSE))] * rng.randint(0, 1)
        lower = rng.randint(0, len(lits))
        counts.append(Count(tuple(lits), lower, rng.randint(lower, len(lits))))
        if rng.random() < 0.4:
            clauses.append(Clause(tuple(lits)))
    loop = Loop(num_vertices, edges, spanning=rng.random() < 0.3)
    return Model(num_vars, counts=tuple(counts), clauses=tuple(clauses), loops=(loop,))


def test_any_graph_against_enumeration() -> None:
    rng = random.Random(1)
    found = []
    for _ in range(300):
        model = drawn(rng)
        expected = number_of(model)
        assert nonosat.count(Modelled(model)).count == expected
        found.append(expected)
    assert len({*found}) > 5


def test_a_backbone_between_two_turns_does_not_affect_the_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("FIRST_WORK", "_MOST_WORK"):
        monkeypatch.setattr(counting, name, 1)
    rng = random.Random(2)
    for jobs in (1, 2):
        for _ in range(4):
            model = drawn(rng)
            found = nonosat.count(Modelled(model), jobs=jobs)
            assert (found.count, found.is_exact) == (number_of(model), True)


def test_other_models_are_not_loop_models() -> None:
    triangle = [(0, 1, 1), (1, 2, 2), (2, 0, 3)]
    plain = Model(3, loops=(Loop(3, triangle),))
    assert loops_of(plain) is not None
    others = (
        replace(plain, loops=()),
        replace(plain, loops=plain.loops * 2),
        replace(plain, num_vars=4),
        replace(plain, blocked_on=(1, 2)),
        replace(plain, clauses=(Clause((4,)),), num_vars=4, blocked_on=(1, 2, 3)),
        replace(plain, counts=(Count((1,) * 251, 0, 3),)),
        replace(plain, loops=(Loop(3, [*triangle, (0, 1, -1)]),)),
        replace(plain, loops=(Loop(3, triangle, [(1, FALSE)] * 3),)),
        replace(plain, loops=(Loop(5_000_000, triangle),)),
    )
    assert [loops_of(model) for model in others] == [None] * len(others)


# Halves


def complete_bipartite(side: int) -> list[int]:
    """Ends of its edges: vertices of one kind come first and last, so that the others are the
    border
    of the halves.
    """
    first, last = side // 2, side + side // 2
    outer = [*range(first), *range(last, 2 * side)]
    return [end for vertex in outer for other in range(first, last) for end in (vertex, other)]


def counted(counter: _core.LoopCount, work: int = 2**40) -> int:
    while not counter.run(work):
        assert not counter.is_full
    return int.from_bytes(counter.total, "little")


@pytest.mark.slow
@pytest.mark.parametrize("side", [2, 3, 4, 5, 6, 9, 10])
@pytest.mark.parametrize("work", [2**40, 5_000_000])
def test_tours_of_complete_bipartite_graphs(side: int, work: int) -> None:
    counter = _core.LoopCount(2 * side, complete_bipartite(side), True, [], 2**28)
    assert counted(counter, work) == factorial(side) * factorial(side - 1) // 2


def test_numbers_of_halves_are_of_any_size() -> None:
    # A ladder has one tour, around it; each of its edges has two parallel copies.
    length = 80
    sides = [(at, at + 2) for at in range(2 * length - 2)]
    rungs = [(at, at + 1) for at in range(0, 2 * length, 2)]
    ends = [end for edge in (sides + rungs) * 3 for end in edge]
    assert counted(_core.LoopCount(2 * length, ends, True, [], 2**28)) == 3 ** (2 * length)


def knights_moves(rows: int, columns: int) -> list[int]:
    """Ends of the moves between squares, which are numbered row by row."""
    squares = list(product(range(rows), range(columns)))
    return [
        end
        for (one, (row, column)), (other, (below, beside)) in product(enumerate(squares), repeat=2)
        if one < other and abs(row - below) * abs(column - beside) == 2
        for end in (one, other)
    ]


def test_a_join_is_stopped_and_goes_on() -> None:
    # Half of the edges have 166276 states; a sweep over all of them reaches 814809.
    counter = _core.LoopCount(48, knights_moves(8, 6), True, [], 2**28)
    while counter.num_done < counter.num_steps:
        counter.run(1_000_000)
    assert not counter.is_exact
    assert counter.num_states == 166_276
    seen = {0}
    while (ended := counter.run(20_000_000, None, lambda: bool(len(seen) % 2))) is not True:
        least = int.from_bytes(counter.total, "little")
        assert least >= max(seen)
        seen.add(least if ended is False else -len(seen))
    assert int.from_bytes(counter.total, "little") == 55_488_142
    assert len(seen) > 3


# Limits


def test_a_time_limit_leaves_a_lower_bound(clock: Clock) -> None:
    clock.step_s = 0.02
    found = nonosat.count(Knight(8, 8, closed=True), time_limit_s=0.6)
    assert not found.is_exact
    assert found.reason.startswith("time limit of 0.6 s")
    assert found.count <= 13_267_364_410_532


def test_a_count_without_a_bound_reports_its_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    def limited(*_: object) -> None:
        raise LimitReached("no time")

    monkeypatch.setattr(
        counting.CountComputation, "_common", limited
    )  # this would follow a first turn
    monkeypatch.setattr(counting, "FIRST_WORK", 1_000_000)
    found = nonosat.count(Knight(6, 8, closed=True))
    limit, at, of = re.fullmatch(
        r"(.*); the count came to edge (\d+) of (\d+) and has no bound .*", found.reason
    ).groups()
    assert (limit, found.count, found.is_exact) == ("no time", 0, False)
    assert 0 < int(at) < int(of) == 116
    loops = nonosat.count(blank(9, 9))
    assert (loops.reason, loops.is_exact) == ("no time", False)
    assert loops.count > 0


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "columns"), [(5, 10), (6, 8)])
def test_a_board_is_counted_along_its_longer_side(rows: int, columns: int) -> None:
    lying, standing = (
        _core.LoopCount(rows * columns, knights_moves(*sides), True, [], 2**28)
        for sides in ((rows, columns), (columns, rows))
    )
    assert counted(lying) == counted(standing)
    assert (lying.num_states, lying.width) == (standing.num_states, standing.width)


def test_too_little_memory_leaves_a_lower_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "MEMORY_MIB", 1)
    found = nonosat.count(blank(9, 9))
    assert not found.is_exact
    assert 1 < found.count < LOOPS[8]
    assert found.reason == "counting needs more than 1 MiB"
    again = nonosat.count(blank(9, 9), jobs=2)
    assert (again.is_exact, again.reason) == (False, found.reason)


def test_work_at_each_edge_stays_within_the_memory() -> None:
    model = slitherlink.build(nonosat.slitherlink(["3.." * 20] * 60))
    loops = loops_of(model)
    assert loops is not None
    poor, rich = (loops.counter([], size, Watch(Limits())) for size in (2**20, 2**24))
    assert not poor.run(10_000)
    assert (poor.is_full, poor.num_done) == (True, 0)
    assert not rich.run(10_000)
    assert not rich.is_full
    assert rich.num_done > 0


def test_few_solutions_of_a_wide_board_are_counted_by_their_common_edges() -> None:
    rng = random.Random(3)
    puzzle = nonosat.slitherlink(["3" + "." * 28 + "3"] + ["." * 30] * 29)
    (path,) = nonosat.solutions(puzzle, limit=1)
    inside = dict(zip(product(range(30), repeat=2), path.inside(), strict=True))
    rows = []
    for row in range(30):
        around = [
            ((row, c), [(row - 1, c), (row + 1, c), (row, c - 1), (row, c + 1)]) for c in range(30)
        ]
        clues = [
            sum(inside[cell] != inside.get(other, 0) for other in near) for cell, near in around
        ]
        rows.append("".join("." if rng.random() < 0.03 else str(clue) for clue in clues))
    found = nonosat.count(nonosat.slitherlink(rows), time_limit_s=60)
    every = list(nonosat.solutions(nonosat.slitherlink(rows), limit=1000))
    assert (found.count, found.is_exact) == (len(every), True)


def test_it_is_called_off_and_goes_on() -> None:
    rungs = [end for at in range(100_000) for end in (at, at + 1, at, at + 2)]
    with pytest.raises(KeyError):
        _core.LoopCount(100_002, rungs, False, [], 2**20, _fail)
    ends = [0, 1, 1, 2, 2, 0]
    counter = _core.LoopCount(3, ends, False, [], 2**20)
    while not counter.run(1):
        assert not counter.is_exact
    assert (counter.total.rstrip(b"\0"), counter.is_full, counter.num_done) == (b"\1", False, 3)
    late = loops_of(Model(3, loops=(Loop(3, [(0, 1, 1), (1, 2, 2), (2, 0, 3)]),)))
    assert late is not None
    assert late.counter([-1], 2**20, Watch(Limits())).run(2**20)


def _fail() -> bool:
    raise KeyError


def test_wrong_arguments_are_refused() -> None:
    for ends, rules in (
        ([0, 3], []),
        ([0], []),
        ([1, 1], []),
        ([0, 1], [1, 1, 2, 0]),
        ([0, 1], [1, 1, 1]),
        ([0, 1], [1, 1]),
        ([-1, 0], []),
    ):
        with pytest.raises(ValueError, match=r"edge|end|rule|ends"):
            _core.LoopCount(3, ends, False, rules, 2**20)
    with pytest.raises(ValueError, match="vertices"):
        _core.LoopCount(2**31 - 1, [], False, [], 2**20)


def test_the_command_counts_every_family(put: object) -> None:
    path = put(  # type: ignore[operator]  # a fixture
        {"family": "slitherlink", "rows": ["...", "..."]},
        {"family": "queens", "n": 8},
        {"family": "knight", "rows": 6, "columns": 6, "closed": True},
        {"family": "slitherlink", "rows": ["00"]},
    )
    done = run("count", path)
    assert done.exit_code == 4
    for told in ("2 rows x 3 columns: 40 sol", "92 solutions", "9862 solutions", "no solution"):
        assert told in done.stdout
    assert run("count", f"{path}#3", "--time-limit", "1e-9").exit_code == 5


def test_progress_names_the_phase(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "FIRST_WORK", 100_000)
    with reported() as seen:
        assert nonosat.count(Knight(5, 6)).count == 37568
    what, done, total = seen[-1]  # not the last place of the backbone
    assert what == "edges counted"
    assert 0 < done < total == 92
