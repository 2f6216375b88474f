"""Formulations in use: whole boards against brute force, names with arguments, guards."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from hypothesis import assume, given

import nonosat
from helpers.drawing import examples
from helpers.formulated import LINES, formulate_all
from nonosat.backends import cpsat
from nonosat.board.line import domains
from nonosat.cli import main
from nonosat.core.errors import UnsupportedError
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import FALSE, TRUE, Block, Count, Line
from nonosat.core.plugins import Answer
from nonosat.formulations import Context, line_table
from nonosat.puzzles import nonogram
from nonosat.puzzles.nonogram import mono
from nonosat.testing import oracles
from nonosat.testing.formulations import solutions
from nonosat.testing.strategies import puzzles

METHODS = [{"line": name.removeprefix("line-"), "count": "linear"} for name in LINES]
METHODS.append({"line": "booleans:automaton", "count": "booleans:pairwise"})
SWITCH = mono([[1], [1]], [[1], [1]])


def board_solutions(puzzle: nonogram.Nonogram, methods: dict[str, str]) -> list[bytes]:
    """Solutions of the model in one enumeration, from the clues and given cells alone."""
    model = nonogram.build(puzzle)
    context = Context(model.num_vars)
    formulate_all(model.constraints(), context, methods)
    found = solutions(context)
    return [nonogram.decode(puzzle, bytes([0, *values])).cells for values in found]


@pytest.mark.thorough
@pytest.mark.parametrize("methods", METHODS, ids=lambda methods: methods["line"])
@examples(35)
@given(puzzle=puzzles(max_cells=20, max_colours=2))
def test_boards_against_brute_force(methods, puzzle):
    # A table refuses a line that may have 20,000 fillings; up to 12 cells none has.
    assume(methods["line"] != "table" or max(puzzle.height, puzzle.width) <= 12)
    truth = oracles.solutions(puzzle, 101)
    assume(len(truth) <= 100)
    found = board_solutions(puzzle, methods)
    assert len(found) == len(set(found))
    assert set(found) == truth


@pytest.mark.parametrize("methods", METHODS, ids=lambda methods: methods["line"])
def test_the_result_names_the_methods(methods):
    result = nonosat.solve(SWITCH, backend="cpsat", formulation=methods, presolve="none")
    assert result.verdict is nonosat.Verdict.SOLVED
    assert result.encoding == {"line": methods["line"]}  # there are no counts in one colour


# Arguments


@pytest.mark.parametrize(
    ("formulation", "message"),
    [
        (
            {"line": "booleans:magic"},
            r"is called 'line=magic' .*; there are: .*line=order",
        ),
        ({"line": "booleans:"}, r"is called 'line=' .*; there are: .*line=order"),
        ({"line": "booleans:sequential"}, r"no encoding is called 'line=sequential'"),
        ({"count": "booleans:order"}, r"no encoding is called 'count=order'.*count=ladder"),
        ({"line": "starts:3"}, r"line-starts takes no argument, found '3'"),
    ],
)
def test_wrong_arguments_are_refused_before_any_work(formulation, message):
    """Also for a puzzle that needs no engine."""
    with pytest.raises(UnsupportedError, match=message):
        nonosat.solve(mono([[1]], [[1]]), backend="cpsat", formulation=formulation)


def test_arguments_on_the_command_line(tmp_path):
    path = tmp_path / "switch.non"
    path.write_text("width 2\nheight 2\nrows\n1\n1\ncolumns\n1\n1\n")
    command = ["solve", str(path), "--backend", "cpsat", "--formulation"]
    answer = CliRunner().invoke(main, [*command, "line=booleans:automaton", "--json"])
    assert answer.exit_code == 0, answer.output
    assert '"line": "booleans:automaton"' in answer.output
    answer = CliRunner().invoke(main, [*command, "line=booleans:x"])
    assert answer.exit_code == 2
    assert "no encoding is called 'line=x' (did you mean" in answer.output


# Tables


def test_fillings_are_counted_before_they_are_listed():
    """Stars and bars are exact for open lines, an upper bound for others."""
    for num_colours, longest in ((1, 7), (2, 4)):
        for clue in oracles.clues(longest, num_colours, unknown=True):
            planes = [range(k * longest + 1, (k + 1) * longest + 1) for k in range(num_colours)]
            line = Line(tuple(planes), clue)
            number = len(list(oracles.fillings(clue, longest)))
            assert line_table.num_fillings(line, domains(line)) == number
            for constant in (TRUE, FALSE):
                known = Line(((1, constant, *planes[0][2:]), *planes[1:]), clue)
                if (found := domains(known)) is not None:
                    fillings = line_table._fillings(known, found)
                    assert len(fillings) == len(set(fillings))
                    assert 0 < len(fillings) <= line_table.num_fillings(known, found) <= number


@pytest.mark.parametrize(
    ("length", "clue", "number"),
    [
        (40, (Block(1),) * 5, "376992"),
        (30, (Block(None),) * 3, "736281"),
        (2000, (Block(1),) * 500, r"about 10\^413"),
    ],
)
def test_a_table_refuses_too_many_fillings(length, clue, number):
    line = Line((range(1, length + 1),), clue)
    message = rf"{length} cells with {len(clue)} blocks has up to {number} fillings.*at most 20000"
    with pytest.raises(UnsupportedError, match=message):
        line_table.formulate(line, Context(length))


@pytest.mark.slow
def test_a_long_line_with_little_slack_has_a_table():
    clue = (Block(1),) * 1000
    context = Context(2000)
    line_table.formulate(Line((range(1, 2001),), clue), context)
    assert len(context.model.proto.constraints[0].table.values) == 1001 * 2000


def test_a_refused_table_is_a_usage_error():
    clues = [[1] * 5] * 40
    with pytest.raises(UnsupportedError, match="use line=starts"):
        nonosat.solve(
            mono(clues, clues), backend="cpsat", formulation={"line": "table"}, presolve="none"
        )


# Statistics


def test_counters_add_up_over_the_runs():
    engine = cpsat.open_engine("cpsat", 20, 0, {})
    assert set(engine.statistics().values()) == {0}
    engine.constrain(Count(tuple(range(1, 21)), 9, 11))
    seen = engine.statistics()
    for _ in range(3):
        assert engine.solve((), Watch(Limits())) is Answer.SAT
        now = engine.statistics()
        assert now.keys() == seen.keys()
        assert all(now[name] >= seen[name] for name in now)
        assert now["deterministic_us"] > seen["deterministic_us"]
        engine.add([-v if engine.values()[v] else v for v in range(1, 21)])
        seen = now
    assert {"conflicts", "decisions", "propagations", "integer_propagations"} < seen.keys()
