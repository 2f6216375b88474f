"""Certificates of external families; limits, interruption and commands for all families."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import nonosat
from helpers.certified import checked, refused, rewrite
from helpers.clocks import Clock
from helpers.commands import COMMAND, put, run
from helpers.own_families import FENCES, ROWS, Row, fence
from helpers.processes import PATIENCE_S, begun, interruptible
from nonosat.certify import folder, rules
from nonosat.certify.prove import prove
from nonosat.certify.verify import verify
from nonosat.core import plugins
from nonosat.core.errors import BackendError, CertificateError, LimitReached
from nonosat.core.model import Clause
from nonosat.puzzles.knight import Knight
from nonosat.puzzles.queens import Queens
from nonosat.puzzles.slitherlink import from_rows
from test_own_family import FAMILY, Lights

__all__ = ["put"]  # a fixture

INSTANCES = Path(__file__).parent.parent / "instances"


# External families


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Entry points of the families."""
    points = [
        SimpleNamespace(name=one.name, value=one.name, load=lambda one=one: one)
        for one in (FAMILY, FENCES, ROWS)
    ]
    monkeypatch.setattr(
        "importlib.metadata.entry_points",
        lambda *, group: points if group == "nonosat.puzzles" else [],
    )
    plugins.find.cache_clear()
    yield
    plugins.find.cache_clear()


@pytest.mark.parametrize(
    ("puzzle", "claim"),
    [
        (Lights(3), "multiple"),
        (Lights(3, frozenset({0, 2})), "unique"),
        (Lights(3, frozenset({0, 1})), "unsolvable"),
        (fence("..", ".."), "multiple"),
        (fence("33", ".."), "unique"),
        (fence("33", "33"), "unsolvable"),
        (fence("3.3", "...", "3.3", "..."), "multiple"),
        (fence("4.", ".2"), "unsolvable"),
        (Row(9, (2, 1, 1), 3), "multiple"),
        (Row(9, (2, 1, 1), 2), "multiple"),
        (Row(7, (2, 3), 2), "multiple"),
        (Row(6, (2, 3), 2), "unique"),
        (Row(6, (2, 3), 1), "unsolvable"),
    ],
)
def test_own_families(puzzle: Any, claim: str, tmp_path: Path, offered: None) -> None:
    certificate = checked(puzzle, tmp_path / "new")
    assert certificate.claim == claim
    assert certificate.trusted == puzzle.family.name
    said = f"as the model of the family {puzzle.family.name} states the rules"
    assert said in str(certificate)
    found = verify(tmp_path / "new")  # now its name is found
    assert said in str(found)
    assert found.puzzle == puzzle


def test_a_family_without_a_name_that_is_found_takes_the_puzzle(tmp_path: Path) -> None:
    prove(Lights(3, frozenset({0, 2}))).write(tmp_path / "new")
    refused(tmp_path / "new", "puzzle.json: 1: the family 'lights', expected one of")
    with pytest.raises(CertificateError, match="another puzzle than the expected one"):
        verify(tmp_path / "new", puzzle=Lights(3))


def test_the_values_of_an_own_family_are_checked(tmp_path: Path, offered: None) -> None:
    certificate = prove(Row(6, (2, 3), 2))
    for changes, why in (
        ({"true": [1, 2, 4, 5]}, "the model has no such values: the runs are"),
        ({"true": [1, 2, 4, 5, 7]}, r"'true' is not a list of variables of 1 \.\. 6"),
        ({"true": [0, 2, 4, 5, 6]}, r"'true' is not a list of variables of 1 \.\. 6"),
        ({"true": "12456"}, r"'true' is not a list of variables of 1 \.\. 6"),
        ({"solution": ["######"]}, "the true variables decode to another solution"),
        ({"more": 1}, "expected the keys solution, true"),
    ):
        data = json.loads(certificate.files[folder.SOLUTION_JSON]) | changes
        rewrite(tmp_path, certificate, {folder.SOLUTION_JSON: json.dumps(data).encode()})
        refused(tmp_path, f"^solution.json: {why}")


def test_a_model_that_its_own_verifier_refutes_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(vars(FAMILY), "refutation", lambda *_: "it is Monday")
    with pytest.raises(BackendError, match=r"the model of lights has .*: it is Monday"):
        prove(Lights(3))


def test_an_own_model_without_named_variables(tmp_path: Path) -> None:
    """Every variable distinguishes solutions."""
    lamps = rules.rules_of(Lights(2))
    assert list(lamps.distinguishing) == [1, 2]
    assert lamps.forbidding(frozenset({2})) == [1, -2]
    assert lamps.model.clauses == (Clause((1, 2)),)


# Limits


def test_limits_hold(clock: Clock) -> None:
    puzzle = nonosat.load(f"{INSTANCES / 'slitherlink.jsonl'}#loop-40")
    for one in (puzzle, Lights(40, frozenset({0, 2}))):
        prove(one)  # all imports are done
        clock.step_s = 20
        with pytest.raises(LimitReached, match="time limit of 60 s"):
            prove(one, time_limit_s=60)
        clock.step_s = 0
        with pytest.raises(LimitReached, match="memory limit of 1 MiB"):
            prove(one, memory_limit_mib=1)


LONG = Knight(4, 500, closed=True)  # without a tour by a theorem, which clauses take long to derive


@pytest.mark.parametrize("engine", ["learn", "cadical195"])
def test_limits_hold_if_an_engine_takes_long(clock: Clock, engine: str) -> None:
    clock.step_s = 2
    with pytest.raises(LimitReached, match="time limit of 60 s"):
        prove(LONG, engine=engine, time_limit_s=60)


@pytest.mark.thorough
@pytest.mark.parametrize("engine", ["learn", "cadical195"])
def test_it_can_be_interrupted(put: Any, engine: str) -> None:
    path = put({"family": "knight", "rows": 4, "columns": 500, "closed": True})

    def told_after(seconds: float) -> str:
        with interruptible():
            process = subprocess.Popen(
                [*COMMAND, "prove", path, "-o", "new", "--backend", engine],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                start_new_session=True,
            )
        time.sleep(seconds)  # in the engine
        os.killpg(process.pid, signal.SIGINT)
        said, told = process.communicate(timeout=PATIENCE_S)
        assert (process.returncode, said) == (130, "")
        assert not Path("new").exists()
        return told

    how_far = re.compile(r"nonosat: interrupted, proving puzzles\.jsonl#1: [^\n]+\n")
    told, _ = begun(told_after, how_far.fullmatch, 1.5)
    assert how_far.fullmatch(told)


def test_limits_hold_for_verify(tmp_path: Path) -> None:
    prove(from_rows(["33", ".."])).write(tmp_path / "new")
    with pytest.raises(LimitReached, match="time limit"):
        verify(tmp_path / "new", time_limit_s=1e-9)
    with pytest.raises(LimitReached, match="memory limit of 1 MiB"):
        verify(tmp_path / "new", memory_limit_mib=1)


def test_clauses_of_a_puzzle_are_not_made_beyond_the_formula(tmp_path: Path) -> None:
    certificate = prove(Queens(3))
    small = json.dumps({"family": "queens", "n": 300}).encode()
    formula = b"p cnf 90000 1\n1 0\n"
    rewrite(tmp_path, certificate, {folder.PUZZLE: small, folder.FORMULA: formula})
    refused(tmp_path, "^formula.cnf: the clauses of the rules are not those")


# The commands


def test_the_commands(put: Any, offered: None) -> None:
    path = put(
        {"family": "slitherlink", "id": "fence", "rows": ["33", ".."]},
        {"family": "queens", "id": "three", "n": 3},
        {"family": "knight", "id": "tour", "rows": 3, "columns": 4},
        {"family": "lights", "id": "lamps", "width": 3, "dark": [0, 2]},
    )
    trust = ", as the model of the family lights states the rules"
    for name, claim, said, more in (
        ("fence", "unique by learn", "exactly one solution", ""),
        ("three", "unsolvable by learn", "no solution", ""),
        ("tour", "multiple by search", "at least two solutions", ""),
        ("lamps", "unique by learn", "exactly one solution", trust),
    ):
        done = run("prove", f"{path}#{name}", "-o", f"out/{name}")
        assert done.exit_code == 0, done.output
        assert done.stdout.startswith(f"{name}: {claim}{more}: out/{name} (")
        done = run("verify", f"out/{name}")
        assert done.exit_code == 0
        assert done.stdout.startswith(f"out/{name}: valid: {said}{more} (")
    done = run("prove", f"{path}#fence", "-o", "new", "--by", "prices")
    assert (done.exit_code, "prices are for rows and columns of clues" in done.stderr) == (2, True)
    done = run("prove", f"{path}#fence", "-o", "new", "--cubes", "2")
    assert (done.exit_code, "put together from cubes for nonograms" in done.stderr) == (2, True)
    done = run("prove", f"{path}#fence", "-o", "new", "--family", "queens")
    assert (done.exit_code, "no puzzle 'fence'" in done.stderr) == (2, True)
    assert not Path("new").exists()
    assert run("prove", f"{path}#three", "-o", "out/fence", "--force").exit_code == 0
    assert run("verify", "out/fence").stdout.startswith("out/fence: three: valid: no solution (")
