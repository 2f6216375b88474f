"""Puzzles read from photographs: each part against an oracle, and whole photographs."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from itertools import pairwise, product
from math import log
from pathlib import Path
from random import Random
from typing import Any

import pytest
from PIL import Image, ImageDraw, ImageFont

import nonosat
from helpers.commands import run
from helpers.images import file
from nonosat.core.errors import FormatError, LimitReached, NotAPuzzleError
from nonosat.core.limits import watch_of

np = pytest.importorskip("numpy")
cv2 = pytest.importorskip("cv2")

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks" / "paper"))
from photographs import Photograph, in_colours, photographed  # noqa: E402

from nonosat.paper import _choosing, _colours, _deciding, _fields, _numbers, _page  # noqa: E402
from nonosat.paper._plain import Number, Plain  # noqa: E402
from nonosat.puzzles.nonogram.data import rgb_of  # noqa: E402
from nonosat.render._painting.fonts import REGULAR  # noqa: E402

cv2.setNumThreads(1)  # calls in children are copies of this process, without its other threads
HEART = nonosat.from_picture([".#.#.", "#####", "#####", ".###.", "..#.."])
SWITCHES = nonosat.from_picture(["#....", ".#...", ".....", "...##", "...##"])
Clues = list[list[int]]


def clues_of(puzzle: nonosat.Nonogram) -> Clues:
    return [[block.length for block in clue] for clue in (*puzzle.rows, *puzzle.columns)]


def plain_of(
    puzzle: nonosat.Nonogram, misread: dict[int, tuple[tuple[int | None, float], ...]]
) -> Plain:
    """Return a plain reading of a puzzle in which some numbers have these alternatives."""
    numbers, before = [], 0
    for line, clue in enumerate(clues_of(puzzle)):
        for place, value in enumerate(clue):
            usual = (
                (value, 0.999),
                *((other, 1e-7) for other in (1, 2, 3, None) if other != value),
            )
            numbers.append(Number(line, place, misread.get(before, usual), ()))
            before += 1
    return Plain(puzzle.height, puzzle.width, tuple(numbers), ())


# Recognition


def convolved(image: Any, kernel: Any, bias: Any) -> Any:
    """Return the rectified convolution of one image at every second place, place by place."""
    _, height, width = image.shape
    edge = kernel.shape[-1] // 2
    found = np.zeros((len(kernel), height // 2, width // 2))
    for out, y, x in np.ndindex(found.shape):
        total = float(bias[out])
        for channel, i, j in np.ndindex(kernel.shape[1:]):
            row, column = 2 * y + i - edge, 2 * x + j - edge
            if 0 <= row < height and 0 <= column < width:
                total += kernel[out, channel, i, j] * image[channel, row, column]
        found[out, y, x] = max(total, 0)
    return found


def test_convolutions_are_the_sums_of_their_definition() -> None:
    numbers = np.random.default_rng(1)
    images, kernel = numbers.normal(size=(2, 3, 6, 8)), numbers.normal(size=(4, 3, 3, 3))
    found = _numbers._convolved(images, kernel)
    for image, values in zip(images, found, strict=True):
        assert np.allclose(np.maximum(values, 0), convolved(image, kernel, np.zeros(4)))


def test_printed_numbers_have_the_highest_chance_and_letters_none() -> None:
    font = ImageFont.truetype(str(REGULAR), 60)
    texts = ["1", "7", "10", "38", "99", "K", "m"]
    images = []
    for text in texts:
        page = Image.new("L", (120, 100), 255)
        ImageDraw.Draw(page).text((60, 50), text, 0, font, anchor="mm")
        ink = cv2.GaussianBlur(1 - np.asarray(page, np.float32) / 255, (0, 0), 2)
        inked = np.argwhere(ink > 0.5)
        (top, left), (bottom, right) = inked.min(axis=0), inked.max(axis=0)
        images.append(_fields.image_of(ink, _fields.Box(left, top, right + 1, bottom + 1)))
    found = _numbers.chances(images)
    assert np.allclose(found.sum(axis=1), 1)
    expected = [int(text) if text.isdecimal() else _numbers.NO_NUMBER for text in texts]
    assert found.argmax(axis=1).tolist() == expected
    assert _numbers.chances([]).shape == (0, 101)


@pytest.mark.parametrize("count", [2, 3, 5, 10, 17, 33, 50])
def test_lines_are_counted_if_every_fifth_is_heavier_or_not(count: int) -> None:
    length = 20 * count + 1
    for heavy in (1.0, 3.0, 4.0):
        profile = np.full(length, 0.05, np.float32)
        for line in range(count + 1):
            profile[20 * line] += 0.2 * (heavy if line % 5 == 0 else 1)
        smooth = cv2.GaussianBlur(profile.reshape(1, -1), (0, 0), 1.2).ravel()
        assert _page._count(smooth) == count
    faint = smooth.copy()  # between each two lines a trace of another one, in even light
    faint[10:-10:20] += 0.002
    assert _page._count(faint) == count
    noise = np.random.default_rng(count).random(length).astype(np.float32)
    assert _page._count(noise) == 0


@pytest.mark.parametrize(("inside", "between"), [(0.7, 1.0), (0.8, 1.3), (0.95, 1.5)])
def test_digits_of_one_number_are_told_from_those_of_two(inside: float, between: float) -> None:
    """Rows "1 23" and "4 5", whose digits are half as wide as tall, in three layouts."""
    places = [[(0, 0), (-inside, 0), (-inside - between, 1)], [(0, 0), (-between, 1)]]
    rows = [[_fields.Box(40 * x, 0, 40 * x + 20, 40) for x, _ in row] for row in places]
    apart = _fields._apart(rows, 40)
    for boxes, row in zip(rows, places, strict=True):
        for (right, left), (_, is_other) in zip(pairwise(boxes), row[1:], strict=True):
            assert (_fields._distance(right, left, 40) >= apart) == is_other


# Decisions


@pytest.mark.parametrize("light", [0.3, 0.45])
def test_digits_of_which_a_part_is_light_have_their_whole_box(light: float) -> None:
    """Thin strokes of a small print are lighter; here the right side of a 6, and all of a 7."""
    font = ImageFont.truetype(str(REGULAR), 24)
    drawn = Image.new("L", (200, 200), 255)
    texts = [(60, 60, "6"), (60, 100, "4"), (60, 140, "8"), (30, 100, "7"), (30, 140, "5")]
    whole = {}
    for x, y, text in texts:
        ImageDraw.Draw(drawn).text((x, y), text, 0, font, anchor="mm")
        whole[text] = ImageDraw.Draw(drawn).textbbox((x, y), text, font, anchor="mm")
    ink = 1 - np.asarray(drawn, np.float32) / 255
    left, top, right, foot = whole["6"]
    ink[top : foot + 1, left + 6 : right + 1] *= light
    left, top, right, foot = whole["7"]
    ink[top : foot + 1, left : right + 1] *= light
    page = _page.Page(ink, 40, 80, 40, 3, 3, np.eye(3))
    rows, _ = _fields.fields(page)
    assert [len(clue) for clue in rows] == [1, 2, 2]
    for box, text in zip((*rows[0], rows[1][0]), "67", strict=True):
        assert np.abs(np.array(box) - whole[text]).max() <= 2


def readings(plain: Plain) -> Iterator[tuple[float, tuple[int | None, ...]]]:
    """Yield cost and values of every reading whose clues fit, by enumeration."""
    for choice in product(*(number.alternatives for number in plain.numbers)):
        lines: dict[int, list[int]] = {}
        for number, (value, _) in zip(plain.numbers, choice, strict=True):
            lines.setdefault(number.line, []).extend([value] if value else [])
        sums = [0, 0]
        for line, clue in lines.items():
            sums[line >= plain.height] += sum(clue)
        lengths = (sum(clue) + len(clue) - 1 for clue in lines.values())
        if sums[0] == sums[1] and max(lengths) <= plain.width:
            costs = (
                log(number.alternatives[0][1] / chance)
                for number, (_, chance) in zip(plain.numbers, choice, strict=True)
            )
            yield sum(costs), tuple(value for value, _ in choice)


@pytest.mark.parametrize("seed", range(5))
def test_the_cheapest_reading_is_that_of_enumeration(seed: int) -> None:
    random = Random(seed)
    numbers = []
    for line in range(6):
        for place in range(random.choice((1, 1, 2))):
            values: list[int | None] = random.sample([0, 1, 2, 3, None], 3)
            chances = sorted((random.random() for _ in values), reverse=True)
            alternatives = tuple(zip(values, chances, strict=True))
            numbers.append(Number(line, place, alternatives, ()))
    plain = Plain(3, 3, tuple(numbers), ())
    every = sorted(readings(plain), key=lambda one: one[0])
    found = _choosing.cheapest(plain, [], 50)
    assert found is not None
    assert found.cost == pytest.approx(every[0][0], abs=0.02)
    forbidden = dict(enumerate(found.values))
    second = _choosing.cheapest(plain, [forbidden], 50)
    assert second is not None
    assert second.cost == pytest.approx(every[1][0], abs=0.02)
    assert second.values != found.values
    assert _choosing.cheapest(plain, [], every[0][0] - 0.1) is None


@pytest.mark.parametrize("at", [0, 7, 20])
def test_a_misread_number_is_corrected(at: int) -> None:
    puzzle = nonosat.generate_nonogram(8, 8, seed=3, unique=True)
    values = [value for clue in clues_of(puzzle) for value in clue]
    wrong = values[at] + 1
    plain = plain_of(puzzle, {at: ((wrong, 0.9), (values[at], 1e-4), (None, 1e-7))})
    found = _deciding.decided(plain, watch_of(None, None))
    assert found.is_certain
    assert clues_of(_deciding.puzzle_of(plain, found.values)) == clues_of(puzzle)


def test_two_readings_about_as_likely_are_both_returned() -> None:
    one, other = nonosat.nonogram([[1], [0]], [[1], [0]]), nonosat.nonogram([[2], [0]], [[1], [1]])
    numbers = (
        Number(0, 0, ((1, 0.5), (2, 0.4)), ()),
        Number(2, 0, ((1, 0.9),), ()),
        Number(3, 0, ((None, 0.5), (1, 0.4)), ()),
    )
    plain = Plain(2, 2, numbers, ())
    found = _deciding.decided(plain, watch_of(None, None))
    assert not found.is_certain
    assert found.other is not None
    both = [_deciding.puzzle_of(plain, values) for values in (found.values, found.other)]
    assert [*map(clues_of, both)] == [clues_of(one), clues_of(other)]


def test_a_likelier_reading_with_several_solutions_is_named() -> None:
    """A sheet of ones has two solutions; it is unique if two of them are read as 2."""
    unlikely, sure = ((1, 0.9), (2, 0.1), (None, 1e-7)), ((1, 0.999), (None, 1e-7))
    lines = (unlikely, sure, unlikely, sure)
    numbers = tuple(Number(line, 0, values, ()) for line, values in enumerate(lines))
    found = _deciding.decided(Plain(2, 2, numbers, ()), watch_of(None, None))
    assert (found.values, found.other) == ((2, 1, 2, 1), (1, 1, 1, 1))
    assert not found.is_certain


def test_clues_without_a_solution_are_never_certain() -> None:
    plain = Plain(2, 2, (Number(0, 0, ((2, 0.9),), ()), Number(2, 0, ((2, 0.9),), ())), ())
    found = _deciding.decided(plain, watch_of(None, None))
    assert not found.is_certain
    assert found.verdict is nonosat.Verdict.UNSOLVABLE


# Photographs


def written(photo: Photograph, folder: Path) -> str:
    path = folder / "photo.jpg"
    path.write_bytes(photo.data)
    return str(path)


@pytest.mark.slow
@pytest.mark.parametrize("turn", range(4))
def test_photographs_are_read_in_every_orientation(turn: int, tmp_path: Path) -> None:
    seeds = (seed for seed in range(100, 200))
    photo = next(
        one
        for one in (photographed(seed, 8, "ours") for seed in seeds)
        if one.camera.turn == turn and one.camera.blur < 1
    )
    found = nonosat.read_photo(written(photo, tmp_path))
    assert found.status == "read"
    assert clues_of(found.puzzle) == clues_of(photo.puzzle)
    corners = {tuple(one.corners[0]) for one in found.numbers}
    for text, box in photo.fields:  # the boxes are where the numbers were printed
        if text != "0":
            middle = box.mean(axis=0)
            away = min(np.hypot(*(np.array(corner) - middle)) for corner in corners)
            assert away < photo.camera.cell


def test_a_sheet_is_read_by_the_command(tmp_path: Path) -> None:
    sheet, out, svg = (str(tmp_path / name) for name in ("s.png", "p.jsonl", "o.svg"))
    nonosat.draw(HEART, sheet)
    done = run("read", sheet, "-o", out, "--svg", svg, "--json")
    assert done.exit_code == 0, done.stderr
    data = json.loads(done.stdout)
    assert data["status"] == "read"
    assert nonosat.PhotoReading.from_data(data).puzzle.rows == HEART.rows
    assert clues_of(nonosat.load(out)) == clues_of(HEART)
    assert Path(svg).read_text().count("<polygon") == len(data["numbers"])


@pytest.mark.slow
@pytest.mark.parametrize("times", [2, 3, 5])
def test_enlarged_sheets_are_read(times: int, tmp_path: Path) -> None:
    """Lines as wide as these are looked for in a reduced picture."""
    nonosat.draw(HEART, tmp_path / "s.png")
    sheet = Image.open(tmp_path / "s.png").convert("L")
    found = nonosat.read_photo(sheet.resize((times * sheet.width, times * sheet.height)))
    assert (found.status, clues_of(found.puzzle)) == ("read", clues_of(HEART))
    usual = nonosat.read_photo(sheet)
    for one, other in zip(found.numbers, usual.numbers, strict=True):
        away = np.array(one.corners) - times * np.array(other.corners)
        assert np.abs(away).max() < 3 * times


def coloured_clues(puzzle: nonosat.Nonogram) -> list[list[tuple[int, int]]]:
    """Return the clues with colours numbered in the order of their first block."""
    order: dict[int, int] = {}
    lines = (*puzzle.rows, *puzzle.columns)
    return [
        [(one.length, order.setdefault(one.colour, len(order))) for one in clue] for clue in lines
    ]


FLAG = ["aab", "bca", "ccb"]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 7))
def test_sheets_in_colours_are_read(seed: int, tmp_path: Path) -> None:
    """Numbers are on fields, with the letter of their colour; a legend is below the board."""
    puzzle = in_colours(seed).puzzle
    nonosat.draw(puzzle, tmp_path / "s.png")
    found = nonosat.read_photo(tmp_path / "s.png")
    assert found.status == "read"
    assert coloured_clues(found.puzzle) == coloured_clues(puzzle)
    printed, read = ({rgb_of(one.rgb) for one in two.colours} for two in (puzzle, found.puzzle))
    for colour in read:
        assert min(np.abs(np.subtract(colour, other)).max() for other in printed) <= 3


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "on_fields"), [(4, True), (10, True), (4, False), (6, False)])
def test_photographs_in_colours_are_read(seed: int, on_fields: bool) -> None:
    photo = in_colours(seed, on_fields=on_fields)
    found = nonosat.read_photo(Image.open(BytesIO(photo.data)))
    assert found.status == "read"
    assert coloured_clues(found.puzzle) == coloured_clues(photo.puzzle)
    assert nonosat.PhotoReading.from_data(found.to_data()) == found


@pytest.mark.slow
def test_colours_that_may_be_one_are_uncertain(tmp_path: Path) -> None:
    inks = {"a": "#d01010", "b": "#c83a22", "c": "#1040d0"}
    puzzle = nonosat.from_picture(FLAG, colours=inks)
    nonosat.draw(puzzle, tmp_path / "s.png")
    found = nonosat.read_photo(tmp_path / "s.png")
    assert found.status == "uncertain"
    assert found.reason.startswith("colours that may be one or two: #")
    assert len(found.puzzle.colours) == 3


@pytest.mark.parametrize("seed", range(4))
def test_colours_are_linked_if_a_chain_of_near_ones_joins_them(seed: int) -> None:
    places = np.random.default_rng(seed).uniform(0, 60, (14, 3))
    away = np.linalg.norm(places[:, None] - places, axis=2)
    near = away < _colours._EQUAL
    for _ in places:  # the transitive closure
        near = near @ near
    groups, doubtful = _colours._linked(places)
    expected = {tuple(np.flatnonzero(one).tolist()) for one in near}
    assert {tuple(sorted(one)) for one in groups} == expected
    apart = [float(away[one][:, other].min()) for one in groups for other in groups if one != other]
    assert (doubtful is not None) == (min(apart, default=99) < _colours._OTHER)


def test_numbers_are_balanced_in_each_colour() -> None:
    """A red 2 beside a column's red 1 and blue 2: the 1 is the red row's other alternative."""
    red, blue = 1, 2
    numbers = (
        Number(0, 0, ((2, 0.9), (1, 0.1)), (), red),
        Number(1, 0, ((2, 0.9), (1, 0.1)), (), blue),
        Number(2, 0, ((1, 0.99),), (), red),
        Number(2, 1, ((1, 0.99),), (), blue),
        Number(3, 0, ((1, 0.99),), (), blue),
    )
    inks = (nonosat.Colour("r", "#ff0000"), nonosat.Colour("b", "#0000ff"))
    found = _choosing.cheapest(Plain(2, 2, numbers, (), inks), [], 20)
    assert found is not None
    assert found.values == (1, 2, 1, 1, 1)
    puzzle = _deciding.puzzle_of(Plain(2, 2, numbers, (), inks), found.values)
    assert [[(one.length, one.colour) for one in clue] for clue in puzzle.columns] == [
        [(1, red), (1, blue)],
        [(1, blue)],
    ]


def test_a_second_board_in_the_picture_is_reported(tmp_path: Path) -> None:
    sheet, twice = tmp_path / "s.png", tmp_path / "two.png"
    nonosat.draw(HEART, sheet)
    one = Image.open(sheet).convert("L")
    both = Image.new("L", (2 * one.width, one.height), 255)
    both.paste(one, (0, 0))
    both.paste(one, (one.width, 0))
    both.save(twice)
    found = nonosat.read_photo(twice)
    assert (found.status, clues_of(found.puzzle)) == ("read", clues_of(HEART))
    assert found.num_others == 1
    assert "1 further board in the picture" in str(found)
    assert nonosat.read_photo(sheet).num_others == 0


def page_of(puzzles: list[nonosat.Nonogram], per_row: int, folder: Path) -> Any:
    """Return an image of sheets in rows, left to right."""
    sheets = []
    for puzzle in puzzles:
        nonosat.draw(puzzle, folder / "s.png", force=True)
        sheets.append(Image.open(folder / "s.png").convert("L"))
    wide, high = (max(getattr(one, side) for one in sheets) for side in ("width", "height"))
    page = Image.new("L", (per_row * wide, -(-len(sheets) // per_row) * high), 255)
    for at, sheet in enumerate(sheets):
        page.paste(sheet, (at % per_row * wide, at // per_row * high))
    return page


def test_every_puzzle_of_a_page_is_read_by_itself(tmp_path: Path) -> None:
    puzzles = [HEART, nonosat.nonogram([[1], [0]], [[1], [0]])]
    path, out, svg = (str(tmp_path / name) for name in ("page.png", "p.jsonl", "o.svg"))
    page_of(puzzles, 2, tmp_path).save(path)
    done = run("read", path, "--page", "--no-repair", "--json", "-o", out, "--svg", svg)
    assert done.exit_code == 0, done.stderr
    found = [nonosat.PhotoReading.from_data(json.loads(line)) for line in done.stdout.splitlines()]
    assert [*map(clues_of, nonosat.load_all(out))] == [clues_of(one.puzzle) for one in found]
    assert [*map(clues_of, nonosat.load_all(out))] == [*map(clues_of, puzzles)]
    assert [one.puzzle.about.id for one in found] == ["page-1", "page-2"]
    assert Path(svg).read_text().count("<polygon") == sum(len(one.numbers) for one in found)


@pytest.mark.slow
@pytest.mark.parametrize("turn", [0, 90])
def test_uncertain_puzzles_of_a_page_are_named(turn: int, tmp_path: Path) -> None:
    small = [nonosat.generate_nonogram(5, 5, seed=seed, unique=True) for seed in range(4)]
    puzzles = [small[0], HEART, SWITCHES, *small[1:]]
    path = str(tmp_path / "page.png")
    page_of(puzzles, 2, tmp_path).rotate(turn, expand=True).save(path)
    found = nonosat.read_page(path)
    assert [clues_of(one.puzzle) for one in found] == [*map(clues_of, puzzles)]
    several = [not nonosat.is_unique(one) for one in puzzles]
    assert [one.status == "uncertain" for one in found] == several
    if turn == 0:
        done = run("read", path, "--page")
        assert done.exit_code == 5
        assert "page.png, puzzle 3: 5 rows x 5 columns: uncertain" in done.stdout


@pytest.mark.slow
def test_a_page_of_many_boards_is_read(tmp_path: Path) -> None:
    puzzles = [nonosat.generate_nonogram(5, 6, seed=seed, unique=True) for seed in range(12)]
    found = nonosat.read_page(page_of(puzzles, 4, tmp_path), repair=False)
    assert [clues_of(one.puzzle) for one in found] == [*map(clues_of, puzzles)]


def test_a_page_of_one_puzzle_keeps_its_name(tmp_path: Path) -> None:
    nonosat.draw(HEART, tmp_path / "heart.png")
    (found,) = nonosat.read_page(tmp_path / "heart.png")
    assert (found.puzzle.about.id, found.status) == ("heart", "read")


def test_a_format_of_one_puzzle_is_refused_for_a_page(tmp_path: Path) -> None:
    done = run("read", str(tmp_path / "s.png"), "--page", "-o", str(tmp_path / "x.nin"))
    assert done.exit_code == 2
    assert "nin holds one puzzle" in done.stderr


def test_a_format_of_pictures_is_refused_before_the_reading(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("nonosat.cli.read.read_photo", lambda *_, **__: pytest.fail("was read"))
    done = run("read", str(tmp_path / "s.png"), "-o", str(tmp_path / "x.png"))
    assert done.exit_code == 2
    assert "png holds pictures" in done.stderr


@pytest.mark.slow
def test_clues_with_several_solutions_are_uncertain(tmp_path: Path) -> None:
    assert not nonosat.is_unique(SWITCHES)
    sheet = str(tmp_path / "s.png")
    nonosat.draw(SWITCHES, sheet)
    done = run("read", sheet)
    assert done.exit_code == 5
    assert "uncertain: its clues have several solutions" in done.stdout
    plain = run("read", sheet, "--no-repair")
    assert plain.exit_code == 0
    assert "the solver has not checked it" in plain.stdout


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["1", "P", "LA", "RGBA", "CMYK", "I;16", "dark"])
def test_images_of_every_mode_are_read(mode: str, tmp_path: Path) -> None:
    sheet = tmp_path / "s.png"
    nonosat.draw(HEART, sheet, theme="dark" if mode == "dark" else "light")
    image: Any = Image.open(sheet)
    if mode == "I;16":
        values = np.asarray(image.convert("L")).astype(np.uint16) * 256
        image = Image.fromarray(values)
    elif mode != "dark":
        image = image.convert(mode)
    found = nonosat.read_photo(image)
    assert found.status == "read"
    assert clues_of(found.puzzle) == clues_of(HEART)


PNG = file(Image.new("RGB", (300, 200), "white"), "PNG")
WRONG = {
    "nothing": (b"", "no image"),
    "a text": (b"hello", "no image, expected"),
    "cut off": (PNG[:-40], "cannot be decoded|ends before"),
    "white": (PNG, "no board with clues is seen"),
    "one pixel": (file(Image.new("L", (1, 1)), "PNG"), "no board with clues is seen"),
    "a line": (file(Image.new("L", (9000, 1)), "PNG"), "no board with clues is seen"),
    "a bomb": (
        PNG[:16] + (20000).to_bytes(4, "big") * 2 + PNG[24:],
        "400000000 pixels, expected|cannot be decoded",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_images_without_a_puzzle_are_refused(name: str, tmp_path: Path) -> None:
    data, says = WRONG[name]
    path = tmp_path / "wrong.png"
    path.write_bytes(data)
    with pytest.raises(FormatError, match=says) as caught:
        nonosat.read_photo(path)
    assert caught.value.path == str(path)
    done = run("read", str(path))
    assert done.exit_code == 2
    assert done.stdout == ""


# PDF files


def pdf_of(*boxes: str, contents: str = "") -> bytes:
    """Return a PDF whose pages have these sizes in points, by the rules of ISO 32000 for files."""
    kids = " ".join(f"{4 + at} 0 R" for at, _ in enumerate(boxes))
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Count {len(boxes)}/Kids[{kids}]>>",
        f"<</Length {len(contents)}>>stream\n{contents}\nendstream",
        *(f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {box}]/Contents 3 0 R>>" for box in boxes),
    ]
    data, places = b"%PDF-1.4\n", []
    for at, text in enumerate(objects, 1):
        places.append(len(data))
        data += f"{at} 0 obj{text}endobj\n".encode()
    rows = "".join(f"{place:010} 00000 n \n" for place in places)
    table = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{rows}"
    end = f"trailer<</Root 1 0 R/Size {len(objects) + 1}>>\nstartxref\n{len(data)}\n%%EOF\n"
    return data + (table + end).encode()


SHEET = pdf_of("100 140")
WRONG_PDF = {
    "white": (SHEET, "no board with clues is seen"),
    "cut off": (SHEET[:-20], "a PDF without its end"),
    "no table": (b"%PDF-1.4\n%%EOF\n", "a PDF that cannot be read"),
    "no page": (pdf_of(), "cannot be read|without pages"),
    "huge": (pdf_of("9000000 9000000"), "no board with clues is seen"),
    "a line": (pdf_of("14000 1"), "14000 x 1 points"),
}


@pytest.mark.parametrize(
    "name",
    [pytest.param(one, marks=pytest.mark.slow) if one == "huge" else one for one in WRONG_PDF],
)
def test_pdf_files_without_a_puzzle_are_refused(name: str, tmp_path: Path) -> None:
    pytest.importorskip("pypdfium2")
    data, says = WRONG_PDF[name]
    path = tmp_path / "wrong.pdf"
    path.write_bytes(data)
    for read in (nonosat.read_photo, nonosat.read_page):
        with pytest.raises(FormatError, match=says) as caught:
            read(path)
        assert caught.value.path == str(path)


def test_a_page_of_a_pdf_is_read(tmp_path: Path) -> None:
    """The page shows a drawn sheet as an image, which a few bytes of PDF place on it."""
    pytest.importorskip("pypdfium2")
    nonosat.draw(HEART, tmp_path / "s.png")
    Image.open(tmp_path / "s.png").convert("L").save(tmp_path / "heart.pdf", resolution=300)
    found = nonosat.read_photo(tmp_path / "heart.pdf", repair=False)
    assert (found.page, clues_of(found.puzzle)) == (1, clues_of(HEART))
    assert found.puzzle.about.id == "heart"


@pytest.mark.slow
def test_pages_of_a_pdf_are_read(tmp_path: Path) -> None:
    pytest.importorskip("pypdfium2")
    pytest.importorskip("fpdf")
    puzzles, path = [HEART, nonosat.from_picture(["##.", "#..", ".##"])], str(tmp_path / "two.pdf")
    nonosat.save(puzzles, tmp_path / "two.jsonl")
    assert run("render", str(tmp_path / "two.jsonl"), "-o", path, "--paper", "a6").exit_code == 0
    found = nonosat.read_page(path, repair=False)
    assert [clues_of(one.puzzle) for one in found] == [*map(clues_of, puzzles)]
    assert [(one.page, one.puzzle.about.id) for one in found] == [(1, "two-1"), (2, "two-2")]
    first = nonosat.read_photo(path, repair=False)
    assert (first.page, clues_of(first.puzzle)) == (1, clues_of(HEART))


def test_a_drawing_over_a_pdf_is_refused_before_the_reading(tmp_path: Path) -> None:
    done = run("read", str(tmp_path / "none.PDF"), "--svg", str(tmp_path / "o.svg"))
    assert done.exit_code == 2
    assert "not over a PDF" in done.stderr


def test_a_limit_ends_the_pages_of_a_pdf(tmp_path: Path) -> None:
    pytest.importorskip("pypdfium2")
    path = tmp_path / "many.pdf"
    path.write_bytes(pdf_of(*["595 842"] * 5000))
    for limits in ({"time_limit_s": 0.05}, {"memory_limit_mib": 1}):
        with pytest.raises(LimitReached):
            nonosat.read_page(path, **limits)


def test_limits_end_the_reading(tmp_path: Path) -> None:
    path = tmp_path / "white.png"
    path.write_bytes(PNG)
    for limits in ({"time_limit_s": 1e-6}, {"memory_limit_mib": 1}):
        with pytest.raises(LimitReached):
            nonosat.read_photo(path, **limits)


def test_a_limit_leaves_the_best_reading_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison ends after its first reading, which is not the plain one."""
    puzzle = nonosat.generate_nonogram(8, 8, seed=3, unique=True)
    first = clues_of(puzzle)[0][0]
    plain = plain_of(puzzle, {0: ((first + 1, 0.9), (first, 0.05), (None, 1e-7))})
    found: list[object] = []

    def ended(*arguments: Any) -> object:
        if found and found[-1] is not None:
            raise LimitReached("time limit of 1 s")
        found.append(_choosing.cheapest(*arguments))
        return found[-1]

    monkeypatch.setattr(_deciding, "cheapest", ended)
    monkeypatch.setattr(_deciding, "is_expendable", lambda: True)
    decision = _deciding.decided(plain, watch_of(None, None))
    assert decision.limit == "time limit of 1 s"
    assert not decision.is_certain
    assert clues_of(_deciding.puzzle_of(plain, decision.values)) == clues_of(puzzle)


def test_a_limit_after_the_numbers_are_read_is_the_reason(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def ended(*_: object) -> None:
        raise LimitReached("time limit of 1 s")

    monkeypatch.setattr(_deciding, "_compared", ended)
    nonosat.draw(HEART, tmp_path / "s.png")
    found = nonosat.read_photo(tmp_path / "s.png")
    assert (found.status, found.reason) == ("uncertain", "time limit of 1 s")
    assert clues_of(found.puzzle) == clues_of(HEART)


def test_a_missing_package_is_named(tmp_path: Path) -> None:
    """In a new process: here the modules that import the package are loaded already."""
    path = tmp_path / "white.png"
    path.write_bytes(PNG)
    script = (
        "import sys\nsys.modules['cv2'] = None\nimport nonosat\n"
        "try: nonosat.read_photo(sys.argv[1])\n"
        "except nonosat.UnsupportedError as error: print(error)"
    )
    command = [sys.executable, "-c", script, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "pip install" in done.stdout
    assert "opencv-python-headless" in done.stdout


def test_other_objects_are_refused() -> None:
    with pytest.raises(NotAPuzzleError, match="expected the name of an image"):
        nonosat.read_photo(17)  # type: ignore[arg-type]


def test_few_thin_lines_of_large_cells_are_counted() -> None:
    """Fewer than 3 % of the places have a line, so that the percentile of their strength is 0."""
    profile = np.zeros(601, np.float32)
    profile[::150] = 0.8  # 4 cells
    assert _page._count(profile) == 4
    assert _page._count(np.zeros(601, np.float32)) == 0
