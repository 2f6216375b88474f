"""Options are checked; options, stages and results are frozen, hashable and can be pickled."""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle
from math import inf, nan
from typing import Any

import pytest

import nonosat
from helpers.clocks import Clock
from nonosat.core.errors import UnsupportedError
from nonosat.core.limits import checkpoint
from nonosat.core.result import Options, Stage
from nonosat.puzzles import nonogram
from nonosat.puzzles.nonogram.data import mono
from nonosat.solving import pipeline

TWO = mono([[1], [1]], [[1], [1]])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("max_solutions", 0),
        ("max_solutions", 2.5),
        ("max_solutions", True),
        ("max_solutions", 10**20),
        ("max_solutions", 10**5000),
        ("max_solutions", "2"),
        ("time_limit_s", "5"),
        ("time_limit_s", 0),
        ("time_limit_s", -inf),
        ("time_limit_s", nan),
        ("time_limit_s", True),
        ("time_limit_s", 1e300),
        ("time_limit_s", 10**5000),
        ("memory_limit_mib", 0),
        ("memory_limit_mib", 1.5),
        ("memory_limit_mib", 2**64),
        ("seed", 1.5),
        ("seed", None),
        ("encoding", "order"),
        ("encoding", None),
        ("encoding", {"line": 1}),
        ("formulation", ["line"]),
        ("formulation", {1: "starts"}),
        ("backend", None),
        ("backend", 5),
        ("presolve", "some"),
        ("presolve", []),
    ],
    ids=lambda value: str(value) if isinstance(value, str) else type(value).__name__,
)
def test_options_of_a_wrong_type_or_range_are_refused(name: str, value: Any) -> None:
    for ask in (Options, lambda **asked: pipeline.solve(TWO, **asked)):
        with pytest.raises(UnsupportedError) as caught:
            ask(**{name: value})
        assert len(str(caught.value)) < 300


def test_values_that_mean_no_limit() -> None:
    assert Options(time_limit_s=inf) == Options(time_limit_s=None) == Options()
    assert pipeline.solve(TWO, max_solutions=None, memory_limit_mib=None).solutions


@pytest.mark.parametrize("backend", ["glucose421", "kissat404", "search"])
def test_the_widest_options_work(backend: str) -> None:
    options = {"time_limit_s": 1e9, "memory_limit_mib": 2**40, "seed": -(10**30)}
    asked = {"backend": backend, "presolve": "none", "max_solutions": 2**63 - 1, **options}
    assert len(pipeline.solve(TWO, **asked).solutions) == 2


def test_options_are_copied_from_the_caller() -> None:
    asked = {"line": "order"}
    options = Options(encoding=asked, formulation=asked)
    stage = Stage("solve", 1.0, detail=asked)
    asked["line"] = "automaton"
    assert options.encoding == options.formulation == stage.detail == {"line": "order"}


def test_mappings_cannot_be_changed() -> None:
    mapping: Any = Options(encoding={"line": "order"}).encoding
    changes = [
        lambda: mapping.update(line="automaton"),
        lambda: mapping.setdefault("count", "x"),
        lambda: mapping.pop("line"),
        mapping.popitem,
        mapping.clear,
        lambda: mapping.__setitem__("line", "automaton"),
        lambda: mapping.__delitem__("line"),
        lambda: mapping.__ior__({"line": "automaton"}),
    ]
    for change in changes:
        with pytest.raises(TypeError, match="frozen"):
            change()
    assert mapping == {"line": "order"}
    assert json.loads(json.dumps(mapping)) == {"line": "order"}


def test_results_are_hashable_and_can_be_sent_and_copied() -> None:
    asked = {"backend": "minisat22", "presolve": "none", "encoding": {"line": "automaton"}}
    result = nonosat.check(TWO, **asked)
    assert result.stages
    for value in (result, result.options, *result.stages):
        for same in (pickle.loads(pickle.dumps(value)), copy.deepcopy(value)):
            assert same == value
            assert hash(same) == hash(value)
    sent = pickle.loads(pickle.dumps(result))
    assert (sent.stages, sent.encoding, sent.options) == (
        result.stages,
        result.encoding,
        result.options,
    )
    assert dataclasses.asdict(result)["encoding"]["line"] == "automaton"
    assert len({Options(), Options(encoding={}), Options(encoding={"line": "order"})}) == 2


def test_lists_in_a_result_become_tuples() -> None:
    found = nonosat.check(TWO)
    listed: Any = {"solutions": list(found.solutions), "stages": list(found.stages)}
    assert dataclasses.replace(found, **listed) == found
    assert hash(dataclasses.replace(found, **listed)) == hash(found)


def test_a_limit_ends_the_verification_of_a_goal(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A large goal takes seconds to verify; the verdict is known by then."""

    def for_ever(*_: object) -> str:
        clock.step_s = 1
        while True:
            checkpoint()

    monkeypatch.setitem(vars(nonogram.PLUGIN), "refutation", for_ever)
    puzzle = dataclasses.replace(mono([[1]], [[2]]), goal=nonosat.Grid(1, 1, b"\1"))
    result = nonosat.check(puzzle, time_limit_s=10)
    assert (result.verdict.value, result.warnings) == ("unsolvable", ())
