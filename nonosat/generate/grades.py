"""Which grades can be asked for; `explain.rating` says what they mean.

They are numbers here, which a test compares: to import that room takes 20 ms, and most puzzles are
made without a grade.
"""

from __future__ import annotations

from nonosat.core.errors import PuzzleError, shown

LINE_LOGIC, HARDEST = 4, 7  # "complete line" and "prices"


def check_grade(grade: int | None, *, logic_only: bool) -> None:
    """Refuse what is no grade, or contradicts itself.

    Raises:
        PuzzleError: It is not 1 to 7, or above 4 where line logic alone is to do.
    """
    if grade is None:
        return
    if type(grade) is not int or not 1 <= grade <= HARDEST:
        raise PuzzleError(f"grade is {shown(grade)}, expected 1 to {HARDEST}")
    if logic_only and grade > LINE_LOGIC:
        raise PuzzleError(
            f"grade {grade} by line logic alone, expected at most {LINE_LOGIC}; leave one of the "
            "two out"
        )
