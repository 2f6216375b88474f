"""Backbone status of parts of a solution that are no cells of a board: edges, squares, moves.

The function `places` of a family maps the variables of its models to such parts, as tuples of whole
numbers. If a family has no such function, each variable is a place of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nonosat.core.families import family_of
from nonosat.core.grid import UNKNOWN
from nonosat.core.model import Model
from nonosat.core.plugins import Puzzle

Place = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PlaceAssignment:
    """Backbone status of each place: in every solution, in none, or undecided.

        >>> facts = nonosat.backbone(nonosat.Queens(4, blocked=[(0, 1)])).settled
        >>> facts[0, 2], facts[0, 0], facts.chosen()
        (1, 0, [(0, 2), (1, 0), (2, 3), (3, 1)])

    Args:
        places: The places that the family names, in order.
        cells: A byte a place: 1 if it is chosen in every solution, 0 if in none, else
            `grid.UNKNOWN`.
    """

    places: tuple[Place, ...] = ()
    cells: bytes = b""

    def __getitem__(self, place: Place) -> int:
        try:
            return self.cells[self.places.index(place)]
        except ValueError:
            raise LookupError(f"there is no place {place}") from None

    def place(self, at: int) -> Place:
        """Return the place with that number."""
        return self.places[at]

    def __len__(self) -> int:
        return len(self.places)

    def __iter__(self) -> Iterator[Place]:
        return iter(self.places)

    def having(self, value: int) -> list[Place]:
        """Return the places with this status."""
        return [place for place, cell in zip(self.places, self.cells, strict=True) if cell == value]

    def chosen(self) -> list[Place]:
        """Return the places that are chosen in every solution."""
        return self.having(1)

    def __str__(self) -> str:
        counts = (len(self.having(value)) for value in (1, 0, UNKNOWN))
        return "{} in every solution, {} in none, {} neither".format(*counts)

    def to_data(self) -> dict[str, Any]:
        """Return the places in every solution, and those in none."""
        return {name: [*map(list, self.having(value))] for name, value in _NAMES}

    @classmethod
    def from_data(cls, data: Mapping[str, Any], others: Sequence[Sequence[int]]) -> PlaceAssignment:
        """Return an assignment from the data of `to_data`; `others` are the places not settled."""
        known = {_place(place): value for name, value in _NAMES for place in data[name]}
        known |= {_place(place): UNKNOWN for place in others}
        return cls(tuple(sorted(known)), bytes(known[place] for place in sorted(known)))


_NAMES = (("every", 1), ("none", 0))


def _place(numbers: Sequence[int]) -> Place:
    return tuple(map(int, numbers))


def places_of(puzzle: Puzzle, model: Model) -> dict[Place, int]:
    """Map each place, in order, to the variable that decides it."""
    named = family_of(puzzle).places
    if named is not None:
        return {place: var for var, place in sorted(named(puzzle).items(), key=_by_place)}
    return {(var,): var for var in sorted(set(distinguishing(model)))}


def distinguishing(model: Model) -> Sequence[int]:
    """Return the variables that tell solutions apart."""
    return range(1, model.num_vars + 1) if model.blocked_on is None else model.blocked_on


def _by_place(named: tuple[int, Place]) -> Place:
    return named[1]
