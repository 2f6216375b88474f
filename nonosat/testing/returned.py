"""Conversion of a function's return value into a claim.

Rows of numbers or of characters are a solution; a list of solutions has one more level. The items
of an iterator are solutions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import islice
from typing import Any

from nonosat.core import families
from nonosat.core.errors import counted, shown
from nonosat.core.grid import SYMBOLS, Grid
from nonosat.core.plugins import Puzzle
from nonosat.core.result import Result, Verdict
from nonosat.puzzles.nonogram.data import Nonogram
from nonosat.questions.counting import CountResult
from nonosat.testing.claims import Claim

MEANINGS = ("solution", "unique", "count", "all")
MOST_TAKEN = 10_000  # solutions of one answer
FILLED, EMPTY = "#1xX*@o■█", ".0-_ □·"  # for one colour; a puzzle's own symbols take precedence


class UnreadableError(Exception):
    """An unreadable answer; the message is the end of a sentence, with the expected form."""


def read(puzzle: Puzzle, answer: object, meaning: str) -> Claim:
    """Return the claim of an answer.

    Args:
        puzzle: The puzzle.
        answer: The return value.
        meaning: One of `MEANINGS`.

    Raises:
        UnreadableError: The value is not an answer.
    """
    if isinstance(answer, Claim):
        return answer
    if isinstance(answer, Result | CountResult):
        return Claim.of_result(answer)
    if isinstance(answer, Verdict):
        return Claim(answer)
    if isinstance(answer, str) and answer.lower() in _WORDS:
        return Claim(_WORDS[answer.lower()])
    if answer is None:
        return Claim(Verdict.UNSOLVABLE)
    if _is_scalar(answer):
        return _number(answer, meaning)
    return _solutions(puzzle, answer, meaning)


_DATA = {  # forms of solutions of other families
    "slitherlink": ": rows of '#' (inside the loop) and '.'",
    "queens": ": the column of the queen in each row, from 0",
    "knight": ": rows of numbers, 0 for a hole",
}
_WORDS = {verdict.value: verdict for verdict in Verdict}


def _is_scalar(answer: object) -> bool:
    """Return True if an answer is a number or a truth value, including NumPy's."""
    return isinstance(answer, bool | int | float) or (
        hasattr(answer, "item") and getattr(answer, "shape", None) == ()
    )


def _number(answer: object, meaning: str) -> Claim:
    value = answer.item() if hasattr(answer, "item") else answer
    if isinstance(value, bool) and meaning == "unique":
        return Claim(Verdict.UNIQUE) if value else Claim(is_not_unique=True)
    if type(value) is int and value >= 0 and meaning == "count":
        return Claim(count=value)
    settings = {"unique": "True or False", "count": "a number of solutions"}
    expected = settings.get(meaning, "a solution, or answers='unique' or 'count' for its meaning")
    raise UnreadableError(f"returned {shown(answer)}, expected {expected}")


def _solutions(puzzle: Puzzle, answer: object, meaning: str) -> Claim:
    """Return the claim of an answer that contains solutions."""
    if isinstance(answer, Iterator | Set):
        found = [_solution(puzzle, one) for one in islice(answer, MOST_TAKEN + 1)]
    elif (several := _several(puzzle, answer)) is None:
        return Claim(Verdict.SOLVED, (_solution(puzzle, answer),))
    else:
        found = [_solution(puzzle, one) for one in several[: MOST_TAKEN + 1]]
    is_whole = len(found) <= MOST_TAKEN
    return Claim.of_solutions(found[:MOST_TAKEN], all_of_them=meaning == "all" and is_whole)


def _several(puzzle: Puzzle, answer: object) -> Sequence[Any] | None:
    """Return the solutions in a list of them; None if the answer is one solution."""
    if not isinstance(answer, list | tuple):
        return None
    if not answer:
        return answer
    if not isinstance(puzzle, Nonogram):
        return None if _is_read(puzzle, answer) else answer
    first = answer[0]
    if isinstance(first, Grid) or _is_text(first) or _depth(first) > 1:
        return answer
    is_row = puzzle.height == len(answer) == 1
    return answer if _is_whole(puzzle, first) and not is_row else None


def _is_whole(puzzle: Puzzle, answer: object) -> bool:
    """Return True if an answer is a picture as bytes, one per cell."""
    return isinstance(answer, bytes | bytearray) and len(answer) == puzzle.height * puzzle.width


def _is_text(value: object) -> bool:
    return isinstance(value, str) and "\n" in value.strip("\n")


def _depth(value: object) -> int:
    """Return the number of levels: 0 for a cell, 1 for a row, 2 for a picture."""
    if isinstance(value, str):
        return 1
    if (shape := getattr(value, "shape", None)) is not None:
        return len(shape)
    if isinstance(value, Sequence | bytes | bytearray):
        return 1 + (_depth(value[0]) if len(value) and not isinstance(value, bytes) else 0)
    return 0


def _is_read(puzzle: Puzzle, answer: object) -> bool:
    try:
        _solution(puzzle, answer)
    except UnreadableError:
        return False
    return True


def _solution(puzzle: Puzzle, answer: object) -> Any:
    """Return one solution, without verification.

    Raises:
        UnreadableError: The answer is not a solution.
    """
    if isinstance(puzzle, Nonogram):
        return answer if isinstance(answer, Grid) else _grid(puzzle, answer)
    if hasattr(answer, "differences") and hasattr(answer, "lines"):
        return answer
    try:
        return families.solution_of(puzzle, answer)
    except Exception as error:  # decoders of families may raise any exception
        family = families.name_of(puzzle)
        raise UnreadableError(
            f"returned {shown(answer)}, expected a solution of {family} or its data"
            f"{_DATA.get(family, '')} ({error})"
        ) from None


def _grid(puzzle: Nonogram, answer: Any) -> Grid:
    if isinstance(answer, str):
        answer = answer.strip("\n").split("\n")
    if _is_whole(puzzle, answer):
        answer = [answer[at : at + puzzle.width] for at in range(0, len(answer), puzzle.width)]
    if hasattr(answer, "tolist"):
        answer = answer.tolist()
    if not isinstance(answer, Iterable):
        raise UnreadableError(f"returned {shown(answer)}, expected a solution")
    table = _values(puzzle)
    rows = [
        bytes(_cell(cell, table, row) for cell in _cells(line, row))
        for row, line in enumerate(answer)
    ]
    widths = {len(row) for row in rows}
    if len(widths) != 1 or 0 in widths:
        sizes = " or ".join(map(str, sorted(widths))) or "no rows at all"
        raise UnreadableError(
            f"returned {counted(len(rows), 'row')} of {sizes} cells, expected "
            f"{counted(puzzle.height, 'row')} of {puzzle.width}"
        )
    return Grid(len(rows), widths.pop(), b"".join(rows))


def _cells(line: object, row: int) -> Iterable[Any]:
    if isinstance(line, Iterable):
        return line
    raise UnreadableError(f"returned {shown(line)} as row {row + 1}, expected its cells")


def _values(puzzle: Nonogram) -> dict[Any, int]:
    """Return the value of each symbol of a cell; the puzzle's own symbols take precedence."""
    num = len(puzzle.colours)
    table: dict[Any, int] = {value: value for value in range(num + 1)}
    if num == 1:
        table |= {**dict.fromkeys(FILLED, 1), **dict.fromkeys(EMPTY, 0)}
    table |= {sign: value for value, sign in enumerate(SYMBOLS[: num + 1])}
    return table | {sign: value for value, sign in enumerate(puzzle.symbols)}


def _cell(cell: object, table: dict[Any, int], row: int) -> int:
    try:
        return table[cell]
    except (KeyError, TypeError):
        known = ", ".join(map(repr, table))
        raise UnreadableError(
            f"returned {shown(cell)} as a cell of row {row + 1}, expected one of {known}"
        ) from None
