"""Proofs combined from those of cubes hold, by `verify` and by naive checkers."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import nonosat
from helpers import drawing
from helpers.commands import run
from helpers.cubed import coloured_rooks, here, rooks
from nonosat import _core
from nonosat.certify import parts
from nonosat.certify.derived import formula_of
from nonosat.certify.prove import prove
from nonosat.clauses.cnf import Cnf
from nonosat.core.errors import BackendError, LimitReached, UnsupportedError
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import Block
from nonosat.puzzles import nonogram
from nonosat.puzzles.nonogram import Nonogram
from nonosat.solving.cubes import leaves
from nonosat.testing import oracles
from test_certify import checked

assert here  # a fixture


@pytest.fixture
def nearby(here, monkeypatch):
    """Refute cubes in this process, and split them again soon."""
    monkeypatch.setattr(leaves, "BUDGET", 150)


def crowded(colours: int) -> Nonogram:
    """Four rooks of each colour in three columns; the rows' lengths are unknown."""
    inks = coloured_rooks(3).colours[:colours]
    rows = tuple((Block(None, k),) for k in range(1, colours + 1) for _ in range(4))
    column = tuple(Block(1, k) for k in range(1, colours + 1))
    return Nonogram(rows=rows, columns=(column,) * 3, colours=inks)


CASES = {
    "steps": (nonosat.load("instances/hard.jsonl#steps-8"), "unique"),
    "broken": (nonosat.load("instances/special.jsonl#broken-steps"), "unsolvable"),
    "rooks": (rooks(6, 5), "unsolvable"),
    "colours": (crowded(2), "unsolvable"),
    "several": (rooks(4, 4), "multiple"),
    "coloured": (coloured_rooks(3), "multiple"),
}


@pytest.mark.thorough
@pytest.mark.parametrize("num_cubes", [1, 6])
@pytest.mark.parametrize("name", CASES)
def test_proofs_of_cubes_hold(nearby, tmp_path, name, num_cubes):
    puzzle, claim = CASES[name]
    certificate = prove(puzzle, cubes=num_cubes)
    assert certificate.claim == claim
    checked(certificate, tmp_path / "certificate")


@settings(drawing.examples(20), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_small_puzzle(nearby, tmp_path_factory, data):
    size = data.draw(st.integers(3, 5))
    base = (
        crowded(2) if data.draw(st.booleans()) else rooks(size + data.draw(st.integers(0, 1)), size)
    )
    place = st.tuples(st.integers(0, base.height - 1), st.integers(0, base.width - 1))
    cells = data.draw(st.lists(place, max_size=3, unique=True))
    known = tuple((*cell, data.draw(st.integers(0, 1))) for cell in cells)
    puzzle = Nonogram(base.rows, base.columns, colours=base.colours, given=known)
    certificate = prove(puzzle, cubes=data.draw(st.integers(1, 12)))
    truth = oracles.solutions(puzzle, 2)
    assert certificate.claim == ("unsolvable", "unique", "multiple")[len(truth)]
    checked(certificate, tmp_path_factory.mktemp("certificates") / "new")


@pytest.mark.slow
def test_lines_in_addition_to_the_clauses(nearby, tmp_path):
    certificate = prove(CASES["broken"][0], engine="learn-lines", cubes=3)
    assert certificate.how == "learn-lines in 3 cubes"
    checked(certificate, tmp_path / "certificate")


def test_every_part_is_needed(nearby):
    """Without the lemmas of any one cube the proof is refused."""
    puzzle = CASES["rooks"][0]
    partition = parts.Partition(puzzle, None, b"", "learn", Watch(Limits()))
    assert partition.run(5, 1) is None
    formula = formula_of(nonogram.build(puzzle), None, lambda: None)
    clauses, pieces = formula.buffer.tobytes(), partition.proof()
    assert _core.check_drat(formula.num_vars, clauses, b"".join(pieces))
    long = [index for index, piece in enumerate(pieces) if piece.count(b"\n") > 20]
    assert len(long) > 3
    for index in long:
        rest = b"".join(pieces[:index] + pieces[index + 1 :])
        with pytest.raises(ValueError, match="does not follow"):
            _core.check_drat(formula.num_vars, clauses, rest)


def test_another_solution_in_a_cube_is_found(nearby, monkeypatch, tmp_path):
    monkeypatch.setattr(nonogram, "neighbours", lambda *_: iter(()))
    certificate = prove(rooks(4, 4), cubes=3)
    assert certificate.claim == "multiple"
    checked(certificate, tmp_path / "certificate")


def test_in_processes(tmp_path):
    target = tmp_path / "broken"
    done = run(
        "prove",
        "instances/special.jsonl#broken-steps",
        "--cubes",
        "3",
        "--jobs",
        "2",
        "--force-jobs",
        "-o",
        str(target),
    )
    assert done.exit_code == 0
    assert "unsolvable by learn in 3 cubes" in done.stdout
    assert run("verify", str(target)).exit_code == 0


def test_options_that_exclude_cubes():
    puzzle = CASES["rooks"][0]
    with pytest.raises(UnsupportedError, match="these do: auto, learn, learn-lines"):
        prove(puzzle, engine="cadical195", cubes=2)
    with pytest.raises(UnsupportedError, match="set the number of cubes"):
        prove(puzzle, jobs=2)


def test_limits_hold():
    with pytest.raises(LimitReached, match="time limit"):
        prove(nonosat.load("instances/domino.jsonl#domino-16"), cubes=4, jobs=2, time_limit_s=1.0)


def test_the_negation_is_appended_to_every_clause():
    proof = b"1 2 0\nd 1 2 0\n5 0\n-3 0\n0\n"
    assert parts._lengthened(proof, [-5, 7]) == (b"1 2 -5 7 0\nd 1 2 -5 7 0\n-3 -5 7 0\n-5 7 0\n")


def test_a_wrong_proof_of_an_engine_is_reported():
    with pytest.raises(BackendError, match="the proof of a cube is wrong: the proof ends without"):
        parts._trimmed(Cnf(1), b"1 0\n")
