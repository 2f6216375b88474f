"""The line propagator against a plain program that shares nothing with it.

10 million random pairs of a clue and what is known of the cells, of lines to 130 cells (and a few
longer ones), in one and several colours, with blocks of unknown length, and all pairs of short
lines. The plain program is `tests/native/reference.hpp`; a test holds it to `nonosat.testing`.
"""

from __future__ import annotations

from pathlib import Path

from natively import figures, program
from record import Asked, Figures, perform


def check(asked: Asked, fuzzer: Path) -> Figures:
    """The figures of `tests/native/fuzz_lines.cpp`."""
    return figures(
        fuzzer,
        asked.cases(10_000_000, 8_000),
        asked.cases(9, 5),
        asked.cases(6, 3),
        asked.seed,
    )


def main() -> None:
    with program("fuzz_lines") as fuzzer:
        perform("lines", lambda asked: check(asked, fuzzer))


if __name__ == "__main__":
    main()
