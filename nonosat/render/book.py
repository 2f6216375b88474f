"""A book of puzzles: cover, contents, puzzles, and their solutions at the end.

The cover has the empty sheet of the first puzzle, or, on request, the pictures that the puzzles
hide, which are their solutions. Pages are numbered from the first puzzle on; the contents list
these numbers, and each line links to its page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from math import ceil, sqrt
from typing import NamedTuple

from nonosat.core.errors import counted
from nonosat.core.result import Result
from nonosat.render.figures import figure
from nonosat.render.look import Look, Theme
from nonosat.render.pages import FOOT, on_paper
from nonosat.render.paper import MARGIN, Paper
from nonosat.render.plates import Plate, sheet, solved
from nonosat.render.shapes import Figure, Group, Page, Path, Shape, Texts, text_width, wrapped

_LARGE, _MIDDLE = 34, 16  # sizes of texts
_LINES = (20, 30)  # minimal and maximal height of a line of the contents
_SIZE = 0.5  # letters' size as a part of the line's height
_HEAD = 52
_FINE = 25  # cells per side; with more of them the lines would hide a small solution
_SOLUTIONS = 12  # on a page
_MOST_PICTURES = 36  # on the cover
_GAP = 14  # distance between them
_ORNAMENT = 0.7  # part of the width and height for an empty sheet on the cover


class Entry(NamedTuple):
    """A puzzle of a book.

    Args:
        sheet: The empty sheet.
        solution: Drawing of the solution; None if there is none.
        picture: The solution without clues, for the cover.
        size: Size of the puzzle in words.
        difficulty: Difficulty in words; "" if the puzzle was not rated.
    """

    sheet: Plate
    solution: Plate | None
    picture: Figure | None
    size: str
    difficulty: str = ""


def entry_of(result: Result, look: Look, difficulty: str = "") -> Entry:
    """Return the entry of a puzzle in a book.

    Args:
        result: The puzzle, and a solution of it if there is one.
        look: Look of the sheet; drawings of solutions have its theme.
        difficulty: Difficulty in words.
    """
    puzzle = result.puzzle
    is_fine = max(puzzle.height, puzzle.width) > _FINE
    plain = Look(look.theme, "none", is_bare=is_fine)
    solution = solved(result, plain) if result.solutions else None
    picture = None
    if solution is not None:
        picture = figure(puzzle, result.solution, (), plain._replace(is_bare=True))
    return Entry(sheet(puzzle, look, difficulty), solution, picture, puzzle.size, difficulty)


class Book(NamedTuple):
    """Settings of a book.

    Args:
        title: Title on the cover.
        author: Author on the cover.
        paper: Paper of all pages.
        theme: Colours of all pages.
        per_page: Puzzles per page; fewer if they would be illegibly small.
        cell_mm: Side of the puzzles' cells; smaller if there is no room.
        facts: Line on the cover: number of puzzles, difficulties and the like.
        has_pictures: True to show solutions on the cover.
    """

    title: str
    author: str
    paper: Paper
    theme: Theme
    per_page: int = 1
    cell_mm: float | None = None
    facts: str = ""
    has_pictures: bool = False

    def pages(self, entries: Sequence[Entry]) -> list[Page]:
        """Return all pages.

        Raises:
            UnsupportedError: Numbers would be illegibly small; the message states what is needed.
        """
        numbered = [
            entry._replace(sheet=_numbered(entry.sheet, number))
            for number, entry in enumerate(entries, start=1)
        ]
        sheets = [entry.sheet for entry in numbered]
        puzzles = [*self._on_paper(sheets, self.per_page, 1, self.cell_mm)]
        places = [number for number, (_, many) in enumerate(puzzles, 1) for _ in range(many)]
        solutions = [
            _numbered(entry.solution._replace(facts=""), number)
            for number, entry in enumerate(entries, start=1)
            if entry.solution is not None
        ]
        first = len(puzzles) + 1
        answers = [page for page, _ in self._on_paper(solutions, _SOLUTIONS, first, None)]
        if answers:
            answers[0] = answers[0]._replace(section="Solutions")
        answers[1:] = [page._replace(section="") for page in answers[1:]]
        contents = self._contents(numbered, places, first if answers else None)
        sheet_pages = [page for page, _ in puzzles]
        return [self._cover(entries), *contents, *sheet_pages, *answers]

    def _on_paper(
        self, plates: Sequence[Plate], per_page: int, first: int, cell_mm: float | None
    ) -> Iterator[tuple[Page, int]]:
        return on_paper(plates, self.paper, self.theme, cell_mm, per_page, count(first))

    @property
    def _width(self) -> float:
        """Width of the printed part of a page."""
        return self.paper.width - 2 * MARGIN

    def _page(self, shapes: Sequence[Shape], section: str) -> Page:
        sides = self.paper.width, self.paper.height
        return Page(shapes, *sides, section, self.theme.paper, section)

    # The cover

    def _cover(self, entries: Sequence[Entry]) -> Page:
        """Return the cover: title, author and facts, with an empty sheet or pictures below."""
        middle, y = self.paper.width / 2, 2.5 * MARGIN
        shapes: list[Shape] = []
        for text, size, ink, is_bold, most in (
            (self.title, _LARGE, self.theme.ink, True, 4),
            (self.author, _MIDDLE, self.theme.faint, False, 2),
            (self.facts, _MIDDLE, self.theme.faint, False, 2),
        ):
            for line in wrapped(text, self._width, size, most, is_bold=is_bold):
                y += size * 1.25
                shapes.append(Texts([(middle, y, line)], size, ink, "middle", is_bold))
            y += size / 2
        wide, high = self._width, self.paper.height - 2 * MARGIN - y
        if self.has_pictures:
            pictures = [entry.picture for entry in entries if entry.picture is not None]
            shapes += _mosaic(pictures[:_MOST_PICTURES], MARGIN, y + MARGIN, wide, high)
        else:
            left, top = (MARGIN + (1 - _ORNAMENT) / 2 * side for side in (wide, high))
            room = _ORNAMENT * wide, _ORNAMENT * high
            shapes += _mosaic(entries[0].sheet.figures[:1], left, y + top, *room)
        return self._page(shapes, self.title)

    # The contents

    def _contents(
        self, entries: Sequence[Entry], places: Sequence[int], first: int | None
    ) -> list[Page]:
        """Return the pages of the contents, which list the puzzles and the solutions.

        Args:
            entries: The puzzles.
            places: For each puzzle the number of its page.
            first: Number of the first page of solutions; None if there are none.
        """
        lines = [
            (entry.sheet.title, entry.difficulty or entry.size, place)
            for entry, place in zip(entries, places, strict=True)
        ]
        if first is not None:
            lines.append(("Solutions", "", first))
        room = self.paper.height - 2 * MARGIN - FOOT - _HEAD
        high = min(max(room / len(lines), _LINES[0]), _LINES[1])
        each = int(room // high)
        parts = [lines[at : at + each] for at in range(0, len(lines), each)]
        before = 1 + len(parts)  # pages before the first number
        found = []
        for index, part in enumerate(parts):
            shapes = [*self._head("Contents")] if not index else []
            links = []
            for row, (title, text, number) in enumerate(part):
                y = MARGIN + _HEAD + (row + 0.7) * high
                shapes += self._line(title, text, str(number), y, high * _SIZE)
                target = before + number - 1
                links.append((MARGIN, y - 0.7 * high, self._width, high, target))
            section = "" if index else "Contents"
            found.append(self._page(shapes, section)._replace(links=links))
        return found

    def _head(self, text: str) -> Iterator[Shape]:
        yield Texts([(MARGIN, MARGIN + 24, text)], 24, self.theme.ink, is_bold=True)

    def _line(
        self, title: str, description: str, number: str, y: float, size: float
    ) -> Iterator[Shape]:
        """Yield a line of the contents: title, dots, difficulty, and a page number at the right."""
        right, ink, faint = self.paper.width - MARGIN, self.theme.ink, self.theme.faint
        end = right - 3 * size
        aside = right - end + text_width(description, size) + 2 * size
        (name,) = wrapped(title, self._width - aside, size, 1)
        yield Texts([(MARGIN, y, name)], size, ink)
        yield Texts([(end, y, description)], size, faint, "end")
        yield Texts([(right, y, number)], size, ink, "end")
        start, stop = MARGIN + text_width(name, size) + size, self.paper.width - MARGIN - aside
        stop += size if description else 2 * size
        if stop > start:
            dots = f"M{start:.1f} {y:.1f}H{stop:.1f}"
            yield Path(dots, stroke=self.theme.thin, width=size / 10, dash=size / 10 * 2)


def facts_of(number: int, difficulties: Sequence[float]) -> str:
    """Return the line of a cover on the number of puzzles and their range of difficulties.

    Args:
        number: Number of puzzles.
        difficulties: Difficulties of the rated puzzles.
    """
    facts = counted(number, "puzzle")
    if not difficulties:
        return facts
    least, most = min(difficulties), max(difficulties)
    return f"{facts} \u00b7 difficulty {least}" + (f" to {most}" if least < most else "")


def _numbered(plate: Plate, number: int) -> Plate:
    name = plate.title or plate.name
    return plate._replace(title=f"{number}. {name}" if name else f"{number}.")


def _grid(number: int, ratio: float) -> tuple[int, int]:
    """Return rows and columns for this number of slots: nearly square slots, few of them empty.

    Args:
        number: Number of slots.
        ratio: Width by height of the whole grid.
    """
    usual = max(1, min(number, round(sqrt(number * ratio))))
    near = [many for many in (usual, usual - 1, usual + 1) if 1 <= many <= number]
    columns = min(near, key=lambda many: -number % many)  # the first of equals
    return ceil(number / columns), columns


def _mosaic(
    pictures: Sequence[Figure], left: float, top: float, width: float, height: float
) -> Iterator[Group]:
    """Yield pictures in a grid of equal slots, each as large as possible and centred."""
    if not pictures:
        return
    rows, columns = _grid(len(pictures), width / height)
    wide, high = (width - (columns - 1) * _GAP) / columns, (height - (rows - 1) * _GAP) / rows
    for index, picture in enumerate(pictures):
        row, column = divmod(index, columns)
        in_row = min(columns, len(pictures) - row * columns)
        aside = (columns - in_row) * (wide + _GAP) / 2  # the last row is centred
        scale = min(wide / picture.width, high / picture.height)
        x = left + aside + column * (wide + _GAP) + (wide - picture.width * scale) / 2
        y = top + row * (high + _GAP) + (high - picture.height * scale) / 2
        yield Group(picture.shapes, x, y, scale)
