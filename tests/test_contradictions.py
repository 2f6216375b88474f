"""Contradictory clues: tested against all fillings of small boards, and on typing errors."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import FrozenInstanceError, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import nonosat
from helpers.clocks import Clock
from helpers.commands import MULTIPLE, UNIQUE, UNSOLVABLE, put, records, run
from helpers.drawing import FUZZ, examples
from helpers.explained import State, assert_sound, boards
from nonosat.core.errors import LimitReached
from nonosat.core.grid import Grid
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import Block
from nonosat.core.plugins import Answer
from nonosat.core.result import Verdict
from nonosat.explain import Contradiction, Minimality, contradiction, explain, hint
from nonosat.explain.minimal_sets import SmallestMus
from nonosat.explain.nonogram import soft_constraints
from nonosat.explain.nonogram.clue_oracle import ClueOracle
from nonosat.puzzles.nonogram.data import Colour, Nonogram, from_grid, mono
from nonosat.testing import oracles
from nonosat.testing.strategies import grids, puzzles

__all__ = ["put"]

INSTANCES = Path(__file__).parent.parent / "instances"
MOST_WIDTH = 100  # for boards that an engine decides line by line at once
RED_BLUE = (Colour("red", "#ff0000"), Colour("blue", "#0000ff"))


@st.composite
def mistyped(draw: st.DrawFn) -> Nonogram:
    """Return the clues of a picture with two of them swapped, or one block of another length."""
    puzzle = from_grid(draw(grids(12, 1)))
    kind = draw(st.sampled_from(["rows", "columns"]))
    clues = list(getattr(puzzle, kind))
    one, other = (draw(st.integers(0, len(clues) - 1)) for _ in range(2))
    if one != other:
        clues[one], clues[other] = clues[other], clues[one]
    elif clues[one]:
        clues[one] = (Block(draw(st.integers(1, 4))), *clues[one][1:])
    return replace(puzzle, **{kind: tuple(clues)})


def satisfied(puzzle: Nonogram) -> list[frozenset[Any]]:
    """By filling of the board: the constraints that it satisfies, lines and given cells."""
    width = puzzle.width
    return [
        lines | {cell for cell in puzzle.given if cells[cell[0] * width + cell[1]] == cell[2]}
        for cells, lines in boards(replace(puzzle, given=()))
    ]


def assert_contradictory(found: Contradiction) -> None:
    """Check that no filling satisfies the set, and that every smaller subset has one."""
    chosen = {*found.lines, *found.cells}
    sets = satisfied(found.puzzle)
    assert not any(chosen <= one for one in sets)
    for left_out in chosen:
        assert any(chosen - {left_out} <= one for one in sets)
    if found.minimality is Minimality.SMALLEST:
        lines = range(found.puzzle.height + found.puzzle.width)
        every = {*lines, *found.puzzle.given}
        for fewer in map(set, combinations(every, len(chosen) - 1)):
            assert any(fewer <= one for one in sets)


def assert_explained(found: Contradiction) -> None:
    """Check that the steps are sound, use only the set, and end with a line without placement."""
    state = State(replace(found.puzzle, given=found.cells))
    for step in found.steps:
        assert set(step.lines) <= set(found.lines)
        assert_sound(state, step)
        state.take(step)
    if found.end.endswith("has no placement that fits the known cells."):
        assert any(state.supported(line) is None for line in found.lines)
    else:
        assert "a search finds no solution" in found.end or "; there are " in found.end


def assert_repaired(found: Contradiction) -> None:
    """Check that each repair changes one clue and yields a solution, and that none is missed."""
    clues = (*found.puzzle.rows, *found.puzzle.columns)
    for line, clue in found.repairs:
        changed = [clue if at == line else old for at, old in enumerate(clues)]
        rows, columns = changed[: found.puzzle.height], changed[found.puzzle.height :]
        mended = replace(found.puzzle, rows=tuple(rows), columns=tuple(columns))
        assert oracles.solutions(mended, limit=1)
    every = {*range(len(clues)), *found.puzzle.given}
    sets = satisfied(found.puzzle)
    single = {line for line in range(len(clues)) if any(every - {line} <= one for one in sets)}
    assert single == {line for line, _ in found.repairs}


def checked(puzzle: Nonogram) -> Contradiction:
    """Return the contradiction of a small puzzle, after comparison with the oracles."""
    found = contradiction(puzzle)
    if oracles.solutions(puzzle, limit=1):
        assert found.verdict is Verdict.SOLVED
        assert (found.lines, found.cells, found.minimality, found.end) == ((), (), None, "")
        return found
    assert found.verdict is Verdict.UNSOLVABLE
    assert found.minimality is Minimality.SMALLEST
    assert_contradictory(found)
    assert_explained(found)
    assert_repaired(found)
    return found


@given(puzzle=puzzles(max_cells=12, max_colours=1))
@examples(20)
def test_sets_are_smallest(puzzle: Nonogram) -> None:
    checked(puzzle)


@given(puzzle=mistyped())
@examples(30)
def test_sets_of_mistyped_puzzles_are_smallest(puzzle: Nonogram) -> None:
    found = checked(puzzle)
    if found.verdict is Verdict.UNSOLVABLE:  # the picture has all clues but the mistyped ones
        assert found.goal_breaks
        assert set(found.goal_breaks) & set(found.lines)


@given(puzzle=puzzles(max_cells=8, max_colours=2))
@examples(20)
def test_sets_in_colour_are_smallest(puzzle: Nonogram) -> None:
    found = checked(puzzle)
    assert Contradiction.from_data(json.loads(json.dumps(found.to_data())), puzzle) == found


@given(puzzle=puzzles(max_cells=9, max_colours=1))
@examples(10)
def test_without_proofs_sets_are_irreducible(puzzle: Nonogram) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SmallestMus, "_smallest", lambda _, upper: upper)
        found = contradiction(puzzle)
    if found.verdict is Verdict.UNSOLVABLE and len(found.lines) + len(found.cells) > 2:
        assert found.minimality is Minimality.IRREDUCIBLE
        assert "a smaller set may exist" in found.description()
        assert_contradictory(found)


# Typing errors in whole pictures


def swaps(puzzle: Nonogram, draw: random.Random, number: int) -> Iterator[tuple[str, Nonogram]]:
    """Yield the puzzle with two different row clues swapped, then with two column clues.

    In a quick run a large board has only its columns swapped: its engine takes seconds.
    """
    kinds = ("rows", "columns") if puzzle.width < MOST_WIDTH or number > 1 else ("columns",)
    for kind in kinds * number:
        clues = list(getattr(puzzle, kind))
        pairs = list(combinations(range(len(clues)), 2))
        one, other = draw.choice([pair for pair in pairs if clues[pair[0]] != clues[pair[1]]])
        clues[one], clues[other] = clues[other], clues[one]
        yield f"{kind} {one} and {other}", replace(puzzle, **{kind: tuple(clues)})


@pytest.mark.thorough
@pytest.mark.parametrize("puzzle", nonosat.load_all(INSTANCES / "pictures.jsonl"), ids=str)
def test_swapped_clues_are_found_in_pictures(puzzle: Nonogram) -> None:
    for told, swapped in swaps(puzzle, random.Random(puzzle.about.id), FUZZ):
        found = contradiction(swapped)
        if found.verdict is not Verdict.SOLVED:
            assert found.minimality in (Minimality.SMALLEST, Minimality.IRREDUCIBLE), told
            assert_thin(found)


def assert_thin(found: Contradiction) -> None:
    """Check that an engine refutes the set, and finds a board for it without any one line."""
    puzzle = replace(found.puzzle, given=(), goal=None)
    clues = (*puzzle.rows, *puzzle.columns)
    width = puzzle.width
    engine = ClueOracle(puzzle, Watch(Limits()))
    assert engine.query([engine.selectors[line] for line in found.lines]) is Answer.UNSAT
    for left_out in found.lines if width < MOST_WIDTH else ():
        kept = [line for line in found.lines if line != left_out]
        assert engine.query([engine.selectors[line] for line in kept]) is Answer.SAT
        cells = engine.cells()
        for line in kept:
            row, column = line * width, line - puzzle.height
            inside = cells[row : row + width] if column < 0 else cells[column::width]
            runs = [len(run) for run in bytes(inside).split(b"\0") if run]
            assert runs == [block.length for block in clues[line]]
    engine.close()


def test_a_repair_restores_the_intended_clue() -> None:
    puzzle = nonosat.load(INSTANCES / "pictures.jsonl#cat")
    rows = list(puzzle.rows)
    assert [block.length for block in rows[1]] == [2, 2]
    rows[1] = (Block(2), Block(3))
    found = contradiction(replace(puzzle, rows=tuple(rows)))
    assert (1, puzzle.rows[1]) in found.repairs


# Words


def test_report() -> None:
    found = contradiction(mono([[1, 1]], [[1], [], []]))
    assert found.report() == [
        "The rows fill 2 cells, the columns 1.",
        "The clues of 2 lines contradict each other; no smaller set of clues does:",
        "  row 1 (clue 1 1)",
        "  column 3 (clue 0)",
        "The contradiction, step by step:",
        "  1. Column 3 (clue 0) has no blocks, so cell 1 is empty.",
        "  Row 1 (clue 1 1) has no placement that fits the known cells.",
        "If only one clue is wrong, there is a solution with:",
        "  1 in row 1 (clue 1 1)",
        "  1 in column 3 (clue 0)",
    ]
    assert str(found) == (
        "nonogram: 1 row x 3 columns: The rows fill 2 cells, the columns 1. The clues of 2 lines "
        "contradict each other; no smaller set of clues does: row 1 (clue 1 1) and column 3 "
        "(clue 0). If only one clue is wrong, there is a solution with: 1 in row 1 (clue 1 1) and "
        "1 in column 3 (clue 0)."
    )


@pytest.mark.parametrize(
    ("puzzle", "told"),
    [
        (mono([[3], [1]], [[1], [1]]), ["Row 1 (clue 3) does not fit into 2 cells."]),
        (mono([[1]], [[1]]), ["The clues do not contradict each other."]),
        (
            mono([[1]], [[1]], given=((0, 0, 0),)),
            [
                "The clue of a line and 1 given cell contradict each other; no smaller set of "
                "clues does:",
                "  row 1 (clue 1)",
                "  cell (1, 1) given as empty",
            ],
        ),
        (
            Nonogram(
                ((Block(1, 1), Block(1, 2)),), ((Block(1, 2),), (Block(1, 1),)), colours=RED_BLUE
            ),
            [
                "The clues of 2 lines contradict each other; no smaller set of clues does:",
                "  row 1 (clue 1 red, 1 blue)",
                "  column 1 (clue 1 blue)",
            ],
        ),
        (
            mono([[None]] * 2, [[1], []]),
            [
                "The clues of 4 lines contradict each other; no smaller set of clues does:",
                "  row 1 (clue ?)",
                "  row 2 (clue ?)",
                "  column 1 (clue 1)",
                "  column 2 (clue 0)",
            ],
        ),
    ],
    ids=["too long", "solvable", "given", "coloured", "unknown lengths"],
)
def test_sets_in_words(puzzle: Nonogram, told: list[str]) -> None:
    assert contradiction(puzzle).report()[: len(told)] == told


def test_the_picture_in_the_file_identifies_the_typing_error() -> None:
    meant = from_grid(Grid(2, 2, b"\1\1\0\1"))
    typo = replace(meant, rows=((Block(2),), (Block(2),)))
    found = contradiction(typo)
    assert found.goal_breaks == (1,)
    assert found.report()[-1] == "The picture in the file has 1 in row 2 (clue 2)."
    far = replace(meant, rows=((), ()), columns=((), ()))  # solvable, but by another picture
    told = contradiction(far)
    assert told.verdict is Verdict.SOLVED
    assert told.report() == [
        "The clues do not contradict each other.",
        "The picture in the file has 2 in row 1 (clue 0).",
        "The picture in the file has 1 in row 2 (clue 0).",
        "The picture in the file has 1 in column 1 (clue 0).",
        "It differs from 1 more clue as well.",
    ]


# Data, limits, other interfaces


def test_data() -> None:
    found = contradiction(mono([[1], []], [[1], [1]], given=((0, 0, 1), (1, 1, 0))))
    data = found.to_data()
    assert Contradiction.from_data(json.loads(json.dumps(data)), found.puzzle) == found
    assert repr(found) == f"<Contradiction: {found.in_a_line()}>"
    assert (data["verdict"], data["strength"]) == ("unsolvable", "smallest")
    assert data["lines"] == [{"row": 0, "clue": "1"}, {"column": 1, "clue": "1"}] or data["lines"]
    assert {*data} >= {"given", "at_sight", "goal_breaks", "repairs", "sentence", "steps", "end"}
    with pytest.raises(FrozenInstanceError):
        found.lines = ()  # type: ignore[misc]


@pytest.mark.thorough
def test_a_limit_keeps_results_so_far(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = nonosat.load(INSTANCES / "pictures.jsonl#castle")
    rows = list(puzzle.rows)
    rows[42], rows[37] = rows[37], rows[42]
    clock.step_s = 1
    found = contradiction(replace(puzzle, rows=tuple(rows)), time_limit_s=2)
    clock.step_s = 0
    assert (found.verdict, found.reason) == (Verdict.UNKNOWN, "time limit of 2 s")
    assert found.description() == "It was not determined whether the clues contradict each other."
    questions = 0
    ask = SmallestMus._query

    def limited(self: SmallestMus, *args: Any) -> Answer:
        nonlocal questions
        questions += 1
        if questions == 3:
            raise LimitReached("time limit of 1 s")
        return ask(self, *args)

    monkeypatch.setattr(SmallestMus, "_query", limited)
    cut = contradiction(replace(puzzle, rows=tuple(rows)))
    assert cut.verdict is Verdict.UNSOLVABLE
    assert cut.minimality is Minimality.SUFFICIENT
    assert 0 < len(cut.lines) < len(rows)


def test_engines_decide_if_short_searches_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    ask = ClueOracle.query

    def refusing(self: ClueOracle, lits: list[int], budget: int | None = None) -> Answer:
        return Answer.UNKNOWN if budget == soft_constraints.CONFLICTS else ask(self, lits, budget)

    monkeypatch.setattr(ClueOracle, "query", refusing)
    assert contradiction(mono([[1]], [[1]])).verdict is Verdict.SOLVED
    found = contradiction(mono([[1], [1]], [[2], []]))
    assert found.verdict is Verdict.SOLVED
    crossed = contradiction(mono([[1], []], [[], [1]], given=((0, 0, 1),)))
    assert crossed.verdict is Verdict.UNSOLVABLE
    assert_contradictory(crossed)


def test_explain_and_hint_report_it() -> None:
    puzzle = mono([[2]], [[1], []])
    found = contradiction(puzzle)
    assert explain(puzzle).contradiction == hint(puzzle).contradiction == found
    assert explain(mono([[1]], [[1]])).contradiction is None


# check --why


def test_check_why(put: Any) -> None:
    name = put(UNSOLVABLE, MULTIPLE, UNIQUE)
    plain, told = run("check", name), run("check", name, "--why")
    assert plain.exit_code == told.exit_code == 4
    assert "does not fit" not in plain.stdout
    lines = told.stdout.splitlines()
    assert "  Row 1 (clue 3) does not fit into 2 cells." in lines
    assert sum("contradict" in line or "does not fit" in line for line in lines) == 1


def test_check_why_as_json(put: Any) -> None:
    name = put(UNSOLVABLE, UNIQUE)
    unsolvable, unique = records(run("check", name, "--why", "--json"))
    assert unsolvable["contradiction"]["lines"] == [{"row": 0, "clue": "3"}]
    assert "contradiction" not in unique
    assert "contradiction" not in records(run("check", name, "--json"))[0]


def test_check_why_of_other_families(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("queens.jsonl").write_text('{"family": "queens", "n": 3}\n')
    done = run("check", "queens.jsonl", "--why")
    assert done.exit_code == 4, done.output
    assert (
        "  3 queens on 3 x 3 squares always attack each other.\n"
        "  Even without any clue there is no solution.\n" in done.stdout
    )
