"""Compares `auto` with its alternatives: `python benchmarks/native/auto.py [--record FILE]`.

A fixed selection of puzzles of all classes. For each one the CPU seconds of `check` in process are
measured for `auto`, for its two routes (the native search alone, and `auto` without it, `sat`), and
for other backends. They take turns on each puzzle, and the median of `--rounds` runs counts; one
that reaches its limit of CPU seconds is counted with the limit and not repeated on that puzzle.

The rule: on 95 % of the instances `auto` is within 5 % and 0.5 ms of the better route, and never
more than 20 % and 2 ms slower. Exit status 1 if it is violated.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from common import BUNDLED, Figures, check_once, instances, noise, surroundings, yardstick

import nonosat
from nonosat._core import BUDGETS
from nonosat.puzzles.nonogram import Nonogram

# Step through the puzzles of a file.
OWN = {
    **dict.fromkeys(("pictures", "mathematics", "special", "colour", "hard", "random"), 1),
    "unique": 4,
}
DOMINOES = ("domino-12", "domino-14")
SHARED = {"survey": 1, "colour": 1, "picross-solver": 2, "minizinc": 2, "gecode": 2}
SHARED |= dict.fromkeys(("taai2011", "tcga2013"), 50)
RANDOM = {30: 20, 40: 6}  # seeds by side
ROUTES = ("search", "sat")
BACKENDS = ("auto", *ROUTES, "learn", "glucose421")
SHARE, CLOSE, FAR = 0.95, (1.05, 0.5e-3), (1.20, 2e-3)


@contextmanager
def searching(work: int) -> Iterator[None]:
    """Set the work budget of `auto`'s native search, for each value of a cell."""
    before, BUDGETS.search = BUDGETS.search, work
    try:
        yield
    finally:
        BUDGETS.search = before


def run(backend: str, puzzle: Nonogram, limit_s: float) -> tuple[float, str]:
    """Return CPU seconds and verdict of `check`, as `check_once`."""
    if backend != "sat":
        return check_once(puzzle, limit_s, backend=backend)
    with searching(0):
        return check_once(puzzle, limit_s)


def selection(kinds: Sequence[str] = ()) -> Iterator[tuple[str, Nonogram]]:
    """Yield puzzles with their names, `file#id`; only those of the files `kinds`, if any."""
    files = [(BUNDLED, name, every) for name, every in {**OWN, "domino": 1}.items()]
    files += [(None, name, every) for name, every in SHARED.items()]
    for folder, name, every in files:
        label = f"{'' if folder else 'shared/'}{name}"
        if kinds and label not in kinds:
            continue
        for puzzle in nonosat.load_all(str((folder or instances()) / f"{name}.jsonl"))[::every]:
            if name != "domino" or puzzle.about.id in DOMINOES:
                yield f"{label}#{puzzle.about.id}", puzzle
    for side, num in RANDOM.items():
        if not kinds or "noise" in kinds:
            yield from ((f"noise-{side}#{seed}", noise(side, seed)) for seed in range(num))


@dataclass(frozen=True, slots=True)
class Case:
    """A puzzle and the CPU seconds of each backend; `decided` are those that ended in time."""

    name: str
    seconds: dict[str, float]
    decided: frozenset[str]

    def best(self) -> str:
        """Return the faster route."""
        return min(ROUTES, key=self.seconds.__getitem__)

    def within(self, tolerance: tuple[float, float]) -> bool:
        """Return True if `auto` is within this factor and these seconds of the better route."""
        factor, more_s = tolerance
        return self.seconds["auto"] <= factor * self.seconds[self.best()] + more_s

    def excess(self) -> float:
        """Return the CPU seconds that `auto` loses."""
        return self.seconds["auto"] - self.seconds[self.best()]


def measure(name: str, puzzle: Nonogram, rounds: int, limit_s: float) -> Case:
    """Run every backend on one puzzle in turn, with a rotating order."""
    runs: dict[str, list[float]] = {backend: [] for backend in BACKENDS}
    verdicts: dict[str, str] = {}
    for turn in range(rounds):
        names = [*runs]
        for backend in names[turn % len(names) :] + names[: turn % len(names)]:
            if verdicts.get(backend) == "unknown":
                continue
            seconds, verdicts[backend] = run(backend, puzzle, limit_s)
            runs[backend].append(seconds)
    decided = {route: verdict for route, verdict in verdicts.items() if verdict != "unknown"}
    if len(set(decided.values())) > 1:
        sys.exit(f"CONTRADICTION: {name}: {decided}")
    medians = {
        route: statistics.median(each) if route in decided else max(each)
        for route, each in runs.items()
    }
    return Case(name, medians, frozenset(decided))


def report(cases: Sequence[Case], num_worst: int) -> bool:
    """Print the results of `auto`; return True if the rule holds."""
    # Without a decision by any route the choice cannot be judged.
    told = [case for case in cases if case.decided.intersection(("auto", *ROUTES))]
    close = sum(case.within(CLOSE) for case in told)
    far = [case for case in told if not case.within(FAR)]
    print(f"{len(cases)} instances; CPU seconds in all:")
    for route in cases[0].seconds:
        total = sum(case.seconds[route] for case in cases)
        num_open = sum(route not in case.decided for case in cases)
        print(f"- {route}: {total:.2f}" + (f", {num_open} open at the limit" if num_open else ""))
    if len(told) < len(cases):
        print(f"\nLeft out, as nothing decided them in time: {len(cases) - len(told)}.")
    print(f"\nWithin 5 % + 0.5 ms of the better route: {close} of {len(told)} (aim {SHARE:.0%})")
    print(f"More than 20 % + 2 ms slower: {len(far)} (aim 0)\n")
    worst = sorted((c for c in told if not c.within(CLOSE)), key=Case.excess, reverse=True)
    if worst:
        print("| instance | best | its ms | `auto` ms | ratio | |\n|---|---|---|---|---|---|")
    for case in worst[:num_worst]:
        best, auto = (1e3 * case.seconds[route] for route in (case.best(), "auto"))
        numbers = f"{best:.2f} | {auto:.2f} | {auto / best:.2f}"
        print(f"| {case.name} | {case.best()} | {numbers} | {'far' if case in far else ''} |")
    return close >= SHARE * len(told) and not far


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("kinds", nargs="*", metavar="FILE", help="e.g. pictures, shared/survey")
    parser.add_argument("--rounds", type=int, default=3, help="default: %(default)s")
    parser.add_argument("--limit", type=float, default=20, metavar="S", help="for one run")
    parser.add_argument("--worst", type=int, default=15, metavar="N", help="how many are listed")
    parser.add_argument("--record", metavar="FILE", type=Path, help="write the figures as JSON")
    arguments = parser.parse_args(argv)
    puzzles = [*selection(arguments.kinds)]
    if not puzzles:
        parser.error("no instances: FILE is a name in instances/, shared/ and a name, or noise")
    warm = noise(12, 0)
    for backend in BACKENDS:
        run(backend, warm, 10)  # imports are not part of the measurement
    cases = [measure(name, puzzle, arguments.rounds, arguments.limit) for name, puzzle in puzzles]
    if arguments.record:
        arguments.record.write_text(json.dumps(_record(cases, arguments), indent=1) + "\n")
    return 0 if report(cases, arguments.worst) else 1


def _record(cases: Sequence[Case], arguments: argparse.Namespace) -> Figures:
    of: dict[str, Any] = {
        case.name: {route: round(s, 6) for route, s in case.seconds.items()} for case in cases
    }
    on = {**surroundings(), "yardstick_s": yardstick()["s"]}
    return {"on": on, "rounds": arguments.rounds, "limit_s": arguments.limit, "cpu_s": of}


if __name__ == "__main__":
    sys.exit(main())
