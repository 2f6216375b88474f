"""Nonograms: frozen, validated data.

Invariant: a `Nonogram` that exists is well formed (every clue is made of blocks of positive or
unknown length in defined colours, every given cell is on the board). It may still be unsolvable;
that is a verdict, not an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from operator import itemgetter
from typing import Any

from nonosat.core.about import NOTHING_KNOWN, About
from nonosat.core.errors import PuzzleError, printable, rows_by_columns, shown
from nonosat.core.grid import MAX_CELLS, SYMBOLS, UNKNOWN, Grid, refuse_size
from nonosat.core.limits import polled
from nonosat.core.model import MAX_COLOURS, MAX_LENGTH, Block, Clue
from nonosat.core.presenting import DrawnPuzzle, quickly_pickled
from nonosat.core.wording import cell_text

_RGB = re.compile(r"#[0-9a-f]{6}")
_FEW = 1000  # given cells that are checked one by one


@dataclass(frozen=True, slots=True)
class Colour:
    """An ink: `key` names it in the puzzle's text, `rgb` is `#rrggbb` in lower case.

    >>> nonosat.nonogram([[(1, "r")]], [[(1, "r")]], colours={"r": "red"}).colours
    (Colour(key='r', rgb='#ff0000'),)
    """

    key: str
    rgb: str

    def __post_init__(self) -> None:
        is_text = isinstance(self.key, str) and isinstance(self.rgb, str)
        if not (is_text and self.key and _RGB.fullmatch(self.rgb)):
            raise PuzzleError(
                f"colour {shown(self.key)} is {shown(self.rgb)}, "
                "expected a key and '#rrggbb' in lower case"
            )


Rgb = tuple[int, int, int]


def rgb_of(colour: str) -> Rgb:
    """Return the three numbers of `#rrggbb`."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


# Letters not mistaken for a digit: no i, l, o, q, s, z, no B, D, I, O, Q, S, Z.
UNMISTAKABLE = "abcdefghjkmnprtuvwxyACEFGHJKLMNPRTUVWXY"
BLACK = Colour("#", "#000000")
WHITE = Colour(".", "#ffffff")
# Distinguishable for most people (Okabe, Ito, 2008), without yellow, which is pale on white.
INKS = (
    BLACK,
    Colour("r", "#d55e00"),
    Colour("b", "#0072b2"),
    Colour("g", "#009e73"),
    Colour("p", "#cc79a7"),
    Colour("o", "#e69f00"),
    Colour("s", "#56b4e9"),
)


class ColouredPuzzle(DrawnPuzzle):
    """A puzzle whose cells have the colours of a palette.

    Attributes:
        colours: The inks; cells of colour k have `colours[k - 1]`.
    """

    __slots__ = ()
    colours: tuple[Colour, ...]

    @property
    def symbols(self) -> str:
        """One character for each cell value: "." for empty, then the colours.

        The colours have their keys if each is one printable ASCII character, else "#" and letters;
        a single colour has "#".
        """
        keys = [colour.key for colour in self.colours]
        if len(keys) > 1 and all(
            len(key) == 1 and "!" <= key <= "~" and key not in ".?" for key in keys
        ):
            return "." + "".join(keys)
        return SYMBOLS.ljust(256, "?")[: len(keys) + 1]

    @property
    def signs(self) -> str:
        """Character that names each cell value in a clue's text; "" if there is one colour."""
        return self.symbols if len(self.colours) > 1 else ""

    @property
    def legend(self) -> dict[str, str]:
        """Maps each symbol to the colour's key; empty if there is one colour."""
        keys = [colour.key for colour in self.colours]
        return dict(zip(self.symbols[1:], keys, strict=True)) if len(keys) > 1 else {}


@quickly_pickled
@dataclass(frozen=True, slots=True, repr=False)
class Nonogram(ColouredPuzzle):
    """A paint-by-number puzzle; `nonosat.nonogram` makes one from plain lists.

        >>> puzzle = nonosat.nonogram([[2], [1]], [[1], [2]], title="corner")
        >>> puzzle
        <Nonogram: corner: 2 rows x 2 columns>
        >>> puzzle.rows
        ((Block(length=2, colour=1),), (Block(length=1, colour=1),))
        >>> nonosat.Nonogram.from_data(puzzle.to_data()) == puzzle
        True

    Args:
        rows: A clue a row, top to bottom, each from left to right; () is an empty row.
        columns: A clue a column, left to right, each from top to bottom.
        colours: The inks; a block's `colour` k is `colours[k - 1]`.
        background: Appearance of an empty cell.
        given: (row, column, colour) of cells known from the start, colour 0 for empty.
        goal: The picture that the author claims to be a solution; never trusted.
        about: Title, author, licence and the like.
        saved: Progress of a player, any number of states with `UNKNOWN` in open cells; neither clue
            nor constraint, only stored.

    Raises:
        PuzzleError: The data do not describe a puzzle; the message names the clue and the value.
    """

    rows: tuple[Clue, ...]
    columns: tuple[Clue, ...]
    colours: tuple[Colour, ...] = (BLACK,)
    background: Colour = WHITE
    given: tuple[tuple[int, int, int], ...] = ()
    goal: Grid | None = None
    about: About = NOTHING_KNOWN
    saved: tuple[Grid, ...] = ()

    @property
    def height(self) -> int:
        return len(self.rows)

    @property
    def width(self) -> int:
        return len(self.columns)

    @property
    def family(self) -> str:
        """Name of the module in `puzzles/` that builds and verifies the puzzle."""
        return "nonogram"

    @property
    def size(self) -> str:
        """Rows, columns and colours, in words."""
        ink = "" if len(self.colours) == 1 else f", {len(self.colours)} colours"
        return f"{rows_by_columns(self.height, self.width)}{ink}"

    def __post_init__(self) -> None:
        for name in ("rows", "columns", "colours", "given", "saved"):
            object.__setattr__(self, name, _tuple(getattr(self, name), name))
        check_size(self.height, self.width)
        self._check_other_fields()
        for name in ("rows", "columns"):
            clues = _clues(getattr(self, name), name[:-1], len(self.colours))
            object.__setattr__(self, name, clues)
        object.__setattr__(self, "given", _all_given(self.given))
        self._check_given()
        if self.goal is not None:
            self.check_picture("the goal", self.goal)
        for state in self.saved:
            self.check_picture("the saved state", state, has_unknown=True)

    def _check_other_fields(self) -> None:
        """Check all fields that are neither clue nor cell."""
        if not 1 <= len(self.colours) <= MAX_COLOURS:
            raise PuzzleError(f"{len(self.colours)} colours, expected 1 to {MAX_COLOURS}")
        kinds = [("background", self.background, Colour), ("about", self.about, About)]
        kinds += [(f"colours[{index}]", ink, Colour) for index, ink in enumerate(self.colours)]
        if self.goal is not None:
            kinds.append(("goal", self.goal, Grid))
        kinds += [(f"saved[{index}]", state, Grid) for index, state in enumerate(self.saved)]
        for name, value, kind in kinds:
            if not isinstance(value, kind):
                raise PuzzleError(f"{name} is {shown(value)}, expected a {kind.__name__}")
        keys = [colour.key for colour in self.colours]
        for index, key in enumerate(keys):
            if key in keys[:index]:
                raise PuzzleError(f"two colours have the key {shown(key)}, expected different ones")

    def _check_given(self) -> None:
        if len(self.given) > _FEW and self._is_given_sound():
            return
        known: dict[tuple[int, int], int] = {}
        for row, column, colour in polled(self.given):
            if not (0 <= row < self.height and 0 <= column < self.width):
                raise PuzzleError(
                    f"the given cell in {cell_text(row, column)} is outside the board of "
                    f"{rows_by_columns(self.height, self.width)}"
                )
            if not 0 <= colour <= len(self.colours):
                raise PuzzleError(
                    f"the given cell in {cell_text(row, column)} has colour {shown(colour)}, "
                    f"expected 0 to {len(self.colours)}"
                )
            if known.setdefault((row, column), colour) != colour:
                raise PuzzleError(f"the given cell in {cell_text(row, column)} has two colours")

    def _is_given_sound(self) -> bool:
        """True if all given cells are valid and different.

        It takes a third of the time of the loop that finds the wrong cell.
        """
        rows, columns, colours = (list(map(itemgetter(part), self.given)) for part in range(3))
        inside = all(
            min(parts) >= 0 and max(parts) < size
            for parts, size in (
                (rows, self.height),
                (columns, self.width),
                (colours, len(self.colours) + 1),
            )
        )
        return inside and len(set(zip(rows, columns, strict=True))) == len(rows)

    def check_picture(self, what: str, grid: Grid, *, has_unknown: bool = False) -> None:
        """Raise PuzzleError for a grid that is not a picture of this board; see `misfit`."""
        if wrong := self.misfit(grid, has_unknown=has_unknown):
            raise PuzzleError(f"{what} {wrong}")

    def misfit(self, grid: Grid, *, has_unknown: bool = False) -> str | None:
        """Return why a grid from outside is not a picture of this board; None if it is one.

        Args:
            grid: Any grid.
            has_unknown: Its cells may be `UNKNOWN`.

        Returns:
            The end of a sentence that names the first fault: another size, unknown cells, or
            colours that the puzzle does not have.
        """
        if (grid.height, grid.width) != (self.height, self.width):
            found = rows_by_columns(grid.height, grid.width)
            return f"is {found}, the puzzle {rows_by_columns(self.height, self.width)}"
        num_colours = len(self.colours)
        strange = grid.cells.translate(None, bytes(range(num_colours + 1)))
        if has_unknown:
            strange = strange.translate(None, bytes([UNKNOWN]))
        if not strange:
            return None
        where = cell_text(*grid.place(grid.cells.index(strange[0])))
        if strange[0] == UNKNOWN:
            return f"has an unknown cell in {where}, expected all cells decided"
        return f"has colour {strange[0]} in {where}, expected 0 to {num_colours}"

    def __str__(self) -> str:
        return f"{printable(self.about.title or self.about.id) or 'nonogram'}: {self.size}"


def _tuple(value: Any, what: str) -> tuple[Any, ...]:
    """Return a list or other iterable, except text, as a tuple."""
    if type(value) is tuple:
        return value
    try:
        if not isinstance(value, str | bytes):
            return tuple(value)
    except TypeError:
        pass
    raise PuzzleError(f"{what} is {shown(value)}, expected a tuple")


def _clues(clues: tuple[Any, ...], kind: str, num_colours: int) -> tuple[Clue, ...]:
    """Return the clues as tuples of valid blocks; the same object if they are that already."""
    from nonosat import _core

    if _core.are_clues(clues, Block, MAX_LENGTH, num_colours):  # of up to 8 million blocks
        return clues
    return tuple(
        _clue(clue, f"{kind} {index}", num_colours) for index, clue in enumerate(polled(clues), 1)
    )


def _clue(clue: object, where: str, num_colours: int) -> Clue:
    """Return a clue with tuples and blocks in place of lists and pairs, or raise an error."""
    blocks = tuple(_block(block, where) for block in _tuple(clue, f"the clue of {where}"))
    for length, colour in blocks:
        if length is not None and (type(length) is not int or not 0 < length <= MAX_LENGTH):
            raise PuzzleError(
                f"{where} has a block of length {shown(length)}, expected a positive whole "
                f"number up to {MAX_LENGTH} (or an unknown length); an empty line has no blocks"
            )
        if type(colour) is not int or not 1 <= colour <= num_colours:
            raise PuzzleError(
                f"{where} has a block of colour {shown(colour)}, expected 1 to {num_colours}"
            )
    return blocks


def _block(block: object, where: str) -> Block:
    if type(block) is Block:
        return block
    if isinstance(block, tuple | list) and len(block) == 2:
        return Block(*block)
    raise PuzzleError(
        f"{where} has the block {shown(block)}, expected Block(length, colour); "
        "`mono` takes plain lengths"
    )


def _all_given(cells: tuple[Any, ...]) -> tuple[tuple[int, int, int], ...]:
    """Return the given cells as tuples of three whole numbers; unchanged if they already are."""
    if (
        set(map(type, cells)) == {tuple}
        and set(map(len, cells)) == {3}
        and set(map(type, chain.from_iterable(cells))) == {int}
    ):
        return cells
    return tuple(map(_given, polled(cells)))


def _given(cell: object) -> tuple[int, int, int]:
    """Return a given cell as a tuple of three whole numbers."""
    found = tuple(cell) if isinstance(cell, tuple | list) else ()
    if len(found) != 3 or any(type(part) is not int for part in found):
        raise PuzzleError(f"a given cell is {shown(cell)}, expected (row, column, colour)")
    return found


def check_size(height: int, width: int) -> None:
    """Raise an error for impossible boards; readers call it before they allocate memory.

    Raises:
        PuzzleError: A side below 1, or more than `MAX_CELLS` cells.
    """
    refuse_size(height, width, MAX_CELLS)


def clue_of(cells: Iterable[int]) -> Clue:
    """Return the clue of a filled-in line."""
    runs = ((colour, sum(1 for _ in run)) for colour, run in groupby(cells))
    return tuple(Block(length, colour) for colour, length in runs if colour)


def clues_of(grid: Grid) -> tuple[tuple[Clue, ...], tuple[Clue, ...]]:
    """Return the clues of the rows and of the columns of a picture."""
    from nonosat import _core

    return _core.picture_clues(grid.cells, grid.height, grid.width, Block)


def from_grid(
    grid: Grid,
    colours: Sequence[Colour] = (BLACK,),
    *,
    background: Colour = WHITE,
    about: About = NOTHING_KNOWN,
) -> Nonogram:
    """Return the puzzle whose clues describe `grid`, with the grid as its goal."""
    rows, columns = clues_of(grid)
    return Nonogram(
        rows=rows,
        columns=columns,
        colours=tuple(colours),
        background=background,
        goal=grid,
        about=about,
    )


def mono(
    rows: Iterable[Iterable[int | None]], columns: Iterable[Iterable[int | None]], **fields: object
) -> Nonogram:
    """Return a puzzle of one colour from plain lists of block lengths (None: unknown length)."""
    return Nonogram(
        rows=_of_lengths(rows, "row"),
        columns=_of_lengths(columns, "column"),
        **fields,  # type: ignore[arg-type]  # forwarded unchanged; Nonogram checks them
    )


def _of_lengths(clues: object, kind: str) -> tuple[Clue, ...]:
    return tuple(
        tuple(map(Block, _tuple(clue, f"the clue of {kind} {index}")))
        for index, clue in enumerate(polled(_tuple(clues, f"{kind}s")), 1)
    )
