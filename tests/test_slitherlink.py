"""Family Slitherlink: data, verifier, every backend with every encoding, known pitfalls."""

from __future__ import annotations

import pickle
import random
from itertools import product

import pytest
from hypothesis import given
from hypothesis.strategies import integers

import nonosat
from helpers.boards import sample
from helpers.drawing import examples
from nonosat import _core
from nonosat.clauses.cnf import Cnf
from nonosat.core import plugins
from nonosat.core.errors import PuzzleError
from nonosat.core.model import Loop
from nonosat.core.result import Verdict
from nonosat.generate.slitherlink import grow
from nonosat.puzzles import slitherlink
from nonosat.puzzles.slitherlink import BLANK, Path, Slitherlink, around, from_rows, verify
from nonosat.solving import pipeline
from nonosat.testing import boards, loops
from nonosat.testing.boards import slitherlink_solutions as solutions
from nonosat.testing.strategies import slitherlinks

ENGINES = ("auto", "cadical195", "minisat22")
WAYS = [
    *({"backend": engine} for engine in ENGINES),
    {"backend": "rules"},
    {"backend": "cpsat"},
    {"backend": "cpsat", "formulation": {"count": "booleans:totalizer"}},
    *(
        {"backend": "learn", "encoding": {"loop": loop, "count": count}}
        for loop, count in product(("cells", "cut-sets", "positions"), ("pairwise", "sequential"))
    ),
    {"backend": "learn", "encoding": {"count": "totalizer"}},
    {"backend": "kissat404", "encoding": {"loop": "positions"}},
]
SLOW = ("cpsat", "kissat404")


def named(way: dict) -> str:
    methods = way.get("encoding", way.get("formulation", {}))
    return " ".join([way["backend"], *methods.values()])


SEARCHING = [way for way in WAYS if way["backend"] not in ("rules", *SLOW)]


# Data


@pytest.mark.parametrize(
    ("height", "width", "clues", "message"),
    [
        (0, 3, b"", "0 rows x 3 columns"),
        (-2, 3, b"", "-2 rows"),
        (2, -1, b"", "-1 columns"),
        (2000, 2000, b"", "4,000,000 cells, expected at most 1,000,000"),
        (1, 2, b"\1", "expected 2 bytes"),
        (1, 2, "12", "expected 2 bytes"),
        (1, 2, b"\1\5", "the clue 5 in row 1, column 2, expected 0 to 4 or blank"),
        ("1", 2, b"\1\1", "height is '1', expected a whole number"),
        (1, True, b"\1", "width is True"),
    ],
)
def test_data_are_refused(height, width, clues, message):
    with pytest.raises(PuzzleError, match=message):
        Slitherlink(height, width, clues)


@pytest.mark.parametrize(
    ("edges", "message"),
    [
        (b"\1" * 3, "expected 4 bytes, one each, or none"),
        (b"\1\1\1\2", "a given edge is 2"),
        ("####", "the given edges are '####'"),
    ],
)
def test_given_edges_are_refused(edges, message):
    with pytest.raises(PuzzleError, match=message):
        Slitherlink(1, 1, bytes([BLANK]), given=edges)
    with pytest.raises(nonosat.FormatError, match="given edges are '#!'"):
        nonosat.Slitherlink.from_data({"family": "slitherlink", "rows": ["."], "given": "#!"})


def test_given_edges_hold_in_every_solution():
    draw = random.Random(2)
    for _ in range(30):
        height, width = draw.choice([(1, 1), (1, 3), (2, 2), (3, 2)])
        rows = ["".join(draw.choice(".....123") for _ in range(width)) for _ in range(height)]
        free = from_rows(rows)
        size = 2 * height * width + height + width
        edges = bytes(draw.choice([0, 1, *[255] * 6]) for _ in range(size))
        puzzle = nonosat.Slitherlink(height, width, free.clues, given=edges)
        agree = {
            path
            for path in solutions(free)
            if all(mark in (255, edge) for mark, edge in zip(edges, path.edges, strict=True))
        }
        every = boards.all_paths(height, width)
        assert {path for path in every if not verify.refutation(puzzle, path)} == agree
        assert solutions(puzzle) == agree == set(nonosat.solutions(puzzle))
        assert nonosat.count(puzzle).count == len(agree)
        verdict = ["unsolvable", "unique", "multiple"][min(len(agree), 2)]
        found = nonosat.explain(puzzle)
        assert found.verdict.value == verdict
        assert nonosat.Explanation.from_data(found.to_data()) == found
        assert nonosat.Slitherlink.from_data(puzzle.to_data()) == puzzle
        by_rules = nonosat.check(puzzle, backend="rules").verdict.value
        assert by_rules in (verdict, "unknown")


def test_given_edges_are_proven_and_written(tmp_path):
    for at, (puzzle, verdict) in enumerate(
        [
            (Slitherlink(1, 1, bytes([BLANK]), given=b"\0\377\377\377"), "unsolvable"),
            (Slitherlink(1, 2, b"\4\377", given=b"\1" + b"\377" * 6), "unique"),
        ]
    ):
        nonosat.prove(puzzle).write(tmp_path / str(at))
        assert nonosat.verify(tmp_path / str(at)).claim == verdict
        for name in ("slitherlink", "loopy", "puzzlink", "pzprv3"):
            with pytest.raises(nonosat.UnsupportedError, match="cannot hold the given edges"):
                nonosat.dumps(puzzle, name)
        assert nonosat.loads(nonosat.dumps(puzzle, "share")) == puzzle.about_with(id="1")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "0 rows"),
        ([[]], "0 columns"),
        (["12", "1"], "row 2 has 1 cell, expected 2"),
        (["15"], "the clue '5' in row 1, column 2"),
        ([[1, 7]], "the clue 7"),
        ([["1", "x"]], "the clue 'x'"),
        ([[1.0]], r"the clue 1\.0"),
    ],
)
def test_rows_are_refused(rows, message):
    with pytest.raises(PuzzleError, match=message):
        from_rows(rows)


def test_a_puzzle_and_its_parts():
    puzzle = from_rows(["0.1", "-43", [None, 2, "2"]])
    assert puzzle.rows() == ["0.1", ".43", ".22"]
    assert (puzzle[0, 0], puzzle[0, 1], puzzle[1, 1]) == (0, None, 4)
    with pytest.raises(IndexError, match="outside 3 rows x 3 columns"):
        puzzle[3, 0]
    assert puzzle.num_clues == 6
    assert not puzzle.is_slink
    assert sample().is_slink
    assert not from_rows(["1."]).is_slink
    assert str(puzzle) == "slitherlink: 3 rows x 3 columns"
    assert str(sample().about_with(title="THSL")) == "THSL: 8 rows x 8 columns"
    assert hash(pickle.loads(pickle.dumps(puzzle))) == hash(puzzle)
    assert slitherlink.from_data({"id": "a", **slitherlink.to_data(puzzle)}) == puzzle
    with pytest.raises(PuzzleError, match="'rows' is missing, expected a list of strings"):
        slitherlink.from_data({})


def test_paths():
    one = around(2, 2, [1, 0, 0, 0])
    other = around(2, 2, [1, 1, 0, 0])
    assert one.edges == bytes([1, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0])
    assert (one.lines(), str(other)) == (["#.", ".."], "##\n..")
    assert one.differences(other) == [(0, 1)]
    with pytest.raises(ValueError, match="different sizes"):
        one.differences(around(1, 1, [1]))


@given(puzzle=slitherlinks())
@examples(25)
def test_inside_cells_are_those_whose_way_out_crosses_the_path(puzzle):
    lattice = loops.board(puzzle.height, puzzle.width)
    first = len(lattice.edges) + 1
    for path in boards.all_paths(puzzle.height, puzzle.width)[:20]:
        edges = frozenset(edge for edge, on in enumerate(path.edges) if on)
        within = loops.inside(lattice, edges)
        inside = path.inside()
        assert {first + place for place, on in enumerate(inside) if on} == within
        assert around(path.height, path.width, inside) == path


# Verifier


def test_the_verifier_accepts_the_loops_and_nothing_else():
    """On every set of edges of a small lattice, and with clues one of which is wrong."""
    free = Slitherlink(2, 2, bytes([BLANK] * 4))
    loops_of = set(boards.all_paths(2, 2))
    for edges in product((0, 1), repeat=12):
        path = Path(2, 2, bytes(edges))
        is_loop = path in loops_of
        assert (slitherlink.refutation(free, path) is None) == is_loop
        assert (verify.mistake(free, path) is None) == is_loop
        assert _core.is_loop(path.edges, free.clues, 2, BLANK) == is_loop
    for path in loops_of:
        clues = boards.clues_of(path)
        assert slitherlink.refutation(Slitherlink(2, 2, clues), path) is None
        for place in range(4):
            wrong = bytearray(clues)
            wrong[place] = (wrong[place] + 1) % 5
            mistake = slitherlink.refutation(Slitherlink(2, 2, bytes(wrong)), path)
            assert not _core.is_loop(path.edges, bytes(wrong), 2, BLANK)
            assert f"of the path, while its clue is {wrong[place]}" in str(mistake)


def test_the_verifier_gives_a_reason():
    board = Slitherlink(1, 3, bytes([BLANK] * 3))
    two = around(1, 3, [1, 0, 1])
    assert slitherlink.refutation(board, two) == (
        "the path is not one loop: 4 of its 8 edges are on the first"
    )
    assert slitherlink.refutation(board, Path(1, 3, bytes(10))) == "the path has no edges"
    stub = Path(1, 3, b"\1" + bytes(9))
    assert "1 edge at the upper left corner of row 1, column 2" in str(
        slitherlink.refutation(board, stub)
    )
    touching = around(2, 2, [1, 0, 0, 1])
    mistake = slitherlink.refutation(Slitherlink(2, 2, b"\4\2\2\4"), touching)
    assert "4 edges at the upper left corner of row 2, column 2, expected 2" in str(mistake)
    assert "is on 1 row" in str(slitherlink.refutation(sample(), two))
    assert "not 10 edges" in str(slitherlink.refutation(board, Path(1, 3, b"\1")))
    assert "not 10 edges" in str(slitherlink.refutation(board, Path(1, 3, b"\2" * 10)))


@given(puzzle=slitherlinks(), seed=integers(0, 99))
@examples(50)
def test_the_native_verifier_is_its_twin(puzzle, seed):
    drawn = grow(puzzle.height, puzzle.width, random.Random(seed))
    path = around(puzzle.height, puzzle.width, drawn)
    right = Slitherlink(puzzle.height, puzzle.width, boards.clues_of(path))
    for board in (puzzle, right):
        is_right = verify.mistake(board, path) is None
        assert _core.is_loop(path.edges, board.clues, board.width, BLANK) == is_right
    assert is_right


@pytest.mark.parametrize(
    ("edges", "clues", "width"),
    [(b"\1" * 5, b"\0", 1), (b"\2" * 4, b"\0", 1), (b"", b"", 0), (b"\1" * 7, b"\1\2\3", 2)],
)
def test_the_native_verifier_refuses_other_sizes(edges, clues, width):
    with pytest.raises(ValueError, match="a byte a cell and a byte an edge"):
        _core.is_loop(edges, clues, width, BLANK)


# Solving


def all_solutions(puzzle: Slitherlink, way: dict) -> set[Path]:
    found = [*pipeline.solutions(puzzle, **way)]
    assert len(found) == len(set(found))
    return set(found)


@pytest.mark.slow
@pytest.mark.parametrize("way", SEARCHING, ids=named)
@given(puzzle=slitherlinks(max_cells=9))
@examples(25)
def test_all_solutions_of_drawn_boards(way, puzzle):
    expected = solutions(puzzle)
    if len(expected) <= 30:
        assert all_solutions(puzzle, way) == expected


@pytest.mark.parametrize("way", [way for way in WAYS if way["backend"] in SLOW], ids=named)
@given(puzzle=slitherlinks(max_cells=6))
@examples(4)
def test_all_solutions_by_slow_backends(way, puzzle):
    expected = solutions(puzzle)
    if len(expected) <= 5:
        assert all_solutions(puzzle, way) == expected


@pytest.mark.thorough
@given(puzzle=slitherlinks(max_cells=16))
@examples(35)
def test_verdicts_of_drawn_boards(puzzle):
    expected = solutions(puzzle)
    verdict = nonosat.check(puzzle).verdict
    assert verdict is (Verdict.UNSOLVABLE, Verdict.UNIQUE, Verdict.MULTIPLE)[min(2, len(expected))]


@given(puzzle=slitherlinks())
@examples(30)
def test_boards_with_a_solution_have_no_obstacles(puzzle):
    if slitherlink.obstacle(puzzle) is not None:
        assert not solutions(puzzle)


@pytest.mark.parametrize("way", WAYS, ids=named)
def test_the_sample_of_the_document(way):
    result = nonosat.check(sample(), **way)
    assert result.verdict is Verdict.UNIQUE
    assert result.solution.lines()[1] == "#.#.#.#."


def test_number_of_loops():
    """Cycles of grid graphs, OEIS A140517 on its diagonal."""
    for side, number in ((1, 1), (2, 13), (3, 213)):
        blank = Slitherlink(side, side, bytes([BLANK] * side**2))
        assert len(all_solutions(blank, {})) == number


# Pitfalls of other solvers


def literals(loop: Loop, path: Path) -> frozenset[int]:
    """Return the literals that are true if the loop is this path; also for two loops."""
    edges = {lit if on else -lit for on, (_, _, lit) in zip(path.edges, loop.edges, strict=True)}
    first = len(edges) + 1
    return frozenset(
        edges | {first + at if on else -first - at for at, on in enumerate(path.inside())}
    )


ROW = Slitherlink(1, 5, bytes([BLANK] * 5))  # a loop around either end holds alone as well


@pytest.mark.parametrize("name", ["cells", "cut-sets"])
def test_trap_1_a_loop_of_several_may_be_the_solution(name):
    """If each loop of a model with two loops is negated, a board loses its only solution."""
    (loop,) = slitherlink.build(ROW).loops
    refine = plugins.find("encodings", f"loop-{name}").encode(loop, Cnf(21))
    both = literals(loop, around(1, 5, [1, 0, 0, 1, 1]))
    cuts = [*refine(loops.values_of(both))]
    assert cuts
    assert not any(loops.is_satisfied(cut, both) for cut in cuts)
    for cells in ([1, 0, 0, 0, 0], [0, 0, 0, 1, 1]):
        alone = literals(loop, around(1, 5, cells))
        assert all(loops.is_satisfied(cut, alone) for cut in cuts)


@pytest.mark.parametrize("name", ["cells", "cut-sets"])
def test_trap_2_cuts_do_not_depend_on_clues(name):
    """Clauses learnt from one board's models hold for any clues."""
    (loop,) = slitherlink.build(ROW).loops
    refine = plugins.find("encodings", f"loop-{name}").encode(loop, Cnf(21))
    every = [literals(loop, path) for path in boards.all_paths(1, 5)]
    num_cuts = 0
    for cells in product((0, 1), repeat=5):
        for cut in refine(loops.values_of(literals(loop, around(1, 5, cells)))):
            num_cuts += 1
            assert all(loops.is_satisfied(cut, path) for path in every)
    assert num_cuts > 15


@pytest.mark.parametrize("way", WAYS, ids=named)
def test_trap_3_no_loop_is_none(way):
    """Zeros and blank cells are satisfied without any edge, which is not a solution."""
    assert nonosat.solve(from_rows(["00", "00"]), **way).verdict is Verdict.UNSOLVABLE
    result = nonosat.check(from_rows(["0."]), **way)
    assert result.verdict in (Verdict.UNSOLVABLE, Verdict.UNKNOWN)
    if way["backend"] != "rules":
        assert result.verdict is Verdict.UNSOLVABLE
        assert nonosat.check(from_rows(["0..."]), **way).verdict is Verdict.MULTIPLE


def test_trap_3_a_solution_is_blocked_on_its_edges():
    """Blocking all variables would repeat solutions if other variables are open."""
    model = slitherlink.build(sample())
    assert [*model.blocked_on] == [*range(1, 145)]
    assert len(all_solutions(from_rows(["...", "..."]), {"encoding": {"loop": "positions"}})) == 40


def test_trap_4_parity_is_no_obstacle_to_a_loop():
    """A loop through every corner of a 3 x 3 lattice is refuted at once, not by exhaustion."""
    lattice = loops.board(2, 2, spanning=True)
    assert not loops.cycles(lattice)
    fours = from_rows(["3.3", "...", "3.3"])
    assert nonosat.check(fours).verdict is Verdict.MULTIPLE


def test_trap_5_limits_hold_while_models_are_refined(clock):
    clock.step_s = 0.01
    puzzle = Slitherlink(60, 60, bytes([BLANK, 1] * 1800))
    result = nonosat.check(puzzle, time_limit_s=0.2, backend="learn", encoding={"loop": "cut-sets"})
    assert (result.verdict, result.reason) == (Verdict.UNKNOWN, "time limit of 0.2 s")


def test_trap_6_arcs_follow_inside_and_outside():
    """Every arc of the circuit is implied by the cells: each solution occurs once."""
    blank = from_rows(["..", ".."])
    assert len(all_solutions(blank, {"backend": "cpsat"})) == 13


def test_trap_10_an_unfinished_search_is_unknown(clock):
    clock.step_s = 0.0005
    puzzle = Slitherlink(40, 40, bytes([BLANK] * 1600))
    for backend in ("learn", "cpsat", "cadical195"):
        result = nonosat.check(puzzle, backend=backend, time_limit_s=0.001)
        assert result.verdict in (Verdict.UNKNOWN, Verdict.MULTIPLE)


def test_clues_4():
    assert nonosat.check(from_rows(["4"])).verdict is Verdict.UNIQUE
    assert nonosat.check(from_rows(["..", ".4"])).verdict is Verdict.UNIQUE
    for rows in (["4.4"], ["42", "22"], ["4.1"]):
        result = nonosat.check(from_rows(rows))
        assert (result.verdict, result.backend) == (Verdict.UNSOLVABLE, "sight")
        assert "is a loop of its own, but" in result.reason


def test_two_loops_in_a_row_show_disputed_places():
    result = nonosat.check(from_rows(["..3..", "....."]))
    assert result.verdict is Verdict.MULTIPLE
    assert result.disputed
