"""Mutants of Python modules, tested in a live process: `python living.py < request > result`.

pytest collects the tests once. Each mutant gets a fork of this process, which replaces the code of
the changed function, including all its imported references, and runs the tests that call the
function, until one fails. One run without a change determines these tests. Request and result are
JSON objects.
"""

from __future__ import annotations

import functools
import gc
import importlib
import json
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from math import ceil
from pathlib import Path
from time import monotonic, process_time, sleep
from types import FunctionType
from typing import Any, NamedTuple

import pytest
from mutating import Mutant, mutants, mutated, noting

PATIENCE = 10  # limit of a test with a mutant, as a multiple of its CPU time in the clean run
BUDGET_S = 30  # of a clean run's tests for a mutant; the quickest come first
LEAST_S = 3  # minimum of that limit, in CPU seconds
WAITING = 10  # wall limit, as a multiple of the CPU limit, for a busy machine
MEMORY = 3 * 2**30
KILLED, SURVIVED, UNMADE, UNTOUCHED = "killed", "survived", "unmade", "untouched"


class Chosen(NamedTuple):
    """A mutant of a module."""

    path: str
    module: str
    mutant: Mutant


Called = dict[str, list[int]]  # "path:line of a function" -> the tests that call it


class Trials:
    """A pytest plug-in that runs the collected tests for every mutant."""

    def __init__(self, modules: list[str], sample: int, seed: int, jobs: int) -> None:
        self.modules, self.sample, self.seed, self.jobs = modules, sample, seed, jobs
        self.found: dict[str, Any] = {"error": "the tests were not run"}

    def pytest_collection(self) -> None:
        """Disable shrinking, because one failure is enough."""
        from hypothesis import Phase, settings

        phases = (Phase.explicit, Phase.generate)
        settings.register_profile("mutants", parent=settings(), phases=phases)
        settings.load_profile("mutants")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            self.found = {"error": "the tests cannot be collected"}
            return True
        gc.unfreeze()  # objects frozen by `tests/conftest.py` are not among those of `gc`
        with tempfile.TemporaryDirectory() as scratch:
            clean = self._clean(session, Path(scratch))
            if clean is None:
                self.found = {"error": "a test fails without a mutant"}
                return True
            every = self._chosen()
            rng = random.Random(self.seed)
            tried = sorted(rng.sample(every, min(self.sample, len(every))))
            outcomes = self._outcomes(session, tried, clean, Path(scratch))
        self.found = {
            "tests": len(session.items),
            "mutants": len(every),
            "tried": [
                {**chosen.mutant._asdict(), "path": chosen.path, "outcome": outcomes[chosen]}
                for chosen in tried
            ],
        }
        return True

    def _chosen(self) -> list[Chosen]:
        every = []
        for module in self.modules:
            path = str(importlib.import_module(module).__file__)
            every += [Chosen(path, module, each) for each in mutants(Path(path).read_text())]
        return every

    def _clean(self, session: pytest.Session, scratch: Path) -> tuple[list[float], Called] | None:
        """Run all tests in a fork; return the seconds of each, and the callers of each function."""
        into = scratch / "clean.json"
        files = {str(importlib.import_module(module).__file__) for module in self.modules}

        def run() -> None:
            called: Called = {}
            caches = list(cached())
            times = []
            seen: set[str] = set()
            for file in files:
                note_calls(file, seen)
            for index, _ in enumerate(session.items):
                for cache in caches:
                    cache.cache_clear()
                seen.clear()
                started = process_time()
                run_tests(session, [index])
                times.append(process_time() - started)
                for function in seen:
                    called.setdefault(function, []).append(index)
            into.write_text(json.dumps([times, called]))

        pid = forked(run, scratch / "clean")
        return json.loads(into.read_text()) if os.waitpid(pid, 0)[1] == 0 else None

    def _outcomes(
        self,
        session: pytest.Session,
        tried: list[Chosen],
        clean: tuple[list[float], Called],
        scratch: Path,
    ) -> dict[Chosen, str]:
        """Return the outcome of each mutant; several run in parallel."""
        times, called = clean
        outcomes = {}
        running: dict[int, tuple[Chosen, float]] = {}
        waiting = tried[::-1]
        while waiting or running:
            while waiting and len(running) < self.jobs:
                chosen = waiting.pop()
                tests = called.get(f"{chosen.path}:{chosen.mutant.first}", [])
                tests = affordable(tests, times)
                if not tests:
                    outcomes[chosen] = UNTOUCHED
                    continue

                def run(chosen: Chosen = chosen, tests: list[int] = tests) -> None:
                    for cache in cached():
                        cache.cache_clear()
                    if not changed(chosen):
                        os._exit(2)
                    run_tests(session, tests, times)

                end = monotonic() + WAITING * sum(allowed(times[test]) for test in tests)
                running[forked(run, scratch / str(len(waiting)))] = chosen, end
            for pid, outcome in list(_ended(running)):
                outcomes[running.pop(pid)[0]] = outcome
            sleep(0.005)
        return outcomes


def _ended(running: dict[int, tuple[Chosen, float]]) -> Iterator[tuple[int, str]]:
    for pid, (_, end) in running.items():
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            code = os.waitstatus_to_exitcode(status)
            yield pid, {0: SURVIVED, 2: UNMADE}.get(code, KILLED)
        elif monotonic() > end:
            os.killpg(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            yield pid, KILLED


def forked(run: Any, folder: Path) -> int:
    """Run a function in a silent process group, which ends with its status."""
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        os.setpgid(0, 0)
        folder.mkdir()
        os.environ["PYTEST_DEBUG_TEMPROOT"] = str(folder)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        silence = os.open(os.devnull, os.O_RDWR)
        for stream in (1, 2):
            os.dup2(silence, stream)
        run()
        status = 0
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(status)


def run_tests(session: pytest.Session, tests: list[int], times: list[float] | None = None) -> None:
    """Run tests of a session; exit with status 1 at the first failure.

    If times are given, a test that takes much longer ends the process, so that a hanging mutant is
    detected at its first test.
    """
    for at, index in enumerate(tests):
        if times:
            limit(allowed(times[index]))
        following = session.items[tests[at + 1]] if at + 1 < len(tests) else None
        item = session.items[index]
        item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.testsfailed:
            os._exit(1)


def allowed(clean: float) -> float:
    """Return the permitted CPU seconds of a test, given those without a mutant."""
    return max(LEAST_S, PATIENCE * clean)


def limit(seconds: float) -> None:
    """Set signals that end this process after `seconds` of CPU time, or much later in wall time."""
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (ceil(process_time() + seconds), most))
    signal.setitimer(signal.ITIMER_REAL, WAITING * seconds)


def affordable(tests: list[int], times: list[float]) -> list[int]:
    """Return the quickest tests that fit into the time of a mutant."""
    chosen, spent = list[int](), 0.0
    for test in sorted(tests, key=times.__getitem__):
        spent += times[test]
        if chosen and spent > BUDGET_S:
            break
        chosen.append(test)
    return chosen


def cached() -> list[Any]:
    """Return the caches of nonosat's functions, which were filled without the mutant."""
    caches = [each for each in gc.get_objects() if isinstance(each, functools._lru_cache_wrapper)]
    return [cache for cache in caches if str(cache.__module__).startswith("nonosat")]


def changed(chosen: Chosen) -> bool:
    """Replace the code of a function by that of a mutant; return False if it is impossible."""
    mutant = chosen.mutant
    code = mutated(Path(chosen.path).read_text(), mutant, chosen.path)
    key = (mutant.function, mutant.first)
    every = functions(chosen.path)
    mine = [e for e in every if (e.__code__.co_qualname, e.__code__.co_firstlineno) == key]
    for function in mine:
        if len(function.__code__.co_freevars) != len(code.co_freevars):
            return False
        function.__code__ = code
    return bool(mine)


def note_calls(path: str, into: set[str]) -> None:
    """Make every function of a file add "path:first line" to a set when it is called."""
    made = {
        (code.co_qualname, code.co_firstlineno): code
        for code in noting(Path(path).read_text(), path, "_noted")
    }
    for function in functions(path):
        code = function.__code__
        if code := made.get((code.co_qualname, code.co_firstlineno)):
            function.__globals__["_noted"] = into
            function.__code__ = code


def functions(path: str) -> list[FunctionType]:
    """Return the functions of a file that exist in this process."""
    return [
        thing
        for thing in gc.get_objects()
        if isinstance(thing, FunctionType) and thing.__code__.co_filename == path
    ]


def main() -> None:
    """Process the request on standard input, with the tests of the working directory."""
    asked = json.load(sys.stdin)
    trials = Trials(asked["modules"], asked["sample"], asked["seed"], asked["jobs"])
    output = os.dup(1)
    os.dup2(2, 1)
    options = ["-q", "-p", "no:cacheprovider", "--no-header", "--no-summary"]
    pytest.main([*options, *asked["tests"]], plugins=[trials])
    os.write(output, json.dumps(trials.found).encode())


if __name__ == "__main__":
    main()
