"""MiniZinc and XCSP3 files: independent readers, and MiniZinc itself, find what is to be found."""

from __future__ import annotations

import io
import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import nonosat
from helpers import constraints
from helpers.drawing import examples
from nonosat import export
from nonosat.about import About
from nonosat.errors import LimitReached, UnsupportedError
from nonosat.grid import Grid
from nonosat.model import FALSE, TRUE, Block, Clause, Count, Line, Loop, Model
from nonosat.plugins import Family
from nonosat.puzzles.knight.data import Knight
from nonosat.puzzles.nonogram.data import Colour, Nonogram, mono
from nonosat.puzzles.queens import Queens
from nonosat.puzzles.slitherlink.data import BLANK, Slitherlink
from nonosat.testing import oracles
from nonosat.testing.models import random_model, solutions_of
from nonosat.testing.strategies import puzzles

LEVELS = st.sampled_from(["none", "propagate", "probe"])
MOST = 30  # solutions compared; puzzles with more are left out
INKS = (Colour("r", "#ff0000"), Colour("g", "#00ff00"))


def slitherlink(height: int, width: int, clues: dict[int, int]) -> Slitherlink:
    return Slitherlink(height, width, bytes(clues.get(i, BLANK) for i in range(height * width)))


BOARDS = {
    "empty": mono([[]], [[]]),
    "full": mono([[3], [3]], [[2], [2], [2]]),
    "row": mono([[1, 1]], [[1], [], [1]]),
    "column": mono([[1], [], [1]], [[1, 1]]),
    "ones": mono([[1]] * 3, [[1]] * 3),
    "too long": mono([[3], []], [[1], [1]]),
    "contradiction": mono([[2], [2]], [[2], [1]]),
    "toy": mono([[2, 1], [], [2]], [[1], [1, 1], [1], [1]]),
    "unknown": Nonogram(
        rows=((Block(None),), (Block(1), Block(None))), columns=((Block(None),),) * 3
    ),
    "unknown, not two": Nonogram(((Block(None),),), ((Block(1),), (), (Block(1),))),
    "unknown, then known": Nonogram(
        ((Block(None), Block(2)),), tuple((Block(1),) if c else () for c in (1, 1, 0, 1, 1, 0))
    ),
    "unknown, a gap, unknown": Nonogram(
        ((Block(None), Block(None)),), tuple((Block(1),) if c else () for c in (1, 0, 1, 0, 1))
    ),
    "touching": Nonogram(
        rows=((Block(2, 1), Block(1, 2)), (Block(None, 2), Block(None, 1))),
        columns=(
            (Block(None, 1), Block(None, 2)),
            (Block(1, 1),),
            (Block(None, 2), Block(1, 1)),
        ),
        colours=INKS,
    ),
    "one colour of two": Nonogram(
        rows=((Block(1, 2),),), columns=((), (Block(1, 2),)), colours=INKS
    ),
    "given": Nonogram(rows=((Block(1),),) * 2, columns=((Block(1),),) * 2, given=((0, 1, 1),)),
    "given empty": Nonogram(
        rows=((Block(1),),) * 2, columns=((Block(1),),) * 2, given=((0, 1, 0),)
    ),
    "given unused": Nonogram(
        rows=((Block(1, 1),),), columns=((Block(1, 1),),), colours=INKS, given=((0, 0, 2),)
    ),
}
OTHERS = {
    "queens": Queens(4),
    "no queens": Queens(3),
    "one queen": Queens(1),
    "given queen": Queens(5, given=((0, 0),)),
    "blocked": Queens(4, blocked=((0, 1),)),
    "slitherlink": slitherlink(2, 2, {0: 2}),
    "one cell": slitherlink(1, 1, {}),
    "no loop": slitherlink(1, 2, {0: 0, 1: 3}),
    "knight": Knight(3, 4, start=(0, 0)),
    "no tour": Knight(2, 2),
    "closed": Knight(3, 10, closed=True),
    "one square": Knight(1, 1),
}
SMALL = [name for name in OTHERS if name != "closed"]  # what backtracking in Python bears


def written(puzzle, name: str, **how) -> str:
    stream = io.BytesIO()
    export.write_to(export.formula_of(puzzle, **how), stream, name)
    return stream.getvalue().decode()


def xcsp3_pictures(puzzle, text: str) -> set[bytes]:
    found = [bytes(one.values()) for one in constraints.solutions(constraints.xcsp3(text))]
    assert len(set(found)) == len(found)
    return set(found)


def solved(puzzle, problem: constraints.Problem) -> list[str]:
    """The solutions of a puzzle of another family, by the documented meaning of x."""
    family = nonosat.plugins.find("puzzles", puzzle.family)
    num_vars = family.build(puzzle).num_vars
    return sorted(
        str(family.decode(puzzle, bytes([0, *list(one.values())[:num_vars]])))
        for one in constraints.solutions(problem)
    )


def expected(puzzle) -> list[str]:
    return sorted(map(str, nonosat.solutions(puzzle)))


# Nonograms, without any solver


@given(puzzles(max_cells=12, max_colours=2), LEVELS)
@examples(60)
def test_an_xcsp3_file_has_the_solutions(puzzle, level):
    assert xcsp3_pictures(puzzle, written(puzzle, "xcsp3", presolve=level)) == oracles.solutions(
        puzzle
    )


@given(puzzles(max_cells=12, max_colours=2), LEVELS)
@examples(60)
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
@examples(25)
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


def test_an_xcsp3_file_as_it_stands():
    text = written(BOARDS["row"].about_with(id="a--b\n<c>"), "xcsp3")
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
    """Neither its cells nor its clues are all in memory as text."""
    side = 600
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


def test_what_data_cannot_hold_is_refused():
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


class Anything:
    """A puzzle that is its model."""

    height = width = 1
    about = About()
    size = "a model"

    def __init__(self, model: Model) -> None:
        self.model = model
        self.family = Family(
            name="anything",
            summary="a model",
            build=lambda puzzle: puzzle.model,
            decode=lambda puzzle, values: values,
            refutation=lambda puzzle, values: None,
            to_data=lambda puzzle: {},
        )


MODELS = {
    "constants": Model(
        3,
        clauses=(Clause((1, FALSE)), Clause((TRUE, 2)), Clause((-2, -3))),
        counts=(Count((TRUE, -1, 2, 3), 1, 2), Count((1, 2), 0, 2), Count((FALSE, 1), 1, 2)),
    ),
    "never": Model(2, counts=(Count((1, FALSE), 2, 2),)),
    "an empty clause": Model(1, clauses=(Clause(()),)),
    "a plain line": Model(4, lines=(Line(((1, 2, 3, 4),), (Block(1), Block(1))),)),
    "a line of one cell": Model(1, lines=(Line(((1,),), (Block(1),)),)),
    "a line too short": Model(2, lines=(Line(((1, 2),), (Block(2), Block(1))),)),
    "negations and constants": Model(
        3, lines=(Line(((-1, TRUE, 2, FALSE, 3),), (Block(2), Block(None))),)
    ),
    "two colours": Model(
        4,
        lines=(Line(((1, 2, FALSE), (3, 4, -2)), (Block(1, 1), Block(None, 2)), frozenset({1})),),
        counts=tuple(Count((k, k + 2), 0, 1) for k in (1, 2)),
    ),
    "a triangle and more": Model(
        5,
        loops=(Loop(4, ((0, 1, 1), (1, 2, -2), (2, 0, 3), (2, 3, 4), (3, 0, 5), (3, 1, FALSE))),),
    ),
    "a loop through everything": Model(
        4,
        loops=(Loop(4, ((0, 1, 1), (1, 2, 2), (2, 3, TRUE), (3, 0, 3), (0, 2, 4)), spanning=True),),
    ),
    "a vertex alone": Model(3, loops=(Loop(4, ((0, 1, 1), (1, 2, 2), (2, 0, 3)), spanning=True),)),
}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("target", ["xcsp3", "mzn"])
def test_every_kind_of_constraint(name, target):
    model = MODELS[name]
    if target == "mzn" and model.lines:
        return  # an automaton is none of Python's syntax; MiniZinc itself reads it below
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


def test_what_a_circuit_cannot_say_is_refused():
    twice = Model(2, loops=(Loop(2, ((0, 1, 1), (1, 0, 2))),))
    with pytest.raises(UnsupportedError, match="two edges between the same vertices"):
        written(Anything(twice), "xcsp3")
    with pytest.raises(UnsupportedError, match="no variables"):
        written(Anything(Model(0)), "mzn")


# MiniZinc itself


@pytest.fixture
def minizinc(tmp_path: Path):
    """Every answer of MiniZinc's default solver to what is written."""
    if shutil.which("minizinc") is None:
        pytest.skip("minizinc is not installed")

    def run(puzzle, *names: str, **how) -> tuple[int, set[str]]:
        for name in names:
            (tmp_path / f"a.{name}").write_text(written(puzzle, name, **how))
        if names == ("dzn",):
            (tmp_path / "a.mzn").write_text(export.nonogram_model())
        files = [str(path) for path in sorted(tmp_path.glob("a.*"), reverse=True)]
        done = subprocess.run(
            ["minizinc", "-a", *files], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        answer = export.read_answer(done.stdout)
        if answer.verdict is nonosat.plugins.Answer.UNSAT:
            return 0, set()
        assert answer.printed.is_complete
        return len(answer.printed.solutions), set(map(str, export.pictures_of(puzzle, answer)))

    return run


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("kind", ["mzn", "dzn"])
@pytest.mark.parametrize("level", ["none", "probe"])
def test_minizinc_finds_the_solutions_of_a_board(minizinc, name, kind, level):
    puzzle = BOARDS[name]
    wanted = set(expected(puzzle))
    assert minizinc(puzzle, kind, presolve=level) == (len(wanted), wanted)


@pytest.mark.parametrize("name", ["ones", "touching", "unknown"])
def test_minizinc_leaves_out_a_forbidden_solution(minizinc, name):
    puzzle = BOARDS[name]
    first, *others = nonosat.solutions(puzzle)
    assert minizinc(puzzle, "mzn", forbidden=first) == (len(others), set(map(str, others)))


@pytest.mark.parametrize("name", OTHERS)
def test_minizinc_finds_the_solutions_of_other_families(minizinc, name):
    wanted = set(expected(OTHERS[name]))
    assert minizinc(OTHERS[name], "mzn") == (len(wanted), wanted)


@pytest.mark.parametrize("name", [name for name, model in MODELS.items() if model.lines])
def test_minizinc_reads_lines_of_any_literals(minizinc, name):
    model = MODELS[name]
    number, found = minizinc(Anything(model), "mzn")
    wanted = {str(bytes([0, *values])) for values in solutions_of(model)}
    assert (number, found) == (len(wanted), wanted)


@given(puzzles(max_cells=20, max_colours=3), LEVELS)
@examples(12)
def test_minizinc_finds_what_enumeration_finds(puzzle, level):
    if shutil.which("minizinc") is None:
        pytest.skip("minizinc is not installed")
    wanted = oracles.solutions(puzzle, MOST + 1)
    assume(len(wanted) <= MOST)
    done = subprocess.run(
        ["minizinc", "-a", "--input-from-stdin"],
        input=written(puzzle, "mzn", presolve=level),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = re.findall(r"^x = .*\[(.*)\]\);$", done.stdout, re.MULTILINE)
    pictures = [bytes(int(value) - 1 for value in one.split(",")) for one in found]
    assert sorted(pictures) == sorted(wanted)
