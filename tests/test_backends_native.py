"""Engines that take lines and counts as they are agree with the default engine on random models."""

from __future__ import annotations

import sys
from contextlib import closing
from random import Random
from typing import Any

import pytest

import nonosat
from helpers.engines import each
from nonosat.backends import open_backend
from nonosat.core import plugins
from nonosat.core.errors import UnsupportedError
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import FALSE, TRUE, Line
from nonosat.core.plugins import Answer
from nonosat.testing.engines import decide, hard_formula

LINES = [
    name
    for name, one in plugins.names("backends").items()
    if Line in one.native and not one.formulates
]
ADDED = ("clingo", "exact", "pumpkin", "choco")
PUZZLES: dict[str, Any] = {
    "two": nonosat.nonogram([[1], [1]], [[1], [1]]),
    "colours": nonosat.from_picture(["aab", "b.a"], colours={"a": "red", "b": "blue"}),
    "open": nonosat.loads('{"rows": ["*", "2+"], "columns": ["1 *", "1", "?"]}'),
    "none": nonosat.nonogram([[2], [2]], [[2], [1]]),
}


def line_model(rng: Random) -> nonosat.Model:
    """Return a line of 1 to 7 cells with constants, negations and filled cells, and a count."""
    length, colours = rng.randint(1, 7), rng.randint(1, 2)
    builder, planes = nonosat.ModelBuilder(), []
    variables = builder.new_vars(length * colours)
    for colour in range(colours):
        lits = list(variables[colour * length : (colour + 1) * length])
        for place in range(length):
            if rng.random() < 0.15:
                lits[place] = FALSE if colour or rng.random() < 0.6 else TRUE
            elif colours == 1 and rng.random() < 0.2:
                lits[place] *= -1
        planes.append(tuple(lits))
    blocks = [(rng.choice([1, 1, 2, 3, None]), rng.randint(1, colours)) for _ in range(3)]
    filled = frozenset(place for place in range(length) if rng.random() < 0.1)
    builder.add(Line(tuple(planes), tuple(blocks[: rng.randint(0, 3)]), filled))  # type: ignore[arg-type]
    lits = [rng.choice((1, -1)) * var for var in rng.sample(variables, min(3, len(variables)))]
    builder.add(nonosat.Count(lits, rng.randint(0, 1), rng.randint(1, 3)))
    return builder.build()


def solutions(model: nonosat.Model, **how: Any) -> list[tuple[int, ...]]:
    return sorted(tuple(values.true()) for values in nonosat.enumerate_model(model, **how))


@pytest.mark.slow
@pytest.mark.parametrize("backend", each(LINES))
def test_lines_as_they_are(backend: str) -> None:
    rng, number = Random(5), 0
    for _ in range(40):
        model = line_model(rng)
        found = solutions(model, backend=backend, encoding={"line": "native", "count": "native"})
        assert found == solutions(model)
        number += len(found)
    assert number > 20


@pytest.mark.slow
@pytest.mark.parametrize("name", PUZZLES)
@pytest.mark.parametrize("backend", each(LINES))
def test_puzzles_by_lines_as_they_are(backend: str, name: str) -> None:
    options: Any = {"backend": backend, "encoding": {"line": "native"}, "presolve": "none"}
    puzzle = PUZZLES[name]
    if name == "open" and backend == "exact":
        with pytest.raises(UnsupportedError, match="choice of lengths"):
            list(nonosat.solutions(puzzle, **options))
        return
    assert set(nonosat.solutions(puzzle, **options)) == set(nonosat.solutions(puzzle))


@pytest.mark.slow
@pytest.mark.parametrize("backend", each(ADDED))
def test_opposite_assumptions_and_the_end_of_a_model(backend: str) -> None:
    watch = Watch(Limits())
    engine = open_backend(backend, 2, 0, {}, watch)
    engine.add([1, 2])
    assert decide(engine, 1, -1) is Answer.UNSAT
    assert decide(engine, -1) is Answer.SAT
    assert engine.values() == b"\0\0\1"
    engine.constrain(nonosat.Count((1, 2, TRUE), 0, 1))
    assert decide(engine) is Answer.UNSAT
    engine.add([1, -2])
    assert decide(engine, 1) is Answer.UNSAT
    engine.close()


@pytest.mark.parametrize(
    ("name", "package"),
    [
        ("clingo", "clingo"),
        ("choco", "pychoco"),
        ("exact", "exact"),
        ("pumpkin", "pumpkin_solver"),
    ],
)
def test_a_missing_package_is_named(
    monkeypatch: pytest.MonkeyPatch, name: str, package: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(nonosat.UnsupportedError, match=f"{name} needs the package .*pip install"):
        plugins.find("backends", name).opened(name, 1, 0, {})


def test_clingo_counts_no_search_twice() -> None:
    """Once the program has no answer set, clingo runs no search, and its counters stay."""
    pytest.importorskip("clingo", reason="clingo is not installed")
    clauses = list(hard_formula(100, 3))
    with closing(open_backend("clingo", 100, 0, {}, Watch(Limits()))) as engine:
        for clause in clauses:
            engine.add(clause)
        decide(engine)
        before = engine.statistics()
        assert before["conflicts"] > 0
        engine.add([1])
        engine.add([-1])
        for _ in range(2):
            assert decide(engine) is Answer.UNSAT
        assert engine.statistics() == before
