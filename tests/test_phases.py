"""Phases from beliefs: each variable gets the literal that agrees with them."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from itertools import groupby
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from helpers.believing import found_of, known_of, small_tasks, task_of
from helpers.drawing import examples
from nonosat.board.beliefs import Beliefs, Settings, phases
from nonosat.board.presolve import PresolvedModel
from nonosat.clauses.cnf import Cnf, split
from nonosat.encodings import line_order
from nonosat.puzzles.nonogram import Nonogram, build, mono
from nonosat.testing.oracles import line_support, solutions


class Certain:
    """Replacement of native beliefs: every line is certain to be as in one solution."""

    def __init__(self, puzzle: Nonogram, task: PresolvedModel, solution: bytes) -> None:
        self.lines = [*puzzle.rows, *puzzle.columns]
        self.task, self.solution = task, solution

    def blocks(self, index: int) -> list[Any]:
        assert self.task.shape is not None
        cells = self.solution[self.task.shape.span(index)]
        support = line_support(self.lines[index], known_of(self.task)[self.task.shape.span(index)])
        assert support is not None
        found = []
        at = 0
        for block, starts, ends in zip(
            self.lines[index], support.starts, support.ends, strict=True
        ):
            start = next(i for i in range(at, len(cells)) if cells[i])
            at = start + len(list(next(groupby(cells[start:]))[1]))
            found.append((self.by(starts, start), self.by(() if block.length else ends, at - 1)))
        return found

    def likely_bounds(self, index: int) -> bytes:
        bounds = (started[:-1] for block in self.blocks(index) for _, started in block)
        return bytes(share > 0.5 for shares in bounds for share in shares)

    @staticmethod
    def by(places: Iterable[int], truth: int) -> tuple[list[int], list[float]]:
        return sorted(places), [float(place >= truth) for place in sorted(places)]


@examples(35)
@given(small_tasks(), st.booleans())
def test_phases_of_a_certain_solution_satisfy_all_clauses(
    drawn: tuple[Nonogram, PresolvedModel], propagated: bool
) -> None:
    """Therefore every variable gets the literal that agrees: cells and bounds of blocks."""
    puzzle, task = drawn
    solution = min(solutions(puzzle), default=None)
    if not propagated:
        task = PresolvedModel.of(build(puzzle))
    assert task.shape is not None
    reduced = task.reduce(propagated=propagated)
    sink = Cnf(reduced.model.num_vars)
    firsts = []
    for each in reduced.model.lines:
        firsts.append(sink.num_vars + 1)
        line_order.encode(each, sink)
    if solution is None:
        assert len(phases(found_of(task, rounds=1), reduced)) == reduced.model.num_vars
        return
    planes = tuple(
        memoryview(array("d", [float(cell == value) for cell in solution]))
        for value in range(task.shape.num_colours + 1)
    )
    core: Any = Certain(puzzle, task, solution)  # the part of the native beliefs that it needs
    certain = Beliefs(task.shape, Settings(), planes, 0.0, core)
    lits = phases(certain, reduced, line_order.phases, firsts)
    assert list(map(abs, lits)) == list(range(1, sink.num_vars + 1))
    assert lits[: reduced.model.num_vars] == reduced.restrict(task.shape.values(solution))
    assert all(set(clause) & set(lits) for clause in split(sink.buffer))


def test_phases_follow_the_likelier_side() -> None:
    assert line_order.phases(10, b"\0\1\0\1") == [-10, 11, -12, 13]


@examples(35)
@given(small_tasks())
def test_likely_bounds_are_those_of_the_blocks(drawn: tuple[Nonogram, PresolvedModel]) -> None:
    found = found_of(drawn[1])
    for line in range(found.shape.height + found.shape.width):
        shares = [part for block in found.blocks(line) for part in (block.started, block.ended)]
        likely = bytes(share > 0.5 for part in shares for share in part[:-1])
        assert found.likely_bounds(line) == likely


def test_among_equally_likely_values_the_first_is_the_phase() -> None:
    """Nothing distinguishes the cells of a switch."""
    task = task_of(mono([[1], [1]], [[1], [1]]))
    assert phases(found_of(task), task.reduce()) == [-1, -2, -3, -4]
