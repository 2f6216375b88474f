"""Numbered lines of a text, and the clues written on them, with exact positions in errors.

Invariant: a file may have millions of lines; nothing here makes an object for each of them.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import compress
from typing import NamedTuple, overload

from nonosat import _core
from nonosat.core.errors import counted
from nonosat.core.limits import checkpoint, polled
from nonosat.core.model import Block, Clue
from nonosat.formats._text import MAX_DIGITS, fail, listed, no_number, number, shorten, sized

WORDS = re.compile(r"\S+")
ONE_INK: Mapping[str, int] = {"": 1}

_ITEM = re.compile(r"([0-9]+)([^0-9\s]?)")


class Numbered(NamedTuple):
    """A line of a file; `line` counts from 1."""

    line: int
    text: str

    @property
    def blank(self) -> bool:
        return not self.text.strip()


class NumberedLines(Sequence[Numbered]):
    """Lines of a text, and their numbers.

    Args:
        texts: The lines.
        numbers: Number of each line, from 1.
    """

    __slots__ = ("numbers", "texts")

    def __init__(self, texts: list[str], numbers: Sequence[int]) -> None:
        self.texts = texts
        self.numbers = numbers

    def __len__(self) -> int:
        return len(self.texts)

    @overload
    def __getitem__(self, at: int) -> Numbered: ...

    @overload
    def __getitem__(self, at: slice) -> NumberedLines: ...

    def __getitem__(self, at: int | slice) -> Numbered | NumberedLines:
        if isinstance(at, slice):
            return NumberedLines(self.texts[at], self.numbers[at])
        return Numbered(self.numbers[at], self.texts[at])

    def __iter__(self) -> Iterator[Numbered]:
        return iter(polled(map(Numbered, self.numbers, self.texts)))

    def full(self) -> NumberedLines:
        """Return the lines that are not blank."""
        texts = list(filter(str.strip, self.texts))
        if len(texts) == len(self.texts):
            return self
        return NumberedLines(texts, array("I", compress(self.numbers, map(str.strip, self.texts))))

    def trimmed(self) -> NumberedLines:
        """Return the lines without blank ones at both ends."""
        start, stop = 0, len(self)
        while start < stop and not self.texts[start].strip():
            start += 1
        while start < stop and not self.texts[stop - 1].strip():
            stop -= 1
        return self if stop - start == len(self) else self[start:stop]

    def of(self, texts: list[str]) -> NumberedLines:
        """Return the given texts as lines with the numbers of this object's lines."""
        return NumberedLines(texts, self.numbers)


def numbered(text: str, first: int = 1) -> NumberedLines:
    """Return the lines of `text`; a last line break ends a line and begins none.

    Args:
        text: The text.
        first: Number of its first line.
    """
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return NumberedLines(lines, range(first, first + len(lines)))


def uncommented(lines: NumberedLines) -> Iterator[Numbered]:
    """Yield the lines that are neither blank nor comments, without blanks at their ends."""
    for line in lines:
        if not line.blank and not line.text.startswith("#"):
            yield Numbered(line.line, line.text.rstrip())


@lru_cache(maxsize=4096)
def _item(text: str, colour: int) -> Block | None:
    """Return the block of `text` (digits only), if its length is valid."""
    digits = text.lstrip("0")
    return Block(int(digits), colour) if 0 < len(digits) <= MAX_DIGITS else None


def clue(
    line: Numbered,
    inks: Mapping[str, int] = ONE_INK,
    words: re.Pattern[str] = WORDS,
    start: int = 0,
) -> Clue:
    """Return the clue written on a line; nothing or a single 0 is the empty clue.

    Args:
        line: The text and its number.
        inks: Colour by the character after a length; "" is the key for a length without one.
        words: Pattern that finds the items.
        start: Number of characters of the line before the text.

    Raises:
        FormatError: A length that is not a whole number above 0, or an undefined colour.
    """
    if line.text.strip() == "0":
        return ()
    return tuple(
        _block(found[0], start + found.start() + 1, line.line, inks)
        for found in polled(words.finditer(line.text))
    )


def _block(text: str, column: int, line: int, inks: Mapping[str, int]) -> Block:
    parts = _ITEM.fullmatch(text)
    if parts is None:
        no_number(text, "block length", line, column)
    if parts[2] not in inks:
        named = [repr(ink) for ink in inks if ink]
        known = listed(named) if named else "none: this text has one colour"
        fail(f"the block {shorten(text)} has an undefined colour; defined: {known}", line, column)
    block = _item(parts[1], inks[parts[2]])
    if block is not None:
        return block
    if not parts[1].strip("0"):
        fail("a block of length 0, expected 1 or more; an empty line is a single 0", line, column)
    return fail(f"a block of more than {MAX_DIGITS} digits is longer than any line", line, column)


def clues(
    lines: NumberedLines,
    inks: Mapping[str, int] = ONE_INK,
    gaps: str = "",
    other: Callable[[Numbered], Clue] | None = None,
) -> tuple[Clue, ...]:
    """Return the clue of each line, as `clue` reads it, a hundred times as fast.

    Args:
        lines: The lines.
        inks: Colour by the character after a length; "" is the key for a length without one.
        gaps: Characters, other than blanks, one of which may be between two lengths.
        other: Reads a line in another form, or refuses it; `clue` by default.

    Raises:
        FormatError: As `clue` does.
    """

    def slowly(at: int) -> Clue:
        checkpoint()
        return other(lines[at]) if other else clue(lines[at], inks)

    return _core.text_clues(lines.texts, dict(inks), gaps, Block, slowly)


def clue_lines(block: NumberedLines, count: int, what: str, line: int) -> NumberedLines:
    """Return the `count` lines of `block` that are clues.

    Blank lines are ignored if that leaves exactly `count`; if it leaves fewer, a blank
    line is an empty clue.

    Args:
        block: Lines up to the next keyword or the end of the file.
        count: Expected number of clues.
        what: Name of the clues in messages, e.g. "row clues".
        line: First line of the block, for the message.

    Raises:
        FormatError: There are fewer or more clues than `count`.
    """
    full = block.full()
    if len(full) == count:
        return full
    if len(full) < count <= len(block) and not block[count:].full():
        return block[:count]
    where = full[count].line if len(full) > count else line
    return fail(f"{len(full)} {what}, expected {count}; an empty line is written 0", where)


def header(lines: Sequence[Numbered], names: tuple[str, str]) -> tuple[dict[str, int], int]:
    """Return the two sizes on the first line that is not blank, and the index of the next line.

    Args:
        lines: The whole file.
        names: "width" and "height" in the order of the format.

    Raises:
        FormatError: There are not two sizes, or the board is too large.
    """
    expected = f"expected the {names[0]} and the {names[1]}, e.g. '5 10'"
    index = next((at for at, line in enumerate(lines) if not line.blank), None)
    if index is None:
        fail(f"the file is empty, {expected}")
    first = lines[index]
    found = list(WORDS.finditer(first.text))
    if len(found) != 2:
        fail(f"{counted(len(found), 'word')} on the first line, {expected}", first.line)
    values = [number(each[0], "size", first.line, each.start() + 1) for each in found]
    sizes = dict(zip(names, values, strict=True))
    sized(sizes["height"], sizes["width"], first.line)
    return sizes, index + 1
