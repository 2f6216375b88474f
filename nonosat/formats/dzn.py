"""MiniZinc data (.dzn) of nonograms, in the two existing families; read only.

    X = 4; Y = 3; maxlen = 4;
    rows = [|1,1,0,1|0,-1,-1,-1|1,1,-1,-1|];
    cols = [|1,-1,-1,-1|1,0,1,-1|1,-1,-1,-1|1,-1,-1,-1|];

The MiniZinc challenge's: `X` columns, `Y` rows, and each line of `rows` and `cols` is a clue drawn
cell by cell: a 1 for every cell of a block, a 0 between two blocks, -1 after the end, a lone 0 for
an empty line. `nonosat encode` adds to that: 2, 3, ... for other colours, between which no 0 is
needed, -1 - c for a block of colour c of unknown length, and `x` with known cells (1 empty,
1 + c a colour, `_` unknown).

Hakank's: `rows` and `cols` are sizes, and each line of `row_rules` and `col_rules` has the lengths
of the blocks, padded with 0.

An array is `[|1,2|3,4|]` or `array2d(1..2, 1..2, [1,2,3,4])`. Comments are left out. Linear in the
text.

Source: `non.mzn` of the MiniZinc challenge; `nonogram_create_automaton2.mzn` (Hakan Kjellerstrand).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from nonosat.core.about import About
from nonosat.core.errors import UnsupportedError, counted
from nonosat.core.grid import MAX_CELLS, SYMBOLS
from nonosat.core.model import Block, Clue
from nonosat.core.plugins import Format, FormatCapabilities
from nonosat.formats._colours import ink
from nonosat.formats._text import build, clean, decode, fail, number, position, shorten, sized
from nonosat.puzzles.nonogram.data import BLACK, Nonogram

CAPABILITIES = FormatCapabilities(unknown=True, given=True, clues=False)

_COMMENT = re.compile(r"%[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_STATEMENT = re.compile(r"\s*([A-Za-z]\w*)\s*=\s*([^;]*);?")
_ID = re.compile(r"% puzzle ([^\n]*)")
_ARRAY = re.compile(
    r"array2d\(\s*[^,\[\]]*,\s*([^,\[\]]*),\s*\[([^\[\]|]*)\]\s*\)|\[\|([^\[\]]*?)\|?\s*\]",
    re.DOTALL,
)
_RANGE = re.compile(r"1\s*\.\.\s*(\w+)\s*")
_ENTRY = re.compile(r"-?[0-9]{1,9}|_")
_MAGIC = re.compile(rb"(?:^|[;\r\n])[ \t]*(rows|row_rules)\s*=\s*(?:array2d\s*\(|\[\|)")
_SIZES = {
    b"rows": (re.compile(rb"\bX\s*="), re.compile(rb"\bY\s*=")),
    b"row_rules": (re.compile(rb"\brows\s*="), re.compile(rb"\bcols\s*=")),
}
_END = -1
_Entries = Sequence[int | None]  # None is `_`


class DznValue(NamedTuple):
    """The text after `NAME =`, and its position."""

    text: str
    place: int


def sniff(data: bytes) -> bool:
    """Return True if the text has an array of rows, with the two sizes of its family."""
    if b"[|" not in data and b"array2d" not in data:
        return False
    found = _MAGIC.search(data)
    return found is not None and all(size.search(data) for size in _SIZES[found[1]])


class _DznFile:
    """The statements of a file.

    Args:
        text: The file.
    """

    def __init__(self, text: str) -> None:
        self.text = _COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
        self.values: dict[str, DznValue] = {}
        place = 0
        while (found := _STATEMENT.match(self.text, place)) is not None:
            self.values.setdefault(found[1], DznValue(found[2], found.start(2)))
            place = found.end()
        if rest := self.text[place : place + 200].strip():
            what = f"{shorten(rest)}, expected a statement of MiniZinc data such as 'X = 4;'"
            fail(what, self.line(place + len(self.text[place:]) - len(self.text[place:].lstrip())))

    def line(self, place: int) -> int:
        """Return the number of the line of a place."""
        return position(self.text, place)[0]

    def value(self, name: str) -> DznValue:
        """Return the value of a name, which must exist."""
        if name not in self.values:
            known = ", ".join(map(shorten, [*self.values][:8])) or "none"
            fail(f"the value of {name} is missing, expected '{name} = ...;'; found {known}", 1)
        return self.values[name]

    def size(self, name: str) -> int:
        """Return a whole number above 0."""
        text, place = self.value(name)
        return number(text.strip(), name, self.line(place))

    def lines(self, name: str, count: int) -> Iterator[tuple[_Entries, int]]:
        """Yield the entries of each line of an array, and the number of the line in the file.

        Args:
            name: Name of the array.
            count: Number of its lines.
        """
        text, start = self.value(name)
        found = _ARRAY.fullmatch(text.strip())
        start += len(text) - len(text.lstrip())
        if found is None:
            what = f"{name} is {shorten(text.strip())}, expected [|1,2|3,4|] or array2d(...)"
            fail(what, self.line(start))
        if found[3] is None:
            yield from self._reshaped(found[1], found[2], count, self.line(start))
            return
        texts = found[3].split("|")
        if len(texts) != count:
            fail(f"{name} has {counted(len(texts), 'line')}, expected {count}", self.line(start))
        line, width = self.line(start), None
        for each in texts:
            entries = self._entries(each, line + each[: -len(each.lstrip()) or None].count("\n"))
            if len(entries) != (width := len(entries) if width is None else width):
                what = f"{name} has lines of {width} and of {counted(len(entries), 'number')}"
                fail(f"{what}, expected one length", line)
            yield entries, line
            line += each.count("\n")

    def _reshaped(
        self, second: str, text: str, count: int, line: int
    ) -> Iterator[tuple[_Entries, int]]:
        """Yield (entries, line number) for each row of an array that is written as one list."""
        entries = self._entries(text, line)
        size = _RANGE.fullmatch(second)
        width = len(entries) // count
        if size is not None and size[1].isdigit():
            width = int(size[1][:9])
        elif size is not None and size[1] in self.values:
            width = self.size(size[1])
        if width * count != len(entries):
            what = f"an array of {counted(len(entries), 'number')}, expected {count} times {width}"
            fail(what, line)
        for at in range(count):
            yield entries[at * width : (at + 1) * width], line

    def _entries(self, text: str, line: int) -> list[int | None]:
        """Return the numbers of a line; a comma may end it."""
        if text.count(",") > MAX_CELLS:
            fail(f"{text.count(',')} entries in a line, expected fewer than any board has", line)
        words = [word.strip() for word in text.split(",")]
        if words and not words[-1]:
            words.pop()
        for word in words:
            if not _ENTRY.fullmatch(word):
                fail(f"the entry {shorten(word)}, expected a whole number", line)
        return [None if word == "_" else int(word) for word in words]


def read(data: bytes) -> list[Nonogram]:
    """Return the one puzzle of the file."""
    text = decode(data)
    file = _DznFile(text)
    is_list = "row_rules" in file.values
    names = ("rows", "cols") if is_list else ("Y", "X")
    height, width = (file.size(name) for name in names)
    first = file.line(file.value(names[0]).place)
    sized(height, width, first)
    arrays = (
        (("row_rules", height), ("col_rules", width))
        if is_list
        else (
            ("rows", height),
            ("cols", width),
        )
    )
    parse = _listed if is_list else _drawn
    rows, columns = (
        tuple(parse(entries, line) for entries, line in file.lines(name, count))
        for name, count in arrays
    )
    given = tuple(_given(file, height, width)) if "x" in file.values and not is_list else ()
    most = max((block.colour for clue in (*rows, *columns) for block in clue), default=1)
    most = max(most, max((colour for *_, colour in given), default=1))
    if most > len(SYMBOLS) - 2:
        fail(f"the colour {most}, expected at most {len(SYMBOLS) - 2}", first)
    colours = (BLACK,) if most < 2 else tuple(map(ink, SYMBOLS[2 : 2 + most]))
    named = _ID.search(text[:1000]) if text.startswith("% nonosat") else None
    about = About(id=clean(named[1]) if named else "")
    return [build(first, rows=rows, columns=columns, colours=colours, given=given, about=about)]


def _listed(entries: _Entries, line: int) -> Clue:
    """Return a clue given as a list of lengths that may be padded with zeros."""
    lengths = [entry for entry in entries if entry]
    if any(entry is None or entry < 0 for entry in entries):
        fail("a negative or unknown length, expected lengths filled up with 0", line)
    return tuple(map(Block, lengths))


def _drawn(entries: _Entries, line: int) -> Clue:
    """Return a clue that is drawn cell by cell, as in the MiniZinc challenge."""
    blocks: list[Block] = []
    colour = size = 0  # number of the last entries, which form one block
    end = next((at for at, entry in enumerate(entries) if entry == _END), len(entries))
    if any(entry != _END for entry in entries[end:]):
        fail("a number after -1, expected the clue to end there", line)
    if end == 0:
        fail("a line of -1 alone, expected a lone 0 for an empty line", line)
    if list(entries[:end]) == [0]:
        return ()
    for at, entry in enumerate((*entries[:end], 0)):
        if entry is None or (entry == 0 and not (size or (blocks and colour))):
            fail("a 0 that is not between two blocks, expected one between them", line)
        if entry != colour and size:
            blocks.append(Block(size, colour))
            size = 0
        if entry < 0:
            blocks.append(Block(None, -1 - entry))
            colour = entry
        elif entry:
            colour, size = entry, size + 1
        else:
            colour = 0
        if entry == 0 and at == end - 1:
            fail("a 0 after the last block, expected -1", line)
    return tuple(blocks)


def _given(file: _DznFile, height: int, width: int) -> Iterator[tuple[int, int, int]]:
    """Yield the known cells."""
    for row, (entries, line) in enumerate(file.lines("x", height)):
        if len(entries) != width:
            fail(f"{counted(len(entries), 'cell')} in a line of x, expected {width}", line)
        for column, entry in enumerate(entries):
            if entry is not None and entry < 1:
                fail(f"the cell {entry}, expected 1 for an empty one, 1 + c for a colour", line)
            if entry is not None:
                yield row, column, entry - 1


def write(puzzles: Sequence[Nonogram]) -> bytes:
    """Refuse to write: `encode` writes these files."""
    del puzzles
    raise UnsupportedError("dzn is read only here; it is written as a file for other solvers")


PLUGIN = Format(
    summary="read only: MiniZinc data of nonograms, which `encode` writes",
    suffixes=(".dzn",),
    shared=True,
    holds=CAPABILITIES,
    sniff=sniff,
    read=read,
    write=write,
)
