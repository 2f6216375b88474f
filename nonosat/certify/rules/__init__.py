"""The rules of puzzles, stated a second time, for certificates alone.

A module of this package has the name of a family and states its rules from the data of a puzzle, as
a separate `Model`: it shares no code with the family's `build`, and `certify.encoder` turns it into
clauses. It is imported for the first puzzle of the family. For a family that is not built in, its
own model is accepted as its rules, and `Rules.trusted` names the family.

The clause that forbids a solution is over the variables `Model.blocked_on` (the blocked variables),
or over all variables if there are none. Invariant: projected to these variables, the solutions of
the model correspond one to one to the solutions of the puzzle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any, NamedTuple

from nonosat.core.families import family_of, name_of
from nonosat.core.model import Model
from nonosat.core.plugins import Family, Puzzle
from nonosat.core.wording import line_text
from nonosat.puzzles.nonogram.data import Nonogram

_STATED = ("knight", "lanes", "nonogram", "queens", "ranges", "slitherlink")


class Statement(NamedTuple):
    """Value of `RULES` in each module of this package.

    Args:
        of: The class of the family's puzzles.
        model_of: Function that returns the rules of a puzzle, or raises UnsupportedError for a
            puzzle that is too large.
        true_in: Function that returns the true variables of a solution of a puzzle, among those
            that distinguish solutions (the model's `blocked_on`).
    """

    of: type
    model_of: Callable[[Any], Model]
    true_in: Callable[[Any, Any], Iterable[int]]


class Rules(NamedTuple):
    """Rules of a puzzle for certificates.

    Args:
        puzzle: The puzzle.
        family: The family, which decodes and verifies solutions.
        model: Rules of the puzzle.
        statement: The statement that the model comes from; None for the family's own model.
    """

    puzzle: Puzzle
    family: Family
    model: Model
    statement: Statement | None

    @property
    def trusted(self) -> str:
        """The family whose own model states the rules; "" if they are stated in this package."""
        return "" if self.statement else name_of(self.puzzle)

    @property
    def is_board(self) -> bool:
        """True for nonograms: solutions are pictures, and lines derive lemmas."""
        return self.statement is not None and self.statement.of is Nonogram

    @property
    def distinguishing(self) -> Iterable[int]:
        """The variables in which solutions differ."""
        model = self.model
        return range(1, model.num_vars + 1) if model.blocked_on is None else model.blocked_on

    def true_in(self, solution: Any) -> frozenset[int]:
        """Return those of `distinguishing` that are true in a solution; not for `trusted` rules."""
        assert self.statement is not None
        return frozenset(self.statement.true_in(self.puzzle, solution))

    def forbidding(self, true: frozenset[int]) -> list[int]:
        """Return the clause that excludes the solution with these true variables."""
        if self.model.blocked_by_true:
            return [-var for var in self.distinguishing if var in true]
        return [-var if var in true else var for var in self.distinguishing]

    def part(self, index: int) -> str:
        """Return the name of a part of the rules' clauses (`Encoder.parts`)."""
        if not self.is_board:
            return "the rules"
        return line_text(index - 1, self.puzzle.height) if index else "the cells"


def rules_of(puzzle: Puzzle) -> Rules:
    """Return the rules of a puzzle.

    Raises:
        UnsupportedError: The board is too large for any formula.
        PuzzleError: The model of a family that is not built in contains nothing to encode.
    """
    family, name = family_of(puzzle), name_of(puzzle)
    if name in _STATED:
        stated: Statement = import_module(f"{__name__}.{name}").RULES
        if isinstance(puzzle, stated.of):
            return Rules(puzzle, family, stated.model_of(puzzle), stated)
    # slow import, only needed for families of other packages
    from nonosat.solving.modelling import checked_model

    return Rules(puzzle, family, checked_model(family.build(puzzle)), None)
