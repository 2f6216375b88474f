"""What a nonogram is: frozen, validated data.

Invariant: a `Nonogram` that exists is well formed (every clue is made of blocks of positive or
unknown length in defined colours, every given cell is on the board). It may still be unsolvable;
that is a verdict, not an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from nonosat.errors import PuzzleError
from nonosat.grid import MAX_CELLS, MAX_COLOURS, Grid
from nonosat.model import Block, Clue

_RGB = re.compile(r"#[0-9a-f]{6}")


@dataclass(frozen=True, slots=True)
class Colour:
    """An ink: `key` names it in the puzzle's text, `rgb` is `#rrggbb` in lower case."""

    key: str
    rgb: str

    def __post_init__(self) -> None:
        if not self.key or not _RGB.fullmatch(self.rgb):
            raise PuzzleError(
                f"colour {self.key!r} is {self.rgb!r}, expected a key and '#rrggbb' in lower case"
            )


BLACK = Colour("#", "#000000")
WHITE = Colour(".", "#ffffff")


@dataclass(frozen=True, slots=True)
class About:
    """Where a puzzle comes from; empty strings where nothing is known."""

    id: str = ""
    title: str = ""
    author: str = ""
    copyright: str = ""
    license: str = ""
    source: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True)
class Nonogram:
    """A paint-by-number puzzle.

    Args:
        rows: A clue a row, top to bottom, each from left to right; () is an empty row.
        columns: A clue a column, left to right, each from top to bottom.
        colours: The inks; a block's `colour` k is `colours[k - 1]`.
        background: What an empty cell looks like.
        given: (row, column, colour) of cells known from the start, colour 0 for empty.
        goal: The picture that the author claims to be a solution; never trusted.
        about: Title, author, licence and the like.

    Raises:
        PuzzleError: The data do not describe a puzzle; the message names the clue and the value.
    """

    rows: tuple[Clue, ...]
    columns: tuple[Clue, ...]
    colours: tuple[Colour, ...] = (BLACK,)
    background: Colour = WHITE
    given: tuple[tuple[int, int, int], ...] = ()
    goal: Grid | None = field(default=None, repr=False)
    about: About = field(default=About())

    @property
    def height(self) -> int:
        return len(self.rows)

    @property
    def width(self) -> int:
        return len(self.columns)

    @property
    def family(self) -> str:
        """Name of the module of this package that builds and verifies it."""
        return "nonogram"

    def __post_init__(self) -> None:
        check_size(self.height, self.width)
        if not 1 <= len(self.colours) <= MAX_COLOURS:
            raise PuzzleError(f"{len(self.colours)} colours, expected 1 to {MAX_COLOURS}")
        keys = [colour.key for colour in self.colours]
        if len(set(keys)) != len(keys):
            raise PuzzleError(f"the colour keys {keys} are not all different")
        for kind, clues in (("row", self.rows), ("column", self.columns)):
            for index, clue in enumerate(clues):
                for block in clue:
                    self._check_block(block, f"{kind} {index}")
        self._check_given()
        if self.goal is not None:
            self._check_goal(self.goal)

    def _check_block(self, block: Block, where: str) -> None:
        length, colour = block
        if length is not None and (type(length) is not int or length < 1):
            raise PuzzleError(
                f"{where} has a block of length {length!r}, expected a positive whole number "
                "(or an unknown length); an empty line has no blocks"
            )
        if type(colour) is not int or not 1 <= colour <= len(self.colours):
            raise PuzzleError(
                f"{where} has a block of colour {colour!r}, expected 1 to {len(self.colours)}"
            )

    def _check_given(self) -> None:
        known: dict[tuple[int, int], int] = {}
        for row, column, colour in self.given:
            if not (0 <= row < self.height and 0 <= column < self.width):
                raise PuzzleError(
                    f"the given cell ({row}, {column}) is outside the board of "
                    f"{self.height} rows and {self.width} columns"
                )
            if not 0 <= colour <= len(self.colours):
                raise PuzzleError(
                    f"the given cell ({row}, {column}) has colour {colour}, "
                    f"expected 0 to {len(self.colours)}"
                )
            if known.setdefault((row, column), colour) != colour:
                raise PuzzleError(f"the given cell ({row}, {column}) has two colours")

    def _check_goal(self, goal: Grid) -> None:
        if (goal.height, goal.width) != (self.height, self.width):
            raise PuzzleError(
                f"the goal is {goal.height} rows x {goal.width} columns, "
                f"the clues are {self.height} x {self.width}"
            )
        if max(goal.cells) > len(self.colours):
            raise PuzzleError(
                f"the goal uses colour {max(goal.cells)}, expected 0 to {len(self.colours)}"
            )

    def about_with(self, **changes: str) -> Nonogram:
        """The same puzzle with fields of `about` replaced."""
        return replace(self, about=replace(self.about, **changes))

    def __str__(self) -> str:
        title = self.about.title or self.about.id or "nonogram"
        ink = "" if len(self.colours) == 1 else f", {len(self.colours)} colours"
        return f"{title}: {self.height} rows x {self.width} columns{ink}"

    def _repr_svg_(self) -> str:
        # A notebook asks the object itself for its picture; the drawing stays where it belongs.
        from nonosat.render.svg import puzzle_svg

        return puzzle_svg(self)


def check_size(height: int, width: int) -> None:
    """Refuse impossible boards; readers call it before they allocate anything of that size.

    Raises:
        PuzzleError: A side below 1, or more than `MAX_CELLS` cells.
    """
    if height < 1 or width < 1:
        raise PuzzleError(f"{height} rows and {width} columns, expected at least 1 of each")
    if height * width > MAX_CELLS:
        raise PuzzleError(
            f"{height} rows x {width} columns are {height * width} cells, "
            f"expected at most {MAX_CELLS}"
        )


def clue_of(cells: Iterable[int]) -> Clue:
    """The clue that a filled-in line has."""
    runs = ((colour, sum(1 for _ in run)) for colour, run in groupby(cells))
    return tuple(Block(length, colour) for colour, length in runs if colour)


def from_grid(
    grid: Grid,
    colours: Sequence[Colour] = (BLACK,),
    *,
    background: Colour = WHITE,
    about: About = About(),
) -> Nonogram:
    """The puzzle whose clues describe `grid`, with the grid as its goal."""
    return Nonogram(
        rows=tuple(clue_of(grid.row(index)) for index in range(grid.height)),
        columns=tuple(clue_of(grid.column(index)) for index in range(grid.width)),
        colours=tuple(colours),
        background=background,
        goal=grid,
        about=about,
    )


def mono(
    rows: Iterable[Iterable[int | None]], columns: Iterable[Iterable[int | None]], **fields: object
) -> Nonogram:
    """A puzzle of one colour from plain lists of block lengths (None: unknown length)."""
    return Nonogram(
        rows=tuple(tuple(Block(length) for length in clue) for clue in rows),
        columns=tuple(tuple(Block(length) for length in clue) for clue in columns),
        **fields,  # type: ignore[arg-type]  # forwarded as they are; Nonogram checks them
    )
