"""Benchmark family for SAT competitions: nonograms as DIMACS files with expected verdicts.

    python benchmarks/research/family.py FOLDER [--limit SECONDS] [--encoding NAME]

Each puzzle has one solution. NAME-sat.cnf states its clues; NAME-unsat.cnf has one more clause,
which forbids the solution. Puzzles are unique noise (random pictures, about half filled)
and n-dominoes, by size. `index.csv` has for each file the expected verdict, numbers of variables
and clauses, and the difficulty: conflicts and processor seconds of cadical195 up to the limit, with
"-" if it did not decide. Files are the same for the same version of nonosat.
"""

from __future__ import annotations

import argparse
import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import process_time

from pysat.formula import CNF
from pysat.solvers import Solver

import nonosat
from nonosat.puzzles.nonogram import Nonogram

# Side, density, number of pictures: unique ones of the larger sizes are rare at lower densities.
NOISE = ((20, 0.5, 3), (25, 0.5, 3), (30, 0.5, 2), (35, 0.55, 3), (40, 0.55, 3))
DOMINOES = (8, 10, 12, 14, 16, 18, 20)
MOST_SEEDS = 3000  # tried for one side
CHECK_S = 20.0
SLICE = 10_000  # conflicts between looks at the clock
COLUMNS = ("file", "verdict", "variables", "clauses", "conflicts", "cpu_s")


def noise(side: int, density: float, number: int) -> Iterator[tuple[str, Nonogram]]:
    """Yield random pictures with unique clues, with their names, in the order of seeds."""
    for seed in range(MOST_SEEDS):
        if not number:
            return
        puzzle = nonosat.generate_nonogram(side, side, density, seed)
        if nonosat.check(puzzle, time_limit_s=CHECK_S).verdict is nonosat.Verdict.UNIQUE:
            number -= 1
            yield f"noise-{side}-{seed}", puzzle


def puzzles(
    noises: Sequence[tuple[int, float, int]], dominoes: Sequence[int]
) -> Iterator[tuple[str, Nonogram]]:
    """Yield all puzzles with their names."""
    for n in dominoes:
        yield f"domino-{n}", nonosat.generate_structured("dominoes", n)
    for side, density, number in noises:
        yield from noise(side, density, number)


def written(name: str, puzzle: Nonogram, folder: Path, encoding: str) -> list[Path]:
    """Write the files of a puzzle; return them, the satisfiable one first."""
    solution = nonosat.solve(puzzle).solution
    found = []
    for suffix, forbidden in (("sat", None), ("unsat", solution)):
        data = io.BytesIO()
        choice = {"line": encoding}
        nonosat.encode(puzzle, data, to="cnf", encoding=choice, forbidden=forbidden)
        path = folder / f"{name}-{suffix}.cnf"
        path.write_bytes(data.getvalue())
        found.append(path)
    return found


def difficulty(formula: CNF, limit_s: float) -> tuple[bool | None, int, float]:
    """Return the answer of cadical195 (None: not decided), its conflicts and processor seconds."""
    with Solver("cadical195", bootstrap_with=formula.clauses) as solver:
        started, answer = process_time(), None
        while answer is None and process_time() - started < limit_s:
            solver.conf_budget(SLICE)
            answer = solver.solve_limited()
        return answer, solver.accum_stats()["conflicts"], process_time() - started


def row_of(path: Path, limit_s: float) -> dict[str, object]:
    """Return the row of a file in the index.

    Raises:
        ValueError: The engine refutes the expected verdict.
    """
    formula, expected = CNF(from_file=str(path)), path.stem.endswith("-sat")
    answer, conflicts, cpu_s = difficulty(formula, limit_s)
    if answer not in (None, expected):
        raise ValueError(f"{path} is {answer}, expected {expected}")
    effort = ("-", "-") if answer is None else (conflicts, f"{cpu_s:.2f}")
    verdict = "SATISFIABLE" if expected else "UNSATISFIABLE"
    values = (path.name, verdict, formula.nv, len(formula.clauses), *effort)
    return dict(zip(COLUMNS, values, strict=True))


def main() -> None:
    """Write the family and its index."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=float, default=10.0, metavar="SECONDS")
    parser.add_argument("--encoding", default="order", help="of lines")
    parser.add_argument("--small", action="store_true", help="a few files, in seconds")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    chosen = (((20, 0.5, 1),), (8,)) if options.small else (NOISE, DOMINOES)
    with (options.folder / "index.csv").open("w", newline="") as stream:
        index = csv.DictWriter(stream, COLUMNS)
        index.writeheader()
        print(",".join(COLUMNS))
        for name, puzzle in puzzles(*chosen):
            for path in written(name, puzzle, options.folder, options.encoding):
                row = row_of(path, options.limit)
                index.writerow(row)
                print(",".join(map(str, row.values())), flush=True)


if __name__ == "__main__":
    main()
