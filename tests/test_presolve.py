"""Propagate, then probe: how far it goes, what it records, and where it stops."""

from __future__ import annotations

import pytest

from nonosat.board.presolve import Task, presolved
from nonosat.errors import LimitReached
from nonosat.limits import Limits, Watch
from nonosat.model import Clause, Model
from nonosat.puzzles.nonogram import Nonogram, build, mono

EASY = mono([[2], [1]], [[2], [1]])
SWITCH = mono([[1], [1]], [[1], [1]])


def steps(puzzle: Nonogram, **how: object) -> list[tuple[str, int, bool]]:
    task = Task.of(build(puzzle))
    run = presolved(task, Watch(Limits()), **how)  # type: ignore[arg-type]  # names of arguments
    return [(done.stage.name, done.stage.decided, done.is_consistent) for done in run]


def test_it_stops_when_no_cell_is_open() -> None:
    assert steps(EASY) == [("propagate", 4, True)]


@pytest.mark.parametrize(("level", "most"), [("none", 0), ("propagate", 1), ("probe", 2)])
def test_it_goes_as_far_as_it_is_told(level: str, most: int) -> None:
    names = [("propagate", 0, True), ("probe", 0, True)]
    assert steps(SWITCH, level=level) == names[:most]


def test_it_stops_at_a_contradiction() -> None:
    assert steps(mono([[2], [2]], [[1], [1]])) == [("propagate", 0, False)]


def test_given_cells_count_as_decided_by_propagation() -> None:
    given = Nonogram(SWITCH.rows, SWITCH.columns, given=((0, 0, 1),))
    assert steps(given) == [("propagate", 4, True)]


def test_what_was_tried_is_recorded() -> None:
    *_, last = presolved(Task.of(build(SWITCH)), Watch(Limits()))
    assert last.stage.detail["probes"] > 0


def test_building_counts_where_its_start_is_given() -> None:
    task = Task.of(build(EASY))
    (done,) = presolved(task, Watch(Limits()), started=-1e6)
    assert done.stage.seconds > 1e6


def test_models_without_a_board_pass() -> None:
    task = Task.of(Model(1, clauses=(Clause((1,)),)))
    assert list(presolved(task, Watch(Limits()))) == []


def test_a_limit_ends_it() -> None:
    with pytest.raises(LimitReached, match="memory limit of 1 MiB"):
        list(presolved(Task.of(build(SWITCH)), Watch(Limits(memory_mib=1))))
