"""A family of which every model is a puzzle, with a verifier that states each rule literally."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product

from nonosat.core.about import NOTHING_KNOWN, About
from nonosat.core.grid import Grid
from nonosat.core.model import TRUE, Model
from nonosat.core.plugins import Family
from nonosat.testing.strategies.models import holds


def decoded(puzzle: Modelled, values: bytes) -> Grid:
    return Grid(1, max(puzzle.width, 1), bytes(values[1 : 1 + puzzle.width]) or b"\0")


def refutation(puzzle: Modelled, grid: Grid) -> str | None:
    true = frozenset([TRUE, *(v if on else -v for v, on in enumerate(grid.cells, start=1))])
    is_kept = all(holds(constraint, true) for constraint in puzzle.model.constraints())
    return None if is_kept else "a rule is broken"


MODELS = Family(
    name="models",
    summary="a model",
    build=lambda puzzle: puzzle.model,
    decode=decoded,
    refutation=refutation,
    to_data=lambda puzzle: {"model": repr(puzzle.model)},
)


@dataclass(frozen=True)
class Modelled:
    model: Model
    about: About = NOTHING_KNOWN

    family = MODELS
    height = 1
    size = "a model"

    @property
    def width(self) -> int:
        return self.model.num_vars

    def about_with(self, **changes: str) -> Modelled:
        return replace(self, about=replace(self.about, **changes))


def number_of(model: Model) -> int:
    """Return the number of assignments of the variables by which solutions differ."""
    told_by = range(1, model.num_vars + 1) if model.blocked_on is None else model.blocked_on
    found = set()
    for signs in product((1, -1), repeat=model.num_vars):
        true = frozenset([TRUE, *(sign * var for var, sign in enumerate(signs, start=1))])
        if all(holds(constraint, true) for constraint in model.constraints()):
            found.add(tuple(signs[var - 1] for var in told_by))
    return len(found)
