"""Nonograms with open clues, and their text: frozen, validated data.

An entry of an open clue is a block with one of several lengths, or any blocks at all:

    3       a block of three cells          6+      of six or more
    3/5     of three or five                ?       of any length
    2-4     of two to four                  *       any number of blocks, also none

Invariant: a `RangeNonogram` that exists is well formed, and equal clues are written alike: a choice
of a single length is a `Block`, and one of all lengths a `Block` of unknown length. It may still be
unsolvable; that is a verdict, not an error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from nonosat.core.about import NOTHING_KNOWN, About
from nonosat.core.errors import PuzzleError, printable, shown
from nonosat.core.grid import Grid
from nonosat.core.limits import polled
from nonosat.core.model import MAX_LENGTH, AnyBlocks, Block, BlockOf, Entry, OpenClue, block_of
from nonosat.core.wording import entry_text
from nonosat.puzzles.nonogram.data import BLACK, WHITE, Colour, ColouredPuzzle, Nonogram, check_size

ANY = "*"
_WORD = re.compile(r"(?P<lengths>\?|[0-9]{1,20}(?:\+|-[0-9]{1,20}|(?:/[0-9]{1,20})*))(?P<sign>\D?)")


@dataclass(frozen=True, slots=True, repr=False)
class RangeNonogram(ColouredPuzzle):
    """A nonogram whose clues leave lengths, or blocks, open.

        >>> from nonosat.puzzles.ranges import RangeNonogram
        >>> puzzle = RangeNonogram.from_data({"rows": ["2-3", "*"], "columns": ["1", "1+", "2"]})
        >>> puzzle
        <RangeNonogram: nonogram with open clues: 2 rows x 3 columns>
        >>> print(nonosat.solve(puzzle).solution)
        ###
        ..#

    Args:
        rows: A clue a row, top to bottom, each from left to right; () is an empty row.
        columns: A clue a column, left to right, each from top to bottom.
        colours: The inks; the `colour` k of an entry is `colours[k - 1]`.
        given: (row, column, colour) of cells known from the start, colour 0 for empty.
        about: Title, author, licence and the like.

    Attributes:
        background, goal, saved: Those of a nonogram without them, for drawings.

    Raises:
        PuzzleError: The data do not describe a puzzle; the message names the clue and the value.
    """

    background: ClassVar[Colour] = WHITE
    goal: ClassVar[Grid | None] = None
    saved: ClassVar[tuple[Grid, ...]] = ()

    rows: tuple[OpenClue, ...]
    columns: tuple[OpenClue, ...]
    colours: tuple[Colour, ...] = (BLACK,)
    given: tuple[tuple[int, int, int], ...] = ()
    about: About = NOTHING_KNOWN

    def __post_init__(self) -> None:
        for name in ("rows", "columns"):
            clues = getattr(self, name)
            if not isinstance(clues, list | tuple):
                raise PuzzleError(f"{name} is {shown(clues)}, expected a tuple of clues")
        check_size(self.height, self.width)
        board = self.blank()
        object.__setattr__(self, "colours", board.colours)
        object.__setattr__(self, "given", tuple(sorted(set(board.given))))
        for name in ("rows", "columns"):
            clues = tuple(
                _clue(clue, f"{name[:-1]} {index}", len(self.colours))
                for index, clue in enumerate(polled(getattr(self, name)), 1)
            )
            object.__setattr__(self, name, clues)

    @property
    def family(self) -> str:
        """Name of the module in `puzzles/` that builds and verifies the puzzle."""
        return "ranges"

    @property
    def height(self) -> int:
        return len(self.rows)

    @property
    def width(self) -> int:
        return len(self.columns)

    @property
    def size(self) -> str:
        """Rows, columns and colours, in words."""
        return self.blank().size

    def blank(self) -> Nonogram:
        """Return the board with empty clues, which checks and names everything else."""
        return Nonogram(
            rows=((),) * self.height,
            columns=((),) * self.width,
            colours=self.colours,
            given=self.given,
            about=self.about,
        )

    def __str__(self) -> str:
        title = printable(self.about.title or self.about.id)
        return f"{title or 'nonogram with open clues'}: {self.size}"


AnyNonogram = Nonogram | RangeNonogram


def _clue(clue: object, where: str, num_colours: int) -> OpenClue:
    if not isinstance(clue, list | tuple):
        raise PuzzleError(f"the clue of {where} is {shown(clue)}, expected a tuple of entries")
    return tuple(_entry(entry, where, num_colours) for entry in clue)


def _entry(entry: object, where: str, num_colours: int) -> Entry:
    """Return a valid entry, in the one form that equal entries have."""
    if isinstance(entry, AnyBlocks):
        return entry
    if not isinstance(entry, Block | BlockOf):
        raise PuzzleError(
            f"{where} has the entry {shown(entry)}, expected a Block, a BlockOf or AnyBlocks"
        )
    if type(entry.colour) is not int or not 1 <= entry.colour <= num_colours:
        raise PuzzleError(
            f"{where} has a block of colour {shown(entry.colour)}, expected 1 to {num_colours}"
        )
    if isinstance(entry, Block):
        return entry if entry.length is None else block_of([entry.length], entry.colour, where)
    return block_of(entry.lengths, entry.colour, where)


# As text


def clue_text(clue: OpenClue, signs: str = "") -> str:
    """Return a clue as text: "3/5 6+", "2-4r *", "0" for an empty one.

    Args:
        clue: The clue.
        signs: Sign of each colour by index; "" if a single colour needs no sign.
    """
    return " ".join(_word(entry, signs) for entry in clue) or "0"


def _word(entry: Entry, signs: str) -> str:
    return entry_text(entry) + (signs[entry.colour] if signs and entry.colour else "")


def clue_of_text(text: str, where: str, signs: str = "") -> OpenClue:
    """Return the clue of a text as `clue_text` writes it; commas are blanks.

    Raises:
        PuzzleError: A word is no entry; the message names the line.
    """
    words = re.findall(r"[^\s,]+", text)
    return () if words == ["0"] else tuple(_entry_of_word(word, where, signs) for word in words)


def _entry_of_word(word: str, where: str, signs: str) -> Entry:
    if word == ANY:
        return AnyBlocks()
    found = _WORD.fullmatch(word)
    if found is None or (found["sign"] != "" and found["sign"] not in signs[1:]):
        raise PuzzleError(
            f"{where} has the entry {shown(word)}, expected one such as 3, 3/5, 2-4, 6+, ? or *"
            f"{', with the sign of a colour at the end of all but the last' if signs else ''}"
        )
    if bool(signs) != bool(found["sign"]):
        raise PuzzleError(f"{where} has the entry {shown(word)} without the sign of a colour")
    colour = signs.index(found["sign"]) if signs else 1
    first, *others = map(int, re.findall(r"[0-9]+", found["lengths"])) if word[0] != "?" else (1,)
    if word[0] == "?":
        return Block(None, colour)
    if "+" in found["lengths"]:
        return block_of(range(first, MAX_LENGTH + 1), colour, where)
    if "-" in found["lengths"]:
        return block_of(range(first, others[0] + 1), colour, where)
    return block_of([first, *others], colour, where)


# As JSON


def to_data(puzzle: RangeNonogram) -> dict[str, Any]:
    """Return the puzzle as plain JSON values, without `about`."""
    keys = [colour.key for colour in puzzle.colours]
    data: dict[str, Any] = {}
    if puzzle.colours != (BLACK,):
        data["colors"] = {colour.key: colour.rgb for colour in puzzle.colours}
    for name in ("rows", "columns"):
        data[name] = [clue_data(clue, keys) for clue in polled(getattr(puzzle, name))]
    if puzzle.given:
        named = [0, *(keys if len(keys) > 1 else [1])]
        data["given"] = [[row, column, named[colour]] for row, column, colour in puzzle.given]
    return data


def clue_data(clue: OpenClue, keys: Sequence[str]) -> Any:
    return ANY if clue == (AnyBlocks(),) else [_entry_data(entry, keys) for entry in clue]


def _entry_data(entry: Entry, keys: Sequence[str]) -> Any:
    if isinstance(entry, AnyBlocks):
        return ANY
    key = keys[entry.colour - 1] if len(keys) > 1 else None
    if isinstance(entry, Block):
        return entry.length if key is None else [entry.length, key]
    colour = {} if key is None else {"color": key}
    lengths = entry.lengths
    if not isinstance(lengths, range):
        return {"in": [*lengths], **colour}
    most = {} if lengths[-1] == MAX_LENGTH else {"max": lengths[-1]}
    return {"min": lengths[0], **most, **colour}


def from_data(data: Mapping[str, Any]) -> RangeNonogram:
    """Return the puzzle from the values that `to_data` returns; other keys are ignored.

    A clue may also be a text, as `clue_text` returns it.

    Raises:
        PuzzleError: They do not describe one.
    """
    colours = colours_of(data.get("colors"))
    keys = {colour.key: index for index, colour in enumerate(colours, 1)}
    signs = Nonogram(((),), ((),), colours).signs
    sides = []
    for name in ("rows", "columns"):
        if not isinstance(clues := data.get(name), list | tuple):
            raise PuzzleError(f"{name} is {shown(clues)}, expected a list of clues")
        read = clue_reader(keys, signs)
        sides.append(tuple(read(clue, f"{name}[{at}]") for at, clue in enumerate(polled(clues))))
    return RangeNonogram(sides[0], sides[1], colours, given_of(data.get("given") or (), keys))


def colours_of(value: object) -> tuple[Colour, ...]:
    if value is None:
        return (BLACK,)
    if not isinstance(value, Mapping) or not value:
        raise PuzzleError(f"colors is {shown(value)}, expected an object of keys and '#rrggbb'")
    return tuple(Colour(key, rgb) for key, rgb in value.items())


def clue_reader(keys: Mapping[str, int], signs: str) -> Callable[[object, str], OpenClue]:
    """Return the function that reads a clue, given the clue and its place."""

    def read(clue: object, where: str) -> OpenClue:
        if isinstance(clue, str):
            return clue_of_text(clue, where, signs)
        if not isinstance(clue, list | tuple):
            raise PuzzleError(f"{where} is {shown(clue)}, expected a list of entries, or a text")
        if len(clue) == 1 and type(clue[0]) is int and clue[0] == 0:
            return ()
        return tuple(_entry_of(entry, keys, where) for entry in clue)

    return read


def _entry_of(entry: object, keys: Mapping[str, int], where: str) -> Entry:
    """Return an entry of JSON: a length, null, [length, key], an object, or "*"."""
    if entry == ANY:
        return AnyBlocks()
    if isinstance(entry, str):
        raise PuzzleError(
            f"{where} has the block {shown(entry)}, expected a length, null, '*', [length, key] "
            "or an object with 'in', or with 'min' and 'max'"
        )
    if not isinstance(entry, Mapping):
        pair = entry if isinstance(entry, list | tuple) else (entry, *_only(keys, entry, where))
        if len(pair) != 2:
            raise PuzzleError(f"{where} has the block {shown(entry)}, expected [length, key]")
        length, key = pair
        colour = _colour_of(key, keys, where)
        return Block(None, colour) if length is None else block_of([length], colour, where)
    if unknown := entry.keys() - {"in", "min", "max", "color"}:
        raise PuzzleError(
            f"{where} has a block with the key {shown(min(map(str, unknown)))}, expected 'in', or "
            "'min' and 'max', and 'color'"
        )
    key = entry["color"] if "color" in entry else _only(keys, entry, where)[0]
    lengths = entry.get("in")
    if ("in" in entry) == bool(entry.keys() & {"min", "max"}):
        raise PuzzleError(f"{where} has the block {shown(entry)}, expected 'in', or 'min' or 'max'")
    if "in" not in entry:
        least, most = entry.get("min", 1), entry.get("max", MAX_LENGTH)
        if type(least) is not int or type(most) is not int:
            raise PuzzleError(
                f"{where} has the block {shown(entry)}, expected whole numbers 'min' and 'max'"
            )
        lengths = range(least, most + 1)
    return block_of(lengths, _colour_of(key, keys, where), where)


def _only(keys: Iterable[str], entry: object, where: str) -> tuple[str]:
    """Return the key of the only colour."""
    first, *others = keys
    if others:
        raise PuzzleError(f"{where} has the block {shown(entry)} without a colour")
    return (first,)


def _colour_of(key: object, keys: Mapping[str, int], where: str) -> int:
    if not isinstance(key, str) or key not in keys:
        defined = ", ".join(keys)
        raise PuzzleError(f"{where} uses the undefined colour {shown(key)}; defined: {defined}")
    return keys[key]


def given_of(cells: object, keys: Mapping[str, int]) -> tuple[tuple[int, int, int], ...]:
    if not isinstance(cells, list | tuple):
        raise PuzzleError(f"given is {shown(cells)}, expected a list of [row, column, key]")
    found = []
    for cell in polled(cells):
        if not isinstance(cell, list | tuple) or len(cell) != 3:
            raise PuzzleError(f"the given cell {shown(cell)}, expected [row, column, key]")
        row, column, value = cell
        found.append((row, column, keys.get(value, -1) if isinstance(value, str) else value))
    return tuple(found)
