"""Layout of puzzles on pages.

A plate (`plates.py`) contains the drawings and texts of one puzzle. A page of paper has a requested
number of plates; without paper, each plate gets a page of its own size.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nonosat.core.errors import UnsupportedError
from nonosat.render.look import LIGHT, Theme
from nonosat.render.paper import FIT, MARGIN, PAPERS, Paper, fitting, illegible
from nonosat.render.plates import SMALL, Plate, TitleLines, headed, joined, natural
from nonosat.render.shapes import Figure, Group, Page, Shape, Texts, text_width

_AROUND = 12  # margin on a page of the plate's own size
_ALONE = 1.4  # enlargement of the texts of a plate that has a page for itself
_BETWEEN = 28  # distance between plates on a page
FOOT = 18  # height of the line at the bottom of a page


def own_page(plate: Plate, cell_mm: float | None, theme: Theme) -> Page:
    """Return a page as large as its plate."""
    head, enlarged, drawn, scale = natural(plate, cell_mm, theme)
    wide = max([drawn.width * scale, *(_right(one) * enlarged for one in head.shapes)])
    high = head.height * enlarged
    shapes = [
        Group(head.shapes, _AROUND, _AROUND, enlarged),
        Group(drawn.shapes, _AROUND, _AROUND + high, scale),
    ]
    width, height = wide + 2 * _AROUND, high + drawn.height * scale + 2 * _AROUND
    cell = drawn.cell * scale
    return Page(shapes, width, height, _title(plate), theme.paper, _title(plate), cell=cell)


def _right(shape: Shape) -> float:
    """Return the x at which the longest of some texts ends."""
    assert isinstance(shape, Texts)
    is_bold = shape.is_bold
    return max(text_width(text, shape.size, is_bold=is_bold) for _, _, text in shape.places)


def _title(plate: Plate) -> str:
    return plate.title or plate.name


def on_paper(
    plates: Sequence[Plate],
    paper: Paper,
    theme: Theme,
    cell_mm: float | None = None,
    per_page: int = 1,
    feet: Iterator[int] | None = None,
) -> Iterator[tuple[Page, int]]:
    """Yield plates on as many pages as they need, and the number of plates of each page.

    Args:
        plates: Plates in order.
        paper: Paper of the pages. It is turned on its side if that enlarges a single plate; if
            pages have numbers, only if the plate would be illegible otherwise.
        theme: Colours of the pages.
        cell_mm: Requested side of cells; smaller if there is no room.
        per_page: Requested plates per page; fewer if they would be illegible.
        feet: Yields the number at the bottom of each page; None if pages have no numbers.

    Raises:
        UnsupportedError: Numbers would be illegibly small; the message states what is needed.
    """
    at, per_page = 0, min(per_page, max(len(plates), 1))
    while at < len(plates):
        for number in range(per_page, 0, -1):
            some = plates[at : at + number]
            placed = _PlateGrid(some, paper, number, cell_mm, theme)
            if number == 1 and (feet is None or placed.complaint()):  # a book turns few pages
                turned = _PlateGrid(some, paper.turned(), 1, cell_mm, theme)
                placed = max((placed, turned), key=lambda one: one.scale)
            if not placed.complaint():
                break
        if complaint := placed.complaint():
            raise UnsupportedError(complaint)
        yield placed.page(str(next(feet)) if feet is not None else ""), len(some)
        at += len(some)


def check_fits(plate: Plate, paper: Paper, cell_mm: float | None = None) -> None:
    """Refuse a plate whose numbers are illegibly small on a page of its own.

    Args:
        plate: The plate to print.
        paper: Paper of the page, which may be upright or on its side.
        cell_mm: Requested side of cells.

    Raises:
        UnsupportedError: The message states what is needed.
    """
    ways = [_PlateGrid([plate], one, 1, cell_mm, LIGHT) for one in (paper, paper.turned())]
    if complaint := max(ways, key=lambda one: one.scale).complaint():
        raise UnsupportedError(complaint)


class _PlateGrid:
    """Plates on one page, in a grid of equal slots.

    Attributes:
        scale: Enlargement of the smallest of the drawings.
    """

    def __init__(
        self,
        plates: Sequence[Plate],
        paper: Paper,
        per_page: int,
        cell_mm: float | None,
        theme: Theme,
    ) -> None:
        self.plates, self.paper, self.theme, self.cell_mm = plates, paper, theme, cell_mm
        self._enlarged = _ALONE if per_page == 1 else 1.0
        grids = [(-(-per_page // columns), columns) for columns in range(1, per_page + 1)]
        self.scale, self.rows, self.columns = max(
            (min(self._fitted(plate, *grid)[1] for plate in plates), *grid) for grid in grids
        )

    @property
    def _is_story(self) -> bool:
        """Return True if all drawings have one size; they are then drawn at the same scale."""
        sizes = {(one.width, one.height) for plate in self.plates for one in plate.figures}
        return len(sizes) == 1

    def _room(self, rows: int, columns: int) -> tuple[float, float]:
        """Return the width and height of each slot."""
        wide = self.paper.width - 2 * MARGIN - _BETWEEN * (columns - 1)
        high = self.paper.height - 2 * MARGIN - FOOT - _BETWEEN * (rows - 1)
        return wide / columns, high / rows

    def _head(self, plate: Plate, width: float) -> TitleLines:
        """Return the texts of a plate, with their height in units of the page."""
        head = headed(plate, width / self._enlarged, self.theme, is_centred=True)
        return head._replace(height=head.height * self._enlarged)

    def _fitted(self, plate: Plate, rows: int, columns: int) -> tuple[Figure, float]:
        """Return a plate's drawings joined to be as large as possible, and their scale."""
        width, height = self._room(rows, columns)
        height = max(height - self._head(plate, width).height, 1)
        ways = [joined(plate.figures, is_stacked=is_stacked) for is_stacked in (False, True)]
        fits = [(fitting(drawn, width, height, self.cell_mm), drawn) for drawn in ways]
        scale, drawn = max(fits, key=lambda pair: pair[0])
        return drawn, scale

    @property
    def _cell(self) -> float:
        """Return the side of the first drawing's cells."""
        drawn, scale = self._fitted(self.plates[0], self.rows, self.columns)
        return drawn.cell * scale

    def complaint(self) -> str:
        """Return a message that names an illegibly small plate and what it needs; "" if there is
        none.
        """
        width, _ = self._room(self.rows, self.columns)
        for plate in self.plates:
            drawn, scale = self._fitted(plate, self.rows, self.columns)
            high = self._head(plate, width).height
            spare = 2 * MARGIN, 2 * MARGIN + FOOT + high
            if what := illegible(drawn, scale, self.cell_mm, self.paper, spare):
                name = plate.name or plate.title
                return f"{name}: {what}" if name else what
        return ""

    def page(self, foot: str) -> Page:
        """Return the page, with a line at its bottom."""
        shapes: list[Shape] = []
        width, height = self._room(self.rows, self.columns)
        for index, plate in enumerate(self.plates):
            row, column = divmod(index, self.columns)
            left, top = MARGIN + column * (width + _BETWEEN), MARGIN + row * (height + _BETWEEN)
            shapes += self._plate(plate, left, top, width)
        if foot:
            y = self.paper.height - MARGIN
            shapes.append(
                Texts([(self.paper.width / 2, y, foot)], SMALL, self.theme.faint, "middle")
            )
        title = ", ".join(map(_title, self.plates))
        page = Page(shapes, self.paper.width, self.paper.height, title, self.theme.paper)
        return page._replace(section=title, cell=self._cell)

    def _plate(self, plate: Plate, left: float, top: float, width: float) -> list[Shape]:
        drawn, scale = self._fitted(plate, self.rows, self.columns)
        if self._is_story:
            scale = self.scale
        head = self._head(plate, width)
        return [
            Group(head.shapes, left, top, self._enlarged),
            Group(drawn.shapes, left + (width - drawn.width * scale) / 2, top + head.height, scale),
        ]


def paper_of(name: str) -> Paper | None:
    """Return the paper of a name; None for a page as large as its content.

    Raises:
        UnsupportedError: There is no such paper.
    """
    if name == FIT:
        return None
    if name not in PAPERS:
        raise UnsupportedError(f"paper is {name!r}, expected {FIT} or one of {', '.join(PAPERS)}")
    return PAPERS[name]
