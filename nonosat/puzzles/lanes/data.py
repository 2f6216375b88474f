"""Nonograms on boards of lanes: frozen, validated data.

Invariant: a `LaneNonogram` that exists is well formed: one clue a lane, of blocks of positive or
unknown length in defined colours, and given cells that are on the board. It may still be
unsolvable; that is a verdict, not an error.

A picture is a `Grid` of the rectangle around all places; it is empty where the board has no cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any, ClassVar, TypeVar

from nonosat.core.about import NOTHING_KNOWN, About
from nonosat.core.errors import PuzzleError, counted, printable, shown
from nonosat.core.grid import Grid
from nonosat.core.limits import polled
from nonosat.core.model import Block, Clue, block_of
from nonosat.core.wording import cell_text
from nonosat.puzzles.lanes.shape import Layout, Shape
from nonosat.puzzles.nonogram.data import BLACK, WHITE, Colour, ColouredPuzzle, Nonogram, clue_of
from nonosat.puzzles.ranges.data import clue_data, clue_reader, colours_of, given_of

T = TypeVar("T")
NO_CELL = " "  # sign of a place without a cell, in the rows of a picture


@dataclass(frozen=True, slots=True, repr=False)
class LaneNonogram(ColouredPuzzle):
    """A nonogram whose lanes are not the rows and columns of one rectangle.

        >>> from nonosat.puzzles.lanes import LaneNonogram, mono, triddler
        >>> puzzle = mono(triddler(1), [[1], [2]], [[2], [1]], [[1], [2]])
        >>> puzzle
        <LaneNonogram: board of lanes: triddler, sides 1 1 1 1 1 1, 6 cells>
        >>> nonosat.check(puzzle).verdict
        <Verdict.UNSOLVABLE: 'unsolvable'>

    Args:
        shape: Cells and lanes.
        clues: A clue a lane, in the order of `shape.layout.lanes`; () is an empty lane.
        colours: The inks; a block's `colour` k is `colours[k - 1]`.
        given: (row, column, colour) of cells known from the start, colour 0 for empty.
        about: Title, author, licence and the like.

    Attributes:
        background: Appearance of an empty cell.

    Raises:
        PuzzleError: The data do not describe a puzzle; the message names the clue and the value.
    """

    background: ClassVar[Colour] = WHITE

    shape: Shape
    clues: tuple[Clue, ...]
    colours: tuple[Colour, ...] = (BLACK,)
    given: tuple[tuple[int, int, int], ...] = ()
    about: About = NOTHING_KNOWN

    def __post_init__(self) -> None:
        if not isinstance(self.shape, Shape):
            raise PuzzleError(f"shape is {shown(self.shape)}, expected a Shape")
        board, layout = self._blank(), self.layout
        object.__setattr__(self, "colours", board.colours)
        if not isinstance(self.clues, list | tuple) or len(self.clues) != len(layout.lanes):
            found = counted(len(self.clues), "clue") if hasattr(self.clues, "__len__") else "none"
            raise PuzzleError(f"{found}, expected one for each of {len(layout.lanes)} lanes")
        clues = tuple(
            _clue(clue, name, len(self.colours))
            for clue, name in zip(polled(self.clues), layout.names, strict=True)
        )
        object.__setattr__(self, "clues", clues)
        object.__setattr__(self, "given", tuple(sorted(set(board.given))))
        places = set(layout.places) if self.given else set()
        for row, column, _ in self.given:
            if (row, column) not in places:
                raise PuzzleError(f"the given cell in {cell_text(row, column)} is not on the board")

    @property
    def family(self) -> str:
        """Name of the module in `puzzles/` that builds and verifies the puzzle."""
        return "lanes"

    @property
    def layout(self) -> Layout:
        """Cells and lanes of the shape."""
        return self.shape.layout

    @property
    def height(self) -> int:
        """Number of rows of places."""
        return self.layout.height

    @property
    def width(self) -> int:
        """Number of columns of places; a triangle covers two of them."""
        return self.layout.width

    @property
    def size(self) -> str:
        """Shape, cells and colours, in words."""
        ink = "" if len(self.colours) == 1 else f", {len(self.colours)} colours"
        name = {"grid": "outline", "lanes": "cells"}.get(self.shape.kind, self.shape.kind)
        return f"{name}, {self.shape.size}, {counted(len(self.layout.places), 'cell')}{ink}"

    def _blank(self) -> Nonogram:
        """Return the rectangle of all places with empty clues, which checks colours and cells."""
        return Nonogram(
            rows=((),) * self.height,
            columns=((),) * self.width,
            colours=self.colours,
            given=self.given,
            about=self.about,
        )

    def grouped(self, items: Sequence[T]) -> Iterator[Sequence[T]]:
        """Yield the items of the lanes of each direction or side."""
        ends = accumulate(self.layout.groups, initial=0)
        return (items[start:end] for start, end in pairwise(ends))

    def __str__(self) -> str:
        title = printable(self.about.title or self.about.id)
        return f"{title or 'board of lanes'}: {self.size}"


def _clue(clue: object, where: str, num_colours: int) -> Clue:
    """Return a clue of valid blocks, or raise an error that names the lane."""
    if not isinstance(clue, list | tuple):
        raise PuzzleError(f"the clue of {where} is {shown(clue)}, expected a tuple of blocks")
    for block in clue:
        if not isinstance(block, Block):
            raise PuzzleError(
                f"{where} has the entry {shown(block)}, expected a block of one known length, or "
                "of unknown length"
            )
        if block.length is not None:
            block_of([block.length], block.colour, where)
        if type(block.colour) is not int or not 1 <= block.colour <= num_colours:
            raise PuzzleError(
                f"{where} has a block of colour {shown(block.colour)}, expected 1 to {num_colours}"
            )
    return tuple(clue)


def mono(shape: Shape, *groups: Sequence[Sequence[int | None]], **fields: Any) -> LaneNonogram:
    """Return a puzzle of one colour from plain lengths, a list of clues a direction.

    Args:
        shape: Cells and lanes.
        *groups: For a triddler the rows, the lanes / and the lanes \\ from left to right, each read
            downwards; for squares the rows and columns (of each grid); else all lanes.
        **fields: Further fields of `LaneNonogram`.
    """
    clues = tuple(tuple(map(Block, clue)) for group in groups for clue in group)
    return LaneNonogram(shape, clues, **fields)


def from_grid(shape: Shape, grid: Grid, colours: Sequence[Colour] = (BLACK,)) -> LaneNonogram:
    """Return the puzzle whose clues describe a picture of the rectangle around all places."""
    cells = [grid[place] for place in polled(shape.layout.places)]
    clues = tuple(clue_of(cells[cell] for cell in lane) for lane in polled(shape.layout.lanes))
    return LaneNonogram(shape, clues, tuple(colours))


# As JSON


def to_data(puzzle: LaneNonogram) -> dict[str, Any]:
    """Return the puzzle as plain JSON values, without `about`."""
    keys = [colour.key for colour in puzzle.colours]
    data: dict[str, Any] = {"shape": puzzle.shape.to_data()}
    if puzzle.colours != (BLACK,):
        data["colors"] = {colour.key: colour.rgb for colour in puzzle.colours}
    clues = [clue_data(clue, keys) for clue in polled(puzzle.clues)]
    data["clues"] = [list(group) for group in puzzle.grouped(clues)]
    if puzzle.given:
        named = [0, *(keys if len(keys) > 1 else [1])]
        data["given"] = [[row, column, named[colour]] for row, column, colour in puzzle.given]
    return data


def from_data(data: Mapping[str, Any]) -> LaneNonogram:
    """Return the puzzle from the values that `to_data` returns; other keys are ignored.

    A clue may also be a text, as "3 1".

    Raises:
        PuzzleError: They do not describe one.
    """
    shape = Shape.from_data(data.get("shape"))
    colours = colours_of(data.get("colors"))
    keys = {colour.key: index for index, colour in enumerate(colours, 1)}
    read = clue_reader(keys, Nonogram(((),), ((),), colours).signs)
    groups, sizes = data.get("clues"), shape.layout.groups
    if not isinstance(groups, list | tuple) or not all(
        isinstance(one, list | tuple) for one in groups
    ):
        raise PuzzleError(f"clues is {shown(groups)}, expected a list of clues for each direction")
    if (found := tuple(map(len, groups))) != sizes:
        raise PuzzleError(
            f"clues for {_numbers(found)} lanes, expected {_numbers(sizes)} for this shape"
        )
    names = iter(shape.layout.names)
    clues = tuple(read(clue, next(names)) for group in groups for clue in polled(group))
    given = given_of(data.get("given") or (), keys)
    return LaneNonogram(shape, clues, colours, given)  # type: ignore[arg-type]  # or it refuses


def _numbers(sizes: Sequence[int]) -> str:
    return " + ".join(map(str, sizes)) or "no"
