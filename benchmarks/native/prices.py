"""Measures prices: `python benchmarks/native/prices.py [growth] [families] [noise]`.

* `growth`: `check` of n-dominoes by prices (`auto`) and by clause learning (`--backend
  learn`): CPU seconds in a process that has imported everything, the result's wall seconds,
  and the fitted exponent of n.
* `families`: each family of `nonosat generate structured` by size: the price bound, sweeps
  and CPU seconds, the time of clause learning, and, if the bound is not tight, the work to
  close the gap.
* `noise`: the cost of an abandoned bound, as a share of `check`.

Without a name all three are measured. `--quick` uses fewer and smaller puzzles. `--record FILE`
writes the figures; `prices_report.py FILE` makes their tables and plot.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).parent.parent))
from common import Figures, surroundings, yardstick

import nonosat
from nonosat.board import prices
from nonosat.board.presolve import OPEN, PresolvedModel
from nonosat.core.limits import Limits, Watch
from nonosat.core.result import Result
from nonosat.generate.structured import generate_structured
from nonosat.puzzles.nonogram import Nonogram, build, from_grid
from nonosat.puzzles.nonogram.data import Colour

GROWTH = (*range(10, 31, 2), *range(35, 61, 5), *range(70, 101, 10))
LEARNT = tuple(range(6, 21))
SIZES = {
    "dominoes": (8, 12, 16, 24),
    "combs": (8, 12, 16, 24),
    "spirals": (4, 6, 8, 10),
    "interleaved": (6, 8, 12, 16),
    "swapped": (4, 5, 6, 8),
    "coloured": (8, 12, 16, 24),
    "unknown-lengths": (8, 12, 16, 24),
    "beside-noise": (6, 8, 10, 12),
    "knights": (8, 12, 16, 24),
    "trominoes": (5, 6, 7, 8),
    "mirrored": (6, 8, 12, 16),
    "diamonds": (4, 6, 8, 12),
}
QUICK_FAMILIES = ("knights", "trominoes")
NOISE = ((30, 1), (40, 1), (50, 1), (60, 1), (30, 2), (40, 2))  # sides and colours
WORK = 2_000_000_000  # units of native work for a bound that is not reached
TRIAL_WORK = 200_000_000  # units of native work for one cell with an assumed value


# Growth


def growth(quick: bool, limit_s: float) -> Figures:
    """Measure CPU seconds of `check` of n-dominoes by prices and by clause learning."""
    by_prices, learnt = {}, {}
    for n in (10, 14) if quick else GROWTH:
        by_prices[n] = _checks(n, 3 if quick or n > 40 else 5)
        _say(f"dominoes {n}: {by_prices[n]}")
    for n in (6, 8) if quick else LEARNT:
        puzzle = generate_structured("dominoes", n)
        started = process_time()
        result = nonosat.check(puzzle, backend="learn", time_limit_s=limit_s)
        learnt[n] = {
            "s": round(process_time() - started, 6),
            "wall_s": round(result.seconds, 6),
            "conflicts": _conflicts(result),
            **_verdict(result),
        }
        _say(f"dominoes {n} by learn: {learnt[n]}")
        if result.verdict is nonosat.Verdict.UNKNOWN:
            break
    decided = {n: one["s"] for n, one in learnt.items() if one["verdict"] == "unique"}
    fits = {
        "exponent of n": _slope({math.log(n): one["s"] for n, one in by_prices.items() if n >= 20})
        if not quick
        else None,
        "times a domino": math.exp(_slope({n: s for n, s in decided.items() if n >= 10}))
        if sum(n >= 10 for n in decided) > 1
        else None,
    }
    return {"prices": by_prices, "learn": learnt, "limit_s": limit_s, "fits": fits}


def _checks(n: int, runs: int) -> Figures:
    """Run one n-domino several times, not counting the first run of the process."""
    puzzle = generate_structured("dominoes", n)
    nonosat.check(puzzle)
    results, cpus = [], []
    for _ in range(runs):
        started = process_time()
        results.append(nonosat.check(puzzle))
        cpus.append(process_time() - started)
    stages = [stage for stage in results[-1].stages if stage.name == "prices"]
    if results[-1].backend != "prices" or results[-1].verdict is not nonosat.Verdict.UNIQUE:
        sys.exit(f"n-domino {n} is not proved unique by prices: {results[-1]}")
    return {
        "s": round(statistics.median(cpus), 6),
        "wall_s": round(statistics.median(result.seconds for result in results), 6),
        "sweeps": [stage.detail["sweeps"] for stage in stages],
    }


def _slope(logs: dict[float, float]) -> float:
    """Return the slope of the logarithm of the values, by least squares."""
    return statistics.linear_regression(list(logs), [math.log(s) for s in logs.values()]).slope


# Families


def families(quick: bool, limit_s: float) -> Figures:
    """Measure every family by size."""
    found = {}
    for family in QUICK_FAMILIES if quick else SIZES:
        for n in SIZES[family][: 1 if quick else None]:
            one = _structured(generate_structured(family, n), limit_s)
            found[f"{family} {n}"] = one
            _say(f"{family} {n}: {json.dumps(one)}")
    return found


def _structured(puzzle: Nonogram, limit_s: float) -> Figures:
    """Return the figures of one puzzle."""
    watch = Watch(Limits())
    task = _propagated(puzzle, watch)
    task.probe(watch)
    figures: Figures = {"rows": puzzle.height, "columns": puzzle.width, "open": task.num_open()}
    cells = None
    for backend in ("auto", "learn", "cadical195"):
        started = process_time()
        result = nonosat.check(puzzle, backend=backend, time_limit_s=limit_s)
        # Engines of python-sat run in a child process, so wall seconds are used for them.
        seconds = result.seconds if backend == "cadical195" else process_time() - started
        figures[backend] = {"s": round(seconds, 4), "by": result.backend, **_verdict(result)}
        figures[backend] |= {"conflicts": _conflicts(result), "limit_s": limit_s}
        cells = cells or (result.solution and result.solution.cells)
    if not task.num_open():
        return figures
    found, cpu_s = _timed(lambda: prices.find(task, watch, work=WORK, stubborn=True))
    figures["find"] = {"outcome": found.outcome.value, "sweeps": found.num_sweeps, "cpu_s": cpu_s}
    if found.outcome is prices.PriceOutcome.SOLUTION:
        cells = found.cells
    if cells is None:
        return figures
    proof, cpu_s = _timed(
        lambda: prices.refute_others(task, cells, watch, work=WORK, stubborn=True)
    )
    figures["prove"] = {"bound": proof.bound, "sweeps": proof.num_sweeps, "cpu_s": cpu_s}
    figures["prove"] |= {"goal": prices.least_distance(task)}
    if proof.outcome is prices.PriceOutcome.OPEN:
        figures["gap"] = closing(task, cells, proof, limit_s)
    return figures


def closing(
    task: PresolvedModel, cells: bytes, proof: prices.PriceResult, limit_s: float
) -> Figures:
    """Measure the work to close the gap of a bound that is not tight.

    First the bound itself decides cells: a value that would lower it below the least distance is
    excluded, the board propagates, and the bound is computed again. Then each open cell is assumed
    to have its other value: if a price table refutes that, the cell is decided, too.
    """
    assert task.board is not None
    watch, goal = Watch(Limits(limit_s)), prices.least_distance(task)
    figures: Figures = {"settled": 0, "rounds": 0}
    started = process_time()
    while proof.outcome is prices.PriceOutcome.OPEN:
        before = task.num_open()
        for cell, value in proof.ruled_out(goal, watch):
            task.board.remove(cell, value)
        task.propagate(watch)
        if task.num_open() in (0, before):
            break
        figures["settled"] += before - task.num_open()
        figures["rounds"] += 1
        proof = prices.refute_others(task, cells, watch, work=WORK, stubborn=True)
    figures["by settling"] = _state(task, proof)
    if not task.num_open() or proof.outcome is not prices.PriceOutcome.OPEN:
        return figures | {"cpu_s": round(process_time() - started, 3)}
    try:
        figures |= _probed_by_prices(task, cells, watch)
    except nonosat.LimitReached as limit:
        figures["stopped"] = str(limit)
    proof = prices.refute_others(task, cells, Watch(Limits()), work=WORK, stubborn=True)
    figures["by probing"] = _state(task, proof)
    return figures | {"cpu_s": round(process_time() - started, 3)}


def _probed_by_prices(task: PresolvedModel, cells: bytes, watch: Watch) -> Figures:
    """Assume the other value of each open cell in turn, until nothing new is refuted.

    Later passes start with the cells that the earlier ones have decided.
    """
    assert task.board is not None
    figures = {"tried": 0, "refuted": 0, "sweeps": 0, "passes": 0}
    progress = True
    while progress and task.num_open():
        progress = False
        figures["passes"] += 1
        for cell in [cell for cell, value in enumerate(task.board.cells()) if value == OPEN]:
            if task.board.cells()[cell] != OPEN:
                continue  # decided meanwhile
            figures["tried"] += 1
            if _refutes(task, cell, 1 - cells[cell], figures, watch):
                figures["refuted"] += 1
                progress = True
                task.board.assign(cell, cells[cell])
                task.propagate(watch)
    return figures


def _refutes(task: PresolvedModel, cell: int, value: int, figures: Figures, watch: Watch) -> bool:
    """Return True if a price table, or propagation, excludes a value of a cell."""
    assert task.board is not None
    trial = task.copy()
    assert trial.board is not None
    trial.board.assign(cell, value)
    if not trial.propagate(watch):
        return True
    if not trial.num_open():
        return False
    found = prices.find(trial, watch, work=TRIAL_WORK, stubborn=True)
    figures["sweeps"] += found.num_sweeps
    return found.outcome is prices.PriceOutcome.REFUTED


def _state(task: PresolvedModel, proof: prices.PriceResult) -> Figures:
    return {"open": task.num_open(), "bound": proof.bound if task.num_open() else 0}


def _propagated(puzzle: Nonogram, watch: Watch) -> PresolvedModel:
    task = PresolvedModel.of(build(puzzle))
    task.propagate(watch)
    return task


def _timed(work: Callable[[], prices.PriceResult]) -> tuple[prices.PriceResult, float]:
    started = process_time()
    return work(), round(process_time() - started, 4)


def _verdict(result: Result) -> Figures:
    return {"verdict": result.verdict.value}


def _conflicts(result: Result) -> int | None:
    return next((s.detail["conflicts"] for s in result.stages if "conflicts" in s.detail), None)


# Noise


def noise(quick: bool) -> Figures:
    """Measure the share of a check that an abandoned bound takes."""
    found = {}
    for side, colours in NOISE[: 1 if quick else None]:
        shares, seconds = [], []
        for seed in range(2 if quick else 5):
            result = nonosat.check(_random(side, colours, seed), time_limit_s=60)
            spent = sum(stage.seconds for stage in result.stages if stage.name == "prices")
            shares.append(spent / result.seconds)
            seconds.append(spent)
        found[f"{side}x{side}, {colours} colour{'s' * (colours > 1)}"] = {
            "share": statistics.median(shares),
            "most": max(shares),
            "prices_s": statistics.median(seconds),
        }
        _say(f"noise {side}x{side} in {colours}: {list(found.values())[-1]}")
    return found


def _random(side: int, colours: int, seed: int) -> Nonogram:
    """Return the clues of a random picture, half of its cells filled."""
    rng = random.Random(seed)
    cells = (rng.random() < 0.5 and rng.randint(1, colours) for _ in range(side**2))
    inks = [Colour(str(k), f"#{k:06x}") for k in range(1, colours + 1)]
    whole = from_grid(nonosat.Grid(side, side, bytes(cells)), inks)
    return Nonogram(whole.rows, whole.columns, whole.colours)


def _say(text: str) -> None:
    print(text, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    names = ("growth", "families", "noise")
    parser.add_argument("what", nargs="*", choices=(*names, []), help="all of them by default")
    parser.add_argument("--quick", action="store_true", help="fewer and smaller puzzles")
    parser.add_argument("--limit", metavar="S", type=float, default=20, help="of a search")
    parser.add_argument("--record", metavar="FILE", type=Path, help="write the figures as JSON")
    asked = parser.parse_args()
    figures: Figures = {"on": surroundings(), "yardstick": yardstick()}
    for name in asked.what or names:
        measure = {
            "growth": lambda: growth(asked.quick, asked.limit),
            "families": lambda: families(asked.quick, asked.limit),
            "noise": lambda: noise(asked.quick),
        }[name]
        figures[name] = measure()
    if asked.record:
        asked.record.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
