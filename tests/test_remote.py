"""Remote engines: a child is killed in time, its failures are named, and it is never shared."""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import closing

import pytest

from helpers.clocks import interrupt
from helpers.processes import PATIENCE_S, all_ended, interruptible
from nonosat.backends import RemoteEngine, open_backend
from nonosat.core import plugins
from nonosat.core.errors import BackendError
from nonosat.core.limits import Limits, Watch
from nonosat.core.plugins import Answer
from nonosat.processes.child import Child
from nonosat.processes.system import start_tied

UNLIMITED = Limits()

# Engine whose option "deed" selects its behaviour, found by an entry point as of another package.
ODD_BACKEND = """
import os, sys, time
from nonosat.core.plugins import Answer, Backend, Engine


class Odd(Engine):
    def __init__(self, deed):
        self.deed = deed

    def new_var(self): ...
    def new_vars(self, count): ...
    def add(self, clause): ...
    def add_batch(self, clauses): ...
    def values(self): return b"\\0"
    def statistics(self): return {"pid": os.getpid()}

    def solve(self, assumptions, watch, budget=None):
        if self.deed == "eat":
            eaten = []
            while True:
                eaten.append(bytearray(os.urandom(1)) * 2**20)
                time.sleep(0.001)
        if self.deed == "hold":  # Python's lock, in C code that looks at no signal
            sum(range(10**11))
        if self.deed == "abort":
            print("internal error 17", flush=True)
            os.abort()
        if self.deed == "exit":
            os._exit(3)
        if self.deed == "forget":
            raise MemoryError
        if self.deed == "fail":
            raise ValueError("a strange formula")
        if self.deed == "chatter":
            print("x" * 3_000_000)
            print("y" * 3_000_000, file=sys.stderr)
        return Answer.SAT


def open_engine(name, num_vars, seed, options):
    return Odd(options["deed"])


PLUGIN = Backend(summary="misbehaves", needs="nothing", open_engine=open_engine)
"""


@pytest.fixture(autouse=True)
def _interruptible():
    with interruptible():
        yield


@pytest.fixture
def odd(tmp_path, monkeypatch):
    """Return a function that opens the misbehaving engine: odd(deed, watch)."""
    (tmp_path / "odd_backend.py").write_text(ODD_BACKEND)
    info = tmp_path / "odd_backend-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: odd-backend\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[nonosat.backends]\nodd = odd_backend\n")
    monkeypatch.syspath_prepend(tmp_path)
    yield lambda deed, watch: closing(open_backend("odd", 0, 0, {"deed": deed}, watch))
    plugins.find.cache_clear()
    sys.modules.pop("odd_backend", None)


@pytest.mark.parametrize("deed", ["hold", "eat"])
def test_a_child_that_never_polls_is_killed_in_time(clock, odd, deed):
    clock.step_s = 4
    with odd(deed, Watch(UNLIMITED)) as engine:
        pid = engine.child.pid
        watch = Watch(Limits(time_s=60))
        assert engine.solve((), watch) is Answer.UNKNOWN
        assert all_ended([pid])
        assert engine.solve((), Watch(UNLIMITED)) is Answer.UNKNOWN
    assert watch.reason() == "time limit of 60 s"


def test_an_interruption_while_a_child_starts_leaves_none(monkeypatch):
    started = []

    def start(*words):
        process, lifeline = start_tied(*words)
        started.append(process.pid)
        signal.raise_signal(signal.SIGINT)
        return process, lifeline

    monkeypatch.setattr("nonosat.processes.child.start_tied", start)
    with pytest.raises(KeyboardInterrupt):
        Child()
    with pytest.raises(ChildProcessError):  # it was killed and reaped
        os.waitpid(started[0], os.WNOHANG)


def test_an_interruption_while_a_child_is_killed_leaves_it_reaped(monkeypatch):
    child = Child()
    wait = child._process.wait

    def interrupted(patience_s):
        signal.raise_signal(signal.SIGINT)
        return wait(patience_s)

    monkeypatch.setattr(child._process, "wait", interrupted)
    with pytest.raises(KeyboardInterrupt):
        child.kill(patience_s=None)
    assert child._process.returncode == -signal.SIGKILL


def test_memory_limit_is_the_childs_memory(odd):
    watch = Watch(Limits(time_s=PATIENCE_S, memory_mib=150))
    with odd("eat", watch) as engine:
        assert engine.solve((), watch) is Answer.UNKNOWN
    assert watch.reason() == "memory limit of 150 MiB"


@pytest.mark.slow
def test_memory_limit_ends_a_real_engine():
    watch = Watch(Limits(time_s=PATIENCE_S, memory_mib=150))
    with closing(open_backend("cadical195", 30_000_000, 0, {}, watch)) as engine:
        engine.add([30_000_000])
        assert engine.solve((), watch) is Answer.UNKNOWN
    assert watch.reason() == "memory limit of 150 MiB"


@pytest.mark.parametrize(
    ("deed", "words"),
    [
        ("abort", r"odd died of SIGABRT \(internal error 17\)"),
        ("exit", "odd ended with status 3"),
        ("forget", "odd could not get more memory"),
        ("fail", "odd failed: ValueError: a strange formula"),
    ],
)
def test_a_failing_engine_is_a_backend_error(odd, deed, words):
    watch = Watch(UNLIMITED)
    with odd(deed, watch) as engine, pytest.raises(BackendError, match=words):
        engine.solve((), watch)
    with odd("nothing", watch) as engine:
        assert engine.solve((), watch) is Answer.SAT


def test_a_real_abort_is_a_backend_error():
    watch = Watch(UNLIMITED)
    with closing(open_backend("cadical195", 1, 0, {}, watch)) as engine:
        engine.add([-(2**31)])
        with pytest.raises(BackendError, match="cadical195 died of SIG"):
            engine.solve((), watch)


def test_a_killed_child_is_a_backend_error():
    watch = Watch(UNLIMITED)
    with closing(open_backend("cadical195", 1, 0, {}, watch)) as engine:
        os.kill(engine.child.pid, signal.SIGSEGV)
        with pytest.raises(BackendError, match="cadical195 died of SIGSEGV"):
            engine.solve((), watch)


def test_an_error_does_not_stay_with_the_child(odd):
    watch = Watch(UNLIMITED)
    with closing(open_backend("odd", 0, 0, {}, watch)) as engine:  # no deed: open_engine fails
        engine.add([1])
        with pytest.raises(BackendError, match="KeyError: 'deed'"):
            engine.solve((), watch)
    with odd("nothing", watch) as engine:
        assert engine.solve((), watch) is Answer.SAT


def test_chatter_neither_blocks_nor_spoils_output(odd, capfd):
    watch = Watch(Limits(time_s=PATIENCE_S))
    with odd("chatter", watch) as engine:
        assert engine.solve((), watch) is Answer.SAT
    assert capfd.readouterr() == ("", "")


def test_idle_children_are_used_again_but_not_shared(odd):
    watch = Watch(UNLIMITED)

    def pid_of(engine):
        assert engine.solve((), watch) is Answer.SAT
        return engine.statistics()["pid"]

    with odd("nothing", watch) as one, odd("nothing", watch) as other:
        pids = {pid_of(one), pid_of(other)}
        assert len(pids) == 2
    with odd("nothing", watch) as engine:
        assert pid_of(engine) in pids
    limited = Watch(Limits(memory_mib=1000))
    with odd("nothing", limited) as engine:
        fresh = pid_of(engine)
        assert fresh not in pids
    assert all_ended([fresh])


def test_a_dead_idle_child_is_replaced(odd):
    watch = Watch(UNLIMITED)
    with odd("nothing", watch) as engine:
        child = engine.child
    os.kill(child.pid, signal.SIGKILL)
    assert all_ended([child.pid])
    assert not child.is_fit()
    with odd("nothing", watch) as engine:
        assert engine.solve((), watch) is Answer.SAT
        assert engine.statistics()["pid"] != child.pid


def test_interrupt_from_another_thread_ends_a_running_solve(clock, odd):
    watch = Watch(Limits(time_s=20))
    with odd("hold", watch) as engine, clock.then(engine.interrupt):
        assert engine.solve((), watch) is Answer.UNKNOWN
    assert watch.reason() is None


def test_keyboard_interrupt_leaves_no_child(clock, odd):
    watch = Watch(Limits(time_s=60))
    with odd("hold", watch) as engine:
        pid = engine.child.pid
        with clock.then(interrupt), pytest.raises(KeyboardInterrupt):
            engine.solve((), watch)
        assert all_ended([pid])


@pytest.mark.parametrize("names", [("cadical195", "cadical195"), ("cpsat", "minisat22")])
def test_two_threads_at_once(names):
    answers = {}

    def work(key, name, clauses):
        watch = Watch(UNLIMITED)
        for turn in range(5):
            with closing(open_backend(name, 2, 0, {}, watch)) as engine:
                for clause in clauses:
                    engine.add(clause)
                answers[key, turn] = engine.solve((), watch)

    sat, unsat = [[1, 2], [-1]], [[1, 2], [-1], [-2]]
    threads = [
        threading.Thread(target=work, args=(clauses is sat, name, clauses))
        for name, clauses in zip(names, (sat, unsat), strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = {True: Answer.SAT, False: Answer.UNSAT}
    assert answers == {(key, turn): expected[key] for key in expected for turn in range(5)}


def test_an_engine_from_before_a_fork_is_refused():
    watch = Watch(UNLIMITED)
    with closing(open_backend("cadical195", 1, 0, {}, watch)) as engine:
        assert isinstance(engine, RemoteEngine)
        engine.child.disown()  # what the fork's copy of this process does
        with pytest.raises(BackendError, match="has ended already"):
            engine.solve((), watch)
        os.waitpid(engine.child.pid, 0)
