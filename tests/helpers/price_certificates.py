"""Price tables by brute force, and puzzles that prices decide."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from nonosat.certify import folder
from nonosat.certify.price_check import ClaimedPrices, ClaimResult
from nonosat.core.grid import Grid
from nonosat.core.model import Block
from nonosat.formats import jsonl
from nonosat.puzzles.nonogram.data import Nonogram, from_grid
from nonosat.testing.oracles import fillings, line_support

# Line solving leaves each of them open, and prices prove it unique or unsolvable: one colour and
# two, with blocks of unknown length, with a given cell.
SMALL: list[Any] = list(
    jsonl.read(
        b"""
{"rows":[[1,1],[2],[2],[1],[1]],"columns":[[1,1],[1],[1,2],[1,1]]}
{"rows":[[2],[2],[1],[1,1]],"columns":[[1],[2],[],[2],[1,1]]}
{"rows":[[1],[2],[1,1],[1,1]],"columns":[[],[1,1],[1],[1,1],[2]]}
{"rows":[[1],[null,1],[2],[2],[]],"columns":[[1,1],[1,1],[2],[1],[]]}
{"rows":[[2],[1],[1],[2],[2]],"columns":[[3],[1],[2],[2]]}
{"rows":[[],[2],[null],[null],[1]],"columns":[[1],[2],[2]]}
{"rows":[[null],[1],[],[1]],"columns":[[1,1],[1],[1],[],[1]]}
{"rows":[[2],[1],[1,1],[1,1],[1,1]],"columns":[[3],[1,1],[2],[],[2]],"given":[[1,1,0]]}
{"rows":[[[null,"a"],[1,"b"]],[[1,"a"]],[[1,"b"]]],"columns":[[[1,"a"]],[[1,"a"]],[],\
[[1,"a"],[1,"b"]],[[1,"b"]]],"colors":{"a":"#aa0000","b":"#0000bb"}}
{"rows":[[[1,"b"],[1,"a"]],[[1,"a"],[1,"a"],[1,"b"]],[[1,"b"],[1,"a"],[1,"b"]],[[1,"a"]]],\
"columns":[[[1,"b"],[1,"a"]],[[1,"b"],[1,"a"]],[[1,"a"]],[[1,"b"],[1,"a"]],[[1,"a"],[1,"b"]]],\
"colors":{"a":"#aa0000","b":"#0000bb"}}
"""
    )
)


def staircase(num_dominoes: int) -> Nonogram:
    """An n-domino puzzle: unique, and hard for every search."""
    side = 2 * num_dominoes + 1
    filled = {(0, 0), (0, 1), (0, 2), (1, 0), (side - 1, side - 3)}
    for step in range(2, side - 1, 2):
        filled |= {(step, step - 2), (step + 1, step)}
        filled |= {(step, column) for column in range(step, step + 3)}
    cells = bytes((row, column) in filled for row, column in product(range(side), repeat=2))
    return from_grid(Grid(side, side, cells))


def blotted(puzzle: Nonogram, is_blotted: Callable[[], bool]) -> tuple[tuple[Block, ...], ...]:
    """Clues of the rows, some of their lengths unknown."""
    return tuple(
        tuple(Block(None, block.colour) if is_blotted() else block for block in clue)
        for clue in puzzle.rows
    )


def put_files(target: Path, claim: str, files: dict[str, bytes]) -> Path:
    """Write a certificate with a matching manifest and any files."""
    target.mkdir(exist_ok=True)
    for name, data in {**files, folder.MANIFEST: folder.manifest(claim, files, {})}.items():
        (target / name).write_bytes(data)
    return target


def weighed(
    puzzle: Nonogram, solution: bytes | None, tables: Sequence[ClaimedPrices]
) -> ClaimResult:
    """Return the expected result of `price_check.outcome`, by enumeration of fillings."""
    board = _Board(puzzle, solution)
    goal = 0 if solution is None else _distance(puzzle)
    bound = num_used = 0
    while board.propagate():
        if solution is not None and all(len(values) == 1 for values in board.may.values()):
            return ClaimResult(True, num_used, bound)
        if num_used == len(tables):
            return ClaimResult(False, num_used, bound)
        table = tables[num_used]
        num_used += 1
        bound, losses = board.weigh(table)
        if bound < goal * table.scale:
            return ClaimResult(True, num_used, bound)
        for (cell, value), loss in losses.items():
            if bound - loss < goal * table.scale and board.known.get(cell) != value:
                board.may[cell].discard(value)
    return ClaimResult(solution is None, num_used, bound)


def _distance(puzzle: Nonogram) -> int:
    """Return a distance that two different solutions have at least, from the lengths that are
    known.
    """
    fixed = 1
    for clues in (puzzle.rows, puzzle.columns):
        fixed *= 1 if any(block.length is None for clue in clues for block in clue) else 2
    return fixed


class _Board:
    def __init__(self, puzzle: Nonogram, solution: bytes | None) -> None:
        self.height, self.width = puzzle.height, puzzle.width
        self.clues = (*puzzle.rows, *puzzle.columns)
        cells = [*product(range(self.height), range(self.width))]
        self.known = {} if solution is None else dict(zip(cells, solution, strict=True))
        self.may = {cell: {*range(1 + len(puzzle.colours))} for cell in cells}
        for row, column, value in puzzle.given:
            self.may[row, column] = {value}

    def cells(self, line: int) -> list[tuple[int, int]]:
        if line < self.height:
            return [(line, column) for column in range(self.width)]
        return [(row, line - self.height) for row in range(self.height)]

    def propagate(self) -> bool:
        before = None
        while before != (before := [*map(len, self.may.values())]):
            for line, clue in enumerate(self.clues):
                cells = self.cells(line)
                found = line_support(clue, [frozenset(self.may[cell]) for cell in cells])
                if found is None:
                    return False
                self.may |= {
                    cell: {*values} for cell, values in zip(cells, found.values, strict=True)
                }
        return True

    def paid(self, table: ClaimedPrices, cell: tuple[int, int], value: int, is_row: bool) -> int:
        row = table.prices[value - 1][cell[0]] if value else ()
        price = row[cell[1]] if cell[1] < len(row) else 0
        cost = table.scale * (self.known.get(cell, value) != value)
        return price if is_row else cost - price

    def weigh(self, table: ClaimedPrices) -> tuple[int, dict[tuple[tuple[int, int], int], int]]:
        """Return the bound, and its loss for each value of each cell."""
        bound = 0
        losses: dict[tuple[tuple[int, int], int], int] = {}
        for line, clue in enumerate(self.clues):
            cells, best = self.cells(line), dict[tuple[tuple[int, int], int], int]()
            for filling in fillings(clue, len(cells)):
                pairs = [*zip(cells, filling, strict=True)]
                if any(value not in self.may[cell] for cell, value in pairs):
                    continue
                paid = sum(self.paid(table, *pair, line < self.height) for pair in pairs)
                best |= {pair: max(paid, best.get(pair, paid)) for pair in pairs}
            bound += max(best.values())
            for pair, paid in best.items():
                losses[pair] = losses.get(pair, 0) + max(best.values()) - paid
        return bound, losses
