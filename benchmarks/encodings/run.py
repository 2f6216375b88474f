"""Runs every encoding with every engine on the puzzles of `selection.py`.

    python benchmarks/encodings/run.py [--out FILE] [--jobs N] [--limit S] [--budget S] [FILTERS]

One JSON line for each (puzzle, method): verdict, CPU seconds of all processes, wall seconds, size,
conflicts and propagations. For engines with proofs and puzzles with one solution also the size of
the proof: a separate refutation of the clauses with one that forbids the solution. Records in FILE
are not run again, so that a run may be interrupted and continued. The limit is two solutions.
Presolve is off, because native propagation would decide the easy classes before any clause is
generated, and would hide the strength of the encodings' own propagation; so all methods start with
the clues alone, without hints. A verdict that contradicts another one, or the bundled index, ends
the run with status 1.

All pairs of an encoding and an engine that end in time agree on the whole survey: `run.py --classes
survey --limit 2 --out agreement.jsonl --engines NAME...`.

Methods that reach the time limit on most puzzles can run on fewer of them, and the report states
it: `run.py --without intervals table`, then `run.py --per-class 2`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import resource
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import closing, suppress
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from time import monotonic
from typing import Any

from selection import CLASSES, COMPARED, Item, items

import nonosat
from nonosat import Result
from nonosat.backends import open_backend
from nonosat.board import presolve
from nonosat.clauses import ENCODINGS
from nonosat.clauses.cnf import Cnf
from nonosat.clauses.translate import translate
from nonosat.core import plugins
from nonosat.core.errors import BackendError, UnsupportedError
from nonosat.core.limits import LimitReached, Limits, Watch
from nonosat.core.plugins import Answer
from nonosat.puzzles import nonogram
from nonosat.puzzles.nonogram import from_grid

HERE = Path(__file__).parent
ENGINES = ("learn", "cadical195", "glucose421", "cpsat")
PRESOLVE = "none"
SETTLED = ("unique", "multiple", "unsolvable")
ADDRESS_SPACE = 8 * 2**30  # bytes per process; a method that needs more has failed
_TICKS_PER_S = os.sysconf("SC_CLK_TCK")
Record = dict[str, Any]


@dataclass(frozen=True, slots=True, order=True)
class Method:
    """An engine with an encoding or formulation of lines."""

    engine: str
    line: str

    def options(self) -> dict[str, Any]:
        kind = "formulation" if self.engine == "cpsat" else "encoding"
        return {"backend": self.engine, kind: {"line": self.line}}


def methods(engines: Sequence[str] = ENGINES) -> list[Method]:
    """Return every encoding with every given SAT engine, and every formulation of CP-SAT.

    A formulation with an encoding as its argument counts once for each encoding.
    """
    encodings = _lines("encodings")
    ways = {engine: encodings for engine in engines if engine != "cpsat"}
    ways["cpsat"] = [
        way
        for name in _lines("formulations")
        for way in ([f"{name}:{e}" for e in encodings] if _takes_argument(name) else [name])
    ]
    return [Method(engine, way) for engine in engines for way in ways[engine]]


def _lines(kind: str) -> list[str]:
    return sorted(
        name.removeprefix("line-") for name in plugins.names(kind) if name.startswith("line-")
    )


def _engines() -> list[str]:
    """Return engines that take clauses or formulations, without names with arguments."""
    return [
        name
        for name, backend in plugins.names("backends").items()
        if not backend.on_board and backend.with_argument is None
    ]


def _takes_argument(formulation: str) -> bool:
    return plugins.find("formulations", f"line-{formulation}").with_argument is not None


# One run


def cpu_s() -> float:
    """Return user and system seconds of this process and its children, including running ones.

    Engines run in children that are kept for the next puzzle; the kernel reports their time in
    ticks of 10 ms.
    """
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    seconds = sum(usage.ru_utime + usage.ru_stime for usage in usages)
    for path in Path("/proc/self/task").glob("*/children"):
        pids: list[str] = []
        with suppress(FileNotFoundError, ProcessLookupError):  # the thread has just ended
            pids = path.read_text().split()
        for pid in pids:
            with suppress(FileNotFoundError, ProcessLookupError):  # it has just ended
                stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                seconds += (int(stat[11]) + int(stat[12])) / _TICKS_PER_S
    return seconds


def run_one(item: Item, method: Method, limit_s: float) -> Record:
    """Return the record of one check; errors of the method become part of the record."""
    record: Record = {
        "class": item.kind,
        "puzzle": item.id,
        **asdict(method),
        "presolve": PRESOLVE,
        "limit_s": limit_s,
    }
    started = cpu_s()
    try:
        result = nonosat.check(
            item.puzzle,
            presolve=PRESOLVE,
            hints="none",
            time_limit_s=limit_s,
            **method.options(),
        )
    except UnsupportedError as error:
        return {**record, "verdict": "refused", "reason": str(error)}
    except (BackendError, MemoryError) as error:
        return {**record, "verdict": "failed", "reason": f"{type(error).__name__}: {error}"}
    record |= {**_outcome(result), "cpu_s": round(cpu_s() - started, 3)}
    if record["verdict"] == "unique" and plugins.find("backends", method.engine).proves:
        with suppress(LimitReached):
            record |= proof_of(item, method, result.solution.cells, limit_s)
    return record


def proof_of(item: Item, method: Method, solution: bytes, limit_s: float) -> Record:
    """Return conflicts and size of a refutation of all other solutions.

    Raises:
        LimitReached: It takes too long.
    """
    model = nonogram.PLUGIN.build(item.puzzle)
    formula = Cnf(model.num_vars)
    translate(model, formula, {**ENCODINGS, "line": method.line})
    shape = presolve.rectangle(model)
    assert shape is not None
    values = shape.values(solution)
    formula.add([-v if values[v] else v for v in range(1, len(values))])
    watch = Watch(Limits(limit_s))
    options = {"proof": "yes"}
    with closing(open_backend(method.engine, formula.num_vars, 0, options, watch)) as engine:
        engine.add_batch(formula.buffer)
        if engine.solve((), watch) is not Answer.UNSAT:
            raise watch.limit()
        conflicts = engine.statistics()["conflicts"]
        text = engine.proof()
    lemmas = sum(1 for line in text.splitlines() if line and not line.startswith(b"d"))
    return {"proof_conflicts": conflicts, "proof_lemmas": lemmas, "proof_bytes": len(text)}


def _outcome(result: Result) -> Record:
    """Return the record of a result, with the counters of its stages."""
    found: Record = {"verdict": result.verdict.value, "seconds": round(result.seconds, 4)}
    if result.reason:
        found["reason"] = result.reason
    if result.verdict.value == "unique":
        assert result.solution is not None
        found["solution"] = hashlib.sha256(result.solution.cells).hexdigest()[:16]
    for stage in result.stages:
        found[f"{stage.name}_s"] = round(stage.seconds, 4)
        found.update({key: n for key, n in stage.detail.items() if isinstance(n, int)})
    return found


# All runs


class Book:
    """The records in a file, and the verdicts on which all methods must agree."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._settled: dict[str, Record] = {}
        self.done: set[tuple[str, Method]] = set()
        for line in path.read_text().splitlines() if path.exists() else ():
            self._take(json.loads(line))

    def add(self, record: Record) -> None:
        """Append a record; exit if it contradicts another one."""
        with self._path.open("a") as file:
            file.write(json.dumps(record) + "\n")
        self._take(record)

    def expect(self, item: Item) -> None:
        """Use the index's verdict on a puzzle as a record."""
        if item.verdict:
            self._compare({"puzzle": item.id, "verdict": item.verdict, "engine": "the index"})

    def _take(self, record: Record) -> None:
        self.done.add((record["puzzle"], Method(record["engine"], record["line"])))
        if record["verdict"] in SETTLED:
            self._compare(record)

    def _compare(self, record: Record) -> None:
        known = self._settled.setdefault(record["puzzle"], dict(record))
        if "solution" in record:
            known.setdefault("solution", record["solution"])
        solution = known.get("solution")
        if known["verdict"] != record["verdict"] or record.get("solution", solution) != solution:
            sys.exit(f"CONTRADICTION\n  {known}\n  {record}")


def _start_worker() -> None:
    """Limit memory, and import the engines so that no run includes it."""
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    dot = from_grid(nonosat.Grid(1, 1, b"\1"))
    for engine in ENGINES:
        nonosat.solve(dot, backend=engine, presolve=PRESOLVE)


def run_all(
    jobs: Iterator[tuple[Item, Method]], book: Book, num_workers: int, limit_s: float, end: float
) -> None:
    """Run the jobs in `num_workers` processes; start no new one after the time `end`."""
    context = get_context("spawn")
    with ProcessPoolExecutor(num_workers, context, initializer=_start_worker) as pool:
        running: set[Future[Record]] = set()
        for item, method in jobs:
            if monotonic() > end:
                break
            running.add(pool.submit(run_one, item, method, limit_s))
            if len(running) >= num_workers:
                running = _collect(running, book)
        while running:
            running = _collect(running, book)


def _collect(running: set[Future[Record]], book: Book) -> set[Future[Record]]:
    """Wait for the next runs to end and record them; return the others."""
    done, rest = wait(running, return_when=FIRST_COMPLETED)
    for future in done:
        record = future.result()
        book.add(record)
        names = (record[key] for key in ("puzzle", "engine", "line", "verdict"))
        print(*names, record.get("cpu_s", record.get("reason", "")), flush=True)
    return rest


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the missing jobs; return the exit status."""
    parser = argparse.ArgumentParser(description="Compare the encodings.")
    parser.add_argument("--out", type=Path, default=HERE / "results.jsonl", metavar="FILE")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="runs side by side")
    parser.add_argument("--limit", type=float, default=60.0, metavar="S", help="wall, each run")
    parser.add_argument("--budget", type=float, default=1e9, metavar="S", help="wall, in all")
    parser.add_argument("--classes", nargs="+", choices=list(CLASSES), default=COMPARED)
    parser.add_argument("--engines", nargs="+", choices=_engines(), default=list(ENGINES))
    parser.add_argument("--lines", nargs="+", metavar="NAME", help="encodings and formulations")
    parser.add_argument("--without", nargs="+", default=[], metavar="NAME", help="all but these")
    parser.add_argument("--puzzles", nargs="+", metavar="ID")
    parser.add_argument("--per-class", type=int, metavar="N", help="the first N of each class")
    options = parser.parse_args(arguments)
    end = monotonic() + options.budget
    book = Book(options.out)
    chosen = [
        method
        for method in methods(options.engines)
        if (not options.lines or method.line in options.lines)
        and method.line not in options.without
    ]
    jobs = []
    for item in items(options.classes, options.per_class):
        if not options.puzzles or item.id in options.puzzles:
            book.expect(item)
            jobs += [(item, method) for method in chosen if (item.id, method) not in book.done]
    print(f"{len(jobs)} runs to do, {len(book.done)} done before", flush=True)
    run_all(iter(jobs), book, options.jobs, options.limit, end)
    return 0


if __name__ == "__main__":
    sys.exit(main())
