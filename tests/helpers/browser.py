"""Pages in a real browser: headless Chromium, as Debian has it (`apt-get install chromium`).

A browser costs a second, its first pages some more: tests share one (`kept`). Playwright
keeps an event loop running in its thread, which would disturb other tests: the browser ends
before the next test that does not use it (`pytest_runtest_teardown` in `conftest.py`).
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from helpers.processes import PATIENCE_S

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")
needs_browser = pytest.mark.skipif(BROWSER is None, reason="Chromium is not installed")
# Replaces Playwright's list of disabled features; the entry kept from it is required for touch. The
# popups of the address bar, which are invisible here, are two pages in each window, and make the
# opening of a window take half as long again.
_WITHOUT = (
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "MediaRouter",
    "OptimizationHints",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxPopup",
)
_PATIENCE_MS = 1000 * PATIENCE_S  # Playwright's own 30 s are short on a busy machine
_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--enable-precise-memory-info",
    "--js-flags=--single-threaded",  # helpers of short scripts take more than they save
    "--disable-features=" + ",".join(_WITHOUT),
)


@dataclass(frozen=True)
class Shown:
    """A page once its scripts have run.

    Attributes:
        document: Its HTML.
        console: Lines of its console, and errors.
    """

    document: str
    console: tuple[str, ...]


class Viewer:
    """A browser that opens files.

    Args:
        browser: Playwright's.

    Attributes:
        page: Playwright's, in which files are opened one after the other.
        console: Messages of the open page's console.
    """

    def __init__(self, browser: Any) -> None:
        self.page = new_profile(browser).new_page()
        self.console: list[str] = []
        self.page.on("console", lambda message: self.console.append(message.text))
        self.page.on("pageerror", lambda error: self.console.append(str(error)))

    def browse(self, path: Path, address: str = "") -> Shown:
        """Open a file under its own policy, at an address (`#...`) in it."""
        self._open(path, address)
        return Shown(self.page.content(), tuple(self.console))

    def asked(
        self, tmp_path: Path, html: str, script: str, *, width: int = 1280, dark: bool = False
    ) -> Any:
        """Return the result of a test's script in the page, in a window of the given width."""
        path = tmp_path / "asked.html"
        path.write_text(html)
        self.page.set_viewport_size({"width": width, "height": 800})
        self.page.emulate_media(color_scheme="dark" if dark else "light")
        self._open(path)
        return self.page.evaluate(f"() => {{{script}}}")

    def _open(self, path: Path, address: str = "") -> None:
        self.page.goto("about:blank")  # or another address of one file would not load it again
        self.console.clear()
        self.page.goto(path.as_uri() + address)


@contextmanager
def started() -> Iterator[Any]:
    """Yield Playwright's browser; close it at the end."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    api.expect.set_options(timeout=_PATIENCE_MS)
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=BROWSER, args=[*_ARGUMENTS], timeout=_PATIENCE_MS
        )
        yield browser
        browser.close()


def new_profile(browser: Any, **wishes: Any) -> Any:
    """Return a profile with cookies and storage of its own, and the usual time limits."""
    profile = browser.new_context(**wishes)
    profile.set_default_timeout(_PATIENCE_MS)
    return profile


_open = ExitStack()
_kept: list[Any] = []


def kept() -> Any:
    """Return the open browser; start it if there is none."""
    if not _kept:
        _kept.append(_open.enter_context(started()))
    return _kept[0]


def end_kept() -> None:
    """End the open browser, if there is one."""
    _kept.clear()
    _open.close()


viewer_of = lru_cache(maxsize=1)(Viewer)  # one for all tests of a browser
