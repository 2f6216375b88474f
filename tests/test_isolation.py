"""External code that polls nothing is ended by limits, and gives the same answers."""

from __future__ import annotations

import copyreg
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import nonosat
from helpers.clocks import Clock
from helpers.commands import run
from nonosat.clauses import foreign
from nonosat.clauses.cnf import Cnf
from nonosat.core import plugins
from nonosat.core.about import NOTHING_KNOWN, About
from nonosat.core.errors import BackendError, FormatError, LimitReached, NonosatError
from nonosat.core.families import family_of
from nonosat.core.grid import Grid
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import Clause, Model
from nonosat.core.plugins import Ending, Family
from nonosat.core.result import Verdict
from nonosat.core.scope import within
from nonosat.processes import isolation
from nonosat.processes.isolation import Isolated, RepeatedCall, isolated, must_isolate
from nonosat.puzzles.nonogram import mono

LONG = Watch(Limits(time_s=86_400))  # from now on, independently of the suite's duration


def spin(*_: object) -> Any:
    while True:
        pass


def build(puzzle: Lamps) -> Model:
    lits = range(1, puzzle.width + 1)
    return Model(puzzle.width, clauses=tuple(Clause((one, one + 1)) for one in lits[:-1]))


def one_by_one(puzzle: Lamps, watch: Watch, seed: int) -> Iterator[Any]:
    yield Grid(1, puzzle.width, b"\1" * puzzle.width)
    spin()


LAMPS = Family(
    name="lamps",
    summary="no two neighbours are dark",
    build=build,
    decode=lambda puzzle, values: Grid(1, puzzle.width, bytes(values[1 : puzzle.width + 1])),
    refutation=lambda puzzle, grid: "two are dark" if b"\0\0" in grid.cells else None,
    to_data=lambda puzzle: {"width": puzzle.width},
    methods={"slowly": one_by_one},  # type: ignore[dict-item]  # an iterator
)


@dataclass(frozen=True)
class Lamps:
    width: int
    family: Family = LAMPS
    about: About = NOTHING_KNOWN

    height = 1
    size = "lamps"

    def about_with(self, **changes: str) -> Lamps:
        return replace(self, about=replace(self.about, **changes))


def lamps(**changes: Any) -> Lamps:
    return Lamps(4, LAMPS.replaced(**changes))


# Families


@pytest.mark.parametrize("field", ["build", "decode", "refutation", "obstacle"])
def test_a_limit_ends_a_family_that_loops_for_ever(clock: Clock, field: str) -> None:
    clock.step_s = 0.01
    result = nonosat.check(lamps(**{field: spin}), time_limit_s=0.2)
    assert (result.verdict, result.reason) == (Verdict.UNKNOWN, "time limit of 0.2 s")


def test_a_limit_ends_a_method_and_keeps_its_solutions(clock: Clock) -> None:
    found = nonosat.solutions(Lamps(4), backend="slowly", time_limit_s=4)
    assert next(found) == Grid(1, 4, b"\1\1\1\1")
    clock.advance(4)
    with pytest.raises(LimitReached, match=r"incomplete: time limit of 4 s"):
        next(found)


def test_memory_that_a_family_takes_is_limited() -> None:
    def eat(puzzle: Lamps) -> Model:
        kept = []
        while True:
            kept.append(b"x" * 2**20)

    used_mib = int(nonosat.core.hooks.resident_mib(None))  # type: ignore[attr-defined]
    result = nonosat.solve(lamps(build=eat), memory_limit_mib=used_mib + 200)
    assert (result.verdict, result.reason) == (
        Verdict.UNKNOWN,
        f"memory limit of {used_mib + 200} MiB",
    )


@pytest.mark.slow
def test_answers_within_limits_are_those_without() -> None:
    for ask in (nonosat.solve, nonosat.check, nonosat.count, nonosat.backbone):
        free, held = ask(Lamps(4)), ask(Lamps(4), time_limit_s=600)
        assert {**free.to_data(), "seconds": 0}.keys() == {**held.to_data(), "seconds": 0}.keys()
        assert str(free) == str(held) or ask is nonosat.solve
    held_all = list(nonosat.solutions(Lamps(4), time_limit_s=600))
    assert {*held_all} == {*nonosat.solutions(Lamps(4))}


# Formats, encodings and engines of another package

MODULE = '''
"""Plug-ins that loop for ever."""
import time
from array import array
from nonosat.clauses.cnf import Cnf
from nonosat.encodings import count_pairwise, line_order
from nonosat.formats import nin
from nonosat.plugins import Answer, Backend, Engine, Formulation, checkpoint


def spin(*_):
    while True:
        pass


def slowly(data):
    yield from nin.PLUGIN.read(data)
    spin()


def encode(constraint, sink):
    last = sink.new_vars(2)
    sink.add([last, last + 1])
    sink.add_batch(array("i", [-last, 0, last + 1, last, 0]))
    return line_order.PLUGIN.encode(constraint, sink)


def lazily(constraint, sink):
    line_order.PLUGIN.encode(constraint, sink)
    return lambda values: [[1]] if not values[1] else []


def politely(constraint, sink):
    while True:
        checkpoint()


class Spinning(Cnf, Engine):
    def solve(self, assumptions, watch, budget=None):
        spin()

    def values(self):
        return bytes(9)


FORMAT = nin.PLUGIN.replaced(suffixes=(".spins",), sniff=lambda data: False)
SPINS = FORMAT.replaced(read=spin)
SLOWLY = FORMAT.replaced(read=slowly, suffixes=(".slowly",))
WRITES = FORMAT.replaced(write=spin, suffixes=(".writes",))
NOTHING = FORMAT.replaced(read=print, write=print, suffixes=(".nothing",))
BASE = line_order.PLUGIN.replaced(encode_lines=None)
PLUGINS = {
    "line-spins": BASE.replaced(encode=spin),
    "line-theirs": BASE.replaced(encode=encode),
    "line-lazily": BASE.replaced(encode=lazily),
    "line-politely": BASE.replaced(encode=politely, polls=True),
}
ENGINE = Backend(
    summary="spins",
    needs="nothing",
    in_process=True,
    open_engine=lambda name, num_vars, seed, options: Spinning(num_vars),
)
FORMULATION = Formulation(summary="spins", source="none", formulate=spin)
'''
POINTS = """
[nonosat.formats]
spins = spinning:SPINS
slowly = spinning:SLOWLY
writes = spinning:WRITES
nothing = spinning:NOTHING
[nonosat.encodings]
line-spins = spinning
line-theirs = spinning
line-lazily = spinning
line-politely = spinning
[nonosat.formulations]
line-spins = spinning:FORMULATION
[nonosat.backends]
spins = spinning:ENGINE
"""
ONES = mono([[1]] * 4, [[1]] * 4)
FILE = "2 2\n1\n1\n1\n1\n"
PLAIN = ["--presolve", "none"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Current folder, with the package on the path of this process and of its children."""
    info = tmp_path / "site" / "spinning-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: spinning\nVersion: 1\n")
    (info / "entry_points.txt").write_text(POINTS)
    (tmp_path / "site" / "spinning.py").write_text(MODULE)
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("nonosat.backends._remote._idle", {})  # they do not have the package
    (tmp_path / "ones.nin").write_text(FILE)
    yield tmp_path
    sys.modules.pop("spinning", None)
    for cached in (plugins.find, foreign._is_ours):
        cached.cache_clear()  # type: ignore[attr-defined]  # functools' own


def command(*words: str) -> tuple[int, str]:
    done = run(*words, "--time-limit", "60s")
    return done.exit_code, done.output


@pytest.mark.parametrize("suffix", ["spins", "slowly"])
def test_a_limit_ends_a_reader_that_loops_for_ever(clock: Clock, folder: Path, suffix: str) -> None:
    clock.step_s = 0.5
    (folder / f"ones.{suffix}").write_text(FILE)
    status, output = command("check", f"ones.{suffix}")
    assert status == 5, output
    assert "time limit of 60 s while reading" in output
    assert ("multiple" in output) == (suffix == "slowly")


def test_a_limit_ends_a_writer_that_loops_for_ever(clock: Clock, folder: Path) -> None:
    clock.step_s = 4
    status, output = command("convert", "ones.nin", "ones.writes")
    assert status == 5, output
    assert "time limit of 60 s" in output


def test_a_format_that_returns_nothing_is_named(folder: Path) -> None:
    (folder / "ones.nothing").write_text(FILE)
    for words in (["check", "ones.nothing"], ["convert", "ones.nin", "new.nothing"]):
        done = run(*words)
        assert done.exit_code == 70
        assert "the format nothing breaks its contract: " in done.output
        assert "returned None, expected " in done.output
        assert (
            "the plug-in 'nothing' of the package spinning 1 is not part of nonosat" in done.output
        )


@pytest.mark.parametrize("kind", ["encoding", "formulation"])
def test_a_limit_ends_an_encoding_that_loops_for_ever(
    clock: Clock, folder: Path, kind: str
) -> None:
    clock.step_s = 0.4  # reading, in a child, must take fewer than 150 readings
    backend = {"encoding": "cadical195", "formulation": "cpsat"}[kind]
    words = ["check", "ones.nin", *PLAIN, "--backend", backend, f"--{kind}", "line=spins", "--json"]
    status, output = command(*words)
    assert status == 5, output
    assert '"reason": "time limit of 60 s"' in output


@pytest.mark.parametrize("name", ["count-pysat-totalizer", "count-pindakaas-totalizer"])
def test_encodings_that_call_other_packages_run_in_a_child_within_limits(name: str) -> None:
    record = plugins.find("encodings", name)
    assert not must_isolate(record.encode, record)
    assert must_isolate(record.encode, record, Watch(Limits(time_s=60)))
    ours = plugins.find("encodings", "count-totalizer")
    assert not must_isolate(ours.encode, ours, Watch(Limits(time_s=60)))


def test_a_limit_ends_an_encoding_that_polls(clock: Clock, folder: Path) -> None:
    clock.step_s = 4
    words = ["check", "ones.nin", *PLAIN, "--backend", "learn", "--encoding", "line=politely"]
    status, output = command(*words)
    assert (status, "time limit of 60 s" in output) == (5, True)


def test_a_limit_ends_an_engine_of_this_process_that_loops_for_ever(
    clock: Clock, folder: Path
) -> None:
    clock.step_s = 4
    status, output = command("check", "ones.nin", *PLAIN, "--backend", "spins")
    assert (status, "time limit of 60 s" in output) == (5, True)
    model = Model(2, clauses=(Clause((1, 2)),))
    found = nonosat.solve_model(model, backend="spins", time_limit_s=60, presolve="none")
    assert found.reason == "time limit of 60 s"


@pytest.mark.parametrize("backend", ["learn", "cadical195", "minisat22"])
@pytest.mark.parametrize("name", ["theirs", "lazily"])
def test_an_encoding_gives_the_same_within_limits(folder: Path, backend: str, name: str) -> None:
    how = {"backend": backend, "encoding": {"line": name}, "presolve": "none"}
    found = set(nonosat.solutions(ONES, time_limit_s=600, **how))
    assert found == set(nonosat.solutions(ONES, **how))
    assert len(found) == (24 if name == "theirs" else 6)


def test_one_child_makes_all_clauses_of_an_encoding_and_ends(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started, ended = [], []
    start, end = isolation._ForkedCall.start, isolation._ForkedCall.end
    monkeypatch.setattr(
        isolation._ForkedCall, "start", lambda self, call: (started.append(self), start(self, call))
    )
    monkeypatch.setattr(isolation._ForkedCall, "end", lambda self: (ended.append(self), end(self)))
    how: dict[str, Any] = {"backend": "learn", "encoding": {"line": "lazily"}, "presolve": "none"}
    assert len(list(nonosat.solutions(ONES, time_limit_s=600, **how))) == 6
    assert (len(started), ended) == (1, started)


def test_variables_and_clauses_are_taken_in_order(folder: Path) -> None:
    free, held = Cnf(3), Cnf(3)
    (row,) = family_of(ROW).build(ROW).lines[:1]
    foreign.encode("line-theirs", row, free, 3, {})
    within(LONG, partial(foreign.encode, "line-theirs", row, held, 3, {}))
    assert (free.num_vars, list(free)) == (held.num_vars, list(held))


ROW = mono([[2]], [[1], [1], []])


# Calls in a child


def called(function: Any, *arguments: Any) -> Any:
    return within(LONG, partial(Isolated(function), *arguments))


def test_a_call_without_limits_is_made_here() -> None:
    assert Isolated(os.getpid)() == os.getpid()
    assert called(os.getpid) != os.getpid()


def test_a_record_that_polls_is_left_as_it_is() -> None:
    polite = LAMPS.replaced(polls=True)
    assert isolated(polite) is polite
    assert isolated(nonosat.plugins.find("puzzles", "queens")).build.__module__.startswith("nono")


def test_errors_name_the_function() -> None:
    def fail() -> None:
        made_by.append(os.getpid())
        raise KeyError("no such key")

    def refuse() -> None:
        raise FormatError("bad", line=3)

    made_by: list[int] = []
    with pytest.raises(BackendError, match=r"fail failed: KeyError: 'no such key'") as failed:
        called(fail)
    (note,) = failed.value.__notes__
    assert "in fail\n" in note
    assert not made_by  # the call is not repeated in this process
    with pytest.raises(FormatError) as refused:
        called(refuse)
    assert refused.value.line == 3
    with pytest.raises(BackendError, match=r"sys\.exit\(3\) was called"):
        called(sys.exit, 3)


class TwoWordsError(NonosatError):
    """Can be pickled, but not restored."""

    def __init__(self, one: str, two: str) -> None:
        super().__init__(f"{one} {two}")


def test_an_error_that_cannot_be_restored_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    # Dask, if a test before has imported it, makes all errors restorable (tblib).
    monkeypatch.delitem(copyreg.dispatch_table, TwoWordsError, raising=False)

    def fail() -> None:
        raise TwoWordsError("bad", "luck")

    with pytest.raises(BackendError, match=r"fail failed: TwoWordsError: bad luck"):
        called(fail)


def test_memory_that_a_function_lacks_is_a_limit() -> None:
    def fail() -> None:
        raise MemoryError("a terabyte")

    with pytest.raises(LimitReached, match="out of memory: a terabyte") as reached:
        called(fail)
    assert reached.value.kind == "memory"


def test_a_call_that_ends_its_process_is_named() -> None:
    def leave(how: int) -> None:
        if how:
            os.kill(os.getpid(), how)
        os._exit(3)

    with pytest.raises(BackendError, match=r"test_isolation\..*leave ended .* \(exit status 3\)"):
        called(leave, 0)
    with pytest.raises(BackendError, match=r"ended its process \(SIGKILL\)"):
        called(leave, signal.SIGKILL)


def test_results_that_cannot_be_pickled_are_refused() -> None:
    with pytest.raises(BackendError, match=r"returned <function .*cannot be pickled .* polls=True"):
        called(lambda: lambda: 7)
    locks = called(lambda: iter([1, 2, threading.Lock(), 4]))
    assert [next(locks), next(locks)] == [1, 2]
    with pytest.raises(BackendError, match=r"returned <unlocked _thread\.lock .*polls=True"):
        next(locks)


def test_records_of_plug_ins_are_those_of_this_process() -> None:
    wide = called(lambda: replace(Lamps(4), width=7))
    assert wide == Lamps(7)
    assert wide.family is LAMPS
    with pytest.raises(BackendError, match="the Family was made by the call"):
        called(lambda: lamps(name="other"))


def test_an_iterator_gives_its_items_as_they_come_and_its_return_value() -> None:
    def method() -> Iterator[int]:
        yield from range(3)
        return Ending(True, "done")  # type: ignore[return-value]  # a generator's

    def all_of() -> Any:
        found = [(yield from Isolated(method)())]
        return found

    def run_all() -> tuple[list[int], Any]:
        items, steps = [], all_of()
        while True:
            try:
                items.append(next(steps))
            except StopIteration as stop:
                return items, stop.value

    assert within(LONG, run_all) == ([0, 1, 2], [Ending(True, "done")])


def test_calls_of_one_child_are_made_one_after_the_other() -> None:
    seen: list[int] = []

    def called_with(number: int) -> tuple[int, int]:
        seen.append(number)
        return os.getpid(), sum(seen)

    call = RepeatedCall(called_with, called_with)
    (child, one), (same, three) = (within(LONG, partial(call, n)) for n in (1, 2))
    assert child == same != os.getpid()
    assert (one, three, seen) == (1, 3, [])
    with pytest.raises(BackendError, match="called_with failed: TypeError"):
        call("no number")
    other, ten = call(10)
    assert (other != child, ten) == (True, 10)  # by a new child
    os.kill(other, signal.SIGKILL)
    with pytest.raises(BackendError, match=r"ended its process \(SIGKILL\)"):
        call(1)
    call.close()
    call.close()


def test_no_child_is_left_behind() -> None:
    def forever() -> Iterator[int]:
        while True:
            yield os.getpid()

    items = called(forever)
    child = next(items)
    items.close()
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)


def test_ctrl_c_in_another_thread_during_a_fork_is_not_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Python drops exceptions of hooks of a fork; another thread may receive the signal then."""
    done, fork = threading.Event(), os.fork
    other = threading.Thread(target=done.wait)
    other.start()
    received, wakes = os.pipe()
    os.set_blocking(wakes, False)

    def with_hook() -> int:
        pid = fork()
        if pid:
            with suppress(KeyboardInterrupt):
                assert other.ident is not None
                signal.pthread_kill(other.ident, signal.SIGINT)
                os.read(received, 1)
        return pid

    monkeypatch.setattr(os, "fork", with_hook)
    before = signal.set_wakeup_fd(wakes)
    try:
        with pytest.raises(KeyboardInterrupt):
            called(os.getpid)
    finally:
        signal.set_wakeup_fd(before)
        done.set()
        other.join()
        os.close(received)
        os.close(wakes)


def test_ctrl_c_ends_the_child_first() -> None:
    pids: list[int] = []

    def interrupted() -> None:
        parent = os.getppid()
        os.write(end, f"{os.getpid()}\n".encode())
        os.kill(parent, signal.SIGINT)
        spin()

    start, end = os.pipe()
    with pytest.raises(KeyboardInterrupt):
        called(interrupted)
    with os.fdopen(start) as lines:
        os.close(end)
        pids += map(int, lines)
    with pytest.raises(ProcessLookupError):
        os.kill(pids[0], 0)
