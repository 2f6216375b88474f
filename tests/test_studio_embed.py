"""The element <nonosat-board>: its folder, and a page of its own that holds two of them."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import nonosat
from helpers.browser import needs_browser, new_profile
from nonosat.cli import main
from nonosat.studio import static

built = pytest.mark.skipif(
    not (static.BUILT / "player.js").is_file(), reason="the page is not built: .ci/page"
)
PUZZLE = nonosat.from_picture(".#.#.\n#####\n#####\n.###.\n..#..", title="Little <heart>")
OTHER = nonosat.nonogram([[2], [1]], [[2], [1]], title="Corner")


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Print nothing."""


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Address of a web host for a folder that holds the player's folder."""
    static.write_player(tmp_path / "player")
    handler = partial(_Quiet, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@built
def test_the_folder_is_a_package(tmp_path: Path) -> None:
    target = tmp_path / "package"
    done = CliRunner().invoke(main, ["studio", "--player", str(target)])
    assert done.exit_code == 0
    assert done.stderr.endswith("package: 8 files, a player for any web page\n")
    about = json.loads((target / "package.json").read_text())
    assert about["version"] == nonosat.__version__
    assert (target / about["main"]).is_file()
    assert "Copyright" in (target / "LICENSE").read_text()
    assert nonosat.loads(_example(target), "share").about.title  # of the element in the README
    again = CliRunner().invoke(main, ["studio", "--player", str(target)])
    assert again.exit_code == 0
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "index.html").write_text("mine")
    refused = CliRunner().invoke(main, ["studio", "--player", str(tmp_path / "mine")])
    assert refused.exit_code == 2


def _example(folder: Path) -> str:
    return (folder / "README.md").read_text().partition('puzzle="')[2].partition('"')[0]


@built
@needs_browser
@pytest.mark.slow
def test_two_elements_of_a_page_are_played(chromium: Any, tmp_path: Path, address: str) -> None:
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
    page.goto(address)
    page.evaluate("addEventListener('solved', ({ target }) => (window.solved = target.id))")
    one, two = (page.frame_locator(f"#{name} iframe") for name in ("one", "two"))
    assert one.get_by_role("heading", name=PUZZLE.about.title).is_visible()
    _win(one)
    assert page.evaluate("window.solved") == "one"
    assert two.get_by_role("button", name="Hint").is_enabled()
    # Another puzzle in the same element.
    page.evaluate("link => document.getElementById('one').setAttribute('puzzle', link)", "nonsense")
    one.get_by_text("There is no puzzle to play.").wait_for()
    assert wrong == []
    context.close()


def _win(frame: Any) -> None:
    """Apply hints until the puzzle is solved."""
    hint, solved = frame.get_by_role("button", name="Hint"), frame.get_by_text("Solved in")
    show = frame.get_by_role("button", name="Show the cells")
    apply = frame.get_by_role("button", name="Apply", exact=True)
    for _ in range(PUZZLE.height * PUZZLE.width):
        hint.click()
        show.or_(apply).wait_for()
        if show.is_visible():
            show.click()
        apply.click()
        if solved.is_visible():
            return
    raise AssertionError("hints did not lead to the solution")
