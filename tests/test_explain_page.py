"""The page of an explanation in a real browser.

Where there is none, these tests are skipped and say so: `apt-get install chromium` brings it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import nonosat
from helpers.browser import Viewer, needs_browser
from helpers.staircases import staircase
from nonosat.about import About
from nonosat.explain import explain
from nonosat.explain.nonogram.step import PriceTable, Step
from nonosat.explain.page import page
from nonosat.model import Block
from nonosat.puzzles.nonogram.data import Colour, Nonogram, from_grid, mono

pytestmark = needs_browser
INSTANCES = Path(__file__).parent.parent / "instances"


def page_of(puzzle: Nonogram, title: str = "a title") -> str:
    found = explain(puzzle)
    return page(puzzle, found.steps, title, str(found))


@pytest.fixture(scope="module")
def smile() -> str:
    return page_of(nonosat.load(INSTANCES / "pictures.jsonl#smile"))


def test_page_runs_under_its_own_policy(viewer: Viewer, tmp_path: Path, smile: str) -> None:
    """The one script runs, nothing is refused, nothing fails, nothing is fetched."""
    path = tmp_path / "page.html"
    path.write_text(smile)
    done = viewer.browse(path)
    assert not done.console
    assert "Step 0 of 47" in done.document
    assert done.document.split('id="list"')[1].count("<li") == 47


def test_policy_keeps_other_scripts_out(viewer: Viewer, tmp_path: Path, smile: str) -> None:
    path = tmp_path / "page.html"
    path.write_text(smile.replace("</body>", "<script>document.title = 'taken'</script></body>"))
    done = viewer.browse(path)
    assert "<title>a title</title>" in done.document
    assert "Content Security Policy" in done.console[0]


def test_stepping_with_buttons_keys_slide_and_list(
    viewer: Viewer, tmp_path: Path, smile: str
) -> None:
    script = """
    const id = (name) => document.getElementById(name);
    const told = () => [id("count").textContent, id("sentence").textContent];
    const press = (key) => document.dispatchEvent(new KeyboardEvent("keydown", { key }));
    const seen = { start: told(), back: id("back").disabled };
    id("next").click();
    seen.one = told();
    seen.marks = document.querySelectorAll("#board .new, #board .assumed").length;
    seen.lines = document.querySelectorAll("#board .seen").length;
    press("ArrowRight");
    seen.two = told()[0];
    press("ArrowLeft"); press("ArrowLeft"); press("ArrowLeft");
    seen.none = told()[0];
    press("End");
    seen.end = [told()[0], id("next").disabled, location.hash];
    press("Home");
    id("slide").value = 10; id("slide").dispatchEvent(new Event("input"));
    seen.slid = told()[0];
    document.querySelectorAll("#list li")[4].click();
    seen.listed = [told()[0], document.querySelectorAll("[aria-current]").length, location.hash];
    press("ArrowDown");
    seen.scrolling = told()[0];
    return seen;
    """
    seen = viewer.asked(tmp_path, smile, script)
    assert seen["start"] == ["Step 0 of 47", "The puzzle as it is given."]
    assert seen["back"] is True
    assert seen["one"][0] == "Step 1 of 47"
    assert seen["one"][1].startswith("If cell (1, 1) were filled, column 1 (clue 4) would")
    assert seen["marks"] == 2
    assert seen["lines"] == 4
    assert (seen["two"], seen["none"]) == ("Step 2 of 47", "Step 0 of 47")
    assert seen["end"] == ["Step 47 of 47", True, "#step-47"]
    assert seen["slid"] == "Step 10 of 47"
    assert seen["listed"] == ["Step 5 of 47", 1, "#step-5"]
    assert seen["scrolling"] == "Step 5 of 47"  # up and down are for the page


def test_an_address_opens_its_step(viewer: Viewer, tmp_path: Path, smile: str) -> None:
    path = tmp_path / "page.html"
    path.write_text(smile)
    for address, told in (("#step-12", 12), ("#step-99", 47), ("#nonsense", 0), ("", 0)):
        done = viewer.browse(path, address)
        assert not done.console
        assert f"Step {told} of 47" in done.document
    script = """
    const links = [...document.querySelectorAll("#list a")].map((link) => link.hash);
    location.hash = "#step-3";
    dispatchEvent(new Event("hashchange"));
    return [links.length, links[0], links[46], document.getElementById("count").textContent];
    """
    assert viewer.asked(tmp_path, smile, script) == [47, "#step-1", "#step-47", "Step 3 of 47"]


def test_every_line_is_numbered_from_1(viewer: Viewer, tmp_path: Path, smile: str) -> None:
    script = """
    const numbers = [...document.querySelectorAll("#board .index")].map((n) => n.textContent);
    return [numbers, document.querySelectorAll("#board .open").length];
    """
    once = [str(number) for number in range(1, 9)]
    assert viewer.asked(tmp_path, smile, script) == [once + once, 0]


def test_the_list_is_not_cut_in_a_line_of_text(viewer: Viewer, tmp_path: Path, smile: str) -> None:
    """It fades at both ends, and what is chosen stands in the middle."""
    script = """
    show(20);
    const list = document.getElementById("list");
    const [frame, item] = [list, list.querySelector("[aria-current]")]
      .map((one) => one.getBoundingClientRect());
    const isInside = [frame.top < item.top - 30, item.bottom + 30 < frame.bottom];
    return [getComputedStyle(list).maskImage, ...isInside];
    """
    mask, *inside = viewer.asked(tmp_path, smile, script)
    assert mask.startswith("linear-gradient(")
    assert inside == [True, True]


def test_clues_have_the_colours_of_their_blocks(viewer: Viewer, tmp_path: Path) -> None:
    puzzle = nonosat.load(INSTANCES / "colour.jsonl#tulip")
    script = """
    const boxes = [...document.querySelectorAll("#board rect[rx]")];
    const fills = boxes.map((box) => box.getAttribute("fill"));
    return [fills, document.getElementById("inks").textContent];
    """
    boxes, names = viewer.asked(tmp_path, page_of(puzzle), script)
    clues = (*puzzle.rows, *puzzle.columns)
    inks = [puzzle.colours[block.colour - 1].rgb for clue in clues for block in clue]
    assert sorted(boxes) == sorted(inks)
    assert names == "empty" + "".join(ink.key for ink in puzzle.colours)


def test_boards_are_what_the_steps_make_them(viewer: Viewer, tmp_path: Path) -> None:
    """The last board of a coloured puzzle is its solution, in its own colours."""
    puzzle = nonosat.load(INSTANCES / "colour.jsonl#tulip")
    solution = nonosat.check(puzzle).solution
    assert solution is not None
    script = """
    show(steps.length);
    const fills = [...document.querySelectorAll("#board .ink")].map((n) => n.getAttribute("fill"));
    return [boards[boards.length - 1], fills.sort()];
    """
    rows, fills = viewer.asked(tmp_path, page_of(puzzle), script)
    assert rows == solution.lines(puzzle.symbols)
    assert fills == sorted(ink.rgb for ink in puzzle.colours)


def test_names_are_text(viewer: Viewer, tmp_path: Path) -> None:
    evil = '</script><b>"bold"</b>&'
    puzzle = mono([[1]], [[1]], about=About(id=evil, title=evil))
    script = "return [document.querySelectorAll('b').length, document.title]"
    assert viewer.asked(tmp_path, page_of(puzzle, evil), script) == [0, evil]


@pytest.mark.parametrize("width", [390, 1200])
def test_page_is_not_wider_than_the_screen(viewer: Viewer, tmp_path: Path, width: int) -> None:
    html = page_of(nonosat.load(INSTANCES / "special.jsonl#banner"), "w" * 200)
    script = """
    show(5);
    const board = document.getElementById("board").getBoundingClientRect();
    return [document.documentElement.scrollWidth, window.innerWidth, board.width];
    """
    scrolled, inner, board = viewer.asked(tmp_path, html, script, width=width)
    assert scrolled <= inner
    assert abs(inner - width) <= 20
    assert 0.4 * inner <= board <= inner


def test_dark_and_light(viewer: Viewer, tmp_path: Path, smile: str) -> None:
    script = """
    show(steps.length);
    const nodes = [document.body, document.querySelector("#board .ink")];
    const styles = nodes.map((node) => getComputedStyle(node));
    return [styles[0].backgroundColor, styles[1].fill];
    """
    light = viewer.asked(tmp_path, smile, script)
    dark = viewer.asked(tmp_path, smile, script, dark=True)
    assert light == ["rgb(247, 246, 243)", "rgb(34, 36, 42)"]
    assert dark == ["rgb(22, 24, 29)", "rgb(230, 230, 227)"]


# Steps by prices


def priced_page() -> tuple[str, tuple[Step, ...]]:
    puzzle = from_grid(staircase(8))
    return page_of(puzzle), explain(puzzle).steps


def test_a_step_by_prices_is_a_picture_of_its_table(viewer: Viewer, tmp_path: Path) -> None:
    """Every price stands in its cell, beside them what lines earn and pay, and what it comes to."""
    html, steps = priced_page()
    first = steps[0].prices
    assert first is not None
    script = """
    const all = (rule) => [...document.querySelectorAll("#board " + rule)];
    const number = (node) => Number(node.textContent.replace("\\u2212", "-"));
    const at = (node) => ["y", "x"].map((axis) => Math.floor(node.getAttribute(axis) / 20));
    show(1);
    const seen = {
      prices: all(".price").map((node) => [...at(node), number(node)]),
      tints: [all(".earn").length, all(".pay").length],
      rows: all(".sum").filter((g) => g.getAttribute("aria-label").startsWith("row"))
        .map((g) => [g.getAttribute("aria-label"), number(g.querySelector("text"))]),
      columns: all(".sum").length,
      totals: all(".total").map(number),
      hidden: [byId("priced").hidden, byId("line").hidden],
    };
    show(2);
    const hidden = [byId("priced").hidden, byId("line").hidden];
    seen.after = [all(".price").length, all(".sum").length, ...hidden];
    return seen;
    """
    seen = viewer.asked(tmp_path, html, script)
    assert sorted(seen["prices"]) == [[r, c, price] for r, c, _, price in first.prices]
    signs = [price > 0 for *_, price in first.prices]
    assert seen["tints"] == [signs.count(True), signs.count(False)]
    rows = [line for line in steps[0].lines if line < 17]
    assert [label for label, _ in seen["rows"]] == [
        f"row {line + 1} can earn {amount} at most"
        for line, (_, amount) in zip(rows, seen["rows"], strict=True)
    ]
    assert sum(amount for _, amount in seen["rows"]) == first.earned
    assert seen["columns"] == len(steps[0].lines)
    assert seen["totals"] == [first.earned, first.paid]
    assert seen["hidden"] == [False, False]
    assert seen["after"] == [0, 0, True, True]


def test_a_line_shows_its_best_filling(viewer: Viewer, tmp_path: Path) -> None:
    """By pointer, focus or tap; the cells are those of the filling, and the words add them up."""
    html, _ = priced_page()
    script = """
    show(1);
    const sums = [...document.querySelectorAll(".sum")];
    const named = (name) => sums.find((g) => g.getAttribute("aria-label").startsWith(name));
    const [row, column] = [named("row 4 "), named("column 7 ")];
    const at = (node) => ["y", "x"].map((axis) => Math.floor(node.getAttribute(axis) / 20));
    const seen = [];
    for (const [group, kind] of [[row, "pointerenter"], [column, "focus"], [row, "click"]]) {
      group.dispatchEvent(new Event(kind));
      const boxes = [...document.querySelectorAll("#board .best:not(.under)")];
      const chosen = document.querySelectorAll(".chosen").length;
      seen.push([byId("line").textContent, boxes.map(at), chosen]);
    }
    show(2);
    return [...seen, document.querySelectorAll(".best").length];
    """
    row, column, again, after = viewer.asked(tmp_path, html, script)
    assert row == again
    told, places, chosen = row
    assert told == f"Row 4 can earn 1 at most: 1 in column {places[0][1] + 1}."
    assert [place[0] for place in places] == [3]
    assert chosen == 1
    told, places, _ = column
    assert told.startswith("Column 7 has to pay 1 at least: 1 in row ")
    assert len(places) == 4
    assert {place[1] for place in places} == {6}
    assert after == 0


def test_small_cells_have_no_figures_until_in_full_size(viewer: Viewer, tmp_path: Path) -> None:
    script = """
    show(1);
    const seen = () => [
      getComputedStyle(document.querySelector(".price")).display,
      byId("zoom").hidden,
      document.documentElement.scrollWidth <= window.innerWidth,
    ];
    const before = seen();
    byId("zoom").click();
    const large = seen();
    byId("zoom").click();
    return [before, large, seen()];
    """
    html = page_of(from_grid(staircase(14)))
    before, large, again = viewer.asked(tmp_path, html, script, width=390)
    assert before == again == ["none", False, True]
    assert large == ["block", False, True]
    _, wide, _ = viewer.asked(tmp_path, html, script, width=1200)
    assert wide[0] != "none"


def test_colours_have_prices_of_their_own(viewer: Viewer, tmp_path: Path) -> None:
    """A cell of two colours with two prices shows both, each with a stripe of its ink."""
    puzzle = Nonogram(
        rows=((Block(1, 1), Block(1, 2)), ()),
        columns=((Block(1, 1),), (), (Block(1, 2),)),
        colours=(Colour("a", "#112233"), Colour("b", "#ff0000")),
    )
    table = PriceTable(((0, 1, 1, 3), (0, 1, 2, -4)), 3, 0)
    step = Step("prices", table.lines(2), (), ((0, 1, 1),), "by prices", prices=table)
    script = """
    show(1);
    const texts = [...document.querySelectorAll(".price")].map((node) => node.textContent);
    const stripes = [...document.querySelectorAll("#board rect[width='3']")];
    return [texts, stripes.map((node) => node.getAttribute("fill"))];
    """
    texts, stripes = viewer.asked(tmp_path, page(puzzle, (step,), "a title", "its end"), script)
    assert texts == ["3", "\u22124"]
    assert stripes == ["#112233", "#ff0000"]
