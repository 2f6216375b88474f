"""Result of `why_multiple`, with its conversion to words, pictures and JSON data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

from nonosat.core.errors import counted
from nonosat.core.families import family_of, solution_of
from nonosat.core.presenting import Data, Scene
from nonosat.core.result import Verdict
from nonosat.questions.backbone_result import symbols
from nonosat.questions.counting import digits, number, solutions_text
from nonosat.questions.groups import scene_of
from nonosat.questions.reply import Reply

Place = tuple[int, ...]
Places = tuple[Place, ...]
MOST_FACTORS = 8  # factors of a product that are written out


@dataclass(frozen=True, slots=True)
class Switch:
    """Cells that solutions fill in several ways, independently of the other switches.

        >>> switch = nonosat.why_multiple(nonosat.nonogram([[1], [1]], [[1], [1]])).switches[0]
        >>> switch.cells, switch.count, switch.is_exact
        (((0, 0), (0, 1), (1, 0), (1, 1)), 2, True)
        >>> sorted(switch.fillings)
        [(0, 1, 1, 0), (1, 0, 0, 1)]

    Args:
        cells: Cells (row, column), row-major, each of them filled differently by some solutions; or
            places as the puzzle's family names them, such as edges of a Slitherlink.
        count: Number of fillings, or a lower bound; at least 2. If a limit left cells of the switch
            undecided, their fillings are counted, too, although `cells` does not list them. Up to
            256 fillings the switch cannot be divided; a larger one may be divisible.
        is_exact: True if `count` is the number of fillings.
        fillings: Some fillings, or all if they are few, that of `Ambiguity.solution` first. Each
            has one value per cell (per place 1 if it is chosen, else 0).
    """

    cells: Places
    count: int
    is_exact: bool
    fillings: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True, repr=False)
class Ambiguity(Reply):
    """Reasons why a puzzle has several solutions; the other fields are those of `Reply`.

        >>> found = nonosat.why_multiple(nonosat.nonogram([[1], [1]], [[1], [1]]))
        >>> found
        <Ambiguity: nonogram: 2 rows x 2 columns: 1 switch, 2 solutions>
        >>> nonosat.Ambiguity.from_data(found.to_data()) == found
        True

    Args:
        verdict: `unique`, `multiple`, `unsolvable`; `unknown` if a limit left that open.
        solution: A solution, if one is known.
        switches: Switches in the order of their first cells; empty unless the verdict is
            `multiple`. Any filling of one can be combined with any filling of the others.
        undecided: Cells (row, column), or places, in order, that a limit left undecided: each is
            equal in all solutions, or belongs to a switch, known or unknown.
    """

    verdict: Verdict
    solution: Any = None
    switches: tuple[Switch, ...] = ()
    undecided: Places = ()

    @property
    def count(self) -> int:
        """Number of solutions, or a lower bound: the product of the counts of the switches."""
        return prod(switch.count for switch in self.switches) if self.solution is not None else 0

    @property
    def is_exact(self) -> bool:
        """True if `count` is the number of solutions."""
        if self.verdict is Verdict.UNKNOWN:
            return False
        return not self.undecided and all(switch.is_exact for switch in self.switches)

    def description(self) -> str:
        """Return the number of switches and of solutions in words."""
        if self.verdict is not Verdict.MULTIPLE:
            is_open = self.verdict is Verdict.UNKNOWN
            return "not decided" if is_open else solutions_text(self.count, self.is_exact)
        num = len(self.switches)
        word = "1 switch" if num == 1 else f"{num} independent switches"
        text = f"{word}, {self._product()}{solutions_text(self.count, self.is_exact)}"
        part = family_of(self.puzzle).part
        cells = f", {counted(len(self.undecided), part)} undecided" if self.undecided else ""
        return text + cells

    def _product(self) -> str:
        """Return the factors of the number of solutions if they are few: "2 x 3 = "."""
        if not (2 <= len(self.switches) <= MOST_FACTORS and self.is_exact):
            return ""
        return " x ".join(digits(switch.count) for switch in self.switches) + " = "

    def scene(self) -> Scene:
        """Return a solution, each switch in its own colour, stronger on filled or chosen places."""
        if self.verdict is not Verdict.MULTIPLE or self.solution is None:
            return Scene(self.puzzle, self.solution, caption=self.in_a_line())
        groups = [switch.cells for switch in self.switches]
        return scene_of(self.puzzle, self.solution, groups, self.undecided, self.in_a_line())

    def found_data(self) -> Data:
        """Return switches with cells and fillings; counts are strings, as for `CountResult`."""
        signs, family, solution = symbols(self.puzzle), family_of(self.puzzle), self.solution
        legend = family.legend(self.puzzle)
        return {
            "verdict": self.verdict.value,
            "solution": None if solution is None else family.solution_data(self.puzzle, solution),
            **({"legend": legend} if legend else {}),
            "switches": [
                {
                    "cells": [list(cell) for cell in switch.cells],
                    "count": digits(switch.count),
                    "exact": switch.is_exact,
                    "fillings": [
                        "".join(signs[value] for value in filling) for filling in switch.fillings
                    ],
                }
                for switch in self.switches
            ],
            "undecided": [list(cell) for cell in self.undecided],
            "count": digits(self.count),
            "exact": self.is_exact,
        }

    @classmethod
    def found_in(cls, data: Mapping[str, Any], puzzle: Any) -> dict[str, Any]:
        """Return constructor arguments from the data that `found_data` returned."""
        found = data["solution"]
        return {
            "verdict": Verdict(data["verdict"]),
            "solution": None if found is None else solution_of(puzzle, found),
            "switches": tuple(_switch(each, symbols(puzzle)) for each in data["switches"]),
            "undecided": _places(data["undecided"]),
        }


def _switch(data: Mapping[str, Any], signs: str) -> Switch:
    fillings = (tuple(map(signs.index, filling)) for filling in data["fillings"])
    cells, count = _places(data["cells"]), number(data["count"])
    return Switch(cells, count, bool(data["exact"]), tuple(fillings))


def _places(cells: Any) -> Places:
    return tuple(tuple(map(int, cell)) for cell in cells)
