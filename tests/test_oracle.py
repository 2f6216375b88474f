"""Contract of the incremental oracle, on random models and on engines that misbehave."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from helpers.clocks import Clock
from nonosat.core.errors import BackendError, LimitReached
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import FALSE, TRUE, Clause, Count, Loop, Model
from nonosat.core.plugins import Answer
from nonosat.solving.modelling import checked_model
from nonosat.solving.oracle import DEFAULTS, Oracle
from nonosat.testing.strategies.models import random_model, solutions_of

ENGINES = ("learn", "glucose421", "cadical195")
TWO_TRIANGLES = Loop(6, ((0, 1, 1), (1, 2, 2), (2, 0, 3), (3, 4, 4), (4, 5, 5), (5, 3, 6)))


def opened(model: Model, name: str = "learn") -> Any:
    return closing(Oracle.of(model, name, Watch(Limits())))


def every(oracle: Oracle, num_vars: int, assumptions: list[int]) -> set[bytes]:
    """Values under assumptions, each blocked after it is returned."""
    found = set()
    while oracle.solve(assumptions) is Answer.SAT:
        values = oracle.values()
        assert values[1 : num_vars + 1] not in found
        found.add(values[1 : num_vars + 1])
        oracle.block([var if values[var] else -var for var in range(1, num_vars + 1)])
    return found


@pytest.mark.parametrize("name", ENGINES)
def test_constraints_with_a_selector_hold_if_it_is_assumed(name: str) -> None:
    rng = Random(7)
    for _ in range(12 if name == "learn" else 4):
        model = checked_model(random_model(rng, 6))
        free, n = Model(model.num_vars), model.num_vars
        for sign in (1, -1):
            with opened(free, name) as oracle:
                selector = sign * oracle.new_var()
                oracle.add_model(model, selector)
                assert every(oracle, n, [selector]) == solutions_of(model)
            with opened(free, name) as oracle:
                selector = sign * oracle.new_var()
                oracle.add_model(model, selector)
                assert every(oracle, n, [-selector]) == solutions_of(free)


def test_a_lazy_encoding_is_refined_until_its_values_hold() -> None:
    model = Model(6, loops=(TWO_TRIANGLES,), clauses=(Clause((1, 2)), Clause((4, -4))))
    with opened(model) as oracle:
        assert every(oracle, 6, []) == {b"\1\1\1\0\0\0"}
        assert oracle.statistics()["cuts"] == oracle.num_cuts
        assert oracle.encoding == {"loop": "cut-sets"}


def test_selectors_are_named_when_they_fail() -> None:
    with opened(Model(3)) as oracle:
        first, second, third = (oracle.new_var() for _ in range(3))
        oracle.add_model(Model(3, counts=(Count((1, 2, 3), 3, 3),)), first)
        oracle.add_model(Model(3, clauses=(Clause((-2,)),)), second)
        oracle.add([-third, 1])
        assert oracle.solve([third, first, second]) is Answer.UNSAT
        assert oracle.failed() == (first, second)
        assert oracle.solve([third, TRUE, first]) is Answer.SAT
        assert oracle.solve([third, FALSE]) is Answer.UNSAT
        assert oracle.failed() == (FALSE,)


def test_one_of_and_all_of_are_literals_to_assume() -> None:
    with opened(Model(3)) as oracle:
        some, all_ = oracle.one_of([1]), oracle.all_of([-1, -2])
        assert some != 1  # it can be removed without any assumption on the literal
        assert oracle.all_of([3]) == 3
        assert oracle.solve([some, all_]) is Answer.UNSAT
        assert oracle.solve([all_]) is Answer.SAT
        assert oracle.values()[1:3] == b"\0\0"
        oracle.fix([-some, 1, 2])
        assert oracle.solve([all_]) is Answer.UNSAT
        assert oracle.solve() is Answer.SAT


def test_a_pause_has_a_reason_and_the_next_query_goes_on() -> None:
    n = 9
    pairs = [(i * (n - 1) + j + 1) for i in range(n) for j in range(n - 1)]
    rows = [Clause(tuple(pairs[i * (n - 1) : (i + 1) * (n - 1)])) for i in range(n)]
    columns = [Count(tuple(pairs[j :: n - 1]), 0, 1) for j in range(n - 1)]
    with opened(Model(len(pairs), clauses=tuple(rows), counts=tuple(columns))) as oracle:
        assert oracle.solve((), 5) is Answer.UNKNOWN
        assert oracle.pause() == "the budget was spent"
        before = oracle.work
        ended = Watch(Limits(time_s=1e-9))
        assert oracle.solve((), None, ended) is Answer.UNKNOWN
        assert "time limit" in oracle.pause(ended)
        assert oracle.solve() is Answer.UNSAT
        assert oracle.work > before


class Stub:
    """Engine that answers SAT with given values."""

    def __init__(self, values: Any = b"\0\1", failed: tuple[int, ...] = ()) -> None:
        self._values, self._failed = values, failed
        self.answer: Any = Answer.SAT

    def solve(self, *_: object) -> Any:
        return self.answer

    def values(self) -> Any:
        return self._values

    def failed(self) -> list[int]:
        return [*self._failed]

    def add(self, clause: object) -> None:
        """Accept and drop a constraint."""


def test_answers_of_an_engine_are_checked() -> None:
    watch = Watch(Limits())
    for values in (b"\0", "01", None):
        oracle = Oracle("learn", Stub(values), 1, watch)  # type: ignore[arg-type]
        oracle.solve()
        with pytest.raises(BackendError, match="expected 2 bytes or more"):
            oracle.values()
    liar: Any = Stub(failed=(5,))
    oracle = Oracle("learn", liar, 1, watch)
    liar.answer = "no"
    with pytest.raises(BackendError, match="answered 'no'"):
        oracle.solve()
    liar.answer = Answer.UNSAT
    assert oracle.solve([1]) is Answer.UNSAT
    with pytest.raises(BackendError, match="failed assumptions that were not made"):
        oracle.failed()


def test_a_watch_ends_refinements_without_end(clock: Clock) -> None:
    clock.step_s = 0.01
    oracle = Oracle("learn", Stub(), 1, Watch(Limits(time_s=0.05)))  # type: ignore[arg-type]
    oracle.size.refiners.append(lambda values: [[-1]])
    with pytest.raises(LimitReached, match=r"time limit of 0\.05 s"):
        oracle.solve()
    assert oracle.num_cuts > 0
    assert oracle.seconds > 0


def test_a_twin_knows_the_refiners_and_counts_for_itself() -> None:
    oracle = Oracle("learn", Stub(), 1, Watch(Limits()))  # type: ignore[arg-type]
    given = iter([[[-1]], [], [[-1]], []])
    oracle.size.refiners.append(lambda values: next(given))
    assert oracle.solve() is Answer.SAT
    twin = oracle.twin(Stub())  # type: ignore[arg-type]
    assert (oracle.num_cuts, twin.num_cuts) == (1, 0)
    assert twin.solve() is Answer.SAT
    assert (oracle.num_cuts, twin.num_cuts) == (1, 1)


def test_the_choice_of_encodings_is_used_and_named() -> None:
    choices = DEFAULTS._replace(encodings={**DEFAULTS.encodings, "count": "totalizer"})
    model = Model(5, counts=(Count((1, 2, 3, 4, 5), 2, 3),))
    with closing(Oracle.of(model, "learn", Watch(Limits()), choices)) as oracle:
        assert oracle.encoding == {"count": "totalizer"}
        assert str(oracle.suspects) == "learn with the encoding count=totalizer"
        assert oracle.size.detail()["clauses"] == oracle.size.num_clauses > 0
        assert len(every(oracle, 5, [])) == 20
    wider = replace(model, num_vars=6)
    with opened(wider) as oracle:
        assert oracle.solve([6]) is Answer.SAT
