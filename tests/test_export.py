"""Files for other solvers: an independent reader and an engine obtain the puzzle's solutions."""

from __future__ import annotations

import gzip
import io
import lzma
import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from ortools.sat import cp_model_pb2
from ortools.sat.python import cp_model
from pysat.formula import CNF
from pysat.solvers import Solver

from helpers.drawing import examples
from nonosat import export
from nonosat.clauses.cnf import Cnf
from nonosat.core.errors import LimitReached, UnsupportedError
from nonosat.core.grid import Grid
from nonosat.core.limits import Limits, Watch
from nonosat.puzzles.nonogram.data import Block, Colour, Nonogram, mono
from nonosat.testing import oracles
from nonosat.testing.strategies import puzzles

LEVELS = st.sampled_from(["none", "propagate", "probe"])
MOST = 30  # solutions compared; puzzles with more are left out
SWITCH = mono([[1], [1]], [[1], [1]])
CORNER = mono([[2], [1]], [[2], [1]])
INKS = (Colour("r", "#ff0000"), Colour("g", "#00ff00"))
FLAG = Nonogram(
    rows=((Block(2, 1), Block(1, 2)), (Block(3, 2),)),
    columns=((Block(1, 1), Block(1, 2)),) * 2 + ((Block(2, 2),),),
    colours=INKS,
)


def dimacs(puzzle, encodings=None, **how) -> str:
    stream = io.BytesIO()
    export.write_dimacs(export.formula_of(puzzle, encodings or {}, **how), stream)
    return stream.getvalue().decode()


def opb(puzzle, **how) -> str:
    stream = io.BytesIO()
    export.write_opb(export.formula_of(puzzle, **how), stream)
    return stream.getvalue().decode()


def cells_of(puzzle, true) -> bytes:
    """Return the picture by the variables' documented meaning."""
    size = puzzle.height * puzzle.width
    cells = bytearray(size)
    for variable in sorted(true):
        colour, cell = divmod(variable - 1, size)
        if colour < len(puzzle.colours):
            assert not cells[cell]
            cells[cell] = colour + 1
    return bytes(cells)


def pictures(puzzle, text) -> set[bytes]:
    """Pictures among the models of a DIMACS file, by python-sat's own reader and an engine."""
    formula = CNF(from_string=text)
    projection = [int(v) for v in re.search(r"^c p show (.*) 0$", text, re.M)[1].split()]
    assert projection == list(range(1, puzzle.height * puzzle.width * len(puzzle.colours) + 1))
    found = set()
    with Solver("minisat22", bootstrap_with=formula.clauses) as solver:
        while len(found) <= MOST and solver.solve():
            model = dict.fromkeys(projection, False)
            model |= {abs(lit): lit > 0 for lit in solver.get_model() if abs(lit) in model}
            cells = cells_of(puzzle, [v for v, value in model.items() if value])
            assert cells not in found
            found.add(cells)
            solver.add_clause([-v if value else v for v, value in model.items()])
    return found


@given(puzzles(max_cells=20, max_colours=2), LEVELS, st.sampled_from(["order", "automaton"]))
@examples(20)
def test_models_of_a_dimacs_file_are_the_solutions(puzzle, level, encoding):
    expected = oracles.solutions(puzzle, MOST + 1)
    assume(len(expected) <= MOST)
    text = dimacs(puzzle, {"line": encoding}, presolve=level)
    assert pictures(puzzle, text) == expected


@given(puzzles(max_cells=16, max_colours=2), LEVELS, st.data())
@examples(25)
def test_a_forbidden_solution_is_missing_and_no_other(puzzle, level, data):
    expected = oracles.solutions(puzzle, MOST + 1)
    assume(0 < len(expected) <= MOST)
    cells = data.draw(st.sampled_from(sorted(expected)))
    forbidden = Grid(puzzle.height, puzzle.width, cells)
    text = dimacs(puzzle, presolve=level, forbidden=forbidden)
    assert pictures(puzzle, text) == expected - {cells}
    assert "c forbids 1\n" in text


def test_only_a_solution_can_be_forbidden():
    with pytest.raises(UnsupportedError, match="not a solution: row 1"):
        export.formula_of(CORNER, forbidden=Grid(2, 2, b"\0\0\0\0"))


@pytest.mark.parametrize("level", ["none", "propagate", "probe"])
@pytest.mark.parametrize("puzzle", [SWITCH, CORNER, FLAG])
def test_numbers_in_the_header_are_those_of_the_file(puzzle, level):
    lines = dimacs(puzzle, presolve=level).splitlines()
    body = [line.split() for line in lines if line[0] not in "cp"]
    num_vars, num_clauses = map(int, next(line for line in lines if line[0] == "p").split()[2:])
    assert len(body) == num_clauses
    assert all(clause[-1] == "0" and "0" not in clause[:-1] for clause in body)
    assert all(abs(int(lit)) <= num_vars for clause in body for lit in clause)
    extent = export.measure(export.formula_of(puzzle, presolve=level))
    num_lits = sum(len(clause) - 1 for clause in body)
    assert (extent.num_vars, extent.num_clauses, extent.num_lits) == (
        num_vars,
        num_clauses,
        num_lits,
    )


def test_the_variable_map_is_stable():
    puzzle = mono([[1], [1]], [[1], [1], []]).about_with(id="two\x07lines")
    assert dimacs(puzzle).splitlines()[:9] == [
        "c nonosat 1",
        "c puzzle two?lines",
        "c board rows 2 columns 3 colours 1",
        "c presolve none",
        "c cells 1-3 row 0 colour 1",
        "c cells 4-6 row 1 colour 1",
        "c aux 7-8 row 0 order",
        "c aux 9-10 row 1 order",
        "c aux 11-11 column 0 order",
    ]
    assert "c cells 7-9 row 0 colour 2\n" in dimacs(FLAG)


@given(puzzles(max_cells=20, max_colours=2), LEVELS)
@examples(20)
def test_the_variable_map_covers_every_variable_once(puzzle, level):
    text = dimacs(puzzle, presolve=level)
    ranges = re.findall(r"^c (?:cells|aux) (\d+)-(\d+) ", text, re.M)
    covered = [v for first, last in ranges for v in range(int(first), int(last) + 1)]
    assert covered == list(range(1, int(re.search(r"^p cnf (\d+)", text, re.M)[1]) + 1))


def test_counts_with_variables_of_their_own_have_one_range():
    colours = tuple(Colour(letter, "#000000") for letter in "abcdefgh")
    puzzle = Nonogram(rows=((Block(1, 8),),), columns=((), (Block(1, 8),)), colours=colours)
    ranges = re.findall(r"^c aux .*cells.*$", dimacs(puzzle), re.M)
    assert len(ranges) == 1
    assert pictures(puzzle, dimacs(puzzle)) == {b"\0\x08"}


# OPB


def parsed_opb(text: str):
    """[(terms, relation, bound)] of an OPB file, by its grammar."""
    header, *lines = text.splitlines()
    num_vars, num_constraints = map(
        int, re.fullmatch(r"\* #variable= (\d+) #constraint= (\d+)", header).groups()
    )
    found = []
    for line in lines:
        if line[0] == "*":
            continue
        match = re.fullmatch(r"((?:[+-]\d+ x\d+ )+)(>=|=) (-?\d+) ;", line)
        terms = [(int(a), int(v)) for a, v in re.findall(r"([+-]\d+) x(\d+)", match[1])]
        assert all(1 <= v <= num_vars for _, v in terms)
        found.append((terms, match[2], int(match[3])))
    assert len(found) == num_constraints
    return num_vars, found


class Pictures(cp_model.CpSolverSolutionCallback):
    """Pictures among the solutions of a CP-SAT model; cells[v - 1] is variable v."""

    def __init__(self, puzzle, cells):
        super().__init__()
        self.puzzle, self.cells, self.found = puzzle, cells, []

    def on_solution_callback(self):
        true = [v for v, lit in enumerate(self.cells, start=1) if self.boolean_value(lit)]
        self.found.append(cells_of(self.puzzle, true))
        if len(self.found) > MOST:
            self.stop_search()


def all_pictures(puzzle, model, cells) -> set[bytes]:
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.enumerate_all_solutions = True
    seen = Pictures(puzzle, cells)
    solver.solve(model, seen)
    assert len(set(seen.found)) == len(seen.found)
    return set(seen.found)


@given(puzzles(max_cells=12, max_colours=2), LEVELS)
@examples(25)
def test_solutions_of_an_opb_file_are_the_solutions(puzzle, level):
    expected = oracles.solutions(puzzle, MOST + 1)
    assume(len(expected) <= MOST)
    num_vars, constraints = parsed_opb(opb(puzzle, presolve=level))
    model = cp_model.CpModel()
    xs = [model.new_bool_var(f"x{v}") for v in range(1, num_vars + 1)]
    for terms, relation, bound in constraints:
        total = sum(a * xs[v - 1] for a, v in terms)
        model.add(total == bound if relation == "=" else total >= bound)
    cells = xs[: puzzle.height * puzzle.width * len(puzzle.colours)]
    assert all_pictures(puzzle, model, cells) == expected


# CP-SAT models


def loaded(path) -> cp_model.CpModel:
    text = path.read_text() if path.suffix == ".pbtxt" else None
    if text is None:
        proto = cp_model_pb2.CpModelProto()
        proto.ParseFromString(path.read_bytes())
        text = str(proto)
    model = cp_model.CpModel()
    assert model.proto.parse_text_format(text)
    return model


@pytest.mark.parametrize("suffix", [".pb", ".pbtxt"])
@pytest.mark.parametrize("level", ["none", "probe"])
@pytest.mark.parametrize("formulation", ["automaton", "starts"])
def test_a_model_file_has_the_solutions(tmp_path, suffix, level, formulation):
    for puzzle in (SWITCH, CORNER, FLAG):
        target = export.Target.of(tmp_path / f"puzzle{suffix}")
        formula = export.formula_of(puzzle, presolve=level)
        export.write(formula, target, {"line": formulation, "count": "linear"})
        model = loaded(target.path)
        count = puzzle.height * puzzle.width * len(puzzle.colours)
        cells = [model.get_bool_var_from_proto_index(v) for v in range(1, count + 1)]
        assert [cell.name for cell in cells] == [f"x{v}" for v in range(1, count + 1)]
        assert all_pictures(puzzle, model, cells) == oracles.solutions(puzzle)
        assert list(tmp_path.iterdir()) == [target.path]


# Files


def test_compressed_files_hold_the_same_and_are_reproducible(tmp_path):
    formula = export.formula_of(FLAG)
    content = {}
    for name in ("a.cnf", "a.cnf.gz", "b.cnf.gz", "a.cnf.xz", "a.opb", "a.opb.gz"):
        export.write(formula, export.Target.of(tmp_path / name))
        content[name] = (tmp_path / name).read_bytes()
    assert content["a.cnf"].decode() == dimacs(FLAG)
    assert gzip.decompress(content["a.cnf.gz"]) == content["a.cnf"]
    assert lzma.decompress(content["a.cnf.xz"]) == content["a.cnf"]
    assert gzip.decompress(content["a.opb.gz"]) == content["a.opb"]
    assert content["a.cnf.gz"] == content["b.cnf.gz"]


@pytest.mark.parametrize("name", ["a", "a.txt", "a.pb.gz", "a.gz", ".cnf"])
def test_other_suffixes_are_refused(name):
    with pytest.raises(UnsupportedError, match=r"expected \.cnf or \.opb or \.xml"):
        export.Target.of(name)


@pytest.mark.parametrize("name", ["a.cnf", "a.cnf.gz", "a.opb", "a.pb"])
@pytest.mark.parametrize("error", [LimitReached, KeyboardInterrupt])
def test_interrupted_writing_leaves_the_old_file(tmp_path, name, error):
    path = tmp_path / name
    path.write_text("old")
    calls = iter(range(100))

    def pause():
        if next(calls) == 3:
            raise error

    with pytest.raises(error):
        export.write(export.formula_of(CORNER), export.Target.of(path), pause=pause)
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_text() == "old"


@pytest.mark.parametrize("name", ["none/a.cnf", "none/a.pb"])
def test_an_unwritable_path_is_named(tmp_path, name):
    path = tmp_path / name
    with pytest.raises(FileNotFoundError) as caught:
        export.write(export.formula_of(CORNER), export.Target.of(path))
    assert caught.value.filename == str(path)


def test_presolve_keeps_to_its_limits():
    watch = Watch(Limits(time_s=1e-9))
    with pytest.raises(LimitReached, match="time limit"):
        export.formula_of(CORNER, presolve="probe", watch=watch)
    with pytest.raises(UnsupportedError, match="none, propagate, probe"):
        export.formula_of(CORNER, presolve="all")


def test_plain_clauses_are_written_as_they_are():
    cnf, stream = Cnf(3), io.BytesIO()
    cnf.add([1, -2])
    cnf.add([3])
    export.write_cnf(cnf, stream, ["made by a test"])
    assert stream.getvalue() == b"c made by a test\np cnf 3 2\n1 -2 0\n3 0\n"


@given(puzzles(max_cells=25, max_colours=3), LEVELS)
@examples(30)
def test_a_solver_answer_decodes_to_a_solution(puzzle, level):
    text = dimacs(puzzle, presolve=level)
    with Solver("cadical153", bootstrap_with=CNF(from_string=text).clauses) as solver:
        found = solver.solve()
        values = " ".join(map(str, solver.get_model() or ()))
    assert found == bool(oracles.solutions(puzzle, 1))
    if found:
        grid = export.picture_of(puzzle, export.read_answer(f"s SATISFIABLE\nv {values} 0\n"))
        rows = zip(puzzle.rows, map(grid.row, range(grid.height)), strict=True)
        columns = zip(puzzle.columns, map(grid.column, range(grid.width)), strict=True)
        assert all(oracles.matches(clue, cells) for clue, cells in (*rows, *columns))
