"""Texts as people paste them: each is read as a person would read it, or refused.

`data/texts` holds them, written before the reader was: pictures of our own in `drawings.txt`, and
texts, each below a line `==== name -> expectation`. The expectation is one of

    cup             the puzzle of that drawing
    picture cup     the same, from a picture, whose goal it is
    either cup      refused with both orders named; rows first it is the drawing, columns first
                    its transpose
    either-turned cup   the same with the orders changed
    refused words   refused; the message holds the words
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from nonosat import formats
from nonosat.core.errors import FormatError
from nonosat.core.grid import Grid
from nonosat.puzzles.nonogram.data import BLACK, Colour, Nonogram, from_grid

TEXTS = Path(__file__).parent / "data" / "texts"


class Pasted(NamedTuple):
    """Text and the expected reading."""

    name: str
    text: str
    kind: str
    what: str


def drawn(lines: list[str]) -> Nonogram:
    signs = sorted(set("".join(lines)) - {"."})
    inks = [BLACK if sign == "#" else Colour(sign, "#123456") for sign in signs]
    cells = bytes(signs.index(sign) + 1 if sign != "." else 0 for sign in "".join(lines))
    return from_grid(Grid(len(lines), len(lines[0]), cells), inks or (BLACK,))


def drawings() -> dict[str, Nonogram]:
    blocks = (TEXTS / "drawings.txt").read_text().strip().split("\n\n")
    return {name: drawn(lines) for name, *lines in (block.split("\n") for block in blocks)}


def pasted() -> list[Pasted]:
    found = []
    for path in sorted(TEXTS.glob("*.txt")):
        for block in re.split(r"^==== ", path.read_text(), flags=re.MULTILINE)[1:]:
            head, _, text = block.partition("\n")
            name, arrow, expected = head.partition(" -> ")
            assert arrow, head
            kind, _, what = expected.partition(" ")
            kind, what = (kind, what) if what else ("read", kind)
            found.append(Pasted(f"{path.stem}: {name}", text, kind, what))
    return found


DRAWINGS = drawings()
PASTED = pasted()


def seen(puzzle: Nonogram) -> object:
    """Return the visible parts of a puzzle: lengths, each with the sign of its colour."""
    keys = [colour.key for colour in puzzle.colours]
    return [
        [[(block.length, keys[block.colour - 1]) for block in clue] for clue in side]
        for side in (puzzle.rows, puzzle.columns)
    ]


def test_there_are_many_texts_with_names_of_their_own() -> None:
    assert len(PASTED) >= 200
    assert len({one.name for one in PASTED}) == len(PASTED)


@pytest.mark.slow
@pytest.mark.parametrize("one", PASTED, ids=[one.name for one in PASTED])
def test_a_text_is_read_as_people_read_it(one: Pasted) -> None:
    data = one.text.encode()
    if one.kind in ("refused", "either", "either-turned"):
        with pytest.raises(FormatError) as caught:
            formats.read(data, name="pasted.txt")
        assert len(str(caught.value)) < 900
    if one.kind == "refused":
        assert one.what.lower() in str(caught.value).lower()
        return
    wanted = DRAWINGS[one.what]
    if not one.kind.startswith("either"):
        (puzzle,) = formats.read(data, name="pasted.txt")
        assert seen(puzzle) == seen(wanted)
        assert (puzzle.goal is None) == (one.kind == "read")
        return
    orders = ("rows-first", "columns-first")[:: -1 if one.kind == "either-turned" else 1]
    assert all(f"{order}:" in str(caught.value) for order in orders)
    sides = seen(wanted)
    for order in orders:
        (puzzle,) = formats.read(data, name="pasted.txt", format=order)
        assert seen(puzzle) == sides
        sides = sides[::-1]
