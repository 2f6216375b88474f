"""Overhead of a run: `python benchmarks/overhead.py [RUNS]`.

A toy puzzle is checked repeatedly (300 times by default) with the machinery of `nonosat bench run`,
with CP-SAT imported as well, which makes forking slower. Milliseconds per run, from one record on
disk to the next, minus encoding, solving and verifying: the median of wall time, and the mean CPU
time of driver, zygote and run together. On a busy machine only the latter counts.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import tempfile
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from time import perf_counter
from typing import Any

from nonosat.bench.book import RunBook
from nonosat.bench.runner import RunDriver, Running
from nonosat.bench.suite import load_suite
from nonosat.processes.journal import Journal, read
from nonosat.processes.pools import LocalPool

PUZZLE = {"id": "corner", "rows": [[2], [1]], "columns": [[2], [1]]}
SUITE = """
task = "check"
repetitions = {repetitions}
instances = ["corner.jsonl"]
[limits]
wall_s = 10
cpu_s = 10
memory_mib = 1000
[configurations.auto]
[configurations.cpsat]
backend = "cpsat"
"""
FEW = 5  # repetitions that measure the start-up alone


def cpu_s() -> float:
    """Return CPU seconds of this process and all those it has waited for."""
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def measure(repetitions: int) -> tuple[float, list[float], list[dict[str, Any]]]:
    """Return total CPU seconds, the times at which runs were recorded, and the records."""
    moments: dict[int, float] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "corner.jsonl").write_text(json.dumps(PUZZLE) + "\n")
        (folder / "suite.toml").write_text(SUITE.format(repetitions=repetitions))
        before = cpu_s()
        suite = load_suite(folder / "suite.toml")
        work = Running(tuple(one.options for one in suite.configurations))
        with Journal(folder / "results.jsonl") as file, closing(LocalPool(1, work)) as pool:

            def report(crew: RunDriver) -> None:
                moments.setdefault(crew.done, perf_counter())

            RunDriver(RunBook(suite, file), pool, report).run()
        runs = [run for run in read(folder / "results.jsonl") if run["kind"] == "run"]
        return cpu_s() - before, [moments[number + 1] for number in range(len(runs))], runs


def work_s(run: dict[str, Any]) -> float:
    """Return the seconds that are not overhead."""
    return float(run["encode_s"] + run["solve_s"] + run["check_s"])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("runs", nargs="?", type=int, default=300, help="default: %(default)s")
    repetitions = max(parser.parse_args().runs // 2, 2 * FEW)
    start_s = measure(FEW)[0]
    total_s, moments, runs = measure(repetitions)
    work = [work_s(run) for run in runs]
    gaps = [after - before for before, after in pairwise(moments)]
    beside = [gap - own for gap, own in zip(gaps, work[1:], strict=True)]
    cpu = (total_s - start_s) / (2 * (repetitions - FEW)) - statistics.mean(work)
    print(
        f"wall: {1e3 * statistics.median(beside):.1f} ms beside {1e3 * statistics.median(work):.1f}"
    )
    print(f"wall, 95 % of the runs below: {1e3 * statistics.quantiles(beside, n=20)[-1]:.1f} ms")
    print(f"CPU: {1e3 * cpu:.1f} ms")


if __name__ == "__main__":
    main()
