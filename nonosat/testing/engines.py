"""Contract of engines, checked against enumeration of small formulas."""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing
from itertools import product
from threading import Thread

from nonosat.backends import RemoteEngine, open_backend
from nonosat.core import plugins
from nonosat.core.errors import BackendError, UnsupportedError
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import FALSE, TRUE, Clause
from nonosat.core.plugins import Answer, Backend, Engine
from nonosat.testing.contract import broken, within

ROUNDS = 8  # random formulas of each kind
HARD = ((60, 1), (150, 5))  # variables and seed of formulas that take more than five units of work
PATIENCE_S = 60.0  # for an answer that other engines give in milliseconds
GRACE_S = 10.0  # for an engine in this process to notice its limit
_Clauses = Sequence[Sequence[int]]
Fresh = AbstractContextManager[Engine]
_Open = Callable[..., Fresh]


def check_backend(backend: Backend, name: str) -> None:
    """Check the engines of a backend against their contract.

    Args:
        backend: The backend; for one that works on a board only its declarations are checked.
        name: Name of the backend, with its argument. If it is found under that name, its engines
            are opened as usual, in a child process unless it is `in_process`; else all of them in
            this process.

    Raises:
        AssertionError: It violates the contract; the message gives the reason.
    """
    if not (backend.summary and backend.needs):
        broken("its summary or its requirement is empty")
    if backend.on_board:
        return
    is_found = plugins.is_there("backends", name) and plugins.find("backends", name) is backend

    def fresh(num_vars: int, seed: int = 0, watch: Watch | None = None, **options: str) -> Fresh:
        if is_found:
            return closing(open_backend(name, num_vars, seed, options, watch or Watch(Limits())))
        return closing(backend.opened(name, num_vars, seed, options))

    checks = [_constants, _batches, _grows, _is_empty, _enumerates, _assumes, _budgets, _reports]
    checks += [_limits] * (is_found or backend.in_process)
    checks += [_explains] * backend.explains + [_proves] * backend.proves
    for check in checks:
        with within(check.__doc__):
            check(fresh)


def decide(engine: Engine, *assumptions: int) -> Answer:
    """Return the engine's answer; fail if it takes unreasonably long."""
    watch = Watch(Limits(time_s=PATIENCE_S))
    answer = returned(engine, assumptions, watch)
    if watch.reason():
        broken(f"`solve` has not answered after {PATIENCE_S:g} s, expected at most a second or two")
    return answer


def returned(
    engine: Engine, assumptions: Sequence[int], watch: Watch, budget: int | None = None
) -> Answer:
    """Return the result of `solve`; an engine in this process runs in a thread, as it may hang."""
    if isinstance(engine, RemoteEngine):
        return engine.solve(assumptions, watch, budget)
    found: list[Answer] = []
    errors: list[BaseException] = []

    def work() -> None:
        try:
            found.append(engine.solve(assumptions, watch, budget))
        except BaseException as error:
            errors.append(error)

    thread = Thread(target=work, daemon=True)
    thread.start()
    allowed = watch.remaining_s()
    try:
        thread.join(None if allowed is None else allowed + GRACE_S)
    except BaseException:  # Ctrl-C: end the engine as well
        engine.interrupt()
        thread.join(GRACE_S)
        raise
    if thread.is_alive():
        engine.interrupt()
        broken(
            f"`solve` still runs {GRACE_S:g} s after its time limit of {watch.limits.time_s:g} s"
        )
    if errors:
        raise errors[0]
    return found[0]


def models(num_vars: int, clauses: _Clauses) -> set[tuple[int, ...]]:
    """Return every model as a tuple of 0 and 1, by enumeration."""
    return {
        bits
        for bits in product((0, 1), repeat=num_vars)
        if all(any(bits[abs(lit) - 1] == (lit > 0) for lit in clause) for clause in clauses)
    }


def enumerated(engine: Engine, num_vars: int) -> set[tuple[int, ...]]:
    """Return all models by blocking each one; fail if one is repeated."""
    found: list[tuple[int, ...]] = []
    while decide(engine) is Answer.SAT:
        values = engine.values()
        if len(values) < num_vars + 1:
            broken(f"{len(values)} values for {num_vars} variables, expected one more, for 0")
        found.append(tuple(values[1 : num_vars + 1]))
        if found[-1] in found[:-1]:
            broken(f"it gives the model {found[-1]} again, which a clause forbids")
        engine.add([-var if values[var] else var for var in range(1, num_vars + 1)])
    return set(found)


def random_clauses(rng: random.Random, num_vars: int) -> list[list[int]]:
    """Return random clauses, some with repeated and complementary literals."""
    pick = [lit for var in range(1, num_vars + 1) for lit in (var, -var)]
    return [rng.choices(pick, k=rng.randint(1, 4)) for _ in range(rng.randint(0, 3 * num_vars))]


def hard_formula(num_vars: int, seed: int) -> Iterator[list[int]]:
    """Yield random 3-SAT at its threshold: every method needs hours at 500 variables."""
    rng = random.Random(seed)
    for _ in range(int(4.26 * num_vars)):
        yield [rng.choice((1, -1)) * var for var in rng.sample(range(1, num_vars + 1), 3)]


def _expect(engine: Engine, num_vars: int, clauses: _Clauses) -> None:
    found, expected = enumerated(engine, num_vars), models(num_vars, clauses)
    if wrong := found - expected:
        broken(f"it gives the model {min(wrong)}, which {clauses} forbid")
    if lost := expected - found:
        broken(f"it answers UNSAT, but {min(lost)} is a model of {clauses}")


def _answer(engine: Engine, expected: Answer, *assumptions: int) -> None:
    if (found := decide(engine, *assumptions)) is not expected:
        broken(f"it answers {found} under {assumptions}, expected {expected}")


def _add_all(engine: Engine, clauses: Iterable[Sequence[int]]) -> None:
    for clause in clauses:
        engine.add(clause)


def _constants(fresh: _Open) -> None:
    """TRUE and FALSE in clauses"""
    with fresh(2) as engine:
        _add_all(engine, ([TRUE, -1], [FALSE, 1], [2, FALSE, FALSE]))
        _answer(engine, Answer.SAT)
        if engine.values()[1:3] != b"\1\1":
            broken(f"the values are {engine.values()!r}, expected two true variables")
        engine.add([FALSE])
        _answer(engine, Answer.UNSAT)


def _batches(fresh: _Open) -> None:
    """clauses in batches"""
    with fresh(3) as engine:
        engine.add_batch(array("i", [1, 2, 3, 0, -1, -2, 0, -3, 0]))
        engine.add_batch(array("i"))
        _expect(engine, 3, [[1, 2, 3], [-1, -2], [-3]])


def _grows(fresh: _Open) -> None:
    """new variables and clauses between calls of solve"""
    with fresh(2) as engine:
        if (found := (engine.new_var(), engine.new_vars(2))) != (3, 4):
            broken(f"new variables begin at {found}, expected 3 and 4, after the model's")
        engine.constrain(Clause((-4, 1)))
        _add_all(engine, ([3], [-3, 4]))
        _answer(engine, Answer.SAT, -2)
        engine.add([-4, 5])
        _answer(engine, Answer.SAT)
        if engine.values()[3:6] != b"\1\1\1":
            broken(f"the values are {engine.values()!r}, expected variables 3 to 5 true")
        _answer(engine, Answer.UNSAT, -5)
        _answer(engine, Answer.SAT)


def _is_empty(fresh: _Open) -> None:
    """no variables, and no clauses"""
    with fresh(0) as engine:
        _answer(engine, Answer.SAT)
        if engine.values() != b"\0":
            broken(f"the values of no variables are {engine.values()!r}, expected one byte 0")
        engine.add([])
        _answer(engine, Answer.UNSAT)
    with fresh(3) as engine:
        _expect(engine, 3, [])


def _enumerates(fresh: _Open) -> None:
    """every model of random formulas, for several seeds"""
    rng = random.Random(7)
    for seed in (0, 1, 2**31 + 5, *([0] * ROUNDS)):
        num_vars = rng.randint(1, 5)
        clauses = random_clauses(rng, num_vars)
        with fresh(num_vars, seed) as engine:
            _add_all(engine, clauses)
            _expect(engine, num_vars, clauses)


def _assumes(fresh: _Open) -> None:
    """assumptions hold for one solve"""
    rng = random.Random(11)
    for _ in range(ROUNDS):
        num_vars = rng.randint(1, 5)
        known: list[Sequence[int]] = []
        with fresh(num_vars) as engine:
            for clause in random_clauses(rng, num_vars):
                engine.add(clause)
                known.append(clause)
                units = [rng.choice((1, -1)) * rng.randint(1, num_vars) for _ in range(2)]
                expected = models(num_vars, [*known, *([lit] for lit in units)])
                _answer(engine, Answer.SAT if expected else Answer.UNSAT, *units)
                if expected and tuple(engine.values()[1 : num_vars + 1]) not in expected:
                    broken(f"{engine.values()!r} is not a model of {known} under {units}")


def _budgets(fresh: _Open) -> None:
    """a budget ends a solve, and the next one continues"""
    # A weak engine needs long for the first formula, a strong one for the second.
    for num_vars, seed in HARD:
        with fresh(num_vars) as engine:
            _add_all(engine, hard_formula(num_vars, seed))
            watch = Watch(Limits(time_s=PATIENCE_S))
            try:
                answer = returned(engine, (), watch, 5)
            except (UnsupportedError, BackendError) as error:
                if "budget" not in str(error):
                    raise
                return
            if watch.reason():
                broken(f"five units of work take it longer than {PATIENCE_S:g} s")
            if answer is Answer.UNKNOWN:
                if decide(engine) is Answer.UNKNOWN:
                    broken("it answers UNKNOWN without a budget after a budget has ended it")
                return
    broken("it answers a hard formula within five units of work")


def _limits(fresh: _Open) -> None:
    """a time limit ends a solve"""
    watch = Watch(Limits(time_s=0.05))
    with fresh(500, watch=watch) as engine:
        _add_all(engine, hard_formula(500, 1))
        if (found := returned(engine, (), watch)) is not Answer.UNKNOWN:
            broken(f"it answers {found} at its time limit, expected UNKNOWN")


def _reports(fresh: _Open) -> None:
    """suggestions, statistics, closing"""
    with fresh(3) as engine:
        engine.add([1, 2, 3])
        if not isinstance(engine.set_phases([-1, 2, -3]), bool):
            broken("`set_phases` does not return a bool")
        _answer(engine, Answer.SAT)
        engine.set_phases(())
        counters = engine.statistics()
        if not all(isinstance(key, str) and count >= 0 for key, count in counters.items()):
            broken(f"the statistics are {counters}, expected counters by name")
        engine.interrupt()


def _explains(fresh: _Open) -> None:
    """failed assumptions"""
    rng = random.Random(3)
    cores = 0
    for _ in range(4 * ROUNDS):
        num_vars = rng.randint(2, 6)
        clauses = random_clauses(rng, num_vars)
        units = [rng.choice((1, -1)) * var for var in range(1, num_vars + 1)]
        with fresh(num_vars) as engine:
            _add_all(engine, clauses)
            if decide(engine, *units) is not Answer.UNSAT:
                continue
            core = engine.failed()
            cores += 1
        if not set(core) <= set(units):
            broken(f"{core} failed, expected some of the assumptions {units}")
        if models(num_vars, [*clauses, *([lit] for lit in core)]):
            broken(f"{core} failed, but {clauses} have a model in which they hold")
    if not cores:
        broken("no formula was refuted under assumptions")


def _proves(fresh: _Open) -> None:
    """proofs"""
    clauses = [[1, 2], [1, -2], [-1, 2], [-1, -2]]
    with fresh(2, proof="yes") as engine:
        _add_all(engine, clauses)
        _answer(engine, Answer.UNSAT)
        lines = engine.proof().decode("ascii").splitlines()
    words = [line.removeprefix("d ").split() for line in lines]
    if any(not word or word[-1] != "0" for word in words):
        broken(f"the proof is {lines}, expected lines of DRAT that end with 0")
