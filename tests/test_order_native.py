"""The native builder of the order encoding makes the clauses of its readable twin, in its order."""

from __future__ import annotations

import random
from array import array
from dataclasses import replace

import pytest
from hypothesis import given

from helpers.drawing import examples
from nonosat import _core
from nonosat.board.presolve import PresolvedModel
from nonosat.clauses.cnf import Cnf, chunks, split
from nonosat.clauses.translate import translate
from nonosat.core import hooks
from nonosat.core.errors import LimitReached
from nonosat.core.grid import Grid
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import Block, Line, RowsAndColumns
from nonosat.encodings import line_order
from nonosat.puzzles.nonogram import Nonogram, build, from_grid, mono
from nonosat.puzzles.nonogram.data import INKS, clue_of
from nonosat.testing import oracles
from nonosat.testing.lines import with_knowledge
from nonosat.testing.strategies import lines


def check_equal(line: Line) -> None:
    num_vars = sum(len(plane) for plane in line.cells)
    native, twin = Cnf(num_vars), Cnf(num_vars)
    line_order.encode(line, native)
    clauses = line_order.clauses(line, twin)
    assert native.num_vars == twin.num_vars, line
    assert native.buffer == (array("i", [0]) if clauses is None else clauses), line


@pytest.mark.slow
@pytest.mark.parametrize(("length", "num_colours"), [(1, 1), (3, 1), (5, 1), (2, 2), (3, 2)])
def test_every_short_clue_with_every_partial_line(length, num_colours):
    for clue in oracles.clues(length, num_colours, unknown=True):
        for known in oracles.partials(length, num_colours):
            check_equal(with_knowledge(clue, known, num_colours))


@pytest.mark.slow
@pytest.mark.parametrize(("length", "num_colours"), [(9, 1), (6, 2), (4, 3)])
def test_every_clue_of_an_open_line(length, num_colours):
    planes = tuple(range(1 + k * length, 1 + (k + 1) * length) for k in range(num_colours))
    for clue in oracles.clues(length, num_colours, unknown=True):
        check_equal(Line(planes, clue))


@pytest.mark.slow
@given(lines(max_length=14))
@examples(120)
def test_drawn_lines(line):
    check_equal(line)


def test_lines_of_too_many_positions_are_refused(monkeypatch):
    giant = Line((range(1, 10),), (Block(1), Block(1)))
    check_equal(giant)
    monkeypatch.setattr("nonosat.board.line._MAX_POSITIONS", 2 * 8 - 1)
    with pytest.raises(MemoryError, match="about 16 positions of blocks"):
        line_order.encode(giant, Cnf(9))


def test_long_lines():
    rng = random.Random(1)
    for length in (63, 64, 65, 128, 129, 300, 1000):
        for colours in (1, 3):
            cells = bytes(rng.choice((0, *range(colours + 1))) for _ in range(length))
            clue = tuple(
                Block(rng.choice((block.length, block.length, None)), block.colour)
                for block in clue_of(cells)
            )
            known = [frozenset({value, *rng.choices(range(colours + 1), k=4)}) for value in cells]
            check_equal(with_knowledge(clue, known, colours))


def test_the_lines_of_a_board_are_ranges():
    board = RowsAndColumns(((Block(1), Block(2)), ()), ((Block(1),),) * 6, 2)
    for line in board:
        check_equal(line)


def drawn_task(rng: random.Random) -> tuple[PresolvedModel, bool]:
    """Board with some known cells, and True if it is at a fixpoint."""
    height, width, most = rng.randint(1, 12), rng.randint(1, 12), rng.choice([1, 1, 2, 3])
    cells = bytes(rng.randint(0, most) for _ in range(height * width))
    puzzle = from_grid(Grid(height, width, cells), INKS[:most])
    clues = [
        [Block(rng.choice([b.length, b.length, None]), b.colour) for b in row]
        for row in puzzle.rows
    ]
    task = PresolvedModel.of(
        build(Nonogram(tuple(map(tuple, clues)), puzzle.columns, puzzle.colours))
    )
    for _ in range(rng.randint(0, 6)):
        cell = rng.randrange(len(cells))
        if rng.random() < 0.5:
            task.board.assign(cell, cells[cell])
        else:
            others = [value for value in range(most + 1) if value != cells[cell]]
            task.board.remove(cell, rng.choice(others))
    propagated = rng.random() < 0.5
    assert not propagated or task.propagate(Watch(Limits()))
    return task, propagated


def test_all_lines_of_a_board_at_once():
    """Native code makes the same clauses as the readable twin does line by line."""
    rng = random.Random(2)
    num_lines = 0
    for _ in range(300):
        task, propagated = drawn_task(rng)
        model = task.reduce(propagated=propagated).model
        together, one_by_one = Cnf(model.num_vars), Cnf(model.num_vars)
        size = translate(replace(model, counts=()), together)
        firsts = []
        for line in model.lines:
            firsts.append(one_by_one.num_vars - model.num_vars)
            clauses = line_order.clauses(line, one_by_one)
            one_by_one.add_batch(array("i", [0]) if clauses is None else clauses)
        assert together.buffer == one_by_one.buffer
        assert together.num_vars == one_by_one.num_vars
        assert size.line_firsts == firsts
        assert size.num_clauses == together.num_clauses
        num_lines += len(firsts)
    assert num_lines > 2000


def test_a_line_without_a_filling_among_others():
    task = PresolvedModel.of(build(mono([[2], [1], [1]], [[2], [1], [1]])))
    for cell in (0, 2):
        task.board.assign(cell, 1)
    model = task.reduce(propagated=False).model
    found = Cnf(model.num_vars)
    translate(model, found)
    assert () in {tuple(clause) for clause in split(found.buffer)}


def test_giants_on_a_board_are_refused(monkeypatch):
    model = PresolvedModel.of(build(mono([[1, 1]] * 9, [[9]] * 9))).reduce(propagated=False).model
    monkeypatch.setattr("nonosat.board.line._MAX_POSITIONS", 2 * 8 - 1)
    with pytest.raises(MemoryError, match="about 16 positions of blocks"):
        translate(model, Cnf(81))


def test_other_calls_for_lines_of_a_board_are_refused():
    task = PresolvedModel.of(build(mono([[1], [1]], [[1], [1]])))
    lits = array("i", [1, 2, 3, 4])
    for bad in ((lits[1:], b"", [0]), (lits, b"\0", [0]), (lits, b"", [4]), (lits, b"", [-1])):
        with pytest.raises(ValueError, match="a literal for each"):
            _core.open_line_clauses(task.board, *bad, lambda count: 5, None)
    with pytest.raises(ValueError, match="numbered from 1"):
        _core.open_line_clauses(task.board, lits, b"", [0], lambda count: 0, None)


def test_exceptions_of_new_vars_pass_through():
    class Full(Cnf):
        def new_vars(self, count):
            raise MemoryError(f"{count} more")

    with pytest.raises(MemoryError, match="12 more"):
        line_order.encode(Line((range(1, 11),), (Block(2), Block(1)), frozenset()), Full(10))


def test_variables_end_where_literals_do():
    with pytest.raises(ValueError, match="numbered from 1"):
        line_order.encode(Line((range(1, 11),), (Block(2),)), Cnf(2**31 - 5))


CLAUSES = array("i", [1, -2, 0, 0, 7, 0, -2147483646, 3, 4, 0])


@pytest.mark.parametrize("size", [1, 2, 3, 4, 100])
def test_buffers_become_lists(size):
    expected = [[1, -2], [], [7], [-2147483646, 3, 4]]
    found = list(chunks(CLAUSES, size))
    assert [clause for chunk in found for clause in chunk] == expected == list(split(CLAUSES))
    assert all(len(chunk) == size for chunk in found[:-1])
    assert _core.num_clauses(CLAUSES) == 4


def test_buffers_become_text():
    assert _core.dimacs_text(CLAUSES) == b"1 -2 0\n0\n7 0\n-2147483646 3 4 0\n"
    assert _core.opb_text(CLAUSES) == (
        b"+1 x1 -1 x2 >= 0 ;\n+0 x1 >= 1 ;\n+1 x7 >= 1 ;\n-1 x2147483646 +1 x3 +1 x4 >= 0 ;\n"
    )
    assert list(chunks(array("i"), 5)) == []


@pytest.mark.parametrize("bad", [array("q", [1, 0]), b"abc"])
def test_other_buffers_are_refused(bad):
    with pytest.raises(ValueError, match="32-bit"):
        _core.num_clauses(bad)


def test_an_unfinished_clause_is_refused():
    with pytest.raises(ValueError, match="not ended"):
        _core.clause_lists(array("i", [1, 2]), 0, 5)
    with pytest.raises(IndexError):
        _core.clause_lists(array("i", [1, 0]), 3, 5)


def test_lines_are_encoded_in_pieces_of_bounded_size(monkeypatch):
    rng = random.Random(3)
    rows = [bytes(rng.randrange(2) for _ in range(30)) for _ in range(30)]
    task = PresolvedModel.of(build(from_grid(Grid(30, 30, b"".join(rows)), INKS[:1])))
    model = task.reduce(propagated=False).model
    whole = Cnf(model.num_vars)
    size = translate(model, whole)
    sizes, encoded = [], line_order._core.open_line_clauses

    def open_line_clauses(board, lits, filled, numbers, *more):
        sizes.append([len(model.lines.whole[number].blocks) for number in numbers])
        return encoded(board, lits, filled, numbers, *more)

    monkeypatch.setattr(line_order._core, "open_line_clauses", open_line_clauses)
    monkeypatch.setattr(line_order, "_MOST_PLACES", 30 * 20)
    parts = Cnf(model.num_vars)
    assert translate(model, parts).line_firsts == size.line_firsts
    assert (parts.num_vars, parts.buffer) == (whole.num_vars, whole.buffer)
    assert [blocks for piece in sizes for blocks in piece] == [
        len(line.blocks) for line in model.lines
    ]
    assert all(len(piece) == 1 or sum(piece) <= 20 for piece in sizes)
    assert len(sizes) > 15


def test_memory_is_checked_between_the_pieces(monkeypatch):
    task = PresolvedModel.of(build(mono([[1]] * 30, [[1]] * 30)))
    model, num_calls = task.reduce(propagated=False).model, []
    monkeypatch.setattr(line_order, "_MOST_PLACES", 30)
    monkeypatch.setattr(hooks, "resident_mib", lambda pid: 10 * len(num_calls))
    encoded, watch = line_order._core.open_line_clauses, Watch(Limits(memory_mib=35))

    def open_line_clauses(*arguments):
        num_calls.append(1)
        return encoded(*arguments)

    def pause():
        if watch.poll():
            raise watch.limit()

    monkeypatch.setattr(line_order._core, "open_line_clauses", open_line_clauses)
    with pytest.raises(LimitReached, match="memory limit of 35 MiB"):
        translate(model, Cnf(model.num_vars), pause=pause)
    assert len(num_calls) == 4
