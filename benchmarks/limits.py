"""Precision of limits and Ctrl-C: `python benchmarks/limits.py [time|memory|interrupt]...`.

Hard puzzles with every backend, boards of extreme shapes, and processes that are interrupted or
grow. Wall seconds beyond the time limit, mebibytes beyond the memory limit, seconds from SIGINT to
the end of the process, with the number of remaining children. One line each, and the worst at the
end.
"""

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, perf_counter, sleep

import nonosat
from nonosat.core import plugins
from nonosat.core.model import Block
from nonosat.puzzles.nonogram import Nonogram, from_grid

LIMITS_S = (0.05, 0.3, 1.0)
PAGE_MIB = 4096 / 2**20


def noise(height: int, width: int, seed: int = 1) -> Nonogram:
    """Return a random picture at 50 %: from 60x60 on no backend decides it soon."""
    rng = random.Random(seed)
    return from_grid(
        nonosat.Grid(height, width, bytes(rng.random() < 0.5 for _ in range(height * width)))
    )


def strip(width: int) -> Nonogram:
    """Return one row of blocks of two cells, with two thirds of the columns filled."""
    columns = [(Block(1),) if column % 3 else () for column in range(width)]
    return Nonogram(((Block(2),) * (width // 3),), tuple(columns))


def boards() -> dict[str, Nonogram]:
    return {
        "random 90x90": noise(90, 90),
        "random 2000x2000": noise(2000, 2000),
        "1 x 1000000": strip(999_999),
        "1000000 x 1": Nonogram(strip(999_999).columns, strip(999_999).rows),
        "2 x 500000 random": noise(2, 500_000),
    }


def overruns() -> Iterator[float]:
    """Yield seconds beyond the time limit."""
    puzzles = boards()
    pairs = [("auto", name) for name in puzzles]
    pairs += [(name, "random 90x90") for name in plugins.names("backends")]
    pairs += [("cpsat", "random 2000x2000"), ("minisat22", "random 2000x2000")]
    for backend, name in pairs:
        for limit in LIMITS_S:
            started = perf_counter()
            result = nonosat.check(puzzles[name], backend=backend, time_limit_s=limit)
            over = perf_counter() - started - limit
            print(f"{name}, {backend}, {limit} s: {result.verdict.value}, {over:+.3f} s")
            yield over


def peak_mib(pids: set[int]) -> float:
    """Return the largest resident memory among some processes."""
    sizes = [0.0]
    for pid in pids:
        try:
            fields = Path(f"/proc/{pid}/statm").read_text().split()
            sizes.append(int(fields[1]) * PAGE_MIB)
        except (FileNotFoundError, ProcessLookupError):
            continue
    return max(sizes)


def family(pid: int) -> set[int]:
    """Return a process and all its descendants."""
    found = {pid}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text().rpartition(")")[2].split()[1])
        except (FileNotFoundError, ProcessLookupError):
            continue
        if parent in found:
            found |= family(int(path.parent.name))
    return found


def started(folder: str, puzzle: Nonogram, *options: str) -> subprocess.Popen[bytes]:
    """Start `nonosat check` of a puzzle in a separate process."""
    path = Path(folder) / "puzzle.json"
    path.write_bytes(plugins.find("formats", "json").write([puzzle]))
    command = [sys.executable, "-m", "nonosat", "check", str(path), *options]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def growth() -> Iterator[float]:
    """Yield mebibytes beyond the memory limit, sampled every 5 ms."""
    for backend, side, limit in (("cadical195", 400, 300), ("cpsat", 250, 400), ("auto", 500, 250)):
        with tempfile.TemporaryDirectory() as folder:
            options = ("--backend", backend, "--memory-limit", str(limit), "--time-limit", "60")
            process = started(folder, noise(side, side), *options)
            most = 0.0
            while process.poll() is None:
                most = max(most, peak_mib(family(process.pid)))
                sleep(0.005)
        print(
            f"random {side}x{side}, {backend}, {limit} MiB: status {process.returncode}, "
            f"{most - limit:+.0f} MiB"
        )
        yield most - limit


def interrupts() -> Iterator[float]:
    """Yield seconds from SIGINT to the end, one second after the start, with remaining children."""
    for backend in ("auto", *plugins.names("backends")):
        with tempfile.TemporaryDirectory() as folder:
            process = started(folder, noise(90, 90), "--backend", backend)
            sleep(1)
            processes = family(process.pid)
            process.send_signal(signal.SIGINT)
            at = monotonic()
            process.wait()
            took = monotonic() - at
            sleep(0.05)
            left = [pid for pid in processes if Path(f"/proc/{pid}").exists()]
        print(f"{backend}: status {process.returncode} after {took:.3f} s, {len(left)} left")
        yield took


KINDS = {"time": overruns, "memory": growth, "interrupt": interrupts}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"of {', '.join(KINDS)}")
    kinds = parser.parse_args().kinds or list(KINDS)
    if unknown := set(kinds) - set(KINDS):
        parser.error(f"no kind is called {', '.join(unknown)}; there are {', '.join(KINDS)}")
    worst = {kind: max(KINDS[kind]()) for kind in kinds}
    print(", ".join(f"{kind}: at worst {value:.3f}" for kind, value in worst.items()))


if __name__ == "__main__":
    main()
