"""Page without a server: its answers compared with the library, its folder, its refusals."""

import gzip
import json
import random
from collections import Counter
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import nonosat
from helpers.drawing import FUZZ
from helpers.page_answers import ask, asks, built
from helpers.rectangles import rectangles
from nonosat.cli import main
from nonosat.core.errors import UnsupportedError
from nonosat.studio import static
from nonosat.studio.wire import puzzle_of

LETTERS = "abcdefghijklmnop"


def sent(rows: list[str]) -> dict[str, Any]:
    num = max(1, *(LETTERS.find(letter) + 1 for row in rows for letter in row))
    colours = {letter: f"#{at:02x}8040" for at, letter in enumerate(LETTERS[:num])}
    return {"picture": rows, "colours": colours, "background": "#ffffff"}


@cache
def pictures() -> list[dict[str, Any]]:
    """Small pictures of all kinds: 1 x n, empty, full, of one colour and of several."""
    draw = random.Random(22)
    found = [
        sent(["."]),
        sent(["a"]),
        sent(["." * 9] * 4),
        sent(["a" * 7] * 5),
        sent(["ab" * 4] * 3),
    ]
    found += [sent(["a.ba.a.b"]), sent([*"a.b.a.a"])]
    for _ in range(150 * FUZZ):
        height, width = draw.choice([(1, 12), (12, 1), (4, 4), (5, 6), (7, 5), (8, 8), (3, 70)])
        letters, share = LETTERS[: draw.choice([1, 1, 1, 2, 3])], draw.uniform(0.2, 0.9)
        cells = (
            draw.choice(letters) if draw.random() < share else "." for _ in range(height * width)
        )
        text = "".join(cells)
        found.append(sent([text[at : at + width] for at in range(0, len(text), width)]))
    return found


def clues_of(picture: dict[str, Any]) -> dict[str, Any]:
    """Return the JSON of a picture's puzzle without the picture."""
    data: dict[str, Any] = puzzle_of(picture).to_data()
    del data["goal"]
    return data


def strokes() -> list[dict[str, Any]]:
    """Pictures that differ in one cell each: the page remembers switches of earlier ones."""
    draw, found = random.Random(24), []
    for letters, height, width in [("a", 7, 8), ("ab", 6, 6), ("a", 1, 14)]:
        cells = [draw.choice(letters + ".") for _ in range(height * width)]
        for _ in range(50):
            cells[draw.randrange(len(cells))] = draw.choice(letters + ".")
            text = "".join(cells)
            rows = [text[at : at + width] for at in range(0, len(text), width)]
            found.append(sent(rows))
    return found


def puzzles() -> list[dict[str, Any]]:
    """Return the pictures as clues alone; in some, a wrong clue mostly contradicts the others."""
    draw, found = random.Random(23), []
    for number, picture in enumerate(pictures()):
        data = clues_of(picture)
        if number % 3 == 0 and any(data["rows"]):
            row = draw.choice([row for row in data["rows"] if row])
            block = draw.randrange(len(row))
            one = row[block]
            row[block] = [one[0] + 1, one[1]] if isinstance(one, list) else one + 1
        found.append({"puzzle": data})
    return found


def expected(asked: dict[str, Any]) -> dict[str, Any]:
    puzzle = puzzle_of(asked)
    differing = nonosat.backbone(puzzle).differing
    return {
        "verdict": nonosat.check(puzzle).verdict.value,
        "differing": sorted(map(list, differing)),
        "count": str(nonosat.count(puzzle).count),
    }


@asks
@pytest.mark.parametrize("make", [pictures, strokes, puzzles], ids=lambda make: make.__name__)
def test_verdicts_cells_and_counts_are_those_of_the_library(make: Any) -> None:
    cases = make()
    verdicts = Counter[str]()
    for asked, found in zip(cases, ask([("watch", {"puzzle": one}) for one in cases]), strict=True):
        right = expected(asked)
        verdicts[right["verdict"]] += 1
        assert found["verdict"] == right["verdict"], asked
        assert found["done"]
        if right["verdict"] == "multiple":
            assert sorted(found["differing"]) == right["differing"], asked
            assert (found["count"], found["exact"]) == (right["count"], True), asked
            assert found["complete"]
        if right["verdict"] == "unsolvable":
            _check_clash(asked, found)
    assert min(verdicts["unique"], verdicts["multiple"]) > 20


@asks
def test_larger_clues_are_decided_as_by_the_library() -> None:
    draw, cases = random.Random(25), []
    for number in range(24):
        rows = [
            "".join("a" if draw.random() < 0.42 + number / 150 else "." for _ in range(18))
            for _ in range(18)
        ]
        cases.append({"puzzle": clues_of(sent(rows))})
    verdicts = Counter[str]()
    for asked, found in zip(
        cases, ask([("solve", {"puzzle": one, "most": 2}) for one in cases]), strict=True
    ):
        verdicts[found["verdict"]] += 1
        assert found["verdict"] == nonosat.check(puzzle_of(asked)).verdict.value
    assert verdicts["multiple"] > 3
    assert verdicts["unique"] > 2


@asks
def test_a_large_drawing_is_probed_before_the_search_for_another_solution() -> None:
    (found,) = ask([("watch", {"puzzle": sent(rectangles("a"))})])
    assert found["verdict"] == "unique"


def _check_clash(asked: dict[str, Any], found: dict[str, Any]) -> None:
    """Check that the named clues contradict each other by themselves."""
    assert found["sentence"]
    named = {next(iter(line.items())) for line in found["lines"]}
    if not named:
        return
    puzzle, model = puzzle_of(asked), nonosat.ModelBuilder()
    height, width, num_colours = puzzle.height, puzzle.width, len(puzzle.colours)
    planes = [model.new_vars(height * width) for _ in range(num_colours)]
    for cell in zip(*planes, strict=True):
        model.add(nonosat.Count(cell, 0, 1))
    spans = {("row", row): slice(row * width, (row + 1) * width) for row in range(height)}
    spans |= {("column", at): slice(at, None, width) for at in range(width)}
    for (side, at), span in spans.items():
        if (side, at) in named:
            clue = (puzzle.rows if side == "row" else puzzle.columns)[at]
            model.add(nonosat.Line(tuple(plane[span] for plane in planes), clue))
    assert nonosat.solve_model(model.build()).answer.value == "unsat", asked


@asks
def test_repairs_are_smallest_and_unique() -> None:
    cases = [one for one in pictures() if len(one["picture"]) * len(one["picture"][0]) <= 30][:120]
    answers = ask([("repair", {"puzzle": one, "most": 3, "keep": [[0, 0]]}) for one in cases])
    sizes = Counter[int]()
    for asked, found in zip(cases, answers, strict=True):
        right = nonosat.repair(puzzle_of(asked), keep=[(0, 0)])
        assert found["complete"] or found["repairs"]
        if right.least <= 2 and right.pictures:
            assert found["least"] == right.least, asked
            assert found["repairs"], asked
        else:
            assert (found["least"], found["repairs"]) == (3, []), asked
        for repair in found["repairs"]:
            rows, size = repair["picture"], len(repair["changes"])
            sizes[size] += 1
            assert size == found["least"]
            before = [cell for row in found["picture"] for cell in row]
            after = [cell for row in rows for cell in row]
            assert sum(map(str.__ne__, before, after)) == size
            assert before[0] == after[0]
            signs = sorted({*"".join(before + after)} - {"."})
            assert nonosat.is_unique(
                nonosat.from_picture(nonosat.Grid.of_rows(rows, "." + "".join(signs)))
            )
    assert sizes[1] > 20
    assert sizes[2]


@asks
def test_all_repairs_of_one_cell_are_found() -> None:
    """Compare those of the page with all changes, tried one by one."""
    cases = [one for one in pictures() if len(one["colours"]) == 1 and _num_cells(one) <= 30][:20]
    sizes = []
    for asked, found in zip(
        cases, ask([("repair", {"puzzle": one, "most": 200}) for one in cases]), strict=True
    ):
        if found["least"] != 1:
            continue
        tried = {cell: puzzle_of(_flipped(asked, cell)) for cell in _cells(asked)}
        right = {cell for cell, puzzle in tried.items() if nonosat.is_unique(puzzle)}
        assert {tuple(repair["changes"][0][:2]) for repair in found["repairs"]} == right
        sizes.append(len(right))
    assert len(sizes) > 1
    assert max(sizes) > 1


def _num_cells(asked: dict[str, Any]) -> int:
    return len("".join(asked["picture"]))


def _cells(asked: dict[str, Any]) -> list[tuple[int, int]]:
    rows = asked["picture"]
    return [(row, column) for row in range(len(rows)) for column in range(len(rows[0]))]


def _flipped(asked: dict[str, Any], cell: tuple[int, int]) -> dict[str, Any]:
    """Return a picture of one colour with another value in a cell."""
    rows = [list(row) for row in asked["picture"]]
    row, column = cell
    rows[row][column] = "." if rows[row][column] == "a" else "a"
    return sent(["".join(row) for row in rows])


@asks
def test_hints_lead_to_the_solution_and_find_mistakes() -> None:
    small = [one for one in pictures() if len("".join(one["picture"])) <= 20]
    unique = list(islice((one for one in small if nonosat.is_unique(puzzle_of(one))), 12))
    states = {
        number: ["?" * len(row) for row in one["picture"]] for number, one in enumerate(unique)
    }
    for _ in range(20):  # all at once: node starts slowly
        open_ = [number for number, rows in states.items() if any("?" in row for row in rows)]
        if not open_:
            break
        answers = ask([("hint", {"puzzle": unique[n], "given": states[n]}) for n in open_])
        for number, found in zip(open_, answers, strict=True):
            assert found["wrong"] == []
            assert found["step"]["settled"]
            states[number] = _filled(states[number], found["step"]["settled"], unique[number])
    assert states == {number: one["picture"] for number, one in enumerate(unique)}


def _filled(rows: list[str], settled: list[Any], asked: dict[str, Any]) -> list[str]:
    """Return the rows after the marks of a hint, in the letters of a picture."""
    cells = [list(row) for row in rows]
    for row, column, sign in settled:
        assert cells[row][column] == "?"
        is_single = len(asked["colours"]) == 1
        cells[row][column] = "a" if is_single and sign == "#" else sign
    return ["".join(row) for row in cells]


@asks
def test_a_mistake_is_reported_before_any_hint() -> None:
    heart = sent([".a.a.", "aaaaa", "aaaaa", ".aaa.", "..a.."])
    (found,) = ask([("hint", {"puzzle": heart, "given": ["a????", *["?????"] * 4]})])
    assert (found["wrong"], found["step"]) == ([[0, 0, "#"]], None)


@asks
def test_beliefs_are_those_of_the_library() -> None:
    asked = sent(["a..a", ".b.a", "..a."])
    (found,) = ask([("beliefs", {"puzzle": asked})])
    right = nonosat.estimate(puzzle_of(asked)).to_data()["probabilities"]
    for sign, plane in right.items():
        for row, expected_row in zip(found["probabilities"][sign], plane, strict=True):
            assert row == pytest.approx(expected_row, abs=1e-3)


@asks
def test_large_numbers_are_exact_and_mistakes_have_a_line() -> None:
    rooks = sent(["." * at + "a" + "." * (13 - at) for at in range(14)])
    bad = clues_of(rooks)
    bad["rows"][3] = [0, -2]
    asked = [("watch", {"puzzle": rooks}), ("watch", {"puzzle": {"puzzle": bad}})]
    count, wrong = ask(asked)
    assert (count["count"], count["exact"]) == ("87178291200", True)  # 14!
    assert wrong["error"]["line"] == {"row": 3}


# The folder


@built
def test_the_folder_holds_all_that_the_page_needs(tmp_path: Path) -> None:
    target = tmp_path / "site"
    done = CliRunner().invoke(main, ["studio", "--static", str(target)])
    assert (done.exit_code, done.stdout) == (0, "")
    num_files = sum(path.is_file() for path in target.rglob("*"))
    assert done.stderr.endswith(f"site: {num_files} files, a page for any web host\n")
    index = (target / "index.html").read_text()
    assert static.POLICY in index
    assert 'src="/' not in index
    assert 'href="/' not in index
    worker = (target / "offline.js").read_text()
    start = worker.index("[")
    kept = json.loads(worker[start : worker.index("]", start) + 1])
    files = {path.relative_to(target).as_posix() for path in target.rglob("*") if path.is_file()}
    assert {*kept} == (files - {"offline.js"}) | {"./"}
    assert "core.wasm" in kept
    assert json.loads((target / "gallery.json").read_text())[0]["puzzles"]
    again = CliRunner().invoke(main, ["studio", "--static", str(target)])
    assert again.exit_code == 0
    assert (target / "offline.js").read_text() == worker  # nothing has changed


@built
def test_a_folder_of_other_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    done = CliRunner().invoke(main, ["studio", "--static", str(tmp_path)])
    assert done.exit_code == 2
    assert "holds other files" in done.output
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
    with pytest.raises(UnsupportedError, match="is a file"):
        static.write(tmp_path / "mine.txt")
    assert CliRunner().invoke(main, ["studio", "--static", str(tmp_path), "--force"]).exit_code == 0
    assert (tmp_path / "mine.txt").read_text() == "mine"


def test_without_the_built_page_the_message_states_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(static, "BUILT", tmp_path / "not-built")
    target = tmp_path / "site"
    with pytest.raises(UnsupportedError, match="install nonosat from a wheel, or build"):
        static.write(target)
    assert not target.exists()


@built
def test_the_page_is_small() -> None:
    sizes = {path.name: len(gzip.compress(path.read_bytes())) for path in static.BUILT.iterdir()}
    scripts = sum(size for name, size in sizes.items() if name.endswith(".js"))
    assert scripts < 150_000
    assert sizes["style.css"] < 12_000
    assert static.core_file().stat().st_size < 400 * 1024
    assert sizes["core.wasm"] < 180_000
    assert sizes["explain.wasm"] < 80_000
