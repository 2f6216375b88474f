"""Presolve, by propagation and probing: its levels, records, and ends."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from nonosat.board import presolve
from nonosat.board.presolve import OPEN, PresolvedModel, Rectangle, presolved, rectangle
from nonosat.core.errors import LimitReached
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import FALSE, TRUE, Block, Clause, Count, Loop, Model
from nonosat.puzzles.nonogram import Colour, Nonogram, build, mono

EASY = mono([[2], [1]], [[2], [1]])
SWITCH = mono([[1], [1]], [[1], [1]])
EITHER = (Block(None, 1), Block(None, 2))
INKS = (Colour("a", "#aa0000"), Colour("b", "#0000bb"))
COLOURED = Nonogram((EITHER, EITHER), (EITHER, EITHER), colours=INKS)


def steps(puzzle: Nonogram, **how: object) -> list[tuple[str, int, bool]]:
    task = PresolvedModel.of(build(puzzle))
    run = presolved(task, Watch(Limits()), **how)  # type: ignore[arg-type]  # names of arguments
    return [(done.stage.name, done.stage.decided, done.is_consistent) for done in run]


def test_it_stops_when_no_cell_is_open() -> None:
    assert steps(EASY) == [("propagate", 4, True)]


@pytest.mark.parametrize(("level", "most"), [("none", 0), ("propagate", 1), ("probe", 2)])
def test_it_stops_at_the_requested_level(level: str, most: int) -> None:
    names = [("propagate", 0, True), ("probe", 0, True)]
    assert steps(SWITCH, level=level) == names[:most]


def test_it_stops_at_a_contradiction() -> None:
    assert steps(mono([[2], [2]], [[1], [1]])) == [("propagate", 0, False)]


def test_given_cells_count_as_decided_by_propagation() -> None:
    given = Nonogram(SWITCH.rows, SWITCH.columns, given=((0, 0, 1),))
    assert steps(given) == [("propagate", 4, True)]


def test_steps_are_recorded() -> None:
    *_, last = presolved(PresolvedModel.of(build(SWITCH)), Watch(Limits()))
    assert last.stage.detail["probes"] > 0


def test_building_counts_if_its_start_is_given() -> None:
    task = PresolvedModel.of(build(EASY))
    (done,) = presolved(task, Watch(Limits()), started=-1e6)
    assert done.stage.seconds > 1e6


def test_models_without_a_board_pass() -> None:
    task = PresolvedModel.of(Model(1, clauses=(Clause((1,)),)))
    assert list(presolved(task, Watch(Limits()))) == []


def test_a_limit_ends_it() -> None:
    with pytest.raises(LimitReached, match="memory limit of 1 MiB"):
        list(presolved(PresolvedModel.of(build(SWITCH)), Watch(Limits(memory_mib=1))))


def test_the_shape_of_a_board():
    shape = Rectangle(2, 3, 2)
    assert shape.size == 6
    cells = range(6)
    lines = [[*cells[shape.span(line)]] for line in range(5)]
    assert lines == [[0, 1, 2], [3, 4, 5], [0, 3], [1, 4], [2, 5]]
    places = [(cell, colour) for colour in (1, 2) for cell in cells]
    assert [shape.place(lit) for lit in range(1, 13)] == places
    assert [shape.place(-lit) for lit in range(1, 13)] == places
    assert shape.values(bytes([0, 1, 2, OPEN, 2, 1])) == bytes(
        [0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0]
    )


def test_only_a_rectangle_alone_has_a_board():
    model = build(COLOURED)
    assert rectangle(model) == Rectangle(2, 2, 2)
    assert rectangle(replace(model, clauses=(Clause((1,)), Clause((-2,))))) is not None
    assert rectangle(replace(model, clauses=(Clause((1, 2)),))) is None
    assert rectangle(replace(model, num_vars=9)) is None
    assert rectangle(replace(model, counts=())) is None
    assert rectangle(replace(model, loops=(Loop(3, ((0, 1, 1),)),))) is None
    assert rectangle(replace(model, lines=tuple(model.lines))) is None


def test_unit_clauses_are_on_the_board():
    model = replace(build(COLOURED), clauses=(Clause((1,)), Clause((-6,))))
    board = PresolvedModel.of(model).board
    assert [*zip(*(board.plane(value) for value in range(3)), strict=True)] == [
        (0, 1, 0),
        (1, 1, 0),
        (1, 1, 1),
        (1, 1, 1),
    ]


def test_open_cells():
    task = PresolvedModel.of(build(Nonogram(SWITCH.rows, SWITCH.columns, given=((0, 0, 1),))))
    assert task.num_open() == 3
    assert task.values() == b"\0\1\0\0\0"
    assert task.values(b"\1\0\0\1") == b"\0\1\0\0\1"
    without = PresolvedModel.of(Model(1))
    assert without.num_open() == 0
    assert without.propagate(Watch(Limits()))
    with pytest.raises(ValueError, match="without a board has no cells"):
        without.values()


def test_a_model_without_a_board_stays_as_it_is():
    model = Model(2, clauses=(Clause((1, 2)),))
    reduced = PresolvedModel.of(model).reduce()
    assert reduced.model is model
    assert [*reduced.origin] == [0, 1, 2]
    assert reduced.known == b"\0\0\0"
    assert reduced.lift(b"\0\1\0") == b"\0\1\0"
    assert reduced.restrict(b"\0\1\0") == [1, -2]


def test_a_model_over_open_cells():
    """One filled and one coloured cell are given; the rest is renumbered, plane by plane."""
    model = replace(build(COLOURED), clauses=(Clause((1,)), Clause((-6,))))
    task = PresolvedModel.of(model)
    reduced = task.reduce(propagated=False)
    assert reduced.origin == (0, 2, 3, 4, 7, 8)
    assert reduced.known == bytes([0, 1, 0, 0, 0, 0, 0, 0, 0])
    rows = [line.cells for line in reduced.model.lines[:2]]
    assert [[list(plane) for plane in cells] for cells in rows] == [
        [[TRUE, 1], [FALSE, FALSE]],
        [[2, 3], [4, 5]],
    ]
    assert [line.blocks for line in reduced.model.lines] == [line.blocks for line in model.lines]
    assert list(reduced.model.counts) == [Count((2, 4), 0, 1), Count((3, 5), 0, 1)]
    assert reduced.model.num_vars == 5
    assert reduced.lift(bytes([0, 0, 1, 0, 0, 1])) == bytes([0, 1, 0, 1, 0, 0, 0, 0, 1])
    assert reduced.restrict(bytes([0, 1, 0, 1, 0, 0, 0, 0, 1])) == [-1, 2, -3, -4, 5]


def test_filled_cells_of_an_open_colour_are_known():
    task = PresolvedModel.of(build(COLOURED))
    task.board.remove(0, 0)
    task.board.remove(3, 2)
    reduced = task.reduce(propagated=False)
    first, *_, last = reduced.model.lines
    assert (first.filled, last.filled) == ({0}, frozenset())
    assert next(iter(reduced.model.counts)) == Count((1, 5), 1, 1)
    assert [*map(len, (each.lits for each in reduced.model.counts))] == [2, 2, 2]


def test_lines_without_open_cells_are_left_out_at_a_fixpoint():
    puzzle = mono([[1], [1], []], [[1], [1]])
    task = PresolvedModel.of(build(puzzle))
    assert task.propagate(Watch(Limits()))
    assert task.num_open() == 4
    assert [len(line) for line in task.reduce().model.lines] == [2, 2, 3, 3]
    assert len(task.reduce(propagated=False).model.lines) == 5
    assert all(line.filled == frozenset() for line in task.reduce().model.lines)


def test_pauses_end_the_work():
    class EndedError(Exception):
        pass

    def pause() -> None:
        raise EndedError

    task = PresolvedModel.of(build(SWITCH))
    with pytest.raises(EndedError):
        task.reduce(pause)


def test_there_are_pauses_between_cells_and_between_lines():
    pauses = []
    PresolvedModel.of(build(SWITCH)).reduce(lambda: pauses.append(1))
    assert len(pauses) > 4  # it has four lines


def test_the_reason_of_a_contradiction():
    (found,) = presolved(PresolvedModel.of(build(mono([[2], [2]], [[1], [1]]))), Watch(Limits()))
    assert found.reason
    (found,) = presolved(PresolvedModel.of(build(EASY)), Watch(Limits()))
    assert found.reason == ""


def test_an_ended_watch_ends_propagation_and_probing():
    for work in (lambda task, watch: task.propagate(watch), lambda task, watch: task.probe(watch)):
        task = PresolvedModel.of(build(mono([[1]] * 30, [[1]] * 30)))
        with pytest.raises(LimitReached, match="time limit"):
            work(task, Watch(Limits(time_s=1e-9)))


def test_a_contradiction_of_probing_is_explained_by_its_last_deduction(monkeypatch):
    prober = SimpleNamespace(num_probes=7, lessons=["first", "second", "last"])
    monkeypatch.setattr(PresolvedModel, "probe", lambda *_: (False, prober))
    monkeypatch.setattr(presolve, "of_cell", lambda board, lines, lesson, *_: lesson)
    _, found = presolved(PresolvedModel.of(build(SWITCH)), Watch(Limits()))
    assert not found.is_consistent
    assert found.reason == "last"
    assert found.stage.decided == 0
    assert found.stage.detail == {"probes": 7}
