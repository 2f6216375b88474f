"""The line propagator compared with an independent plain program.

10 million random pairs of a clue and known cells, of lines up to 130 cells (and a few longer ones),
in one and several colours, with blocks of unknown length, and all pairs of short lines. The plain
program is `tests/native/reference.hpp`; a test compares it with `nonosat.testing`.
"""

from __future__ import annotations

from pathlib import Path

from natively import figures, program
from record import Asked, Figures, perform


def check(asked: Asked, fuzzer: Path) -> Figures:
    """Return the figures of `tests/native/fuzz_lines.cpp`."""
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
