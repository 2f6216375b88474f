"""Shared texts: their content, round trips of every family, refusals."""

from __future__ import annotations

import base64
import json
import string
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import nonosat
from helpers.commands import run
from helpers.drawing import examples
from nonosat import formats
from nonosat.formats import share
from nonosat.puzzles.nonogram.data import About
from nonosat.testing.strategies import grids, puzzles

GOLDEN = Path(__file__).parent / "data" / "formats"
INSTANCES = Path(__file__).parents[1] / "instances"
LETTERS = string.ascii_letters + string.digits + "-_"


def text_of(value: Any) -> str:
    """Make a shared text without code of the format."""
    return "nonosat:1:" + letters(json.dumps(value).encode())


def letters(data: bytes) -> str:
    packed = zlib.compress(data, 9)[2:-4]  # zlib's header and checksum are not in raw deflate
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def object_in(text: str) -> dict[str, Any]:
    """Return the content of a text, read without the format."""
    word = text.removeprefix("nonosat:1:").strip()
    packed = base64.urlsafe_b64decode(word + "=" * (-len(word) % 4))
    found: dict[str, Any] = json.loads(zlib.decompressobj(-15).decompress(packed))
    return found


def test_the_golden_text() -> None:
    (puzzle,) = formats.load_all(GOLDEN / "tiny.share")
    assert str(puzzle.goal) == "##.\n#.#"
    assert puzzle == nonosat.from_picture("##.\n#.#", title="boot", id="1")


def test_of_a_drawn_puzzle_the_picture_is_enough() -> None:
    drawn = nonosat.from_picture(["r.", "bb"], colours={"r": "#ff0000", "b": "blue"}, title="flag")
    assert object_in(nonosat.dumps(drawn, "share")) == {
        "title": "flag",
        "width": 2,
        "goal": "1022",
        "colors": {"r": "#ff0000", "b": "#0000ff"},
    }
    assert len(nonosat.dumps(nonosat.from_picture(["#." * 15, ".#" * 15] * 15), "share")) < 80


def test_a_goal_that_contradicts_the_clues_is_stored_with_them() -> None:
    puzzle = nonosat.nonogram([[1], [1]], [[1], [1]], goal="##\n..", id="odd")
    assert object_in(nonosat.dumps(puzzle, "share")).keys() >= {"rows", "columns", "goal"}
    assert nonosat.loads(nonosat.dumps(puzzle, "share")) == puzzle


@pytest.mark.parametrize("path", sorted(INSTANCES.glob("*.jsonl")), ids=lambda path: path.stem)
def test_our_collection_comes_back(path: Path) -> None:
    puzzles = formats.load_all(path)
    assert formats.read(nonosat.dumps(puzzles, "share").encode()) == puzzles


@examples(20)
@given(puzzles())
def test_every_nonogram_comes_back(puzzle: Any) -> None:
    named = puzzle.about_with(id="x")
    assert nonosat.loads(nonosat.dumps(named, "share")) == named


@examples(35)
@given(grids())
def test_every_picture_comes_back(picture: Any) -> None:
    puzzle = nonosat.from_picture(picture, id="x")
    text = nonosat.dumps(puzzle, "share")
    assert "rows" not in object_in(text)
    assert nonosat.loads(text) == puzzle


def test_known_properties_of_a_puzzle_are_included() -> None:
    about = About("a", "Zwölf ☃", "me", "mine", "CC0", "here", "two\nlines")
    puzzle = nonosat.nonogram([[1]], [[1]], given=[(0, 0, 1)], background="#fffff0")
    puzzle = puzzle.about_with(**{name: getattr(about, name) for name in About.__slots__})
    assert nonosat.loads(nonosat.dumps(puzzle, "share")) == puzzle


@pytest.mark.parametrize(
    "front",
    ["", "https://host.example/a/#", "https://host.example/a/b?c#p=", "http://127.0.0.1:1/?t=x#p="],
)
def test_a_text_stands_for_a_file(front: str) -> None:
    text = front + text_of({"width": 2, "goal": "1110"})
    assert [[block.length for block in clue] for clue in nonosat.load(text).rows] == [[2], [1]]
    result = run("convert", text, "-", "--to", "picture")
    assert (result.exit_code, result.stdout) == (0, "##\n#.\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nonosat:2:abc", "1: version 2 of shared puzzles, expected 1"),
        ("nonosat:1:", "damaged, expected the whole text"),
        ("nonosat:1:q", "damaged"),
        ("nonosat:1:ab=cd", "damaged"),
        ("nonosat:1:____", "damaged"),
        (text_of({"width": 2, "goal": "1110"})[:-3], "damaged"),
        (text_of({"width": 2, "goal": "1110"}) + "AAAA", "damaged"),
        ("nonosat:1:" + letters(b"{"), "holds no JSON"),
        ("nonosat:1:" + letters(b"\xff"), "holds no JSON"),
        ("nonosat:1:" + letters(b"[" * 100_000), "holds no JSON"),
        ("nonosat:1:" + letters(b"9" * 10_000), "holds no JSON"),
        (text_of([1]), "holds"),
        (text_of({}), "without clues"),
        (text_of({"width": 0, "goal": ""}), "without clues"),
        (text_of({"width": True, "goal": "1"}), "without clues"),
        (text_of({"width": 2, "goal": 3}), "without clues"),
        (text_of({"width": 2, "goal": "111"}), "the goal has 3 cells, expected 1 x 2"),
        (text_of({"width": 2, "goal": ""}), "0 rows x 2 columns"),
        (text_of({"width": 2, "goal": "12"}), "colour 2 in row 1, column 2, expected 0 to 1"),
        (text_of({"rows": [[1]]}), "columns"),
        (text_of({"family": "chess"}), "the family"),
        (text_of({"family": "queens", "n": -1}), "1"),
    ],
)
def test_invalid_texts_are_refused_with_a_reason(text: str, message: str) -> None:
    assert share.sniff(text.encode())
    with pytest.raises(nonosat.FormatError, match=r"^1: ") as caught:
        nonosat.loads(text)
    assert message in str(caught.value)


def test_texts_that_unpack_to_too_much_are_refused() -> None:
    bomb = "nonosat:1:" + letters(b" " * (share.MOST_BYTES + 1))
    assert len(bomb) < 30_000
    with pytest.raises(nonosat.FormatError, match="unfolds to more than 16777216 bytes"):
        nonosat.loads(bomb)


def test_puzzles_that_are_too_large_are_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(share, "MOST_BYTES", 20)
    with pytest.raises(nonosat.UnsupportedError, match="too large to be shared"):
        nonosat.dumps(nonosat.from_picture("##"), "share")


@examples(120)
@given(st.binary(max_size=60).map(letters) | st.text(LETTERS, max_size=60) | st.text(max_size=30))
def test_arbitrary_letters_are_a_puzzle_or_an_error(word: str) -> None:
    with suppress(nonosat.FormatError):
        list(share.read(f"nonosat:1:{word}".encode("utf-8", "replace")))
