"""Page of a report in a real browser.

Without a browser these tests are skipped with a message: `apt-get install chromium` installs one.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from helpers import recorded
from helpers.browser import Viewer, needs_browser
from nonosat.bench.report.page import page
from test_bench_report import BY_HAND, evil_runs, found

pytestmark = needs_browser


@pytest.fixture(scope="module")
def html(tmp_path_factory: pytest.TempPathFactory) -> str:
    return page(found(tmp_path_factory.mktemp("page"), BY_HAND))


@pytest.mark.thorough
def test_page_runs_under_its_own_policy(viewer: Viewer, tmp_path: Path, html: str) -> None:
    """The page's only script runs, nothing is refused, nothing fails."""
    path = tmp_path / "page.html"
    path.write_text(html)
    done = viewer.browse(path)
    rows = done.document.split('id="rows"')[1].split("</table>")[0]
    assert rows.count("<tr>") == 5  # the heading and four instances
    assert not done.console
    assert "order (across) is faster on 1" in done.document


@pytest.mark.slow
def test_policy_keeps_other_scripts_out(viewer: Viewer, tmp_path: Path, html: str) -> None:
    path = tmp_path / "page.html"
    path.write_text(html.replace("</body>", "<script>document.title = 'taken'</script></body>"))
    done = viewer.browse(path)
    assert "<title>made up</title>" in done.document
    assert "Content Security Policy" in done.console[0]


@pytest.mark.thorough
def test_the_script_draws_the_scatter_as_matplotlib_does(viewer: Viewer, tmp_path: Path) -> None:
    """The script draws the first pair again; the dots do not move by more than a tenth."""
    html = page(found(tmp_path, recorded.many(60, {"order": 1.0, "direct": 3.0}, 1)))
    drawn = re.search(r'<g id="dots">\s*<path d="([^"]*)"', html)
    assert drawn is not None
    script = "return document.querySelector('#dots path').getAttribute('d')"
    moved = viewer.asked(tmp_path, html, script)
    before, after = (
        [float(value) for value in re.findall(r"[\d.]+", path.replace("h0", " "))]
        for path in (drawn[1], moved)
    )
    assert len(before) == 60
    assert after == pytest.approx(before, abs=0.11)


def test_choosing_sorting_and_opening(viewer: Viewer, tmp_path: Path, html: str) -> None:
    script = """
    const cells = (column) => [...document.querySelectorAll(`#rows td:nth-child(${column})`)];
    const heads = document.querySelectorAll("#rows th button");
    heads[3].click();
    const up = cells(4).map((cell) => cell.textContent);
    heads[3].click();
    const down = cells(4).map((cell) => cell.textContent);
    document.getElementById("up").value = "0";
    document.getElementById("up").dispatchEvent(new Event("change"));
    const axes = ["x", "y"].map((one) => document.querySelector(`#name-${one} text`).textContent);
    const diagonal = document.querySelector("#dots path").getAttribute("d").split("M").length - 1;
    const find = document.getElementById("find");
    find.value = "A#3";
    find.dispatchEvent(new Event("input"));
    cells(1)[0].querySelector("button").click();
    const dialog = document.getElementById("puzzle");
    return {
      up, down, axes, diagonal, left: cells(1).length, open: dialog.open,
      title: dialog.querySelector("h2").textContent,
      cells: dialog.querySelector("svg path").getAttribute("d").split("M").length - 1,
      runs: dialog.querySelectorAll("tbody tr").length,
    };
    """
    told = viewer.asked(tmp_path, html, script)
    assert told["up"] == ["1,000.0", "2,000.0", "8,000.0", "memout"]
    assert told["down"] == ["memout", "8,000.0", "2,000.0", "1,000.0"]
    assert told["axes"] == ["order, CPU milliseconds"] * 2
    assert told["diagonal"] == 4
    assert (told["left"], told["open"], told["title"]) == (1, True, "a#3")
    assert (told["cells"], told["runs"]) == (3, 2)


@pytest.mark.slow
def test_names_are_text(viewer: Viewer, tmp_path: Path) -> None:
    script = """
    openPuzzle(0);
    return [document.images.length, document.scripts.length, document.querySelectorAll("b").length];
    """
    html = page(found(tmp_path, evil_runs()))
    assert viewer.asked(tmp_path, html, script) == [0, 2, 0]  # the data and the page's script


@pytest.mark.slow
def test_solutions_that_are_no_cells_are_shown_as_text(viewer: Viewer, tmp_path: Path) -> None:
    rows = ("+---+", "| 3 |", "+   +")
    html = page(found(tmp_path, [recorded.one("order", "a#1", solutions=(rows,))]))
    script = "openPuzzle(0); return document.querySelector('#puzzle pre').textContent;"
    assert viewer.asked(tmp_path, html, script) == "\n".join(rows)


@pytest.mark.thorough
def test_page_is_not_wider_than_the_screen(viewer: Viewer, tmp_path: Path) -> None:
    names = tuple(f"a configuration with a long name {index}" for index in range(6))
    runs = recorded.many(60, dict.fromkeys(names, 1.0), 1)
    html = page(found(tmp_path, runs, names=names))
    script = "return [document.documentElement.scrollWidth, window.innerWidth]"
    for width in (390, 1200):
        scrolled, inner = viewer.asked(tmp_path, html, script, width=width)
        assert scrolled <= inner
        assert abs(inner - width) <= 20


@pytest.mark.slow
def test_dark_and_light(viewer: Viewer, tmp_path: Path, html: str) -> None:
    script = """
    const text = document.querySelector("#cactus svg text");
    const styles = [document.body, text].map((node) => getComputedStyle(node));
    return [styles[0].backgroundColor, styles[1].fill];
    """
    light = viewer.asked(tmp_path, html, script)
    dark = viewer.asked(tmp_path, html, script, dark=True)
    assert light == ["rgb(247, 246, 243)", "rgb(34, 36, 42)"]
    assert dark == ["rgb(22, 24, 29)", "rgb(230, 230, 227)"]


@pytest.fixture(scope="module")
def nine(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page of nine configurations, each faster than the next."""
    names = {f"way-{index}": 1.5**index for index in range(9)}
    runs = recorded.many(450, names, 1)
    return page(found(tmp_path_factory.mktemp("nine"), runs, names=tuple(names)))


@pytest.mark.slow
def test_all_curves_have_different_styles(viewer: Viewer, tmp_path: Path, nine: str) -> None:
    """Nine curves and the virtual best: colour, dashes and width, in the plot as in the legend."""
    script = """
    const look = (path) => {
      const style = getComputedStyle(path);
      return [style.stroke, Math.round(parseFloat(style.strokeWidth)),
        style.strokeDasharray === "none" ? "" : "-"].join(" ");
    };
    const dashes = (path) => getComputedStyle(path).strokeDasharray;
    const keys = [...document.querySelectorAll(".curves path")];
    const curves = [...document.querySelectorAll('#cactus figure path[clip-path]')];
    return [keys.map((path) => look(path) + dashes(path)), keys.map(look), curves.map(look)];
    """
    looks, keys, curves = viewer.asked(tmp_path, nine, script)
    assert len(set(looks)) == 10
    coloured = [key.rpartition(" ")[0].rpartition(" ")[0] for key in keys]
    assert all(any(curve.startswith(colour) for curve in curves) for colour in coloured)


def test_the_legend_is_in_the_order_of_the_ends(viewer: Viewer, tmp_path: Path, nine: str) -> None:
    script = """
    return [...document.querySelectorAll(".curves li")].map((item) =>
      [item.querySelector("span").textContent, Number(item.querySelector("strong").textContent)]);
    """
    told = viewer.asked(tmp_path, nine, script)
    assert told[0][0] == "virtual best"
    solved = [num for _name, num in told]
    assert solved == sorted(solved, reverse=True)
    assert [name for name, _ in told[1:]] != [f"way-{index}" for index in range(8, -1, -1)]
    assert told[-1][0] in ("way-7", "way-8")


@pytest.mark.slow
@pytest.mark.parametrize(("width", "is_cut"), [(400, True), (1280, False)])
def test_tables_scroll_visibly(
    viewer: Viewer, tmp_path: Path, nine: str, width: int, is_cut: bool
) -> None:
    """If the summary is wider than its box there are shadows at the edges, and a scroll bar."""
    script = """
    const box = document.querySelector("#summary .scroll");
    const style = getComputedStyle(box);
    return [box.scrollWidth > box.clientWidth + 1, style.overflowX, style.backgroundAttachment,
      getComputedStyle(box, "::-webkit-scrollbar").height];
    """
    cut, overflow, attached, bar = viewer.asked(tmp_path, nine, script, width=width)
    assert cut == is_cut
    assert (overflow, attached) == ("auto", "local, local, scroll, scroll")
    assert bar == "9.6px"


@pytest.mark.slow
def test_columns_are_aligned(viewer: Viewer, tmp_path: Path, nine: str) -> None:
    """Times have one decimal and are right-aligned; without wrong runs no column shows them."""
    script = """
    const heads = [...document.querySelectorAll("#summary th")].map((head) => head.textContent);
    const at = heads.indexOf("PAR-2 ms") + 1;
    const cells = [...document.querySelectorAll(`#summary td:nth-child(${at})`)];
    return [heads, cells.map((cell) => cell.textContent), getComputedStyle(cells[0]).textAlign,
      document.querySelector("#summary .note").textContent];
    """
    heads, cells, align, note = viewer.asked(tmp_path, nine, script)
    assert align == "right"
    assert all(re.fullmatch(r"[\d,]+\.\d", cell) for cell in cells)
    assert "timeout" in heads
    assert not {"wrong", "memout", "crash", "unsupported"} & set(heads)
    assert note.startswith("No configuration had a wrong answer, a memory limit hit, a crash")
