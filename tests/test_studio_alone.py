"""Page without a server in a real browser: in a folder of a plain host, and offline."""

import threading
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import nonosat
from helpers import studio_scripts as scripts
from helpers.browser import needs_browser, new_profile
from helpers.images import file
from helpers.paintings import PAINTINGS
from nonosat.core.errors import UnsupportedError
from nonosat.studio import static

pytestmark = needs_browser


class Silent(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def hosted(folder: Path) -> Iterator[str]:
    """Yield the address of a host that serves a folder."""
    host = ThreadingHTTPServer(("127.0.0.1", 0), partial(Silent, directory=str(folder)))
    thread = threading.Thread(target=host.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{host.server_port}"
    finally:
        host.shutdown()
        host.server_close()
        thread.join()


@pytest.fixture
def page(chromium: Any) -> Iterator[Any]:
    profile = new_profile(chromium)
    yield profile.new_page()
    profile.close()


@pytest.mark.slow
def test_it_draws_checks_repairs_and_reopens_without_a_network(tmp_path: Path, page: Any) -> None:
    try:
        static.write(tmp_path / "any" / "folder")
    except UnsupportedError as error:
        pytest.skip(str(error))
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text))
    verdict = page.locator("#verdict")
    with hosted(tmp_path) as address:
        page.goto(f"{address}/any/folder/")
        page.get_by_role("button", name="10 × 10, a new picture").click()
        page.locator("#board [tabindex]").first.focus()
        press(page, "Space")
        verdict.get_by_text("exactly one solution").wait_for()
        press(page, "ArrowRight", "ArrowDown", "Space")
        verdict.get_by_text("4 cells differ").wait_for()
        page.get_by_role("button", name="Make it unique").click()
        page.get_by_text("Proved smallest").wait_for()
        page.get_by_role("button", name="Apply this repair").click()
        verdict.get_by_text("exactly one solution").wait_for()
        take_away(page, tmp_path / "taken.jsonl")
        page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.reload()  # no host serves it any more
    verdict.get_by_text("exactly one solution").wait_for()
    page.get_by_role("button", name="Explain", exact=True).click()  # its module was kept, too
    page.locator("#explain").get_by_role("button", name="Next step").click()
    page.locator("#explain .explain-sentence").first.wait_for()
    assert wrong == []


@pytest.mark.slow
def test_it_dithers_an_image_as_the_library(tmp_path: Path, page: Any) -> None:
    try:
        static.write(tmp_path / "page")
    except UnsupportedError as error:
        pytest.skip(str(error))
    data = file(PAINTINGS["ball"]())
    with hosted(tmp_path) as address:
        page.goto(f"{address}/page/")
        page.get_by_role("button", name="10 × 10, a new picture").click()
        page.evaluate(scripts.DROP, ["ball.png", "image/png", b64encode(data).decode()])
        dialog = page.get_by_role("dialog")
        dialog.get_by_text("More", exact=True).click()
        dialog.get_by_role("combobox", name="Dithering").select_option("bayer")
        dialog.get_by_role("button", name="Apply").click()
        dialog.wait_for(state="hidden")
        page.get_by_role("button", name="Export & share").click()
        with page.expect_download() as download:
            page.get_by_role("menuitem", name="jsonl").click()
        download.value.save_as(tmp_path / "taken.jsonl")
    puzzle = nonosat.load(tmp_path / "taken.jsonl")
    wanted = nonosat.from_image(PAINTINGS["ball"](), columns=30, dither="bayer")
    assert (puzzle.rows, puzzle.columns) == (wanted.rows, wanted.columns)


@pytest.mark.slow
def test_a_link_opens_the_puzzle_for_playing_and_a_sheet_is_printed(
    tmp_path: Path, page: Any
) -> None:
    try:
        static.write(tmp_path / "page")
    except UnsupportedError as error:
        pytest.skip(str(error))
    with hosted(tmp_path) as address:
        page.goto(f"{address}/page/?a=b#")
        page.get_by_role("button", name="10 × 10, a new picture").click()
        page.locator("#board [tabindex]").first.focus()
        press(page, "Space")
        page.get_by_role("button", name="Export & share").click()
        page.get_by_role("menuitem", name="Link, QR code, text").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_role("img", name="QR code of the link").wait_for()
        assert dialog.get_by_text("The text contains the solution.").is_visible()
        link = dialog.get_by_label("Link").input_value()
        assert link.startswith(f"{address}/page/#nonosat:1:")
        assert nonosat.check(nonosat.loads(link)).solutions
        other = page.context.new_page()
        other.goto(link)
        other.locator("body[data-mode=play]").wait_for()
    assert _printed(other) == ["Puzzle", "10 × 10"]
    assert _printed(other, "document.querySelector('#home').click()") == [
        "Open a puzzle to print its sheet."
    ]


def _printed(page: Any, script: str = "0") -> list[str]:
    """Texts outside of pictures that are visible on paper."""
    page.emulate_media(media="print")
    page.evaluate(f"{script}; dispatchEvent(new Event('beforeprint'))")
    texts = page.locator("body").inner_text().splitlines()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")
    return [text for text in texts if text and not text.isdigit()]


def press(page: Any, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def take_away(page: Any, path: Path) -> None:
    """Files that the page makes are complete; those that need Python are not offered."""
    page.get_by_role("button", name="Export & share").click()
    offered = page.get_by_role("menuitem").all_inner_texts()
    assert "Copy link" in offered
    assert not [one for one in offered if one.startswith(("Sheet", "Certificate", "Page to play"))]
    with page.expect_download() as download:
        page.get_by_role("menuitem", name="jsonl").click()
    download.value.save_as(path)
    puzzle = nonosat.load(path)
    assert (puzzle.height, puzzle.width) == (10, 10)
    assert nonosat.check(puzzle).verdict.value == "unique"
