"""Every puzzle without solution reports the broken line, or what refuted it."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import nonosat
from helpers import drawing
from nonosat import _core
from nonosat.board.presolve import PresolvedModel
from nonosat.core.model import Block, Clause, Line, Model
from nonosat.core.result import Verdict
from nonosat.puzzles import nonogram
from nonosat.puzzles.knight.data import Knight
from nonosat.puzzles.nonogram.data import Colour, Nonogram, mono
from nonosat.puzzles.queens.data import Queens
from nonosat.puzzles.slitherlink import from_rows
from nonosat.questions.backbones import backbone
from nonosat.questions.counting import count
from nonosat.solving import auto
from nonosat.solving.models import solve_model
from nonosat.testing import oracles, strategies

# Five rows and columns whose sums agree, so that there is no obvious contradiction
LINE = mono([[5], [1, 1], [1, 1], [1, 1], [5]], [[5], [1, 1], [1, 2], [1, 1], [4]])
INKS = (Colour("r", "#ff0000"), Colour("g", "#00ff00"))


def unsolvable(puzzle, **options) -> nonosat.Result:
    result = nonosat.check(puzzle, **options)
    assert result.verdict is Verdict.UNSOLVABLE
    assert result.reason
    return result


def swapped(puzzle: Nonogram, one: int, other: int) -> Nonogram:
    """Return the puzzle with the clues of two rows exchanged, like an author's mistake."""
    rows = list(puzzle.rows)
    rows[one], rows[other] = rows[other], rows[one]
    return Nonogram(tuple(rows), puzzle.columns, puzzle.colours)


def contradictory() -> st.SearchStrategy[Nonogram]:
    """Clues that may be contradictory, in some colours, with given cells and unknown blocks."""
    clue = strategies.clues(max_length=5, max_colours=2)
    side = st.lists(clue, min_size=1, max_size=5)
    return st.builds(
        lambda rows, columns, given: Nonogram(
            tuple(rows), tuple(columns), INKS, given=given if len(rows) > 1 else ()
        ),
        side,
        side,
        st.sampled_from([(), ((0, 0, 1),), ((1, 0, 0),)]),
    )


@pytest.mark.slow
@drawing.examples(300)
@given(puzzle=contradictory())
def test_the_broken_line_has_no_placement(puzzle: Nonogram) -> None:
    """Checked by the possible values of its cells after propagation."""
    board = PresolvedModel.of(nonogram.build(puzzle)).board
    assert board is not None
    assert board.broken_line is None
    assume(not board.propagate())
    line, width, height = board.broken_line, puzzle.width, puzzle.height
    assert line is not None
    planes = [board.plane(value) for value in range(3)]
    if line < height:
        span, length, clue = slice(line * width, (line + 1) * width), width, puzzle.rows[line]
    else:
        span, length = slice(line - height, None, width), height
        clue = puzzle.columns[line - height]
    assert _core.line_values(length, clue, [plane[span] for plane in planes]) is None


@pytest.mark.thorough
@drawing.examples(300)
@given(puzzle=contradictory())
def test_every_refutation_is_reported(puzzle: Nonogram) -> None:
    result = nonosat.check(puzzle)
    assert (result.verdict is Verdict.UNSOLVABLE) == (not oracles.solutions(puzzle, 1))
    assert bool(result.reason) == (result.verdict is Verdict.UNSOLVABLE)
    for row in re.findall(r"row (\d+)", result.reason):
        assert 1 <= int(row) <= puzzle.height
    for column in re.findall(r"column (\d+)", result.reason):
        assert 1 <= int(column) <= puzzle.width


def test_the_line_that_broke() -> None:
    reason = "line propagation leaves no placement of column 5 (clue 4)"
    assert unsolvable(LINE).reason == reason
    assert backbone(LINE).reason == reason
    assert count(LINE).reason == reason
    assert solve_model(nonogram.build(LINE)).reason == reason


def test_lines_in_colours_of_unknown_length_and_with_given_cells() -> None:
    one = ((Block(1, 1),),)
    coloured = Nonogram(one, ((Block(1, 2),),), INKS)
    assert unsolvable(coloured).backend == "sight"
    coloured = Nonogram(((Block(None, 1),),), ((Block(None, 2),),), INKS)
    assert (
        unsolvable(coloured).reason == "line propagation leaves no placement of column 1 (clue ?g)"
    )
    empty = Nonogram(((),), ((Block(None),),))
    told = unsolvable(empty).reason
    assert told in (
        "line propagation leaves no placement of row 1 (clue 0)",
        "line propagation leaves no placement of column 1 (clue ?)",
    )
    given_ = Nonogram(((Block(1),),), ((Block(1),),), given=((0, 0, 0),))
    assert "(clue 1)" in unsolvable(given_).reason


def test_a_long_clue_is_shortened() -> None:
    rows = [[1] * 20, [1] * 20]
    columns = [[1, 1] if column % 2 == 0 else [] for column in range(39)]
    puzzle = mono(rows, [*columns[:-1], []])
    puzzle = Nonogram(puzzle.rows, (*puzzle.columns[:-2], (Block(None),), (Block(None),)))
    reason = unsolvable(puzzle).reason
    assert len(reason) < 120


def test_the_cell_of_which_no_value_holds() -> None:
    puzzle = probed()
    result = unsolvable(puzzle)
    assert result.backend == "probe"
    found = re.fullmatch(
        r"whichever value the cell in row (\d+), column (\d+) has, a line breaks: "
        r"empty, (row|column) \d+ \(clue [\d ]+\) breaks; "
        r"filled, (row|column) \d+ \(clue [\d ]+\) breaks",
        result.reason,
    )
    assert found
    row, column = int(found[1]) - 1, int(found[2]) - 1
    for value in (0, 1):
        board = PresolvedModel.of(nonogram.build(puzzle)).board
        assert board is not None
        assert board.propagate()
        board.assign(row * puzzle.width + column, value)
        assert not board.propagate()


def probed() -> Nonogram:
    """First of a seeded row of boards that probing refutes, and no line by itself."""
    random = Random(7)
    while True:
        puzzle = random_board(random)
        result = nonosat.check(puzzle)
        if result.verdict is Verdict.UNSOLVABLE and result.backend == "probe":
            return puzzle


def random_board(random: Random) -> Nonogram:
    """Clues of a random 8 x 8 picture, with two rows exchanged."""
    grid = nonosat.Grid(8, 8, bytes(random.random() < 0.45 for _ in range(64)))
    return swapped(nonogram.from_grid(grid), *random.sample(range(8), 2))


@pytest.mark.parametrize(
    ("options", "how"),
    [
        ({"presolve": "propagate", "backend": "search"}, "a search by search"),
        ({"presolve": "propagate", "backend": "cadical195"}, "a search by cadical195"),
        ({"presolve": "propagate"}, "a search by search"),
        ({"presolve": "propagate", "cubes": 2, "jobs": 1}, "a search in cubes"),
    ],
)
def test_refutations_by_a_search(monkeypatch, options, how: str) -> None:
    monkeypatch.setattr(auto, "WHOLE_CONFLICTS", 0)  # cubes of small puzzles, too
    result = unsolvable(probed(), **options)
    expected = rf"no line breaks by itself, but {how} of the \d+ cells left open finds no solution"
    assert re.fullmatch(expected, result.reason)


@pytest.mark.parametrize("backend", ["search", "prices", "learn"])
def test_lines_that_were_not_examined_are_not_mentioned(backend: str) -> None:
    broken = nonosat.nonogram([[1, 1], [1], [1]], [[2], [0], [2]])
    assert unsolvable(broken).reason.startswith("line propagation leaves no placement")
    reason = unsolvable(broken, presolve="none", backend=backend).reason
    assert re.fullmatch(
        rf"a search by {backend} of the \d+ cells left open finds no solution", reason
    )


def test_where_a_slitherlink_breaks() -> None:
    board = from_rows(["303", "...", "3.3"])
    assert unsolvable(board).reason == (
        "the clue 3 in row 1, column 3 contradicts what other clues force (rule 9 three-blocked)"
    )
    searched = unsolvable(from_rows([".0.", "12.", "1.."]))
    assert searched.reason == "a complete search by learn finds no solution"


def test_where_queens_break() -> None:
    lost = Queens(4, ((0, 0),), ((1, 2), (1, 3)))
    reason = "given queens and blocked squares leave no square of row 2"
    assert unsolvable(lost, backend="learn").reason == reason
    column = Queens(4, ((0, 0),), ((2, 1), (3, 1)))
    reason = "given queens and blocked squares leave no square of column 2"
    assert unsolvable(column).reason == reason
    assert unsolvable(Queens(6, ((0, 0),))).reason == (
        "a complete search by backtracking finds no solution"
    )


def test_a_tour_that_a_search_refutes() -> None:
    puzzle = Knight(5, 5, start=(2, 2), given=((0, 1, 24),))
    result = unsolvable(puzzle, backend="learn")
    assert result.reason == "a complete search by learn finds no solution"


def test_models_report_their_refutation() -> None:
    model = Model(1, clauses=(Clause((1,)), Clause((-1,))))
    result = solve_model(model)
    assert result.reason == "a complete search by learn finds no values for the model"
    assert "and the assumptions" in solve_model(Model(1), assumptions=[1, -1]).reason
    assert solve_model(Model(1)).reason == ""
    line = Line(((1, 2),), (Block(3),))
    assert solve_model(Model(2, lines=(line,))).reason
