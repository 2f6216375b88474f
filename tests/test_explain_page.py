"""Page of an explanation in a real browser.

Without a browser these tests are skipped with a message: `apt-get install chromium` installs one.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import nonosat
from helpers.browser import Viewer, needs_browser, new_profile
from helpers.stepping import ACCENT, BAD, HINT, INK, is_near, settled
from nonosat.core.about import About
from nonosat.explain import explain
from nonosat.puzzles.nonogram.data import Nonogram, mono, rgb_of
from nonosat.studio.alone import explained_page

pytestmark = needs_browser
INSTANCES = Path(__file__).parent.parent / "instances"


def page_of(puzzle: Nonogram, title: str = "a title") -> str:
    found = explain(puzzle)
    return explained_page(found, title, str(found).splitlines()[-1])


@pytest.fixture(scope="module")
def smile() -> str:
    return page_of(nonosat.load(INSTANCES / "pictures.jsonl#smile"))


@pytest.mark.slow
def test_page_runs_under_its_own_policy(stepping: Any, smile: str) -> None:
    """The page's only script runs, nothing is refused, nothing fails, nothing is fetched."""
    asked: list[str] = []
    shown = stepping(smile)
    shown.page.on("request", lambda request: asked.append(request.url))
    shown.page.reload()
    assert shown.count() == "Step 0 of 47"
    assert shown.sentence() == "The puzzle as it is given."
    assert shown.page.locator(".explain-list li").count() == 47
    assert [url.partition(":")[0] for url in asked] == ["file"]


def test_policy_keeps_other_scripts_out(viewer: Viewer, tmp_path: Path, smile: str) -> None:
    path = tmp_path / "page.html"
    path.write_text(smile.replace("</body>", "<script>document.title = 'taken'</script></body>"))
    done = viewer.browse(path)
    assert "<title>a title</title>" in done.document
    assert "Content Security Policy" in done.console[0]


def test_stepping_with_buttons_keys_slide_and_list(stepping: Any, smile: str) -> None:
    shown = stepping(smile)
    assert shown.button("Step back").is_disabled()
    shown.button("Next step").click()
    assert shown.count() == "Step 1 of 47"
    assert shown.sentence().startswith("If cell (1, 1) were filled, column 1 (clue 4) and then")
    shown.press("ArrowRight")
    assert shown.count() == "Step 2 of 47"
    shown.press("ArrowLeft", "ArrowLeft", "ArrowLeft")
    assert shown.count() == "Step 0 of 47"
    shown.press("End")
    assert shown.count() == "Step 47 of 47"
    assert shown.button("Next step").is_disabled()
    shown.page.wait_for_url("**#step-47")
    shown.press("Home")
    shown.page.wait_for_url("**/steps.html")
    shown.page.get_by_label("Step", exact=True).fill("10")
    assert shown.count() == "Step 10 of 47"
    shown.page.locator(".explain-list a").nth(4).click()
    assert shown.count() == "Step 5 of 47"
    assert shown.page.locator("[aria-current=step]").count() == 1
    shown.page.wait_for_url("**#step-5")


@pytest.mark.slow
def test_a_step_is_seen_and_heard(stepping: Any, smile: str) -> None:
    """Cells that it decides and assumes, cells that would follow, and the lines that it uses."""
    shown = stepping(smile)
    places = shown.places()

    def lit() -> tuple[list[int], list[int]]:
        bars = [shown.middle(at, at, places) for at in range(8)]
        rows = [shown.seen(places["left"] - 2, y)[0] for _, y in bars]
        columns = [shown.seen(x, places["top"] - 2)[0] for x, _ in bars]
        told = [[at for at in range(8) if is_near(side[at], ACCENT)] for side in (rows, columns)]
        return told[0], told[1]

    assert lit() == ([], [])
    shown.press("ArrowRight")
    assert lit() == ([0, 4], [0, 5])
    heard = shown.heard(8, 8)
    marks = {place: told.partition(": ")[2].partition(".")[0] for place, told in heard.items()}
    assert marks[0, 0] == "crossed out, just settled, assumed"
    (step, *_) = explain(nonosat.load(INSTANCES / "pictures.jsonl#smile")).steps
    gone = {(r, c): value for link in step.chain for r, c, value in link.rules_out}
    follows = {place: told for place, told in marks.items() if "would" in told}
    assert follows == {
        place: f"open, would be {'empty' if value else 'filled'}" for place, value in gone.items()
    }
    dots = [shown.middle(*place, places) for place, value in gone.items() if not value]
    assert set(shown.points(dots)) == {HINT}
    assert "Step 1 of 47. If cell (1, 1) were" in shown.text("#announcer")


def test_an_address_opens_its_step(stepping: Any, smile: str) -> None:
    for address, told in (("#step-12", 12), ("#nonsense", 0)):
        shown = stepping(smile, address, anew=True)
        assert shown.count() == f"Step {told} of 47"
    links = shown.page.locator(".explain-list a").evaluate_all("all => all.map((a) => a.hash)")
    assert links == [f"#step-{number}" for number in range(1, 48)]
    for address, told in (("#step-3", 3), ("#step-99", 47), ("", 0)):
        shown.page.evaluate(f"() => {{ location.hash = '{address}' }}")
        shown.page.wait_for_function(
            "told => document.querySelector('#panel').innerText.includes(told)",
            arg=f"Step {told} of 47",
        )


def test_every_line_is_numbered(stepping: Any, smile: str) -> None:
    """There is a number right of every row and below every column."""
    shown = stepping(smile)
    places = shown.places()
    size = places["width"]
    for at in range(8):
        x, y = shown.middle(at, at, places)
        right, below = places["left"] + 8 * size, places["top"] + 8 * size
        for part in ((right + 3, y - 6, 16, 12), (x - 8, below + 3, 16, 14)):
            assert len(set(shown.seen(*part))) > 1


def test_the_list_is_not_cut_in_a_line_of_text(stepping: Any, smile: str) -> None:
    """It fades at both ends, and the chosen entry is in the middle."""
    shown = stepping(smile, "#step-20")
    script = """
    (list) => {
      const [frame, item] = [list, list.querySelector("[aria-current]")]
        .map((one) => one.getBoundingClientRect());
      return [getComputedStyle(list).maskImage, frame.top < item.top - 30,
        item.bottom + 30 < frame.bottom];
    }
    """
    mask, *inside = shown.page.locator(".explain-list").evaluate(script)
    assert mask.startswith("linear-gradient(")
    assert inside == [True, True]


def test_coloured_boards_are_the_results_of_the_steps(stepping: Any) -> None:
    """The last board is the solution, in its own colours, which the clues have, too."""
    puzzle = nonosat.load(INSTANCES / "colour.jsonl#tulip")
    solution = nonosat.check(puzzle).solution
    assert solution is not None
    shown = stepping(page_of(puzzle))
    places = shown.places()
    inks = [rgb_of(ink.rgb) for ink in (puzzle.background, *puzzle.colours)]
    rows = [places["top"] + (row + 0.25) * places["height"] for row in range(puzzle.height)]
    gutter = shown.points([(places["left"] - x, y) for y in rows for x in range(3, 80)])
    assert {ink for ink in inks[1:] if ink not in gutter} == set()
    assert shown.page.inner_text(".inks").split()[::2] == [ink.key for ink in puzzle.colours]
    shown.press("End")
    followed = explain(puzzle).steps[-1].lines  # which are tinted
    cells = [
        (row, column)
        for row in range(puzzle.height)
        for column in range(puzzle.width)
        if row not in followed and puzzle.height + column not in followed
    ]
    assert len(cells) > puzzle.height * puzzle.width / 2
    middles = [shown.middle(*cell, places) for cell in cells]
    beside = 0.24 * places["width"]  # crosses, and inside frames
    for cell, colour in zip(
        cells, shown.points([(x - beside, y) for x, y in middles]), strict=True
    ):
        assert is_near(colour, inks[solution[cell]])


@pytest.mark.slow
def test_axe_finds_nothing(stepping: Any) -> None:
    shown = stepping(page_of(nonosat.load(INSTANCES / "colour.jsonl#tulip")), "#step-5")
    axe = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
    shown.page.evaluate(axe)
    found = shown.page.evaluate("async () => (await axe.run(document)).violations")
    assert [violation["id"] for violation in found] == []


def test_names_are_text(stepping: Any) -> None:
    evil = '</script><b>"bold"</b>&'
    puzzle = mono([[1]], [[1]], about=About(id=evil, title=evil))
    shown = stepping(explained_page(explain(puzzle), evil, evil))
    assert shown.page.locator(".single-head b").count() == 0
    assert shown.page.title() == shown.page.inner_text("h1") == evil
    assert evil in shown.page.inner_text(".single-head p")


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1200])
def test_page_is_not_wider_than_the_screen(stepping: Any, width: int) -> None:
    html = page_of(nonosat.load(INSTANCES / "special.jsonl#banner"), "w" * 200)
    shown = stepping(html, "#step-5", width=width)
    script = "[document.documentElement.scrollWidth, innerWidth]"
    scrolled, inner = shown.page.evaluate(script)
    assert scrolled <= inner == width
    board = shown.field.bounding_box()
    assert 0.4 * inner <= board["width"] <= inner
    assert board["height"] > 150
    panel = shown.page.locator(".single-side").bounding_box()
    assert panel["y"] + panel["height"] <= 640


def test_dark_and_light(stepping: Any, smile: str) -> None:
    places: dict[str, float] = {}
    found = []
    for dark in (False, True):
        shown = stepping(smile, "#step-47", dark=dark)
        places = places or shown.places()
        style = "() => getComputedStyle(document.body).backgroundColor"
        found.append((shown.page.evaluate(style), shown.cell(3, 0, places)[0]))
    assert found == [("rgb(246, 243, 236)", INK), ("rgb(25, 24, 22)", (236, 231, 220))]


def test_without_scripts_a_sentence_gives_advice(viewer: Viewer, tmp_path: Path) -> None:
    html = explained_page(explain(mono([[1]], [[1]])), "a title", "how it ends")
    path = tmp_path / "page.html"
    path.write_text(html)
    context = new_profile(viewer.page.context.browser, java_script_enabled=False)
    page = context.new_page()
    page.goto(path.as_uri())
    told = page.inner_text("body")
    context.close()
    assert all(part in told for part in ("a title", "how it ends", "prints the same steps as text"))


def test_all_steps_are_printed(stepping: Any, smile: str) -> None:
    shown = stepping(smile, "#step-3")
    shown.page.emulate_media(media="print")
    shown.frames()
    steps = shown.page.locator(".explain-list")
    assert steps.evaluate("(list) => list.scrollHeight <= list.clientHeight")
    assert shown.page.locator(".board-canvas").bounding_box()["width"] > 300
    assert not shown.button("Next step").is_visible()
    assert not shown.button("Zoom in").is_visible()


def test_a_contradiction_is_shown_first_and_stays_framed(stepping: Any) -> None:
    puzzle = mono([[3], [1, 1], [3]], [[3], [2], [3]])
    html = page_of(puzzle)
    shown = stepping(html)
    assert "contradict each other" in shown.sentence()
    assert "Clues in red frames" in shown.text(".explain-read")
    places = shown.places()
    for step in ("", "#clash-1", "#step-1"):
        shown = stepping(html, step)
        x, y = places["left"] + 0.5, places["top"] + 1.1 * places["height"]
        beside = set(shown.seen(places["left"] - 4, y, 3, 10))
        above = set(shown.seen(places["left"] + 1.05 * places["width"], places["top"] - 4, 8, 3))
        assert BAD in beside & above
        assert BAD not in set(shown.seen(x - 4, places["top"] + 3, 3, 10))
        heard = shown.heard(2, 1)
        assert [told.count("contradicts others") for told in heard.values()] == [0, 1]


def test_the_reason_of_a_cell_is_stepped_through(stepping: Any) -> None:
    found = nonosat.reason(nonosat.load(INSTANCES / "pictures.jsonl#smile"), 2, 2)
    shown = stepping(explained_page(found, "a title", found.sentence))
    assert shown.count() == f"Step 0 of {len(found.steps)}"
    assert shown.sentence() == found.sentence
    shown.press("End")
    assert shown.sentence() == found.steps[-1].sentence
    shown.page.wait_for_url(f"**#reason-{len(found.steps)}")
    assert not shown.button("Position in all steps").is_visible()
    again = stepping(explained_page(found, "a title", found.sentence), "#reason-1")
    assert again.sentence() == found.steps[0].sentence


def test_a_cell_links_to_the_step_that_decides_it(stepping: Any, smile: str) -> None:
    shown = stepping(smile)
    steps = explain(nonosat.load(INSTANCES / "pictures.jsonl#smile")).steps
    places = shown.places()
    for row, column in ((0, 0), (7, 7), (3, 4)):
        shown.page.mouse.click(*shown.middle(row, column, places))
        number = next(at for at, step in enumerate(steps, 1) if (row, column) in settled(step))
        assert shown.count() == f"Step {number} of 47"
