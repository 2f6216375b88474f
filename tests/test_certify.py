"""Certificates written by `prove` hold, by `verify` and by naive checkers."""

from __future__ import annotations

import csv
from array import array
from itertools import chain, combinations, islice
from pathlib import Path

import pytest
from hypothesis import given

from helpers.clocks import Clock
from helpers.drawing import FUZZ, examples
from helpers.proofs import follows_hints, read_dimacs, refutes
from nonosat import _core, formats
from nonosat.board import presolve
from nonosat.certify import folder
from nonosat.certify.certificate import Certificate
from nonosat.certify.encoder import Encoder
from nonosat.certify.formula import Formula
from nonosat.certify.prove import prove
from nonosat.certify.rules import rules_of
from nonosat.certify.verify import verify
from nonosat.clauses.cnf import Cnf, split
from nonosat.clauses.translate import translate
from nonosat.core.errors import BackendError, CertificateError, LimitReached, UnsupportedError
from nonosat.core.grid import Grid
from nonosat.core.model import Block, Model
from nonosat.core.result import Result, Verdict
from nonosat.puzzles import nonogram
from nonosat.puzzles.nonogram.data import Colour, Nonogram, mono
from nonosat.testing.oracles import Propagator, agrees, clues, fillings, partials, solutions
from nonosat.testing.strategies import puzzles

INSTANCES = Path(__file__).parent.parent / "instances"
INKS = (Colour("a", "#aa0000"), Colour("b", "#0000bb"))


def _small() -> list[tuple[str, str]]:
    """(source, verdict) of the bundled puzzles that take no time."""
    with (INSTANCES / "index.csv").open() as index:
        rows = list(csv.DictReader(index))
    return [
        (f"{INSTANCES / row['file']}#{row['id']}", row["verdict"])
        for row in rows
        if row["family"] == "nonogram" and int(row["height"]) * int(row["width"]) <= 400
    ]


def checked(certificate: Certificate, target: Path) -> None:
    """Check that the certificate holds, also without `verify`."""
    certificate.write(target)
    found = verify(target)
    assert found.claim == certificate.claim
    files = certificate.files
    if certificate.claim == "multiple":
        assert (found.num_clauses, found.num_lemmas) == (0, 0)
        return
    num_vars, clauses = read_dimacs(files[folder.FORMULA].decode())
    assert len(clauses) == found.num_clauses == certificate.num_clauses
    assert max((abs(lit) for clause in clauses for lit in clause), default=0) <= num_vars
    if certificate.num_lemmas < 1500:  # the naive checkers are slow
        assert refutes(clauses, files[folder.DRAT].decode(), strict=True)
        assert follows_hints(clauses, files[folder.LRAT].decode())


@pytest.mark.slow
@pytest.mark.parametrize(("source", "verdict"), _small())
def test_bundled_puzzles(source: str, verdict: str, tmp_path: Path) -> None:
    certificate = prove(formats.load(source), by="clauses")
    assert certificate.claim == verdict
    checked(certificate, tmp_path / "certificate")


@given(puzzles(max_cells=25))
@examples(30)
def test_any_small_puzzle(tmp_path_factory: pytest.TempPathFactory, puzzle: Nonogram) -> None:
    certificate = prove(puzzle, by="clauses")
    assert certificate.claim == ("unsolvable", "unique", "multiple")[len(solutions(puzzle, 2))]
    checked(certificate, tmp_path_factory.mktemp("certificates") / "new")


# Both encoders


def first_encoding(puzzle: Nonogram) -> Cnf:
    """Clues by the encodings that engines get."""
    model = nonogram.build(puzzle)
    formula = Cnf(model.num_vars)
    for clause in model.clauses:
        formula.add(clause.lits)
    for count in model.counts:
        for pair in combinations(count.lits, 2):
            formula.add([-lit for lit in pair])
    translate(Model(model.num_vars, lines=model.lines), formula, {"line": "order"})
    return formula


def difference(
    puzzle: Nonogram, cells: bytes | None, num_vars: int, clauses: array[int]
) -> str | None:
    """Reason why a formula is not the one of the puzzle, or None."""
    rules = rules_of(puzzle)
    grid = cells and Grid(puzzle.height, puzzle.width, cells)
    true = rules.true_in(grid) if grid else None
    try:
        Formula(rules, lambda: None).refuse_other(num_vars, clauses, (), true)
    except CertificateError as error:
        return str(error).removeprefix("formula.cnf: ")
    return None


def forbidding(puzzle: Nonogram, cells: bytes) -> list[int]:
    """Clause that is satisfied by all pictures but this one."""
    rules = rules_of(puzzle)
    return rules.forbidding(rules.true_in(Grid(puzzle.height, puzzle.width, cells)))


@given(puzzles(max_cells=36))
@examples(50)
def test_the_second_encoder_agrees_with_the_first(puzzle: Nonogram) -> None:
    formula = first_encoding(puzzle)
    assert difference(puzzle, None, formula.num_vars, formula.buffer) is None


def test_long_lines_in_both_encoders() -> None:
    puzzle = formats.load(f"{INSTANCES / 'special.jsonl'}#tape")
    formula = first_encoding(puzzle)
    assert difference(puzzle, None, formula.num_vars, formula.buffer) is None


@pytest.mark.parametrize("num_colours", [1, 2, 12, 13, 20])
def test_many_colours_in_both_encoders(num_colours: int) -> None:
    """A cell has at most one of two colours: in pairs, for any number of colours."""
    inks = tuple(Colour(chr(97 + k), f"#{k:06x}") for k in range(num_colours))
    columns = tuple((Block(1, k),) for k in range(1, num_colours + 1))
    given = ((0, 0, num_colours),)
    puzzle = Nonogram(
        (tuple(Block(1, k) for k in range(1, num_colours + 1)),), columns, inks, given=given
    )
    formula = first_encoding(puzzle)
    assert difference(puzzle, None, formula.num_vars, formula.buffer) is None
    units, pairs = num_colours, num_colours * num_colours * (num_colours - 1) // 2
    cells = next(Encoder(rules_of(puzzle).model, direct=True).parts())
    assert len([*cells]) == units + pairs


def test_clauses_are_distinguished_by_their_ends() -> None:
    puzzle = mono([[2]], [[1], [1], []])
    formula = first_encoding(puzzle)
    flat = formula.buffer
    assert difference(puzzle, None, formula.num_vars, flat) is None
    other = "the clauses of row 1 are not those that the puzzle requires"
    moved = 0
    for at in range(1, len(flat) - 1):
        if flat[at] == 0 and flat[at + 1] and flat[at + 1] != flat[at - 1]:
            changed = array("i", flat)
            changed[at], changed[at + 1] = changed[at + 1], 0
            assert difference(puzzle, None, formula.num_vars, changed), at
            moved += 1
    assert moved > 3
    flipped = array("i", flat)
    flipped[0] = -flipped[0]
    assert difference(puzzle, None, formula.num_vars, flipped) == other


def test_verified_parts_are_reported(tmp_path: Path) -> None:
    prove(formats.load(f"{INSTANCES / 'hard.jsonl'}#steps-8"), by="clauses").write(tmp_path / "c")
    found = verify(tmp_path / "c")
    assert 0 < found.seconds < 3600
    assert found.sizes == f"{found.num_clauses:,} clauses, {found.num_lemmas:,} lemmas"
    two = prove(mono([[1], [1]], [[1], [1]]))
    two.write(tmp_path / "two")
    assert verify(tmp_path / "two").sizes == ""


def test_the_order_inside_a_line_is_free() -> None:
    puzzle = formats.load(f"{INSTANCES / 'special.jsonl'}#gaps")
    formula = first_encoding(puzzle)
    cells = bytes(puzzle.height * puzzle.width)
    clauses = [list(reversed(clause)) for clause in formula]
    clauses[0], clauses[1] = clauses[1], clauses[0]
    clauses.append(forbidding(puzzle, cells))

    def problem(clauses: list[list[int]], num_vars: int = formula.num_vars) -> str | None:
        lits = array("i", [lit for clause in clauses for lit in (*clause, 0)])
        return difference(puzzle, cells, num_vars, lits)

    assert problem(clauses) is None
    assert problem([*clauses, [1]]) == "the formula has 1 clause more than the puzzle requires"
    assert problem(clauses[:-1]) == "the last clause does not forbid the solution"
    assert problem(clauses[:-2]) == "the clauses of column 7 are not those that the puzzle requires"
    assert problem(clauses[1:]) == "the clauses of row 1 are not those that the puzzle requires"
    assert problem(clauses, 7) == "the formula has 7 variables, the rules alone need 49"
    more = formula.num_vars + 1
    assert (
        problem(clauses, more) == f"the formula has {more} variables, expected {formula.num_vars}"
    )
    clauses[-2], clauses[0] = clauses[0], clauses[-2]
    assert problem(clauses) == "the clauses of row 1 are not those that the puzzle requires"


def test_a_forbidden_picture_is_negated_cell_by_cell_and_colour_by_colour() -> None:
    rows = ((Block(1, 1), Block(1, 2)), (Block(1, 1),))
    puzzle = Nonogram(rows, ((Block(1, 1),), (Block(1, 2), Block(1, 1))), colours=INKS)
    assert forbidding(puzzle, bytes([1, 2, 0, 1])) == [-1, 2, 3, -4, 5, -6, 7, 8]


# Lemmas


def clauses_of_a_row(puzzle: Nonogram) -> list[list[int]]:
    """Return the clauses of the cells and of row 0."""
    parts = Encoder(rules_of(puzzle).model).parts()
    return list(chain.from_iterable(islice(parts, 2)))


@pytest.mark.slow
@pytest.mark.parametrize(("length", "num_colours"), [(6, 1), (3 if FUZZ == 1 else 4, 2)])
def test_unit_propagation_refutes_every_inconsistent_line(length: int, num_colours: int) -> None:
    """Therefore each deduction is one RUP step; in colour with the lemmas of "filled" cells."""
    for clue in clues(length, num_colours, unknown=True):
        puzzle = Nonogram((clue,), ((),) * length, colours=INKS[:num_colours])
        base = clauses_of_a_row(puzzle)
        board, filled = (
            presolve.PresolvedModel.of(nonogram.build(puzzle)).board,
            list(fillings(clue, length)),
        )
        assert board is not None
        for known in partials(length, num_colours):
            if any(agrees(cells, known) for cells in filled):
                continue
            steps = [
                (cell, value, -1, 0)
                for cell, values in enumerate(known)
                for value in range(num_colours + 1)
                if value not in values
            ]
            flat = array("i", [number for step in steps for number in step]).tobytes()
            found, facts = _core.lemmas(board, flat)
            assert found == facts
            assert Propagator([*base, *split(array("i", found))]).root() is None, (clue, known)


def test_the_lemmas_of_filled_cells_are_needed() -> None:
    """Smallest of the lines in two colours that unit propagation would miss without them."""
    missed = 0
    for clue in clues(3, 2):
        puzzle = Nonogram((clue,), ((),) * 3, colours=INKS)
        base = clauses_of_a_row(puzzle)
        for known in partials(3, 2):
            if any(agrees(cells, known) for cells in fillings(clue, 3)):
                continue
            lemmas = []
            for cell, values in enumerate(known):
                lemmas += [[-(value - 1) * 3 - cell - 1] for value in {1, 2} - values]
                lemmas += [[1 + cell, 4 + cell]] * (0 not in values)
            missed += Propagator(base + lemmas).root() is not None
    assert missed == 40


@pytest.mark.parametrize("step", [(4, 0, -1, 0), (0, 2, -1, 0), (0, 1, 0, 2), (0, 1, -2, 0)])
def test_steps_outside_the_board_are_refused(step: tuple[int, ...]) -> None:
    board = presolve.PresolvedModel.of(nonogram.build(mono([[1], [1]], [[1], [1]]))).board
    assert board is not None
    with pytest.raises(ValueError, match="cells and values of the board"):
        _core.lemmas(board, array("i", step).tobytes())


@given(puzzles(max_cells=49, max_colours=2))
@examples(50)
def test_deductions_are_those_of_propagation_and_probing(puzzle: Nonogram) -> None:
    mine = presolve.PresolvedModel.of(nonogram.build(puzzle)).board
    plain = presolve.PresolvedModel.of(nonogram.build(puzzle)).board
    assert mine is not None
    assert plain is not None
    deduction = _core.Deduction(mine)
    consistent = deduction.propagate()
    assert consistent == plain.propagate()
    steps = memoryview(deduction.take_steps()).cast("i")
    removed = {tuple(steps[at : at + 2]) for at in range(0, len(steps), 4)}
    assert all(if_cell == -1 for if_cell in steps[2::4])
    assert len(removed) == len(steps) // 4
    if not consistent:
        return
    assert mine.cells() == plain.cells()
    progress = deduction.probe(10**9)
    assert progress == _core.Prober(plain).run(10**9)
    if progress != _core.Progress.CONTRADICTION:
        assert mine.cells() == plain.cells()
        for value in range(len(puzzle.colours) + 1):
            assert mine.plane(value) == plain.plane(value)


# Kinds of proofs


def test_no_engine_runs_if_lines_or_probing_suffice(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("an engine was opened")

    monkeypatch.setattr("nonosat.certify.prove.open_backend", refuse)
    lines = formats.load(f"{INSTANCES / 'pictures.jsonl'}#cat")
    probing = formats.load(f"{INSTANCES / 'pictures.jsonl'}#smile")
    assert prove(lines).how == "propagation"
    assert prove(probing).how == "probing"
    assert prove(formats.load(f"{INSTANCES / 'special.jsonl'}#too-long")).how == "propagation"


def test_an_engine_that_finds_a_solution_of_an_unsolvable_puzzle_is_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The pipeline reports that there is none, and the engine that refutes the clues finds one."""

    def none(puzzle: Nonogram, **_options: object) -> Result:
        return Result(puzzle, Verdict.UNSOLVABLE)

    monkeypatch.setattr("nonosat.certify.prove.pipeline.solve", none)
    with pytest.raises(BackendError, match="contradict each other: one has found a solution more"):
        prove(mono([[1], [1]], [[1], [1]]), by="clauses")


@pytest.mark.parametrize("engine", ["cadical195", "glucose421", "lingeling", "maplecm"])
def test_puzzles_that_need_an_engine(engine: str, tmp_path: Path) -> None:
    found = prove(formats.load(f"{INSTANCES / 'hard.jsonl'}#steps-8"), engine=engine)
    assert (found.claim, found.how) == ("unique", engine)
    found.write(tmp_path / "certificate")
    assert verify(tmp_path / "certificate").num_lemmas == found.num_lemmas


def test_engines_without_proofs_are_refused() -> None:
    puzzle = formats.load(f"{INSTANCES / 'hard.jsonl'}#steps-8")
    with pytest.raises(UnsupportedError, match="minisat22 writes no proofs; these do: cadical"):
        prove(puzzle, engine="minisat22")


def test_limits_hold(clock: Clock) -> None:
    clock.step_s = 0.05
    puzzle = formats.load(f"{INSTANCES / 'domino.jsonl'}#domino-12")
    with pytest.raises(LimitReached, match=r"time limit of 0\.2 s"):
        prove(puzzle, by="clauses", time_limit_s=0.2)
    with pytest.raises(LimitReached, match="memory limit of 1 MiB"):
        prove(puzzle, memory_limit_mib=1)


def test_a_formula_that_would_not_fit_is_a_limit() -> None:
    columns = [[1] if column % 100 == 0 else [] for column in range(50_000)]
    with pytest.raises(LimitReached, match="out of memory: a line of 50000 cells with 500 blocks"):
        prove(mono([[1] * 500], columns))


def test_limits_hold_for_verify(tmp_path: Path) -> None:
    prove(formats.load(f"{INSTANCES / 'pictures.jsonl'}#cat")).write(tmp_path / "cat")
    with pytest.raises(LimitReached, match="time limit"):
        verify(tmp_path / "cat", time_limit_s=1e-9)
    with pytest.raises(LimitReached, match="memory limit of 1 MiB"):
        verify(tmp_path / "cat", memory_limit_mib=1)
