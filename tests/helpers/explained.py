"""Soundness of the steps of an explanation, judged by the tests' own oracles.

A line argument is compared with `oracles.line_support`, a chain is replayed link by link, and a
step that only a search confirms is checked by solving with the opposite given.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product

import nonosat
from nonosat.core.grid import UNKNOWN
from nonosat.explain import Explanation, Step
from nonosat.explain.nonogram.step import Best
from nonosat.puzzles.nonogram.data import Nonogram
from nonosat.testing import oracles

NEVER = -(10**9)  # points of a line without filling; all prices of a table are far smaller
ONE_LINE = {"empty clue", "ranges", "all there", "overlap", "splitting", "complete line"}


class State:
    """Possible values of each cell, as sets."""

    def __init__(self, puzzle: Nonogram) -> None:
        self.puzzle = puzzle
        every = frozenset(range(len(puzzle.colours) + 1))
        self.may = {
            (row, column): every for row in range(puzzle.height) for column in range(puzzle.width)
        }
        for row, column, value in puzzle.given:
            self.may[row, column] = frozenset([value])

    def copy(self) -> State:
        other = State.__new__(State)
        other.puzzle, other.may = self.puzzle, dict(self.may)
        return other

    def places(self, line: int) -> list[tuple[int, int]]:
        height, width = self.puzzle.height, self.puzzle.width
        if line < height:
            return [(line, column) for column in range(width)]
        return [(row, line - height) for row in range(height)]

    def supported(self, line: int) -> dict[tuple[int, int], frozenset[int]] | None:
        """Return the values of a line's cells that some filling of its clue supports."""
        places = self.places(line)
        clue = (*self.puzzle.rows, *self.puzzle.columns)[line]
        found = oracles.line_support(clue, [self.may[place] for place in places])
        return None if found is None else dict(zip(places, found.values, strict=True))

    def fixpoint(self) -> bool:
        """Propagate lines until nothing changes; return True if all can be completed."""
        while True:
            before = dict(self.may)
            for line in range(self.puzzle.height + self.puzzle.width):
                left = self.supported(line)
                if left is None:
                    return False
                self.may |= left
            if before == self.may:
                return True

    def take(self, step: Step) -> None:
        """Apply the step."""
        for row, column, value in step.settled:
            self.may[row, column] = frozenset([value])
        for row, column, value in step.ruled_out:
            self.may[row, column] -= {value}


def assert_sound(state: State, step: Step) -> None:
    """Check that the step follows from the state and is new."""
    news = [(row, column, {value}) for row, column, value in step.settled]
    news += [(r, c, state.may[r, c] - {value}) for r, c, value in step.ruled_out]
    assert news, step
    for row, column, left in news:
        assert left < state.may[row, column], step
    if step.technique in ONE_LINE:
        assert len(step.lines) == 1
        supported = state.supported(step.lines[0])
        assert supported is not None
        for row, column, left in news:
            assert supported[row, column] <= left, step
    elif step.chain:
        _assert_refuted(state, step)
    elif step.technique == "either way":
        _assert_either_way(state, step)
    elif step.technique == "prices":
        assert_paid(state, step)
    else:
        assert step.technique == "guess"
        _assert_confirmed(state, step)


def _assert_refuted(state: State, step: Step) -> None:
    """Check that the chain leads from the assumption to a line that cannot be completed."""
    assert step.assumed is not None
    row, column, value = step.assumed
    left = state.may[row, column] - {value}
    claims = {(r, c): {v} for r, c, v in step.settled}
    claims |= {(r, c): state.may[r, c] - {v} for r, c, v in step.ruled_out}
    assert claims == {(row, column): left}
    trial = state.copy()
    trial.may[row, column] = frozenset([value])
    *links, last = step.chain
    for link in links:
        supported = trial.supported(link.line)
        assert supported is not None
        for r, c, gone in link.rules_out:
            assert gone not in supported[r, c], step
            trial.may[r, c] -= {gone}
    assert last.rules_out == ()
    assert trial.supported(last.line) is None, step
    assert {link.line for link in step.chain} == set(step.lines)


def _assert_either_way(state: State, step: Step) -> None:
    assert step.assumed is not None
    row, column, _ = step.assumed
    for value in state.may[row, column]:
        trial = state.copy()
        trial.may[row, column] = frozenset([value])
        if trial.fixpoint():
            assert all(trial.may[r, c] == {v} for r, c, v in step.settled), step


def assert_paid(state: State, step: Step) -> None:
    """Check that the prices imply the step, by all fillings of every line that has some."""
    assert step.prices is not None
    prices = {(row, column, value): price for row, column, value, price in step.prices.prices}
    assert len(prices) == len(step.prices.prices)
    assert all(prices.values())
    assert all(value in state.may[row, column] for row, column, value in prices)
    height = state.puzzle.height
    assert set(step.lines) == {at for row, column, _ in prices for at in (row, height + column)}
    amounts = {own.line: own for own in step.prices.best}
    totals = {True: 0, False: 0}  # maximum income of rows, and maximum payment of columns
    losses: Counter[tuple[int, int, int]] = Counter()
    for line in step.lines:
        is_row = line < height
        best, with_value = _earnings(state, line, prices, 1 if is_row else -1)
        totals[is_row] += best if is_row else -best
        for cell, points in with_value.items():
            losses[cell] += best - points
        own = amounts.pop(line)
        assert own.amount == (best if is_row else -best)
        assert own.amount == _sum_of(state, own, prices)
    assert not amounts
    assert (totals[True], totals[False]) == (step.prices.earned, step.prices.paid)
    slack = step.prices.earned - step.prices.paid
    gone = {(r, c, v) for r, c, kept in step.settled for v in state.may[r, c] - {kept}}
    for cell in gone | set(step.ruled_out):
        assert losses[cell] > slack, (cell, step.sentence)


def _sum_of(state: State, own: Best, prices: dict[tuple[int, int, int], int]) -> int:
    """Return the sum of the prices of a filling of the line's clue that agrees with the known
    cells.
    """
    places = state.places(own.line)
    clue = (*state.puzzle.rows, *state.puzzle.columns)[own.line]
    assert oracles.agrees(own.filling, [state.may[place] for place in places])
    assert any(bytes(cells) == own.filling for cells in oracles.fillings(clue, len(places)))
    chosen = zip(places, own.filling, strict=True)
    return sum(prices.get((*place, value), 0) for place, value in chosen)


def _earnings(
    state: State, line: int, prices: dict[tuple[int, int, int], int], sign: int
) -> tuple[int, dict[tuple[int, int, int], int]]:
    """Return the highest price of a filling of a line, and of one with each value of a cell."""
    places = state.places(line)
    clue = (*state.puzzle.rows, *state.puzzle.columns)[line]
    known = [state.may[place] for place in places]
    with_value = {(*place, value): NEVER for place in places for value in state.may[place]}
    best = NEVER
    for cells in oracles.fillings(clue, len(places)):
        if oracles.agrees(cells, known):
            chosen = [(*place, value) for place, value in zip(places, cells, strict=True)]
            points = sign * sum(prices.get(cell, 0) for cell in chosen)
            best = max(best, points)
            with_value |= {cell: max(with_value[cell], points) for cell in chosen}
    return best, with_value


def _assert_confirmed(state: State, step: Step) -> None:
    """Check that there is no solution with the opposite given."""
    (row, column, value), *others = step.settled
    assert not others
    known = [(*place, *values) for place, values in state.may.items() if len(values) == 1]
    for other in state.may[row, column] - {value}:
        given = (*known, (row, column, other))
        opposite = replace(state.puzzle, given=given, goal=None)
        assert nonosat.solve(opposite).verdict is nonosat.Verdict.UNSOLVABLE, step


def assert_explained(found: Explanation) -> None:
    """Check that every step is sound, and that together they lead to the grid."""
    state = State(found.puzzle)
    for step in found.steps:
        assert_sound(state, step)
        state.take(step)
    cells = [next(iter(values)) if len(values) == 1 else UNKNOWN for values in state.may.values()]
    assert bytes(cells) == found.grid.cells


def boards(puzzle: Nonogram) -> list[tuple[bytes, frozenset[int]]]:
    """Fillings of the board that contain the given cells, each with the lines that it satisfies."""
    height, width = puzzle.height, puzzle.width
    values = range(len(puzzle.colours) + 1)
    known = {row * width + column: value for row, column, value in puzzle.given}
    found = []
    for cells in map(bytes, product(values, repeat=height * width)):
        if all(cells[place] == value for place, value in known.items()):
            rows = [cells[at : at + width] for at in range(0, len(cells), width)]
            lines = [*rows, *(cells[at::width] for at in range(width))]
            clues = (*puzzle.rows, *puzzle.columns)
            holds = [oracles.matches(*pair) for pair in zip(clues, lines, strict=True)]
            found.append((cells, frozenset(at for at, is_true in enumerate(holds) if is_true)))
    return found
