"""Several pictures of one result in one drawing."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import nonosat
from nonosat.render.figures import figure, svg_of
from nonosat.render.gallery import MOST, picture_of


def widths(document: str) -> tuple[float, float]:
    root = ET.fromstring(document)
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    return width, height


def test_repairs_are_side_by_side_in_rows() -> None:
    picture = nonosat.Grid.of_rows(["#...#", ".#.#.", "..#..", ".#.#.", "#...#"], ".#")
    found = nonosat.repair(picture, most=30)
    assert len(found.pictures) == 30
    drawn = picture_of(found)
    assert drawn == found._repr_svg_()
    assert all(f">{number}: row" in drawn for number in range(1, MOST + 1))
    assert f">{MOST + 1}: row" not in drawn
    assert f"{30 - MOST} more are not drawn" in drawn
    wide, high = widths(drawn)
    one = figure(found.puzzle, found.pictures[0])
    assert wide >= 5 * one.width
    assert high >= 5 * one.height


def test_one_picture_is_drawn_as_usual() -> None:
    found = nonosat.repair(nonosat.Grid.of_rows(["#.", ".#"], ".#"))
    for shown in (found, found.puzzle, found.pictures[0], nonosat.solve(found.puzzle)):
        assert picture_of(shown) == svg_of(shown)
