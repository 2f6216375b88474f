"""Knight's tour family: one spanning `Loop` that visits every square of a board once."""

from __future__ import annotations

from nonosat.core.plugins import Family
from nonosat.puzzles.knight.data import (
    Knight,
    Tour,
    from_data,
    solution_data,
    solution_from_data,
    to_data,
    tour_of,
)
from nonosat.puzzles.knight.methods import METHODS, auto, count
from nonosat.puzzles.knight.model import CLUES, build, decode, places, tally
from nonosat.puzzles.knight.theorems import obstacle
from nonosat.puzzles.knight.verify import refutation

__all__ = [
    "METHODS",
    "PLUGIN",
    "Knight",
    "Tour",
    "auto",
    "build",
    "decode",
    "from_data",
    "obstacle",
    "places",
    "refutation",
    "solution_data",
    "solution_from_data",
    "tally",
    "to_data",
    "tour_of",
]

PLUGIN = Family(
    summary="knight's tours, open and closed, with holes and given move numbers",
    build=build,
    decode=decode,
    refutation=refutation,
    to_data=to_data,
    from_data=from_data,
    keys=frozenset({"rows", "columns", "start", "closed", "holes", "given"}),
    obstacle=obstacle,
    solution_data=solution_data,
    solution_from_data=solution_from_data,
    count=count,
    tally=tally,
    places=places,
    part="move",
    clues=CLUES,
    auto=auto,
    methods=METHODS,
)
