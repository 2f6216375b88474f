"""Look-ahead on a board: consequences of assumptions equal those of the tests' line oracle."""

from __future__ import annotations

import pytest
from hypothesis import given

from helpers.drawing import examples
from helpers.explained import State
from nonosat import _core, generate_nonogram
from nonosat.core.grid import UNKNOWN
from nonosat.explain.nonogram.words import Words
from nonosat.puzzles.nonogram.data import Nonogram, mono
from nonosat.testing.strategies import puzzles

Pair = tuple[int, int]


def board_of(puzzle: Nonogram) -> _core.Board:
    """Board with the given cells, not propagated."""
    rows, columns = (
        [[(block.length, block.colour) for block in clue] for clue in clues]
        for clues in (puzzle.rows, puzzle.columns)
    )
    board = _core.Board(len(puzzle.colours), rows, columns)
    for row, column, value in puzzle.given:
        board.assign(row * puzzle.width + column, value)
    return board


def outcome(state: State, place: Pair, value: int) -> State | None:
    """State after an assumption, None if it is refuted."""
    trial = state.copy()
    trial.may[place] = frozenset([value])
    return trial if trial.fixpoint() else None


def num_pairs(state: State) -> int:
    return sum(len(values) for values in state.may.values())


def agreed(state: State, outcomes: list[State]) -> list[Pair]:
    """Cells in row-major order that were open and have the same value after both assumptions."""
    found = []
    for at, (place, values) in enumerate(sorted(state.may.items())):
        after = {other.may[place] for other in outcomes}
        if len(values) > 1 and len(after) == 1 and len(left := next(iter(after))) == 1:
            found.append((at, *left))
    return found


@pytest.mark.slow
@given(puzzle=puzzles(max_cells=25, max_colours=3))
@examples(45)
def test_outlooks(puzzle: Nonogram) -> None:
    state, board = State(puzzle), board_of(puzzle)
    if not board.propagate():
        assert not state.fixpoint()
        return
    assert state.fixpoint()
    before = board.cells()
    refuted, kept, either = [], [], None
    for at, (place, values) in enumerate(sorted(state.may.items())):
        if len(values) < 2:
            continue
        after = {value: outcome(state, place, value) for value in sorted(values)}
        refuted += [(at, value) for value, trial in after.items() if trial is None]
        alive = {value: trial for value, trial in after.items() if trial is not None}
        kept += [(at, v, num_pairs(state) - num_pairs(trial)) for v, trial in alive.items()]
        if either is None and (common := agreed(state, list(alive.values()))):
            either = at, common
    found = _core.look_ahead(board, 10**6)
    assert found is not None
    assert (found.refuted, found.open) == (refuted, kept)
    assert found.either == (None if refuted else either)
    assert board.cells() == before


def test_the_call_ends_after_enough_refutations() -> None:
    """The call ends with the cell at which so many are refuted."""
    puzzle = mono([[1, 1], [2], [1, 1], [2]], [[1, 1], [2], [1, 1], [2]])
    board = board_of(puzzle)
    assert board.propagate()
    everything = _core.look_ahead(board, 10**6)
    few = _core.look_ahead(board, 1)
    assert everything is not None
    assert few is not None
    assert 0 < len(few.refuted) < len(everything.refuted)
    assert few.refuted == everything.refuted[: len(few.refuted)]


def test_complete_boards_have_no_outlook() -> None:
    board = board_of(mono([[1], []], [[1], []]))
    assert board.propagate()
    assert UNKNOWN not in board.cells()
    found = _core.look_ahead(board, 1)
    assert found is not None
    assert (found.refuted, found.open, found.either) == ([], [], None)


def test_it_can_be_stopped() -> None:
    side = 200
    board = board_of(mono([[1] * 20] * side, [[1] * 20] * side))
    assert board.propagate()
    assert _core.look_ahead(board, 1, remaining_s=0.0) is None

    def interrupt() -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _core.look_ahead(board, 1, poll=interrupt)
    assert board.propagate()


def explained(puzzle: Nonogram, first_s: float | None) -> tuple[list[object], int]:
    """Steps of an explanation in slices, which double until a step is found; number of stops."""
    board, num_stops = board_of(puzzle), 0
    explainer = _core.Explainer(board, Words(puzzle).native, [], 8, False)
    steps: list[object] = []
    while True:
        slice_s = first_s
        while (found := explainer.next(slice_s)) is None:
            assert slice_s is not None
            slice_s, num_stops = 2 * slice_s, num_stops + 1
        if found[0] is None:
            return [*steps, explainer.assumptions], num_stops
        steps.append(found[0])


def test_a_stopped_explanation_continues() -> None:
    """Its steps are those of one that is never stopped."""
    puzzle = generate_nonogram(20, 20, seed=3, unique=False)
    steps, _ = explained(puzzle, None)
    in_slices, num_stops = explained(puzzle, 1e-6)
    assert in_slices == steps
    assert num_stops
