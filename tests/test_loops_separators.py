"""Native check of a model in the plane, and its twin: separators of the parts of a loop."""

from __future__ import annotations

import random
from array import array

import pytest

from helpers.drawing import FUZZ
from nonosat import _core
from nonosat.clauses.cnf import Cnf
from nonosat.encodings import loop_cells
from nonosat.testing.loops import board

# Native check of a model in the plane, and its twin


def drawn_cells(rng: random.Random, rows: int, columns: int) -> bytes:
    """Values with some faces inside, some edges left out."""
    loop = board(rows, columns)
    share = rng.random()
    inside = bytes(rng.random() < share for _ in range(rows * columns))
    return bytes(len(loop.edges) + 1) + inside


@pytest.mark.parametrize("seed", range(20 * FUZZ))
def test_native_separators_are_those_of_their_twin(seed):
    rng = random.Random(seed)
    rows, columns = rng.randint(1, 12), rng.randint(1, 12)
    loop = board(rows, columns)
    assert loop.faces is not None
    native = loop_cells.encode(loop, Cnf(len(loop.edges) + rows * columns))
    twin = loop_cells.FaceRefiner(loop.faces)
    for _ in range(10):
        values = drawn_cells(rng, rows, columns)
        clauses = [[*clause] for clause in native(values)]
        assert sorted(map(sorted, clauses)) == sorted(map(sorted, twin(values)))
        assert not any(values[abs(lit)] == (lit > 0) for clause in clauses for lit in clause)


@pytest.mark.parametrize(
    ("rows", "columns", "walls", "num_clauses", "length"),
    [
        (1, 250, [(0, 110)], 110, 3),  # fewer faces than there may be clauses
        (1, 500, [(0, 240)], 200, 3),  # a wall of one face: a clause a literal
        (9, 80, [(row, 39) for row in range(9)], 200 // 9, 11),
        (20, 13, [(row, 6) for row in range(20)], 200 // 20, 22),
        (205, 3, [(row, 1) for row in range(205)], 1, 207),  # more than all literals: one clause
    ],
)
def test_the_literals_of_a_part_limit_its_clauses(rows, columns, walls, num_clauses, length):
    """Two insides with a wall between them: a clause keeps one face from the larger inside."""
    loop = board(rows, columns)
    assert loop.faces is not None
    inside = [(row, column) not in walls for row in range(rows) for column in range(columns)]
    values = bytes(len(loop.edges) + 1) + bytes(inside)
    native = loop_cells.encode(loop, Cnf(len(values) - 1))
    for clauses in (list(native(values)), list(loop_cells.FaceRefiner(loop.faces)(values))):
        assert [len(clause) for clause in clauses] == [length] * num_clauses
        assert len({clause[0] for clause in clauses}) == num_clauses


def test_separators_refuse_invalid_arguments():
    for faces in ([1], [1, -2], [1, 0, 2]):
        with pytest.raises(ValueError, match="two faces are expected for each edge"):
            _core.Cells(array("i", faces), 10)
    with pytest.raises(ValueError, match="32-bit"):
        _core.Cells(array("q", [1, 0]), 10)
    with pytest.raises(ValueError, match="a byte a variable"):
        _core.Cells(array("i", [1, 0]), 10).refine(b"\0")
