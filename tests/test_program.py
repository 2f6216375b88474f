"""Solvers that are programs: Kissat, Debian's packages, and scripts that misbehave."""

from __future__ import annotations

import shutil
import signal
import stat
import subprocess
import sys
from importlib.metadata import files
from pathlib import Path

import pytest

import nonosat
from helpers.clocks import Clock
from helpers.processes import (
    PATIENCE_S,
    all_ended,
    children_of,
    happens,
    interruptible,
)
from nonosat.backends.program import open_engine
from nonosat.core.errors import BackendError, UnsupportedError
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import Count
from nonosat.core.plugins import Answer
from nonosat.core.result import Verdict
from nonosat.puzzles.nonogram import Nonogram, from_grid, mono
from nonosat.testing import oracles

ONES = mono([[1]] * 4, [[1]] * 4)  # 24 permutations


def kissat() -> str:
    """The program in the package passagemath-kissat."""
    (path,) = (file.locate() for file in files("passagemath-kissat") or () if file.name == "kissat")
    return str(path)


def fake(folder: Path, body: str) -> str:
    """Return a command that runs a Python script."""
    script = folder / "solver"
    script.write_text(f"#!{sys.executable}\nimport os, signal, sys, time\n{body}\n")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return str(script)


def solved(command: str, clauses: list[list[int]], num_vars: int, watch: Watch | None = None):
    """Return (answer, values) of one solve."""
    engine = open_engine(f"program:{command}", num_vars, 7, {})
    for clause in clauses:
        engine.add(clause)
    answer = engine.solve((), watch or Watch(Limits()))
    return answer, engine.values()


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments", ["-q --time={seconds} --seed={seed} {cnf}", "", "{cnf} --quiet"]
)
def test_kissat_enumerates_a_puzzle(arguments: str) -> None:
    backend = f"program:{kissat()} {arguments}".strip()
    options = {"backend": backend, "presolve": "none", "max_solutions": None}
    result = nonosat.solve(ONES, **options)
    assert {grid.cells for grid in result.solutions} == oracles.solutions(ONES)
    assert result.backend == backend
    assert result.stages[-1].detail == {"engine": backend, "runs": 25}


@pytest.mark.parametrize("encoding", ["order", "automaton", "log"])
def test_kissat_refutes(encoding: str) -> None:
    puzzle = mono([[1], [2], [1]], [[2], [1], [1]])
    backend = f"program:{kissat()} -q {{cnf}}"
    result = nonosat.check(puzzle, backend=backend, presolve="none", encoding={"line": encoding})
    expected = {0: "unsolvable", 1: "unique", 2: "multiple"}[len(oracles.solutions(puzzle, 2))]
    assert result.verdict.value == expected


@pytest.mark.parametrize("command", ["cadical -q {cnf}", "minisat {cnf} {out}", "minisat {cnf}"])
def test_programs_of_debian(command: str) -> None:
    if shutil.which(command.split()[0]) is None:
        pytest.skip(f"Debian's {command.split()[0]} is not installed")
    if "{out}" in command or "cadical" in command:
        assert len(nonosat.solve(ONES, backend=f"program:{command}", max_solutions=None).solutions)
    else:
        with pytest.raises(BackendError, match=r"no values, expected .* a result file \{out\}"):
            nonosat.solve(ONES, backend=f"program:{command}", presolve="none")


def test_assumptions_hold_for_one_solve() -> None:
    engine = open_engine(f"program:{kissat()} -q", 2, 0, {})
    engine.add([1, 2])
    watch = Watch(Limits())
    assert engine.solve([-1], watch) is Answer.SAT
    assert engine.values() == b"\0\0\1"
    assert engine.solve([-1, -2], watch) is Answer.UNSAT
    assert engine.values() == b""
    assert engine.solve((), watch) is Answer.SAT


def test_the_formula_and_the_placeholders_of_a_program(tmp_path: Path) -> None:
    command = fake(
        tmp_path,
        f"text = open(sys.argv[1]).read()\n"
        f"open({str(tmp_path / 'seen')!r}, 'w').write(text + repr(sys.argv[2:]))\n"
        "print('s SATISFIABLE'); print('v 1 -2'); print('v 0'); sys.exit(10)",
    )
    words = "{cnf} t={seconds} {seed} {memory_mib} 'a b' $HOME;ls"
    answer = solved(f"{command} {words}", [[1, 2], [-2]], 2, Watch(Limits(3.2, 100_000)))
    assert answer == (Answer.SAT, b"\0\1\0")
    seen = (tmp_path / "seen").read_text()
    assert seen.startswith("p cnf 2 2\n1 2 0\n-2 0\n")
    assert seen.endswith("['t=4', '7', '100000', 'a b', '$HOME;ls']")


SAT = "print('s SATISFIABLE')\n"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("sys.exit(3)", r"gave no answer \(exit status 3\)"),
        ("print('hello')", r"gave no answer \(exit status 0\)"),
        (SAT + "sys.exit(20)", "contradicts itself: sat and unsat"),
        ("print('s PERHAPS')", "gave the status 'PERHAPS'"),
        (SAT, "gave no values, expected lines 'v'"),
        (SAT + "print('v 1 -2')", "values that are not ended by one 0"),
        (SAT + "print('v 1 0 2 0')", "values that are not ended by one 0"),
        (SAT + "print('v 1 x 0')", "values that are not numbers"),
        (SAT + "print('v 1 -1 0')", "gave variable 1 two values"),
        (SAT + "print('v 3 0')", "gave a value to 3, but there are 2"),
        (SAT + "print('v', 10**30, 0)", "gave a value to 1000000"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "died of SIGSEGV"),
        ("print('oh no', file=sys.stderr); sys.exit(1)", r"exit status 1.* \(oh no\)"),
        ("while True: print('c noise ' * 1000)", r"printed more than \d+ bytes; make it quiet"),
    ],
)
def test_invalid_answers_are_errors(tmp_path: Path, body: str, message: str) -> None:
    with pytest.raises(BackendError, match=message):
        solved(fake(tmp_path, body), [[1, 2]], 2)


def test_a_wrong_model_is_refuted(tmp_path: Path) -> None:
    command = fake(tmp_path, SAT + "print('v 1 2 3 4 0')")
    with pytest.raises(BackendError, match=r"program.* gave a solution that the clues refute"):
        nonosat.solve(mono([[1], [1]], [[1], [1]]), backend=f"program:{command}", presolve="none")


@pytest.mark.parametrize(
    "body", ["time.sleep(60)", "signal.signal(15, lambda *_: 0)\ntime.sleep(60)"]
)
def test_a_program_that_hangs_is_killed_with_its_children(
    clock: Clock, tmp_path: Path, body: str
) -> None:
    pids = tmp_path / "pids"
    spawn = f"child = os.fork()\nopen({str(pids)!r}, 'a').write(f'{{os.getpid()}} ')\n"
    program = fake(tmp_path, spawn + body)

    pids.write_text("")

    def let_time_pass() -> None:
        happens(tmp_path, lambda: len(pids.read_text().split()) == 2)
        clock.advance(60)

    with clock.then(let_time_pass):
        assert solved(program, [[1]], 1, Watch(Limits(60))) == (Answer.UNKNOWN, b"")
    running = [int(pid) for pid in pids.read_text().split()]
    assert len(running) == 2
    assert all_ended(running)


def test_a_program_that_grows_is_stopped(tmp_path: Path) -> None:
    command = fake(tmp_path, "x = b'1' * 300_000_000\ntime.sleep(600)")
    watch = Watch(Limits(PATIENCE_S, 200))
    assert solved(command, [[1]], 1, watch)[0] is Answer.UNKNOWN
    assert watch.reason() == "memory limit of 200 MiB"


def test_ctrl_c_and_the_end_of_the_parent_end_the_program(tmp_path: Path) -> None:
    command = fake(tmp_path, f"open({str(tmp_path / 'up')!r}, 'w').write('x')\ntime.sleep(60)")
    script = (
        "from nonosat.backends.program import open_engine\n"
        "from nonosat.core.limits import Limits, Watch\n"
        f"open_engine('program:{command}', 1, 0, {{}}).solve((), Watch(Limits()))"
    )
    for how in (signal.SIGINT, signal.SIGKILL):
        (tmp_path / "up").unlink(missing_ok=True)
        with interruptible(), subprocess.Popen([sys.executable, "-c", script], stderr=-3) as parent:
            assert happens(tmp_path, (tmp_path / "up").exists)
            programs = children_of(parent.pid)
            assert programs
            parent.send_signal(how)
            parent.wait(PATIENCE_S)
        assert all_ended(programs)


def test_nothing_is_left_in_the_folder_of_temporary_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    before = len(list(Path("/proc/self/fd").iterdir()))
    assert solved(f"{kissat()} -q {{cnf}}", [[1]], 1)[0] is Answer.SAT
    assert not list(tmp_path.iterdir())
    assert len(list(Path("/proc/self/fd").iterdir())) == before


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("program", "program needs a command"),
        ("program:", "program needs a command"),
        ("program:no-such-solver {cnf}", "no program 'no-such-solver' was found in "),
        ("program:./nothing/here", "was found as a file"),
        ("program:kissat 'unclosed", "No closing quotation"),
        (f"program:{sys.executable} {{file}}", r"program has \{file\} in its command, expected of"),
    ],
)
def test_commands_that_are_refused_before_any_work(name: str, message: str) -> None:
    with pytest.raises(UnsupportedError, match=message):
        nonosat.check(ONES, backend=name)


def test_missing_capabilities_of_a_program_are_named() -> None:
    engine = open_engine(f"program:{kissat()}", 2, 0, {})
    assert not engine.set_phases([1])
    with pytest.raises(UnsupportedError, match="takes no Count"):
        engine.constrain(Count((1, 2), 0, 1))
    with pytest.raises(UnsupportedError, match="keeps to no budget"):
        engine.solve((), Watch(Limits()), 100)
    with pytest.raises(UnsupportedError, match="takes no hints"):
        nonosat.check(ONES, backend=f"program:{kissat()}", presolve="none", hints="beliefs")


def test_a_program_that_gives_up_has_hit_no_limit_of_ours(tmp_path: Path) -> None:
    for body in (
        "print('s UNKNOWN')",
        "print('INDETERMINATE')",
        "open(sys.argv[1], 'w').write('INDET')",
    ):
        command = f"{fake(tmp_path, body)} {{out}}"
        result = nonosat.check(ONES, backend=f"program:{command}", presolve="none")
        assert result.verdict is Verdict.UNKNOWN
        assert result.reason == f"a limit of its own: {command.split()[0]} gave up"


def test_a_time_limit_of_a_hard_puzzle_holds(clock: Clock) -> None:
    clock.step_s = 0.02
    import random

    rng = random.Random(1)
    cells = bytes(rng.random() < 0.5 for _ in range(6400))
    puzzle: Nonogram = from_grid(nonosat.Grid(80, 80, cells))
    result = nonosat.solve(puzzle, backend=f"program:{kissat()} -q {{cnf}}", time_limit_s=0.5)
    assert result.reason == "time limit of 0.5 s"
