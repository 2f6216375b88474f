"""Screenshots of the studio: `python benchmarks/studio/screenshots.py FOLDER`.

Every mode on boards of 5x5 to 100x80, in light and dark, 390 to 1600 pixels wide, for work on its
appearance. The README shows `mend` and `hint`, light, 1280 pixels wide, reduced in size.
"""

from __future__ import annotations

import re
import subprocess
import sys
from math import hypot
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

import nonosat

INSTANCES = Path(__file__).parents[2] / "instances"
HEART = [".#.#.", "#####", "#####", ".###.", "..#.."]
PHONE, LAPTOP, WIDE = (390, 844), (1280, 900), (1600, 1000)
TEXT = "Paste or type a text"


def main() -> None:
    """Start a studio, visit it, end it."""
    folder = Path(sys.argv[1])
    folder.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "nonosat", "studio", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        found = re.search(r"http://\S+", server.stdout.readline())
        assert found is not None
        try:
            visit(found[0], folder)
        finally:
            server.terminate()


def visit(address: str, folder: Path) -> None:
    """Capture all screens, in every theme and size."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        for theme in ("light", "dark"):
            for size in (PHONE, LAPTOP, WIDE):
                context = browser.new_context(
                    viewport={"width": size[0], "height": size[1]}, color_scheme=theme
                )
                page = context.new_page()
                page.goto(address)
                for name, screen in SCREENS.items():
                    page.locator("#home").click()
                    screen(page)
                    page.wait_for_timeout(1200)  # wait for verdicts, counts and toasts
                    page.screenshot(path=folder / f"{name}-{theme}-{size[0]}.png")
                context.close()


def opened(page: Any, text: str, mode: str) -> None:
    """Open a puzzle given as text, in a mode."""
    page.get_by_role("button", name=TEXT).click()
    page.get_by_role("dialog").get_by_role("textbox").fill(text)
    page.get_by_role("dialog").get_by_role("button", name=re.compile("^(Read|Open)")).click()
    page.get_by_role("button", name="Close", exact=True).click()
    page.get_by_role("button", name=mode, exact=True).click()


def rings(height: int, width: int) -> str:
    """Return rings, as a picture of characters."""
    rows = []
    for row in range(height):
        distances = (hypot(row - height / 2, at - width / 2) for at in range(width))
        rows.append("".join("#" if distance % 9 < 5 else "." for distance in distances))
    return "\n".join(rows)


def broken_cat() -> str:
    """Return the cat with a cell of its tail changed, which has several solutions."""
    (cat,) = nonosat.check(nonosat.load(f"{INSTANCES / 'pictures.jsonl'}#cat")).solutions
    rows = [["#" if cell else "." for cell in row] for row in cat]
    rows[8][19] = "#" if rows[8][19] == "." else "."
    return "\n".join(map("".join, rows))


def mended(page: Any) -> None:
    """Show a picture with several solutions, and a proposed repair."""
    opened(page, broken_cat(), "Draw")
    page.get_by_role("button", name="Make it unique").click()
    page.get_by_role("button", name="Take this repair").wait_for()


def hinted(page: Any) -> None:
    """Show a game after some hints."""
    page.get_by_role("button", name=re.compile("^Tulip.*play", re.DOTALL)).click()
    for _ in range(24):
        page.get_by_role("button", name="Hint").click()
        page.get_by_role("button", name="Show the cells").click()
        page.get_by_role("button", name="Apply").click()
    page.get_by_role("button", name="Hint").click()
    page.get_by_role("button", name="Show the cells").click()


SCREENS = {
    "gallery": lambda page: None,
    "draw-5": lambda page: opened(page, "\n".join(HEART), "Draw"),
    "draw-100": lambda page: opened(page, rings(80, 100), "Draw"),
    "explain": lambda page: opened(page, "\n".join(HEART), "Explain"),
    "play": lambda page: page.get_by_role(
        "button", name=re.compile("^Tulip.*play", re.DOTALL)
    ).click(),
    "mend": mended,
    "hint": hinted,
    "loop": lambda page: page.get_by_role(
        "button", name=re.compile("^Loop, 40%.*play", re.DOTALL)
    ).click(),
}

if __name__ == "__main__":
    main()
