"""One contract for every engine, tested against enumeration."""

from __future__ import annotations

import sys
from array import array
from contextlib import closing

import pytest

from helpers.engines import each
from nonosat.backends import RemoteEngine, cpsat, open_backend, pysat
from nonosat.core import plugins
from nonosat.core.errors import BackendError, LimitReached, UnsupportedError
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import Block, Count, Line
from nonosat.core.plugins import Answer
from nonosat.processes.memory import resident_mib
from nonosat.testing import check_plugin
from nonosat.testing.engines import decide, enumerated, hard_formula, models

IN_PROCESS = [name for name, one in pysat.PLUGINS.items() if one.in_process]
WITHOUT_ARGUMENT = [
    name for name, one in plugins.names("backends").items() if not one.with_argument
]
ENGINES = [*pysat.NAMES, "cpsat"]
OLDER = ("cadical103", "cadical153", "gluecard3", "glucose3", "glucose41", "maplechrono")
LIMITED = ("minisat22", "cadical195", "cpsat")  # in this process, and in two kinds of children
UNLIMITED = Limits()


@pytest.fixture(params=ENGINES)
def name(request):
    return request.param


def opened(name, num_vars, seed=0, limits=UNLIMITED, **options):
    return closing(open_backend(name, num_vars, seed, options, Watch(limits)))


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(*param.values, marks=[*param.marks, pytest.mark.thorough])
        if param.values[0] in OLDER
        else pytest.param(*param.values, marks=[*param.marks, pytest.mark.slow])
        for param in each(WITHOUT_ARGUMENT)
    ],
)
def test_an_engine_keeps_its_contract(name):
    check_plugin(name, "backends")


def test_unsat(name):
    with opened(name, 2) as engine:
        for clause in ([1, 2], [1, -2], [-1, 2], [-1, -2]):
            engine.add(clause)
        assert decide(engine) is Answer.UNSAT
        assert decide(engine) is Answer.UNSAT


def test_assumptions_hold_for_one_solve(name):
    with opened(name, 3) as engine:
        engine.add([1, 2])
        engine.add([-1, 3])
        assert decide(engine, -1, -2) is Answer.UNSAT
        assert decide(engine, -2) is Answer.SAT
        assert engine.values() == bytes([0, 1, 0, 1])
        assert decide(engine, -1, 1) is Answer.UNSAT
        assert decide(engine, -3) is Answer.SAT
        assert engine.values() == bytes([0, 0, 1, 0])


def test_initial_phases_lead_to_a_model(name):
    with opened(name, 4) as engine:
        engine.add([1, 2, 3, 4])
        assert engine.set_phases([-1, 2, -3, 4])
        assert decide(engine) is Answer.SAT
        # CP-SAT's presolve may fix variables before; CaDiCaL 1.0.3 tries all variables with one
        # value first.
        assert name in ("cpsat", "cadical103") or engine.values() == bytes([0, 0, 1, 0, 1])


def test_statistics_count_and_survive_closing_twice(name):
    engine = open_backend(name, 3, 0, {}, Watch(UNLIMITED))
    assert decide(engine) is Answer.SAT
    assert all(count >= 0 for count in engine.statistics().values())
    engine.close()
    engine.close()
    with opened(name, 1) as another:
        assert decide(another) is Answer.SAT


# The contract has a limit for every engine, and those in this process have a test of their own.
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if name in LIMITED else pytest.mark.thorough)
        for name in ENGINES
    ],
)
def test_time_limit_ends_a_hard_formula(clock, name):
    clock.step_s = 1
    watch = Watch(Limits(time_s=60))
    with closing(open_backend(name, 500, 0, {}, watch)) as engine:
        for clause in hard_formula(500, seed=1):
            engine.add(clause)
        assert engine.solve((), watch) is Answer.UNKNOWN
        assert watch.reason() == "time limit of 60 s"
        assert engine.solve((), watch) is Answer.UNKNOWN
        assert isinstance(engine.statistics(), dict)


def test_an_interrupt_is_kept_for_the_next_solve(name):
    with opened(name, 500) as engine:
        for clause in hard_formula(500, seed=1):
            engine.add(clause)
        engine.interrupt()
        assert decide(engine) is Answer.UNKNOWN


@pytest.mark.parametrize("name", IN_PROCESS)
def test_an_engine_in_this_process_goes_on_after_a_limit(clock, name):
    clock.step_s = 1
    with opened(name, 500) as engine:
        for clause in hard_formula(500, seed=1):
            engine.add(clause)
        assert engine.solve((), Watch(Limits(time_s=10))) is Answer.UNKNOWN
        clock.step_s = 0.0
        engine.add([1])
        assert decide(engine, -1) is Answer.UNSAT


def test_only_engines_that_stop_run_in_this_process(name):
    backend = plugins.find("backends", name)
    with opened(name, 1) as engine:
        assert isinstance(engine, RemoteEngine) == (not backend.in_process)


def test_large_batches_reach_a_child():
    num_vars = 30_000
    with opened("cadical195", num_vars) as engine:
        for var in range(1, num_vars):
            engine.add([-var, var + 1])
        engine.add_batch(array("i", [lit for var in range(1, num_vars) for lit in (var, -1, 0)]))
        engine.add([1])
        assert decide(engine) is Answer.SAT
        assert engine.values() == b"\0" + b"\1" * num_vars
        assert decide(engine, -num_vars) is Answer.UNSAT


@pytest.mark.slow
@pytest.mark.parametrize("formulation", ["automaton", "starts"])
def test_cpsat_finds_all_120_permutations(formulation):
    with opened("cpsat", 25, line=formulation) as engine:
        for index in range(5):
            row = range(5 * index + 1, 5 * index + 6)
            column = range(index + 1, 26, 5)
            for cells in (row, column):
                engine.constrain(Line((cells,), (Block(1),)))
        found = enumerated(engine, 25)
    assert len(found) == 120
    assert all(sum(bits[i : i + 5]) == 1 for bits in found for i in range(0, 25, 5))
    assert all(sum(bits[i::5]) == 1 for bits in found for i in range(5))


def test_cpsat_takes_counts():
    with opened("cpsat", 4) as engine:
        engine.constrain(Count((1, -2, 3, 4), 2, 3))
        expected = {
            bits for bits in models(4, []) if 2 <= bits[0] - bits[1] + 1 + sum(bits[2:]) <= 3
        }
        assert enumerated(engine, 4) == expected


def test_cpsat_names_the_available_formulations():
    with opened("cpsat", 2, line="magic") as engine:
        engine.constrain(Line(((1, 2),), (Block(1),)))
        with pytest.raises(UnsupportedError, match=r"line=magic.*line=automaton"):
            decide(engine)


def test_cpsat_explains_an_invalid_model():
    engine = cpsat.open_engine("cpsat", 1, 0, {})
    engine._model.proto.constraints.add().bool_or.literals.append(77)
    with pytest.raises(BackendError, match="77"):
        decide(engine)


def test_sat_engines_refuse_constraints_other_than_clauses():
    with opened("minisat22", 2) as engine, pytest.raises(UnsupportedError, match="takes no Count"):
        engine.constrain(Count((1, 2), 0, 1))


def test_unknown_engines_are_refused():
    with pytest.raises(UnsupportedError, match="minisat22"):
        open_backend("minisat23", 1, 0, {}, Watch(UNLIMITED))


@pytest.mark.parametrize("name", ["minisat22", "cadical195", "cpsat"])
def test_missing_package_is_named(name, monkeypatch):
    for package in ("pysat.solvers", "ortools.sat.python"):
        monkeypatch.setitem(sys.modules, package, None)
    backend = plugins.find("backends", name)
    with pytest.raises(
        BackendError, match=f"{name} needs {backend.needs}.*install {backend.needs}"
    ):
        backend.open_engine(name, 1, 0, {})


@pytest.mark.thorough
def test_a_budget_ends_a_solve_and_the_next_one_goes_on(name):
    with opened(name, 150) as engine:
        for clause in hard_formula(150, 5):
            engine.add(clause)
        if name in ("kissat404", "lingeling"):
            with pytest.raises((UnsupportedError, BackendError), match="keeps to no budget"):
                engine.solve((), Watch(UNLIMITED), 5)
            return
        assert engine.solve((), Watch(UNLIMITED), 5) is Answer.UNKNOWN
        # Glucose reads its budget only when it restarts.
        assert 5 <= engine.statistics()["conflicts"] < 2000
        assert decide(engine) is not Answer.UNKNOWN


def test_an_engine_of_this_process_is_not_opened_if_its_variables_exceed_the_limit() -> None:
    """Its lists grow at once, faster than its memory is checked."""
    limit = Limits(memory_mib=int(resident_mib(None)) + 50)
    with pytest.raises(LimitReached, match="memory limit"):
        open_backend("learn", 1_000_000, 0, {}, Watch(limit))
    with closing(open_backend("learn", 1_000, 0, {}, Watch(limit))) as engine:
        assert engine.solve((), Watch(UNLIMITED)) is Answer.SAT
