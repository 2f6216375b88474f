"""Check by mutants: the tool on a toy, and the short form."""

from __future__ import annotations

import ast
import sys
from functools import cache
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks/trust"))
import mutants
import mutants_native
import mutating
from record import Asked

TOY = """
def larger(a: int, b: int) -> int:
    if a > b:
        return a
    return b


def squared(n: int) -> int:
    total = 0
    for _ in range(n):
        total += n
    while total < 0:
        total += 1
    return total


def unused() -> bool:
    return True
"""
TESTS = """
import subprocess
from toy import larger, squared

def test_larger():
    assert larger(1, 2) == 2
    assert larger(3, 2) == 3

def test_squared():
    assert squared(3) == 9
"""


def toy(folder: Path, tests: str = TESTS) -> dict[str, object]:
    (folder / "tests").mkdir()
    (folder / "toy.py").write_text(TOY)
    (folder / "tests/test_toy.py").write_text(tests)
    target = mutants.Target(("toy",), ("test_toy.py",))
    return mutants.tried(target, 99, 0, folder)


@pytest.mark.thorough
def test_mutants_that_tests_notice_are_killed_and_holes_are_found(tmp_path):
    found = toy(tmp_path)
    outcome = {(m["line"], m["before"], m["after"]): m["outcome"] for m in found["tried"]}
    assert outcome[3, "a > b", "a <= b"] == "killed"
    assert outcome[3, "a > b", "a >= b"] == "survived"  # the larger of two equals is either
    assert outcome[4, "return a", "return None"] == "killed"
    assert outcome[11, "total += n", "total -= n"] == "killed"
    assert outcome[12, "total < 0", "total <= 0"] == "survived"  # no test begins with 0
    assert outcome[18, "True", "False"] == "untouched"
    assert len(found["tried"]) == found["mutants"] == len(outcome)

    figures = mutants.judged(found, {})
    complaints = [*mutants.complaints("toy", figures)]
    assert figures["killed"] < figures["tried"]
    assert any("line 3" in each and "'a >= b'" in each for each in complaints)
    assert "killed, expected 90%" in complaints[-1]
    place = ("toy.py", "larger", "if a > b:", "a > b", "a >= b")
    why = "the larger of two equals is either"
    known = mutants.judged(found, {place: mutants.Known(why)})
    assert len([*mutants.complaints("toy", known)]) == len(complaints) - 1
    assert known["share"] == known["share_of_all"] == figures["share"]

    without = mutants.judged(found, {place: mutants.Known(why, equivalent=True)})
    assert (without["equivalent"], known["equivalent"]) == (1, 0)
    assert without["share_of_all"] == figures["share"]
    assert without["share"] == mutants.share(figures["killed"], figures["tried"] - 1)
    assert [each["reason"] for each in without["survivors"] if each["equivalent"]] == [why]


@pytest.mark.slow
def test_tests_that_fail_without_a_mutant_are_refused(tmp_path):
    with pytest.raises(RuntimeError, match="a test fails without a mutant"):
        toy(tmp_path, TESTS.replace("== 9", "== 8"))


def test_every_change_of_a_module_can_be_made():
    source = Path(mutants.ROOT / "nonosat/core/model.py").read_text()
    every = mutating.mutants(source)
    assert len(every) > 60
    assert all(each.before != each.after for each in every)
    for each in every[:: len(every) // 20]:
        assert mutating.mutated(source, each, "model.py").co_qualname == each.function
    assert ast.parse(source)


def test_changes_of_native_files_are_tokens_of_code():
    every = list(mutants_native.changes(mutants_native.CORE / "proof/check.cpp"))
    assert len(every) > 200
    for each in every:
        line = each.file.read_text().splitlines()[each.line - 1]
        assert line[each.column :].startswith(each.before)
        assert "//" not in line[: each.column]
        changed = mutants_native.source_of(each).splitlines()
        assert changed[each.line - 1] != line


def test_targets_name_existing_files():
    for target in mutants.TARGETS.values():
        for pattern in target.modules:
            assert mutants.modules([pattern]), pattern
        assert all((mutants.ROOT / "tests" / n.split("::")[0]).exists() for n in target.tests)
    for target in mutants_native.TARGETS.values():
        assert all([*mutants_native.CORE.glob(pattern)] for pattern in target.files)
        assert all((mutants_native.PROGRAMS / f"{n}.cpp").exists() for n, *_ in target.programs)


@pytest.mark.slow
def test_reasons_are_of_mutants_that_there_are():
    @cache
    def lines_of(file):
        return [each.strip() for each in (mutants.ROOT / file).read_text().splitlines()]

    @cache
    def mutants_of(file):
        every = mutating.mutants((mutants.ROOT / file).read_text())
        return {(m.function, lines_of(file)[m.line - 1], m.before, m.after) for m in every}

    for file, function, line, before, after in mutants.known():
        if file.endswith(".py"):
            assert (function, line, before, after) in mutants_of(file), (file, line, before)
        else:
            assert function in lines_of(file), (file, function)


@pytest.mark.slow
def test_the_short_form_finds_no_hole():
    figures = mutants.check(Asked(short=True, seed=0))
    assert figures["failures"] == []
    assert figures["checked"] == {"mutants, short": 12}
