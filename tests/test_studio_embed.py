"""The element <nonosat-board>: its folder, and a page of its own that holds two of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import nonosat
from helpers.browser import needs_browser, new_profile
from helpers.web_host import hosted, win
from nonosat.cli import main
from nonosat.studio import static

built = pytest.mark.skipif(
    not (static.BUILT / "player.js").is_file(), reason="the page is not built: .ci/page"
)
PUZZLE = nonosat.from_picture(".#.#.\n#####\n#####\n.###.\n..#..", title="Little <heart>")
DOT = nonosat.nonogram([[1]], [[1]], title="Dot")
OTHER = nonosat.nonogram([[2], [1]], [[2], [1]], title="Corner")


@built
def test_the_folder_is_a_package(tmp_path: Path) -> None:
    target = tmp_path / "package"
    done = CliRunner().invoke(main, ["studio", "--player", str(target)])
    assert done.exit_code == 0
    assert done.stderr.endswith("package: 9 files, a player for any web page\n")
    about = json.loads((target / "package.json").read_text())
    assert about["version"] == nonosat.__version__
    assert (target / about["main"]).is_file()
    assert "Copyright" in (target / "LICENSE").read_text()
    assert nonosat.loads(_example(target), "share").about.title  # of the element in the README
    again = CliRunner().invoke(main, ["studio", "--player", str(target)])
    assert again.exit_code == 0
    (tmp_path / "mine").mkdir()
    for name in (static.PLAYER, "package.json"):  # common names
        (tmp_path / "mine" / name).write_text('{"name": "mine"}')
    refused = CliRunner().invoke(main, ["studio", "--player", str(tmp_path / "mine")])
    assert refused.exit_code == 2
    assert (tmp_path / "mine" / "package.json").read_text() == '{"name": "mine"}'


def _example(folder: Path) -> str:
    return (folder / "README.md").read_text().partition('puzzle="')[2].partition('"')[0]


@built
@needs_browser
@pytest.mark.slow
def test_two_elements_of_a_page_are_played(chromium: Any, tmp_path: Path) -> None:
    static.write_player(tmp_path / "player")
    clues = json.dumps(OTHER.to_data())
    (tmp_path / "index.html").write_text(
        '<!doctype html><link rel="icon" href="data:,">'
        '<script type="module" src="player/player.js"></script>'
        f'<nonosat-board id="one" puzzle="{nonosat.dumps(PUZZLE, "share").strip()}">'
        '</nonosat-board><nonosat-board id="two"><script type="application/json">'
        f"{clues}</script></nonosat-board>"
    )
    context = new_profile(chromium)
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text))
    with hosted(tmp_path) as address:
        page.goto(address)
        page.evaluate("addEventListener('solved', ({ target }) => (window.solved = target.id))")
        one, two = (page.frame_locator(f"#{name} iframe") for name in ("one", "two"))
        one.get_by_role("heading", name=PUZZLE.about.title).wait_for()
        win(one)
        assert page.evaluate("window.solved") == "one"
        assert two.get_by_role("button", name="Hint").is_enabled()
        at_first = page.evaluate("history.length")
        change = "puzzle => document.getElementById('one').setAttribute('puzzle', puzzle)"
        page.evaluate("window.solved = ''")
        page.evaluate(change, nonosat.dumps(DOT, "share").strip())
        one.get_by_role("heading", name=DOT.about.title).wait_for()
        win(one)  # by the first move
        assert page.evaluate("window.solved") == "one"
        page.evaluate(change, "nonsense")
        one.get_by_text("There is no puzzle to play.").wait_for()
        assert page.evaluate("history.length") == at_first
        page.evaluate(
            """clues => {
              const late = document.createElement("nonosat-board");
              late.id = "late";
              document.body.append(late);
              const child = document.createElement("script");
              child.type = "application/json";
              child.append(clues);
              setTimeout(() => late.append(child));
            }""",
            clues,
        )
        late = page.frame_locator("#late iframe")
        late.get_by_role("heading", name=OTHER.about.title).wait_for()
    assert wrong == []
    context.close()
