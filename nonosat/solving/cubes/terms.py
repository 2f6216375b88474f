"""Meaning of the literals in a tree of cubes: cells of a nonogram, or variables of a model.

Used by `cover`, the checker of trees; shares no code with the modules that make trees.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from nonosat.core.errors import shown
from nonosat.puzzles.nonogram.data import Nonogram

Lit = list[int]  # as in a branch


class Terms(ABC):
    """Meaning of literals, and their values in solutions.

    Attributes:
        size: Bytes of a solution.
    """

    size: int

    @abstractmethod
    def mistake(self, lit: Any) -> str:
        """Return why JSON data are not a valid branching literal; "" if they are."""

    @abstractmethod
    def mistake_of_cell(self, cell: Any) -> str:
        """Return why JSON data are not a cell that look-ahead may have tried; "" if they are."""

    @abstractmethod
    def holds(self, lit: Lit, solution: bytes) -> bool:
        """Return True if a literal is true in a solution."""


class CellTerms(Terms):
    """Literals [row, column, value] of a nonogram; a solution has one byte per cell."""

    def __init__(self, puzzle: Nonogram) -> None:
        self._height, self._width = puzzle.height, puzzle.width
        self._most = len(puzzle.colours)
        self.size = puzzle.height * puzzle.width

    def mistake(self, lit: Any) -> str:
        if not isinstance(lit, list) or len(lit) != 3:
            return f"{shown(lit)} is not a cell and value"
        if type(lit[2]) is not int or not 0 <= lit[2] <= self._most:
            return f"there is no value {shown(lit[2])}"
        return self.mistake_of_cell(lit[:2])

    def mistake_of_cell(self, cell: Any) -> str:
        is_pair = isinstance(cell, list | tuple) and len(cell) == 2
        if not is_pair or any(type(place) is not int for place in cell):
            return f"{shown(cell)} is not a cell"
        if not (0 <= cell[0] < self._height and 0 <= cell[1] < self._width):
            return f"the cell {shown(cell)} is not on the board"
        return ""

    def holds(self, lit: Lit, solution: bytes) -> bool:
        row, column, value = lit
        return solution[row * self._width + column] == value


class VariableTerms(Terms):
    """Literals [variable] of a model; a solution has a byte per variable from index 1."""

    def __init__(self, num_vars: int) -> None:
        self._num_vars = num_vars
        self.size = 1 + num_vars

    def mistake(self, lit: Any) -> str:
        if not isinstance(lit, list) or len(lit) != 1 or type(lit[0]) is not int:
            return f"{shown(lit)} is no literal"
        if not 1 <= abs(lit[0]) <= self._num_vars:
            return f"there is no variable of the literal {shown(lit[0])}"
        return ""

    def mistake_of_cell(self, cell: Any) -> str:
        return f"{shown(cell)} is a cell, and this model has none"

    def holds(self, lit: Lit, solution: bytes) -> bool:
        return bool(solution[abs(lit[0])]) == (lit[0] > 0)
