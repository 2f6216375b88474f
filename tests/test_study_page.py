"""The page of the documents' experiments in a real browser (see `browser`)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from browser import DARK, LIGHT, asked, asked_in_frame, browse, needs_browser

from nonosat.experiments.page import page
from nonosat.experiments.run import ORDER

pytestmark = needs_browser


@pytest.fixture(scope="module")
def html() -> str:
    recorded = Path(__file__).parent.parent / "benchmarks" / "study" / "study.json"
    return page(json.loads(recorded.read_text()))


def test_the_page_shows_without_a_complaint(tmp_path: Path, html: str) -> None:
    path = tmp_path / "page.html"
    path.write_text(html)
    done = browse(path)
    assert done.stdout.count("<section") == len(ORDER)
    assert "CONSOLE" not in done.stderr, done.stderr


def test_every_plot_is_drawn_with_its_key(tmp_path: Path, html: str) -> None:
    script = """
    return [...document.querySelectorAll("section")].map((section) => {
      const box = section.querySelector("svg").getBoundingClientRect();
      const mark = section.querySelector(".key i").getBoundingClientRect();
      return [box.width, box.height, mark.width, section.querySelectorAll("tbody tr").length];
    });
    """
    for width, height, mark, rows in asked(tmp_path, html, script):
        assert width > 300
        assert height > 200
        assert mark > 10
        assert rows >= 3


def test_dark_and_light(tmp_path: Path, html: str) -> None:
    script = """
    const curve = document.querySelector('#growth svg path[style*="--s0"]');
    const text = document.querySelector("#growth svg text");
    const styles = [document.body, text, curve].map((node) => getComputedStyle(node));
    return [styles[0].backgroundColor, styles[1].fill, styles[2].stroke];
    """
    light = asked(tmp_path, html, script, LIGHT)
    dark = asked(tmp_path, html, script, DARK)
    assert light == ["rgb(247, 246, 243)", "rgb(34, 36, 42)", "rgb(52, 103, 168)"]
    assert dark == ["rgb(22, 24, 29)", "rgb(230, 230, 227)", "rgb(121, 169, 230)"]


@pytest.mark.parametrize("width", [390, 1200])
def test_the_page_is_not_wider_than_the_screen(tmp_path: Path, html: str, width: int) -> None:
    script = "return [document.documentElement.scrollWidth, window.innerWidth];"
    content, window = asked_in_frame(tmp_path, html, script, width)
    assert content <= window
    assert abs(window - width) <= 20
