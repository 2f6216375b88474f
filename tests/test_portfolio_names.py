"""Engines that can race, their names, and the records of a race."""

from __future__ import annotations

import json
from contextlib import closing

import pytest
from click.testing import CliRunner

import nonosat
from nonosat.backends import open_backend, portfolio
from nonosat.cli import main
from nonosat.core import plugins
from nonosat.core.errors import UnsupportedError
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import Block
from nonosat.core.result import Options
from nonosat.puzzles.nonogram import Nonogram
from nonosat.solving.choices import chosen_phases

PAIR = "portfolio:glucose421,minisat22"


def test_members_named_for_hints_always_get_them():
    assert chosen_phases(Options(backend="portfolio:minisat22+hints,glucose421")) is not None
    assert chosen_phases(Options(backend=PAIR)) is None
    assert chosen_phases(Options(backend="portfolio:a+hints,b", hints="none")) is None
    assert chosen_phases(Options(backend="minisat22")) is None


# Names


@pytest.mark.parametrize(
    ("argument", "words"),
    [
        ("glucose421,glucose422", r"the member 'glucose422', expected .*cadical195, .*kissat404"),
        ("auto,glucose421", "the member 'auto'"),
        ("search,glucose421", "the member 'search'"),
        ("cpsat,glucose421", "the member 'cpsat'"),
        ("program:kissat {cnf},glucose421", "the member 'program:kissat {cnf}'"),
        ("portfolio,glucose421", "the member 'portfolio'"),
        ("glucose421+beliefs,minisat22", r"the member 'glucose421\+beliefs'"),
        ("glucose421,", "the member ''"),
        ("", "the member ''"),
        ("glucose421", "one member 'glucose421', expected at least two"),
        ("glucose421,minisat22, glucose421", "'glucose421' twice"),
    ],
)
def test_engines_that_cannot_race_are_refused(argument, words):
    with pytest.raises(UnsupportedError, match=words):
        plugins.find("backends", f"portfolio:{argument}")


def test_spaces_around_commas_are_ignored():
    name = "portfolio: glucose421 , minisat22+hints"
    with closing(open_backend(name, 1, 0, {}, Watch(Limits()))) as engine:
        assert [member.label for member in engine._members] == ["glucose421", "minisat22+hints"]


def test_the_default_can_race():
    portfolio.with_argument(portfolio.DEFAULT)


# Puzzles


DIAGONALS = Nonogram(((Block(1),),) * 4, ((Block(1),),) * 4)


def test_all_solutions_of_a_puzzle():
    found = set(nonosat.solutions(DIAGONALS, backend=PAIR))
    assert found == set(nonosat.solutions(DIAGONALS, backend="search"))
    assert len(found) == 24


def test_the_name_survives_in_records(tmp_path):
    path = tmp_path / "puzzle.json"
    path.write_bytes(plugins.find("formats", "json").write([DIAGONALS]))
    name = "portfolio:glucose421,minisat-gh+hints"
    found = CliRunner().invoke(main, ["check", str(path), "--backend", name, "--json"])
    assert found.exit_code == 3, found.output  # several solutions
    record = json.loads(found.output)
    assert record["verdict"] == "multiple"
    assert name in json.dumps(record)
    stage = next(stage for stage in record["stages"] if stage["name"] == "solve")
    assert "won_" in json.dumps(stage)
