"""MiniZinc and XCSP3 files: independent readers obtain the puzzle's solutions."""

from __future__ import annotations

import io
import random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import nonosat
from helpers import constraints
from helpers.drawing import examples
from helpers.exported import BOARDS, MODELS, OTHERS, Anything, expected, written
from nonosat import export
from nonosat.core.errors import LimitReached, UnsupportedError
from nonosat.core.grid import Grid
from nonosat.core.model import FALSE, Loop, Model
from nonosat.puzzles.nonogram.data import mono
from nonosat.puzzles.queens import Queens
from nonosat.testing import oracles
from nonosat.testing.strategies import puzzles
from nonosat.testing.strategies.models import random_model, solutions_of

LEVELS = st.sampled_from(["none", "propagate", "probe"])
MOST = 30  # solutions compared; puzzles with more are left out
SMALL = [name for name in OTHERS if name != "closed"]  # small enough for backtracking


def xcsp3_pictures(puzzle, text: str) -> set[bytes]:
    found = [bytes(one.values()) for one in constraints.solutions(constraints.xcsp3(text))]
    assert len(set(found)) == len(found)
    return set(found)


def solved(puzzle, problem: constraints.Problem) -> list[str]:
    """Solutions of a puzzle of another family, by the documented meaning of x."""
    family = nonosat.plugins.find("puzzles", puzzle.family)
    num_vars = family.build(puzzle).num_vars
    return sorted(
        str(family.decode(puzzle, bytes([0, *list(one.values())[:num_vars]])))
        for one in constraints.solutions(problem)
    )


# Nonograms, without any solver


@given(puzzles(max_cells=12, max_colours=2), LEVELS)
@examples(30)
def test_an_xcsp3_file_has_the_solutions(puzzle, level):
    assert xcsp3_pictures(puzzle, written(puzzle, "xcsp3", presolve=level)) == oracles.solutions(
        puzzle
    )


@given(puzzles(max_cells=12, max_colours=2), LEVELS)
@examples(30)
def test_data_have_the_solutions(puzzle, level):
    text = written(puzzle, "dzn", presolve=level)
    assert constraints.data_solutions(text, len(puzzle.colours)) == oracles.solutions(puzzle)


@pytest.mark.parametrize("puzzle", BOARDS.values(), ids=BOARDS)
def test_boards_of_every_kind(puzzle):
    wanted = oracles.solutions(puzzle)
    assert xcsp3_pictures(puzzle, written(puzzle, "xcsp3")) == wanted
    found = constraints.data_solutions(written(puzzle, "dzn"), len(puzzle.colours))
    assert found == wanted


@given(puzzles(max_cells=9, max_colours=2), LEVELS, st.data())
@examples(12)
def test_a_forbidden_solution_is_missing_and_no_other(puzzle, level, data):
    wanted = oracles.solutions(puzzle, MOST + 1)
    assume(0 < len(wanted) <= MOST)
    cells = data.draw(st.sampled_from(sorted(wanted)))
    forbidden = Grid(puzzle.height, puzzle.width, cells)
    text = written(puzzle, "xcsp3", presolve=level, forbidden=forbidden)
    assert xcsp3_pictures(puzzle, text) == wanted - {cells}


def test_data_are_those_of_the_minizinc_challenge():
    assert written(BOARDS["toy"], "dzn") == (
        "% nonosat 1\n% presolve none\nX = 4;\nY = 3;\nmaxlen = 4;\n"
        "rows = [|1,1,0,1\n |0,-1,-1,-1\n |1,1,-1,-1\n |];\n"
        "cols = [|1,-1,-1,-1\n |1,0,1,-1\n |1,-1,-1,-1\n |1,-1,-1,-1\n |];\n"
    )


def test_a_complete_model_is_the_model_and_the_data():
    text, data = written(BOARDS["given"], "mzn"), written(BOARDS["given"], "dzn")
    assert export.nonogram_model() in text
    assert text.endswith(data.partition("none\n")[2])
    assert "x = [|_,2\n |_,_\n |];\n" in data


def test_an_xcsp3_file_in_full():
    text = written(BOARDS["row"].about_with(id="a--b\x07<c>"), "xcsp3")
    about = "puzzle a‐‐b?<c>; presolve none; x[row][column]: 0 is empty, k is colour k"
    assert text.splitlines()[:4] == [
        '<instance format="XCSP3" type="CSP">',
        f"<!-- nonosat 1; {about} -->",
        "<variables>",
        '<array id="x" size="[1][3]"> 0 1 </array>',
    ]
    assert (
        "<regular><list> x[0][] </list><transitions> (q0,0,q0)(q0,1,q1)(q1,0,q2)(q2,0,q2)"
        "(q2,1,q3)(q3,0,q4)(q4,0,q4) </transitions><start> q0 </start><final> q4 q3 </final>"
    ) in text
    assert "<extension><list> x[0][1] </list><supports> 0 </supports></extension>" in text


@pytest.mark.parametrize("name", ["mzn", "dzn", "xcsp3"])
def test_a_large_board_is_written_row_by_row(name):
    """Neither all cells nor all clues are in memory as text."""
    side = 300
    puzzle = mono([[1] * (side // 2)] * side, [[1] * (side // 2)] * side)
    formula = export.formula_of(puzzle)

    class Stream(io.RawIOBase):
        total = largest = 0

        def write(self, data):
            self.total += len(data)
            self.largest = max(self.largest, len(data))
            return len(data)

    stream = Stream()
    export.write_to(formula, stream, name)
    assert stream.total > side * side
    assert stream.largest < 100 * side


@pytest.mark.parametrize("name", ["mzn", "dzn", "xcsp3"])
@pytest.mark.parametrize("puzzle", [BOARDS["toy"], OTHERS["queens"]], ids=["toy", "queens"])
def test_limits_end_the_writing(name, puzzle):
    if (name, puzzle) == ("dzn", OTHERS["queens"]):
        return

    def pause():
        raise LimitReached("time limit")

    with pytest.raises(LimitReached):
        export.write_to(export.formula_of(puzzle), io.BytesIO(), name, pause)


def test_puzzles_that_data_cannot_hold_are_refused():
    with pytest.raises(UnsupportedError, match="of a nonogram, and this is queens; write"):
        written(Queens(4), "dzn")
    forbidden = Grid(1, 3, b"\1\0\1")
    with pytest.raises(UnsupportedError, match="a forbidden solution is a constraint"):
        written(BOARDS["row"], "dzn", forbidden=forbidden)


# Other families, and models of every kind


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("target", ["xcsp3", "mzn"])
def test_other_families_have_the_solutions(name, target):
    puzzle = OTHERS[name]
    read = constraints.xcsp3 if target == "xcsp3" else constraints.minizinc
    assert solved(puzzle, read(written(puzzle, target))) == expected(puzzle)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("target", ["xcsp3", "mzn"])
def test_every_kind_of_constraint(name, target):
    model = MODELS[name]
    if target == "mzn" and model.lines:
        return  # Python's syntax has no automata; MiniZinc itself reads them below
    read = constraints.xcsp3 if target == "xcsp3" else constraints.minizinc
    problem = read(written(Anything(model), target))
    found = sorted(tuple(one.values())[: model.num_vars] for one in constraints.solutions(problem))
    assert found == sorted(map(tuple, solutions_of(model)))


@pytest.mark.parametrize("seed", range(40))
def test_random_models_of_every_kind(seed):
    model = random_model(random.Random(seed), max_vars=6)
    pairs = [{u, v} for loop in model.loops for u, v, lit in loop.edges if lit != FALSE]
    if any(pairs.count(pair) > 1 for pair in pairs):
        with pytest.raises(UnsupportedError, match="two edges between the same vertices"):
            written(Anything(model), "xcsp3")
        return
    problem = constraints.xcsp3(written(Anything(model), "xcsp3"))
    found = sorted(tuple(one.values())[: model.num_vars] for one in constraints.solutions(problem))
    assert found == sorted(map(tuple, solutions_of(model)))


def test_loops_that_a_circuit_cannot_express_are_refused():
    twice = Model(2, loops=(Loop(2, ((0, 1, 1), (1, 0, 2))),))
    with pytest.raises(UnsupportedError, match="two edges between the same vertices"):
        written(Anything(twice), "xcsp3")
    with pytest.raises(UnsupportedError, match="no variables"):
        written(Anything(Model(0)), "mzn")
