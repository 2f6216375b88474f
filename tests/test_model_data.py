"""Constraints and values as data: positions of literals, refusals."""

from __future__ import annotations

import pytest

from nonosat.core.errors import FormatError
from nonosat.core.model import (
    FALSE,
    TRUE,
    Block,
    Clause,
    Count,
    Line,
    Loop,
    Model,
    OneColourEach,
    RowsAndColumns,
    Values,
)

CLUES = [(Block(length),) for length in range(1, 6)]
BOARD = RowsAndColumns(tuple(CLUES[:2]), tuple(CLUES[2:]), 2)  # 2 rows, 3 columns, 2 colours


def test_rows_come_first_then_columns():
    assert len(BOARD) == 5
    assert [line.blocks for line in BOARD] == CLUES
    assert [[*plane] for plane in BOARD[0].cells] == [[1, 2, 3], [7, 8, 9]]
    assert [[*plane] for plane in BOARD[1].cells] == [[4, 5, 6], [10, 11, 12]]
    assert [[*plane] for plane in BOARD[2].cells] == [[1, 4], [7, 10]]
    assert [[*plane] for plane in BOARD[4].cells] == [[3, 6], [9, 12]]
    assert BOARD[-1] == BOARD[4]
    assert BOARD[1:3] == (BOARD[1], BOARD[2])
    assert BOARD[::-2] == (BOARD[4], BOARD[2], BOARD[0])
    with pytest.raises(IndexError):
        BOARD[5]


def test_every_line_has_its_length_in_every_shape():
    for height in range(1, 4):
        for width in range(1, 4):
            board = RowsAndColumns(((),) * height, ((),) * width, 3)
            size = height * width
            for index, line in enumerate(board):
                assert line.num_colours == 3
                assert len(line) == (width if index < height else height)
                for k, plane in enumerate(line.cells):
                    if index < height:
                        cells = [index * width + column for column in range(width)]
                    else:
                        cells = [row * width + index - height for row in range(height)]
                    assert [*plane] == [1 + k * size + cell for cell in cells]


def test_the_length_of_a_line_of_one_colour():
    assert len(Line((range(1, 8),), (Block(2),))) == 7


def test_a_cell_has_one_colour():
    counts = OneColourEach(3, 2)
    assert len(counts) == 3
    assert list(counts) == [Count((1, 4), 0, 1), Count((2, 5), 0, 1), Count((3, 6), 0, 1)]
    assert Count((2, 5), 0, 1) in counts
    assert Count((1, 5), 0, 1) not in counts
    assert Count((1,), 0, 1) not in counts
    assert list(OneColourEach(2, 3)) == [Count((1, 3, 5), 0, 1), Count((2, 4, 6), 0, 1)]
    assert len(OneColourEach(3, 1)) == 0
    assert list(OneColourEach(3, 1)) == []


def test_the_kinds_of_a_model_and_its_constraints():
    clause, count = Clause((1, 2)), Count((1, 2), 1, 1)
    line, loop = Line((range(1, 3),), (Block(1),)), Loop(3, ((0, 1, 1),))
    assert Model(2).kinds() == ()
    assert Model(2, clauses=(clause,)).kinds() == ()
    model = Model(2, (line,), (count,), (clause,), (loop,))
    assert model.kinds() == ("line", "count", "loop")
    assert list(model.constraints()) == [clause, count, line, loop]


def test_values_of_literals():
    values = Values(b"\0\1\0\1")
    assert values.num_vars == 3
    assert [values[lit] for lit in (1, 2, 3, -1, -2, -3)] == [True, False, True, False, True, False]
    assert (values[TRUE], values[FALSE]) == (True, False)
    assert values.true() == [1, 3]
    assert values.true([-3, -2, TRUE, 1]) == [-2, TRUE, 1]
    assert values.true([]) == []
    assert str(values) == "3 variables, 2 of them true"
    for lit in (0, 4, -4):
        with pytest.raises(LookupError, match=rf"no literal {lit}, expected one of 1 \.\. 3"):
            values[lit]


def test_values_as_data():
    values = Values(b"\0\1\0\1")
    assert values.to_data() == {"values": [1, -2, 3]}
    assert Values.from_data({"values": [1, -2, 3]}) == values
    assert Values.from_data({"values": []}) == Values(b"\0")
    for wrong in ([1, 3], [2, 1], [0], [1, -1]):
        with pytest.raises(FormatError, match="a literal of each variable from 1 on, in order"):
            Values.from_data({"values": wrong})
