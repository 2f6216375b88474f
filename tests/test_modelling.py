"""Models by hand: accepted arguments of a builder, and refusals."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import nonosat
from nonosat.core import plugins
from nonosat.core.errors import PuzzleError, UnsupportedError
from nonosat.core.model import FALSE, TRUE, Block, Clause, Count, Line, Loop, Model
from nonosat.puzzles.knight import Knight
from nonosat.puzzles.queens import Queens
from nonosat.solving.modelling import checked_model

INSTANCES = Path(__file__).parent.parent / "instances"
SQUARE = ((0, 1, 1), (1, 2, 2), (2, 3, 3), (3, 0, 4))


class Index:
    """Number as libraries have them: not an `int`, but convertible to one."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


def builder(num_vars: int) -> nonosat.ModelBuilder:
    made = nonosat.ModelBuilder()
    made.new_vars(num_vars)
    return made


def test_variables_follow_each_other():
    made = nonosat.ModelBuilder()
    assert made.new_var() == 1
    assert made.new_vars(3) == range(2, 5)
    assert made.new_grid(2, 3) == (range(5, 8), range(8, 11))
    assert made.new_vars(0) == range(11, 11)
    assert made.num_vars == made.build().num_vars == 10


def test_sequences_become_tuples():
    made = builder(4)
    made.add([1, -2], (x for x in (3, TRUE)), Clause([Index(4)]), Count(range(1, 4), 1, Index(2)))
    made.add(Loop(4, [list(edge) for edge in SQUARE], spanning=True))
    model = made.build()
    assert model == Model(
        4,
        counts=(Count((1, 2, 3), 1, 2),),
        clauses=(Clause((1, -2)), Clause((3, TRUE)), Clause((4,))),
        loops=(Loop(4, SQUARE, None, True),),
    )
    assert {type(lit) for clause in model.clauses for lit in clause.lits} == {int}
    hash(model)


def test_a_line_of_one_colour_is_a_sequence_with_lengths():
    made = builder(4)
    made.add(Line(range(1, 5), [2, None]))
    assert made.build().lines == (Line(((1, 2, 3, 4),), (Block(2), Block(None))),)


def test_cells_of_several_colours_have_one_at_most_by_a_single_constraint():
    made = builder(8)
    row = Line([[1, 2], [5, 6]], [(1, 2)], filled=[1])
    made.add(row, Line([[1, 3], [5, 7]], [Block(1, 1)]))
    model = made.build()
    assert model.counts == tuple(Count((cell, cell + 4), 0, 1) for cell in (1, 2, 3))
    assert model.clauses == (Clause((2, 6)),)  # filled


def test_a_filled_cell_of_one_colour_is_true():
    made = builder(2)
    made.add(Line([1, 2], [1], filled={0}))
    assert made.build().clauses == (Clause((1,)),)
    assert [values.true() for values in nonosat.enumerate_model(made.build())] == [[1]]


def test_the_model_is_out_of_reach_of_the_builder():
    made = builder(2)
    before = made.build()
    made.add([1])
    assert before == Model(2)
    assert made.build().clauses == (Clause((1,)),)


def board() -> Loop:
    """Two squares side by side."""
    edges = [(0, 1, 1), (2, 3, 2), (4, 5, 3), (0, 2, 4), (1, 3, 5), (2, 4, 6), (3, 5, 7)]
    faces = [(8, FALSE), (9, 8), (FALSE, 9), (FALSE, 8), (8, FALSE), (FALSE, 9), (9, FALSE)]
    return Loop(6, edges, faces)


def test_faces_of_a_drawing_pass_either_way():
    made = builder(9)
    there = board()
    mirrored = Loop(6, there.edges, [pair[::-1] for pair in there.faces])
    turned = Loop(
        6,
        [(v, u, lit) for u, v, lit in there.edges],
        [pair[::-1] for pair in there.faces],
    )
    made.add(there, mirrored, turned)
    assert len(made.build().loops) == 3


def wrong_faces(edge: int, pair: tuple[int, int]) -> Loop:
    there = board()
    faces = list(there.faces)
    faces[edge] = pair
    return Loop(6, there.edges, faces)


MISTAKES = [
    ([0], "literal 0"),
    ([1, 0], "literal 0"),
    ([10], "literal 10, expected a variable of 1 .. 9"),
    ([-10], "literal -10"),
    ([True], "found True, expected a whole number"),
    ([1.0], "found 1.0"),
    ("12", "found '12', expected a Clause"),
    (3, "found 3, expected a Clause"),
    (None, "found None"),
    (Clause(3), "found 3, expected a sequence"),
    (Clause("12"), "expected a whole number"),
    (Count([1, 2], 2, 1), "a Count of 2 to 1"),
    (Count([1, 2], -1, 1), "at least 0"),
    (Count([1, 2], 0, None), "found None"),
    (Count([1, -1], 0, 1), "the variable 1 twice"),
    (Count([0], 0, 1), "literal 0"),
    (Line([[1, 2], [3]], []), "planes of [2, 1] cells"),
    (Line([], []), "no cells"),
    (Line([[]], []), "[0] cells"),
    (Line([1, 2, -1], []), "the variable 1 twice"),
    (Line([1, 2], [0]), "a block of length 0"),
    (Line([1, 2], [(1, 2)]), "a block of colour 2"),
    (Line([1, 2], [(1, 0)]), "a block of colour 0"),
    (Line([1, 2], [(1, 1, 1)]), "expected a length and a colour"),
    (Line([1, 2], 1), "blocks of a Line: found 1"),
    (Line([1, 2], [], filled=[2]), "expected cells of 0 .. 1"),
    (Loop(3, [(0, 3, 1)]), "from 0 to 3, expected two vertices of 0 .. 2"),
    (Loop(3, [(1, 1, 1)]), "from 1 to 1"),
    (Loop(3, [(0, -1, 1)]), "from 0 to -1"),
    (Loop(-1, []), "at least 0"),
    (Loop(3, [(0, 1)]), "expected (u, v, literal)"),
    (Loop(3, [(0, 1, 1), (1, 2, -1)]), "the variable 1 twice"),
    (Loop(3, [(0, 1, 0)]), "literal 0"),
    (Loop(4, SQUARE, [(5, FALSE)] * 3), "faces for 3 edges, but 4 edges"),
    (Loop(4, SQUARE, [(5, FALSE)] * 3 + [(-5, FALSE)]), "variables or FALSE"),
    (Loop(4, SQUARE, [(5, FALSE)] * 3 + [(5,)]), "expected two"),
    (Loop(4, SQUARE, [(5, FALSE)] * 3 + [(FALSE, 5)]), "the way around"),
    (Loop(4, SQUARE, [(5, 6)] * 4), "found 3 with the outer one, FALSE; expected 2"),
    (wrong_faces(1, (8, 9)), "the way around"),
    (wrong_faces(0, (9, FALSE)), "the way around"),
    (wrong_faces(1, (9, 9)), "the way around"),
]


@pytest.mark.parametrize(("statement", "message"), MISTAKES)
def test_empty_constraints_are_refused_at_once(statement, message):
    made = builder(9)
    with pytest.raises(PuzzleError) as caught:
        made.add(statement)
    assert message in str(caught.value)
    assert made.build() == Model(9)
    with nonosat.Engine(Model(9)) as engine:  # an engine reports the same
        with pytest.raises(PuzzleError) as again:
            engine.add(statement)
        assert str(again.value) == str(caught.value)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda made: made.new_vars(-1), "found -1, expected at least 0"),
        (lambda made: made.new_vars(1.5), "found 1.5"),
        (lambda made: made.new_grid(-2, -2), "found -2"),
        (lambda made: made.build([4]), "literal 4"),
        (lambda made: made.build([-1]), "found -1, expected variables alone"),
        (lambda made: made.build(2), "found 2, expected a sequence"),
    ],
)
def test_wrong_arguments_are_refused(call, message):
    with pytest.raises(PuzzleError) as caught:
        call(builder(3))
    assert message in str(caught.value) or message.replace("found", "has") in str(caught.value)


def test_too_many_variables_are_refused_before_they_are_made():
    with pytest.raises(UnsupportedError, match="variables"):
        nonosat.ModelBuilder().new_grid(10**6, 10**6)


def test_a_model_made_by_hand_is_checked_and_completed():
    by_hand = Model(4, lines=[Line([[1, 2], [3, 4]], [Block(1, 2)])], clauses=[Clause([1, 4])])
    assert checked_model(by_hand) == Model(
        4,
        lines=(Line(((1, 2), (3, 4)), (Block(1, 2),)),),
        counts=(Count((1, 3), 0, 1), Count((2, 4), 0, 1)),
        clauses=(Clause((1, 4)),),
    )
    for wrong in (None, [[1]], nonosat.ModelBuilder(), Model(1, clauses=(Clause((2,)),))):
        with pytest.raises(PuzzleError):
            nonosat.solve_model(wrong)


@pytest.mark.parametrize("family", ["nonogram", "queens", "slitherlink", "knight"])
def test_models_of_families_pass_as_they_are(family):
    puzzle = {
        "nonogram": lambda: nonosat.load(f"{INSTANCES}/pictures.jsonl#cat"),
        "queens": lambda: Queens(5),
        "slitherlink": lambda: nonosat.load(f"{INSTANCES}/slitherlink.jsonl#loop-8"),
        "knight": lambda: Knight(4, 5),
    }[family]()
    model = plugins.find("puzzles", family).build(puzzle)
    passed = checked_model(model)
    assert [*passed.constraints()] == [*model.constraints()]
    assert [*(passed.blocked_on or ())] == [*(model.blocked_on or ())]
    assert passed.blocked_by_true == model.blocked_by_true


def test_values_are_indexed_by_literals():
    values = nonosat.Values(b"\0\1\0\1")
    assert [values[lit] for lit in (1, -1, 2, -2, TRUE, FALSE)] == [1, 0, 0, 1, 1, 0]
    assert values.true() == [1, 3]
    assert values.true([-2, 2, -3]) == [-2]
    assert repr(values) == "<Values: 3 variables, 2 of them true>"
    for wrong in (0, 4, -4):
        with pytest.raises(LookupError, match="expected one of 1"):
            values[wrong]
    with pytest.raises(TypeError):
        iter(values)


def test_names_are_found_lazily():
    code = "import nonosat, sys; print([m for m in sys.modules if 'nonosat.' in m])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert "nonosat.model'" not in done
    assert "solving" not in done
    assert nonosat.Loop is Loop
    assert {"ModelBuilder", "Engine", "solve_model", "enumerate_model"} <= set(nonosat.__all__)
