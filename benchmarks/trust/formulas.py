"""The learning search compared with brute force: a million small formulas, and puzzles.

Formulas of up to 19 variables, around the threshold and far from it, with units, empty clauses,
tautologies and duplicate literals; puzzles as clauses, with and without lines, with additional
clauses. Each is solved several times: under assumptions, with clauses, variables and phases added
in between, stopped at any point, in small steps, with little memory. Answers, models and cores are
checked with a table of all assignments. The program is `tests/native/fuzz_assumptions.cpp`.
"""

from __future__ import annotations

from pathlib import Path

from natively import figures, program
from record import Asked, Figures, perform


def check(asked: Asked, fuzzer: Path) -> Figures:
    """Return the figures of the fuzzer."""
    return figures(fuzzer, asked.cases(1_000_000, 4_000), asked.seed)


def main() -> None:
    with program("fuzz_assumptions") as fuzzer:
        perform("formulas", lambda asked: check(asked, fuzzer))


if __name__ == "__main__":
    main()
