"""Pages: plates put on paper, as many on each as was asked for, or on a page of their own size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nonosat.core.errors import UnsupportedError
from nonosat.render.look import LIGHT, Theme
from nonosat.render.paper import FIT, MARGIN, PAPERS, Paper, fitting, illegible
from nonosat.render.plates import SMALL, Headed, Plate, headed, joined, natural
from nonosat.render.shapes import Figure, Group, Page, Shape, Texts, text_width

_AROUND = 12  # beside what has a page of its own size
_ALONE = 1.4  # times as large are the texts of a plate that has a page for itself
_BETWEEN = 28  # between plates on a page
FOOT = 18  # height of the line at the bottom of a page


def own_page(plate: Plate, cell_mm: float | None, theme: Theme) -> Page:
    """A page as large as its plate."""
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
    """How far texts reach."""
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
    """Plates on as many pages as they need; and how many stand on each page.

    Args:
        plates: In order.
        paper: Turned on its side where a single plate becomes larger by that; where pages have
            numbers, only if it cannot be read otherwise.
        theme: Its colours.
        cell_mm: The side of cells that was asked for; smaller where there is no room.
        per_page: How many stand on a page; fewer where they would be too small to be read.
        feet: The number at the bottom of each page; none where pages have no numbers.

    Raises:
        UnsupportedError: Numbers would be too small to be read; says what is needed.
    """
    at, per_page = 0, min(per_page, max(len(plates), 1))
    while at < len(plates):
        for number in range(per_page, 0, -1):
            some = plates[at : at + number]
            placed = _Placed(some, paper, number, cell_mm, theme)
            if number == 1 and (feet is None or placed.complaint()):  # a book turns no page unasked
                turned = _Placed(some, paper.turned(), 1, cell_mm, theme)
                placed = max((placed, turned), key=lambda one: one.scale)
            if not placed.complaint():
                break
        if complaint := placed.complaint():
            raise UnsupportedError(complaint)
        yield placed.page(str(next(feet)) if feet is not None else ""), len(some)
        at += len(some)


def check_fits(plate: Plate, paper: Paper, cell_mm: float | None = None) -> None:
    """Refuse a plate whose numbers are too small to be read on a page of its own.

    Args:
        plate: What is to be printed.
        paper: On which, upright or on its side.
        cell_mm: The side of cells that was asked for.

    Raises:
        UnsupportedError: Says what is needed.
    """
    ways = [_Placed([plate], one, 1, cell_mm, LIGHT) for one in (paper, paper.turned())]
    if complaint := max(ways, key=lambda one: one.scale).complaint():
        raise UnsupportedError(complaint)


class _Placed:
    """Plates on one page, in a grid of equal rooms.

    Attributes:
        scale: How many times as large the smallest of the drawings becomes.
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
        """Whether all plates show boards of one size, which then are drawn equally large."""
        sizes = {(one.width, one.height) for plate in self.plates for one in plate.figures}
        return len(sizes) == 1

    def _room(self, rows: int, columns: int) -> tuple[float, float]:
        """Width and height that each plate has."""
        wide = self.paper.width - 2 * MARGIN - _BETWEEN * (columns - 1)
        high = self.paper.height - 2 * MARGIN - FOOT - _BETWEEN * (rows - 1)
        return wide / columns, high / rows

    def _head(self, plate: Plate, width: float) -> Headed:
        """The texts of a plate; their height is that on the page."""
        head = headed(plate, width / self._enlarged, self.theme, is_centred=True)
        return head._replace(height=head.height * self._enlarged)

    def _fitted(self, plate: Plate, rows: int, columns: int) -> tuple[Figure, float]:
        """The drawing of a plate, in the way in which it becomes larger, and its scale."""
        width, height = self._room(rows, columns)
        height = max(height - self._head(plate, width).height, 1)
        ways = [joined(plate.figures, is_stacked=is_stacked) for is_stacked in (False, True)]
        fits = [(fitting(drawn, width, height, self.cell_mm), drawn) for drawn in ways]
        scale, drawn = max(fits, key=lambda pair: pair[0])
        return drawn, scale

    @property
    def _cell(self) -> float:
        """The side of the first drawing's cells."""
        drawn, scale = self._fitted(self.plates[0], self.rows, self.columns)
        return drawn.cell * scale

    def complaint(self) -> str:
        """Which of the plates is too small to be read, and what it needs; "" where none is."""
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
        """The page, with a line at its bottom."""
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
    """The paper of a name; None for a page as large as what it shows.

    Raises:
        UnsupportedError: There is no such paper.
    """
    if name == FIT:
        return None
    if name not in PAPERS:
        raise UnsupportedError(f"paper is {name!r}, expected {FIT} or one of {', '.join(PAPERS)}")
    return PAPERS[name]
