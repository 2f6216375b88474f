"""Tool-info module, with BenchExec's own classes and the real command."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from benchexec.tools.template import BaseTool2
from benchexec.util import ProcessExitCode

from helpers.commands import MULTIPLE, UNIQUE, UNSOLVABLE, put
from helpers.processes import PATIENCE_S
from nonosat.bench.benchexec import Tool

__all__ = ["put"]
EXECUTABLE = Path(sys.executable).with_name("nonosat")


def command_line(path: str, *options: str) -> list[str]:
    task = BaseTool2.Task.with_files([path])
    return Tool().cmdline(str(EXECUTABLE), list(options), task, BaseTool2.ResourceLimits())


def finished(command: list[str]) -> BaseTool2.Run:
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    lines = (done.stdout + done.stderr).splitlines(keepends=True)
    code = ProcessExitCode.create(value=done.returncode)
    return BaseTool2.Run(command, code, BaseTool2.RunOutput(lines), None)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("puzzles", "options", "result"),
    [
        ([UNIQUE], [], "true(unique)"),
        ([UNIQUE], ["solve", "--seed", "1"], "true"),
        ([MULTIPLE], ["check"], "false(multiple)"),
        ([UNSOLVABLE], [], "false(unsolvable)"),
        ([UNIQUE, MULTIPLE], [], "done"),
        ([], [], "ERROR(input)"),
        ([UNIQUE], ["--backend", "none-such"], "ERROR(input)"),
    ],
)
def test_results(
    put: Callable[..., str], puzzles: list[dict[str, object]], options: list[str], result: str
) -> None:
    run = finished(command_line(put(*puzzles), *options))
    assert Tool().determine_result(run) == result


def test_values(put: Callable[..., str]) -> None:
    run = finished(command_line(put(UNIQUE), "--presolve", "none", "--backend", "cadical195"))
    tool = Tool()
    assert float(tool.get_value_from_output(run.output, "seconds")) > 0
    assert tool.get_value_from_output(run.output, "backend") == "cadical195"
    assert int(tool.get_value_from_output(run.output, "clauses")) > 0
    assert tool.get_value_from_output(run.output, "none such") == ""


def test_cut_off_or_killed() -> None:
    killed = ProcessExitCode.create(signal=9)
    run = BaseTool2.Run(["nonosat"], killed, BaseTool2.RunOutput(['{"id": "x", "ver']), "walltime")
    assert Tool().determine_result(run) == "ERROR(signal 9)"
    ended = ProcessExitCode.create(value=5)
    run = BaseTool2.Run(["nonosat"], ended, BaseTool2.RunOutput(['{"id": "x", "ver']), None)
    assert Tool().determine_result(run) == "unknown"


def test_tool() -> None:
    tool = Tool()
    locator = BaseTool2.ToolLocator(tool_directory=str(EXECUTABLE.parent))
    found = tool.executable(locator)
    assert Path(found).samefile(EXECUTABLE)
    assert tool.name() == "nonosat"
    assert tool.version(found).startswith("0.")


def test_benchexec_is_not_imported_otherwise() -> None:
    code = "import sys, nonosat.bench.report, nonosat.bench.compare; "
    code += "print([n for n in sys.modules if n.startswith(('benchexec', 'matplotlib'))])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
