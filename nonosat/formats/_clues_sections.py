"""Division of a free text into its list of rows and its list of columns, or into unnamed lists.

A heading begins a list; a label ("Row 3:") begins one clue. Words without digits may precede the
lists, or follow them after a separator. Words with digits are accepted only before the first
heading. Time is linear.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

from nonosat.core.errors import counted
from nonosat.core.grid import MAX_CELLS
from nonosat.core.limits import polled
from nonosat.formats._clues_lexer import Token, lex, list_names
from nonosat.formats._clues_lists import (
    GAP,
    Body,
    Builder,
    Lengths,
    ListItem,
    Places,
    misplaced,
    one_clue,
)
from nonosat.formats._clues_words import COLUMNS, ROWS, SIDES, reversed_direction, size_of
from nonosat.formats._text import shorten

_SPACE = ("blank", "newline", "gap", "rule")
_WORDS = ("words", "equals")
_DIVIDING = ("gap", "rule")
_LIGHT = ("blank", "quote", "separator", "close")


class Sizes(NamedTuple):
    """Sizes of the board in the text; None if it states none."""

    height: int | None = None
    width: int | None = None
    pair: tuple[int, ...] = ()  # both, in an unknown order
    place: int = 0

    def refusal(self, height: int, width: int) -> str | None:
        """Return a message if a board of this size differs from the sizes in the text, or None."""
        for name, stated, found in (("height", self.height, height), ("width", self.width, width)):
            if stated not in (None, found):
                lines = ROWS if name == "height" else COLUMNS
                return f"the {name} is {stated}, but there {_are(found, lines[:-1])}"
        if self.pair and sorted(self.pair) != sorted((height, width)):
            one, other = self.pair
            return (
                f"the size is {one}x{other}, but there {_are(height, 'row')} and "
                f"{counted(width, 'column')}"
            )
        return None


def _are(number: int, noun: str) -> str:
    return f"{'is' if number == 1 else 'are'} {counted(number, noun)}"


@dataclass(slots=True)
class Draft:
    """A text split into its parts.

    `named` has the lists below headings: either tokens that must still be cut into clues, or clues
    that had labels. `body` has the tokens that follow no heading.
    """

    places: Places
    sizes: Sizes
    named: dict[str, Body | list[Lengths]] = field(default_factory=dict)
    body: Body = field(default_factory=Body)
    rows_first: bool | None = None  # set by headings or a convention
    ambiguous_names: tuple[
        str, ...
    ] = ()  # the names of both lists if they do not determine the rows
    loose: bool = False  # True if an end of a list may be an empty clue

    @property
    def has_headings(self) -> bool:
        """True if headings determine which list has the rows."""
        return bool(self.named) and not self.ambiguous_names


class _Section(NamedTuple):
    side: str
    label: int | None
    head: Token
    tokens: list[Token]
    words: str = ""  # description of the content if there are no clues


def draft(text: str) -> Draft:
    """Return the parts of a text.

    Raises:
        FormatError: A token is neither clue nor heading, or a list is missing or occurs twice.
    """
    _check_direction(text)
    tokens, sizes = _sized(lex(text), Places(text))
    heads = _heads(tokens)
    ambiguous_names: tuple[str, ...] = ()
    if not heads and (ambiguous_names := _two_names(text)):
        tokens, sizes = _sized(
            lex(text, dict(zip(ambiguous_names, SIDES, strict=True))), Places(text)
        )
        heads = _heads(tokens)
    found = Draft(Places(text), sizes, ambiguous_names=ambiguous_names if heads else ())
    if not heads:
        found.body = _built(tokens, found.places)
        marks = [token.text for token in tokens if token.kind == "rule"]
        found.rows_first = True if marks == ["&"] else None  # the format of Makhorin
        return found
    _side_by_side(tokens, heads, found.places)
    wrapped = _wrapped(tokens[: heads[0]])
    unnamed = [token for token in tokens[: heads[0]] if token.kind not in ("mixed", "equals")]
    unnamed = [token for token in unnamed if token.kind != "words" and token.kind != "open"]
    sections = _sections(tokens, heads)
    for side in (ROWS, COLUMNS):
        _name(found, side, [each for each in sections if each.side == side], wrapped)
    if any(token.kind == "number" for token in unnamed):
        if len(found.named) == 1:
            _check_front(tokens[: heads[0]], found.places)
        _in_front(found, unnamed)
    _complete(found, sections)
    found.loose = _has_loose_ends(
        [tokens[at + 1 : end] for at, end in pairwise([*heads, len(tokens)])]
    )
    first = next(each.side for each in sections if each.tokens or each.label is not None)
    found.rows_first = None if ambiguous_names else (first == ROWS) != bool(found.body.items)
    return found


def _heads(tokens: Sequence[Token]) -> list[int]:
    """Return the indices of headings and labels among the tokens."""
    return [at for at, token in enumerate(tokens) if token.kind in ("head", "label")]


def _two_names(text: str) -> tuple[str, ...]:
    """Return the names of two lists that are no headings: "x" and "y" of "x = [[2]], y = [[2]]"."""
    names = tuple(name for name in dict.fromkeys(list_names(text)) if not size_of([name]))
    return names if len(names) == 2 else ()


def _check_direction(text: str) -> None:
    """Refuse lists or clues that run from the right or from the bottom."""
    if found := reversed_direction(text):
        raise Places(text).error(
            f"clues in the direction {shorten(found[0])}, expected left to right and top to "
            "bottom; turn the lists or clues round and leave these words out",
            found.start(),
        )


def _sized(tokens: list[Token], places: Places) -> tuple[list[Token], Sizes]:
    """Return the tokens without sizes, and the sizes."""
    sizes = Sizes()
    kept: list[Token] = []
    after = False
    for at, token in enumerate(tokens):
        if token.kind == "size":
            if token.text[0].isdigit() and _is_next_to_number(tokens, at):
                raise places.error(
                    f"the size {shorten(token.text)} next to numbers, expected it on a line of its "
                    "own, or after the word 'size'",
                    token.place,
                )
            sizes = _with(sizes, token, places)
            while kept and (kept[-1].kind == "blank" or kept[-1].text == ","):
                kept.pop()
            after = True
        elif not (after and token.kind in ("blank", "separator", "equals")):
            kept.append(token)
            after = False
    sides = sizes.pair or (sizes.height or 0, sizes.width or 0)
    if sides[0] * sides[1] > MAX_CELLS:
        message = f"a board of {sides[0]} x {sides[1]} cells, expected at most {MAX_CELLS:,}"
        raise places.error(message, sizes.place)
    return kept, sizes


def _is_next_to_number(tokens: Sequence[Token], at: int) -> bool:
    """Return True if a number is next to the token at an index, blanks and commas aside."""
    for step in (-1, 1):
        near = at + step
        while 0 <= near < len(tokens) and (
            tokens[near].kind == "blank" or tokens[near].text == ","
        ):
            near += step
        if 0 <= near < len(tokens) and tokens[near].kind == "number":
            return True
    return False


def _with(sizes: Sizes, token: Token, places: Places) -> Sizes:
    name, _, number = token.text.partition(" ")
    if long := re.search("[0-9]{10,}", token.text):
        raise places.error(f"a size of {len(long[0])} digits, longer than any line", token.place)
    if name in ("width", "height") and number.isdigit():
        before = getattr(sizes, name)
        if before not in (None, int(number)):
            raise places.error(f"the {name} is {number}, but it was {before} before", token.place)
        if name == "width":
            return sizes._replace(width=int(number), place=token.place)
        return sizes._replace(height=int(number), place=token.place)
    pair = tuple(map(int, re.findall("[0-9]+", token.text)))
    if sizes.pair not in ((), pair) or len(pair) != 2:
        raise places.error(f"a second size, {token.text!r}, expected one", token.place)
    return sizes._replace(pair=pair, place=token.place)


def _side_by_side(tokens: Sequence[Token], heads: Sequence[int], places: Places) -> None:
    """Refuse a table whose columns are the two lists."""
    for one, other in pairwise(heads):
        between = tokens[one + 1 : other]
        is_head = tokens[one].kind == tokens[other].kind == "head"
        if is_head and all(token.kind in ("blank", "separator") for token in between):
            raise places.error(
                "a table: two headings side by side; write one list below the other",
                tokens[one].place,
            )


def _wrapped(tokens: Sequence[Token]) -> int:
    """Return the number of brackets that are opened before the first heading."""
    opened = sum(token.kind == "open" for token in tokens)
    return max(0, opened - sum(token.kind == "close" for token in tokens))


def _sections(tokens: Sequence[Token], heads: Sequence[int]) -> list[_Section]:
    found = []
    for at, end in zip(heads, [*heads[1:], len(tokens)], strict=True):
        head = tokens[at]
        side, _, index = head.text.partition(" ")
        body = _trimmed(tokens[at + 1 : end], head.kind)
        words = next((token.text for token in tokens[at:end] if token.kind == "words"), "")
        found.append(_Section(side, int(index) if index else None, head, body, words))
    return found


def _built(tokens: Sequence[Token], places: Places, wrapped: int = 0, head: str = "") -> Body:
    return Builder(places, wrapped).build(_unmarked(_trimmed(tokens, head), places))


def _name(found: Draft, side: str, sections: list[_Section], wrapped: int) -> None:
    """Store the list of a side: from the section below its heading, or from labelled clues."""
    labelled = [each for each in sections if each.label is not None]
    plain = [each for each in sections if each.label is None and each.tokens]
    if len(plain) > 1 or (plain and labelled):
        first, second = sorted([*plain[:2], *labelled[:1]], key=lambda one: one.head.place)[:2]
        raise found.places.error(
            f"a second list of {side} on line {found.places.line(second.head.place)}, the first is "
            f"on line {found.places.line(first.head.place)}; expected one puzzle in a text",
            second.head.place,
        )
    if plain:
        body = _built(plain[0].tokens, found.places, wrapped, "head")
        if body.items:
            found.named[side] = body
    elif labelled:
        found.named[side] = list(_labelled(found, labelled, wrapped))


def _labelled(found: Draft, sections: list[_Section], wrapped: int) -> Iterator[Lengths]:
    expected = min(sections[0].label or 0, 1)
    for each in sections:
        line = each.side[:-1]
        if each.label != expected:
            before = f"follows {line} {expected - 1}" if expected > 1 else "comes first"
            raise found.places.error(
                f"{line} {each.label} {before}, expected {line} {expected}", each.head.place
            )
        expected += 1
        yield one_clue(Builder(found.places, wrapped).build(each.tokens), found.places)


def _in_front(found: Draft, tokens: list[Token]) -> None:
    """Store numbers before the first heading: as the list that has no heading, or as sizes."""
    body = _built(tokens, found.places)
    if len(found.named) == 1:
        (side,) = found.named
        found.named[SIDES[side]] = found.body = body
        return
    values = [item.value for item in body.items]
    if len(values) != 2 or not all(
        isinstance(each, str) and re.fullmatch("[0-9]{1,9}", each) for each in values
    ):
        raise found.places.error(
            "numbers before the first heading, expected them below one", body.items[0].place
        )
    pair = tuple(int(str(each)) for each in values)
    if found.sizes.pair not in ((), pair):
        raise found.places.error("a second size, expected one", body.items[0].place)
    found.sizes = found.sizes._replace(pair=pair, place=body.items[0].place)


def _complete(found: Draft, sections: list[_Section]) -> None:
    """Ensure that both lists exist; a rule or a blank line may divide one section into both."""
    missing = [side for side in (ROWS, COLUMNS) if side not in found.named]
    if not missing:
        return
    (first, *_) = sections
    empty = next((each for each in sections if each.side == missing[0]), None)
    has_words = empty is not None and empty.words
    if (
        len(missing) == 1
        and not has_words
        and isinstance(body := found.named[SIDES[missing[0]]], Body)
    ):
        places = [at for at, item in enumerate(body.items) if at and item.rank >= GAP]
        if len(places) == 1:
            found.named = dict(
                zip((SIDES[missing[0]], missing[0]), halves(body, places[0]), strict=True)
            )
            return
    if empty:
        words = f" but {shorten(empty.words)}" if empty.words else ""
        raise found.places.error(
            f"no clues of {missing[0]} below their heading{words}, expected a clue a line or a "
            f"list; headings found: {', '.join(_shown(each) for each in sections[:4])}",
            empty.head.place,
        )
    raise found.places.error(
        f"{SIDES[missing[0]]}, but no {missing[0]}; expected a second list below a heading such as "
        f"'{missing[0]}:'",
        first.head.place,
    )


def _shown(section: _Section) -> str:
    return section.side if section.label is None else f"{section.side[:-1]} {section.label}"


def halves(body: Body, at: int) -> tuple[Body, Body]:
    """Return the items before an item, and the others."""
    first = {index: count for index, count in body.gaps.items() if index < at}
    second = {index - at: count for index, count in body.gaps.items() if index > at}
    return _part(body, body.items[:at], first), _part(body, body.items[at:], second)


def _part(body: Body, items: list[ListItem], gaps: dict[int, int]) -> Body:
    grouped = any(isinstance(item.value, Body) for item in items)
    return replace(body, items=items, gaps=gaps, grouped=grouped)


def _unmarked(tokens: list[Token], places: Places) -> list[Token]:
    """Return the tokens without the numbers or bullets with which every line begins.

    If the numbers of lines start again, another list begins.

    Raises:
        FormatError: A hyphen before a list may be a bullet or an empty clue.
    """
    lines: list[list[Token]] = [[]]
    for token in tokens:
        lines[-1].append(token)
        if token.kind in ("newline", "gap", "rule"):
            lines.append([])
    starts = [_start(line) for line in polled(lines)]
    kinds = {start.kind for start in starts if start}
    if len(kinds) != 1 or kinds == {"plain"}:
        return tokens
    _check_hyphens(lines, starts, places)
    found: list[Token] = []
    before: int | None = None
    for line, start in zip(lines, starts, strict=True):
        if start is None:
            found += line
            continue
        if start.kind == "number":
            if before is not None and start.number != before + 1:
                if start.number not in (0, 1):
                    return tokens
                found.append(Token("rule", "", line[0].place))
            elif before is None and start.number not in (0, 1):
                return tokens
            before = start.number
        rest = line[start.length :]
        empty = all(token.kind in _SPACE for token in rest)
        found += [Token("void", "", line[0].place)] if empty else []
        found += rest
    return found


def _check_hyphens(
    lines: Sequence[Sequence[Token]], starts: Sequence[_Start | None], places: Places
) -> None:
    """Refuse hyphens as bullets if they may be empty clues.

    They may be if only one line has one, or if a line has further hyphens.
    """
    begun = [
        (line, line[start.length :])
        for line, start in zip(lines, starts, strict=True)
        if start and line[start.length - 2].kind == "dash"
    ]
    for line, rest in begun:
        kinds = [token.kind for token in rest if token.kind not in _SPACE]
        is_bracket = kinds[:1] == ["open"] and kinds[-1:] == ["close"] and kinds.count("open") == 1
        again = any(_is_lone_dash(rest, at) for at in range(len(rest))) and "number" in kinds
        if again or (len(begun) == 1 and "number" in kinds and not is_bracket):
            dash = next(token for token in line if token.kind == "dash")
            raise places.error(
                "'-' before a list, which may be a bullet or an empty clue; expected 0 for an "
                "empty clue, and no bullet before a list on one line",
                dash.place,
            )


def _is_lone_dash(line: Sequence[Token], at: int) -> bool:
    """Return True if the token at an index is a hyphen that is not between two numbers."""
    around = (line[at - 1].kind if at else "", line[at + 1].kind if at + 1 < len(line) else "")
    return line[at].kind == "dash" and around != ("number", "number")


class _Start(NamedTuple):
    kind: str  # "number", "bullet" or "plain"
    length: int = 0
    number: int = 0


def _start(line: Sequence[Token]) -> _Start | None:
    """Return the beginning of a line; None for a blank one."""
    at = next((at for at, token in enumerate(line) if token.kind not in _SPACE), None)
    if at is None:
        return None
    first, second, third = [*line[at : at + 3], *[Token("newline", "", 0)] * 3][:3]
    if first.kind == "number" and first.text.isdigit() and len(first.text) < 10:
        stop = second.kind == "dot" and third.kind == "blank"
        if second.text in (":", ")") or stop:
            return _Start("number", at + 2 + stop, int(first.text))
    is_clue = first.kind == "dash" and third.kind == "separator"  # "- , 2"
    is_bullet = first.kind == "dash" or first.text in tuple("*•·")
    if is_bullet and second.kind == "blank" and not is_clue:
        return _Start("bullet", at + 2)
    return _Start("plain")


# Words around a list. They are left out only if they cannot be a clue: after a blank
# line or a rule, or after the bracket that ends a list of lists. The builder of the list refuses
# all others.


def _trimmed(tokens: Sequence[Token], head: str = "") -> list[Token]:
    """Return the tokens of a list without blank lines, rules, and words around it.

    Args:
        tokens: A list.
        head: Kind of the token before it: "head", "label", or nothing.
    """
    numbers = [at for at, token in enumerate(tokens) if token.kind in ("number", "void")]
    around = _before(tokens, numbers, head) | _after_numbers(tokens, numbers, head)
    kept = [token for at, token in enumerate(tokens) if at not in around]
    start = next((at for at, token in enumerate(kept) if token.kind not in _SPACE), len(kept))
    kept = kept[start:]
    while kept and kept[-1].kind in _SPACE:
        kept.pop()
    return kept


def _check_front(tokens: Sequence[Token], places: Places) -> None:
    """Refuse words next to the numbers of a list that has no heading.

    Raises:
        FormatError: No blank line divides them.
    """
    words: Token | None = None
    has_numbers = False
    for token in tokens:
        if token.kind in _DIVIDING:
            words, has_numbers = None, False
        elif token.kind in ("words", "mixed"):
            words = token
        elif token.kind in ("number", "void"):
            has_numbers = True
        if words and has_numbers:
            raise misplaced(words, places)


def _before(tokens: Sequence[Token], numbers: list[int], head: str) -> set[int]:
    """Return the indices of the words before a list that has no heading, which are left out."""
    if head or not numbers:
        return set()
    front = tokens[: numbers[0]]
    divided = max((at for at, token in enumerate(front) if token.kind in _DIVIDING), default=0)
    is_makhorins = any(token.kind == "rule" and token.text == "&" for token in tokens)
    if is_makhorins or sum(token.kind == "open" for token in front) > 1:
        divided = len(front)
    depth = 0
    found = set()
    for at, token in enumerate(front):
        depth += (token.kind == "open") - (token.kind == "close")
        if depth <= 0 and at < divided and token.kind in _WORDS:
            found.add(at)
    return found


def _after_numbers(tokens: Sequence[Token], numbers: list[int], head: str) -> set[int]:
    """Return the indices of words after a list, which are left out; all if it has no numbers."""
    last = numbers[-1] if numbers else -1
    between = tokens[numbers[0] : last] if numbers else []
    # If there are blank lines between the clues of a list, words after another one are doubtful.
    gaps = sum(token.kind in _DIVIDING for token in between) > (0 if head else 1)
    gaps = gaps or (head == "label" and not numbers)
    divided = head != "label" and not numbers
    deepest = depth = 0
    found = set()
    for at, token in enumerate(tokens):
        depth += (token.kind == "open") - (token.kind == "close")
        deepest = max(depth, deepest)
        if at <= last:
            continue
        divided = divided or (token.kind in _DIVIDING and not gaps)
        if depth <= 0 and token.kind in _WORDS and (divided or _ended(tokens, at, deepest)):
            found.add(at)
            divided = True
    return found


def _ended(tokens: Sequence[Token], at: int, deepest: int) -> bool:
    """Return True if words after a list in brackets are no clue: on their own line, or a key.

    If the brackets hold only numbers, they may be those of one clue: then a key is required.
    """
    nearest = next((token for token in reversed(tokens[:at]) if token.kind not in _LIGHT), None)
    follows = [token.kind for token in tokens[at + 1 : at + 4] if token.kind not in _LIGHT]
    is_key = follows[:1] == ["equals"] or any(sign in tokens[at].text for sign in ":=")
    is_alone = nearest is not None and nearest.kind == "newline"
    return is_key if deepest == 1 else deepest > 1 and (is_key or is_alone)


class _Ends(NamedTuple):
    """Bars and blank lines at the ends of a list, which may mean empty clues."""

    bars: tuple[bool, bool]  # True if the list begins and ends with a bar
    before: int  # blank lines before it
    blanks_after: int  # and after it, if nothing else follows; 0 for a list on one line


def _has_loose_ends(lists: Sequence[Sequence[Token]]) -> bool:
    """Return True if bars or blank lines at an end of one of two lists may be empty clues.

    They may be if the ends of the lists differ.

    Blank lines below both headings, one blank line between the lists, and bars around both lists
    are layout.
    """
    every = [_ends(tokens) for tokens in lists]
    every = [ends for ends in every if ends]
    if len(every) != 2:
        return False
    one, other = (ends for ends in every if ends)
    return (
        one.bars != other.bars
        or one.before != other.before
        or one.blanks_after > 1
        # A line break at the end makes the last line blank.
        or other.blanks_after - 1 > one.blanks_after
    )


def _ends(tokens: Sequence[Token]) -> _Ends | None:
    """Return the bars and blank lines at both ends of a list; None if it has no clues."""
    held = [at for at, token in enumerate(tokens) if token.kind not in _SPACE]
    if not any(tokens[at].kind in ("number", "void", "dash") for at in held):
        return None
    first, last = held[0], held[-1]
    bars = (tokens[first].text == "|", tokens[last].text == "|")
    before = _blank_lines(tokens[:first])
    has_lines = any(token.kind == "newline" for token in tokens[first:last])
    blanks_after = _blank_lines(tokens[last:]) if has_lines else 0
    return _Ends(bars, before, 0 if tokens[last].kind == "words" else blanks_after)


def _blank_lines(tokens: Sequence[Token]) -> int:
    return sum(token.kind == "gap" and not token.text for token in tokens)
