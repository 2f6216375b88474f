"""Nonograms with open clues: data and texts; lines and queries against enumeration."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

import nonosat
from nonosat.board.line import possible
from nonosat.clauses.cnf import Cnf
from nonosat.core import plugins
from nonosat.core.errors import FormatError, PuzzleError, UnsupportedError
from nonosat.core.model import (
    MAX_LENGTH,
    AnyBlocks,
    Block,
    BlockOf,
    Line,
    OpenClue,
    are_runs_of,
    block_of,
)
from nonosat.formulations import Context
from nonosat.puzzles.nonogram.data import BLACK, Colour, clue_of
from nonosat.puzzles.ranges import RangeNonogram, clue_of_text, clue_text
from nonosat.render._style import Style
from nonosat.testing import check_plugin, encodings, oracles
from nonosat.testing.formulations import check_solutions
from nonosat.testing.lines import planes, with_knowledge
from nonosat.testing.oracles import every_solution

INKS = (Colour("r", "#ff0000"), Colour("b", "#0000ff"))
ENTRIES = [
    AnyBlocks(),
    *(Block(length) for length in (1, 2, 3, None)),
    *(BlockOf(lengths) for lengths in (range(1, 3), range(2, 5), range(2, MAX_LENGTH + 1))),
    BlockOf((1, 3)),
    BlockOf((2, 5)),
]
UNIQUE = RangeNonogram.from_data({"rows": ["3+", "0", "1 *"], "columns": ["1 1", "1", "1"]})
OURS = ["automaton", "automaton-state", "bdd", "mdd"]  # encodings of lines that take open clues


def open_clue(rng: Random, length: int, num_colours: int = 1) -> OpenClue:
    """A clue of up to (length + 2) / 2 random entries."""
    found: list[Any] = []
    for _ in range(rng.randint(0, (length + 2) // 2)):
        entry, colour = rng.choice(ENTRIES), rng.randint(1, num_colours)
        match entry:
            case Block(size):
                found.append(Block(size, colour))
            case BlockOf(lengths):
                found.append(BlockOf(lengths, colour))
            case _:
                found.append(entry)
    return tuple(found)


def open_puzzle(rng: Random, num_colours: int = 1, most: int = 4) -> RangeNonogram:
    """A puzzle whose clues describe a random picture, but some are replaced by other ones."""
    height, width = rng.randint(1, most), rng.randint(1, most)
    cells = [[rng.randint(0, num_colours) for _ in range(width)] for _ in range(height)]
    sides = [
        tuple(
            open_clue(rng, len(line), num_colours)
            if rng.random() < 0.15
            else loosened(rng, clue_of(line))
            for line in lines
        )
        for lines in (cells, zip(*cells, strict=True))
    ]
    inks = INKS[:num_colours] if num_colours > 1 else (BLACK,)
    given = ((0, 0, rng.randint(0, num_colours)),) if rng.random() < 0.1 else ()
    return RangeNonogram(*sides, inks, given)


def loosened(rng: Random, clue: OpenClue) -> OpenClue:
    """A clue that allows at least the same runs."""
    found: list[Any] = []
    for block in clue:
        assert isinstance(block, Block)
        size = block.length or 1
        ways: list[Any] = [block, Block(None, block.colour), AnyBlocks()]
        ways += [BlockOf(range(size, MAX_LENGTH + 1), block.colour)] if size > 1 else []
        ways += [BlockOf((size, size + 2), block.colour)]
        ways += [BlockOf(range(size, size + 2), block.colour)]
        found.append(rng.choice(ways))
    if rng.random() < 0.2:
        found.insert(rng.randint(0, len(found)), AnyBlocks())
    return tuple(found)


# Data


def test_equal_choices_are_equal_puzzles() -> None:
    first = {"in": [3, 2, 3, 4]}, {"in": [5]}, {"min": 1}, {"max": 2}, {"in": [5, 3]}, "*"
    other = {"min": 2, "max": 4}, 5, None, {"min": 1, "max": 2}, {"in": [3, 5]}, "*"
    one, two = (
        RangeNonogram.from_data({"rows": [[*clue], "*"], "columns": [[]] * 9})
        for clue in (first, other)
    )
    assert one == two
    assert hash(one) == hash(two)
    assert clue_text(one.rows[0]) == "2-4 5 ? 1-2 3/5 *"
    assert json.loads(json.dumps(one.to_data())) == {
        "family": "ranges",
        "rows": [
            [{"min": 2, "max": 4}, 5, None, {"min": 1, "max": 2}, {"in": [3, 5]}, "*"],
            "*",
        ],
        "columns": [[]] * 9,
    }


def test_texts_are_read_as_they_are_written() -> None:
    rng = Random(1)
    for number in range(300):
        colours = 1 + number % 2
        signs = ".rb" if colours > 1 else ""
        clue = open_clue(rng, 8, colours)
        assert clue_of_text(clue_text(clue, signs), "row 1", signs) == clue


def test_json_is_read_as_it_is_written() -> None:
    rng = Random(2)
    for number in range(30):
        puzzle = open_puzzle(rng, 1 + number % 2).about_with(id="7", title="a")
        assert nonosat.loads(nonosat.dumps(puzzle)) == puzzle
        assert RangeNonogram.from_data(puzzle.to_data()) == puzzle


def test_text_is_read_as_it_is_written() -> None:
    rng = Random(10)
    for number in range(30):
        puzzle = replace(open_puzzle(rng, 1 + number % 2), given=())
        text = nonosat.dumps(puzzle, "ranges")
        assert nonosat.loads(text).about_with(id="") == puzzle
        assert nonosat.loads(text, "ranges").about_with(id="") == puzzle


def test_tricky_text() -> None:
    puzzle = nonosat.load(Path(__file__).parent / "data" / "formats" / "tricky.ranges")
    star = AnyBlocks()
    assert puzzle == RangeNonogram(
        rows=((BlockOf(range(2, 4), 1), star), (), (BlockOf(range(3, 6), 2), Block(None, 1))),
        columns=(
            (BlockOf(range(1, MAX_LENGTH + 1), 1), star),
            (star, Block(1, 2)),
            (star,),
            (Block(1, 2),),
        ),
        colours=INKS,
        about=puzzle.about,
    )


@pytest.mark.parametrize("head", ["", "# mine\n", "ranges\n"])
def test_a_text_with_open_clues_needs_no_name(head: str) -> None:
    text = f"{head}rows\n2+\n*\n\ncolumns:\n1\n1, 1/2\n0\n"
    puzzle = nonosat.loads(text)
    assert clue_text(puzzle.columns[1]) == "1 1-2"
    assert puzzle.rows[1] == (AnyBlocks(),)


def test_a_text_that_was_read_before_is_still_a_nonogram() -> None:
    for text in ("rows\n2-1\n1\ncolumns\n1\n1\n0\n2\n", "rows: 1/1 columns: 1/1"):
        assert isinstance(nonosat.loads(text), nonosat.Nonogram)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rows\n1", "no line 'columns', expected one above the clues of the columns"),
        ("1\nrows", "1: '1', expected 'ranges', a line as 'ink r #d55e00', or 'rows'"),
        ("rows\n1\nrows\n", "3: rows again"),
        ("rows\n1x\ncolumns\n1", "2: row 1 has the entry '1x', expected one such as"),
        ("ink + #ff0000\nrows\n1+\ncolumns\n1+", "1: 'ink .*', expected a new sign"),
        ("rows\ncolumns\n1", "0 rows"),
        ("", "no line 'rows'"),
    ],
)
def test_invalid_texts_are_refused_in_a_sentence(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        nonosat.loads(text, "ranges")


def test_the_text_refuses_what_it_cannot_hold() -> None:
    with pytest.raises(UnsupportedError, match="cannot hold the given cells"):
        nonosat.dumps(replace(UNIQUE, given=((0, 0, 1),)), "ranges")
    inks = Colour("1", "#ff0000"), Colour("2", "#0000ff")
    with pytest.raises(UnsupportedError, match="the colour key '1' has another meaning"):
        nonosat.dumps(replace(UNIQUE, colours=inks), "ranges")
    with pytest.raises(UnsupportedError, match="cannot hold the clues"):
        nonosat.dumps(UNIQUE, "non")
    with pytest.raises(UnsupportedError, match="cannot hold the clues"):
        nonosat.dumps(nonosat.nonogram([[1]], [[1]]), "ranges")


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        ([[{"min": 2}], [1]], [[1], [1], "*"]),
        ([["*"], [1]], [[1], [1], [1]]),
        (["3+", "1"], ["2", "1", "1"]),
        (["1 *", "1"], [[1], [1], [1]]),
    ],
)
def test_open_clues_need_no_name_of_a_family(rows: Any, columns: Any) -> None:
    data = {"rows": rows, "columns": columns}
    puzzle = nonosat.loads(json.dumps(data))
    assert isinstance(puzzle, RangeNonogram)
    assert nonosat.loads(json.dumps({"family": "ranges", **data})) == puzzle


def test_plain_clues_are_still_a_nonogram() -> None:
    for rows in ([[2], [None]], ["2", "1"]):
        data = json.dumps({"rows": rows, "columns": [[1], [2]]})
        assert isinstance(nonosat.loads(data), nonosat.Nonogram)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([["x"]], r"rows\[0\] has the block 'x', expected"),
        (["4-2"], r"rows\[0\] has a block without a possible length"),
        (["0+"], r"rows\[0\] has a block of length 0, expected a positive whole number"),
        (["2-"], r"rows\[0\] has the entry '2-', expected one such as 3, 3/5, 2-4, 6\+, \? or \*"),
        (["3r"], r"rows\[0\] has the entry '3r'"),
        ([[{"in": []}]], "without a possible length"),
        ([[{"in": [1.5]}]], "of length 1.5"),
        ([[{"in": 3}]], "of lengths 3, expected a list"),
        ([[{"in": [3], "min": 1}]], "expected 'in', or 'min' or 'max'"),
        ([[{}]], "expected 'in', or 'min' or 'max'"),
        ([[{"min": "2"}]], "expected whole numbers 'min' and 'max'"),
        ([[{"min": 2, "most": 3}]], "the key 'most', expected 'in'"),
        ([[{"min": 2, "color": "r"}]], "the undefined colour 'r'"),
        ([[[2, "r", 1]]], r"expected \[length, key\]"),
        ([7], r"rows\[0\] is 7, expected a list of entries, or a text"),
        (7, "rows is 7, expected a list of clues"),
    ],
)
def test_invalid_clues_are_refused_in_a_sentence(rows: Any, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        RangeNonogram.from_data({"family": "ranges", "rows": rows, "columns": ["*"]})


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"rows": [[3]]}, "expected a Block, a BlockOf or AnyBlocks"),
        ({"rows": [7]}, "expected a tuple of entries"),
        ({"rows": 7}, "expected a tuple of clues"),
        ({"rows": [(Block(1, 2),)]}, "a block of colour 2, expected 1 to 1"),
        ({"rows": [(Block(0),)]}, "a block of length 0"),
        ({"rows": []}, "0 rows"),
        ({"given": ((5, 0, 1),)}, "outside the board"),
    ],
)
def test_invalid_puzzles_are_refused_in_a_sentence(fields: Any, message: str) -> None:
    with pytest.raises(PuzzleError, match=message):
        RangeNonogram(**{"rows": ((),), "columns": ((),)} | fields)


def test_the_family_keeps_its_contract() -> None:
    rng = Random(3)
    check_plugin("ranges", "puzzles", puzzles=[open_puzzle(rng, most=3) for _ in range(6)])


# Lines


def test_the_verifier_of_runs_is_a_regular_expression() -> None:
    rng = Random(4)
    for number in range(150):
        colours = 1 + number % 2
        length = rng.randint(0, 7 if colours == 1 else 4)
        clue = open_clue(rng, length, colours)
        expected = set(oracles.open_fillings(clue, length, colours))
        for cells in map(bytes, product(range(colours + 1), repeat=length)):
            runs = [(block.length or 0, block.colour) for block in clue_of(cells)]
            assert are_runs_of(clue, runs) == (cells in expected), (clue, cells)


def test_propagation_is_complete_on_every_partial_line() -> None:
    rng = Random(5)
    for number in range(60):
        colours = 1 + number % 2
        length = rng.randint(1, 4 if colours == 1 else 2)
        clue = open_clue(rng, length, colours)
        every = list(oracles.open_fillings(clue, length, colours))
        for known in oracles.partials(length, colours):
            check_possible(clue, known, colours, every)


def test_propagation_is_complete_on_longer_partial_lines() -> None:
    rng = Random(6)
    for number in range(50):
        colours = 1 + number % 2
        length = rng.randint(5, 9 if colours == 1 else 6)
        clue = open_clue(rng, length, colours)
        every = list(oracles.open_fillings(clue, length, colours))
        values = range(colours + 1)
        for _ in range(5):
            known = [
                frozenset(rng.sample(values, rng.randint(1, colours + 1))) for _ in [0] * length
            ]
            known = [one if rng.random() < 0.5 else frozenset(values) for one in known]
            check_possible(clue, known, colours, every)


def check_possible(clue: OpenClue, known: Any, colours: int, every: list[bytes]) -> None:
    left = [cells for cells in every if oracles.agrees(cells, known)]
    expected = left and [{*cells} for cells in zip(*left, strict=True)]
    found = possible(with_knowledge(clue, known, colours))
    if found is not None:
        found = [{v for v, cells in enumerate(found) if at in cells} for at in range(len(known))]
    assert found == (expected or None), (clue, known)


@pytest.mark.parametrize("name", OURS)
def test_encodings_have_their_strength_on_every_partial_line(name: str) -> None:
    rng, encoding = Random(7), plugins.find("encodings", f"line-{name}")
    for number in range(60):
        colours = 1 + number % 2
        length = rng.randint(1, 5 if colours == 1 else 2)
        clue = open_clue(rng, length, colours)
        line = Line(planes(length, colours), clue)
        assert encodings.check_line(encoding, line, oracles.free(length, colours))


def test_the_formulation_has_the_fillings_as_solutions() -> None:
    pytest.importorskip("ortools")
    rng, formulation = Random(8), plugins.find("formulations", "line-automaton")
    for _ in range(6):
        length = rng.randint(1, 6)
        clue = open_clue(rng, length)
        expected = [tuple(map(bool, cells)) for cells in oracles.open_fillings(clue, length)]
        line = Line((range(1, length + 1),), clue)
        assert check_solutions(partial(formulation.formulate, line), length, expected)


@pytest.mark.parametrize("kind", ["encodings", "formulations"])
def test_all_others_refuse_open_clues_by_name(kind: str) -> None:
    line = Line((range(1, 6),), (BlockOf((1, 3)), AnyBlocks()))
    taken = []
    for name, plugin in plugins.names(kind).items():
        if not name.startswith("line-"):
            continue
        if kind == "encodings":
            use = partial(plugin.encode, line, Cnf(5))
        else:
            pytest.importorskip("ortools")
            use = partial(plugin.formulate, line, Context(5))
        if name.removeprefix("line-") in OURS:
            use()
            taken.append(name)
        else:
            with pytest.raises(UnsupportedError, match="no other encodings of a line than autom"):
                use()
    assert len(taken) == (len(OURS) if kind == "encodings" else 1)


def test_an_automaton_with_too_many_states_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nonosat.board.automaton.MAX_STATES", 500)
    # whether one of the last 12 blocks has one cell must be known at each of them
    clue = (AnyBlocks(), Block(1), *[Block(None)] * 12, AnyBlocks())
    with pytest.raises(MemoryError, match="more than 500 states"):
        possible(Line((range(1, 60),), clue))


# Puzzles


@pytest.mark.parametrize("backend", ["auto", "learn-lines", "cadical195", "cpsat"])
def test_solutions_are_those_of_brute_force(backend: str) -> None:
    if backend != "auto" and backend != "learn-lines":
        pytest.importorskip({"cadical195": "pysat", "cpsat": "ortools"}[backend])
    rng = Random(9)
    for number in range(20 if backend == "auto" else 6):
        puzzle = open_puzzle(rng, 1 + number % 2)
        every = every_solution(puzzle)
        assert every is not None
        truth = set(every)
        found = list(nonosat.solutions(puzzle, backend=backend))
        assert set(found) == truth, puzzle.to_data()
        assert len(found) == len(truth)
        if backend == "auto":
            assert nonosat.count(puzzle).count == len(truth)
            assert (
                nonosat.check(puzzle).verdict.value
                == (("unsolvable", "unique", "multiple")[min(len(truth), 2)])
            )


def test_one_line_is_counted() -> None:
    for length, text in ((12, "* 3/5 *"), (10, "2-4 6+"), (7, "*"), (9, "3/5 ?")):
        clue = clue_of_text(text, "row 1")
        puzzle = RangeNonogram((clue,), ((AnyBlocks(),),) * length)
        expected = sum(1 for _ in oracles.open_fillings(clue, length))
        assert nonosat.count(puzzle).count == expected


def test_a_wrong_picture_is_refuted_in_a_sentence() -> None:
    puzzle = RangeNonogram.from_data({"rows": ["2-3", "*"], "columns": ["1", "1+", "2"]})
    refutation = plugins.find("puzzles", "ranges").refutation
    assert refutation(puzzle, nonosat.Grid(2, 3, b"\1\1\1\0\0\1")) is None
    wrong = nonosat.Grid(2, 3, b"\1\0\1\0\0\1")
    assert refutation(puzzle, wrong) == "row 1 has the runs 1 1, its clue is 2-3"


def test_a_clue_that_does_not_fit_is_obvious() -> None:
    puzzle = RangeNonogram.from_data({"rows": ["2-3 * 2+"], "columns": ["*"] * 4})
    result = nonosat.check(puzzle)
    assert result.verdict.value == "unsolvable"
    assert result.reason == "row 1 (clue 2-3 * 2+) needs at least 5 cells, it has 4"


@pytest.mark.parametrize("query", [nonosat.explain, nonosat.rate, nonosat.hint])
def test_other_queries_refuse_the_family_by_name(query: Any) -> None:
    with pytest.raises(UnsupportedError, match="this puzzle is of the family ranges"):
        query(UNIQUE)


def test_backends_of_boards_refuse_it() -> None:
    with pytest.raises(UnsupportedError, match="a puzzle of the family ranges does not have"):
        nonosat.solve(UNIQUE, backend="search")


def test_every_verdict_has_a_certificate(tmp_path: Path) -> None:
    rng = Random(11)
    for number in range(12):
        puzzle = UNIQUE if not number else open_puzzle(rng, 1 + number % 2)
        certificate = nonosat.prove(puzzle)
        assert certificate.claim == nonosat.check(puzzle).verdict.value
        certificate.write(tmp_path / str(number))
        assert nonosat.verify(tmp_path / str(number)).claim == certificate.claim


def test_a_model_takes_open_clues_with_an_automaton() -> None:
    builder = nonosat.ModelBuilder()
    row = builder.new_vars(5)
    builder.add(Line(row, (BlockOf((3, 1)), AnyBlocks())))
    model = builder.build()
    found = {
        tuple(values.true(row))
        for values in nonosat.enumerate_model(model, encoding={"line": "automaton"})
    }
    expected = oracles.open_fillings((BlockOf((1, 3)), AnyBlocks()), 5)
    assert found == {tuple(v for v, cell in enumerate(cells, 1) if cell) for cells in expected}
    with pytest.raises(UnsupportedError, match="choice of lengths"):
        list(nonosat.enumerate_model(model))


def test_a_sheet_shows_the_entries() -> None:
    rows = [[{"in": [1, 3], "color": "r"}, "*"], [[2, "b"], {"min": 2, "color": "r"}], []]
    puzzle = RangeNonogram.from_data(
        {
            "colors": {"r": "#ff0000", "b": "#0000ff"},
            "rows": rows,
            "columns": [[{"min": 1, "max": 4, "color": "b"}], *["*"] * 4],
        }
    )
    drawn = plugins.find("render", "ranges").text(puzzle, None, Style(unicode=False))
    assert drawn.splitlines()[1:] == [
        "       | 1-4b    *    *    *    *|",
        "-------+-------------------------+",
        "1/3r * |    .    .    .    .    .|",
        "2b 2+r |    .    .    .    .    .|",
        "     0 |    .    .    .    .    .|",
        "-------+-------------------------+",
    ]
    assert ">1-4b<" in puzzle._repr_svg_()


def test_the_only_colour_is_kept_by_the_format() -> None:
    puzzle = replace(UNIQUE, colours=INKS[:1])
    again = nonosat.loads(nonosat.dumps(puzzle, "ranges"), "ranges")
    assert [ink.rgb for ink in again.colours] == [INKS[0].rgb]


@pytest.mark.parametrize("clue", ["1-2", "1/2", "?", "1+", "*"])
def test_texts_of_json_may_be_open(clue: str) -> None:
    puzzle = nonosat.loads(json.dumps({"rows": [clue], "columns": ["1", "0"]}))
    assert nonosat.count(puzzle).count == 1


@pytest.mark.parametrize("lengths", [[1, 0, 3], (1, "2", 3), range(3), range(3, 0)])
def test_every_length_of_a_choice_is_checked(lengths: Any) -> None:
    with pytest.raises(PuzzleError, match="row 1 has a block"):
        block_of(lengths, 1, "row 1")


def test_brute_force_refuses_long_lines() -> None:
    """A column of 16 cells in two colours has 43 million candidates."""
    rows = [["*"]] * 16
    assert every_solution(RangeNonogram.from_data({"rows": rows, "columns": ["1"]})) is None
    assert (
        every_solution(RangeNonogram.from_data({"rows": rows[:14], "columns": ["1"]})) is not None
    )
