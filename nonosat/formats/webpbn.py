"""webpbn's XML (.xml, .pbn), versions 0.1 and 0.3: any number of grids and triddlers in colours.

Safe: the parser works in one pass, a DOCTYPE is tolerated but nothing it names is fetched, and
one with declarations of its own (the only way to define entities) is refused.

Decisions: a count of 0 is a block of unknown length. The colour `black` on its own is the
default ink. `defaultcolor` is the colour of a count without one, not the background. Clues that
are missing are derived from the goal. A goal with open cells (`?`, `[..]`) is dropped. A `saved`
image is a state of solving, not a clue (a choice of colours counts as unknown); given cells are
therefore not written.
Metadata of the puzzle set go to puzzles without their own. A triddler has six groups of clues
(`_triddlers.py`) and is of the family lanes, without its images and the colour of its background.
Time is linear.
Source: webpbn.com's description of its format and DTD 0.3 (Jan Wolter).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from nonosat.core.about import About
from nonosat.core.errors import FormatError
from nonosat.core.grid import UNKNOWN, Grid
from nonosat.core.limits import polled
from nonosat.core.model import Block, Clue
from nonosat.core.plugins import Format, FormatCapabilities
from nonosat.formats._colours import characters, rgb
from nonosat.formats._hold import require
from nonosat.formats._text import (
    build,
    clean,
    clues_of,
    fail,
    listed,
    number,
    printable,
    shorten,
    sized,
)
from nonosat.formats._triddlers import CLOCKWISE, of_sides, sides_of
from nonosat.puzzles.lanes.data import LaneNonogram
from nonosat.puzzles.nonogram.data import BLACK, WHITE, Colour, Nonogram

CAPABILITIES = FormatCapabilities(also=("lanes",), unknown=True, many=True)
_SIDES = {"grid": ("rows", "columns"), "triddler": CLOCKWISE}  # groups of clues, by type
_ABOUT = ("source", "id", "title", "author", "copyright", "description")
_ILLEGAL = re.compile("[^\t\n\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_IMAGE_CHARS = (
    "Xabcdefghijklmnopqrstuvwxyz"
    + "ABCDEFGHIJKLMNOPQRSTUVWYZ0123456789"
    + "".join(chr(code) for code in range(0xC0, 0x1C0))
)
_IMPLICIT = {"black": ("X", "#000000"), "white": (".", "#ffffff")}
_CLUE_PARTS = {"clues": "line", "line": "count"}  # the only element inside each of them
_INHERITED = ("source", "title", "author", "copyright")
_Read = Nonogram | LaneNonogram | FormatError
_ROW = re.compile(r"\|([^|]*)\|")
_CHUNK = 1 << 20
_DEEPEST = 32  # depth of nested elements


def sniff(data: bytes) -> bool:
    """Return True if the file begins with markup, in UTF-8 or in UTF-16."""
    start = data[:256].removeprefix(b"\xef\xbb\xbf").lstrip()
    return start[:1] == b"<" or data[:4] in (b"\xff\xfe<\0", b"\xfe\xff\0<")


@dataclass(slots=True)
class _OpenPuzzle:
    """A puzzle that is being read: the data of its elements so far."""

    line: int
    kind: str = "grid"
    default: str = "black"
    background: str = "white"
    about: dict[str, str] = field(default_factory=dict)
    colours: dict[str, tuple[str, str]] = field(default_factory=dict)  # name: (char, #rrggbb)
    clues: dict[str, list[list[tuple[int, str, int]]]] = field(default_factory=dict)
    goal: tuple[str, int] | None = None
    saved: list[tuple[str, int]] = field(default_factory=list)
    problem: FormatError | None = None


class _EventHandler:
    """Handler of the parser's events; `done` collects the finished puzzles."""

    def __init__(self, encoding: str | None) -> None:
        from xml.parsers import expat

        self.done: list[_Read] = []
        self._error = expat.ExpatError
        self._set: dict[str, str] = {}
        self._draft: _OpenPuzzle | None = None
        self._path: list[str] = []
        self._attributes: dict[str, str] = {}
        self._side = ""
        self._kind = ""  # attributes of the solution whose image follows
        self._text: list[str] = []
        self._parser = parser = expat.ParserCreate(encoding)
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text.append
        parser.SkippedEntityHandler = self._entity

    def feed(self, data: bytes, last: bool) -> None:
        try:
            self._parser.Parse(data, last)
        except self._error as error:
            message = f"this is not well-formed XML: {error}"
            raise FormatError(message, line=error.lineno, column=error.offset + 1) from error
        except (LookupError, ValueError) as error:
            message = f"the encoding cannot be read ({shorten(str(error))}); use UTF-8"
            raise FormatError(message, line=1) from error

    @property
    def _line(self) -> int:
        return self._parser.CurrentLineNumber

    def _doctype(self, name: str, system: str | None, public: str | None, internal: int) -> None:
        if internal:
            problem = "a DOCTYPE with declarations of its own, expected none; remove it"
            fail(problem, self._line, self._parser.CurrentColumnNumber + 1)

    def _entity(self, name: str, parameter: bool) -> None:
        from html import unescape

        self._text.append(unescape(f"&{name};"))

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        tag = tag.lower()
        if not self._path and tag not in ("puzzleset", "puzzle"):
            fail(
                f"the element <{shorten(tag)[1:-1]}>, expected <puzzleset> or <puzzle>", self._line
            )
        if len(self._path) == _DEEPEST:
            fail(f"elements inside each other {_DEEPEST} deep, expected at most five", self._line)
        self._path.append(tag)
        self._text.clear()
        self._attributes = {name.lower(): value.strip() for name, value in attributes.items()}
        try:
            self._open(tag, self._attributes)
        except FormatError as error:
            self._note(error)

    def _note(self, error: FormatError) -> None:
        if self._draft is None:
            raise error
        self._draft.problem = self._draft.problem or error

    def _open(self, tag: str, attributes: dict[str, str]) -> None:
        if self._path[-2:-1] and self._path[-2] in ("count", "color", "image"):
            fail(f"{shorten(tag)} inside <{self._path[-2]}>, expected text only", self._line)
        expected = _CLUE_PARTS.get(self._path[-2]) if self._path[-2:-1] else None
        if self._draft is not None and expected not in (None, tag):
            where = f"<{shorten(tag)[1:-1]}> inside <{self._path[-2]}>"
            fail(f"the element {where}, expected <{expected}>", self._line)
        if tag == "puzzle":
            if self._draft is not None:
                fail("a puzzle inside a puzzle, expected </puzzle> first", self._line)
            self._begin(attributes)
        elif self._draft is not None and tag == "clues":
            self._side = attributes.get("type", "").lower()
            if self._side not in (sides := _SIDES[self._draft.kind]):
                expected = f"{', '.join(sides[:-1])} or {sides[-1]}"
                fail(f"clues of type {shorten(self._side)}, expected {expected}", self._line)
            if self._side in self._draft.clues:
                fail(f"a second group of clues for the {self._side}", self._line)
            self._draft.clues[self._side] = []
        elif self._draft is not None and tag == "line":
            if self._path[-2] != "clues" or self._side not in self._draft.clues:
                fail("a <line> outside <clues>", self._line)
            self._draft.clues[self._side].append([])
        elif tag == "solution":
            self._kind = attributes.get("type", "goal").lower()

    def _begin(self, attributes: dict[str, str]) -> None:
        default, background = attributes.get("defaultcolor"), attributes.get("backgroundcolor")
        kind = attributes.get("type", "grid").lower()
        self._draft = _OpenPuzzle(
            self._line,
            kind if kind in _SIDES else "grid",
            default or "black",
            background or "white",
        )
        if kind not in _SIDES:
            fail(f"a puzzle of type {shorten(kind)}, expected grid or triddler", self._line)

    def _end(self, tag: str) -> None:
        tag = self._path.pop()
        try:
            self._close(tag, "".join(self._text))
        except FormatError as error:
            self._note(error)
        self._text.clear()

    def _close(self, tag: str, text: str) -> None:
        draft = self._draft
        parent = self._path[-1] if self._path else ""
        if draft is None:
            if tag in _INHERITED and parent == "puzzleset":
                self._set[tag] = _metadata(text)
            return
        if tag in _ABOUT and parent == "puzzle":
            draft.about[tag] = _metadata(text)
        if tag == "puzzle":
            self._draft = None
            self.done.append(_finish(draft, self._set))
        elif tag == "color":
            _define(draft, self._attributes, text.strip(), self._line)
        elif tag == "count":
            self._count(draft, parent, text.strip())
        elif tag == "image" and draft.kind == "triddler":
            return  # without its picture, as the docstring states
        elif tag == "image" and self._kind == "goal" and draft.goal is None:
            draft.goal = (text, self._line)
        elif tag == "image" and self._kind == "saved":
            draft.saved.append((text, self._line))

    def _count(self, draft: _OpenPuzzle, parent: str, text: str) -> None:
        clues = draft.clues.get(self._side)
        if parent != "line" or not clues:
            fail("a <count> outside <line>", self._line)
        unknown = bool(text) and not text.strip("0")
        length = 0 if unknown else number(text, "count", self._line)
        clues[-1].append((length, self._attributes.get("color", draft.default), self._line))


def _define(draft: _OpenPuzzle, attributes: Mapping[str, str], text: str, line: int) -> None:
    name = attributes.get("name", "")
    char = attributes.get("char") or _IMPLICIT.get(name, ("",))[0]
    shade = rgb(text)
    if not name or clean(name) != name or name in draft.colours:
        fail(f"a colour named {shorten(name)}, expected a name of its own", line)
    if shade is None:
        fail(f"the colour {shorten(name)} is {shorten(text)}, expected e.g. FF0000 or F00", line)
    if len(char) > 1:
        fail(f"the colour {shorten(name)} has the char {shorten(char)}, expected one sign", line)
    draft.colours[name] = (char, shade)


def _finish(draft: _OpenPuzzle, inherited: Mapping[str, str]) -> _Read:
    try:
        if draft.problem is not None:
            return draft.problem
        return _puzzle(draft, inherited)
    except FormatError as error:
        return error


def _puzzle(draft: _OpenPuzzle, inherited: Mapping[str, str]) -> Nonogram | LaneNonogram:
    (sign, shade), inks = _palette(draft)
    numbers = {name: index for index, name in enumerate(inks, 1)}
    signs = _signs(sign, inks) | {"?": UNKNOWN}
    goal = _image(*draft.goal, signs) if draft.goal else None
    goal = None if goal and UNKNOWN in goal.cells else goal
    about = {**inherited, **{name: text for name, text in draft.about.items() if text}}
    colours = tuple(Colour(name, rgb) for name, (_, rgb) in inks.items())
    colours = (BLACK,) if colours == (Colour("black", "#000000"),) else colours
    if draft.kind == "triddler":
        return of_sides(_sides(draft, numbers), colours, About(**about), draft.line)
    return build(
        draft.line,
        **_clues(draft, numbers, goal),
        colours=colours,
        background=Colour(WHITE.key, shade),
        goal=goal,
        about=About(**about),
        saved=tuple(_image(*each, signs) for each in draft.saved),
    )


def _palette(draft: _OpenPuzzle) -> tuple[tuple[str, str], dict[str, tuple[str, str]]]:
    """Return sign and shade of the background, and of the inks by name.

    Black and white exist without a <color>, but are inks only if they are used.
    """
    inks = dict(draft.colours)
    background = inks.pop(draft.background, None) or _IMPLICIT.get(draft.background)
    if background is None:
        fail(f"the background {shorten(draft.background)} is not defined by a <color>", draft.line)
    background = (background[0] or ".", background[1])
    named = {name for side in draft.clues.values() for clue in polled(side) for _, name, _ in clue}
    image = "".join([draft.goal[0] if draft.goal else "", *(text for text, _ in draft.saved)])
    signs = {background[0], *(sign for sign, _ in inks.values())}
    for name, (sign, shade) in _IMPLICIT.items():
        if name not in inks and name != draft.background:
            drawn = sign in image and sign not in signs
            if name in named or drawn or (name == "black" and not inks):
                inks = {name: (sign, shade), **inks}
    return background, inks or {"white": _IMPLICIT["white"]}


def _signs(background: str, inks: Mapping[str, tuple[str, str]]) -> dict[str, int]:
    """Return the colour number by the character in images; a character used twice is left out."""
    signs: dict[str, int] = {background: 0}
    twice = set()
    for index, (char, _) in enumerate(inks.values(), 1):
        if char in signs:
            twice.add(char)
        elif char:
            signs[char] = index
    return {char: index for char, index in signs.items() if char not in twice}


def _clues(
    draft: _OpenPuzzle, numbers: Mapping[str, int], goal: Grid | None
) -> dict[str, tuple[Clue, ...]]:
    if not draft.clues and goal is not None:
        return clues_of(goal)
    if draft.clues.keys() != {"rows", "columns"}:
        found = " and ".join(draft.clues) or "nothing"
        fail(f"clues for {found}, expected rows and columns (or a complete goal)", draft.line)
    rows, columns = draft.clues["rows"], draft.clues["columns"]
    sized(len(rows), len(columns), draft.line)
    return _sides(draft, numbers)


def _sides(draft: _OpenPuzzle, numbers: Mapping[str, int]) -> dict[str, tuple[Clue, ...]]:
    """Return the clues of every group; those that a file lacks are empty."""
    return {
        side: tuple(
            tuple(_block(*count, numbers) for count in clue)
            for clue in polled(draft.clues.get(side, []))
        )
        for side in _SIDES[draft.kind]
    }


def _block(length: int, name: str, line: int, numbers: Mapping[str, int]) -> Block:
    if name not in numbers:
        problem = f"a count has the undefined colour {shorten(name)}"
        fail(f"{problem}; defined: {listed(numbers)}", line)
    return Block(length or None, numbers[name])


def _image(text: str, line: int, signs: Mapping[str, int]) -> Grid:
    """Return a picture; a cell with a choice of colours is unknown."""
    text = re.sub(r"\[[^]|]*\]", "?", text)
    if garbage := _ROW.sub("", text).strip():
        fail(f"{shorten(garbage)} in an image, expected rows like |..X|", line)
    rows = [found[1] for found in _ROW.finditer(text)]
    if not rows or not rows[0] or len({len(row) for row in rows}) > 1:
        lengths = sorted({len(row) for row in rows})
        fail(f"an image of {len(rows)} rows of lengths {lengths[:5]}, expected one length", line)
    cells = "".join(rows)
    if strange := sorted(set(cells) - signs.keys()):
        fail(f"an image has the sign {shorten(strange[0])}, which no colour has", line)
    sized(len(rows), len(rows[0]), line)
    return Grid(len(rows), len(rows[0]), bytes(map(signs.__getitem__, cells)))


def read(data: bytes) -> Iterator[_Read]:
    """Yield the puzzles one by one; a bad one as its error."""
    encoding = None
    if b"encoding" not in data[:200]:
        try:
            data.decode("utf-8")
        except UnicodeDecodeError:
            encoding = None if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "iso-8859-1"
    reader = _EventHandler(encoding)
    for start in range(0, len(data) + 1, _CHUNK):
        try:
            reader.feed(data[start : start + _CHUNK], start + _CHUNK > len(data))
        except FormatError as error:
            reader.done.append(error)
            yield from reader.done
            return
        yield from reader.done
        reader.done.clear()


def _metadata(text: str) -> str:
    """Return the text of an element; blanks at its ends are kept unless a line break is there."""
    inner = text.lstrip()
    start, end = text[: len(text) - len(inner)], inner[len(inner.rstrip()) :]
    return clean(text) if "\n" in start + end else printable(text)


def write(puzzles: Sequence[Nonogram | LaneNonogram]) -> bytes:
    """Return a puzzle set for any number of puzzles."""
    require("webpbn", CAPABILITIES, puzzles)
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    doctype = '<!DOCTYPE pbn SYSTEM "http://webpbn.com/pbn-0.3.dtd">\n<puzzleset>\n'
    body = "".join(map(_dump, puzzles))
    return (head + doctype + body + "</puzzleset>\n").encode()


def _escape(text: str) -> str:
    text = _ILLEGAL.sub("\ufffd", text).replace("&", "&amp;").replace("<", "&lt;")
    return text.replace(">", "&gt;").replace('"', "&quot;")


def _names(puzzle: Nonogram | LaneNonogram) -> tuple[list[str], str]:
    """Return a name per colour, and the background's."""
    if puzzle.colours == (BLACK,):
        return ["black"], "white"
    names = [
        colour.key if clean(colour.key) == colour.key else f"colour {index}"
        for index, colour in enumerate(puzzle.colours, 1)
    ]
    background = "white"
    while background in names:
        background += "-background"
    return names, background


def _dump(puzzle: Nonogram | LaneNonogram) -> str:
    names, background = _names(puzzle)
    signs = [".", *characters(puzzle.colours, _IMAGE_CHARS)]
    kind = "triddler" if isinstance(puzzle, LaneNonogram) else "grid"
    default = "" if len(names) > 1 else f' defaultcolor="{_escape(names[0])}"'
    lines = [f'<puzzle type="{kind}"{default} backgroundcolor="{background}">']
    for tag in _ABOUT:
        if value := getattr(puzzle.about, tag):
            lines.append(f"<{tag}>{_escape(value)}</{tag}>")
    shades = [puzzle.background.rgb, *(colour.rgb for colour in puzzle.colours)]
    for name, sign, shade in zip([background, *names], signs, shades, strict=True):
        lines.append(f'<color name="{_escape(name)}" char="{sign}">{shade[1:]}</color>')
    opening = [
        f'<count color="{_escape(name)}">' if len(names) > 1 else "<count>" for name in names
    ]
    for side, clues in _groups(puzzle).items():
        lines.append(f'<clues type="{side}">')
        for clue in polled(clues):
            counts = (f"{opening[ink - 1]}{length or 0}</count>" for length, ink in clue)
            lines.append("<line>" + "".join(counts) + "</line>")
        lines.append("</clues>")
    for kind, grid in _images(puzzle):
        rows = "\n".join(f"|{row}|" for row in polled(grid.lines("".join(signs))))
        lines.append(f'<solution type="{kind}"><image>\n{rows}\n</image></solution>')
    return "\n".join([*lines, "</puzzle>", ""])


def _groups(puzzle: Nonogram | LaneNonogram) -> Mapping[str, Sequence[Clue]]:
    """Return the groups of clues by their types."""
    if isinstance(puzzle, LaneNonogram):
        return sides_of(puzzle)
    return {"columns": puzzle.columns, "rows": puzzle.rows}


def _images(puzzle: Nonogram | LaneNonogram) -> list[tuple[str, Grid]]:
    """Return the pictures of a puzzle with their types."""
    if isinstance(puzzle, LaneNonogram):
        return []
    goals = [("goal", puzzle.goal)] if puzzle.goal else []
    return [*goals, *(("saved", state) for state in puzzle.saved)]


PLUGIN = Format(
    summary="webpbn's XML: colours, unknown lengths, goal, saved states, sets, triddlers",
    suffixes=(".xml", ".pbn"),
    holds=CAPABILITIES,
    sniff=sniff,
    read=read,
    write=write,
)
