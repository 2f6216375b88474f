"""Tables of cells, as spreadsheets write them: .csv with commas or semicolons, .tsv with tabs.

    1,1,0,1          red;red;;blue
    0,0,0,0          ;;;
    0,1,1,0          ;blue;blue;

The clues are derived and the picture is kept as the goal. An empty cell is an empty field or one
of `0 . - _ □`. In one colour a filled cell is `1` or one of `x X # * @ o ■ █`, the same in the
whole file: next to another sign an `x` might be filled or crossed out, so two signs are refused. In
several colours a field is a plain English name or `#rrggbb`; white is empty if no other sign is.
Numbers above 1 are refused: a table of clues does not define which are rows.

A file has either commas, semicolons or tabs, and every row as many fields. Fields may be
in quotes, a first line may be `sep=;`. Colours are in the order of their first occurrence, and a
field's text is the key. Writing needs a goal that satisfies the clues. Linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple, NoReturn

from nonosat.core.errors import FormatError, UnsupportedError, counted
from nonosat.core.grid import Grid
from nonosat.core.limits import polled
from nonosat.core.model import MAX_COLOURS
from nonosat.core.plugins import Format, FormatCapabilities
from nonosat.formats._colours import NAMED, rgb
from nonosat.formats._hold import goal_of, require
from nonosat.formats._lines import Numbered, NumberedLines, numbered
from nonosat.formats._text import build, clues_of, decode, fail, shorten, sized
from nonosat.puzzles.nonogram.data import BLACK, WHITE, Colour, Nonogram

CAPABILITIES = FormatCapabilities(clues=False)

_EMPTY = frozenset(("", *"0.-_□"))
_FILLED = frozenset("1xX#*@o■█")
_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs"}
_SEP = re.compile(r'"?sep=([,;\t])"?')
_NUMBERS = re.compile(r"[0-9]+(?:[ .][0-9]+)*")


class FieldTable(NamedTuple):
    """The lines of a file, the number of fields per line, the fields, and their separator."""

    lines: NumberedLines
    width: int
    fields: list[str]
    separator: str

    def words(self) -> list[str]:
        """Return the different words of the fields, in the order of the table."""
        return list(dict.fromkeys(self.fields))

    def place(self, word: str) -> tuple[int, int]:
        """Return line and column of the first field with this word."""
        row, column = divmod(self.fields.index(word), self.width)
        line = self.lines[row]
        return line.line, _spans(line, self.separator)[column][1] + 1


def sniff(data: bytes) -> bool:
    """Return True if the text has two rows or more of two fields or more, all of them cells."""
    if not _begins_as_one(data):
        return False
    try:
        table = _table(data)
        values, _ = _values(table.words(), table)
    except FormatError:
        return False
    return min(len(table.lines), table.width) > 1 and {0, 1} <= set(values.values())


def plausible(data: bytes) -> bool:
    """Return True if a text that no format recognises may be a table of cells.

    Such a table has only filled or only empty cells, or a single row or column, and may be confused
    with clues or a list of numbers.
    """
    if not _begins_as_one(data, least=1):
        return False
    try:
        table = _table(data)
        _values(table.words(), table)
    except FormatError:
        return False
    signs = set(table.words())
    return len(table.fields) > 1 and signs <= _EMPTY | _FILLED and signs & {"0", *_FILLED} != set()


def may_be_clues(data: bytes) -> bool:
    """Return True if a table of cells 0 and 1 may also be read as clues.

    It may if it has two lines, each of which can be a list, or if all rows have their zeros at one
    end, like clues that are padded with zeros.
    """
    signs = data.removeprefix(b"\xef\xbb\xbf").translate(None, b',;\t "\r').strip(b"\n")
    fields = data.translate(bytes.maketrans(b";\t", b",,"), b" \r")
    has_empty = b",," in fields or b",\n" in fields or b"\n," in fields  # no clue has this form
    is_padded = not (b"01" in signs and b"10" in signs)
    return not signs.strip(b"01\n") and not has_empty and (is_padded or signs.count(b"\n") < 2)


def _begins_as_one(data: bytes, least: int = 2) -> bool:
    """Return True if the first line begins with `least` fields or more, and all may be cells."""
    head = data[:4096].removeprefix(b"\xef\xbb\xbf").decode(errors="replace")
    words = re.split("[,;\t]", head.partition("\n")[0])
    cells = (word.strip(' "\r') for word in (words if "\n" in head else words[:-1]))
    return len(words) >= least and (head.lstrip('"')[:4] == "sep=" or all(map(_is_cell, cells)))


def _is_cell(word: str) -> bool:
    return word in _EMPTY or word in _FILLED or _shade(word) is not None


def read(data: bytes) -> list[Nonogram]:
    """Return the puzzle of which the picture is a solution."""
    table = _table(data)
    first, height = table.lines[0].line, len(table.lines)
    sized(height, table.width, first)
    values, colours = _values(table.words(), table)
    goal = Grid(height, table.width, bytes(map(values.__getitem__, polled(table.fields))))
    return [build(first, **clues_of(goal), colours=colours, goal=goal)]


def _table(data: bytes) -> FieldTable:
    """Return the rows of a file, with equally many fields each."""
    lines = numbered(decode(data))
    end = len(lines)
    while end and not lines.texts[end - 1].strip(" "):
        end -= 1
    announced = _SEP.fullmatch(lines[0].text.strip(" ")) if end else None
    lines = lines[1 if announced else 0 : end]
    if not lines:
        fail("the file is empty, expected a line a row of cells", 1)
    separator = announced[1] if announced else _separator(lines)
    fields: list[str] = []
    width = 0
    for at, text in enumerate(polled(lines.texts)):
        before = len(fields)
        fields += text.split(separator) if '"' not in text else _quoted(lines[at], separator)
        found = len(fields) - before
        width = width or found
        if found != width or not text.strip(" "):
            _refuse_row(lines[at], found, width)
    # Strip fields, once for each different field.
    bare = {word: word.strip() for word in set(fields)}
    if any(len(word) != len(kept) for word, kept in bare.items()):
        fields = list(map(bare.__getitem__, polled(fields)))
    return FieldTable(lines, width, fields, separator)


def _refuse_row(line: Numbered, found: int, width: int) -> NoReturn:
    if line.blank:
        fail("a blank line, expected a row; an empty cell alone is written 0", line.line)
    what = f"a row of {counted(found, 'field')}"
    fail(f"{what}, expected {width} as in the first row", line.line)


def _separator(lines: NumberedLines) -> str:
    """Return the separator of the fields; any one if there is one field per row."""
    found: dict[str, int] = {}
    for separator in _SEPARATORS:
        at = next((at for at, text in enumerate(lines.texts) if separator in text), None)
        if at is not None:
            found[separator] = lines[at].line
    if len(found) > 1:
        kinds = " and ".join(_SEPARATORS[separator] for separator in found)
        fail(f"{kinds} between fields, expected one kind", max(found.values()))
    return next(iter(found), ",")


def _quoted(line: Numbered, separator: str) -> list[str]:
    """Return the fields of a line, without their quotes and the blanks around them."""
    return [word for word, _ in _spans(line, separator)]


def _spans(line: Numbered, separator: str) -> list[tuple[str, int]]:
    """Return the fields of a line with the place of each."""
    field = re.compile(rf' *+(?:"((?:[^"]|"")*+)"|([^"{separator}]*+)) *+(?={separator}|$)')
    found, place = [], 0
    while place <= len(line.text):
        match = field.match(line.text, place)
        if match is None:
            fail("a quote inside a field, expected one around it", line.line, place + 1)
        found.append(((match[1] or match[2] or "").strip(), max(match.start(1), match.start(2))))
        place = match.end() + 1
    return found


def _values(words: Sequence[str], table: FieldTable) -> tuple[dict[str, int], tuple[Colour, ...]]:
    """Return the cell value of each word of a table, and the colours."""
    signs = [word for word in words if word in _FILLED]
    shades = {word: _shade(word) for word in words if word not in _EMPTY and word not in _FILLED}
    for word, shade in shades.items():
        if shade is None:
            _refuse(word, table)
        if signs:
            what = f"the colour {shorten(word)} next to the sign {signs[0]!r}"
            fail(f"{what}, expected one or the other", *table.place(word))
        if shade == WHITE.rgb and not _EMPTY.isdisjoint(words):
            what = "white next to empty fields, expected one of them for empty cells"
            fail(what, *table.place(word))
    if len(signs) > 1:
        what = f"the sign {signs[1]!r} besides {signs[0]!r}"
        fail(f"{what}, expected one sign for filled cells", *table.place(signs[1]))
    colours = _colours(shades, table)
    order = {colour.rgb: index for index, colour in enumerate(colours, 1)}
    values = dict.fromkeys(words, 0) | dict.fromkeys(signs, 1)
    return values | {word: order.get(shade or "", 0) for word, shade in shades.items()}, colours


def _colours(shades: Mapping[str, str | None], table: FieldTable) -> tuple[Colour, ...]:
    """Return the colours of words in several colours, with white empty; else the default ink."""
    inks: dict[str, Colour] = {}
    for word, shade in shades.items():
        if shade and shade != WHITE.rgb:
            inks.setdefault(shade, Colour(word, shade))
    if len(inks) > MAX_COLOURS:
        fail(f"{len(inks)} colours, expected at most {MAX_COLOURS}", table.lines[0].line)
    return (BLACK,) if list(inks) in ([], [BLACK.rgb]) else tuple(inks.values())


def _shade(word: str) -> str | None:
    """Return the `#rrggbb` of a name or of `#` and digits."""
    return rgb(word) if word[:1] == "#" or word.lower() in NAMED else None


def _refuse(word: str, table: FieldTable) -> NoReturn:
    """Refuse a word that is not a cell."""
    expected = "expected 0 or 1, an empty field, a sign such as 'x' or the name of a colour"
    if _NUMBERS.fullmatch(word):
        expected = (
            "expected the cells of a picture; clues are read from plain text (.txt), a clue a "
            "line, those of the rows below a line 'rows', of the columns below 'columns'"
        )
    fail(f"the field {shorten(word)}, {expected}", *table.place(word))


def _write(puzzles: Sequence[Nonogram], name: str, separator: str) -> bytes:
    """Return the table of one puzzle with a goal."""
    require(name, CAPABILITIES, puzzles)
    (puzzle,) = puzzles
    goal = goal_of(puzzle)
    words = ["0", *_words(puzzle)]
    rows = (
        separator.join(words[cell] for cell in goal.row(row)) for row in polled(range(goal.height))
    )
    return "".join(f"{row}\n" for row in rows).encode()


def _words(puzzle: Nonogram) -> list[str]:
    """Return a word for each cell value: a colour's key if that names its shade, else `#rrggbb`."""
    if puzzle.colours == (BLACK,):
        return ["1"]
    shades = [colour.rgb for colour in puzzle.colours]
    if len(set(shades)) < len(shades) or WHITE.rgb in shades:
        raise UnsupportedError(
            f"a table identifies colours by their shades, and {puzzle} has two alike or a white "
            "one; use another format, such as jsonl"
        )
    return [
        colour.key if _shade(colour.key) == colour.rgb else colour.rgb for colour in puzzle.colours
    ]


PLUGINS = {
    name: Format(
        summary=f"a table of cells with {_SEPARATORS[separator]}: 0 and 1, or names of colours",
        suffixes=(f".{name}",),
        shared=True,
        holds=CAPABILITIES,
        sniff=sniff,
        read=read,
        write=partial(_write, name=name, separator=separator),
    )
    for name, separator in (("csv", ","), ("tsv", "\t"))
}
