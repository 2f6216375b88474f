"""Names of rows, columns, cells and clues in sentences for people.

Rows and columns count from 1 in sentences and in options of commands, from 0 in Python and in JSON:
every function here takes numbers from 0 and names them from 1.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice

from nonosat.core.errors import shown
from nonosat.core.model import MAX_LENGTH, AnyBlocks, Block, BlockOf, Entry

SHOWN_BLOCKS = 8  # blocks of a clue; longer clues are shortened
SHOWN_CELLS = 10  # cells of a list


def cell_text(row: int, column: int) -> str:
    """Return the name of a cell or square: "row 3, column 5"."""
    return f"row {shown(row + 1)}, column {shown(column + 1)}"


def cells_text(cells: Collection[tuple[int, ...]], most: int = SHOWN_CELLS) -> str:
    """Return cells, or other places, as options of commands take them: "3,5 3,6 and 7 more"."""
    text = " ".join(place_text(cell) for cell in islice(cells, most))
    more = len(cells) - most
    return f"{text} and {more} more" if more > 0 else text


def place_text(place: Sequence[int]) -> str:
    """Return a place as options take it: a square "3,5", an edge "3,5-4,5", other numbers "7"."""
    if len(place) == 4:
        return f"{place_text(place[:2])}-{place_text(place[2:])}"
    from_one = [number + 1 for number in place[:2]] if len(place) > 1 else place
    return ",".join(map(str, (*from_one, *place[2:])))


def line_text(line: int, height: int) -> str:
    """Return the name of a line by its number, rows first: "row 3", "column 5"."""
    return f"row {line + 1}" if line < height else f"column {line - height + 1}"


def entry_text(entry: Entry) -> str:
    """Return an entry of a clue without its colour: "3", "?", "3/5", "2-4", "6+", or "*"."""
    match entry:
        case AnyBlocks():
            return "*"
        case Block(length):
            return "?" if length is None else str(length)
        case BlockOf(range() as lengths):
            last = lengths[-1]
            return f"{lengths[0]}+" if last == MAX_LENGTH else f"{lengths[0]}-{last}"
        case BlockOf(lengths):
            return "/".join(map(str, lengths))


def clue_text(blocks: Iterable[tuple[int | None, int]], signs: str = "") -> str:
    """Return blocks (length, colour) in one line: "3 1", "2r 4b", "? 1", or "0" for none.

    Args:
        blocks: A clue, or the runs of a picture.
        signs: Sign of each colour by index; "" if a single colour needs no sign.
    """
    parts = (
        ("?" if length is None else str(length)) + (signs and signs[colour])
        for length, colour in blocks
    )
    return " ".join(parts) or "0"


def short_clue_text(blocks: Sequence[tuple[int | None, int]], signs: str = "") -> str:
    """Return a clue for a sentence; a long one is cut, with its number of blocks."""
    if len(blocks) <= SHOWN_BLOCKS:
        return clue_text(blocks, signs)
    return f"{clue_text(blocks[:SHOWN_BLOCKS], signs)} ..., {len(blocks)} blocks"


def line_with_clue(
    line: int, height: int, clue: Sequence[tuple[int | None, int]], signs: str = ""
) -> str:
    """Return the name of a line with its clue: "row 28 (clue 40)"."""
    return f"{line_text(line, height)} (clue {short_clue_text(clue, signs)})"


def value_text(value: int, signs: str = "") -> str:
    """Return the value of a cell in words: "empty", "filled", or a colour's sign."""
    if not value:
        return "empty"
    return repr(signs[value]) if signs else "filled"


def corner_text(row: int, column: int, height: int, width: int) -> str:
    """Return the name of a corner of the lattice around the cells, by a cell that it belongs to."""
    side = "upper" if row < height else "lower"
    end = "left" if column < width else "right"
    return f"the {side} {end} corner of {cell_text(min(row, height - 1), min(column, width - 1))}"


def listed(items: Sequence[str]) -> str:
    """Join items as an enumeration: "a", "a and b", "a, b and c"."""
    return " and ".join([", ".join(items[:-1]), items[-1]]) if len(items) > 1 else "".join(items)


def spans(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and last number of each run of consecutive numbers, ascending."""
    first = last = None
    for number in sorted(numbers):
        if last is not None and number == last + 1:
            last = number
            continue
        if first is not None and last is not None:
            yield first, last
        first = last = number
    if first is not None and last is not None:
        yield first, last


def lines_listed(lines: Iterable[int], height: int) -> str:
    """Return the names of lines: "row 4", "rows 1 and 3-5 and column 2"."""
    every = sorted(lines)
    kinds = (
        ("row", [line for line in every if line < height]),
        ("column", [line - height for line in every if line >= height]),
    )
    return " and ".join(_of_kind(kind, numbers) for kind, numbers in kinds if numbers)


def _of_kind(kind: str, numbers: list[int]) -> str:
    return f"{kind if len(numbers) == 1 else f'{kind}s'} {ranged(numbers)}"


def ranged(numbers: Iterable[int]) -> str:
    """Return numbers from 0 as ranges from 1: "1 and 3-5"."""
    stretches = spans(number + 1 for number in numbers)
    return listed([str(a) if a == b else f"{a}-{b}" for a, b in stretches])


def sentence(text: str) -> str:
    """Return a clause as a sentence, with a capital letter and a full stop."""
    return f"{text[0].upper()}{text[1:]}."
