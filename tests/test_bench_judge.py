"""Comparison of verdicts: which is wrong, and the command that reproduces it."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from helpers import recorded
from helpers.recorded import digest, failed, header, one
from nonosat.batch import fingerprint
from nonosat.bench import again
from nonosat.bench.judge import Judgement, judge
from nonosat.bench.records import Header, Run, Status
from nonosat.bench.results import load
from nonosat.core.errors import FormatError, UnsupportedError
from nonosat.core.result import Verdict

FIRST, SECOND = ("#.", ".#"), (".#", "#.")


def judged(tmp_path: Path, *runs: Run, head: Header | None = None) -> Judgement:
    return judge(load([recorded.write(tmp_path / "r.jsonl", runs, head)]))


def test_all_right(tmp_path: Path) -> None:
    found = judged(tmp_path, *(one(name) for name in recorded.NAMES))
    assert not found.wrong
    assert not found.disputes
    assert set(found.statuses) == {Status.OK}


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        ({"verdict": Verdict.UNSOLVABLE, "solutions": ()}, "a verified solution refutes"),
        ({"verdict": Verdict.UNIQUE, "solutions": (FIRST,)}, "two verified solutions refute"),
        ({"verdict": Verdict.UNIQUE, "solutions": (), "count": 1}, "it counts 1, but 2"),
    ],
)
def test_solutions_of_others_refute(tmp_path: Path, claim: dict[str, Any], reason: str) -> None:
    """One configuration found two solutions, which refutes the claim of another."""
    right = one("order", verdict=Verdict.MULTIPLE, solutions=(FIRST, SECOND))
    found = judged(tmp_path, right, one("direct", **claim), head=header(max_solutions=None))
    assert found.statuses == [Status.OK, Status.WRONG]
    assert found.num_wrong == {"direct": 1}
    assert reason in found.wrong[0].reason


def test_solutions_of_different_runs_add_up(tmp_path: Path) -> None:
    found = judged(tmp_path, one("order", solutions=(FIRST,)), one("direct", solutions=(SECOND,)))
    assert found.statuses == [Status.WRONG, Status.WRONG]


def test_digests_are_evidence_without_pictures(tmp_path: Path) -> None:
    right = one("order", verdict=Verdict.MULTIPLE, solutions=(), digests=("a", "b"))
    found = judged(tmp_path, right, one("direct", solutions=(), digests=("a",)))
    assert found.statuses == [Status.OK, Status.WRONG]
    same = judged(tmp_path, one("order"), one("direct", solutions=(), digests=(same_as_order(),)))
    assert not same.wrong


def same_as_order() -> str:
    """Return the digest of the picture that `one` finds."""
    return fingerprint.digest(one("order").solutions[0])


def test_solutions_that_did_not_hold_are_no_evidence(tmp_path: Path) -> None:
    liar = one("order", status=Status.WRONG, solutions=(FIRST,), reason="row 1 is broken")
    none = one("direct", verdict=Verdict.UNSOLVABLE, solutions=())
    found = judged(tmp_path, liar, none)
    assert found.statuses == [Status.WRONG, Status.OK]
    assert found.wrong[0].reason == "row 1 is broken"


def test_index(tmp_path: Path) -> None:
    says = one("order", expected=Verdict.MULTIPLE)
    assert "index states multiple" in judged(tmp_path, says).wrong[0].reason
    refuted = one("order", expected=Verdict.UNSOLVABLE)
    found = judged(tmp_path, refuted)
    assert not found.wrong
    assert "the index states unsolvable, which verified solutions refute" in found.disputes[0]


def test_an_interrupted_count_is_not_wrong(tmp_path: Path) -> None:
    stopped = one("order", verdict=Verdict.SOLVED, count=1, solutions=(FIRST,))
    other = replace(stopped, configuration="direct", configuration_sha256=digest("direct"))
    other = replace(other, solutions=(SECOND,))
    assert not judged(tmp_path, stopped, other, head=header(max_solutions=1)).wrong


def test_disputes(tmp_path: Path) -> None:
    """Without solutions to show, no configuration can be called wrong."""
    runs = [
        one("order", verdict=Verdict.UNSOLVABLE, solutions=()),
        one("direct", verdict=Verdict.UNIQUE, solutions=()),
        one("order", "b#1", verdict=Verdict.MULTIPLE, solutions=(), count=7),
        one("direct", "b#1", verdict=Verdict.MULTIPLE, solutions=(), count=10**400),
    ]
    found = judged(tmp_path, *runs)
    assert not found.wrong
    assert found.disputes == [
        "a.jsonl#1: unsolvable by order; unique by direct",
        f"b#1: 7 by order; 1{'0' * 39}... (401 digits) by direct",
    ]


def test_smallest_wrong_answer_is_shown(tmp_path: Path) -> None:
    wrong = [one("order", f"a#{n}", status=Status.WRONG, size=(n, n)) for n in (9, 4, 7)]
    found = judged(tmp_path, *wrong, failed("direct", "a#4", Status.CRASH))
    assert found.num_wrong == {"order": 3}
    assert found.wrong[0].command == (
        "nonosat check 'suites/a#4' --backend cadical195 --encoding line=order"
    )


# Commands


def command(options: dict[str, Any], run: Run | None = None, **changed: Any) -> str:
    run = run or one("order")
    head = header(**changed)
    options = {**options, "sha256": run.configuration_sha256}
    return again.command(replace(head, configurations={"order": options}), run)


def test_command_of_the_pipeline() -> None:
    options = {"backend": "auto", "presolve": "none", "hints": "none", "redundant": ["totals"]}
    options["encoding"] = {"line": "order", "count": "totalizer"}
    text = command(options, one("order", "x y.jsonl#a'b", seed=7), task="solve")
    assert shlex.split(text) == [
        *("nonosat", "solve", "suites/x y.jsonl#a'b", "--backend", "auto", "--presolve", "none"),
        *("--hints", "none", "--encoding", "line=order", "--encoding", "count=totalizer"),
        *("--redundant", "totals", "--seed", "7"),
    ]


def test_command_of_the_counter_and_of_counts() -> None:
    assert command({"backend": "count", "seed": 0}, task="count", max_solutions=None) == (
        "nonosat count 'suites/a.jsonl#1'"
    )
    counted = one("order", count=5)
    text = command({"backend": "auto"}, counted, task="count", max_solutions=None)
    assert text == "nonosat solve 'suites/a.jsonl#1' --max-solutions 6 --backend auto"


def test_command_of_a_program() -> None:
    options = {"program": ["pbnsolve", "-u", "{non}", "-s{seed}"], "stdin": None}
    assert command(options) == (
        "nonosat convert 'suites/a.jsonl#1' puzzle.non --to non && pbnsolve -u puzzle.non -s0"
    )
    assert command({"program": ["mine"], "stdin": "g"}) == (
        "nonosat convert 'suites/a.jsonl#1' puzzle.g --to g && mine < puzzle.g"
    )


def test_commands_of_folders_and_random_pictures() -> None:
    text = command({}, one("order", "$SETS/a b.jsonl#1"))
    assert text == "nonosat check \"$SETS\"/'a b.jsonl#1'"
    noise = command({}, one("order", "noise:5x6,density=0.5,seed=3"))
    assert noise.startswith("python -c 'from nonosat.bench.instances import")
    assert "Noise(5, 6, 0.5, (3,), 1)" in noise
    assert noise.endswith(" | nonosat check -")


def test_command_is_harmless() -> None:
    text = command({"backend": "x; rm -rf ~"}, one("order", "a\x1b[2J$(reboot)\n#1"))
    assert text.isprintable()
    words = shlex.split(text)
    assert words[:2] == ["nonosat", "check"]
    assert words[3:] == ["--backend", "x; rm -rf ~"]


# Files


def test_other_tasks_are_left_out(tmp_path: Path) -> None:
    head = header(task="solve")
    one_file = recorded.write(tmp_path / "a.jsonl", [one("order")], head)
    other = recorded.write(tmp_path / "b.jsonl", [one("order"), one("direct")])
    found = load([one_file, other])
    assert len(found.runs) == 2
    assert "1 run of another task or under other limits left out" in found.remarks[0]


def test_labels(tmp_path: Path) -> None:
    """Distinguish other options under one name, and the same run in two files."""
    changed = replace(one("order", "b#1"), configuration_sha256=digest("changed"))
    first = recorded.write(tmp_path / "a.jsonl", [one("order"), changed, one("direct")])
    second = recorded.write(tmp_path / "b.jsonl", [one("direct"), one("order", "c#1")])
    names = [run.configuration for run in load([first, second]).runs]
    assert names == ["order", "order (2)", f"direct @ {first}", f"direct @ {second}", "order"]


@pytest.mark.parametrize(
    "broken",
    [
        {"cpu_s": "fast"},
        {"cpu_s": float("nan")},
        {"wall_s": None},
        {"reason": 7},
        {"solutions": ((3,),)},
        {"digests": (3,)},
        {"statistics": []},
        {"session": 9},
    ],
)
def test_broken_records_are_refused(tmp_path: Path, broken: dict[str, Any]) -> None:
    path = recorded.write(tmp_path / "r.jsonl", [one("order", **broken)])
    with pytest.raises(FormatError, match=r"r\.jsonl:2: .*expected|a header of it above"):
        load([path])


def test_no_runs(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError, match="no runs in"):
        load([recorded.write(tmp_path / "r.jsonl", [])])
