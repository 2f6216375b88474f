"""The studio in a real browser: its server, started by the command, and pages that a test uses.

Consecutive tests share a browser (see `browser`), all tests of a worker process a server.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import pytest

from helpers import studio_scripts as scripts
from helpers.browser import BROWSER, new_profile, started
from helpers.studio_server import Server as Server
from helpers.studio_server import shared_server as shared_server
from helpers.studio_server import wait_until as wait_until
from nonosat import Nonogram, nonogram

if BROWSER is None:
    pytest.skip("Chromium is not installed", allow_module_level=True)
sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = sync_api.expect
Page, Locator = sync_api.Page, sync_api.Locator

# Settings of a page, or of a profile, that one test can change.
_CHANGING = ("viewport", "color_scheme", "reduced_motion", "permissions")

HEART = (
    "..##...##..",
    ".####.####.",
    "###########",
    "###########",
    "###########",
    ".#########.",
    "..#######..",
    "...#####...",
    "....###....",
    ".....#.....",
)


def opened_browser() -> Iterator[Opened]:
    """Open a browser for one test only."""
    with started() as browser:
        yield Opened(browser)


def watched_pages(opened: Opened) -> Iterator[Pages]:
    """Yield pages whose consoles must stay silent: the fixture `pages` of a test."""
    pages = Pages(opened)
    yield pages
    pages.close()


class Opened:
    """Browser, its profiles and a tab of each: tests share them, because each costs seconds.

    Args:
        browser: Playwright's.
    """

    def __init__(self, browser: Any) -> None:
        self._browser = browser
        self._profiles: dict[str, Any] = {}
        self._tabs: dict[Any, Any] = {}

    def profile(self, wishes: dict[str, Any]) -> Any:
        """Return the profile for settings that cannot be changed; one test at a time uses its
        pages.
        """
        key = repr(sorted((name, wish) for name, wish in wishes.items() if name not in _CHANGING))
        if key not in self._profiles:
            self._profiles[key] = self.new_profile(wishes)
        return self._profiles[key]

    def new_profile(self, wishes: dict[str, Any]) -> Any:
        """A profile with cookies and storage of its own."""
        return new_profile(self._browser, **wishes)

    def tab(self, profile: Any, wishes: dict[str, Any]) -> Any:
        """Return the tab of a profile in its initial state."""
        tab = self._tabs.get(profile)
        if tab is None or tab.is_closed():
            tab = self._tabs[profile] = profile.new_page()
        motion = wishes.get("reduced_motion", "no-preference")
        if granted := wishes.get("permissions"):
            profile.grant_permissions(granted)
        tab.emulate_media(color_scheme=wishes["color_scheme"], reduced_motion=motion)
        if tab.viewport_size != wishes["viewport"]:
            tab.set_viewport_size(wishes["viewport"])
        return tab

    def leave(self, profile: Any) -> None:
        """Close the pages of a test and clear the profile's storage."""
        tab = self._tabs.get(profile)
        profile.clear_permissions()
        for page in profile.pages:
            if page is not tab:
                page.close()
        if tab is not None and not tab.is_closed():
            # This page runs no script; it has no icon, which the browser reports as an error.
            tab.goto(f"http://127.0.0.1:{shared_server().port}/icon.svg")
            tab.evaluate("localStorage.clear(); sessionStorage.clear()")


opened_in = lru_cache(maxsize=1)(Opened)  # one for all tests of a browser


class Pages:
    """Pages of one test; errors on their consoles are faults."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened
        self._heeded: list[Any] = []  # profiles with listeners
        self._own: list[Any] = []  # of these, the profiles of this test alone
        self._servers: list[Server] = []
        self._expected: list[str] = []
        self.faults: list[str] = []

    def open(self, *, address: str | None = None, **wishes: Any) -> Table:
        """Open a page; the first one with these settings in a test begins with empty storage."""
        wanted = _wishes(**wishes)
        profile = self._opened.profile(wanted)
        if profile in self._heeded:
            return self.beside(profile, address=address)
        self._heed(profile)
        return _opened_in(self._opened.tab(profile, wanted), address)

    def context(self, width: int = 1280, height: int = 800, **more: Any) -> Any:
        """Return a profile of this test alone: without cookies, without network."""
        profile = self._opened.new_profile(_wishes(width, height, **more))
        self._own.append(profile)
        self._heed(profile)
        return profile

    def _heed(self, profile: Any) -> None:
        profile.on("console", self._heard)
        profile.on("weberror", self._failed)
        self._heeded.append(profile)

    def server(self, port: int | None = None) -> Server:
        """Return a server of this test alone; it ends after the pages."""
        server = Server(port)
        self._servers.append(server)
        return server

    def beside(self, context: Any, *, address: str | None = None) -> Table:
        """Open one more page of a profile."""
        return _opened_in(context.new_page(), address)

    def expect(self, pattern: str) -> None:
        """Declare an error, in the browser's words, that this test causes."""
        self._expected.append(pattern)

    def _heard(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.faults.append(f"{message.text} ({message.location.get('url', '')})")

    def _failed(self, error: Any) -> None:
        self.faults.append(str(error.error))

    def close(self) -> None:
        for profile in self._heeded:
            profile.remove_listener("console", self._heard)
            profile.remove_listener("weberror", self._failed)
            self._opened.leave(profile)
        for profile in self._own:
            profile.close()
        for server in self._servers:
            server.end()
        left = [
            fault
            for fault in self.faults
            if not any(re.search(pattern, fault) for pattern in ("/favicon.ico", *self._expected))
        ]
        assert not left, left


def _opened_in(page: Any, address: str | None) -> Table:
    page.goto(address or shared_server().address)
    table = Table(page)
    table.wait()
    return table


def _wishes(
    width: int = 1280, height: int = 800, *, is_dark: bool = False, **more: Any
) -> dict[str, Any]:
    look = {"viewport": {"width": width, "height": height}, "accept_downloads": True}
    return {**look, "color_scheme": "dark" if is_dark else "light", **more}


class Table:
    """Page of the studio: what it shows to a user, and what a user does with it.

    Args:
        page: Opened.
    """

    def __init__(self, page: Any) -> None:
        self.page = page
        self.title = page.locator(".verdict-title")
        self.box = page.locator(".verdict-box")
        self.sentence = page.locator(".verdict-sentence")
        self.field = page.locator(".board-field")
        self.spoken = page.locator(".board-spoken")
        self.said = page.locator("#announcer")
        self.toasts = page.locator("#toasts")
        self.readout = page.locator("#readout")

    def wait(self) -> None:
        """Wait until the page's scripts run."""
        expect(self.page.locator("#bar-end button").first).to_be_attached()

    def button(self, name: str, within: str = "body", **more: Any) -> Any:
        more.setdefault("exact", True)
        return self.page.locator(within).get_by_role("button", name=name, **more)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def frames(self) -> None:
        """Wait until the whole state is painted; a background tab hardly paints."""
        self.page.bring_to_front()
        self.page.evaluate(scripts.FRAMES)

    # Documents.

    def new(self, columns: int, rows: int) -> None:
        """Start a new picture, by the dialog for other sizes."""
        self.button("Other size…").click()
        dialog = self.page.get_by_role("dialog")
        dialog.get_by_label("Columns").fill(str(columns))
        dialog.get_by_label("Rows").fill(str(rows))
        dialog.get_by_role("button", name="Draw", exact=True).click()
        expect(self.field).to_be_visible()
        self.frames()

    def mode(self, name: str) -> None:
        """Choose Draw, Explain or Play."""
        self.button(name, "#modes").click()
        expect(self.page.locator("body")).to_have_attribute("data-mode", name.lower())
        self.frames()

    def drop(self, name: str, data: bytes, kind: str = "") -> None:
        self.page.evaluate(scripts.DROP, [name, kind, b64encode(data).decode()])

    def drop_large(self, name: str, size: int) -> None:
        """Drop a file of zeros, created in the browser."""
        self.page.evaluate(scripts.DROP_LARGE, [name, size])

    # The board.

    def places(self) -> dict[str, float]:
        """Return "row column left top width height" of the first visible cell."""
        found: dict[str, float] = self.page.evaluate(scripts.PLACES)
        return found

    def at(
        self, row: int, column: int, places: dict[str, float] | None = None
    ) -> tuple[float, float]:
        """Return the middle of a cell in the window."""
        found = places or self.places()
        x = found["left"] + (column - found["column"] + 0.5) * found["width"]
        y = found["top"] + (row - found["row"] + 0.5) * found["height"]
        return x, y

    def stroke(
        self,
        *cells: tuple[int, int],
        button: str = "left",
        places: dict[str, float] | None = None,
    ) -> None:
        """Press at the first cell, move over the others, and release."""
        found = places or self.places()
        mouse = self.page.mouse
        mouse.move(*self.at(*cells[0], found))
        mouse.down(button=button)
        for cell in cells[1:]:
            mouse.move(*self.at(*cell, found))
        mouse.up(button=button)

    def open_picture(self, rows: tuple[str, ...]) -> None:
        """Open a picture that was drawn before."""
        self.drop("picture.txt", "\n".join(rows).encode())
        expect(self.page.locator("body")).to_have_attribute("data-mode", "draw")
        expect(self.page.locator(".board-lists li").first).to_contain_text("Row 1")

    def draw(self, rows: tuple[str, ...]) -> None:
        """Draw a picture run by run with the mouse."""
        found = self.places()
        for row, text in enumerate(rows):
            for run in re.finditer("#+", text):
                first, last = (row, run.start()), (row, run.end() - 1)
                self.stroke(*([first] if first == last else [first, last]), places=found)

    def pixels(self, *cells: tuple[int, int]) -> dict[tuple[int, int], bytes]:
        """Return the pixels of the canvas in cells, four bytes each."""
        self.frames()
        found = self.places()
        self.frames()  # because `places` has moved the pointer
        w, h = found["width"] * 0.7, found["height"] * 0.7
        middles = [self.at(*cell, found) for cell in cells]
        boxes = [[x - w / 2, y - h / 2, w, h] for x, y in middles]
        told = self.page.evaluate(scripts.PIXELS, boxes)
        return dict(zip(cells, map(b64decode, told), strict=True))

    def edge(self, size: tuple[int, int], corners: list[int]) -> tuple[float, float]:
        """Return the middle of a Slitherlink's edge in the window; `size` is (height, width)."""
        found = self.page.evaluate(scripts.EDGES, [*size])
        r1, c1, r2, c2 = corners
        x = found["left"] + found["cell"] * (c1 + c2) / 2
        y = found["top"] + found["cell"] * (r1 + r2) / 2
        return x, y

    # Messages.

    def clues(self) -> tuple[list[str], list[str]]:
        """Return the clues of rows and columns as a screen reader reads them."""
        self.frames()
        rows, columns = (
            [text.partition(": ")[2] for text in side] for side in self.page.evaluate(scripts.CLUES)
        )
        return rows, columns

    def size(self) -> tuple[int, int]:
        """Return the numbers of rows and columns of the board."""
        rows, columns = self.clues()
        return len(rows), len(columns)

    def puzzle(self) -> Nonogram:
        """Return the puzzle of one colour that the page shows."""
        rows, columns = ([_lengths(text) for text in side] for side in self.clues())
        return nonogram(rows, columns)

    def judged(self, title: str | None = None) -> str:
        """Wait for the verdict on the current drawing; return it."""
        if title is not None:
            expect(self.title).to_have_text(title)
        expect(self.box).not_to_have_class(re.compile(r"\bold\b"))
        return str(self.title.text_content())


class Finger:
    """Touches on a page; Playwright itself only taps.

    Args:
        table: The page; its profile has `has_touch`.
    """

    def __init__(self, table: Table) -> None:
        self._line = table.page.context.new_cdp_session(table.page)

    def send(self, kind: str, *places: tuple[float, float]) -> None:
        """Send touchStart, touchMove or touchEnd, with a place for each finger."""
        points = [{"x": x, "y": y} for x, y in places]
        self._line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def stroke(self, *places: tuple[float, float]) -> None:
        """Touch the first place, move over the others, and lift the finger."""
        self.send("touchStart", places[0])
        for place in places[1:]:
            self.send("touchMove", place)
        self.send("touchEnd")


def _lengths(text: str) -> list[int]:
    return [] if text == "empty" else [int(number) for number in re.findall(r"\d+", text)]
