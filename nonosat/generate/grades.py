"""Which grades can be asked for; `explain.rating` says what they mean."""

from __future__ import annotations

from nonosat.errors import PuzzleError, shown
from nonosat.explain.rating import GRADES

LINE_LOGIC, HARDEST = GRADES["complete line"], GRADES["prices"]  # 4 and 7


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
