"""The rules of puzzles, stated a second time, for certificates alone.

A module here has the name of a family and says its rules straight from the data of a puzzle, as a
`Model` of its own: it shares no code with the family's `build`, and `certify.encoder` turns it into
clauses. It is imported when there is a puzzle of the family. A family that is not ours is taken at
the word of its own model, and `Rules.trusted` names it.

Invariant: the values of the told variables (`blocked_on`) in the solutions of a model are those of
the puzzle's solutions, each once.
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

_STATED = ("knight", "nonogram", "queens", "slitherlink")


class Statement(NamedTuple):
    """What a module here has as `RULES`.

    Args:
        of: The class of the family's puzzles.
        model_of: The rules of a puzzle; raises UnsupportedError for one that is too large.
        true_in: Of a puzzle and a solution the told variables that the solution makes true.
    """

    of: type
    model_of: Callable[[Any], Model]
    true_in: Callable[[Any, Any], Iterable[int]]


class Rules(NamedTuple):
    """What certificates say of a puzzle.

    Args:
        puzzle: The puzzle.
        family: What decodes and verifies its solutions.
        model: Its rules.
        statement: Where they are stated; None for the family's own model.
    """

    puzzle: Puzzle
    family: Family
    model: Model
    statement: Statement | None

    @property
    def trusted(self) -> str:
        """The family whose own model these are; "" where they are stated here."""
        return "" if self.statement else name_of(self.puzzle)

    @property
    def is_board(self) -> bool:
        """Whether this is a nonogram: its solutions are pictures, and lines derive lemmas."""
        return self.statement is not None and self.statement.of is Nonogram

    @property
    def told(self) -> Iterable[int]:
        """The variables by which solutions differ."""
        model = self.model
        return range(1, model.num_vars + 1) if model.blocked_on is None else model.blocked_on

    def true_in(self, solution: Any) -> frozenset[int]:
        """The told variables that a solution makes true; rules that are stated here know them."""
        assert self.statement is not None
        return frozenset(self.statement.true_in(self.puzzle, solution))

    def forbidding(self, true: frozenset[int]) -> list[int]:
        """The clause that another solution than the one that makes these true satisfies."""
        if self.model.blocked_by_true:
            return [-var for var in self.told if var in true]
        return [-var if var in true else var for var in self.told]

    def part(self, index: int) -> str:
        """The name of a part of the rules' clauses (`Encoder.parts`)."""
        if not self.is_board:
            return "the rules"
        return line_text(index - 1, self.puzzle.height) if index else "the cells"


def rules_of(puzzle: Puzzle) -> Rules:
    """The rules of a puzzle.

    Raises:
        UnsupportedError: The board is too large for any formula.
        PuzzleError: The model of a family that is not ours says nothing that can be encoded.
    """
    family, name = family_of(puzzle), name_of(puzzle)
    if name in _STATED:
        stated: Statement = import_module(f"{__name__}.{name}").RULES
        if isinstance(puzzle, stated.of):
            return Rules(puzzle, family, stated.model_of(puzzle), stated)
    from nonosat.solving.modelling import checked_model  # heavy, and for families of others alone

    return Rules(puzzle, family, checked_model(family.build(puzzle)), None)
