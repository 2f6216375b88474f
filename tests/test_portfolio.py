"""A portfolio keeps the contract of one engine, and leaves no process."""

from __future__ import annotations

import os
import random
import signal
import sys
from contextlib import closing

import pytest

from helpers.clocks import interrupt
from helpers.processes import PATIENCE_S, all_ended, children_of, interruptible, reap_killed
from nonosat.backends import open_backend, portfolio
from nonosat.clauses import sinks
from nonosat.core import plugins
from nonosat.core.errors import BackendError, UnsupportedError
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import Clause, Count
from nonosat.core.plugins import Answer
from nonosat.processes.memory import resident_mib
from nonosat.testing.engines import decide, enumerated, hard_formula, models, random_clauses

UNLIMITED = Limits()
PAIR = "portfolio:glucose421,minisat22"

# Engines named after their behaviour, found by entry points as of another package.
DEEDS = ("odd-quick", "odd-hold", "odd-abort", "odd-fail", "odd-eat", "odd-tell", "odd-deaf")
ODD_BACKEND = f"""
import os, time
from nonosat.core.errors import BackendError
from nonosat.core.plugins import Answer, Backend, Engine


class Odd(Engine):
    def __init__(self, name, num_vars):
        self.deed = name.removeprefix("odd-")
        self.size = num_vars + 1
        self.lits = []

    def new_var(self): ...
    def new_vars(self, count): self.size += count
    def add(self, clause): ...
    def add_batch(self, clauses): ...
    def values(self): return bytes(lit > 0 for lit in [0, *self.lits])
    def statistics(self): return {{"pid": os.getpid()}}

    def set_phases(self, lits):
        self.lits = lits
        return self.deed != "deaf"

    def solve(self, assumptions, watch, budget=None):
        if self.deed == "hold" and "ODD_QUICK" not in os.environ:
            sum(range(10**11))  # holds Python's lock, in C code that looks at no signal
        if self.deed == "abort":
            print("internal error 17", flush=True)
            os.abort()
        if self.deed == "fail":
            raise BackendError("no luck")
        if self.deed == "eat":
            eaten = bytearray(os.urandom(1)) * (int(os.environ["ODD_MIB"]) * 2**20)
            time.sleep(600)
        if self.deed == "deaf":
            return Answer.UNKNOWN
        return Answer.SAT


def open_engine(name, num_vars, seed, options):
    return Odd(name, num_vars)


BACKEND = Backend(summary="misbehaves", needs="nothing", open_engine=open_engine)
PLUGINS = dict.fromkeys({DEEDS!r}, BACKEND)
"""


@pytest.fixture(autouse=True)
def _interruptible():
    with interruptible():
        yield


@pytest.fixture
def odd(tmp_path, monkeypatch):
    """Register the misbehaving engines: odd(members, num_vars) opens a portfolio of them."""
    (tmp_path / "racing_backend.py").write_text(ODD_BACKEND)
    info = tmp_path / "racing_backend-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: racing-backend\nVersion: 1\n")
    points = "".join(f"{name} = racing_backend\n" for name in DEEDS)
    (info / "entry_points.txt").write_text(f"[nonosat.backends]\n{points}")
    monkeypatch.syspath_prepend(tmp_path)
    yield lambda members, num_vars=0: opened(f"portfolio:{members}", num_vars)
    plugins.find.cache_clear()
    sys.modules.pop("racing_backend", None)


def opened(name, num_vars):
    return closing(open_backend(name, num_vars, 0, {}, Watch(UNLIMITED)))


def answer_of(engine, budget=None):
    """Return the answer of members in new children, which a limit of memory requires."""
    return engine.solve((), Watch(Limits(memory_mib=100_000)), budget)


@pytest.fixture
def started():
    """Return the children that were started since then, except those killed by this process."""
    before = children_of(os.getpid())

    def since():
        reap_killed()
        return children_of(os.getpid()) - before

    return since


def random_hard(engine, num_vars=500):
    for clause in hard_formula(num_vars, seed=1):
        engine.add(clause)


# The contract of an engine


@pytest.mark.parametrize("name", [PAIR, "portfolio:kissat404,cadical195+hints", "portfolio"])
def test_models_equal_enumeration_for_any_winner(name):
    rng = random.Random(7)
    for _ in range(3):
        num_vars = rng.randint(2, 4)
        clauses = random_clauses(rng, num_vars)
        with opened(name, num_vars) as engine:
            engine.set_phases([-var for var in range(1, num_vars + 1)])
            for clause in clauses:
                engine.add(clause)
            assert enumerated(engine, num_vars) == models(num_vars, clauses)


def test_a_member_that_starts_late_knows_every_clause(started, monkeypatch):
    monkeypatch.setattr(portfolio, "HEAD_START_S", 0.0)
    rng = random.Random(11)
    num_vars = 4
    clauses = [clause for clause in random_clauses(rng, num_vars) if len(clause) > 2]
    expected = models(num_vars, clauses)
    assert len(expected) > 5
    found = set()
    with opened(PAIR, num_vars) as engine:
        for clause in clauses:
            engine.add(clause)
        for _ in range(4):  # the other one has to do it each time
            for pid in started():
                os.kill(pid, signal.SIGKILL)
            assert answer_of(engine) is Answer.SAT
            bits = tuple(engine.values()[1:])
            assert bits in expected - found
            found.add(bits)
            engine.add([-var if bit else var for var, bit in enumerate(bits, 1)])
        assert found | enumerated(engine, num_vars) == expected


def test_assumptions_hold_for_one_solve():
    rng = random.Random(3)
    with opened(PAIR, 4) as engine:
        known = []
        for clause in random_clauses(rng, 4):
            engine.add(clause)
            known.append(clause)
            units = [rng.choice((1, -1)) * rng.randint(1, 4) for _ in range(2)]
            expected = models(4, [*known, *([lit] for lit in units)])
            assert engine.solve(units, Watch(UNLIMITED)) is (
                Answer.SAT if expected else Answer.UNSAT
            )
            assert not expected or tuple(engine.values()[1:]) in expected


def test_new_variables_and_constraints():
    with opened(PAIR, 2) as engine:
        assert [engine.new_var(), engine.new_vars(2)] == [3, 4]
        engine.constrain(Clause((3,)))
        engine.add([-3, 5])
        assert decide(engine) is Answer.SAT
        assert len(engine.values()) == 6
        assert engine.values()[3] == engine.values()[5] == 1
        assert engine.new_var() == 6
        engine.add([-5, 6])
        assert decide(engine, -6) is Answer.UNSAT
        assert engine.values() == b""
        with pytest.raises(UnsupportedError, match="takes no Count"):
            engine.constrain(Count((1, 2), 0, 1))


def test_many_clauses_travel_in_batches(monkeypatch):
    monkeypatch.setattr(sinks, "BATCH", 50)
    num_vars = 300
    with opened(PAIR, num_vars) as engine:
        for var in range(1, num_vars):
            engine.add([-var, var + 1])
        engine.add([1])
        assert decide(engine) is Answer.SAT
        assert engine.values() == b"\0" + b"\1" * num_vars
        assert decide(engine, -num_vars) is Answer.UNSAT


@pytest.mark.slow
def test_budgets_of_all_end_without_an_answer_and_the_next_solve_goes_on(started):
    with opened(PAIR, 150) as engine:
        for clause in hard_formula(150, 5):
            engine.add(clause)
        assert answer_of(engine, 5) is Answer.UNKNOWN
        assert len(started()) == 2
        assert answer_of(engine) is not Answer.UNKNOWN
        assert len(started()) == 1


# Processes


def test_losers_are_gone_when_the_answer_is_there(odd, started):
    with odd("odd-hold,odd-quick,odd-hold+hints") as engine:
        assert answer_of(engine) is Answer.SAT
        assert started() == {engine.statistics()["pid"]}  # no zombies, too


def test_the_winner_stays_and_has_a_head_start(odd, monkeypatch):
    monkeypatch.setattr(portfolio, "HEAD_START_S", 60.0)
    with odd("odd-hold,odd-quick") as engine:
        assert decide(engine) is Answer.SAT
        pid = engine.statistics()["pid"]
        started = []
        monkeypatch.setattr(portfolio, "RemoteEngine", lambda *args: started.append(args))
        for _ in range(3):
            assert decide(engine) is Answer.SAT
            assert engine.statistics()["pid"] == pid
        assert started == []
        assert engine.statistics()["won_odd-quick"] == 4


def test_interrupt_from_another_thread_ends_all(clock, odd):
    before = children_of(os.getpid())
    watch = Watch(Limits(time_s=60))
    with odd("odd-hold,glucose421") as engine:
        random_hard(engine)
        with clock.then(engine.interrupt):
            assert engine.solve((), watch) is Answer.UNKNOWN
        assert all_ended(children_of(os.getpid()) - before)
        engine.interrupt()
        assert engine.solve((), watch) is Answer.UNKNOWN  # it is kept for the next one
        assert all_ended(children_of(os.getpid()) - before)
    assert watch.reason() is None


def test_keyboard_interrupt_leaves_no_child(clock, odd):
    before = children_of(os.getpid())
    with odd("odd-hold,glucose421") as engine:
        random_hard(engine)
        with clock.then(interrupt), pytest.raises(KeyboardInterrupt):
            engine.solve((), Watch(Limits(time_s=60)))
        assert all_ended(children_of(os.getpid()) - before)


def test_the_time_limit_ends_all_and_a_later_solve_starts_again(clock, odd):
    clock.step_s = 2
    before = children_of(os.getpid())
    with odd("odd-hold,glucose421", 1) as engine:
        engine.add([1])
        random_hard(engine)
        watch = Watch(Limits(time_s=60))
        assert engine.solve((), watch) is Answer.UNKNOWN
        assert watch.reason() == "time limit of 60 s"
        assert all_ended(children_of(os.getpid()) - before)
        assert engine.solve((), watch) is Answer.UNKNOWN
        clock.step_s = 0.0
        assert decide(engine, -1) is Answer.UNSAT


@pytest.mark.real_time
def test_the_memory_limit_is_for_the_sum_of_the_children(odd, monkeypatch):
    size = int(resident_mib(None)) + 90  # this process may be large, and is below the limit
    monkeypatch.setenv("ODD_MIB", str(size))
    most = size + 100  # one engine of that size and the interpreters stay below, two do not
    alone = Watch(Limits(time_s=1, memory_mib=most))
    with odd("odd-eat,odd-hold") as engine:
        assert engine.solve((), alone) is Answer.UNKNOWN
    assert alone.reason() == "time limit of 1 s"
    assert alone.together == set()
    both = Watch(Limits(time_s=PATIENCE_S, memory_mib=most))
    with odd("odd-eat,odd-eat+hints,odd-hold") as engine:
        assert engine.solve((), both) is Answer.UNKNOWN
    assert both.reason() == f"memory limit of {most} MiB"


# Failures


def test_a_member_that_fails_only_loses(odd):
    for bad in ("odd-abort", "odd-fail"):
        with odd(f"{bad},minisat22", 2) as engine:
            engine.add([-1])
            engine.add([1, 2])
            assert decide(engine) is Answer.SAT
            assert engine.values() == bytes([0, 0, 1])
            assert engine.statistics()["won_minisat22"] == 1
            assert decide(engine, -2) is Answer.UNSAT


@pytest.mark.slow
def test_when_all_fail_every_reason_is_named(odd, started):
    with odd("odd-abort,odd-fail") as engine:
        for _ in range(2):
            with pytest.raises(BackendError, match="every member") as caught:
                answer_of(engine)
            assert "odd-abort: odd-abort died of SIGABRT (internal error 17)" in str(caught.value)
            assert "odd-fail: no luck" in str(caught.value)
            assert all_ended(started())
        assert engine.statistics() == {}


def test_a_winner_that_fails_later_is_replaced(odd, monkeypatch):
    monkeypatch.setattr(portfolio, "HEAD_START_S", 60.0)
    with odd("odd-quick,odd-hold") as engine:
        assert answer_of(engine) is Answer.SAT
        os.kill(engine.statistics()["pid"], signal.SIGKILL)
        monkeypatch.setenv("ODD_QUICK", "yes")  # the other one's next child answers, too
        assert answer_of(engine) is Answer.SAT
        assert engine.statistics()["failed_odd-quick"] == 1
        assert engine.statistics()["won_odd-hold"] == 1


# Hints


@pytest.mark.parametrize(
    ("members", "hinted"),
    [
        ("odd-tell+hints,odd-hold", True),
        ("odd-tell,odd-hold+hints", False),
        ("odd-tell,odd-hold", True),
    ],
)
def test_initial_phases_go_to_workers_named_for_them_or_else_to_all(odd, members, hinted):
    with odd(members, 3) as engine:
        assert engine.set_phases([1, -2, 3])
        assert decide(engine) is Answer.SAT
        assert engine.values() == (bytes([0, 1, 0, 1]) if hinted else bytes([0]))
        assert engine.set_phases([-1, -2, 3])  # the winner gets phases for others as well
        assert decide(engine) is Answer.SAT
        assert engine.values() == (bytes([0, 0, 0, 1]) if hinted else bytes([0]))


@pytest.mark.thorough
def test_a_member_named_for_hints_that_takes_none_fails(odd):
    with odd("odd-deaf+hints,odd-fail", 1) as engine:
        engine.set_phases([1])
        with pytest.raises(BackendError, match="odd-deaf takes no hints; leave out"):
            decide(engine)
    with odd("odd-deaf,odd-fail", 1) as engine:
        engine.set_phases([1])
        assert decide(engine) is Answer.UNKNOWN
