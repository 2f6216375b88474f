"""`nonosat render`: files, pages, books, statuses and errors of the command."""

from __future__ import annotations

import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from helpers.commands import COLOURED, MULTIPLE, UNIQUE, UNSOLVABLE, put, run
from nonosat.cli.render import PAPERS, SUFFIXES
from nonosat.render import paper, saving
from test_render_shapes import operators

__all__ = ["put"]  # a fixture
HARD = {"id": "hard", "rows": [[1]] * 4, "columns": [[1]] * 4}


def texts_of(name: str) -> list[str]:
    root = ET.parse(name).getroot()
    return [one.text or "" for one in root.iter("{http://www.w3.org/2000/svg}text")]


def pages_of(name: str) -> list[str]:
    """Return the texts of the pages of a PDF."""
    streams = operators(Path(name).read_bytes()).split("BT")
    return re.findall(r"\((.*?)\) Tj", "BT".join(streams))


def test_the_help_lists_all_formats() -> None:
    assert SUFFIXES == saving.SUFFIXES
    assert {*PAPERS} == {paper.FIT, *paper.PAPERS}


def test_a_sheet_has_clues_and_no_solution(put: Any) -> None:
    path = put(COLOURED)
    assert run("render", path, "-o", "a.svg").exit_code == 0
    assert run("render", path, "-o", "b.svg", "--solution").exit_code == 0
    sheet, solved = Path("a.svg").read_text(), Path("b.svg").read_text()
    assert "crispEdges" not in sheet
    assert solved.count("crispEdges") == 2
    assert texts_of("a.svg") == texts_of("b.svg")
    assert {"A flag", "2a", "1b", "red", "sea"} <= {*texts_of("a.svg")}
    assert run("render", path, "-o", "c.svg", "--clues", "both-sides").exit_code == 0
    assert texts_of("c.svg").count("2a") == 2 * texts_of("a.svg").count("2a")
    assert run("render", path, "-o", "d.svg", "--clues", "none").exit_code == 0
    assert texts_of("d.svg") == ["A flag"]


def test_sizes_are_in_millimetres(put: Any) -> None:
    path = put({**UNIQUE, "rows": [[2], [1], [], []]})
    for cell in ("5", "10"):
        assert run("render", path, "-o", f"{cell}.svg", "--cell", cell).exit_code == 0
    head = Path("10.svg").read_text()
    found = re.search(r'width="([\d.]+)mm" height="([\d.]+)mm" viewBox="0 0 ([\d.]+) ', head)
    assert found
    assert float(found[3]) * 25.4 / 96 == pytest.approx(float(found[1]), abs=0.02)
    assert "scale(1.88976)" in head  # 20 pixels become 10 mm
    assert run("render", path, "-o", "p.svg", "--paper", "letter").exit_code == 0
    assert 'width="215.9mm" height="279.4mm"' in Path("p.svg").read_text()


def test_several_solutions_are_marked_and_reported(put: Any) -> None:
    path = put(MULTIPLE)
    done = run("render", path, "-o", "a.svg", "--solution")
    assert done.exit_code == 3
    assert "switch: several solutions; 4 places in which two differ are marked" in done.stderr
    assert Path("a.svg").read_text().count("#e10082") == 2
    done = run("render", path, "-o", "b.svg", "--diff")
    assert done.exit_code == 3
    assert "Two solutions, which differ in 4 marked places." in texts_of("b.svg")
    done = run("render", put(UNIQUE), "-o", "c.svg", "--diff")
    assert done.exit_code == 0
    assert "corner: this is the only solution, so there is no second one to draw" in done.stderr
    assert "This is the only solution." in texts_of("c.svg")


def test_puzzles_without_solution_are_not_drawn(put: Any) -> None:
    path = put(UNSOLVABLE)
    done = run("render", path, "-o", "a.svg", "--solution")
    assert done.exit_code == 4
    assert re.search(r"crowded: unsolvable \(.*\), so there is no solution to draw", done.stderr)
    assert not Path("a.svg").exists()
    path = put(UNSOLVABLE, UNIQUE)
    assert run("render", path, "-o", "a.pdf", "--solution").exit_code == 4
    assert Path("a.pdf").read_bytes().count(b"/Type /Page\n") == 1


def test_bad_input_does_not_hide_the_rest(put: Any) -> None:
    path = put(UNIQUE, {"id": "zero", "rows": [[1, 0]], "columns": [[1]]})
    done = run("render", path, "-o", "a.pdf")
    assert done.exit_code == 2
    assert Path("a.pdf").exists()


def test_limits_are_kept(put: Any) -> None:
    path = put(HARD)
    for option in ("--time-limit", "--memory-limit"):
        limit = {"--time-limit": "1e-9", "--memory-limit": "1"}[option]
        done = run("render", path, "-o", "a.svg", "--solution", option, limit)
        assert done.exit_code == 5, done.stderr
        assert "limit" in done.stderr
        assert not Path("a.svg").exists()


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("-o a.jpg", "has the suffix '.jpg', expected .svg, .png or .pdf"),
        ("-o a.svg", "a .svg file holds one picture, FILE has 2 puzzles; write a .pdf file"),
        ("-o a.png --solution", "a .png file holds one picture"),
        ("-o -", "a .svg file holds one picture"),
        ("-o a.pdf --solution --diff", "--solution and --diff: expected one of them"),
        ("-o a.pdf --why --diff", "--diff and --why: expected one of them"),
        ("-o a.svg --why", "--why is for a .pdf file"),
        ("-o a.pdf --book --why", "leave --why out"),
        ("-o a.pdf --title x", "--title is for --book"),
        ("-o a.pdf --by-rating", "--by-rating is for --book"),
        ("-o a.pdf --book --solution", "--book has solutions at its end"),
        ("-o a.svg --book", "--book is for a .pdf file"),
        ("-o a.pdf --book --paper fit", "--book is for a .pdf file on paper"),
        ("-o a.svg --per-page 2", "--per-page is for a .pdf file"),
        ("-o a.pdf --per-page 2 --paper fit", "--per-page is for a .pdf file on paper"),
        ("-o a.pdf --paper a44", "'a44' (did you mean a4?), expected"),
        ("-o nowhere/a.pdf", "there is no folder nowhere"),
    ],
)
def test_invalid_options_are_refused(put: Any, line: str, told: str) -> None:
    done = run("render", put(UNIQUE, MULTIPLE), *line.split())
    assert done.exit_code == 2
    assert told in " ".join(done.stderr.split())
    assert [*Path().iterdir()] == [Path("puzzles.jsonl")]


@pytest.mark.thorough
def test_numbers_too_small_to_read_are_refused_with_advice(put: Any) -> None:
    path = put({"id": "large", "rows": [[1] * 40] * 90, "columns": [[1] * 40] * 90})
    done = run("render", path, "-o", "a.pdf")
    assert done.exit_code == 2
    (name,) = re.findall(r"large: on a4 it has cells of .*: choose the paper (\w+)", done.stderr)
    assert not Path("a.pdf").exists()
    assert run("render", path, "-o", "a.pdf", "--paper", name).exit_code == 0
    assert run("render", path, "-o", "b.pdf", "--paper", "fit").exit_code == 0
    assert run("render", path, "-o", "c.pdf", "--cell", "0.9").exit_code == 0


@pytest.mark.parametrize(
    ("module", "name", "package"), [("PIL", "a.png", "Pillow"), ("fpdf", "a.pdf", "fpdf2")]
)
def test_without_its_package_a_painter_names_how_to_install_it(
    put: Any, monkeypatch: pytest.MonkeyPatch, module: str, name: str, package: str
) -> None:
    path = put(UNIQUE)
    monkeypatch.setitem(sys.modules, module, None)
    done = run("render", path, "-o", name)
    assert done.exit_code == 2
    assert f"pip install '{package}<" in done.stderr
    assert not Path(name).exists()
    assert run("render", path, "-o", "a.svg").exit_code == 0


def test_an_interruption_leaves_no_file(put: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(UNIQUE, MULTIPLE)

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    for place in ("nonosat.cli._drawing.sheet", "nonosat.cli._drawing.painted"):
        with monkeypatch.context() as patch:
            patch.setattr(place, interrupted)
            assert run("render", path, "-o", "a.pdf").exit_code == 130
        assert [*Path().iterdir()] == [Path("puzzles.jsonl")]


def test_an_unwritable_file_is_reported(put: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device", "a.pdf")

    monkeypatch.setattr("nonosat.cli._files.write_atomically", full)
    done = run("render", put(UNIQUE), "-o", "a.pdf")
    assert done.exit_code == 2
    assert "a.pdf: No space left on device" in done.stderr


def test_a_letter_without_a_font_is_a_warning(put: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nonosat.render._painting.fonts._first_with", lambda _: None)
    path = put({**UNIQUE, "title": "漢 x"})
    done = run("render", path, "-o", "a.pdf")
    assert done.exit_code == 0
    assert "warning: no font of this machine has '漢', so '?' is drawn instead" in done.stderr
    assert "? x" in pages_of("a.pdf")
    assert run("render", path, "-o", "a.svg").stderr == "a.svg: 1 picture\n"
    assert "漢 x" in texts_of("a.svg")


def test_a_book(put: Any) -> None:
    easy = {"id": "easy", "title": "Easy", "rows": [[1]], "columns": [[1]]}
    rows = [[4], [1, 1], [1] * 4, [1, 1], [1] * 4, [1, 2, 1], [1, 1], [4]]
    columns = [[4], [1, 1], [1] * 4, [1] * 3, [1] * 3, [1] * 4, [1, 1], [4]]
    path = put(
        {"id": "h", "title": "Harder", "rows": rows, "columns": columns},
        {**UNSOLVABLE, "title": "None"},
        easy,
    )
    line = ["render", path, "-o", "a.pdf", "--book", "--title", "Mine", "--author", "Me"]
    done = run(*line, "--by-rating", "--per-page", "2")
    assert done.exit_code == 4, done.stderr
    told = pages_of("a.pdf")
    assert told[:2] == ["Mine", "Me"]
    assert re.fullmatch(r"3 puzzles . difficulty 1\.\d to \d\.\d", told[2])
    assert told[3:5] == ["1", "1"]  # the clues of the easiest, which is on the cover
    assert told[5] == "Contents"
    order = [word for word in told if re.match(r"\d\. ", word)]
    assert order[:3] == ["1. Easy", "2. Harder", "3. None"]
    assert order.count("1. Easy") == 3  # contents, sheet, solution
    assert order.count("3. None") == 2
    assert any(word.startswith("difficulty 1.") for word in told)
    content = Path("a.pdf").read_bytes()
    assert content.count(b"/Type /Page\n") == 5
    assert content.count(b"/Subtype /Link") == 4
    assert b"/Outlines" in content
    done = run(*line, "--force")
    unrated = pages_of("a.pdf")
    assert next(word for word in unrated if re.match(r"\d\. ", word)) == "1. Harder"
    assert not [word for word in unrated if "difficulty" in word]
    assert Path("a.pdf").read_bytes().count(b"/Type /Page\n") == 6


def test_a_book_keeps_puzzles_that_have_no_rating(put: Any) -> None:
    path = put(UNIQUE, {"family": "queens", "id": "four", "title": "Four", "n": 4})
    done = run("render", path, "-o", "a.pdf", "--book", "--rate")
    assert done.exit_code == 3  # there are several solutions of four queens
    assert "four: ratings are for the families nonogram and slitherlink" in done.stderr
    assert "it has no rating" in done.stderr
    assert pages_of("a.pdf").count("2. Four") == 3


def test_a_story_has_a_picture_for_each_step(put: Any) -> None:
    path = put(UNIQUE)
    assert run("explain", path).stdout.count("\n") == 4
    assert run("render", path, "-o", "a.pdf", "--why").exit_code == 0
    told = pages_of("a.pdf")
    assert [word for word in told if "step" in word] == [
        f"corner, step {n} of 3" for n in (1, 2, 3)
    ]
    drawn = operators(Path("a.pdf").read_bytes())
    assert drawn.count("0.8824 0 0.5098 rg") == 3  # marks of the cells that each step decides
    assert run("render", path, "-o", "b.pdf", "--why", "--per-page", "1").exit_code == 0
    assert Path("a.pdf").read_bytes().count(b"/Type /Page\n") == 1
    assert Path("b.pdf").read_bytes().count(b"/Type /Page\n") == 3
    done = run("render", put(MULTIPLE), "-o", "c.pdf", "--why")
    assert done.exit_code == 3
    assert "switch: multiple" in done.stderr
    assert not Path("c.pdf").exists()  # no step can be taken


def test_a_puzzle_that_is_too_large_does_not_hide_the_others(put: Any) -> None:
    path = put(UNIQUE, {"id": "large", "rows": [[1] * 40] * 90, "columns": [[1] * 40] * 90})
    for more in ([], ["--book"]):
        done = run("render", path, "-o", "a.pdf", *more, "--force")
        assert done.exit_code == 2
        assert len(re.findall("large: on a4 it has cells of", done.stderr)) == 1
        assert "large" not in "".join(pages_of("a.pdf"))
        *_, announced, reason = done.stderr.splitlines()
        assert announced == "nonosat: a.pdf: written with 1 of 2 puzzles; left out:"
        assert reason.startswith("  large: on a4 it has cells of")


def test_puzzles_that_are_left_out_are_named_when_nothing_is_written(put: Any) -> None:
    large = {"rows": [[1] * 40] * 90, "columns": [[1] * 40] * 90}
    done = run("render", put({**large, "id": "a"}, {**large, "id": "b"}), "-o", "a.pdf", "--book")
    assert done.exit_code == 2
    assert [line.split(":")[1] for line in done.stderr.splitlines()] == [
        " a",
        " b",
    ]
    assert not Path("a.pdf").exists()


def test_a_cover_shows_solutions_only_on_request(put: Any) -> None:
    path = put({"id": "cross", "rows": [[1], [3], [1]], "columns": [[1], [3], [1]]})
    pictures = []
    for more in ([], ["--cover-pictures"]):
        line = ["render", path, "-o", "a.pdf", "--book", "--force", "--title", "Mine", *more]
        assert run(*line).exit_code == 0
        cover, *_ = operators(Path("a.pdf").read_bytes()).partition("(Contents) Tj")[::2]
        pictures.append(cover)
    hidden, shown = pictures
    assert "(1 puzzle) Tj" in hidden
    assert "(3) Tj" in hidden  # a clue of the empty sheet
    assert "(3) Tj" not in shown
    assert shown != hidden
    done = run("render", path, "-o", "b.pdf", "--cover-pictures")
    assert "--cover-pictures is for --book" in done.stderr


def test_limits_hold_for_drawing_as_well(put: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file gets the rest of the puzzles' limits, and a tenth in any case."""
    from nonosat.cli import _drawing

    seen = []

    def made(asked: Any, started: float, answer: Any, make: Any) -> Any:
        seen.append(asked["time_limit_s"] - (perf_counter() - started))
        return make(lambda _: None)

    monkeypatch.setattr(_drawing, "made_in_large_steps", made)
    path = put(UNIQUE, {**UNIQUE, "id": "again"})
    assert run("render", path, "-o", "a.pdf", "--time-limit", "50").exit_code == 0
    assert 50 < seen[-1] <= 100


def test_a_puzzle_with_only_a_number_is_named_after_its_file(put: Any) -> None:
    Path("mine.non").write_text("width 1\nheight 1\nrows\n1\ncolumns\n1\n")
    nameless = {"rows": [[1]], "columns": [[1]]}
    done = run("render", "mine.non", put(nameless, nameless), "-o", "a.pdf", "--book")
    assert done.exit_code == 0, done.stderr
    told = [word for word in pages_of("a.pdf") if re.match(r"\d\. ", word)]
    assert {*told} == {"1. mine", "2. puzzles 1", "3. puzzles 2"}
    assert len(told) == 9
