"""Reasons of a cell's value: the sets of lines imply it, and no smaller or thinner ones do."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import nonosat
from helpers.clocks import Clock
from helpers.drawing import examples
from helpers.explained import State, assert_sound, boards
from helpers.processes import PATIENCE_S, interruptible
from nonosat.core.errors import LimitReached, UnsupportedError
from nonosat.core.limits import Limits, Watch
from nonosat.core.plugins import Answer
from nonosat.core.result import Verdict
from nonosat.explain import Minimality, Reason, minimal_sets, reason
from nonosat.explain.minimal_sets import decided
from nonosat.explain.nonogram import reasons
from nonosat.explain.nonogram.clue_oracle import ClueOracle
from nonosat.puzzles.nonogram.data import Nonogram, mono
from nonosat.solving.oracle import Oracle
from nonosat.testing import oracles
from nonosat.testing.strategies import puzzles

INSTANCES = Path(__file__).parent.parent / "instances"


def least(puzzle: Nonogram, place: int, value: int) -> int:
    """Return the size of the smallest set of lines that forces the cell, by trying all sets."""
    others = {lines for cells, lines in boards(puzzle) if cells[place] != value}
    every = range(puzzle.height + puzzle.width)
    for size in range(len(every) + 1):
        for chosen in map(set, combinations(every, size)):
            if not any(chosen <= lines for lines in others):
                return size
    raise AssertionError("the clues do not force the cell")


def assert_explained(found: Reason) -> None:
    """Check that the steps are sound, use no other lines, and decide the cell."""
    state = State(found.puzzle)
    for step in found.steps:
        assert set(step.lines) <= set(found.lines)
        if step.technique != "guess":
            assert_sound(state, step)
        state.take(step)
    assert state.may[found.row, found.column] == {found.value}


@pytest.mark.slow
@given(puzzle=puzzles(max_cells=12, max_colours=2), data=st.data())
@examples(40)
def test_sets_are_smallest(puzzle: Nonogram, data: st.DataObject) -> None:
    row = data.draw(st.integers(0, puzzle.height - 1))
    column = data.draw(st.integers(0, puzzle.width - 1))
    found = reason(puzzle, row, column)
    values = {cells[row * puzzle.width + column] for cells in oracles.solutions(puzzle)}
    if len(values) == 1:
        assert {found.value} == values
        assert found.verdict is Verdict.UNIQUE
        assert found.minimality is Minimality.SMALLEST
        assert len(found.lines) == least(puzzle, row * puzzle.width + column, found.value or 0)
        assert_explained(found)
    else:
        assert found.verdict is (Verdict.MULTIPLE if values else Verdict.UNSOLVABLE)
        assert (found.value, found.lines, found.minimality) == (None, (), None)


@pytest.mark.parametrize(
    ("name", "row", "column", "size"),
    [
        ("pictures.jsonl#heart", 2, 9, 1),
        ("pictures.jsonl#cat", 4, 18, 6),
        ("pictures.jsonl#smile", 4, 1, 4),
        ("colour.jsonl#fish", 5, 5, None),
        ("hard.jsonl#steps-4", 4, 4, None),
    ],
)
def test_bundled_puzzles(name: str, row: int, column: int, size: int | None) -> None:
    puzzle = nonosat.load(INSTANCES / name)
    found = reason(puzzle, row, column)
    solution = nonosat.check(puzzle).solution
    assert solution is not None
    assert found.value == solution[row, column]
    assert size in (None, len(found.lines))
    assert_thin(found)
    assert_explained(found)


def assert_thin(found: Reason) -> None:
    """Check that without any one line some board satisfies the others and not the value."""
    puzzle = found.puzzle
    clues = (*puzzle.rows, *puzzle.columns)
    engine = ClueOracle(puzzle, Watch(Limits()))
    place = found.row * puzzle.width + found.column
    otherwise = engine.is_not(place, found.value or 0)
    for left_out in found.lines:
        kept = [line for line in found.lines if line != left_out]
        lits = [engine.selectors[line] for line in kept]
        assert engine.query([*lits, otherwise]) is Answer.SAT
        cells = engine.cells()
        assert cells[place] != found.value
        for line in kept:
            span = State(puzzle).places(line)
            assert oracles.matches(clues[line], [cells[r * puzzle.width + c] for r, c in span])
    engine.close()


def test_large_sets_are_irreducible() -> None:
    """Eighteen lines or so, which are not proven to be the fewest."""
    found = reason(nonosat.load(INSTANCES / "pictures.jsonl#whale"), 2, 8)
    assert found.minimality is Minimality.IRREDUCIBLE
    assert len(found.lines) > minimal_sets.MOST_PROVEN
    assert "none of them can be left out, though a smaller set may exist" in found.sentence
    assert_thin(found)
    assert_explained(found)


@given(puzzle=puzzles(max_cells=12, max_colours=3), data=st.data())
@examples(40)
def test_without_searches_the_engines_decide(puzzle: Nonogram, data: st.DataObject) -> None:
    row = data.draw(st.integers(0, puzzle.height - 1))
    column = data.draw(st.integers(0, puzzle.width - 1))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ClueOracle, "query", refusing(ClueOracle.query))
        found = reason(puzzle, row, column)
    values = {cells[row * puzzle.width + column] for cells in oracles.solutions(puzzle)}
    verdicts = (Verdict.UNSOLVABLE, Verdict.UNIQUE, Verdict.MULTIPLE)
    if found.is_sure:
        assert found.verdict is verdicts[min(2, len(values))]
    else:  # one value was left from the start
        assert (row, column, found.value) in puzzle.given
        assert values <= {found.value}


def refusing(ask: Callable[..., Answer]) -> Callable[..., Answer]:
    """Queries with few conflicts return no result."""

    def asked(self: ClueOracle, lits: list[int], budget: int | None = None) -> Answer:
        return Answer.UNKNOWN if budget in reasons.CONFLICTS else ask(self, lits, budget)

    return asked


def test_budget_is_admitted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without conflicts left a set is only sufficient, and reported as such."""
    monkeypatch.setattr(minimal_sets, "WORK", 1)
    puzzle = nonosat.load(INSTANCES / "random.jsonl#random-20-21")
    found = reason(puzzle, 0, 0)
    assert found.minimality is Minimality.SUFFICIENT
    assert "was not determined" in found.sentence
    engine = ClueOracle(puzzle, Watch(Limits()))
    lits = [engine.selectors[line] for line in found.lines]
    assert engine.query([*lits, engine.is_not(0, found.value or 0)]) is Answer.UNSAT
    engine.close()


def test_sentences() -> None:
    puzzle = mono([[1], [1]], [[1], [1]], given=((0, 0, 1),))
    assert reason(puzzle, 0, 0).sentence == "Cell (1, 1) is given as filled."
    alone = reason(puzzle, 0, 1)
    assert alone.sentence == "Cell (1, 2) is empty because the clue of row 1 (clue 1) forces it."
    both = reason(puzzle, 1, 1)
    assert both.sentence == (
        "Cell (2, 2) is filled because the clues of these 2 lines force it: row 2 and column 1; "
        "no smaller set of lines does."
    )
    assert [step.technique for step in both.steps] == ["all there", "all there"]
    switch = mono([[1], [1]], [[1], [1]])
    told = "Cell (2, 1) has different values in two solutions, so no clues force it."
    assert reason(switch, 1, 0).sentence == told
    assert reason(mono([[2]], [[1], []]), 0, 1).sentence == "The puzzle has no solution."


def test_limit_is_reported(clock: Clock) -> None:
    clock.step_s = 0.02
    found = reason(nonosat.load(INSTANCES / "domino.jsonl#domino-20"), 3, 3, time_limit_s=0.2)
    assert (found.verdict, found.sentence) == (Verdict.UNKNOWN, "Time limit of 0.2 s.")


class Stubborn:
    """Engine that never ends by itself; records the budgets that it receives."""

    def __init__(self) -> None:
        self.budgets: list[int | None] = []

    def solve(self, _lits: object, _watch: Watch, budget: int | None = None) -> Answer:
        self.budgets.append(budget)
        return Answer.UNKNOWN


def test_engine_is_called_in_slices(clock: Clock) -> None:
    """It does not poll the watch, so it never gets an unlimited budget."""
    clock.step_s = 0.001
    engine: Any = Stubborn()
    oracle = Oracle("stubborn", engine, 0, Watch(Limits()))
    assert decided(oracle, (), 1200) is Answer.UNKNOWN
    assert engine.budgets == [500, 500, 200]
    with pytest.raises(LimitReached, match=r"time limit of 0\.01 s"):
        decided(Oracle("stubborn", engine, 0, Watch(Limits(time_s=0.01))), ())
    assert set(engine.budgets[3:]) == {500}
    asked = len(engine.budgets)
    with pytest.raises(LimitReached):
        decided(Oracle("stubborn", engine, 0, Watch(Limits(time_s=1e-9))), ())
    assert len(engine.budgets) == asked  # however easy the query


def test_search_is_interrupted() -> None:
    """Ctrl-C during a search raises KeyboardInterrupt, and leaves the engine usable."""
    program = """
import sys
from time import monotonic
import nonosat
from nonosat.core import hooks
from nonosat.explain.nonogram.clue_oracle import ClueOracle
from nonosat.core.limits import Limits, Watch
asker = ClueOracle(nonosat.load(sys.argv[1]), Watch(Limits(time_s=1e6)))
asker.query(asker.selectors, 1)
readings = []

def clock():
    readings.append(1)
    if len(readings) == 5:
        print("begun", flush=True)
    return monotonic()

hooks.clock = clock
try:
    asker.query(asker.selectors)
except KeyboardInterrupt:
    asker.close()
    print("interrupted")
"""
    hard = str(INSTANCES / "domino.jsonl#domino-20")
    with interruptible():
        process = subprocess.Popen(
            [sys.executable, "-c", program, hard], stdout=subprocess.PIPE, text=True
        )
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=PATIENCE_S)[0] == "interrupted\n"
    assert process.returncode == 0


def test_cell_outside_is_refused() -> None:
    with pytest.raises(UnsupportedError, match=r"outside the board of 1 rows and 2 columns"):
        reason(mono([[1]], [[1], []]), 0, 2)
