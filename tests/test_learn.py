"""Learning search: its own promises, beyond the contract of all backends."""

from __future__ import annotations

import itertools
from array import array

import pytest

import nonosat
from helpers.clocks import Clock
from nonosat import _core
from nonosat.backends.learn import LearningEngine, open_engine
from nonosat.board.presolve import PresolvedModel
from nonosat.clauses.cnf import Cnf, split
from nonosat.clauses.translate import translate
from nonosat.core import hooks
from nonosat.core.limits import InterruptibleWatch, Limits, Watch
from nonosat.core.plugins import Answer
from nonosat.puzzles.nonogram import build

WATCH = Watch(Limits())
DOMINO = "instances/domino.jsonl#domino-12"


def pigeons(count: int) -> LearningEngine:
    """Engine that must put `count` pigeons into one hole less: each in one, no two in the same."""
    holes = count - 1
    engine = open_engine("learn", count * holes, 0, {})
    for pigeon in range(count):
        engine.add([1 + pigeon * holes + hole for hole in range(holes)])
    for hole in range(holes):
        for one, other in itertools.combinations(range(count), 2):
            engine.add([-(1 + one * holes + hole), -(1 + other * holes + hole)])
    return engine


def engine_of(name: str, reference: str, seed: int = 0) -> LearningEngine:
    task = PresolvedModel.of(build(nonosat.load(reference)))
    task.propagate(WATCH)
    reduced = task.reduce()
    engine = open_engine(name, reduced.model.num_vars, seed, {})
    translate(reduced.model, engine)
    return engine


def test_refutes_pigeons_in_several_calls() -> None:
    engine = pigeons(7)
    goes = 0
    while (answer := engine.solve((), WATCH, 20)) is Answer.UNKNOWN:
        goes += 1
    assert answer is Answer.UNSAT
    assert goes > 2
    assert engine.statistics()["conflicts"] > 20 * goes
    assert engine.solve((), WATCH) is Answer.UNSAT


@pytest.mark.slow
def test_work_is_deterministic() -> None:
    runs = []
    for _ in range(2):
        engine = engine_of("learn-lines", DOMINO)
        assert engine.solve((), WATCH) is Answer.SAT
        runs.append((engine.values(), engine.statistics()))
    assert runs[0] == runs[1]


@pytest.mark.slow
@pytest.mark.parametrize("reference", [DOMINO, "instances/unique.jsonl#1"])
def test_clauses_may_come_together_or_one_by_one(reference: str) -> None:
    """Lists of short clauses that are laid out at once hold the same clauses in the same order."""
    task = PresolvedModel.of(build(nonosat.load(reference)))
    task.propagate(WATCH)
    formula = Cnf(task.reduce().model.num_vars)
    translate(task.reduce().model, formula)
    more = [array("i", [*clause, 0]) for clause in split(formula.buffer)]
    runs = []
    for pieces in ([formula.buffer], more, [formula.buffer[: sum(map(len, more[:9]))], *more[9:]]):
        learner = _core.Learner(0)
        learner.new_vars(formula.num_vars)
        for piece in pieces:
            learner.add_clauses(piece)
        runs.append((learner.solve([], 3000, None, None), learner.statistics))
    assert runs[0] == runs[1] == runs[2]
    assert runs[0][1]["conflicts"] > 50


@pytest.mark.slow
def test_lines_take_part_if_they_are_added() -> None:
    refuted = {}
    for name in ("learn", "learn-lines"):
        engine = engine_of(name, DOMINO)
        assert engine.solve((), WATCH) is Answer.SAT
        engine.add([-v if holds else v for v, holds in enumerate(engine.values()) if v])
        assert engine.solve((), WATCH) is Answer.UNSAT
        refuted[name] = engine.statistics()
    assert refuted["learn"]["line solves"] == refuted["learn"]["implied by lines"] == 0
    assert refuted["learn-lines"]["implied by lines"] > 100
    assert refuted["learn-lines"]["explanations"] > 100
    assert refuted["learn-lines"]["shortened"] > 10


def test_assumptions_hold_for_one_call() -> None:
    engine = open_engine("learn", 3, 0, {})
    engine.add([1, 2])
    engine.add([-1, 3])
    assert engine.solve([-2, -3], WATCH) is Answer.UNSAT
    assert engine.solve([-2], WATCH) is Answer.SAT
    assert list(engine.values()) == [0, 1, 0, 1]
    assert engine.solve([-1], WATCH) is Answer.SAT
    assert engine.values()[2] == 1
    assert engine.solve([1, -1], WATCH) is Answer.UNSAT
    assert engine.solve((), WATCH) is Answer.SAT


def test_initial_phases_are_followed() -> None:
    for lits in ([1, -2, 3], [-1, 2, -3]):
        engine = open_engine("learn", 3, 0, {})
        engine.add([1, 2, 3])
        assert engine.set_phases(lits)
        assert engine.solve((), WATCH) is Answer.SAT
        assert list(engine.values()[1:]) == [int(lit > 0) for lit in lits]


def test_trivial_clauses() -> None:
    engine = open_engine("learn", 2, 0, {})
    engine.add([1, -1])
    engine.add([2, 2])
    assert engine.solve((), WATCH) is Answer.SAT
    assert engine.values()[2] == 1
    engine.add([-2])
    assert engine.solve((), WATCH) is Answer.UNSAT
    empty = open_engine("learn", 0, 0, {})
    assert empty.solve((), WATCH) is Answer.SAT
    empty.add([])
    assert empty.solve((), WATCH) is Answer.UNSAT


def test_variables_that_come_later() -> None:
    engine = open_engine("learn-lines", 2, 0, {})
    assert engine.new_vars(2) == 3
    engine.add_batch(array("i", [-1, 3, 0, -3, 4, 0]))
    assert engine.solve([1], WATCH) is Answer.SAT
    assert engine.values()[4] == 1


@pytest.mark.parametrize("clauses", [[5, 0], [1], [-5, 1, 0]])
def test_refuses_invalid_clauses(clauses: list[int]) -> None:
    learner = _core.Learner()
    learner.new_vars(4)
    with pytest.raises(ValueError, match=r"expected|ended by 0"):
        learner.add_clauses(array("i", clauses))


def test_refuses_lines_of_unknown_variables() -> None:
    learner = _core.Learner()
    learner.new_vars(4)
    with pytest.raises(ValueError, match="expected"):
        learner.add_line([[1, 2, 5]], [(1, 1)], [])


def test_lines_get_changes_before_the_next_one() -> None:
    learner = _core.Learner()
    learner.new_vars(6)
    learner.add_line([[1, 2, 3]], [(2, 1)], [])
    learner.add_clauses(array("i", [-2, 0]))  # the middle cell is empty: the block fits nowhere
    learner.add_line([[4, 5, 6]], [(1, 1)], [])
    assert learner.solve([], None, None, lambda: False) == _core.Answer.UNSAT


def test_limits_hold_and_work_goes_on(clock: Clock) -> None:
    clock.step_s = 1
    engine = pigeons(11)  # takes minutes

    assert engine.solve((), Watch(Limits(time_s=20))) is Answer.UNKNOWN
    first = engine.statistics()["conflicts"]
    with clock.then(engine.interrupt):
        assert engine.solve((), Watch(Limits(time_s=1e6))) is Answer.UNKNOWN
    second = engine.statistics()["conflicts"]
    assert second > first > 0


@pytest.mark.slow
def test_initial_phases_are_removed() -> None:
    """After wrong phases, and then none, the search is the same as without any."""
    runs = []
    for is_suggested in (False, True):
        engine = engine_of("learn", DOMINO)
        if is_suggested:
            assert engine.set_phases(range(1, 200))
            assert engine.set_phases(())
        assert engine.solve((), WATCH) is Answer.SAT
        runs.append((engine.values(), engine.statistics()))
    assert runs[0] == runs[1]


@pytest.mark.thorough
def test_the_seed_affects_the_search_and_no_answer() -> None:
    runs = []
    for seed in (0, 1, 1, 2, -1):
        engine = engine_of("learn", DOMINO, seed)
        assert engine.solve((), WATCH) is Answer.SAT
        runs.append((engine.values(), engine.statistics()))
    assert runs[1] == runs[2]
    assert len({str(statistics) for _, statistics in runs}) == 4
    assert len({values[:200] for values, _ in runs}) == 1  # the cells, of which there are as many


# Loops


SQUARE = array("i", [0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 0, 4])


def test_an_edge_that_closes_a_path_apart_from_another_edge_is_ruled_out():
    learner = _core.Learner()
    learner.new_vars(5)
    learner.follow_loop(array("i", [*SQUARE, 4, 5, 5]))
    assert learner.solve([1, 2, 3, 5, 4]) == _core.Answer.UNSAT
    assert sorted(learner.failed()) == [1, 2, 3, 4, 5]
    assert learner.solve([1, 2, 3, 4]) == _core.Answer.SAT
    assert list(learner.values()) == [0, 1, 1, 1, 1, 0]
    assert learner.solve([1, 2, 5]) == _core.Answer.SAT


def test_three_edges_do_not_meet():
    learner = _core.Learner()
    learner.new_vars(3)
    learner.follow_loop(array("i", [0, 1, 1, 0, 2, 2, 0, 3, 3]))
    assert learner.solve([1, 2]) == _core.Answer.SAT
    assert learner.solve([1, 2, 3]) == _core.Answer.UNSAT
    assert sorted(learner.failed()) == [1, 2, 3]


@pytest.mark.parametrize(
    "edges", [[0, 0, 1], [0, 1, 0], [0, 1, -1], [0, 1, 9], [-1, 1, 1], [0, 1, 1, 1, 2, 1]]
)
def test_edges_of_a_loop_have_two_ends_and_a_variable(edges):
    learner = _core.Learner()
    learner.new_vars(4)
    with pytest.raises(ValueError, match="two vertices and a variable of its own"):
        learner.follow_loop(array("i", edges))


def test_a_proof_and_a_loop_do_not_go_together():
    proving, following = _core.Learner(), _core.Learner()
    for learner in (proving, following):
        learner.new_vars(4)
    proving.keep_proof()
    with pytest.raises(ValueError, match="cannot follow a loop"):
        proving.follow_loop(SQUARE)
    following.follow_loop(SQUARE)
    with pytest.raises(ValueError, match="cannot record a proof"):
        following.keep_proof()


def test_memory_for_packing_is_reserved_before_the_search(monkeypatch):
    """Clauses added one by one leave holes; `solve` copies the lists without them."""
    engine = LearningEngine(3000, 0)
    assert engine._learner.packing_bytes() == 0
    for step in range(1, 40):
        for first in range(1, 3000 - step):
            engine.add([-first, first + step])
        engine._flush()
    num_bytes = engine._learner.packing_bytes()
    assert num_bytes > 2**20
    watch = Watch(Limits(memory_mib=100))
    monkeypatch.setattr(hooks, "resident_mib", lambda pid: 100 - num_bytes / 2**21)
    beckoned = InterruptibleWatch(watch, lambda: False)
    assert engine.solve([], beckoned) == Answer.UNKNOWN
    assert beckoned.reason() == watch.reason() == "memory limit of 100 MiB"
    monkeypatch.setattr(hooks, "resident_mib", lambda pid: 99 - num_bytes / 2**20)
    assert engine.solve([], Watch(Limits(memory_mib=100))) == Answer.SAT
    assert engine._learner.packing_bytes() == 0
