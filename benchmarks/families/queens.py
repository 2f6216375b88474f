"""Queens: encodings, engines, completions and counts in CPU seconds.

    python benchmarks/families/queens.py TABLE [N]...

TABLE is encodings, engines, completion, blocked, large, counts or cubes.

Every run is a separate process (children included in its time), from the board to the verified
answer, medians of three; a run is ended after 60 s. QUEENS.md contains the results.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from os import times
from time import perf_counter

import forked
from forked import LIMIT_S, row, seconds

import nonosat
from nonosat.core import plugins
from nonosat.puzzles.queens import Queens

timed = partial(forked.answered, 2, "solve")
ENGINES = ("learn", "minisat22", "minisat-gh", "cadical195", "kissat404", "cpsat")


def encodings(sizes: list[int]) -> None:
    """Measure encodings of counts with two engines, without given squares."""
    for name in sorted(plugins.names("encodings")):
        kind, _, encoding = name.partition("-")
        if kind == "count":
            found = [
                timed(Queens(n), backend=engine, encoding={"count": encoding})
                for n in sizes
                for engine in ("learn", "cadical195")
            ]
            row(encoding, *found)


def engines(sizes: list[int]) -> None:
    """Measure engines with the default encoding, CP-SAT with its own."""
    for engine in ENGINES:
        row(engine, *(timed(Queens(n), backend=engine) for n in sizes))


def completions(n: int, num_given: int) -> Iterator[Queens]:
    """Yield boards with queens placed one by one on free squares; some cannot be completed."""
    for seed in range(10):
        rng = random.Random(seed)
        given: list[tuple[int, int]] = []
        for line in rng.sample(range(n), n):
            free = [
                column
                for column in range(n)
                if all(
                    column != other and abs(column - other) != abs(line - above)
                    for above, other in given
                )
            ]
            if free and len(given) < num_given:
                given.append((line, rng.choice(free)))
        yield Queens(n, tuple(given))


def blocked(n: int, share: float) -> Iterator[Queens]:
    """Yield boards with a share of the squares blocked."""
    for seed in range(10):
        rng = random.Random(seed)
        squares = [(i, j) for i in range(n) for j in range(n) if rng.random() < share]
        yield Queens(n, blocked=tuple(squares))


def placed(n: int, num_given: int) -> Iterator[Queens]:
    """Yield boards with some queens of a solution of a half-blocked board."""
    for seed, board in enumerate(blocked(n, 0.5)):
        whole = nonosat.solve(board).solution
        assert whole
        yield Queens(n, tuple(random.Random(seed).sample([*enumerate(whole.columns)], num_given)))


ENGINES_OF_CLUES = ("auto", "learn", "cadical195", "cpsat")


def hardest(name: str, boards: list[Queens], engines: Sequence[str] = ENGINES_OF_CLUES) -> None:
    """Print mean and maximum over some boards, by engine."""
    verdicts = [nonosat.solve(board, time_limit_s=LIMIT_S).verdict.value for board in boards]
    cells = [name, *(str(verdicts.count(each)) for each in ("solved", "unsolvable"))]
    for engine in engines:

        def work(board: Queens, engine: str = engine) -> bool:
            return nonosat.solve(board, backend=engine).verdict is not nonosat.Verdict.UNKNOWN

        runs = [seconds(lambda board=board: work(board)) for board in boards]
        known = [run for run in runs if run is not None]
        failed = f" ({len(runs) - len(known)} not ended)" if len(known) < len(runs) else ""
        cells.append(f"{sum(known) / len(known):.2f} / {max(known):.2f}{failed}" if known else "-")
    row(*cells)


def completion(sizes: list[int]) -> None:
    for n in sizes:
        for share in (0.1, 0.3, 0.5, 0.7):
            hardest(f"{n}, {round(share * n)} given", list(completions(n, round(share * n))))


def blocking(sizes: list[int]) -> None:
    for n in sizes:
        for share in (0.5, 0.65, 0.8):
            hardest(f"{n}, {share:.0%} blocked", list(blocked(n, share)))


def large(sizes: list[int]) -> None:
    """Measure boards on which engines other than the default take minutes."""
    for n in sizes:
        for share in (0.1, 0.25, 0.5, 0.75):
            num_given = round(share * n)
            hardest(f"{n}, {num_given} of a placement", [*placed(n, num_given)], ["auto"])
            hardest(f"{n}, {num_given} put down", [*completions(n, num_given)], ["auto"])
        for share in (0.5, 0.65, 0.8, 0.9):
            hardest(f"{n}, {share:.0%} blocked", [*blocked(n, share)], ["auto"])


def counts(sizes: list[int]) -> None:
    for n in sizes:
        found = forked.timed(lambda n=n: nonosat.count(Queens(n)).is_exact, 3)
        row(n, nonosat.count(Queens(n)).count, found)


def cubes(sizes: list[int]) -> None:
    """Measure one board with few free squares, without cubes and with 64."""
    for n in sizes:
        squares = [(i, j) for i in range(n) for j in range(n)]
        num_blocked = n * n - 7 * n
        for seed in range(3):
            chosen = random.Random(seed).sample(squares, num_blocked)
            board = Queens(n, blocked=tuple(sorted(chosen)))
            ways: list[dict[str, int]] = [{}, {"cubes": 64, "jobs": 1}, {"cubes": 64, "jobs": 2}]
            for way in ways:
                started, before = perf_counter(), times()
                result = nonosat.check(board, **way)
                spent, wall = sum(times()[:4]) - sum(before[:4]), perf_counter() - started
                row(n, seed, way, result.verdict.value, f"{spent:.1f}", f"{wall:.1f}")


TABLES = {
    "encodings": (encodings, [50, 100, 200]),
    "engines": (engines, [50, 100, 200]),
    "completion": (completion, [50]),
    "blocked": (blocking, [20, 40]),
    "large": (large, [200]),
    "cubes": (cubes, [45]),
    "counts": (counts, [12, 14, 15, 16, 17, 18]),
}

if __name__ == "__main__":
    table, sizes = TABLES[sys.argv[1]]
    nonosat.solve(Queens(5), backend="learn")  # imports are not part of the measurement
    table([int(word) for word in sys.argv[2:]] or sizes)
