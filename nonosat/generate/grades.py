"""Valid grades of difficulty; `explain.explanation` defines their meaning.

The grades are repeated here as numbers, which a test compares with `explain`: importing `explain`
takes 20 ms, and most puzzles are generated without a grade.
"""

from __future__ import annotations

from nonosat.core.errors import PuzzleError, shown

LINE_LOGIC, HARDEST = 4, 7  # "complete line" and "prices"


def check_grade(grade: int | None, *, logic_only: bool) -> None:
    """Raise an error if a grade is invalid or contradicts `logic_only`.

    Raises:
        PuzzleError: The grade is not 1 to 7, or above 4 although line logic must be sufficient.
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
