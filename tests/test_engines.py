"""Incremental engines: constraints and variables in any order, assumptions, limits, refusals."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from random import Random

import pytest

import nonosat
from helpers.clocks import interrupt
from helpers.drawing import FUZZ
from helpers.engines import each
from helpers.processes import PATIENCE_S, all_ended, children_of, interruptible
from nonosat.core import plugins
from nonosat.core.errors import BackendError, PuzzleError, UnsupportedError
from nonosat.core.model import FALSE, TRUE, Clause, Count, Line, Loop, Model
from nonosat.core.plugins import Answer
from nonosat.solving.choices import names_failed
from nonosat.testing.strategies.models import random_model, solutions_of

ENGINES = [
    *each(
        sorted(
            name
            for name, module in plugins.names("backends").items()
            if not module.on_board and name not in ("decimation", "portfolio", "program")
        )
    ),
    "portfolio:learn,minisat-gh",
]
TRIANGLE = ((0, 1, 1), (1, 2, 2), (2, 0, 3))
OWN_CHILD_MIB = 10_000  # an engine with a limit of memory gets a fresh child


def hard() -> Model:
    """Return clauses of three literals at the hardest ratio: they take every engine hours."""
    rng, made = Random(7), nonosat.ModelBuilder()
    variables = made.new_vars(700)
    for _ in range(2990):
        made.add([rng.choice((var, -var)) for var in rng.sample(variables, 3)])
    return made.build()


def is_among(data: bytes, lits: list[int]) -> bool:
    """True if a solution has these literals."""
    return all(data[abs(lit) - 1] == (lit > 0) for lit in lits)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ENGINES)
def test_constraints_and_queries_in_turn(name):
    """Variables and constraints of a random model are added in pieces, with queries in between."""
    count = (3 if name.startswith(("portfolio", "cpsat")) else 25) * FUZZ
    num_unsat = 0
    for seed in range(count):
        rng = Random(seed)
        whole = random_model(rng)
        constraints = [*whole.constraints()]
        rng.shuffle(constraints)
        said: list[nonosat.Constraint] = []
        with nonosat.Engine(backend=name) as engine:
            for constraint in constraints:
                needed = largest(constraint)
                engine.new_vars(max(0, needed - engine.num_vars) + rng.randint(0, 1))
                engine.add(constraint)
                said.append(constraint)
                truth = solutions_of(model_of(engine.num_vars, said))
                variables = rng.sample(range(1, engine.num_vars + 1), min(2, engine.num_vars))
                lits = [rng.choice((var, -var)) for var in variables]
                able = [data for data in truth if is_among(data, lits)]
                answer = engine.solve(lits)
                assert answer is (Answer.SAT if able else Answer.UNSAT)
                if able:
                    assert engine.values.data[1:] in able
                elif names_failed(name) or not lits:
                    num_unsat += 1
                    assert set(engine.failed) <= set(lits)
                    assert not any(is_among(data, list(engine.failed)) for data in truth)
    assert num_unsat or not names_failed(name)


def largest(constraint) -> int:
    """Return the last variable in a constraint."""
    if isinstance(constraint, Line):
        lits = [lit for plane in constraint.cells for lit in plane]
    elif isinstance(constraint, Loop):
        faces = [face for pair in constraint.faces or () for face in pair]
        lits = [lit for _, _, lit in constraint.edges] + faces
    else:
        lits = [*constraint.lits]
    return max((abs(lit) for lit in lits if abs(lit) != nonosat.TRUE), default=0)


def model_of(num_vars: int, said) -> Model:
    kinds = {kind: [one for one in said if isinstance(one, kind)] for kind in KINDS}
    return Model(num_vars, kinds[Line], kinds[Count], kinds[Clause], kinds[Loop])


KINDS = (Clause, Count, Line, Loop)


@pytest.mark.parametrize(
    "encoding",
    [{"loop": "cells"}, {"loop": "positions"}, {"line": "automaton"}, {"count": "totalizer"}],
)
def test_encodings_may_be_chosen(encoding):
    if "loop" in encoding:
        edges = ((0, 1, 1), (1, 2, 2), (2, 3, 3), (3, 0, 4))
        model = Model(5, loops=(Loop(4, edges, ((5, nonosat.FALSE),) * 4),))
    else:
        model = Model(5, lines=(Line([range(1, 6)], [nonosat.Block(2)]),))
    with nonosat.Engine(model, encoding=encoding) as engine:
        found = set()
        while engine.solve() is Answer.SAT:
            found.add(engine.values.data[1:])
            engine.add([-lit if engine.values[lit] else lit for lit in range(1, 6)])
        assert found == solutions_of(model)


def test_a_new_variable_is_the_next_one_regardless_of_encodings():
    with nonosat.Engine() as engine:
        engine.add(Count(engine.new_vars(9), 3, 5))
        assert (engine.new_var(), engine.num_vars) == (10, 10)
        engine.add(Loop(3, ((0, 1, 1), (1, 2, 10), (2, 0, 3))))
        assert engine.solve() is Answer.SAT
        assert engine.values.num_vars == 10
        assert set(engine.values.true()) > {1, 3, 10}


def test_attributes_of_an_engine():
    with nonosat.Engine(Model(2, clauses=(Clause((1, 2)),)), backend="glucose421") as engine:
        assert repr(engine) == "Engine('glucose421', 2 variables)"
        assert engine.solve() is Answer.SAT
        assert engine.statistics["decisions"] >= 0
    with nonosat.Engine() as engine:
        assert engine.name == "learn"


def test_values_and_failed_are_those_of_the_last_answer():
    with nonosat.Engine(Model(1), backend="glucose421") as engine:
        with pytest.raises(LookupError, match="the last answer is unknown"):
            engine.values  # noqa: B018 - reading it raises
        assert engine.solve() is Answer.SAT
        with pytest.raises(LookupError, match="the last answer is sat"):
            engine.failed  # noqa: B018 - reading it raises
        engine.add([1])
        assert engine.solve([-1]) is Answer.UNSAT
        assert engine.failed == (-1,)
        with pytest.raises(LookupError, match="the last answer is unsat"):
            engine.values  # noqa: B018 - reading it raises
        engine.add([-1])
        assert engine.solve() is Answer.UNSAT
        assert engine.failed == ()


def test_an_engine_without_failed_cores_names_those_that_have_them():
    with nonosat.Engine(Model(1), backend="kissat404") as engine:
        assert engine.solve([1, -1]) is Answer.UNSAT
        with pytest.raises(UnsupportedError, match=r"kissat404 names no failed .*: .*glucose421"):
            engine.failed  # noqa: B018 - reading it raises


def test_a_refused_constraint_leaves_the_engine_as_it_was():
    with nonosat.Engine(Model(4), encoding={"count": "ladder"}) as engine:
        engine.add([1])
        with pytest.raises(UnsupportedError, match="supports no bounds above one"):
            engine.add(Count([1, 2, 3, 4], 2, 2))
        with pytest.raises(PuzzleError):
            engine.add([5])
        assert engine.solve([2, 3, 4]) is Answer.SAT
        assert engine.solve([-1]) is Answer.UNSAT


def test_a_closed_engine_reports_that_it_is_closed():
    engine = nonosat.Engine(Model(1))
    engine.close()
    engine.close()
    for call in (engine.solve, lambda: engine.add([1])):
        with pytest.raises(UnsupportedError, match="this engine is closed"):
            call()
    assert engine.statistics == {}


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"assumptions": [2]}, PuzzleError, "assumptions has the literal 2"),
        ({"assumptions": [0]}, PuzzleError, "literal 0"),
        ({"time_limit_s": -1}, UnsupportedError, "time limit is -1"),
        ({"budget": 0}, UnsupportedError, "budget is 0"),
        ({"budget": "x"}, PuzzleError, "budget: found 'x'"),
    ],
)
def test_invalid_queries_are_refused(options, error, message):
    with nonosat.Engine(Model(1)) as engine:
        with pytest.raises(error, match=message):
            engine.solve(**options)
        assert engine.solve() is Answer.SAT


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"backend": "nothing"}, "no backend is called"),
        ({"backend": "search"}, "rows and columns"),
        ({"encoding": {"line": "nothing"}}, "no encoding"),
        ({"backend": "cpsat", "encoding": {"line": "order"}}, "uses no encodings"),
    ],
)
def test_wrong_engines_are_refused(options, message):
    with pytest.raises(UnsupportedError, match=message):
        nonosat.Engine(**options)


# Limits


@pytest.mark.slow
@pytest.mark.parametrize("name", ["learn", "minisat22", "glucose421", "cadical195", "cpsat"])
def test_an_engine_lives_on_after_a_time_limit(clock, name):
    """Also if the limit has ended its process."""
    clock.step_s = 2
    before = children_of(os.getpid())
    with nonosat.Engine(hard(), backend=name, memory_limit_mib=OWN_CHILD_MIB) as engine:
        started = children_of(os.getpid()) - before
        assert bool(started) != plugins.find("backends", name).in_process
        assert engine.solve(time_limit_s=60) is Answer.UNKNOWN
        assert all_ended(started)
        assert engine.reason == "time limit of 60 s"
        var = engine.new_var()
        engine.add([var], [-1])
        assert engine.solve([-var]) is Answer.UNSAT
        engine.add(*([lit, -var] for lit in range(2, 40)))
        assert engine.solve([1]) is Answer.UNSAT
        assert engine.reason == ""
        engine.add([])
        assert engine.solve() is Answer.UNSAT


def test_a_budget_ends_a_query_and_the_engine_goes_on():
    with nonosat.Engine(hard()) as engine:
        assert engine.solve(budget=50) is Answer.UNKNOWN
        assert engine.reason == "the budget was spent"
        assert 50 <= engine.statistics["conflicts"] < 150
        assert engine.solve(budget=50) is Answer.UNKNOWN
        assert 100 <= engine.statistics["conflicts"] < 300
    with nonosat.Engine(Model(1), backend="kissat404") as engine:
        with pytest.raises(UnsupportedError, match="keeps to no budget"):
            engine.solve(budget=5)
        assert engine.solve() is Answer.SAT


def test_a_memory_limit_holds_for_a_childs_process():
    with nonosat.Engine(hard(), backend="cadical195", memory_limit_mib=1) as engine:
        assert engine.solve() is Answer.UNKNOWN
        assert engine.reason == "memory limit of 1 MiB"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["learn", "minisat22", "cadical195"])
def test_ctrl_c_ends_a_query_and_the_engine_goes_on(clock, name):
    with nonosat.Engine(hard(), backend=name) as engine:
        with interruptible(), clock.then(interrupt), pytest.raises(KeyboardInterrupt):
            engine.solve(time_limit_s=60)
        engine.add([])
        assert engine.solve() is Answer.UNSAT


def test_a_child_that_is_killed_is_told_of_and_replaced():
    before, model = children_of(os.getpid()), Model(2, clauses=(Clause((1, 2)),))
    with nonosat.Engine(model, backend="glucose421", memory_limit_mib=OWN_CHILD_MIB) as engine:
        assert engine.solve([-1]) is Answer.SAT
        (pid,) = children_of(os.getpid()) - before
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(BackendError, match="died of SIGKILL"):
            engine.solve([-1])
        assert engine.solve([-1, -2]) is Answer.UNSAT
        assert set(engine.failed) == {-1, -2}


def test_nothing_is_left_of_an_engine_that_was_not_closed():
    code = (
        "import nonosat, os\n"
        "engine = nonosat.Engine(nonosat.Model(1), backend='cadical195')\n"
        "engine.solve()\n"
        "print(open(f'/proc/self/task/{os.getpid()}/children').read())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=PATIENCE_S
    )
    assert all_ended([int(done.stdout)])


@pytest.mark.parametrize("backend", ["learn", "glucose421", "cadical195", "cpsat"])
def test_another_thread_is_refused_and_never_answered_wrongly(backend: str) -> None:
    wrong: list[str] = []
    refused: list[str] = []
    with nonosat.Engine(backend=backend) as engine:
        engine.new_vars(2)
        engine.add([1, 2], [-1])

        def ask(lit: int, expected: Answer) -> None:
            for _ in range(30):
                try:
                    answer = engine.solve([lit])
                except UnsupportedError as error:
                    refused.append(str(error))
                else:
                    wrong.extend([f"{lit}: {answer}"] * (answer is not expected))

        threads = [
            threading.Thread(target=ask, args=pair) for pair in [(1, Answer.UNSAT), (2, Answer.SAT)]
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert wrong == []
    assert all("in use by another thread" in message for message in refused)


@pytest.mark.parametrize("backend", ["learn", "glucose421", "cadical195"])
def test_constants_are_assumptions_like_others(backend: str) -> None:
    with nonosat.Engine(backend=backend) as engine:
        engine.add([*engine.new_vars(2)])
        assert engine.solve([TRUE, -1]) is Answer.SAT
        assert (engine.values[1], engine.values[2]) == (False, True)
        assert engine.solve([FALSE, 1]) is Answer.UNSAT
        assert engine.failed == (FALSE,)
        assert engine.solve([1]) is Answer.SAT


def test_a_closed_engine_has_no_variables() -> None:
    engine = nonosat.Engine()
    engine.close()
    engine.close()
    with pytest.raises(UnsupportedError, match="closed"):
        engine.new_var()
