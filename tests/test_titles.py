"""Titles and authors keep the blanks at their ends in every format that can store them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import nonosat
from helpers.commands import run
from nonosat import formats
from nonosat.core import plugins
from nonosat.core.errors import UnsupportedError
from nonosat.studio import wire

TITLE, AUTHOR = "  My  title ", " Me "
ABOUT = {"title": TITLE, "author": AUTHOR}
PUZZLES = [
    nonosat.from_picture([".##", "###"], **ABOUT),
    nonosat.slitherlink(["33", ".."], **ABOUT),
]
# Some formats have a line of its own for a title, and others none.
STRIPPED = {"g": (TITLE.strip(), ""), "gno": (TITLE.strip(), AUTHOR.strip())}
HALF = {"pzprv3": ("", AUTHOR)}
KEPT = {"json", "jsonl", "non", "share", "webpbn"}


@pytest.mark.parametrize("name", sorted(plugins.names("formats")))
def test_every_format_keeps_the_blanks_or_has_no_room(name: str) -> None:
    for puzzle in PUZZLES:
        try:
            data = formats.write([puzzle], name)
        except UnsupportedError:
            continue
        (found,) = formats.read(data, format=name)
        whole = (TITLE, AUTHOR) if name in KEPT else ("", "")
        expected = {**STRIPPED, **HALF}.get(name, whole)
        assert (found.about.title, found.about.author) == expected


def test_pictures_and_pages_keep_the_blanks(tmp_path: Path) -> None:
    nonosat.draw(PUZZLES[0], tmp_path / "a.svg")
    assert f"<title>{TITLE}" in (tmp_path / "a.svg").read_text()
    nonosat.draw(PUZZLES[0], tmp_path / "a.pdf")
    assert f"/Title ({TITLE})".encode() in (tmp_path / "a.pdf").read_bytes()


def test_a_book_keeps_the_blanks(tmp_path: Path) -> None:
    book = tmp_path / "book.pdf"
    options = ("--title", TITLE, "--author", AUTHOR)
    done = run("render", "bundled:dot", "bundled:cat", "--book", "-o", str(book), *options)
    assert done.exit_code == 0, done.output
    found = dict(re.findall(rb"/(Title|Author) \((.*?)\)", book.read_bytes()))
    assert found[b"Author"] == AUTHOR.encode()
    assert f"/Title ({TITLE})".encode() in book.read_bytes()


def test_the_studio_keeps_the_blanks() -> None:
    for puzzle in PUZZLES:
        again = wire.puzzle_of(wire.sent_of(puzzle))
        assert (again.about.title, again.about.author) == (TITLE, AUTHOR)
