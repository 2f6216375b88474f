"""Clues as people write them: a text with a list of rows and a list of columns, in many forms.

    Rows: 2 1, 0, 2             rows = [[2, 1], [], [2]]         Row 1: 2 1
    Columns: 1, 1 1, 1, 1       cols = [[1], [1, 1], [1], [1]]   Row 2: empty ...

Headings come in any case and order and in several languages (rows, horizontal, across, left;
columns, vertical, down, top; with `clues`, `hints`, directions), or each clue has a label ("Row
3:", "C2"). Separators of clues are line breaks, semicolons, commas, slashes or bars; those of
blocks are blanks, commas, or full stops and hyphens between digits; or there are brackets and
quotes, as in Python and JSON. An empty line is `0`, `-`, `[]`, `empty`, or nothing between two
separators. Sizes, comments (`#`, `//`), code fences, bullets, numbers of lines, and words that a
blank line divides from the lists are understood; words among clues are refused, and so are lists
"from right to left" or "from bottom to top". Blank lines and bars around a list are no empty
clues; if the two lists differ in them, a remark states the reading. A letter after a length is its
colour, as in .non.

If the syntax is ambiguous, sums and fit decide: the end of a list, and whether a blank or a
comma ends a clue. Two readings that fit are refused and shown. Without headings the list of rows
is unknown, unless sizes determine it or both orders give one puzzle: then the formats `rows-first`
and `columns-first` choose it, and `rows-first:3x4` also the board (3 rows, 4 columns); a requested
reading need not fit. Two unknown names, "x = ..." and "y = ...", are lists without headings. A
line `#` below two sizes is .mk's, a lone `&` Makhorin's (rows first). Clues below headings that
contradict each other are a puzzle without a solution.

If a line is "A = 1", capital letters are numbers: "C BA" is a clue 3 and a clue 2 1.

Time is linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from typing import NamedTuple, NoReturn

from nonosat.core import plugins
from nonosat.core.errors import FormatError, Remedy, UnsupportedError
from nonosat.core.limits import polled
from nonosat.core.model import Block
from nonosat.core.plugins import Format, FormatCapabilities, Puzzle
from nonosat.formats import mk, nin
from nonosat.formats._clues_dialects import spelled, undeclared
from nonosat.formats._clues_lists import GAP
from nonosat.formats._clues_readings import (
    CROWDED,
    SIZE,
    SUMS,
    Clues,
    Reading,
    fits,
    named,
    nameless,
    turned,
)
from nonosat.formats._clues_sections import Draft, draft
from nonosat.formats._colours import ink as ink_of
from nonosat.formats._hold import able
from nonosat.formats._text import build, decode, fail, listed, plain, sound
from nonosat.puzzles.nonogram.data import BLACK, Nonogram

ORDERS = ("rows-first", "columns-first")
_ADVICE = "write a clue a line, 0 for an empty line, and no blank lines between the clues of a list"


class Choice(NamedTuple):
    """The format chosen for a text: its name, and a remark if the text does not determine it."""

    name: str
    remark: str = ""


@lru_cache(maxsize=1)
def _drafted(data: bytes) -> Draft:
    """Return the parts of a text; cached between the choice of its format and its reading."""
    return draft(spelled(undeclared(decode(data))))


def plausible(data: bytes) -> bool:
    """Return True if a text may hold clues: it has a digit or an empty list."""
    return re.search(rb"[0-9]|\[\s*\]", data) is not None and b"\0" not in data


def clear(data: bytes) -> bool:
    """Return True if a text is two lists of clues below headings, valid or not, without prose."""
    try:
        found = _drafted(data)
        readings = named(found)[0] if found.has_headings else []
    except FormatError:
        return False
    return any(
        not each.misfit or min(len(each.rows), len(each.columns)) > 1 for each in readings[:1]
    )


def choose(
    data: bytes,
    boards: Sequence[str] = (),
    rivals: Sequence[str] = (),
    counted: Sequence[str] = (),
) -> Choice:
    """Return the only format that can read a text.

    Args:
        data: The text.
        boards: Names of formats that read the text as a board of cells; headings exclude them.
        counted: Names of formats that read it as clues that begin with their number of blocks.
        rivals: Names of formats of boards that can read it, but are chosen only on request.

    Raises:
        FormatError: The text has no clues, or several readings; the message names them.
    """
    if _is_mk(data):
        return _mk(data)
    try:
        found = _drafted(data)
        if found.has_headings:
            return _by_headings(found)
        ways = [(order, each) for order, each in _ways(found) if not each.misfit]
    except FormatError:
        if not boards and not counted:
            raise
        ways = []
    if not ways and not boards and not counted:
        _unfit(found, rivals)
    boards = [*boards, *(rivals if ways or counted else ())]
    every: list[tuple[str, Reading | Puzzle]] = [*_boards(data, [*counted, *boards])]
    every += [(f"{order}:{each.board}", each) for order, each in ways]
    first = {_content(one): (name, one) for name, one in reversed(every)}
    different = [(name, one) for name, one in every if first[_content(one)] == (name, one)]
    names = [name for name, _ in different]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        _several([one for name, one in different if name == twice and isinstance(one, Reading)])
    if len(names) > 1:
        _refuse_several(data, different, counted)
    if not names:
        raise FormatError(f"no puzzle, read as {', '.join(boards)}")
    (name,) = names
    kind = "clues that begin with their number of blocks" if name in counted else "bare numbers"
    return Choice(name, "" if name in boards else f"{kind}, read as {name}")


def _by_headings(found: Draft) -> Choice:
    reading, only = _headed(found)
    ends = ", without empty clues for blank lines at the ends of a list"
    remark = f"clues, read as {_shown(reading)}{ends if found.loose else ''}"
    return Choice("clues", "" if only and not found.loose else remark)


def _boards(data: bytes, names: Sequence[str]) -> Iterator[tuple[str, Puzzle]]:
    """Yield (name, puzzle) for each of some formats that can read the text."""
    for name in names:
        with suppress(FormatError):
            yield name, sound(plugins.find("formats", name).read(data))[0]


def _content(one: Reading | Puzzle) -> object:
    """Return the data by which readings are compared: of a nonogram all except its goal."""
    puzzle = _puzzle(one) if isinstance(one, Reading) else one
    if isinstance(puzzle, Nonogram):
        return puzzle.rows, puzzle.columns, puzzle.colours
    return puzzle


def _refuse_several(
    data: bytes, found: Sequence[tuple[str, Reading | Puzzle]], counted: Sequence[str]
) -> NoReturn:
    """Refuse a text that formats read as different puzzles, and list them."""
    names = [name for name, _ in found]
    what = "clues without the headings 'rows' and 'columns'"
    if any(not isinstance(one, Reading) and name not in counted for name, one in found):
        what = "numbers that may be cells or clues"
    elif names[0] in counted:
        what = "lines that begin with their number of blocks"
    shown = "; ".join(
        f"{name.partition(':')[0]} is {_summary(one, name in counted)}" for name, one in found[:3]
    )
    raise FormatError(
        f"{what} that can be read in {len(names)} ways ({shown})",
        remedy=_read_as(*names, *_also(data, names)),
    )


def _summary(one: Reading | Puzzle, has_clues: bool) -> str:
    """Return the clues of a reading, or the size of a board, for a message."""
    if isinstance(one, Reading):
        return _shown(one)
    if isinstance(one, Nonogram) and has_clues:
        rows, columns = (map(plain, side[:12]) for side in (one.rows, one.columns))
        return f"rows {_cut(rows, one.height)}, columns {_cut(columns, one.width)}"
    return one.size


def _read_as(*names: str) -> Remedy:
    """Return the remedy for an error: to choose one of these formats."""
    return Remedy("set", "format", names)


def _is_mk(data: bytes) -> bool:
    """Return True if a text is two sizes, then numbers alone, and one line with a lone '#'."""
    numbers = re.search(rb"[^0-9\s#]", data.removeprefix(b"\xef\xbb\xbf")) is None
    marks = [line.strip() for line in data.splitlines() if b"#" in line]
    head = data.removeprefix(b"\xef\xbb\xbf").lstrip()[:100].splitlines()
    return numbers and marks == [b"#"] and bool(head) and len(head[0].split()) == 2


def _mk(data: bytes) -> Choice:
    (puzzle,) = mk.read(data)
    if not fits(puzzle.rows, puzzle.columns):
        fail("read as mk, the clues do not fit the board", 1, remedy=_read_as("mk"))
    return Choice("mk", "bare numbers, read as mk")


def _headed(found: Draft, requested: bool = False) -> tuple[Reading, bool]:
    """Return (reading of a text with headings, True if the syntax allows no other).

    Clues that contradict each other are accepted, and the verdict will be unsolvable. Clues that
    do not have the size that the text itself states are an error.

    Args:
        found: The text.
        requested: True if the user requested this format: clues of another size than stated are
            accepted, too, if they can be read in only one way.
    """
    readings, only = named(found)
    likely = [each for each in readings if each.misfit and each.misfit.kind == SUMS]
    readings = likely if len(likely) == 1 else readings
    misfit = readings[0].misfit
    if len(readings) > 1 and (requested or not misfit):
        _several(readings)
    is_short = min(len(readings[0].rows), len(readings[0].columns)) < 2  # as in "rows: 150"
    is_bad = misfit and (misfit.kind == SIZE or (misfit.kind == CROWDED and is_short))
    if misfit and not requested and (len(readings) > 1 or is_bad):
        more = "in one other way" if len(readings) == 2 else f"in {len(readings) - 1} other ways"
        others = f", nor {more} to read them; {_ADVICE}"
        message = f"clues that do not fit: {misfit.message}{others if len(readings) > 1 else ''}"
        error = (
            FormatError(message)
            if misfit.place is None
            else found.places.error(message, misfit.place)
        )
        error.remedy = _read_as("clues") if len(readings) == 1 else None
        raise error
    return readings[0], only


def _several(readings: Sequence[Reading]) -> NoReturn:
    ways = "; or ".join(map(_shown, readings[:2]))
    raise FormatError(f"clues that can be read in {len(readings)} ways: {ways}; {_ADVICE}")


def _ways(found: Draft) -> list[tuple[str, Reading]]:
    """Return (order, reading) for lists without headings: "rows-first" or "columns-first"."""
    readings = named(found)[0] if found.ambiguous_names else nameless(found)
    ways = [(ORDERS[0], each) for each in readings]
    if found.rows_first is None:
        ways += [(ORDERS[1], turned(found, each)) for each in readings]
    return ways


def _unfit(found: Draft, rivals: Sequence[str]) -> NoReturn:
    """Refuse lists without headings that fit in no way, and state the misfit of the first way."""
    ways = _ways(found)
    lists = 1 + sum(item.rank >= GAP for item in found.body.items[1:])
    if ways and (misfit := ways[0][1].misfit):
        reason = f"read with the rows first, {misfit.message}"
    elif lists > 2:
        reason = f"{lists} lists, expected two"
    else:
        reason = "one list of clues, expected a second one below a heading or a blank line"
    raise FormatError(
        f"numbers whose lines do not fit any size and order: {reason}",
        remedy=_read_as(*rivals, "nin", "mk", *ORDERS),
    )


def _also(data: bytes, names: Sequence[str]) -> list[str]:
    """Return [a remark] if one of the readings `names` is also that of the format .nin, else []."""
    try:
        puzzle = nin.read(data)[0]
    except FormatError:
        return []
    same = f"rows-first:{puzzle.height}x{puzzle.width}"
    return [f"nin (the same as {same})"] if same in names else []


def _shown(reading: Reading) -> str:
    return f"rows {_listed(reading.rows)}, columns {_listed(reading.columns)}"


def _listed(side: Clues) -> str:
    """Return the first clues of a list, for a message."""
    clues = (" ".join(f"{length}{ink}" for length, ink in clue[:12]) or "0" for clue in side[:12])
    return _cut(clues, len(side))


def _cut(clues: Iterable[str], num_clues: int) -> str:
    """Return the first twelve clues of a list as a message shows them.

    Args:
        clues: The first clues of the list.
        num_clues: Number of all its clues.
    """
    some = " | ".join(clues)
    return some if num_clues <= 12 and len(some) <= 60 else some[:57] + "..."


def read(data: bytes) -> list[Nonogram]:
    """Return the one puzzle of a text; clues below headings need not fit."""
    found = _drafted(data)
    if found.has_headings:
        _drafted.cache_clear()  # it may be large
        return [_puzzle(_headed(found, requested=True)[0])]
    return sound(plugins.find("formats", choose(data).name).read(data))


def _read_ordered(data: bytes, order: str, board: str = "") -> list[Nonogram]:
    """Return the one puzzle of a text in a requested order.

    Args:
        data: The file.
        order: "rows-first" or "columns-first".
        board: "HEIGHTxWIDTH", or empty.

    Raises:
        FormatError: The text has no such reading, or several; the message names them.
    """
    found = _drafted(data)
    _drafted.cache_clear()
    if found.rows_first is not None and found.rows_first != (order == ORDERS[0]):
        remark = ORDERS[not found.rows_first]
        fail(f"the text states that it is {remark}", 1, remedy=_read_as("clues"))
    if found.has_headings:
        return [_puzzle(_headed(found, requested=True)[0])]
    every = [each for name, each in _ways(found) if name == order]
    matching = [each for each in every if not board or each.board == board]
    fitting = [each for each in matching if not each.misfit]
    matching = fitting if fitting and len(matching) > 1 else matching
    boards = list(dict.fromkeys(each.board for each in matching))
    if len(boards) > 1:
        names = [f"{order}:{each}" for each in boards]
        problem = "two sizes fit these numbers" if fitting else "no boards that fit these numbers"
        raise FormatError(problem, remedy=_read_as(*names))
    if len(matching) > 1:
        _several(matching)
    if not matching:
        expected = f"{order} {board}".strip()
        raise FormatError(
            f"no two lists of clues as {expected} requests; boards that fit: "
            f"{listed(each.board for each in every)}; expected two lists with a blank line "
            "between, or two sizes, then a clue a line (0 for an empty one)"
        )
    return [_puzzle(matching[0])]


def _puzzle(reading: Reading) -> Nonogram:
    lines = (*reading.rows, *reading.columns)
    letters = sorted({ink for clue in polled(lines) for _, ink in clue} - {""})
    plain = not letters or any(not ink for clue in polled(lines) for _, ink in clue)
    inks = {"": BLACK} if plain else {}
    inks |= {letter: ink_of(letter) for letter in letters}
    numbers = {letter: number for number, letter in enumerate(inks, 1)}
    known = {
        block: Block(block.length, numbers[block.ink]) for clue in polled(lines) for block in clue
    }
    return build(
        None,
        rows=tuple(tuple(map(known.__getitem__, clue)) for clue in reading.rows),
        columns=tuple(tuple(map(known.__getitem__, clue)) for clue in reading.columns),
        colours=tuple(inks.values()),
    )


def write(puzzles: Sequence[Puzzle]) -> bytes:
    """Refuse to write: these names only define how to read."""
    raise UnsupportedError(
        f"clues, {' and '.join(ORDERS)} are only for reading; these can be written: {able(puzzles)}"
    )


def _with_board(order: str, board: str) -> Format:
    """Return the format for one order that reads only boards of this size."""
    if not re.fullmatch(r"[0-9]{1,9}x[0-9]{1,9}", board):
        raise UnsupportedError(f"the board {board!r}, expected HEIGHTxWIDTH, e.g. {order}:3x4")
    return PLUGINS[order].replaced(read=partial(_read_ordered, order=order, board=board))


PLUGINS = {
    "clues": Format(
        summary="read only: lists of clues below headings, as texts, pages, Python and JSON have "
        "them",
        holds=FormatCapabilities(inks=53, clues=False),
        read=read,
        write=write,
    ),
} | {
    order: Format(
        summary="read only: clues without headings in this order; rows-first:3x4 sets the board",
        with_argument=partial(_with_board, order),
        holds=FormatCapabilities(inks=53, clues=False),
        read=partial(_read_ordered, order=order),
        write=write,
    )
    for order in ORDERS
}
