"""The studio's page: its own tests by node's runner, and its rules compared with the library."""

import json
import random
import re
import shutil
import subprocess
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import nonosat
from helpers.processes import PATIENCE_S
from nonosat.cli import main

HERE = Path(__file__).parent
FILES = sorted((HERE / "studio").glob("*.test.js"))
LETTERS = "abcdefghijklmnop"
NODE = shutil.which("node")

pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")


@pytest.mark.thorough
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name.removesuffix(".test.js"))
def test_node(file: Path) -> None:
    command = ["node", "--test", "--test-reporter=spec", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_file_picker_shows_files_of_every_format_that_is_read() -> None:
    listed = CliRunner().invoke(main, ["list", "formats"]).output
    suffixes = {
        suffix
        for last in re.findall(r"\(((?:\.\w+ ?)+)\)$", listed, re.MULTILINE)
        for suffix in last.split()
    }
    page = files("nonosat.studio").joinpath("page/files/open.js").read_text()
    accepted = set(re.findall(r"\.\w+", page.partition("const ACCEPT =")[2].partition(";")[0]))
    assert len(suffixes) > 20
    others = {".queens", ".knight", ".ranges"}  # families that the page does not show
    assert suffixes - accepted == others


def _pictures() -> list[dict[str, Any]]:
    draw = random.Random(5)
    found = []
    for height, width, colours in [(1, 1, 1), (1, 30, 2), (30, 1, 16), (8, 9, 1), (20, 25, 5)]:
        letters = LETTERS[:colours]
        rows = ["".join(draw.choices("." + letters, k=width)) for _ in range(height)]
        inks = {letter: f"#{at:02x}8040" for at, letter in enumerate(letters)}
        found.append({"picture": rows, "colours": inks, "background": "#fffff0", "title": "Bär ❤"})
    return found


def _puzzle(picture: dict[str, Any]) -> nonosat.Nonogram:
    return nonosat.from_picture(
        "\n".join(picture["picture"]),
        colours=picture["colours"],
        background=picture["background"],
        title=picture["title"],
    )


def _puzzles() -> list[nonosat.Nonogram]:
    return [_puzzle(picture) for picture in _pictures()]


@cache
def _page() -> dict[str, Any]:
    """Return the page's results for the pictures, and for the library's texts of them."""
    texts = [nonosat.dumps(puzzle, "share") for puzzle in _puzzles()]
    asked = json.dumps({"pictures": _pictures(), "texts": [*texts, _clues_alone()]})
    command = ["node", str(HERE / "studio" / "helpers" / "bridge.mjs")]
    done = subprocess.run(
        command, input=asked, capture_output=True, text=True, timeout=PATIENCE_S, check=True
    )
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def _clues_alone() -> str:
    puzzle = nonosat.nonogram(rows=[[1], [None]], columns=[[1], [1]], title="Switch")
    return nonosat.dumps(puzzle, "share")


def _blocks(clues: Any) -> list[list[tuple[int, int]]]:
    return [[(block["length"], block["colour"]) for block in clue] for clue in clues]


def _of_library(clues: Any) -> list[list[tuple[int, int]]]:
    return [[(block.length, block.colour) for block in clue] for clue in clues]


def test_clues_of_pictures_are_those_of_the_library() -> None:
    for clues, puzzle in zip(_page()["clues"], _puzzles(), strict=True):
        assert _blocks(clues["rowClues"]) == _of_library(puzzle.rows)
        assert _blocks(clues["columnClues"]) == _of_library(puzzle.columns)


def test_the_library_reads_what_the_page_shares() -> None:
    for text, puzzle in zip(_page()["shared"], _puzzles(), strict=True):
        found = nonosat.loads(text)
        assert (found.rows, found.columns, found.goal) == (puzzle.rows, puzzle.columns, puzzle.goal)
        assert found.about.title == puzzle.about.title
        assert [one.rgb for one in found.colours] == [one.rgb for one in puzzle.colours]
        assert found.background.rgb == puzzle.background.rgb


def test_the_page_reads_what_the_library_shares() -> None:
    *drawn, clued = _page()["read"]
    for found, puzzle in zip(drawn, _puzzles(), strict=True):
        assert found["kind"] == "picture"
        assert found["cells"] == [value for row in puzzle.goal for value in row]
        assert found["palette"] == [colour.rgb for colour in puzzle.colours]
        assert found["title"] == puzzle.about.title
    assert (clued["kind"], clued["title"], clued["cells"]) == ("puzzle", "Switch", None)
    assert _blocks(clued["rowClues"]) == [[(1, 1)], [(None, 1)]]
