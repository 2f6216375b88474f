"""Sheets and books: all parts lie on the paper, and unreadable sizes are refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

import nonosat
from nonosat import About
from nonosat.core.errors import NotAPuzzleError, UnsupportedError
from nonosat.core.grid import Grid
from nonosat.puzzles.nonogram import from_grid, mono
from nonosat.render import figures
from nonosat.render.book import Book, Entry, _grid, facts_of
from nonosat.render.look import LIGHT, Look
from nonosat.render.pages import on_paper, own_page
from nonosat.render.paper import LEAST_POINTS, MARGIN, PAPERS
from nonosat.render.plates import Plate, look_of, natural, sheet
from nonosat.render.saving import draw
from nonosat.render.shapes import MM, Circle, Group, Page, Shape, Texts, outlines, text_width
from test_render_shapes import operators

A4 = PAPERS["a4"]
LONG = mono([[1, 2, 3, 4, 5] * 6, *[[1]] * 9], [[1]] * 119)
SWITCH = nonosat.nonogram([[1], [1]], [[1], [1]], title="switch")
CORNER = nonosat.nonogram([[2], [1]], [[1], [2]], title="corner")


def reach(shapes: Iterator[Shape], x: float = 0, y: float = 0, scale: float = 1) -> list[float]:
    """Left, top, right and bottom of all drawn parts."""
    boxes: list[tuple[float, float, float, float]] = []
    for shape in shapes:
        if isinstance(shape, Group):
            left, top = x + shape.x * scale, y + shape.y * scale
            boxes.append(tuple(reach(iter(shape.shapes), left, top, scale * shape.scale)))  # type: ignore[arg-type]
        elif isinstance(shape, Texts):
            for at, foot, text in shape.places:
                width = text_width(text, shape.size, is_bold=shape.is_bold)
                start = at - width * {"start": 0, "middle": 0.5, "end": 1}[shape.anchor]
                boxes.append((start, foot - 0.72 * shape.size, start + width, foot))
                boxes[-1] = tuple(  # type: ignore[assignment]
                    origin + side * scale
                    for origin, side in zip((x, y, x, y), boxes[-1], strict=True)
                )
        elif not isinstance(shape, Circle):
            points = [point for corners, _ in outlines(shape.data) for point in corners]
            boxes += [(x + a * scale, y + b * scale) * 2 for a, b in points]
    boxes = [box for box in boxes if box[0] < 1e9]
    sides = list(zip(*boxes, strict=True)) or [(1e9,)] * 4
    return [min(sides[0]), min(sides[1]), max(sides[2]), max(sides[3])]


def is_inside(page: Page, margin: float) -> bool:
    left, top, right, bottom = reach(iter(page.shapes))
    slack = 0.6
    return (
        left >= margin - slack
        and top >= margin - slack
        and right <= page.width - margin + slack
        and bottom <= page.height - margin + slack
    )


INKS = (
    nonosat.Colour("r", "#dd0000"),
    nonosat.Colour("sea", "#0000dd"),
    nonosat.Colour("y", "#ffff00"),
)
PUZZLES = [
    mono([[1]], [[1]]),
    mono([[3, 1, 4, 1, 5, None]], [[1]] * 25),
    mono([[1]] * 60, [[3, 1, 4, 1, 5, None]]),
    mono([[1234, 5678], []], [[9999]] * 3),
    LONG,
    from_grid(Grid(3, 3, b"\1\2\3\3\2\1\1\1\1"), INKS),
]
TITLED = [replace(puzzle, about=About(title="a title " * 30, author="me")) for puzzle in PUZZLES]


@pytest.mark.parametrize("puzzle", TITLED, ids=["dot", "row", "column", "digits", "long", "inks"])
@pytest.mark.parametrize("clues", ["once", "both-sides", "none"])
def test_nothing_is_clipped(puzzle: nonosat.Nonogram, clues: str) -> None:
    plate = sheet(puzzle, look_of("light", clues))
    assert is_inside(own_page(plate, None, LIGHT), 12)
    ((page, number),) = on_paper([plate], PAPERS["a2"], LIGHT)
    assert number == 1
    assert is_inside(page, MARGIN)
    assert {round(page.width), round(page.height)} == {round(420 * MM), round(594 * MM)}


def test_cells_have_the_requested_size_if_there_is_room() -> None:
    plate = sheet(mono([[1]] * 10, [[1]] * 10), Look())
    assert own_page(plate, 7.5, LIGHT).cell == pytest.approx(7.5 * MM)
    ((page, _),) = on_paper([plate], A4, LIGHT, 7.5)
    assert page.cell == pytest.approx(7.5 * MM)
    ((page, _),) = on_paper([plate], A4, LIGHT, 100)
    assert page.cell < 30 * MM
    assert is_inside(page, MARGIN)


def test_a_wide_sheet_turns_its_paper() -> None:
    ((page, _),) = on_paper([sheet(mono([[1]] * 5, [[1]] * 40), Look())], A4, LIGHT)
    assert page.width > page.height


def test_unreadable_sizes_are_refused_with_the_required_paper() -> None:
    big = replace(mono([[1] * 50] * 200, [[1] * 50] * 200), about=About(title="big"))
    plate = sheet(big, Look())
    with pytest.raises(UnsupportedError) as told:
        [*on_paper([plate], A4, LIGHT)]
    found = re.search(
        r"big: on a4 .* need (\d+) x (\d+) mm: choose the paper (\w+)", str(told.value)
    )
    assert found, told.value
    ((page, _),) = on_paper([plate], PAPERS[found[3]], LIGHT)
    assert min(page.width, page.height) >= min(int(found[1]), int(found[2])) * MM - 1
    assert page.cell / 20 * 12 * 0.75 >= LEAST_POINTS - 0.01
    smaller = [name for name in PAPERS if PAPERS[name].width < PAPERS[found[3]].width]
    with pytest.raises(UnsupportedError, match="choose the paper"):
        [*on_paper([plate], PAPERS[smaller[-1]], LIGHT)]
    small = re.search(r"or cells of ([\d.]+) mm if", str(told.value))
    assert small
    ((page, _),) = on_paper([plate], A4, LIGHT, float(small[1]))
    assert is_inside(page, MARGIN)
    with pytest.raises(UnsupportedError, match="choose the paper fit"):
        [*on_paper([sheet(mono([[1]] * 600, [[1]] * 600), Look())], A4, LIGHT)]


def test_several_on_a_page_are_fewer_if_they_would_be_too_small() -> None:
    small, large = sheet(mono([[1]] * 5, [[1]] * 5), Look()), sheet(LONG, Look())
    assert [number for _, number in on_paper([small] * 7, A4, LIGHT, None, 3)] == [3, 3, 1]
    pages = [*on_paper([small, large, large], PAPERS["a3"], LIGHT, None, 4, count(1))]
    assert [number for _, number in pages] == [1, 1, 1]
    assert [page.width > page.height for page, _ in pages] == [False, True, True]
    for page, _ in on_paper([small] * 7, A4, LIGHT, None, 4):
        assert is_inside(page, MARGIN)


# Books


def entry(number: int) -> Entry:
    puzzle = nonosat.nonogram([[2], [1]], [[2], [1]], title=f"corner {number}")
    bare = figures.figure(puzzle, nonosat.solve(puzzle).solution)
    plate = sheet(puzzle, Look())
    solved = Plate([bare], f"corner {number}")
    return Entry(plate, solved, bare, "2 rows x 2 columns", f"difficulty {number}")


def words_of(page: Page) -> list[str]:
    pending, found = [*page.shapes], []
    while pending:
        shape = pending.pop(0)
        pending = [*getattr(shape, "shapes", ()), *pending]
        found += [text for _, _, text in getattr(shape, "places", ())]
    return found


@pytest.mark.parametrize("per_page", [1, 5])
def test_a_book_leads_to_its_puzzles_and_their_solutions(per_page: int) -> None:
    entries = [entry(number) for number in range(60)]
    pages = Book("Corners", "me", A4, LIGHT, per_page).pages(entries)
    assert words_of(pages[0])[:2] == ["Corners", "me"]
    contents = [page for page in pages if page.links]
    links = [link for page in contents for link in page.links]
    lines = [words_of(page) for page in contents]
    lines[0] = lines[0][1:]
    texts = [text for line in lines for text in line if text]
    for index, (*_, target) in enumerate(links[:60]):
        title = f"{index + 1}. corner {index}"
        assert title in texts
        assert title in words_of(pages[target])
        number = words_of(pages[target])[-1]
        assert texts[texts.index(title) + 2] == number  # after the difficulty
    first = links[60][4]
    assert pages[first].section == "Solutions"
    answers = [word for page in pages[first:] for word in words_of(page)]
    assert all(f"{index + 1}. corner {index}" in answers for index in range(60))
    assert all(is_inside(page, MARGIN) for page in pages)


def test_a_book_without_solutions_has_no_page_of_them() -> None:
    entries = [one._replace(solution=None, picture=None) for one in [entry(1)]]
    pages = Book("One", "", A4, LIGHT).pages(entries)
    assert len(pages) == 3
    assert "Solutions" not in words_of(pages[1])


def test_a_cover_has_an_empty_sheet_or_pictures_on_request() -> None:
    entries = [entry(number) for number in range(2)]
    book = Book("Corners", "", A4, LIGHT, facts="2 puzzles")
    empty = book.pages(entries)[0]
    assert words_of(empty)[:2] == ["Corners", "2 puzzles"]
    drawn = [shape for shape in empty.shapes if isinstance(shape, Group)]
    assert [list(group.shapes) for group in drawn] == [list(entries[0].sheet.figures[0].shapes)]
    pictures = book._replace(has_pictures=True).pages(entries)[0]
    drawn = [shape for shape in pictures.shapes if isinstance(shape, Group)]
    assert [list(group.shapes) for group in drawn] == [
        list(one.picture.shapes) for one in entries if one.picture is not None
    ]
    assert is_inside(empty, MARGIN)
    assert is_inside(pictures, MARGIN)


@pytest.mark.parametrize(
    ("number", "difficulties", "line"),
    [
        (1, [], "1 puzzle"),
        (3, [2.5], "3 puzzles \u00b7 difficulty 2.5"),
        (3, [2.5, 1.0, 6.2], "3 puzzles \u00b7 difficulty 1.0 to 6.2"),
    ],
)
def test_a_cover_names_the_range_of_difficulties(
    number: int, difficulties: list[float], line: str
) -> None:
    assert facts_of(number, difficulties) == line


# Files


def test_a_picture_is_of_the_kind_of_its_name(tmp_path: Path) -> None:
    puzzle = nonosat.nonogram([[2], [1]], [[2], [1]], title="corner")
    for name in ("a.svg", "a.png", "a.pdf", "b.PDF"):
        assert nonosat.draw(puzzle, tmp_path / name) == ()
    assert (tmp_path / "a.svg").read_text().startswith("<svg")
    assert (tmp_path / "a.pdf").read_bytes() == (tmp_path / "b.PDF").read_bytes()
    assert "(corner) Tj" in operators((tmp_path / "a.pdf").read_bytes())
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(FileExistsError, match=r"a\.svg exists"):
        draw(puzzle, tmp_path / "a.svg")
    draw(puzzle, tmp_path / "a.svg", theme="dark", force=True)
    assert "#16181d" in (tmp_path / "a.svg").read_text()


@pytest.mark.parametrize(
    ("what", "name", "options", "told"),
    [
        (SWITCH, "a.jpg", {}, r"suffix '.jpg', expected .svg, .png or .pdf"),
        (SWITCH, "a", {}, "no suffix"),
        ([SWITCH, SWITCH], "a.svg", {}, "holds one picture, and there are 2 puzzles"),
        ([], "a.pdf", {}, "nothing to draw"),
        (SWITCH, "a.svg", {"theme": "pink"}, "'pink', expected light or dark"),
        (SWITCH, "a.svg", {"clues": "left"}, "'left', expected once, both-sides or none"),
        (SWITCH, "a.svg", {"paper": "b4"}, "'b4', expected fit or one of a6"),
        (SWITCH, "a.svg", {"cell_mm": 0}, "cells of 0 mm"),
        (SWITCH, "a.png", {"per_page": 2}, "2 a page are for a .pdf file"),
        (SWITCH, "a.pdf", {"per_page": 2, "paper": "fit"}, "need a paper"),
        (mono([[3]], [[1], [1]]), "a.svg", {"solution": True}, "no solution to draw: unsolvable"),
    ],
)
def test_unknown_kinds_are_reported(
    tmp_path: Path, what: object, name: str, options: dict[str, object], told: str
) -> None:
    with pytest.raises(UnsupportedError, match=told):
        draw(what, tmp_path / name, **options)  # type: ignore[arg-type]
    assert not [*tmp_path.iterdir()]


def test_only_puzzles_and_results_are_drawn(tmp_path: Path) -> None:
    for what in ("p.svg", [[1]], 7):
        with pytest.raises(NotAPuzzleError):
            draw(what, tmp_path / "a.svg")  # type: ignore[arg-type]


def test_a_goal_is_drawn_only_if_it_fits(tmp_path: Path) -> None:
    fits = replace(SWITCH, goal=Grid(2, 2, b"\0\1\1\0"))
    wrong = replace(SWITCH, goal=Grid(2, 2, b"\1\1\1\0"))
    drawn = []
    for number, puzzle in enumerate((fits, wrong)):
        draw(puzzle, tmp_path / f"{number}.svg", solution=True)
        drawn.append((tmp_path / f"{number}.svg").read_text())
    assert "M1 0h1v1h-1zM0 1h1v1h-1z" in drawn[0]
    assert "Several solutions" not in drawn[0]
    assert "Several solutions: in 4 marked places another one differs." in drawn[1]
    assert "#e10082" in drawn[1]


def test_a_difference_shows_both_solutions_or_reports_that_there_is_one(tmp_path: Path) -> None:
    draw(SWITCH, tmp_path / "two.svg", diff=True)
    text = (tmp_path / "two.svg").read_text()
    assert "Two solutions, which differ in 4 marked places." in text
    assert "M0 0h1v1h-1zM1 1h1v1h-1z" in text
    assert "M1 0h1v1h-1zM0 1h1v1h-1z" in text
    draw(nonosat.check(nonosat.nonogram([[1]], [[1]])), tmp_path / "one.svg", diff=True)
    assert "This is the only solution." in (tmp_path / "one.svg").read_text()


def test_every_family_is_drawn_by_every_painter(tmp_path: Path) -> None:
    puzzles = [
        SWITCH,
        nonosat.slitherlink(["2.", ".."]),
        nonosat.Queens(4, given=((0, 1),)),
        nonosat.Knight(5, 5),
    ]
    for number, puzzle in enumerate(puzzles):
        for suffix in (".svg", ".png", ".pdf"):
            for solution in (False, True):
                path = tmp_path / f"{number}-{solution}{suffix}"
                draw(puzzle, path, solution=solution)
                assert path.stat().st_size > 500
    sheets = [(tmp_path / f"{number}-False.svg").read_text() for number in range(4)]
    solved = [(tmp_path / f"{number}-True.svg").read_text() for number in range(4)]
    assert all(len(one) < len(other) for one, other in zip(sheets, solved, strict=True))


def test_covers_have_few_empty_rooms() -> None:
    assert [_grid(number, 0.7) for number in (1, 2, 24, 12)] == [(1, 1), (2, 1), (6, 4), (4, 3)]
    for number in range(1, 37):
        rows, columns = _grid(number, 0.7)
        assert (rows - 1) * columns < number <= rows * columns


def test_titles_above_a_huge_picture_are_larger() -> None:
    sizes = []
    for side in (5, 150):
        puzzle = from_grid(Grid(side, side, b"\1" * side**2), about=About(title="Huge"))
        head, enlarged, drawn, _ = natural(sheet(puzzle, Look()), None, LIGHT)
        assert enlarged * head.height < drawn.height
        sizes.append(enlarged)
    assert sizes[0] == 1 < sizes[1] <= 4


def test_objects_shown_in_notebooks_are_drawn_into_files(tmp_path: Path) -> None:
    """Grids, hints and explanations have scenes; in formats with pages, all steps are drawn."""
    explained, switches = nonosat.explain(CORNER), nonosat.why_multiple(SWITCH)
    shown = Grid(2, 2, b"\1\0\0\1"), nonosat.hint(CORNER), explained, switches
    for number, what in enumerate(shown):
        draw(what, tmp_path / f"{number}.svg")
    assert "<text" not in (tmp_path / "0.svg").read_text()
    assert ">A</text>" in (tmp_path / "3.svg").read_text()
    draw(explained, tmp_path / "a.pdf")
    told = operators((tmp_path / "a.pdf").read_bytes())
    assert (tmp_path / "a.pdf").read_bytes().count(b"/Type /Page\n") == len(explained.steps) > 1
    assert f"step {len(explained.steps)} of {len(explained.steps)}" in told
    with pytest.raises(UnsupportedError, match="solution and diff are for puzzles"):
        draw(explained, tmp_path / "b.svg", solution=True)
    with pytest.raises(UnsupportedError, match="the file's name is empty"):
        draw(SWITCH, "")


def test_a_book_is_drawn_from_python(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    told = ["easy", "hard"]
    nonosat.draw_book([CORNER, nonosat.check(SWITCH)], path, title="Mine", difficulties=told)
    content = path.read_bytes()
    assert content.count(b"/Type /Page\n") == 5  # cover, contents, two sheets, solutions
    written = operators(content)
    assert all(word in written for word in ("Mine", "Contents", "1. corner", "2. switch", *told))
    with pytest.raises(FileExistsError):
        nonosat.draw_book([CORNER], path)
    for what, name, options in (
        ([CORNER], "b.svg", {}),
        ([CORNER], "b.pdf", {"paper": "fit"}),
        ([], "b.pdf", {}),
        ([CORNER], "b.pdf", {"difficulties": told}),
        ([LONG], "b.pdf", {"paper": "a6"}),
        ([CORNER], "b.pdf", {"theme": "blue"}),
        ([CORNER], "b.pdf", {"per_page": 0}),
    ):
        with pytest.raises(UnsupportedError):
            nonosat.draw_book(what, tmp_path / name, **options)  # type: ignore[arg-type]
        assert not (tmp_path / name).exists()
