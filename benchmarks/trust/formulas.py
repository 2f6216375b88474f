"""The learning search against brute force: a million small formulas, and puzzles.

Formulas of up to 19 variables, around the threshold and far from it, with units, empty clauses,
tautologies and literals that come twice; puzzles as clauses, with and without lines, under more
clauses. Each is asked about several times: under assumptions, with clauses, variables and phases
that come in between, stopped anywhere, in small goes, short of memory. A table of all assignments
tells the truth about answers, models and cores. `tests/native/fuzz_assumptions.cpp` does it.
"""

from __future__ import annotations

from pathlib import Path

from natively import figures, program
from record import Asked, Figures, perform


def check(asked: Asked, fuzzer: Path) -> Figures:
    """The figures of the fuzzer."""
    return figures(fuzzer, asked.cases(1_000_000, 4_000), asked.seed)


def main() -> None:
    with program("fuzz_assumptions") as fuzzer:
        perform("formulas", lambda asked: check(asked, fuzzer))


if __name__ == "__main__":
    main()
