"""Steve Simpson's .non, with the colours, goals and bundles of nonogram-db and pbnsolve.

A statement per line; `rows` and `columns` are followed by a clue per line, `rows 5` is a size. A
line of only `=` signs (four or more) separates the puzzles of a bundle (.nonpack).

Decisions: blank lines among clues are ignored if that leaves as many clues as lines, and are
empty clues if it leaves too few. A letter without a `color` line gets a default colour
if no letter has one, else it is undefined. `goal` is a claim and is kept as one. `saved`, any
number of times, is a state of solving (`?` is unknown) and no clue; given cells are therefore not
written. Colour keys are the letters a-z; a puzzle with other keys is written with letters. The
background's colour is not kept. If colours have names, nonny's dialect is read (`_nonny`). Time
is linear in the text.
Source: Simpson's description (fmt2), nonogram-db's FORMAT.md (Michael Terry), pbnsolve's readers.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from nonosat.core.about import About
from nonosat.core.errors import FormatError, counted
from nonosat.core.grid import UNKNOWN, Grid
from nonosat.core.limits import polled
from nonosat.core.model import Clue
from nonosat.core.plugins import Format, FormatCapabilities
from nonosat.formats._colours import characters, ink, rgb
from nonosat.formats._hold import require
from nonosat.formats._lines import Numbered, NumberedLines, clue, clue_lines, clues, numbered
from nonosat.formats._nonny import is_nonny, plain
from nonosat.formats._text import (
    build,
    cells_of,
    clean,
    clues_of,
    decode,
    fail,
    listed,
    number,
    printable,
    shorten,
    signs_of,
    sized,
)
from nonosat.puzzles.nonogram.data import BLACK, Colour, Nonogram

CAPABILITIES = FormatCapabilities(inks=26, many=True)

_ABOUT = {
    "catalogue": "source",
    "title": "title",
    "by": "author",
    "copyright": "copyright",
    "license": "license",
    "id": "id",
    "description": "description",
}
_PICTURES = ("goal", "saved")
_WORDS = {"rows", "columns", "width", "height", "color", "maxrule", *_PICTURES, *_ABOUT}
_ITEMS = re.compile(r"[^\s,]+")
_BARE = re.compile(r"(?<![0-9A-Za-z])0*+[1-9][0-9]*+(?![0-9A-Za-z])")
_DIVISION = re.compile(r"={4,}[^\n]*")
_WORDED = (re.compile(r"[^\W\d_][^\n]*"), re.compile(r"[A-Za-z][^\n]*"))  # of any text, of ASCII
_FOREIGN = re.compile(rb"[\[\](){}#/|;:.]")  # never after the digits of a clue or a goal
_BLANKS = re.compile(rb"[0-9][ \t]+[0-9]")
_MOST_SNIFFED = 1 << 16  # bytes whose lines are searched for signs of other formats
_NO_CELL = re.compile(r"[^\w?]+|_+")


class KeywordLines(NamedTuple):
    """A keyword with the rest of its line and the lines that belong to it."""

    line: int
    word: str
    rest: str
    below: str

    @property
    def body(self) -> NumberedLines:
        """Return the lines that belong to it."""
        return numbered(self.below, self.line + 1)

    @property
    def text(self) -> str:
        return f"{self.rest}\n{self.below}"


def sniff(data: bytes) -> bool:
    """Return True for two blocks of clues, each after its keyword on a line, and another keyword.

    Texts without another keyword, or with clues in brackets, with comments or with commas and
    blanks, are written by people (the format `clues`).
    """
    if b"rows" not in data or b"columns" not in data:
        return False
    if b"color" in data and is_nonny(data[:_MOST_SNIFFED].decode("latin-1")):
        return True
    if any(map(_is_foreign, data[:_MOST_SNIFFED].splitlines())):
        return False
    blocks, has_other = set(), False
    for _, line in _worded(data.decode("latin-1").replace("\r", "\n"), is_ascii=True):
        word, *rest = line.split(maxsplit=1)
        if word in ("rows", "columns"):
            blocks |= set() if rest else {word}
            has_other = has_other or bool(rest and rest[0][0].isdigit())
        else:
            has_other = has_other or (word in _WORDS and line != word)
        if has_other and len(blocks) == 2:
            return True
    return False


def _is_foreign(line: bytes) -> bool:
    """Return True if a line of numbers has a form that does not occur in .non files."""
    line = line.strip()
    return line[:1].isdigit() and bool(
        _FOREIGN.search(line) or (b"," in line and _BLANKS.search(line))
    )


def _worded(text: str, is_ascii: bool) -> Iterator[tuple[int, str]]:
    """Yield the start of each line that begins with a letter, and the line from there on."""
    for found in polled(_WORDED[is_ascii].finditer(text)):
        begin = text.rfind("\n", 0, found.start()) + 1
        if not text[begin : found.start()].strip():
            yield begin, found[0]


def read(data: bytes) -> Iterator[Nonogram | FormatError]:
    """Yield the puzzles one by one; a bad one as its error."""
    for line, text in _puzzles(decode(data)):
        if text and not text.isspace():
            try:
                yield _named(text, line) if is_nonny(text) else _puzzle(_statements(text, line))
            except FormatError as error:
                yield error


def _named(text: str, line: int) -> Nonogram:
    """Return the puzzle of a text in which colours have names, which become the keys."""
    text, names = plain(text, line)
    puzzle = _puzzle(_statements(text, line))
    inks = (Colour(names.get(ink.key, ink.key), ink.rgb) for ink in puzzle.colours)
    return replace(puzzle, colours=tuple(inks))


def _puzzles(text: str) -> Iterator[tuple[int, str]]:
    """Yield the text of each puzzle of a bundle, and the number of its first line."""
    start, line = 0, 1
    for found in _DIVISION.finditer(text):
        begin = max(start, text.rfind("\n", start, found.start()) + 1)
        if text[begin : found.start()].strip() or found[0].rstrip().strip("="):
            continue
        yield line, text[start:begin]
        line += text.count("\n", start, found.end()) + 1
        start = found.end() + 1
    yield line, text[start:] if start else text


def _statements(text: str, first: int) -> list[KeywordLines]:
    """Return the statements of a puzzle whose first line has this number.

    Raises:
        FormatError: A keyword is unknown, or there are two blocks of clues of one kind. Reading
            stops there: a file may hold 100,000 puzzles without lines of '=' between.
    """
    found: list[KeywordLines] = []
    blocks = set[str]()
    line, start = first, 0  # line of the last keyword
    for begin, statement in _worded(text, text.isascii()):
        word = statement.split(maxsplit=1)[0]
        # Goals may continue on lines of letters; any other line of letters is a statement.
        inside = bool(found) and found[-1].word in _PICTURES and word not in _WORDS
        if inside or not word[0].isalpha():
            continue
        _end(found, text[start:begin], line)
        line += text.count("\n", start, begin)
        start = begin
        found.append(KeywordLines(line, word, statement[len(word) :].strip(), ""))
        if _is_block(found[-1]):
            if word in blocks:
                what = f"a second block of {word}, expected one a puzzle"
                fail(f"{what}; put a line '====' between puzzles", line)
            blocks.add(word)
    _end(found, text[start:], line)
    return found


def _end(found: list[KeywordLines], text: str, line: int) -> None:
    """Add the lines below the last statement to it; without a statement there must be none."""
    if found:
        found[-1] = found[-1]._replace(below=text.partition("\n")[2])
        if _is_block(found[-1]) or found[-1].word in _PICTURES:
            return
        text, line = found[-1].below, line + 1
    if text and not text.isspace():
        lines = numbered(text, line).full()
        if found and found[-1].word not in _WORDS:
            fail(
                f"{shorten(found[-1].word)}, an unknown keyword, with lines below it; expected a "
                "clue or a keyword such as 'rows'",
                found[-1].line,
            )
        what = "'rows'" if found else "'width 5'"
        fail(f"{shorten(lines[0].text)}, expected a keyword, e.g. {what}", lines[0].line)


def _is_block(statement: KeywordLines) -> bool:
    return statement.word in ("rows", "columns") and not statement.rest


def _string(text: str) -> str:
    """Return the value of a string; without quotes it has no blanks at its ends."""
    finish = clean
    if text[:1] in ("'", '"') and text.rfind(text[0]) > 0:
        text, finish = text[1 : text.rfind(text[0])], printable
    if "&" in text:
        from html import unescape

        text = unescape(text)
    return finish(text)


def _size(statements: Sequence[KeywordLines], words: tuple[str, str]) -> int | None:
    """Return the height ("height 3" or "rows 3") or the width."""
    size = None
    for line, word, rest, _ in statements:
        if word not in words or (word == words[1] and not rest):
            continue
        value = number(rest, word, line)
        if size not in (None, value):
            fail(f"the {words[0]} is {value}, but it was {size} before", line)
        size = value
    return size


def _block(statements: Sequence[KeywordLines], word: str) -> KeywordLines | None:
    return next((each for each in statements if each.word == word and not each.rest), None)


def _select(block: KeywordLines, count: int | None, size: str) -> NumberedLines:
    """Return the lines of a block that are clues."""
    body = block.body
    if count is None:
        inner = body.trimmed()
        count = len(inner.full())
        if count < len(inner):
            fail(f"blank lines among the clues, but no {size}; add '{size} N'", block.line)
    return clue_lines(body, count, f"clues under '{block.word}'", block.line)


def _puzzle(statements: Sequence[KeywordLines]) -> Nonogram:
    first = statements[0].line
    sizes = [_size(statements, words) for words in (("height", "rows"), ("width", "columns"))]
    if None not in sizes:  # check before anything of that size is made
        sized(sizes[0] or 0, sizes[1] or 0, first)
    height, rows = _lines(statements, "rows", "height", sizes[0])
    width, columns = _lines(statements, "columns", "width", sizes[1])
    if height is None or width is None or None in (rows, columns):
        _need_goal(statements, height, width)
    assert height is not None
    assert width is not None
    sized(height, width, first)
    goals = [_picture(each, height * width) for each in statements if each.word == "goal"][:1]
    states = [_picture(each, height * width) for each in statements if each.word == "saved"]
    texts = [each.below for each in statements if _is_block(each)]
    colours, inks = _inks(statements, texts, "".join(each.text for each in (*goals, *states)))
    values = {"0": 0, **{letter or "1": value for letter, value in inks.items()}}
    goal = _grid("goal", goals[0], height, width, values) if goals else None
    values["?"] = UNKNOWN
    saved = tuple(_grid("saved state", each, height, width, values) for each in states)
    if rows is not None and columns is not None:
        other = partial(_clue, inks=inks)
        lists = {
            "rows": clues(rows, inks, ",", other),
            "columns": clues(columns, inks, ",", other),
        }
    else:
        assert goal is not None
        lists = clues_of(goal)
    kept = [each for each in statements if each.word in _ABOUT]
    about = About(**{_ABOUT[each.word]: _string(each.rest) for each in kept})
    about = replace(about, id=about.id.strip())  # as other formats have it
    return build(first, **lists, colours=colours, goal=goal, about=about, saved=saved)


def _lines(
    statements: Sequence[KeywordLines], word: str, size: str, count: int | None
) -> tuple[int | None, NumberedLines | None]:
    """Return (number of rows or columns, lines of their clues); each None if not stated."""
    block = _block(statements, word)
    if block is None:
        return count, None
    try:
        picked = _select(block, count, size)
    except FormatError:
        _check_words(statements, block)
        raise
    return len(picked), picked


def _check_words(statements: Sequence[KeywordLines], block: KeywordLines) -> None:
    """Refuse a block of clues that a line with an unknown word ends."""
    following = next((each for each in statements if each.line > block.line), block)
    if following.word not in _WORDS:
        found = f"{following.word} {following.rest}".strip()
        expected = f"expected {block.word} of block lengths such as '2,1', or a keyword"
        fail(f"{shorten(found)} among the clues, {expected}", following.line, 1)


def _need_goal(statements: Sequence[KeywordLines], height: int | None, width: int | None) -> None:
    """Require sizes and a goal if a block of clues is missing."""
    if None in (height, width) or not any(each.word == "goal" for each in statements):
        last = statements[-1].line
        fail("a block 'rows' or 'columns' is missing, expected both (or width, height, goal)", last)


def _clue(line: Numbered, inks: Mapping[str, int]) -> Clue:
    if re.search(r",\s*,|^\s*,|,\s*$", line.text):
        fail(f"{shorten(line.text)}, expected lengths with one comma between them", line.line)
    return clue(line, inks, _ITEMS)


def _inks(
    statements: Sequence[KeywordLines], blocks: Sequence[str], picture: str
) -> tuple[tuple[Colour, ...], dict[str, int]]:
    """Return the colours, and their numbers by letter; "" is the ink of a length without one."""
    colours: dict[str, Colour] = {}
    for line, word, rest, _ in statements:
        if word == "color":
            letter, _, value = rest.partition(" ")
            shade = rgb(value.strip())
            if shade is None or not re.fullmatch("[A-Za-z]", letter):
                fail(f"color {shorten(rest)}, expected a letter and '#rrggbb'", line)
            colours[letter] = Colour(letter, shade)
    if not colours:
        signs = set().union(*map(signs_of, (*blocks, picture)))
        colours = {letter: ink(letter) for letter in string.ascii_lowercase if letter in signs}
    plain = not colours or "1" in picture or any(map(_BARE.search, blocks))
    found = {"": BLACK, **colours} if plain else colours
    return tuple(found.values()), {letter: index for index, letter in enumerate(found, 1)}


def _shown(picture: KeywordLines) -> str:
    return "goal" if picture.word == "goal" else "saved state"


def _picture(statement: KeywordLines, count: int) -> Numbered:
    """Return the cells of a picture as written; other characters than letters and digits are
    skipped.
    """
    pieces = iter((statement.rest, *statement.below.split("\n")))
    if (quote := statement.rest[:1]) in ("'", '"'):
        picture, _, rest_of_line = statement.text[1:].partition(quote)
        pieces = iter([picture])
        line = statement.line + picture.count("\n")
        for other in numbered(rest_of_line, line).full():
            # A line of letters is a statement with an unknown keyword.
            if other.line == line or not other.text.lstrip()[:1].isalpha():
                strange = shorten(other.text.strip())
                fail(f"{strange} after the {_shown(statement)}, expected a keyword", other.line)
    found: list[str] = []
    missing = count
    while missing > 0 and (piece := next(pieces, None)) is not None:
        found.append(_NO_CELL.sub("", piece))
        missing -= len(found[-1])  # a statement with an unknown keyword follows
    cells = "".join(found)
    if len(cells) != count:
        fail(
            f"the {_shown(statement)} has {counted(len(cells), 'cell')}, expected {count}",
            statement.line,
        )
    return Numbered(statement.line, cells)


def _grid(what: str, picture: Numbered, height: int, width: int, values: Mapping[str, int]) -> Grid:
    if strange := sorted(signs_of(picture.text) - values.keys()):
        expected = listed([repr(char) for char in values])
        problem = f"the {what} has {shorten(strange[0])}, an undefined colour"
        fail(f"{problem}; expected {expected}", picture.line)
    return Grid(height, width, cells_of(picture.text, values))


def write(puzzles: Sequence[Nonogram]) -> bytes:
    """Return one puzzle, or a bundle."""
    require("non", CAPABILITIES, puzzles)
    return "====\n".join(map(_dump, puzzles)).encode("utf-8", "replace")


def _quoted(text: str) -> str:
    text = printable(text)
    for char, entity in (("&", "&amp;"), ('"', "&quot;"), ("\n", "&#10;"), ("\t", "&#9;")):
        text = text.replace(char, entity)
    return f'"{text}"'


def _dump(puzzle: Nonogram) -> str:
    inked = puzzle.colours != (BLACK,)
    letters = characters(puzzle.colours, string.ascii_lowercase) if inked else [""]
    lines = []
    for word, name in _ABOUT.items():
        if value := getattr(puzzle.about, name):
            spdx = word == "license" and re.fullmatch(r"[A-Za-z0-9.+-]+", value)
            lines.append(f"{word} {value if spdx else _quoted(value)}")
    lines += [f"width {puzzle.width}", f"height {puzzle.height}"]
    if inked:
        pairs = zip(letters, puzzle.colours, strict=True)
        lines += [f"color {letter} {colour.rgb}" for letter, colour in pairs]
    for word, side in (("rows", puzzle.rows), ("columns", puzzle.columns)):
        items = ([f"{length}{letters[ink - 1]}" for length, ink in clue] for clue in polled(side))
        lines += [word, *(",".join(parts) or "0" for parts in polled(items))]
    values = "0" + "".join(letter or "1" for letter in letters)
    if puzzle.goal is not None:
        lines.append('goal "' + "".join(puzzle.goal.lines(values)) + '"')
    lines += ['saved "' + "".join(state.lines(values)) + '"' for state in puzzle.saved]
    return "\n".join([*lines, ""])


PLUGIN = Format(
    summary="Simpson's .non: up to 26 colours, goal, saved states, bundles",
    suffixes=(".non", ".nonpack", ".nonopack"),
    holds=CAPABILITIES,
    sniff=sniff,
    read=read,
    write=write,
)
