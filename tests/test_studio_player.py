"""Page that plays one puzzle: conversion of modules to a script, and a game in a browser."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import nonosat
from helpers.browser import needs_browser, new_profile
from nonosat.studio import alone, bundling

HEART = ["..#.#..", ".#####.", ".#####.", "..###..", "...#..."]
PUZZLE = nonosat.from_picture(nonosat.Grid.of_rows(HEART, ".#"), title="<Heart> & co")
LOOP = nonosat.slitherlink(["2.1.", "2...", "....", "3201"])


def _data(page: str) -> Any:
    found = re.search(r'id="data">(.*?)</script>', page)
    assert found
    return json.loads(found[1])


def test_the_page_holds_clues_and_steps_but_neither_goal_nor_other_files() -> None:
    page = alone.player_page(PUZZLE)
    data = _data(page)
    assert data["puzzle"]["rows"] == [[1, 1], [5], [5], [3], [1]]
    assert "goal" not in data["puzzle"]
    assert data["explanation"]["steps"] == nonosat.explain(PUZZLE).to_data()["steps"]
    assert "<title>&lt;Heart&gt; &amp; co</title>" in page
    assert not re.search(r"\b(?:src|href)=|@import|url\(", page)
    assert "script-src 'sha256-" in page


def test_pages_of_one_file_omit_modules_for_drawing() -> None:
    for start in ("explain/page.js", "play/player.js", "notebook/notebook.js"):
        held = set(re.findall(r'^modules\["([^"]+)"\]', bundling.bundled(start), re.MULTILINE))
        assert {"board/index.js", "single/single.js", start} <= held
        idle = {"state/history.js", "state/reduce.js", "state/pack.js"}
        assert not held & idle
        assert not {path for path in held if path.startswith(("tools/", "files/", "mend/"))}


def test_of_a_puzzle_with_several_solutions_there_are_no_hints() -> None:
    assert _data(alone.player_page(nonosat.nonogram([[1], [1]], [[1], [1]])))["explanation"] is None


def test_other_families_are_refused() -> None:
    with pytest.raises(nonosat.UnsupportedError, match="no other family"):
        alone.player_page(nonosat.Queens(5))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folder whose modules are combined in place of the page's."""
    monkeypatch.setattr(bundling, "_text", lambda path: (tmp_path / path).read_text())
    return tmp_path


def test_modules_become_one_script_that_does_the_same(folder: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    (folder / "in").mkdir()
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "start.js").write_text(
        'import {\n  twice, made as done,\n} from "./in/b.js";\n'
        'import * as a from "./in/a.js";\n'
        "// A comment, and\n/**\n * another, `of\n * several lines`.\n */\n\n"
        "console.log(twice(4), done, a.name, new a.Box().held, a.late()); // A comment: the end\n"
        "console.log('[', 'a; // b', \"{ // c\", `) // d`); // 'and' that one stays\n"
        "console.log('a, b'.split(/[,;]/).length / [2][0]); // A comment behind slashes\n"
    )
    (folder / "in/a.js").write_text(
        'export const name = "a";\nexport class Box {\n  held = 7;\n}\n'
        "export { inner };\nfunction inner() {\n  return 2;\n}\n"
        "export async function never() {}\nexport let late = () => inner();\n"
    )
    (folder / "in/b.js").write_text(
        'import { inner } from "./a.js";\nexport { name } from "./a.js";\nconst name = "own";\n'
        "export function twice(x) {\n  return inner() * x;\n}\nexport const made = name.length;\n"
    )
    (folder / "all.js").write_text(bundling.bundled("start.js"))
    assert "omment" not in (folder / "all.js").read_text()
    said = [
        subprocess.run([node, folder / name], capture_output=True, text=True, check=True).stdout
        for name in ("start.js", "all.js")
    ]
    assert said[0] == said[1] == "8 3 a 7 2\n[ a; // b { // c ) // d\n1\n"


@pytest.mark.parametrize(
    "line",
    [
        "export default 1;",
        'import x from "./b.js";',
        'import "./b.js";',
        'import {a} from "./b.js"',
        "export { a as b };",
        'export * from "./b.js";',
        "const text = `of\n  two lines`;",
    ],
)
def test_other_forms_of_modules_are_refused(folder: Path, line: str) -> None:
    (folder / "a.js").write_text(f"{line}\n")
    (folder / "b.js").write_text("export const a = 1;\n")
    with pytest.raises(ValueError, match=r"not known|not a form|several lines"):
        bundling.bundled("a.js")


@pytest.mark.parametrize("held", ["[; // ]", r"[\]; // ]", r"a\/b[c, // d]"])
def test_a_regular_expression_is_not_cut(folder: Path, held: str) -> None:
    (folder / "a.js").write_text(f"const parts = /{held}/;\n")
    with pytest.raises(ValueError, match="regular expression"):
        bundling.bundled("a.js")


def test_circles_of_modules_are_refused(folder: Path) -> None:
    (folder / "a.js").write_text('import { b } from "./b.js";\n')
    (folder / "b.js").write_text('import { a } from "./a.js";\n')
    with pytest.raises(ValueError, match=r"circle: a.js -> b.js -> a.js"):
        bundling.bundled("a.js")


@needs_browser
@pytest.mark.thorough
@pytest.mark.parametrize("puzzle", [PUZZLE, LOOP], ids=["nonogram", "slitherlink"])
def test_a_game_is_won_by_hints_alone(chromium: Any, tmp_path: Path, puzzle: Any) -> None:
    path = tmp_path / "game.html"
    path.write_text(alone.player_page(puzzle), encoding="utf-8")
    context = new_profile(chromium, offline=True)
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text))
    page.goto(path.as_uri())
    hint, apply = page.get_by_role("button", name="Hint"), page.locator(".play-note .button")
    for _ in nonosat.explain(puzzle).steps:
        if hint.is_disabled():
            break
        hint.click()
        apply.click()
        if apply.is_visible():  # it has shown the cells
            apply.click()
    assert "Solved in" in page.inner_text("#panel")
    page.reload()
    assert "Solved in" in page.inner_text("#panel")
    assert wrong == []
    context.close()
