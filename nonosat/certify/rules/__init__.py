"""The rules of puzzles that are no nonograms, stated a second time, for certificates alone.

A module here says a family's rules straight from the data of a puzzle, as a `Model` of its own: it
shares no code with the family's `build`, and `certify.encoder` turns it into clauses. A family that
is not ours is taken at the word of its own model, and `Rules.trusted` names it.

Invariant: the values of the told variables (`blocked_on`) in the solutions of a model are those of
the puzzle's solutions, each once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from nonosat.certify.rules import knight, queens, slitherlink
from nonosat.core.families import family_of, name_of
from nonosat.core.model import Model
from nonosat.core.plugins import Family, Puzzle
from nonosat.puzzles.knight.data import Knight
from nonosat.puzzles.queens.data import Queens
from nonosat.puzzles.slitherlink.data import Slitherlink
from nonosat.solving.modelling import checked_model

_OURS: dict[type, tuple[Callable[[Any], Model], Callable[[Any, Any], Iterable[int]]]] = {
    Slitherlink: (slitherlink.model_of, slitherlink.true_in),
    Queens: (queens.model_of, queens.true_in),
    Knight: (knight.model_of, knight.true_in),
}


class Rules(NamedTuple):
    """What certificates say of a puzzle.

    Args:
        puzzle: The puzzle.
        family: What decodes and verifies its solutions.
        model: Its rules.
        trusted: The family whose own model these are; "" where they are stated here.
    """

    puzzle: Puzzle
    family: Family
    model: Model
    trusted: str

    @property
    def told(self) -> Iterable[int]:
        """The variables by which solutions differ."""
        model = self.model
        return range(1, model.num_vars + 1) if model.blocked_on is None else model.blocked_on

    def true_in(self, solution: Any) -> frozenset[int]:
        """The told variables that a solution makes true; rules that are stated here know them."""
        _, true_in = _OURS[type(self.puzzle)]
        return frozenset(true_in(self.puzzle, solution))

    def forbidding(self, true: frozenset[int]) -> list[int]:
        """The clause that another solution than the one that makes these true satisfies."""
        if self.model.blocked_by_true:
            return [-var for var in self.told if var in true]
        return [-var if var in true else var for var in self.told]


def rules_of(puzzle: Puzzle) -> Rules:
    """The rules of a puzzle.

    Raises:
        UnsupportedError: The board is too large for any formula.
        PuzzleError: The model of a family that is not ours says nothing that can be encoded.
    """
    family = family_of(puzzle)
    if type(puzzle) in _OURS:
        model_of, _ = _OURS[type(puzzle)]
        return Rules(puzzle, family, model_of(puzzle), "")
    return Rules(puzzle, family, checked_model(family.build(puzzle)), name_of(puzzle))
