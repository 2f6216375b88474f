"""Model counters of other packages: contract, agreement with ours, limits, missing packages."""

from __future__ import annotations

from typing import Any

import pytest

import nonosat
from helpers.commands import MULTIPLE, put, run
from nonosat.core import plugins
from nonosat.core.errors import UnsupportedError
from nonosat.core.result import Options
from nonosat.counters import zdd
from nonosat.questions import other_counters
from nonosat.questions.other_counters import is_installed
from nonosat.solving.problem import Problem
from nonosat.testing import check_plugin
from nonosat.testing import plugins as testing_plugins
from nonosat.testing.fuzzing.reach import ReachFilter, arms

__all__ = ["put"]  # a fixture

COLOURS = {"a": "red", "b": "blue"}
MODULES = {"ganak": "pyganak", "d4": "py_d4", "zdd": "graphillion"}
PUZZLES = {
    "several": nonosat.nonogram([[None], [2], [1, 1], [2]], [[None, 1], [None], [None], [None]]),
    "colours": nonosat.from_picture(["a..b..", ".a..b.", "..a..b"], colours=COLOURS),
    "none": nonosat.nonogram([[1, 1], [1], [2], [1]], [[1, 1], [2], []]),
    "queens": nonosat.Queens(6),
    "slitherlink": nonosat.slitherlink(["3..", "..."]),
    "tours": nonosat.Knight(3, 4),
    "closed tours": nonosat.Knight(3, 10, closed=True),
    "open": nonosat.loads('{"rows": ["*", "2+"], "columns": ["1 *", "1", "?"]}'),
}
LOOPS = ("slitherlink", "tours", "closed tours")
each_counter = pytest.mark.parametrize("name", plugins.names("counters"))


def needed(name: str) -> None:
    pytest.importorskip(MODULES[name], reason=f"the counter {name} is not installed")


@pytest.mark.slow
@each_counter
def test_counters_keep_their_contract(name: str) -> None:
    needed(name)
    check_plugin(name, "counters")


@each_counter
@pytest.mark.parametrize("puzzle", PUZZLES)
def test_counters_agree_with_ours(name: str, puzzle: str) -> None:
    needed(name)
    asked: Any = PUZZLES[puzzle]
    if plugins.find("counters", name).count_loops and puzzle not in (*LOOPS, "none"):
        with pytest.raises(UnsupportedError, match="zdd counts loops only, expected a Slitherlink"):
            nonosat.count(asked, backend=name)
        return
    found = nonosat.count(asked, backend=name)
    assert (found.count, found.is_exact) == (nonosat.count(asked).count, True)
    if found.count:
        assert found.stages[-1].detail == {"engine": name}


@each_counter
def test_a_limit_ends_a_counter(name: str) -> None:
    needed(name)
    board: Any = nonosat.nonogram([[1, 1, 1]] * 40, [[1, 1, 1]] * 40)
    if plugins.find("counters", name).count_loops:
        board = nonosat.slitherlink(["." * 20] * 20)
    found = nonosat.count(board, backend=name, time_limit_s=1.0)
    assert not found.is_exact
    assert found.reason


def test_missing_packages_and_unknown_names_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle: Any = PUZZLES["queens"]
    with pytest.raises(UnsupportedError, match=r"no counter is called 'gnak' .* d4, ganak, zdd"):
        nonosat.count(puzzle, backend="gnak")
    monkeypatch.setattr(other_counters, "is_installed", lambda _: False)
    with pytest.raises(UnsupportedError, match="pip install pyganak"):
        nonosat.count(puzzle, backend="ganak")


def test_classes_of_solutions_are_ours_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(other_counters, "is_installed", lambda _: True)
    with pytest.raises(UnsupportedError, match="counts no classes"):
        nonosat.count(nonosat.Queens(6), backend="ganak", up_to_symmetry=True)


def test_loops_with_constraints_on_other_variables_are_refused() -> None:
    loop = nonosat.Loop(3, ((0, 1, 1), (1, 2, 2), (2, 0, 3)))
    model = nonosat.Model(4, clauses=(nonosat.Clause((1, 4)),), loops=(loop,))
    with pytest.raises(UnsupportedError, match="variable 4 is none"):
        zdd.count_loops(model)
    parallel = nonosat.Loop(2, ((0, 1, 1), (0, 1, 2)))
    with pytest.raises(UnsupportedError, match="simple graphs"):
        zdd.count_loops(nonosat.Model(2, loops=(parallel,)))


@pytest.mark.parametrize("wrong", [lambda _: 1, lambda _: 0, lambda _: None])
def test_a_wrong_counter_of_loops_is_found(wrong: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    record = plugins.ModelCounter(summary="wrong", needs="nothing", count_loops=wrong)
    monkeypatch.setattr(
        testing_plugins, "_counted", lambda _, function, pieces: [function(*one) for one in pieces]
    )
    with pytest.raises(AssertionError, match=r"it counts [01], expected|it refuses every loop"):
        check_plugin(record, "counters", name="wrong")


def test_a_counter_has_one_function() -> None:
    record = plugins.ModelCounter(summary="neither", needs="nothing")
    with pytest.raises(AssertionError, match="both or none of count_models and count_loops"):
        check_plugin(record, "counters", name="neither")


def negative(*_: object) -> int:
    return -1


def test_a_wrong_answer_of_another_type_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = plugins.ModelCounter(summary="wrong", needs="nothing", count_models=negative)
    monkeypatch.setattr(other_counters, "require", lambda _: wrong)
    with pytest.raises(nonosat.BackendError, match="wrong returned -1"):
        other_counters.count_by("wrong", Problem(nonosat.Queens(4), Options()))


def test_the_command_takes_a_counter_and_fuzzing_covers_those_installed(put: Any) -> None:
    installed = {name for name, one in plugins.names("counters").items() if is_installed(one)}
    every = arms("nonogram", ("line",), ReachFilter(), False)
    covered = {arm.get("backend") for arm in every if arm.get("question") == "count"}
    assert covered == {None, *(installed - {"zdd"})}
    loops = arms("slitherlink", ("count", "loop"), ReachFilter(), False)
    covered = {arm.get("backend") for arm in loops if arm.get("question") == "count"}
    assert covered == {None, *installed}
    for name in installed - {"zdd"}:
        done = run("count", put(MULTIPLE), "--backend", name)
        assert done.exit_code == 0
        assert ": 2 solutions" in done.stdout
    refused = run("count", put(MULTIPLE), "--backend", "nothing")
    assert (refused.exit_code, "no counter is called 'nothing'" in refused.stderr) == (2, True)
