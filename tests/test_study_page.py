"""Page of the documents' experiments in a real browser (see `browser`)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from helpers.browser import Viewer, needs_browser
from nonosat.study.experiments.page import page
from nonosat.study.experiments.run import ORDER

pytestmark = needs_browser


@pytest.fixture(scope="module")
def html() -> str:
    recorded = Path(__file__).parent.parent / "benchmarks" / "study" / "study.json"
    return page(json.loads(recorded.read_text()))


@pytest.mark.thorough
def test_the_page_opens_without_errors(viewer: Viewer, tmp_path: Path, html: str) -> None:
    path = tmp_path / "page.html"
    path.write_text(html)
    done = viewer.browse(path)
    assert done.document.count("<section") == len(ORDER)
    assert not done.console


@pytest.mark.slow
def test_every_plot_is_drawn_with_its_key(viewer: Viewer, tmp_path: Path, html: str) -> None:
    script = """
    return [...document.querySelectorAll(".pair > div")].map((part) => {
      const box = part.querySelector("svg").getBoundingClientRect();
      const marks = [...part.querySelectorAll(".key i")].map((mark) => {
        const style = getComputedStyle(mark);
        return [style.borderTopStyle, style.borderTopColor, style.borderTopWidth].join(" ");
      });
      return [box.width, box.height, marks];
    });
    """
    found = viewer.asked(tmp_path, html, script)
    assert len(found) == 2 * len(ORDER)
    for width, height, marks in found:
        assert width > 300
        assert height > 200
        assert len(marks) == len(set(marks)) >= 3  # no two curves have the same style


# Words of a plot that overlap or lie outside the plot.
COLLISIONS = """
return [...document.querySelectorAll(".pair svg")].flatMap((svg) => {
  const frame = svg.getBoundingClientRect();
  const texts = [...svg.querySelectorAll("text")].map((text) =>
    [text.textContent, text.getBoundingClientRect()]);
  const outside = texts.filter(([, box]) => box.left < frame.left - 1 || box.top < frame.top - 1
    || box.right > frame.right + 1 || box.bottom > frame.bottom + 1).map(([text]) => text);
  const meet = (one, other) => one.left + 1 < other.right && other.left + 1 < one.right
    && one.top + 1 < other.bottom && other.top + 1 < one.bottom;
  const over = texts.flatMap(([text, one], at) => texts.slice(at + 1)
    .filter(([, other]) => meet(one, other)).map(([other]) => text + "/" + other));
  return [...outside, ...over];
});
"""


@pytest.mark.thorough
@pytest.mark.parametrize("width", [390, 768, 1200])
def test_no_words_of_a_plot_collide(viewer: Viewer, tmp_path: Path, html: str, width: int) -> None:
    assert viewer.asked(tmp_path, html, COLLISIONS, width=width) == []


@pytest.mark.slow
def test_dark_and_light(viewer: Viewer, tmp_path: Path, html: str) -> None:
    script = """
    const curve = document.querySelector('#growth svg path[style*="--s0"]');
    const text = document.querySelector("#growth svg text");
    const styles = [document.body, text, curve].map((node) => getComputedStyle(node));
    return [styles[0].backgroundColor, styles[1].fill, styles[2].stroke];
    """
    light = viewer.asked(tmp_path, html, script)
    dark = viewer.asked(tmp_path, html, script, dark=True)
    assert light == ["rgb(247, 246, 243)", "rgb(34, 36, 42)", "rgb(52, 103, 168)"]
    assert dark == ["rgb(22, 24, 29)", "rgb(230, 230, 227)", "rgb(121, 169, 230)"]


@pytest.mark.thorough
@pytest.mark.parametrize("width", [390, 1200])
def test_the_page_is_not_wider_than_the_screen(
    viewer: Viewer, tmp_path: Path, html: str, width: int
) -> None:
    script = "return [document.documentElement.scrollWidth, window.innerWidth];"
    content, window = viewer.asked(tmp_path, html, script, width=width)
    assert content <= window
    assert abs(window - width) <= 20
