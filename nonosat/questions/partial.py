"""First clue that the marks on a partly filled board break.

Each clue is compared with the marks alone: no clue is combined with another one, and neither the
rule of a single loop nor a search is used. So the answer takes time linear in the board for plain
clues, and no broken clue does not mean that a solution agrees with the marks (`explain.hint`
decides it). Invariant: for lines of cells the answer is exact, as line propagation is complete.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from nonosat.board.line import possible
from nonosat.core import families
from nonosat.core.errors import UnsupportedError
from nonosat.core.limits import polled
from nonosat.core.model import FALSE, TRUE, Clause, Count, Line, Loop, Model
from nonosat.core.plugins import Puzzle
from nonosat.core.wording import line_text, listed
from nonosat.puzzles.ranges.data import clue_text

FAMILIES = ("nonogram", "ranges", "slitherlink")


class BrokenClue(NamedTuple):
    """A clue that no completion of the marks satisfies.

    Args:
        place: Its place from 0: {"row": r}, {"column": c}, or {"cell": [r, c]}.
        name: Its name in sentences: "row 3 (clue 2 1)".
    """

    place: dict[str, Any]
    name: str


def check_family(puzzle: Puzzle) -> None:
    """Raise UnsupportedError for a puzzle whose clues are not compared with marks."""
    if (name := families.name_of(puzzle)) not in FAMILIES:
        able = listed(FAMILIES)
        found = f"this puzzle is of the family {name}"
        raise UnsupportedError(f"partly filled boards are checked for the families {able}; {found}")


def first_broken(puzzle: Any) -> BrokenClue | None:
    """Return the first clue that the given values of a puzzle break; None if there is none.

    Args:
        puzzle: The puzzle with the marks as given values; rows come before columns.

    Raises:
        UnsupportedError: A puzzle of another family.
    """
    check_family(puzzle)
    family = families.family_of(puzzle)
    model = family.build(puzzle)
    model.refuse_others("the check of marks", Clause, Count, Line, Loop)
    units = (clause.lits for clause in polled(model.clauses) if len(clause.lits) == 1)
    known = {lit for (lit,) in units}
    index = next(_broken(model, known), None)
    if index is None:
        return None
    if model.lines:
        return _line(puzzle, index)
    assert family.clues is not None
    clue = family.clues.of(puzzle)[index]
    return BrokenClue({"cell": list(clue[:2])}, family.clues.told(puzzle, clue))


def _line(puzzle: Any, index: int) -> BrokenClue:
    height = puzzle.height
    clue = (*puzzle.rows, *puzzle.columns)[index]
    name = f"{line_text(index, height)} (clue {clue_text(clue, puzzle.signs)})"
    return BrokenClue({"row": index} if index < height else {"column": index - height}, name)


def _broken(model: Model, known: set[int]) -> Iterator[int]:
    """Yield the indices of the lines, or else counts, that the known literals break."""
    clues: Iterable[Line | Count] = model.lines or model.counts
    for index, clue in enumerate(polled(clues)):
        if isinstance(clue, Line):
            cells = tuple([_value(lit, known) for lit in plane] for plane in clue.cells)
            if possible(replace(clue, cells=cells)) is None:
                yield index
        else:
            values = [_value(lit, known) for lit in clue.lits]
            least, most = values.count(TRUE), len(values) - values.count(FALSE)
            if not (least <= clue.upper and most >= clue.lower):
                yield index


def _value(lit: int, known: set[int]) -> int:
    return TRUE if lit in known else FALSE if -lit in known else lit
