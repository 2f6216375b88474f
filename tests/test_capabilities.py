"""The table of python-sat's engines is compared with the engines: every entry, both ways.

Here python-sat is called directly, without our wrappers; calls that would crash the process run in
another one.
"""

from __future__ import annotations

import random
import subprocess
import sys
import threading
import time
import warnings
from itertools import product

import pytest
from pysat.solvers import Solver

import nonosat
from helpers.clocks import Clock
from helpers.proofs import refutes
from nonosat.backends import pysat
from nonosat.backends.pysat import TRAITS
from nonosat.core.errors import UnsupportedError
from nonosat.core.grid import Grid
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import Count
from nonosat.core.plugins import Answer
from nonosat.puzzles.nonogram import Colour, from_grid

SOLVE_AGAIN = """
import random
from pysat.solvers import Solver
for seed in (3, 1089):
    rng = random.Random(seed)
    num_vars = rng.randint(1, 9)
    solver = Solver({name!r})
    for step in range(6):
        for _ in range(num_vars):
            size = rng.randint(1, 4)
            solver.add_clause(
                [rng.choice((1, -1)) * rng.randint(1, num_vars) for _ in range(size)]
            )
        if step % 2:
            solver.solve(
                assumptions=[rng.choice((1, -1)) * rng.randint(1, num_vars) for _ in range(2)]
            )
        else:
            solver.solve()
"""
UNSUPPORTED = (NotImplementedError, AttributeError)


@pytest.fixture(params=TRAITS)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def threshold(num_vars: int, seed: int, ratio: float = 4.26) -> list[list[int]]:
    """Random 3-SAT, hard for its size."""
    rng = random.Random(seed)
    return [
        [rng.choice((1, -1)) * var for var in rng.sample(range(1, num_vars + 1), 3)]
        for _ in range(int(ratio * num_vars))
    ]


def crashes(script: str) -> bool:
    """True if Python dies of a signal in this way."""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    return done.returncode < 0


def works(call: object) -> bool:
    """True if python-sat has the capability for the engine."""
    try:
        call()  # type: ignore[operator]  # a method of some engine
    except UNSUPPORTED:
        return False
    return True


@pytest.mark.thorough
def test_one_shot_engines_cannot_continue(name: str) -> None:
    # Two of thousands of random formulas, which crash Kissat and Lingeling.
    assert crashes(SOLVE_AGAIN.format(name=name)) == TRAITS[name].is_one_shot


def test_assumptions_and_failed_cores(name: str) -> None:
    with Solver(name, bootstrap_with=[[1, 2], [-1, 3]]) as solver, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Kissat ignores assumptions with a warning
        found = solver.solve(assumptions=[-1, -2, 5])
        core = set(solver.get_core() or ()) if works(solver.get_core) else set()
    assert (found is False and core == {-1, -2}) == TRAITS[name].assumes


def test_budgets(name: str) -> None:
    found = []
    for word in ("conflicts", "propagations"):
        with Solver(name, bootstrap_with=threshold(150, 5)) as solver:
            limit = solver.conf_budget if word == "conflicts" else solver.prop_budget

            def solve(limit=limit, solver=solver):
                limit(20 if limit == solver.conf_budget else 200)
                return solver.solve_limited()

            # An engine may take the budget and ignore it.
            if not TRAITS[name].is_one_shot and works(solve) and solver.get_status() is None:
                found.append(word)
    assert ", ".join(found) == TRAITS[name].budgets


def test_interrupts_are_known(name: str) -> None:
    with Solver(name, bootstrap_with=[[1]]) as solver:
        assert works(solver.interrupt) == TRAITS[name].interrupts


@pytest.mark.real_time
@pytest.mark.thorough
def test_the_lock_is_released_while_solving(name: str) -> None:
    """A thread that wakes up every millisecond can run, or is blocked."""
    traits = TRAITS[name]
    ticks: list[float] = []
    is_done = threading.Event()

    def tick() -> None:
        while not is_done.wait(0.001):
            ticks.append(time.monotonic())

    thread = threading.Thread(target=tick)
    with Solver(name, bootstrap_with=threshold(175, 3)) as solver:
        thread.start()
        started = time.monotonic()
        if traits.frees_lock:
            solver.solve_limited(expect_interrupt=True)
        else:
            solver.solve()
        ended = time.monotonic()
        is_done.set()
        thread.join()
    # Near either end the other thread may run before the engine has begun.
    margin = (ended - started) / 4
    in_the_middle = [tick for tick in ticks if started + margin < tick < ended - margin]
    assert bool(in_the_middle) == traits.frees_lock


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_interruptible_engines_stop_at_once(clock: Clock, seed: int) -> None:
    clock.step_s = 20
    for name in (name for name, traits in TRAITS.items() if traits.stops):
        assert TRAITS[name].frees_lock
        assert TRAITS[name].interrupts
        engine = pysat.open_engine(name, 500, 0, {})
        for clause in threshold(500, seed):
            engine.add(clause)
        assert engine.solve((), Watch(Limits(60))) is Answer.UNKNOWN
        engine.close()


def phase_formula(rng: random.Random) -> tuple[list[int], list[list[int]]]:
    """Return a model, and clauses that decisions along it never contradict."""
    model = [rng.choice((1, -1)) * var for var in range(1, 41)]
    chains = [[model[i], -model[i - 1], -model[i - 2]] for i in range(2, 40)]
    return model, [model[:3], *chains]


@pytest.mark.parametrize("seed", range(3))
def test_initial_phases_are_followed_directly_or_by_renaming(name: str, seed: int) -> None:
    traits = TRAITS[name]
    model, clauses = phase_formula(random.Random(seed))
    with Solver(name) as solver:
        assert works(lambda: solver.set_phases(model)) == traits.has_phases
    engine = pysat.open_engine(name, 40, 0, {})
    for clause in clauses:
        engine.add(clause)
    able = traits.has_phases or traits.default_phase is not None
    assert engine.set_phases(model) == able
    assert engine.solve((), Watch(Limits())) is Answer.SAT
    values = engine.values()
    assert not able or [v if values[v] else -v for v in range(1, 41)] == model
    if not traits.is_one_shot:
        assert engine.solve([-model[0], -model[1]], Watch(Limits())) is Answer.SAT
        values = engine.values()
        assert all(bool(values[abs(lit)]) != (lit > 0) for lit in model[:2])
    engine.close()


@pytest.mark.slow
@pytest.mark.parametrize("with_hints", [False, True])
@pytest.mark.parametrize("clauses", [threshold(40, 7, 6), threshold(50, 8, 5.5)], ids=["40", "50"])
def test_proofs_refute_the_formula(name: str, clauses: list[list[int]], with_hints: bool) -> None:
    if not TRAITS[name].proves:
        assert name not in pysat.PROVES
        with pytest.raises(UnsupportedError, match="writes no proofs; these do: cadical103"):
            pysat.open_engine(name, 1, 0, {"proof": "yes"})
        return
    engine = pysat.open_engine(name, 50, 0, {"proof": "yes"})
    for clause in clauses:
        engine.add(clause)
    if with_hints:
        engine.set_phases([var if var % 3 else -var for var in range(1, 51)])
    assert engine.solve((), Watch(Limits())) is Answer.UNSAT
    assert refutes(clauses, engine.proof().decode(), strict=True)
    engine.close()


def count_models(num_vars: int, counts: list[Count], clauses: list[list[int]]) -> set[bytes]:
    """Return the number of models by enumeration."""
    return {
        bytes(bits)
        for bits in product((0, 1), repeat=num_vars)
        if all(any(bits[abs(lit) - 1] == (lit > 0) for lit in clause) for clause in clauses)
        and all(
            one.lower <= sum(bits[abs(lit) - 1] == (lit > 0) for lit in one.lits) <= one.upper
            for one in counts
        )
    }


@pytest.mark.slow
def test_native_counts(name: str) -> None:
    if not TRAITS[name].counts:
        engine = pysat.open_engine(name, 3, 0, {})
        with pytest.raises(UnsupportedError, match="takes no Count"):
            engine.constrain(Count((1, 2, 3), 1, 1))
        with pytest.raises(
            UnsupportedError, match=r"does not take a count as it is; these do: .*mini"
        ):
            nonosat.solve(COLOURED, backend=name, encoding={"count": "native"})
        return
    for seed in range(60):
        rng = random.Random(seed)
        counts, clauses = [], [[-6, 6, 5], *threshold(6, seed, 0.5)]
        for _ in range(rng.randint(1, 4)):
            variables = rng.sample(range(1, 7), rng.randint(1, 6))
            lits = tuple(rng.choice((1, -1)) * var for var in variables)
            lower = rng.randint(0, len(lits))
            counts.append(Count(lits, lower, rng.randint(lower - 1, len(lits) + 1)))
        engine = pysat.open_engine(name, 6, 0, {})
        for one in counts:
            engine.constrain(one)
        for clause in clauses:
            engine.add(clause)
        found = set()
        while engine.solve((), Watch(Limits())) is Answer.SAT:
            bits = engine.values()[1:7]
            assert bits not in found
            found.add(bits)
            engine.add([-var if bits[var - 1] else var for var in range(1, 7)])
        assert found == count_models(6, counts, clauses), (counts, clauses)
        engine.close()


COLOURED = from_grid(
    Grid(3, 3, bytes([1, 2, 0, 2, 3, 1, 0, 3, 3])),
    tuple(Colour(key, f"#{key * 6}") for key in "abc"),
)


def test_native_counts_of_a_coloured_puzzle() -> None:
    """They are passed on natively only on request."""
    options = {"presolve": "none", "max_solutions": None, "backend": "gluecard4"}
    native = nonosat.solve(COLOURED, **options, encoding={"count": "native"})
    encoded = nonosat.solve(COLOURED, **options, encoding={"count": "totalizer"})
    assert set(native.solutions) == set(encoded.solutions)
    assert native.encoding["count"] == "native"
    sizes = [result.stages[0].detail["clauses"] for result in (native, encoded)]
    assert sizes[0] < sizes[1]


def test_kinds_that_no_engine_takes_cannot_be_native() -> None:
    for options in ({"line": "native"}, {"count": "native"}):
        with pytest.raises(UnsupportedError, match="as it is"):
            nonosat.solve(COLOURED, encoding=options)


def test_the_summaries_state_the_capabilities_of_an_engine() -> None:
    summary = pysat.PLUGINS["gluecard4"].summary
    assert "counts" in summary
    assert "proof" in summary
    assert summary.endswith("child process")
    assert "phases by renaming" in pysat.PLUGINS["kissat404"].summary
    assert pysat.PLUGINS["minisat22"].summary.endswith("this process")
