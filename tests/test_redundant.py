"""Redundant clauses keep the solutions; symmetry breaking keeps one of each set.

Against enumeration, on random puzzles and on symmetric ones, before and after propagation.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Collection
from functools import partial
from typing import Any

import pytest
from pysat.solvers import Solver

import nonosat
from helpers.drawing import FUZZ
from nonosat import _core
from nonosat.board import presolve, redundant
from nonosat.clauses.cnf import Cnf, split
from nonosat.clauses.translate import translate
from nonosat.core.errors import LimitReached, UnsupportedError
from nonosat.core.grid import Grid
from nonosat.core.model import TRUE, Block, Clause, Count, Line, Model
from nonosat.puzzles import nonogram
from nonosat.puzzles.nonogram import BLACK, Colour, Nonogram, clue_of
from nonosat.testing import oracles

INKS = (BLACK, Colour("r", "#ff0000"))


def drawn(seed: int, symmetric: bool = False, most: int = 4) -> Nonogram:
    """Puzzle of sides up to `most`, mostly with several solutions."""
    rng = random.Random(seed)
    colours = rng.choice((1, 1, 2))
    height = rng.randint(2, most)
    width = height if symmetric else rng.randint(2, most)
    picture = [[rng.choice((0, *range(colours + 1))) for _ in range(width)] for _ in range(height)]
    if symmetric:
        kind = rng.choice(("mirror", "transpose", "turn"))
        for r in range(height):
            for c in range(width):
                image = {
                    "mirror": (r, width - 1 - c),
                    "transpose": (c, r),
                    "turn": (height - 1 - r, width - 1 - c),
                }[kind]
                picture[image[0]][image[1]] = picture[r][c]
    rows = tuple(clue_of(bytes(row)) for row in picture)
    columns = tuple(clue_of(bytes(column)) for column in zip(*picture, strict=True))
    if seed % 4 == 0:
        rows = tuple(tuple(Block(None, block.colour) for block in clue) for clue in rows)
    if seed % 5 == 0 and not symmetric:
        return Nonogram(rows, columns, INKS[:colours], given=((0, 0, picture[0][0]),))
    return Nonogram(rows, columns, INKS[:colours])


def task_of(puzzle: Nonogram, propagate: bool) -> presolve.PresolvedModel:
    task = presolve.PresolvedModel.of(nonogram.build(puzzle))
    assert task.board is not None
    if propagate:
        assert task.board.propagate()
    return task


def solved(puzzle: Nonogram, reduced: presolve.Reduced, cnf: Cnf) -> set[bytes]:
    """Return the solutions of the formula, each once, by one incremental engine."""
    variables = range(1, reduced.model.num_vars + 1)
    found: set[bytes] = set()
    with Solver("minisat22", bootstrap_with=list(cnf)) as solver:
        while solver.solve():
            true = set(solver.get_model())
            values = bytes([0, *(v in true for v in variables)])
            grid: Grid = nonogram.decode(puzzle, reduced.lift(values))
            assert nonogram.refutation(puzzle, grid) is None
            found.add(grid.cells)
            solver.add_clause([-v if values[v] else v for v in variables])
    return found


def translated(model: Model) -> Cnf:
    cnf = Cnf(model.num_vars)
    translate(model, cnf)
    return cnf


@pytest.mark.parametrize("propagate", [True, False])
def test_counts_and_all_starts_leave_the_solutions(propagate: bool) -> None:
    num_counts = num_wider = 0
    for seed in range(60 * FUZZ):
        puzzle = drawn(seed)
        reduced = task_of(puzzle, propagate).reduce(propagated=propagate)
        expected = oracles.solutions(puzzle)
        for change in (redundant.with_counts, redundant.with_all_starts):
            model = change(reduced.model)
            assert solved(puzzle, reduced, translated(model)) == expected, seed
        wider = translated(redundant.with_all_starts(reduced.model))
        num_wider += wider.num_vars > translated(reduced.model).num_vars
        num_counts += len(redundant.with_counts(reduced.model).counts) - len(reduced.model.counts)
    assert num_counts > 40
    assert num_wider > 0


def test_counts_of_a_line() -> None:
    line = Line(((1, TRUE, 3), (4, 5, 6), (7, 8, 9)), (Block(2), Block(None, 2)))
    assert list(redundant.line_counts(line)) == [Count((1, TRUE, 3), 2, 2), Count((7, 8, 9), 0, 0)]


def sets_of(solutions: set[bytes], moves: Collection[tuple[int, ...]]) -> set[frozenset[bytes]]:
    """Return the solutions with their images."""
    orbits = []
    for cells in solutions:
        orbit, queue = {cells}, [cells]
        while queue:
            one = queue.pop()
            for move in moves:
                image = bytes(one[place - 1] for place in move[1 : 1 + len(one)])
                if image not in orbit:
                    orbit.add(image)
                    queue.append(image)
        orbits.append(frozenset(orbit))
    return set(orbits)


@pytest.mark.parametrize("propagate", [True, False])
def test_one_solution_of_each_symmetric_set_remains(propagate: bool) -> None:
    seen: set[str] = set()
    num_lost = 0
    for seed in range(1, 150 * FUZZ):
        puzzle = drawn(seed, symmetric=True)
        task = task_of(puzzle, propagate)
        moves = redundant.symmetries(task.model)
        expected = oracles.solutions(puzzle)
        orbits = sets_of(expected, moves.values())
        assert set().union(*orbits) == expected, "an image of a solution is one"
        reduced = task.reduce(propagated=propagate)
        cnf = translated(reduced.model)
        assert redundant.break_symmetries(task.model, reduced, cnf) == list(moves)
        left = solved(puzzle, reduced, cnf)
        assert left <= expected
        assert [len(orbit & left) for orbit in orbits] == [1] * len(orbits), (seed, moves)
        seen |= set(moves)
        num_lost += len(expected) - len(left)
    assert seen == set(redundant._MOVES)
    assert num_lost > 20


def test_a_given_cell_spoils_a_symmetry() -> None:
    ones = ((Block(1),),) * 3
    everything = redundant.symmetries(nonogram.build(Nonogram(ones, ones)))
    assert set(everything) == set(redundant._MOVES)
    given = Nonogram(ones, ones, given=((0, 1, 1),))
    assert list(redundant.symmetries(nonogram.build(given))) == ["left-right"]
    assert redundant.symmetries(Model(2, clauses=(Clause((1, 2)),))) == {}


def implied(
    task: presolve.PresolvedModel, reduced: presolve.Reduced, budget: int = 1000
) -> list[tuple[int, ...]]:
    batches = redundant.implications(task, reduced, budget)
    return [tuple(clause) for batch in batches for clause in split(batch)]


@pytest.mark.parametrize("propagate", [True, False])
def test_implications_leave_the_solutions(propagate: bool) -> None:
    num_clauses = 0
    for seed in range(60 * FUZZ):
        puzzle = drawn(seed)
        task = task_of(puzzle, propagate)
        reduced = task.reduce(propagated=propagate)
        cnf = translated(reduced.model)
        clauses = implied(task, reduced)
        num_clauses += len(clauses)
        for clause in clauses:
            cnf.add(clause)
        assert solved(puzzle, reduced, cnf) == oracles.solutions(puzzle), seed
    assert num_clauses > 100


def left_with(puzzle: Nonogram, given: Collection[tuple[int, int, int]]) -> set[tuple[int, int]]:
    """Pairs (cell, value) at the fixpoint of all lines by the oracle; None at a contradiction."""
    left = [frozenset(range(len(puzzle.colours) + 1))] * (puzzle.height * puzzle.width)
    for row, column, value in given:
        left[row * puzzle.width + column] = frozenset([value])
    spans = [slice(r * puzzle.width, (r + 1) * puzzle.width) for r in range(puzzle.height)]
    spans += [slice(c, None, puzzle.width) for c in range(puzzle.width)]
    before = None
    while before != left:
        before = list(left)
        for clue, span in zip((*puzzle.rows, *puzzle.columns), spans, strict=True):
            support = oracles.line_support(clue, left[span])
            if support is None:
                return set()
            left[span] = support.values
    return {(cell, value) for cell, values in enumerate(left) for value in values}


@pytest.mark.slow
def test_implications_are_those_of_the_oracle_each_once() -> None:
    kinds = set()
    for seed in (*range(60 * FUZZ), 68, 116):
        puzzle = drawn(seed, most=7)
        task = task_of(puzzle, True)
        reduced = task.reduce()
        variable = {original: v for v, original in enumerate(reduced.origin) if v}
        size, num_colours = puzzle.height * puzzle.width, len(puzzle.colours)

        def no(pair: tuple[int, int], size: int = size, new: dict[int, int] = variable) -> set[int]:
            cell, value = pair
            if value:
                return {-new[1 + (value - 1) * size + cell]}
            return {new[v] for v in range(1 + cell, 1 + len(INKS) * size, size) if v in new}

        left = left_with(puzzle, puzzle.given)
        several = {cell for cell, _ in left if sum((cell, v) in left for v in range(3)) > 1}
        expected = set()
        for cell, value in sorted(left):
            if cell not in several:
                continue
            place = (*divmod(cell, puzzle.width), value)
            alive = left_with(puzzle, [*puzzle.given, place])
            if not alive:
                expected.add(frozenset(no((cell, value))))
                continue
            for other in left - alive:
                if other[0] != cell:
                    expected.add(frozenset(no((cell, value)) | no(other)))
        found = implied(task, reduced)
        assert len(found) == len(expected)
        assert {frozenset(clause) for clause in found} == expected, seed
        kinds |= {(num_colours, len(clause)) for clause in found}
    assert kinds >= {(1, 1), (1, 2), (2, 1), (2, 2), (2, 3)}


def test_implications_of_a_switch_are_complete() -> None:
    """With two cells in two rows, each value of one cell decides the others."""
    ones = ((Block(1),),) * 2
    task = task_of(Nonogram(ones, ones), True)
    reduced = task.reduce()
    equal = [(-1, 4), (1, -4), (-2, 3), (2, -3)]
    sums = [(1, 2), (1, 3), (4, 2), (4, 3)]
    opposite = [(sign * a, sign * b) for a, b in sums for sign in (1, -1)]
    assert sorted(map(sorted, implied(task, reduced))) == sorted(map(sorted, equal + opposite))
    assert len(implied(task, reduced, 1)) == 3
    assert not implied(task, reduced, 0)


def test_implications_end_on_request() -> None:
    ones = ((Block(1),),) * 2
    task = task_of(Nonogram(ones, ones), True)

    def stop() -> None:
        raise LimitReached("enough")

    with pytest.raises(LimitReached, match="enough"):
        list(redundant.implications(task, task.reduce(), 5, stop))


def test_native_implications_refuse_a_wrong_table() -> None:
    board = _core.Board(1, [[(1, 1)]], [[(1, 1)]])
    for table in ([], [1, 2], [-1]):
        with pytest.raises(ValueError, match="a variable, or 0"):
            _core.Implications(board, array("i", table), 1, None)


@pytest.mark.parametrize("name", ["counts", "all-starts", "implications"])
@pytest.mark.parametrize("backend", ["cadical195", "minisat22", "cpsat"])
def test_an_option_changes_no_answer_and_is_recorded(name: str, backend: str) -> None:
    options = {"backend": backend, "max_solutions": None, "presolve": "propagate"}
    for seed in (3, 5, 8):
        puzzle = drawn(seed)
        result = nonosat.solve(puzzle, **options, redundant=(name,), hints="beliefs")
        assert {grid.cells for grid in result.solutions} == oracles.solutions(puzzle)
        for stage in result.stages:
            if stage.name == "encode":
                assert stage.detail["redundant"] == (name,)


def test_symmetry_is_for_a_single_solution() -> None:
    puzzle = nonogram.mono([[1], [1]], [[1], [1]])
    result = nonosat.solve(puzzle, backend="glucose421", presolve="none", redundant=("symmetry",))
    assert result.solution is not None
    assert len(result.stages[0].detail["symmetries"]) == 7
    for ask in (nonosat.check, partial(nonosat.solve, max_solutions=None)):
        with pytest.raises(UnsupportedError, match="symmetry breaking excludes solutions"):
            ask(puzzle, backend="glucose421", redundant=("symmetry",))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"redundant": ("cuts",)}, "no redundant clauses are called 'cuts' .*; there are: counts"),
        ({"redundant": ("counts",), "backend": "search"}, "takes no redundant clauses"),
        ({"redundant": "counts"}, "redundant is 'counts', expected a tuple"),
        ({"redundant": ("counts", "counts")}, "expected a tuple of different names"),
    ],
)
def test_options_that_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UnsupportedError, match=message):
        nonosat.solve(nonogram.mono([[1]], [[1]]), **options)
