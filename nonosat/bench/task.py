"""One run in its forked process: read the puzzle, solve, verify, and time each step.

`perform` returns the outcome as JSON data: verdict, count, up to two solutions, seconds of each
part, and, if it failed, `failure`: a status and the reason. Limits are enforced from outside, so
engines work in this process, without watches that would be measured too.
"""

from __future__ import annotations

import os
import resource
import select
import signal
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any

from nonosat.bench import external
from nonosat.bench.outcome import KEPT, SKIPPED, Outcome, recorded, verdict_of, verified
from nonosat.core import plugins
from nonosat.core.answer_source import advice_on
from nonosat.core.errors import BackendError, RefutedError, UnsupportedError, remedy_in_records
from nonosat.core.families import family_of
from nonosat.core.grid import Grid
from nonosat.core.plugins import Puzzle
from nonosat.core.result import Options, Stage, Verdict
from nonosat.encodings.line_placements import num_clauses
from nonosat.formats import jsonl
from nonosat.processes import system
from nonosat.processes.isolation import work_here
from nonosat.puzzles.nonogram import mono
from nonosat.questions.counting import count
from nonosat.solving import pipeline
from nonosat.solving.problem import Problem

TRIAL_S = 10.0  # for a third-party plug-in to solve a tiny puzzle
COUNTER = "count"  # backend of the task "count": `nonosat.count`


def warm_up(configurations: Iterable[Mapping[str, Any]]) -> int:
    """Import the modules of configurations by solving a tiny puzzle; return the number solved.

    A configuration that fails is not reported here, because its runs will fail too. Configurations
    with an argument would start processes, and have nothing to import.
    """
    work_here()
    # OpenBLAS, which comes with OR-tools, starts threads, which a fork does not copy.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    warmed = 0
    for options in configurations:
        if "program" in options or options["backend"] == COUNTER or ":" in options["backend"]:
            continue
        if _is_ours(options) or _is_harmless(options):
            with suppress(Exception):
                _solve_tiny(options)
                warmed += 1
    del os.environ["OPENBLAS_NUM_THREADS"]
    return warmed


def _solve_tiny(options: Mapping[str, Any]) -> None:
    tiny = mono([[1]] * 3, [[1]] * 3)
    pipeline.check(tiny, **{**options, "presolve": "none"})
    pipeline.check(tiny, **options)


def _is_ours(options: Mapping[str, Any]) -> bool:
    """Return True if a configuration uses no third-party plug-in."""
    names = [("backends", options["backend"])]
    for kind in ("encoding", "formulation"):
        chosen = options.get(kind, {}).items()
        names += [(f"{kind}s", f"{what}-{name}") for what, name in chosen]
    return all(plugins.is_built_in(*each) for each in names)


def _is_harmless(options: Mapping[str, Any]) -> bool:
    """Return True if a copy of this process terminates normally with a configuration.

    An abort or a hang must end one run, not all runs.
    """
    pid = os.fork()
    if not pid:
        status = 1
        try:
            _solve_tiny(options)
            status = 0
        finally:
            os._exit(status)
    end = system.end_of(pid)
    try:
        if not select.select([end], [], [], TRIAL_S)[0]:
            os.kill(pid, signal.SIGKILL)
        return os.waitpid(pid, 0)[1] == 0
    finally:
        os.close(end)


def perform(job: Mapping[str, Any], scratch: Path, started: float) -> Outcome:
    """Do a job and return its outcome.

    Args:
        job: `puzzle` (JSON), `task`, `max_solutions`, `options`, `limits`.
        scratch: An empty folder for files.
        started: Time of the fork by the monotonic clock.
    """
    begun = _cpu_s()
    outcome = _performed(job, scratch, started)
    counters = {"answer_cpu_s": round(_cpu_s() - begun, 6), **outcome.get("statistics", {})}
    return {**outcome, "statistics": counters}


def _cpu_s() -> float:
    """Return user and system seconds of this process and of its ended children."""
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def _performed(job: Mapping[str, Any], scratch: Path, started: float) -> Outcome:
    (puzzle,) = jsonl.read(job["puzzle"].encode())
    options = job["options"]
    outcome: Outcome = {"verdict": Verdict.UNKNOWN.value, "start_s": monotonic() - started}
    try:
        if "program" in options:
            run = external.run_and_quote if "most_printed" in options else external.run_program
            return run(puzzle, job, scratch, outcome)
        if job["task"] == "count" and options["backend"] == COUNTER:
            return _counted(puzzle, job, outcome)
        _refuse_large(puzzle, job)
        return _solved(puzzle, job, outcome)
    except UnsupportedError as error:
        return {**outcome, "failure": ["unsupported", error.description(remedy_in_records)]}
    except RefutedError as error:
        return {**outcome, "failure": ["wrong", error.description(remedy_in_records)]}
    except MemoryError as error:
        return {**outcome, "failure": ["memout", str(error) or "out of memory"]}
    except BackendError as error:
        return {**outcome, "failure": ["crash", error.description(remedy_in_records)]}
    except Exception as error:
        if advice := advice_on(error):
            what = f"{type(error).__name__}: {error}; {advice}"
            return {**outcome, "failure": ["crash", what]}
        raise  # an internal error: the record contains the end of the traceback


def _refuse_large(puzzle: Puzzle, job: Mapping[str, Any]) -> None:
    """Raise UnsupportedError if the encoding `placements` exceeds the job's budget of clauses."""
    most = job.get("most_clauses")
    if most is None or job["options"].get("encoding", {}).get("line") != "placements":
        return
    lines = family_of(puzzle).build(puzzle).lines
    if (number := sum(map(num_clauses, lines))) > most:
        raise UnsupportedError(f"{SKIPPED}{number:,} clauses, the budget is {most:,}")


def _counted(puzzle: Puzzle, job: Mapping[str, Any], outcome: Outcome) -> Outcome:
    """Run the native counter, which fits its tables to the given memory limit."""
    started = monotonic()
    found = count(puzzle, memory_limit_mib=job["limits"]["memory_mib"])
    outcome |= {"solve_s": monotonic() - started, "encode_s": 0.0, "check_s": 0.0}
    outcome |= _stages(found.stages)
    outcome["count"] = recorded(found.count)
    if not found.is_exact:
        return {**outcome, "failure": ["memout", found.reason]}
    return {**outcome, "verdict": verdict_of(found.count).value}


def _solved(puzzle: Puzzle, job: Mapping[str, Any], outcome: Outcome) -> Outcome:
    """Run the pipeline for the task's number of solutions; keep the first of them."""
    most = job["max_solutions"]
    started = monotonic()
    problem = Problem(puzzle, Options(**job["options"], max_solutions=most))
    kept: list[Grid] = []
    found = 0

    def keep(grid: Grid) -> None:
        nonlocal found
        found += 1
        if found <= KEPT:
            kept.append(grid)

    try:
        ending = pipeline.Pipeline(problem).take(most, keep)
    finally:
        solve_s = monotonic() - started
        stages = problem.log.stages
        encode_s = sum(stage.seconds for stage in stages if stage.name == "encode")
        outcome |= {"encode_s": encode_s, "solve_s": solve_s - encode_s, **_stages(stages)}
    outcome |= verified(puzzle, kept)
    if job["task"] in ("count", "enumerate"):
        outcome["count"] = recorded(found)
    if not ending.exhausted and (most is None or found < most):
        # no time limit is set in this process, so an engine that gives up has run out of steps
        kind = "memout" if "memory" in ending.reason else "timeout"
        return {**outcome, "failure": [kind, ending.reason]}
    verdict = verdict_of(found)
    if not ending.exhausted and found == 1:
        verdict = Verdict.SOLVED
    return {**outcome, "verdict": verdict.value}


def _stages(stages: Iterable[Stage]) -> Outcome:
    """Return the steps as JSON data, and the sums of their counters."""
    data: list[dict[str, Any]] = []
    totals: dict[str, int] = {}
    for stage in stages:
        entry = {"name": stage.name, "seconds": round(stage.seconds, 6), "decided": stage.decided}
        data.append({**entry, "detail": dict(stage.detail)} if stage.detail else entry)
        for name, value in stage.detail.items():
            if type(value) is int:
                totals[name] = totals.get(name, 0) + value
    return {"stages": data, "statistics": totals}
