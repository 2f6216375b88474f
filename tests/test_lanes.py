"""Boards of lanes: shapes against their definitions, data, and queries against enumeration."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest
from hypothesis import given

import nonosat
from helpers.drawing import examples
from nonosat import _core
from nonosat.board.presolve import PresolvedModel
from nonosat.core import plugins
from nonosat.core.errors import FormatError, PuzzleError, UnsupportedError
from nonosat.core.model import AnyBlocks, Block
from nonosat.puzzles.lanes import (
    LaneNonogram,
    Shape,
    build,
    from_grid,
    grids,
    mono,
    of_lanes,
    outline,
    refutation,
    samurai,
    triddler,
)
from nonosat.questions import backbones, counting
from nonosat.render._style import Style
from nonosat.render.look import THEMES, Look
from nonosat.render.shapes import Path as Outline
from nonosat.render.shapes import Texts
from nonosat.solving import steps
from nonosat.testing import check_plugin
from nonosat.testing.oracles import every_solution, line_support
from nonosat.testing.strategies import lane_nonograms

# Written by hand from webpbn's description of triddlers.
WEBPBN = mono(
    triddler(2, 1, 2, 2, 1, 2),
    [[1, 1, 1], [2, 3], [1]],
    [[3], [2, 1], [3]],
    [[1], [2, 1], [3], [2]],
)
SHAPES = [
    triddler(1),
    triddler(0, 2, 0, 2, 0, 2),
    triddler(2, 1, 2, 2, 1, 2),
    outline("##.", "#.#", "###"),
    grids((0, 0, 2, 2), (1, 1, 2, 2)),
    samurai(3, 1),
    of_lanes([(0, 0), (0, 1)], [(0, 1), (1, 1), (0, 0)]),
]


def random_puzzle(rng: Random, shape: Shape, num_colours: int = 1) -> LaneNonogram:
    """A puzzle whose clues describe a random picture."""
    layout = shape.layout
    cells = bytearray(layout.height * layout.width)
    for row, column in layout.places:
        cells[row * layout.width + column] = rng.randint(0, num_colours)
    colours = (nonosat.Colour("r", "#ff0000"), nonosat.Colour("b", "#0000ff"))[:num_colours]
    return from_grid(shape, nonosat.Grid(layout.height, layout.width, bytes(cells)), colours)


# Shapes


def test_a_triddler_is_a_box_of_three_coordinates() -> None:
    """Cells and lanes are those of a - b + c in (-1, 0), within the six bounds that sides imply."""
    num_tried = 0
    for top, upper_right, lower_left, upper_left in product(range(4), repeat=4):
        bottom, lower_right = top + upper_right - lower_left, upper_left + lower_left - upper_right
        sides = top, upper_right, lower_right, bottom, lower_left, upper_left
        pairs = [sides[at] + sides[at - 1] for at in range(6)]
        if min(sides) < 0 or 0 in pairs:
            with pytest.raises(PuzzleError):
                triddler(*sides)
            continue
        num_tried += 1
        layout = triddler(*sides).layout
        box = product(
            range(upper_left + lower_left),
            range(top + upper_right),
            range(-upper_left, bottom + lower_right - upper_left),
        )
        cells = [(a, b, c) for a, b, c in box if a - b + c in (-1, 0)]
        at = {cell: 2 * cell[1] - cell[0] + (cell[0] - cell[1] + cell[2] == 0) for cell in cells}
        left = min(at.values())
        assert sorted((a, at[a, b, c] - left) for a, b, c in cells) == [*layout.places]
        orders = {
            0: {one: at[one] for one in cells},
            1: {one: (one[0], -at[one]) for one in cells},
            2: {one: (one[0], at[one]) for one in cells},
        }
        lanes = [
            [cell for cell in sorted(cells, key=orders[part].__getitem__) if cell[part] == number]
            for part in range(3)
            for number in sorted({cell[part] for cell in cells})
        ]
        number = {place: cell for cell, place in enumerate(layout.places)}
        assert [*layout.lanes] == [
            tuple(number[a, at[a, b, c] - left] for a, b, c in lane) for lane in lanes
        ]
        assert_labels(sides, cells)
    assert num_tried > 50


def assert_labels(sides: tuple[int, ...], cells: list[tuple[int, ...]]) -> None:
    """Check that each side has as many labels as its length.

    A lane is labelled at the side that the step beyond its end crosses.
    """
    top, upper_right, _, bottom, lower_left, upper_left = sides
    counted = [0, 0]
    for row in range(upper_left + lower_left):
        a, b, c = min((one for one in cells if one[0] == row), key=lambda one: (one[1], one[2]))
        is_up = a - b + c == -1
        counted[not is_up] += 1
    assert counted == [upper_left, lower_left]
    counted = [0, 0]
    for line in range(top + upper_right):
        a, b, c = min((one for one in cells if one[1] == line), key=lambda one: (one[0], -one[2]))
        counted[a - b + c == -1] += 1
    assert counted == [top, upper_right]
    counted = [0, 0]
    for line in range(-upper_left, top):
        a, b, c = max((one for one in cells if one[2] == line), key=lambda one: (one[0], one[1]))
        counted[a - b + c == 0] += 1
    assert counted[0] == bottom


def test_lanes_of_an_outline_end_at_holes() -> None:
    layout = outline("##.#", "####").layout
    assert layout.names[:3] == ("row 1, part 1", "row 1, part 2", "row 2")
    assert [len(lane) for lane in layout.lanes] == [2, 1, 4, 2, 2, 1, 2]
    assert layout.groups == (3, 4)


def test_grids_share_cells() -> None:
    layout = grids((0, 0, 2, 2), (1, 1, 2, 2)).layout
    assert len(layout.places) == 7
    assert layout.names[4] == "row 1 of grid 2"
    shared = layout.places.index((1, 1))
    assert sum(shared in lane for lane in layout.lanes) == 4
    assert len(samurai(5, 1).layout.places) == 5 * 25 - 4


@pytest.mark.parametrize(
    ("kind", "parts", "message"),
    [
        ("hexagon", [1], "the shape 'hexagon', expected one of triddler, grid, grids, lanes"),
        ("triddler", [], r"the shape triddler is \[\], expected a list"),
        ("triddler", [1, 2, 3], "expected six lengths of at least 0"),
        ("triddler", [1, 1, 1, 1, 1, 2], "no hexagon has the sides 1 1 1 1 1 2"),
        ("triddler", [0, 0, 2, 0, 0, 2], "no hexagon has the sides"),
        ("triddler", [1000] * 6, "cells, expected at most 250,000"),
        ("triddler", ["1"] * 6, "expected a list of whole numbers"),
        ("grid", ["##", "#"], "row 2 of the grid is '#'"),
        ("grid", ["#x"], "row 1 of the grid is '#x'"),
        ("grid", [".."], "the grid has no cell"),
        ("grid", [3], "row 1 of the grid is 3"),
        ("grids", [[0, 0, 2]], r"grid 1 is \(0, 0, 2\), expected \[row, column, height, width\]"),
        ("grids", [[0, 0, 0, 2]], "grid 1 is"),
        ("grids", [[0, 0, 1, 1]] * 3, "6 lanes pass through row 1, column 1, expected at most 4"),
        ("grids", [[0, 0, 1000, 1000]], "1,000,000 cells"),
        ("grids", ["a"], "grid 1 is 'a'"),
        ("lanes", [[[0, 0], [0, 0]]], "lane 1 is"),
        ("lanes", [[[0, 0], [0]]], "lane 1 is"),
        ("lanes", [[0, 1]], "lane 1 is"),
        ("lanes", [[[0, 0], [99999999, 0]]], "expected fewer"),
        ("lanes", [[[0, "x"]]], "expected a list of whole numbers"),
    ],
)
def test_invalid_shapes_are_refused_in_a_sentence(kind: str, parts: Any, message: str) -> None:
    with pytest.raises(PuzzleError, match=message):
        Shape(kind, parts)


# Data


@pytest.mark.parametrize("shape", SHAPES)
def test_json_is_read_as_it_is_written(shape: Shape) -> None:
    rng = Random(1)
    for num_colours in (1, 2):
        puzzle = random_puzzle(rng, shape, num_colours).about_with(id="7", title="a")
        assert nonosat.loads(nonosat.dumps(puzzle)) == puzzle
        assert LaneNonogram.from_data(json.loads(json.dumps(puzzle.to_data()))) == puzzle


def test_the_shape_in_json_is_short() -> None:
    data = mono(triddler(1), [[1], []], [[1], []], [[1], []]).to_data()
    assert data == {
        "family": "lanes",
        "shape": {"triddler": [1, 1, 1, 1, 1, 1]},
        "clues": [[[1], []]] * 3,
    }


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"shape": 3}, "shape is 3, expected an object with one of triddler"),
        ({"clues": 3}, "clues is 3, expected a list of clues for each direction"),
        ({"clues": [[], [[1], []], [[1], []]]}, r"clues for 0 \+ 2 \+ 2 lanes, expected 2 \+ 2"),
        ({"clues": [[[1], [0, 1]], [[1], []], [[1], []]]}, "row 2 has a block of length 0"),
        ({"clues": [[[1], ["*"]], [[1], []], [[1], []]]}, "row 2 has the entry AnyBlocks"),
        ({"clues": [["1", "3+"], [[1], []], [[1], []]]}, "row 2 has the entry BlockOf"),
        ({"given": [[0, 9, 1]]}, "outside the board"),
        ({"given": [[0, 0, 1], [0, 0, 0]]}, "two colours"),
        ({"shap": 1}, "the unknown key 'shap', expected 'shape'"),
    ],
)
def test_invalid_data_are_refused_in_a_sentence(changes: Any, message: str) -> None:
    data = {"family": "lanes", "shape": {"triddler": [1] * 6}, "clues": [[[1], []]] * 3}
    with pytest.raises(FormatError, match=message):
        nonosat.loads(json.dumps(data | changes))


def test_given_cells_are_on_the_board() -> None:
    with pytest.raises(PuzzleError, match="row 1, column 1 is not on the board"):
        LaneNonogram(triddler(1, 1, 2, 1, 1, 2), ((),) * 8, given=((0, 0, 1),))


@pytest.mark.parametrize(
    ("clues", "message"),
    [
        (((),), "1 clue, expected one for each of 6 lanes"),
        (((AnyBlocks(),), *((),) * 5), "row 1 has the entry AnyBlocks"),
        (((Block(1, 2),), *((),) * 5), "row 1 has a block of colour 2, expected 1 to 1"),
        ((7, *((),) * 5), "the clue of row 1 is 7"),
        (None, "none, expected one for each of 6 lanes"),
    ],
)
def test_invalid_clues_are_refused_in_a_sentence(clues: Any, message: str) -> None:
    with pytest.raises(PuzzleError, match=message):
        LaneNonogram(triddler(1), clues)


def test_the_family_keeps_its_contract() -> None:
    rng = Random(3)
    check_plugin("lanes", "puzzles", puzzles=[random_puzzle(rng, shape) for shape in SHAPES[:5]])


# Puzzles


def test_a_known_triddler() -> None:
    result = nonosat.check(WEBPBN)
    assert result.verdict.value == "unique"
    rows = plugins.find("puzzles", "lanes").solution_data(WEBPBN, result.solutions[0])
    assert rows == [" #.#.#", "##.###", "..#.. "]


@given(lane_nonograms())
@examples(30)
def test_solutions_are_those_of_brute_force(puzzle: LaneNonogram) -> None:
    every = every_solution(puzzle)
    assert every is not None
    truth = set(every)
    found = list(nonosat.solutions(puzzle))
    assert len(found) == len(set(found))
    assert set(found) == truth
    assert nonosat.count(puzzle).count == len(truth)
    expected = ("unsolvable", "unique", "multiple")[min(len(truth), 2)]
    assert nonosat.check(puzzle).verdict.value == expected


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["learn", "learn-lines", "cadical195", "cpsat"])
@given(lane_nonograms())
@examples(30)
def test_every_kind_of_backend_finds_them(backend: str, puzzle: LaneNonogram) -> None:
    every = every_solution(puzzle)
    assert every is not None
    assert set(nonosat.solutions(puzzle, backend=backend)) == set(every)


def test_a_wrong_picture_is_refuted_in_a_sentence() -> None:
    (solution,) = nonosat.solutions(WEBPBN)
    assert refutation(WEBPBN, solution) is None
    cells = bytearray(solution.cells)
    cells[1] = 0
    wrong = nonosat.Grid(3, 6, bytes(cells))
    assert refutation(WEBPBN, wrong) == "row 1 has the runs 1 1, its clue is 1 1 1"
    outside = nonosat.Grid(3, 6, b"\1" + solution.cells[1:])
    assert refutation(WEBPBN, outside) == "the picture is filled at a place without a cell"
    assert refutation(WEBPBN, nonosat.Grid(1, 1, b"\0")) == (
        "the picture has 1 rows x 1 columns, the board 3 x 6"
    )


def test_obvious_contradictions_are_named() -> None:
    crowded = mono(triddler(1), [[2, 1], []], [[1], []], [[1], []])
    assert nonosat.check(crowded).reason == "row 1 (clue 2 1) needs at least 4 cells, it has 3"
    uneven = mono(triddler(1), [[1], [1]], [[2], []], [[1], []])
    assert nonosat.check(uneven).reason == (
        "the lanes from line / 1 on fill 2 cells, those from line \\ 1 on 1, "
        "and they have the same cells"
    )


@pytest.mark.parametrize("query", [nonosat.explain, nonosat.rate, nonosat.hint])
def test_other_queries_refuse_the_family_by_name(query: Any) -> None:
    with pytest.raises(UnsupportedError, match="this puzzle is of the family lanes"):
        query(WEBPBN)


@pytest.mark.parametrize("backend", ["prices", "decimation"])
def test_backends_of_rectangles_refuse_it(backend: str) -> None:
    with pytest.raises(UnsupportedError, match="a puzzle of the family lanes does not have"):
        nonosat.solve(WEBPBN, backend=backend)


def test_every_verdict_has_a_certificate(tmp_path: Path) -> None:
    rng = Random(11)
    for number in range(8):
        shape = SHAPES[number % len(SHAPES)]
        puzzle = random_puzzle(rng, shape, 1 + number % 2) if number else WEBPBN
        certificate = nonosat.prove(puzzle)
        assert certificate.claim == nonosat.check(puzzle).verdict.value
        certificate.write(tmp_path / str(number))
        assert nonosat.verify(tmp_path / str(number)).claim == certificate.claim


# Native propagation and probing


def board_of(puzzle: LaneNonogram) -> _core.LaneBoard:
    board = PresolvedModel.of(build(puzzle)).any_board
    assert isinstance(board, _core.LaneBoard)
    return board


def domains(board: _core.LaneBoard, num_colours: int) -> list[frozenset[int]]:
    planes = [board.plane(value) for value in range(num_colours + 1)]
    return [
        frozenset(value for value, may in enumerate(cell) if may)
        for cell in zip(*planes, strict=True)
    ]


def line_fixpoint(puzzle: LaneNonogram) -> list[frozenset[int]] | None:
    """The values left when every lane keeps those of its placements; None for a contradiction."""
    every = frozenset(range(len(puzzle.colours) + 1))
    left = [every] * len(puzzle.layout.places)
    for row, column, colour in puzzle.given:
        left[puzzle.layout.places.index((row, column))] = frozenset([colour])
    before: list[frozenset[int]] = []
    while left != before:
        before = [*left]
        for lane, clue in zip(puzzle.layout.lanes, puzzle.clues, strict=True):
            support = line_support(clue, [left[cell] for cell in lane])
            if support is None:
                return None
            for cell, values in zip(lane, support.values, strict=True):
                left[cell] = values
    return left


@given(lane_nonograms(max_cells=40, max_colours=3))
@examples(60)
def test_propagation_ends_at_the_fixpoint_of_all_lanes(puzzle: LaneNonogram) -> None:
    board, expected = board_of(puzzle), line_fixpoint(puzzle)
    assert board.propagate() == (expected is not None)
    if expected is None:
        assert board.broken_line in range(len(puzzle.clues))
        assert board.copy().propagate() is False
    else:
        assert domains(board, len(puzzle.colours)) == expected
        single = [next(iter(one)) if len(one) == 1 else 255 for one in expected]
        assert [*board.cells()] == single


@given(lane_nonograms())
@examples(60)
def test_probing_excludes_no_solution(puzzle: LaneNonogram) -> None:
    every = every_solution(puzzle)
    assert every is not None
    pictures = [[grid[place] for place in puzzle.layout.places] for grid in every]
    board = board_of(puzzle)
    if _core.LaneProber(board).run(10**9) == _core.Progress.CONTRADICTION:
        assert not pictures
        return
    found = domains(board, len(puzzle.colours))
    for picture in pictures:
        assert all(value in values for value, values in zip(picture, found, strict=True))
    for cell, values in enumerate(found):
        for value in values if len(values) > 1 else ():  # a further probe refutes none
            trial = board.copy()
            trial.assign(cell, value)
            assert trial.propagate()


@given(lane_nonograms(max_colours=2))
@examples(60)
def test_the_native_search_finds_each_solution_once(puzzle: LaneNonogram) -> None:
    every = every_solution(puzzle)
    assert every is not None
    expected = {bytes(grid[place] for place in puzzle.layout.places) for grid in every}
    board, found = board_of(puzzle), list[bytes]()
    prober = _core.LaneProber(board)
    if prober.run(10**9) != _core.Progress.CONTRADICTION:
        search = _core.LaneSearch(board := board.copy(), prober)
        while search.next(10**9) == _core.Outcome.SOLUTION:
            found.append(board.cells())
    assert len(found) == len(expected)
    assert {*found} == expected


@pytest.mark.parametrize("backend", ["auto", "search"])
def test_solutions_are_those_of_clauses(backend: str) -> None:
    """Two lanes of a triddler share two cells; grids share blocks of cells."""
    rng = Random(5)
    for number in range(12):
        puzzle = random_puzzle(rng, SHAPES[number % len(SHAPES)], 1 + number % 2)
        loose = replace(puzzle, clues=tuple(clue[:1] for clue in puzzle.clues))
        for each in (puzzle, loose):
            expected = {*nonosat.solutions(each, backend="learn", presolve="none")}
            found = [*nonosat.solutions(each, backend=backend)]
            assert len(found) == len(expected)
            assert {*found} == expected


def test_sparse_boards_are_decided_natively(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = sparse(6, 0.4)
    found = nonosat.check(puzzle)
    assert (found.verdict.value, found.backend) == ("multiple", "search")
    monkeypatch.setattr(steps.BUDGETS, "lane_search", 1)
    found = nonosat.check(puzzle)
    assert (found.verdict.value, found.backend) == ("multiple", "learn")


def test_samples_are_drawn_natively() -> None:
    puzzle = sparse(4, 0.3)
    found = nonosat.sample(puzzle, 40, seed=1)
    every = [*nonosat.solutions(puzzle, backend="cadical195")]
    assert found.count == len(every) > 1
    assert {*found.solutions} == {*every}


@given(lane_nonograms(max_colours=2))
@examples(30)
def test_backbones_are_those_of_all_solutions(puzzle: LaneNonogram) -> None:
    every = [*(every_solution(puzzle) or ())]
    found = nonosat.backbone(puzzle)
    expected = ("unsolvable", "unique", "multiple")[min(2, len(every))]
    assert found.verdict.value == expected
    places = {} if not every else dict(zip(found.settled, found.settled.cells, strict=True))
    for place, settled in places.items():
        colour = place[2] if len(place) > 2 else 1
        values = {grid[place[:2]] == colour for grid in every}
        assert (settled in values) == (len(values) == 1)
        assert (place in found.differing) == (len(values) == 2)


def test_differing_cells_are_found_beyond_two_solutions() -> None:
    puzzle = sparse(4, 0.3)
    every = [*nonosat.solutions(puzzle)]
    differing = {cell for grid in every for cell in every[0].differences(grid)}
    assert {*backbones.differing(nonosat.check(puzzle)).cells} == differing
    assert {*nonosat.backbone(puzzle).differing} == differing


def test_long_lanes_have_several_words() -> None:
    rng = Random(6)
    for shape in (triddler(40, 1, 1, 40, 1, 1), outline("#" * 150, "#" * 150)):
        puzzle = random_puzzle(rng, shape)
        board, expected = board_of(puzzle), line_fixpoint(puzzle)
        assert board.propagate()
        assert domains(board, 1) == expected


def test_a_stopped_propagation_is_continued() -> None:
    puzzle = random_puzzle(Random(7), triddler(20))
    board, other = board_of(puzzle), board_of(puzzle)
    assert other.propagate()
    assert board.propagate(remaining_s=0) in (None, True)
    assert board.propagate()
    assert board.cells() == other.cells()
    prober = _core.LaneProber(board)
    assert prober.run(10**12, remaining_s=0) in (None, _core.Progress.FIXPOINT)
    assert _core.LaneProber(other).run(10**12) == prober.run(10**12)
    assert board.cells() == other.cells()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: of_lanes(cast(Any, 3)), "lane 1 is 3, expected different places"),
        (lambda: of_lanes(cast(Any, [3])), "lane 1 is"),
        (lambda: of_lanes(cast(Any, None)), "a part of the shape is None, expected a list"),
        (lambda: outline(cast(Any, 3)), "row 1 of the grid is 3"),
        (lambda: grids(cast(Any, 3)), "grid 1 is 3"),
        (lambda: samurai(cast(Any, "3"), 1), "side and overlap: "),
        (lambda: Shape(cast(Any, [1]), (1,)), "the shape "),
    ],
)
def test_arguments_of_other_types_are_refused(make: Callable[[], Shape], message: str) -> None:
    with pytest.raises(PuzzleError, match=message):
        make()


def counter_of(puzzle: LaneNonogram) -> _core.LaneCounter:
    return _core.LaneCounter(board_of(puzzle), 2**24)


def total(counter: _core.LaneCounter) -> int:
    return int.from_bytes(counter.total, "little")


@given(lane_nonograms())
@examples(30)
def test_native_counts_are_those_of_brute_force(puzzle: LaneNonogram) -> None:
    every = every_solution(puzzle)
    assert every is not None
    counter = counter_of(puzzle)
    assert counter.run(2**60)
    assert counter.is_exact
    assert total(counter) == len({*every})


def sparse(side: int, density: float) -> LaneNonogram:
    """Return the clues of a random picture, which has several solutions."""
    shape, rng = triddler(side), Random(3)
    cells = bytearray(shape.layout.height * shape.layout.width)
    for row, column in shape.layout.places:
        cells[row * shape.layout.width + column] = rng.random() < density
    return from_grid(shape, nonosat.Grid(shape.layout.height, shape.layout.width, bytes(cells)))


def test_a_count_in_slices_and_threads_ends_at_the_same_number() -> None:
    puzzle = sparse(4, 0.3)
    whole, sliced, shared = (counter_of(puzzle) for _ in range(3))
    assert whole.run(2**60)
    least = 0
    while not sliced.run(1):
        assert least <= total(sliced) <= total(whole)
        least = total(sliced)
    while not shared.run(2**20, threads=3):
        assert total(shared) <= total(whole)
    found = {*nonosat.solutions(puzzle)}
    assert total(whole) == total(sliced) == total(shared) == len(found) > 1
    assert whole.num_frontiers == 0


def test_recorded_solutions_are_a_lower_bound() -> None:
    puzzle = mono(triddler(1), [[1], [1]], [[1], [1]], [[1], [1]])
    every = [*(every_solution(puzzle) or ())]
    counter, places = counter_of(puzzle), puzzle.layout.places
    assert counter.run(0) is False
    for number, picture in enumerate(every, 1):
        counter.note(bytes(picture[place] for place in places))
        assert total(counter) == number
    assert counter.run(2**60)
    assert total(counter) == len(every) > 1


def test_a_count_uses_the_backbone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tiny turns let counts alternate with backbones, of one colour and of two."""
    monkeypatch.setattr(counting, "FIRST_WORK", 1)
    rng = Random(2)
    for shape, num_colours in product((triddler(2), grids((0, 0, 3, 3), (1, 1, 3, 3))), (1, 2)):
        puzzle = random_puzzle(rng, shape, num_colours)
        loose = replace(puzzle, clues=tuple(clue[:1] for clue in puzzle.clues))
        for each in (puzzle, loose):
            found = nonosat.count(each)
            assert found.is_exact
            assert found.count == len({*nonosat.solutions(each)})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 1, [[0]], [()]), "has 1 to 255 colours"),
        ((1, 0, [], []), "has 1 to 255 colours, cells"),
        ((1, 1, [[0]], []), "a clue a lane"),
        ((1, 2, [[0]], [()]), "each cell of the board is expected in a lane"),
        ((1, 1, [[0, 0]], [()]), "different cells"),
        ((1, 1, [[0], [7]], [(), ()]), "different cells"),
    ],
)
def test_invalid_boards_are_refused(arguments: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        _core.LaneBoard(*arguments)
    board = _core.LaneBoard(1, 1, [[0]], [()])
    for use in (board.assign, board.remove):
        with pytest.raises(IndexError, match="no such cell or value"):
            use(1, 0)


def test_contradictions_are_named() -> None:
    puzzle = mono(triddler(1), [[1], [2]], [[1], [2]], [[3], []])
    reason = nonosat.check(puzzle).reason
    assert reason == "line propagation leaves no placement of line \\ 2 (clue 0)"


# Formats


XML = """<puzzle type="triddler">
<clues type="topleft"><line><count>1</count><count>1</count><count>1</count></line>
<line><count>2</count><count>3</count></line></clues>
<clues type="bottomleft"><line><count>1</count></line></clues>
<clues type="top"><line><count>3</count></line>
<line><count>2</count><count>1</count></line></clues>
<clues type="topright"><line><count>3</count></line></clues>
<clues type="bottom"><line><count>1</count></line>
<line><count>2</count><count>1</count></line></clues>
<clues type="bottomright"><line><count>3</count></line><line><count>2</count></line></clues>
<solution><image>/ anything |</image></solution>
</puzzle>"""
G = """toy
#t
: topleft
1 1 1
2 3
: bottomleft
1
: bottom
1
1 2
: bottomright
3
2
: topright
3
: top
2 1
3
:
"""


def test_triddlers_are_read_from_xml() -> None:
    assert nonosat.loads(XML).about_with(id="") == WEBPBN


def test_triddlers_are_read_from_text() -> None:
    puzzle = nonosat.loads(G)
    assert puzzle.about_with(title="", id="") == WEBPBN


@pytest.mark.parametrize("name", ["webpbn", "g"])
@given(lane_nonograms(kinds=("triddler",), given=False))
@examples(30)
def test_triddlers_are_read_as_they_are_written(name: str, puzzle: LaneNonogram) -> None:
    if name == "g" and any(block.length is None for clue in puzzle.clues for block in clue):
        with pytest.raises(UnsupportedError, match="blocks of unknown length"):
            nonosat.dumps(puzzle, name)
        return
    again = nonosat.loads(nonosat.dumps(puzzle, name), name)
    assert (again.shape, again.clues) == (puzzle.shape, puzzle.clues)
    assert [ink.rgb for ink in again.colours] == [ink.rgb for ink in puzzle.colours]


def test_formats_of_triddlers_refuse_other_shapes() -> None:
    puzzle = random_puzzle(Random(1), samurai(3, 1))
    for name in ("webpbn", "g"):
        with pytest.raises(UnsupportedError, match=r"cannot hold the shape .*json"):
            nonosat.dumps(puzzle, name)
    with pytest.raises(UnsupportedError, match="cannot hold the given cells"):
        nonosat.dumps(LaneNonogram(triddler(1), ((),) * 6, given=((0, 0, 0),)), "webpbn")
    with pytest.raises(UnsupportedError, match="cannot hold the clues"):
        nonosat.dumps(WEBPBN, "non")


def test_an_outline_that_does_not_exist_is_refused() -> None:
    text = XML.replace("<line><count>1</count></line></clues>", "</clues>", 1)
    with pytest.raises(FormatError, match="no hexagon has the sides 2 1 2 2 0 2"):
        nonosat.loads(text)
    with pytest.raises(FormatError, match="clues of type 'rows', expected top, topright"):
        nonosat.loads(XML.replace('"topleft"', '"rows"'))


# Pictures


def test_a_triddler_is_drawn_in_characters() -> None:
    (solution,) = nonosat.solutions(WEBPBN)
    drawing = plugins.find("render", "lanes")
    assert drawing.text(WEBPBN, solution, Style()).splitlines() == [" ▲▽▲▽▲", "▲▼△▼▲▼", "▽△▼△▽"]
    plain = drawing.text(WEBPBN, solution, Style(unicode=False), [(0, 2)]).splitlines()
    assert plain == [" #?#.#", "##.###", "..#.."]
    printed = drawing.text(WEBPBN, None, Style(unicode=False)).splitlines()
    assert printed[:6] == [" ?????", "??????", "?????", "", "row 1: 1 1 1", "row 2: 2 3"]
    assert "line \\ 4: 2" in printed
    assert "\x1b[38;2;150;150;150m▽\x1b[0m" in drawing.text(WEBPBN, solution, Style(ansi=True))
    assert "6 characters wide" in drawing.text(WEBPBN, solution, Style(width=4))


def test_squares_are_drawn_in_characters() -> None:
    puzzle = from_grid(outline("##", "#."), nonosat.Grid(2, 2, b"\1\0\1\0"))
    drawing = plugins.find("render", "lanes")
    (solution,) = nonosat.solutions(puzzle)
    assert drawing.text(puzzle, solution, Style()) == "██·\n██"
    state = nonosat.Grid(2, 2, b"\1\xff\1\0")
    assert drawing.text(puzzle, state, Style(unicode=False)) == "# ?\n#"


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_figure_has_every_cell_and_every_number(shape: Shape, theme: str) -> None:
    puzzle = random_puzzle(Random(5), shape, 2)
    look = Look(THEMES[theme])
    figure = plugins.find("render", "lanes").figure(puzzle, None, [shape.layout.places[0]], look)
    (group,) = figure.shapes
    texts = [text for part in group.shapes if isinstance(part, Texts) for *_, text in part.places]
    numbers = " ".join(text.partition(": ")[2] or text for text in texts).split()
    wanted = [
        str(block.length) for clue in puzzle.clues for block in clue
    ]  # listed ones have the sign of a colour
    assert sorted(number.rstrip("rb") for number in numbers if number != "0") == sorted(wanted)
    grid = next(
        iter(part for part in group.shapes if isinstance(part, Outline) and part.width == 0.8)
    )
    assert grid.data.count("z") == len(shape.layout.places)
    for text in (part for part in group.shapes if isinstance(part, Texts)):
        for x, y, _ in text.places:
            assert 0 <= x + group.x <= figure.width
            assert 0 <= y + group.y <= figure.height
    assert "<svg" in puzzle._repr_svg_()
