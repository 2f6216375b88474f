"""All pictures of small boards: the core counts the solutions of every set of clues.

The reference is a count of the pictures themselves: all 2^25 of 5x5, all of smaller boards, and of
boards in two and three colours. The program is `tests/native/pictures.cpp`.
"""

from __future__ import annotations

import re
from pathlib import Path

from natively import figures, program
from record import Asked, Figures, perform

# Squares with unique clues by side (https://oeis.org/A242876).
KNOWN_UNIQUE = {1: 2, 2: 14, 3: 384, 4: 52_362, 5: 25_309_575}


def check(asked: Asked, enumerator: Path) -> Figures:
    """Return numbers of sets of clues by shape; the known ones are compared with the literature."""
    found = figures(enumerator, asked.cases(1 << 25, 1 << 11), asked.cases(1 << 24, 1 << 11))
    boards = by_shape(found["checked"])
    for side, number in KNOWN_UNIQUE.items():
        counted = boards.get(f"{side}x{side}", {}).get("unique", number)
        if counted != number:
            found["failures"].append(f"{counted} unique {side}x{side}, expected {number}")
    totals: dict[str, int] = {}
    for numbers in boards.values():
        for what, number in numbers.items():
            totals[what] = totals.get(what, 0) + number
    return {"checked": totals, "failures": found["failures"], "boards": boards}


def by_shape(numbers: dict[str, int]) -> dict[str, dict[str, int]]:
    """Return the program's output (`4x4 in 2 colours unique`) by shape and kind of number."""
    boards: dict[str, dict[str, int]] = {}
    for name, number in numbers.items():
        found = re.fullmatch(r"(\d+x\d+(?: in \d colours)?) (.*)", name)
        assert found is not None
        boards.setdefault(found[1], {})[found[2]] = number
    return boards


def main() -> None:
    with program("pictures") as enumerator:
        perform("pictures", lambda asked: check(asked, enumerator))


if __name__ == "__main__":
    main()
