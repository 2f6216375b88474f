"""The numbers of a list of clues, and every way to cut it into clues.

Separators have ranks, from the highest: line break, bar, semicolon, slash, comma, blank, full stop
or hyphen between two digits. A cut is a rank: separators of this rank or above are between clues,
lower ones between the blocks of a clue. Brackets and quotes are unambiguous. Time is linear in the
list, for each of at most seven cuts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from string import ascii_letters
from typing import NamedTuple

from nonosat.core.errors import FormatError
from nonosat.formats._clues_lexer import Token
from nonosat.formats._text import MAX_DIGITS, position, shorten

DOT, SPACE, COMMA, SLASH, SEMICOLON, BAR, NEWLINE, GAP, RULE = range(1, 10)
_RANKS = {",": COMMA, "/": SLASH, ";": SEMICOLON, "|": BAR}
_SIGNS = ["", ".", " ", ", ", "/", ";", "|", " ", " ", " "]
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_MAX_DEPTH = 3  # a puzzle is a list of two lists of clues
VOID = ""  # a clue without blocks, instead of a number

Lengths = tuple[str, ...]  # the text of a block: "3", or "3a" in colour


class ListItem(NamedTuple):
    """Item of a list: a number ("3", "3a"), `VOID`, or a list in brackets.

    `rank` is that of the separator before the item; that of a first item has no meaning. `tight` is
    True if a comma or slash without blanks precedes the item.
    """

    value: str | Body
    rank: int
    place: int
    tight: bool = False


@dataclass(slots=True)
class Body:
    """A list of numbers between two headings, or in brackets."""

    items: list[ListItem] = field(default_factory=list)
    gaps: dict[int, int] = field(default_factory=dict)  # blank lines before an item
    opened: str = ""
    place: int = 0
    grouped: bool = False  # True if it contains brackets
    soft: bool = False  # True if it continues over lines that each end with a separator
    hard: bool = False  # True if a line ends without one

    @property
    def ranks(self) -> set[int]:
        """Return the ranks of the separators between the items of the list."""
        return {item.rank for item in self.items[1:]}


class Places:
    """Positions in the text, for errors."""

    def __init__(self, text: str) -> None:
        self.text = text

    def error(self, message: str, place: int) -> FormatError:
        """Return the error with line and column of a place in the text."""
        line, column = position(self.text, place)
        return FormatError(message, line=line, column=column)

    def line(self, place: int) -> int:
        return position(self.text, place)[0]


def misplaced(words: Token, places: Places) -> FormatError:
    """Return the error for words in the position of a clue."""
    return places.error(
        f"{shorten(words.text)} among clues, expected numbers (0 for an empty line) and headings "
        "such as 'rows:'; leave words out, or put a blank line between them and the list",
        words.place,
    )


class Builder:
    """Builder of one list from tokens; `wrapped` is the number of brackets opened before it."""

    def __init__(self, places: Places, wrapped: int = 0) -> None:
        self.places = places
        self.wrapped = wrapped
        self.stack = [Body()]
        self.rank = 0
        self.blank_lines = 0
        self.separator = ""  # the last separator since an item
        self.spaced = False  # True if there were blanks since an item
        self.ended: Token | None = None  # the closing bracket of one opened before the list

    def build(self, tokens: Sequence[Token]) -> Body:
        """Return the list that the tokens form.

        Raises:
            FormatError: A token is not a part of a list; with line and column.
        """
        for at, token in enumerate(tokens):
            if self.ended and token.kind not in ("newline", "gap", "blank", "close", "separator"):
                raise self.error("after the end of a list", token)
            if token.kind in ("number", "void"):
                self._add(VOID if token.kind == "void" else token.text, token)
            elif token.kind in ("blank", "newline", "gap", "rule"):
                self._space(token)
            elif token.kind == "separator":
                self._separate(token)
            elif token.kind in ("dot", "dash"):
                self._mark(tokens, at)
            elif token.kind in ("open", "close", "quote"):
                self._bracket(token)
            else:
                raise self.error("among clues", token)
        if len(self.stack) > 1:
            last = self.stack[-1]
            closing = _CLOSING.get(last.opened, last.opened)
            raise self.places.error(f"{last.opened!r} without its {closing!r}", last.place)
        if self.separator in ("/", ";") and self._has_voids():
            self._add(VOID, tokens[-1])
        return self.stack[0]

    def error(self, where: str, token: Token) -> FormatError:
        """Return the error for a misplaced token."""
        if token.kind == "array":
            return self.places.error(
                "an array of MiniZinc, '[|': its numbers may be cells or blocks; expected lists "
                "of block lengths such as [[2, 1], [3]]",
                token.place,
            )
        if token.kind in ("words", "mixed"):
            return misplaced(token, self.places)
        advice = "expected numbers, separators, brackets and headings such as 'rows:'"
        return self.places.error(f"{shorten(token.text)} {where}, {advice}", token.place)

    def _add(self, value: str | Body, token: Token) -> None:
        body = self.stack[-1]
        if self.blank_lines and body.items:
            body.gaps[len(body.items)] = self.blank_lines
        tight = self.rank in (COMMA, SLASH) and not self.spaced
        body.items.append(ListItem(value, self.rank, token.place, tight))
        body.grouped = body.grouped or isinstance(value, Body)
        if len(body.items) > 1 and self.rank >= NEWLINE:
            body.hard = body.hard or not self.separator
            body.soft = not body.hard
        self.rank, self.blank_lines, self.separator, self.spaced = 0, 0, "", False

    def _has_voids(self) -> bool:
        return any(item.value == VOID for item in self.stack[0].items)

    def _space(self, token: Token) -> None:
        rank = {"blank": SPACE, "newline": NEWLINE, "gap": GAP, "rule": RULE}[token.kind]
        self.rank = max(self.rank, rank)
        self.spaced = True
        self.blank_lines += token.kind == "gap"

    def _separate(self, token: Token) -> None:
        rank = _RANKS[token.text]
        first = not self.stack[-1].items and not self.separator
        repeated = self.separator == token.text or (first and token.text in "/;")
        if repeated and token.text != "|" and not (self.ended or self.rank >= NEWLINE):
            self._add(VOID, token)
        elif first and token.text == ",":
            raise self.error("before the first clue", token)
        self.separator = token.text
        self.rank = max(self.rank, rank)

    def _mark(self, tokens: Sequence[Token], at: int) -> None:
        """Read a full stop or hyphen: a separator, the end of a line, or an empty clue."""
        token = tokens[at]
        before = tokens[at - 1].kind if at else "newline"
        after = tokens[at + 1].kind if at + 1 < len(tokens) else "newline"
        if before == "number" == after:
            self.rank = max(self.rank, DOT)
        elif token.kind == "dash" and before != "number" and after != "number":
            self._add(VOID, token)
        elif token.kind == "dot" and before in ("number", "close") and after in ("newline", "gap"):
            pass
        elif token.kind == "dash" and after == "number":
            found = token.text + tokens[at + 1].text
            raise self.error("is a negative number", token._replace(text=found))
        else:
            raise self.error("among clues", token)

    def _bracket(self, token: Token) -> None:
        body = self.stack[-1]
        closes = token.kind == "close" or (token.kind == "quote" and body.opened == token.text)
        if not closes:
            if len(self.stack) > _MAX_DEPTH:
                raise self.places.error(
                    f"{token.text!r} opens a list too deep in others, expected lists of clues",
                    token.place,
                )
            self.stack.append(Body(opened=token.text, place=token.place))
            body.gaps[-1] = self.rank  # separator between the list and the item before it
            self.rank, self.blank_lines, self.separator, self.spaced = 0, 0, "", False
            return
        if len(self.stack) == 1:
            if not self.wrapped:
                opening = next(
                    (sign for sign, other in _CLOSING.items() if other == token.text), ""
                )
                raise self.places.error(f"{token.text!r} without its {opening!r}", token.place)
            self.wrapped -= 1
            self.ended = token
            return
        if token.text != _CLOSING.get(body.opened, body.opened):
            raise self.places.error(
                f"{token.text!r} where {body.opened!r} is open, expected its "
                f"{_CLOSING.get(body.opened, body.opened)!r}",
                token.place,
            )
        self.stack.pop()
        self.rank = self.stack[-1].gaps.pop(-1)
        if self.stack[-1].items:
            self.rank = max(self.rank, SPACE)
        self._add(body, token._replace(place=body.place))


def unwrapped(body: Body) -> Body:
    """Return the list without brackets that enclose all of it."""
    while len(body.items) == 1 and isinstance(body.items[0].value, Body):
        inner = body.items[0].value
        if not inner.grouped and body.opened:
            break  # [[2, 1, 2]] is a list of one clue
        body = inner
    return body


def variants(body: Body) -> list[Body]:
    """Return the list, and its reading with blanks between clues: "2 5 2,1" is ambiguous."""
    tight = any(item.tight for item in body.items)
    loose = any(item.rank in (COMMA, SLASH) and not item.tight for item in body.items[1:])
    if body.grouped or not tight or loose or SPACE not in body.ranks:
        return [body]
    turned = [item._replace(rank=DOT) if item.tight else item for item in body.items]
    return [body, replace(body, items=turned)]


def cuts(*bodies: Body) -> list[int]:
    """Return the separator ranks at which lists written alike can be cut into clues, best first.

    If all separators are of one kind, there are none. If a list has several kinds, the lowest is
    not returned, because then every clue would have one block.
    """
    flat = [body for body in bodies if not body.grouped]
    several = [_cuttable(body)[:-1] if body.soft else _cuttable(body) for body in flat]
    inner = [ranks[0] for ranks in several if len(ranks) > 1]
    return [rank for rank in _cuttable(*flat)[1:] if all(rank > each for each in inner)]


def _cuttable(*bodies: Body) -> list[int]:
    """Return the distinct ranks of the separators in lists, ascending.

    All ranks from NEWLINE on count as NEWLINE.
    """
    return sorted({min(rank, NEWLINE) for body in bodies for rank in body.ranks})


def own_cuts(body: Body) -> list[int]:
    """Return the separator ranks at which one list can be cut into clues, regardless of others."""
    ranks = [] if body.grouped else _cuttable(body)
    if len(ranks) > 1:
        return ranks[1:]
    # Numbers in a line with equal separators between them may be one clue.
    return [*ranks, *([] if ranks and ranks[0] >= NEWLINE else [RULE + 1])]


def clues(body: Body, cut: int, blanks: bool, places: Places) -> list[Lengths]:
    """Return the clues of a list, cut at separators of the rank `cut` and above.

    Args:
        body: The list.
        cut: Separators of this rank and above are between clues.
        blanks: True if blank lines are empty clues.
        places: Positions in the text, for errors.

    Raises:
        FormatError: Zeros among blocks, lists in lists, or other content that no clue has.
    """
    found = list(_grouped(body, places) if body.grouped else _cut(body, cut, blanks, places))
    return _padded(found)


def one_clue(body: Body, places: Places) -> Lengths:
    """Return the only clue of a list, with or without brackets.

    Raises:
        FormatError: The list has several clues.
    """
    body = unwrapped(body)
    if body.items and NEWLINE in body.ranks:
        second = next(item for item in body.items[1:] if item.rank >= NEWLINE)
        raise places.error(
            "a second line of numbers, expected one clue after a label", second.place
        )
    (clue,) = _padded([_flat(body, places)])
    return clue


def _grouped(body: Body, places: Places) -> Iterator[Lengths]:
    """Yield a clue for each pair of brackets and each number outside of brackets."""
    for at, item in enumerate(body.items):
        if isinstance(item.value, Body):
            yield _flat(item.value, places)
        elif at and item.rank < COMMA:
            message = (
                f"{shorten(item.value)} next to a list, expected a comma or a line break between"
            )
            raise places.error(message, item.place)
        else:
            yield (item.value,) if item.value else ()


def _flat(body: Body, places: Places) -> Lengths:
    """Return the numbers of a list that is one clue."""
    if body.grouped:
        raise places.error("a list too deep in others, expected a clue of numbers", body.place)
    if len(body.ranks) > 1:
        written = "".join(_SIGNS[item.rank] + str(item.value) for item in body.items)
        message = f"the clue {shorten(written.strip())} with two kinds of separators, expected one"
        raise places.error(message, body.place)
    return _clue(body.items, places)


def _cut(body: Body, cut: int, blanks: bool, places: Places) -> Iterator[Lengths]:
    held: list[ListItem] = []
    for at, item in enumerate(body.items):
        if at and item.rank >= cut:
            yield _clue(held, places)
            held = []
            if blanks:
                yield from [()] * body.gaps.get(at, 0)
        held.append(item)
    if held:
        yield _clue(held, places)


def _clue(items: Sequence[ListItem], places: Places) -> Lengths:
    void = next((item for item in items if item.value == VOID), None)
    if void is None:
        return tuple(str(item.value) for item in items)
    if len(items) > 1:
        raise places.error(
            "a sign for an empty line next to blocks, expected one of them", void.place
        )
    return ()


def _is_zero(length: str) -> bool:
    return not length.strip("0")


def _padded(found: list[Lengths]) -> list[Lengths]:
    """Return the clues without zeros: those that pad clues to equal length, and lone ones."""
    lengths = {len(clue) for clue in found}
    if len(found) > 1 and len(lengths) == 1 and lengths != {1}:
        packed = [tuple(each for each in clue if not _is_zero(each)) for clue in found]
        tails = all(clue[: len(one)] == one for clue, one in zip(found, packed, strict=True))
        heads = all(
            clue[len(clue) - len(one) :] == one for clue, one in zip(found, packed, strict=True)
        )
        if heads or tails:
            return packed
    return [() if len(clue) == 1 and _is_zero(clue[0]) else clue for clue in found]


def unterminated(*lists: list[Lengths]) -> tuple[list[Lengths], ...]:
    """Return the lists without the 0 at the end of each clue, if all clues end in 0."""
    every = [clue for found in lists for clue in found if clue]
    if any(len(clue) > 1 for clue in every) and all(_is_zero(clue[-1]) for clue in every):
        return tuple([clue[:-1] for clue in found] for found in lists)
    return lists


def is_sound(length: str) -> bool:
    """Return True if a number is above 0 and can be the length of a block."""
    return (
        re.fullmatch(r"0*[1-9][0-9]*[A-Za-z]?", length) is not None
        and len(length.lstrip("0").rstrip(ascii_letters)) <= MAX_DIGITS
    )


def place_of(body: Body, cut: int, blanks: bool, number: int) -> int | None:
    """Return the position in the text of the clue with a number, from 0; None if it has no text."""
    at = -1
    for index, item in enumerate(body.items):
        if body.grouped or not index or item.rank >= cut:
            at += 1 + (blanks and index > 0 and body.gaps.get(index, 0))
        if at == number:
            return item.place
    return None
