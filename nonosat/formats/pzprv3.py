"""Files that puzz.link and other pzpr.js sites save (`pzprv3`): nonograms and Slitherlinks.

    pzprv3
    nonogram
    3
    4
    . . . 1 . .
    . . 1 1 1 1
    2 1 # # . #
    ...

The first lines are the version, the kind of puzzle, the number of ROWS and the number of columns
(the address of the same puzzle has the columns first). `/` is a line break anywhere. One
puzzle; of the metadata the author and the source are kept, and a title is dropped, for which the
site has no field. Time is linear in the text.

Nonogram: (rows + 1) // 2 lines with the clues of the columns, then a line for each row, each with
(columns + 1) // 2 places for a clue before the cells. A clue is read in its usual direction,
`.` is a place without a number, a `c` before a number marks it as completed, and -2 is a block
of unknown length (read only). Cells are `#` filled, `+` empty, `.` unknown: a saved state.

Slitherlink: a line of clues for each row, `.` for a blank cell, `-` for an unknown clue, that is, a
blank cell. The lines of the answer after them are ignored.

Source: the file format of pzpr.js (puzz.link, MIT licence), by its readers and its test data.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NoReturn

from nonosat.core.about import About
from nonosat.core.errors import PuzzleError, UnsupportedError, counted
from nonosat.core.grid import UNKNOWN, Grid
from nonosat.core.limits import polled
from nonosat.core.model import Block, Clue
from nonosat.core.plugins import Format, FormatCapabilities
from nonosat.formats._hold import require
from nonosat.formats._lines import Numbered, NumberedLines, numbered
from nonosat.formats._text import (
    build,
    decode,
    fail,
    number,
    of_file,
    plain,
    printable,
    shorten,
    sized,
)
from nonosat.puzzles.nonogram.data import Nonogram
from nonosat.puzzles.slitherlink.data import BLANK, SYMBOLS, Slitherlink, check_size

CAPABILITIES = FormatCapabilities(family="slitherlink", also=("nonogram",), inks=1)

_MAGIC = re.compile(rb"(?:\xef\xbb\xbf)?\s{0,99}pzprv3(?:\.[0-9]{1,3})?[ \t]*[/\r\n]")
_VERSION = re.compile(r"pzprv3(?:\.[0-9]{1,3})?")
_CLUE = re.compile(r"c?(?:([0-9]{1,9})|-2|-|\?)")
_END = re.compile(r"TrialData|info:|history:|__HISTORY__|https?:")  # after the answer
_ANSWER = re.compile(r"(?:\s*(?:-?[0-9]|\.)(?:\s+(?:-?[0-9]|\.))*)?\s*")
_CELLS = {"#": 1, "+": 0, ".": UNKNOWN}
_SIGNS = {value: sign for sign, value in _CELLS.items()}
_KEPT = {"author": "author", "source": "source"}  # key of the metadata, by the field of `About`


def sniff(data: bytes) -> bool:
    """Return True if the first line is `pzprv3`, or begins with `pzprv3/`."""
    return _MAGIC.match(data) is not None


def read(data: bytes) -> list[Nonogram | Slitherlink]:
    """Return the one puzzle of the file."""
    text = decode(data)
    lines = _split(text)
    height, width, kind = _head(lines)
    body = lines[4:]
    end = next((at for at, line in enumerate(body.texts) if _END.match(line)), len(body))
    puzzle: Nonogram | Slitherlink
    if kind == "nonogram":
        puzzle = _nonogram(body[:end], height, width, lines[2].line)
    else:
        puzzle = _slitherlink(body[:end], height, width, lines[2].line)
    return [puzzle.about_with(**_metadata(text))]


def _split(text: str) -> NumberedLines:
    """Return the lines of a file, each ended by `/`, too; those before the version are left out."""
    texts: list[str] = []
    numbers: list[int] = []
    for line, whole in numbered(text.lstrip()):
        parts = whole.split("/")
        if len(parts) > 1 and not parts[-1].strip():
            parts.pop()
        texts += parts
        numbers += [line] * len(parts)
    skipped = text[: len(text) - len(text.lstrip())].count("\n")
    return NumberedLines(texts, [line + skipped for line in numbers])


def _head(lines: NumberedLines) -> tuple[int, int, str]:
    """Return the height, the width and the kind of puzzle."""
    expected = "expected the version pzprv3, the kind of puzzle, its height and its width"
    if len(lines) < 4:
        fail(
            f"{counted(len(lines), 'line')}, {expected}, then the board",
            lines[-1].line if lines else 1,
        )
    version, kind = (text.strip() for text in lines.texts[:2])
    if not _VERSION.fullmatch(version):
        fail(f"{shorten(version)}, {expected}", lines[0].line)
    if kind not in ("nonogram", "slither", "slitherlink"):
        what = f"a puzzle of the kind {shorten(kind)}, expected nonogram or slither"
        fail(what, lines[1].line)
    names = ((2, "height"), (3, "width"))
    height, width = (number(lines.texts[at].strip(), name, lines[at].line) for at, name in names)
    if kind == "nonogram":
        sized(height, width, lines[2].line)
    else:
        try:
            check_size(height, width)
        except PuzzleError as error:
            raise of_file(error, lines[2].line) from error
    return height, width, kind


def _metadata(text: str) -> dict[str, str]:
    """Return the fields of `About` in the object after `info:`; none if it cannot be read."""
    start = text.find("\ninfo:")
    if start < 0:
        return {}
    try:
        metadata = json.JSONDecoder().raw_decode(text, start + len("\ninfo:"))[0]["metadata"]
        pairs = [(field, metadata.get(key)) for field, key in _KEPT.items()]
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        return {}
    return {field: printable(value) for field, value in pairs if isinstance(value, str)}


def _words(line: Numbered, width: int) -> list[str]:
    """Return the words of a line, one for each place; raise FormatError for another number."""
    words = line.text.split()
    if len(words) != width:
        fail(f"a line of {counted(len(words), 'place')}, expected {width}", line.line)
    return words


def _values(words: Sequence[str], line: Numbered, table: Mapping[str, int], what: str) -> bytes:
    """Return the value of each word.

    Raises:
        FormatError: A word has none.
    """
    try:
        return bytes(map(table.__getitem__, words))
    except KeyError as error:
        return _refuse(str(error.args[0]), line, f"{what}, expected one of {' '.join(table)}")


def _refuse(word: str, line: Numbered, kind: str) -> NoReturn:
    fail(f"{shorten(word)} is not a {kind}", line.line, line.text.index(word) + 1)


# Nonograms


def _nonogram(body: NumberedLines, height: int, width: int, line: int) -> Nonogram:
    above, beside = (height + 1) // 2, (width + 1) // 2
    lines = body.full()
    if len(lines) != above + height:
        expected = f"expected {above} of column clues and {height} of rows"
        where = lines[above + height].line if len(lines) > above + height else line
        fail(f"{counted(len(lines), 'line')} of the board, {expected}", where)
    columns: list[list[Block]] = [[] for _ in range(width)]
    for each in lines[:above]:
        words = _words(each, beside + width)
        for column, word in enumerate(words[beside:]):
            if word != ".":
                columns[column].append(_block(word, each))
    rows: list[Clue] = []
    cells = bytearray()
    for each in lines[above:]:
        words = _words(each, beside + width)
        rows.append(_clue([_block(word, each) for word in words[:beside] if word != "."]))
        cells += _values(words[beside:], each, _CELLS, "cell")
    is_blank = cells.count(UNKNOWN) == len(cells)
    return build(
        line,
        rows=tuple(rows),
        columns=tuple(map(_clue, columns)),
        saved=() if is_blank else (Grid(height, width, bytes(cells)),),
    )


def _block(word: str, line: Numbered) -> Block:
    """Return the block in a place of a clue."""
    found = _CLUE.fullmatch(word)
    if found is None:
        _refuse(word, line, "clue, expected a number or '.'")
    return Block(int(found[1]) if found[1] else None)


def _clue(blocks: Sequence[Block]) -> Clue:
    """Return the clue of a line; a single block of length 0 is the empty clue."""
    return () if len(blocks) == 1 and blocks[0].length == 0 else tuple(blocks)


# Slitherlinks


def _slitherlink(body: NumberedLines, height: int, width: int, line: int) -> Slitherlink:
    lines = body.full()
    if lines and (found := lines.texts[0].strip()).isalpha():
        what = f"the variant {shorten(found)}, expected none, that is, the plain rules"
        fail(what, lines[0].line)
    if len(lines) < height:
        fail(f"{counted(len(lines), 'row')} of clues, expected {height}", line)
    clues = bytearray()
    for each in lines[:height]:
        clues += _values(_words(each, width), each, SYMBOLS, "clue")
    for each in lines[height:]:
        if not _ANSWER.fullmatch(each.text):
            what = f"{shorten(each.text.strip())} after the clues, expected the answer as numbers"
            fail(what, each.line)
    return Slitherlink(height, width, bytes(clues))


# Writing


def write(puzzles: Sequence[Nonogram | Slitherlink]) -> bytes:
    """Return the file of one puzzle."""
    require("pzprv3", CAPABILITIES, puzzles)
    puzzle = puzzles[0]
    if isinstance(puzzle, Slitherlink):
        kind, board = "slither", _edges(puzzle)
    else:
        kind, board = "nonogram", _board(puzzle)
    lines = ["pzprv3", kind, str(puzzle.height), str(puzzle.width), *board, *_info(puzzle.about)]
    return "\n".join([*lines, ""]).encode("utf-8", "replace")


def _edges(puzzle: Slitherlink) -> Iterator[str]:
    """Yield the lines of a Slitherlink: the clues, and an answer with no edge."""
    for row in range(puzzle.height):
        clues = puzzle.clues[row * puzzle.width : (row + 1) * puzzle.width]
        yield " ".join("." if clue == BLANK else str(clue) for clue in polled(clues))
    for count, length in ((puzzle.height, puzzle.width + 1), (puzzle.height + 1, puzzle.width)):
        yield from [" ".join("0" * length)] * count


def _board(puzzle: Nonogram) -> Iterator[str]:
    """Yield the lines of a nonogram: column clues above the board, row clues before the cells."""
    above, beside = (puzzle.height + 1) // 2, (puzzle.width + 1) // 2
    columns = [_places(puzzle, clue, above) for clue in puzzle.columns]
    for at in range(above):
        yield " ".join(["."] * beside + [places[at] for places in columns])
    state = puzzle.saved[0] if puzzle.saved else None
    for row, clue in enumerate(puzzle.rows):
        cells = "." * puzzle.width
        if state is not None:
            cells = "".join(_SIGNS[cell] for cell in state.row(row))
        yield " ".join([*_places(puzzle, clue, beside), *cells])


def _places(puzzle: Nonogram, clue: Clue, room: int) -> list[str]:
    """Return the words for a clue's places: dots for those without a number, then the numbers."""
    if len(clue) > room:
        raise UnsupportedError(
            f"pzprv3 has room for {counted(room, 'number')} in such a line, not for the clue "
            f"{shorten(plain(clue))} of {puzzle}; use another format, such as non"
        )
    return ["."] * (room - len(clue)) + [str(block.length) for block in clue]


def _info(about: About) -> list[str]:
    """Return the metadata that the format keeps, as one line."""
    found = {key: value for field, key in _KEPT.items() if (value := getattr(about, field))}
    if not found:
        return []
    return [f"info:{json.dumps({'metadata': found})}"]


PLUGIN = Format(
    summary="files of puzz.link (pzprv3): nonograms and Slitherlinks, without titles",
    suffixes=(".pzprv3",),
    holds=CAPABILITIES,
    sniff=sniff,
    read=read,
    write=write,
)
