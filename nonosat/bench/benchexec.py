"""A BenchExec tool-info module: `benchexec` finds it by the name `nonosat.bench.benchexec`.

    <benchmark tool="nonosat.bench.benchexec" timelimit="60s" memlimit="1 GB">
      <rundefinition name="check"><option name="--backend">learn</option></rundefinition>
      <tasks name="pictures"><include>pictures/*.non</include></tasks>
    </benchmark>

The first option may be the command, `solve` or `check` (the default). Each run prints JSON, from
which the result and the columns are read; where a run was cut short, the exit status tells.
The verdicts solved and unique are BenchExec's true, multiple and unsolvable its false, each with
the verdict in brackets, so that a table shows it and an expected verdict can be given as one.
BenchExec is imported when this module is, and by nothing else of this package.

Source: D. Beyer, S. Löwe, P. Wendler, Reliable benchmarking: requirements and solutions, 2019;
doc/tool-integration.md of BenchExec 3.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from benchexec.result import (
    RESULT_DONE,
    RESULT_ERROR,
    RESULT_FALSE_PROP,
    RESULT_TRUE_PROP,
    RESULT_UNKNOWN,
)
from benchexec.tools.template import BaseTool2

COMMANDS = ("solve", "check")
RESULTS: dict[str, str] = {
    "solved": RESULT_TRUE_PROP,
    "unique": f"{RESULT_TRUE_PROP}(unique)",
    "multiple": f"{RESULT_FALSE_PROP}(multiple)",
    "unsolvable": f"{RESULT_FALSE_PROP}(unsolvable)",
    "unknown": RESULT_UNKNOWN,
}
STATUSES = {2: f"{RESULT_ERROR}(input)", 70: f"{RESULT_ERROR}(failure)", 130: "interrupted"}


class Tool(BaseTool2):  # type: ignore[misc]  # BenchExec has no types
    """The interface that BenchExec asks for."""

    def name(self) -> str:
        return "nonosat"

    def executable(self, tool_locator: Any) -> str:
        found: str = tool_locator.find_executable("nonosat")
        return found

    def version(self, executable: str) -> str:
        found: str = self._version_from_tool(executable, line_prefix="nonosat ")
        return found

    def cmdline(
        self, executable: str, options: Sequence[str], task: Any, rlimits: Any
    ) -> list[str]:
        """One puzzle file, JSON, and BenchExec's own limits left to BenchExec."""
        del rlimits
        command, *rest = options if options and options[0] in COMMANDS else ["check", *options]
        return [executable, command, "--json", *rest, "--", *task.input_files]

    def determine_result(self, run: Any) -> str:
        """The verdict that all puzzles of the run share; "done" where they differ."""
        if run.exit_code.signal:
            return f"{RESULT_ERROR}(signal {run.exit_code.signal})"
        if failure := STATUSES.get(run.exit_code.value):
            return failure
        verdicts = {record.get("verdict") for record in _records(run.output)}
        if len(verdicts) == 1:
            return RESULTS.get(str(verdicts.pop()), RESULTS["unknown"])
        return str(RESULT_DONE) if verdicts else RESULTS["unknown"]

    def get_value_from_output(self, output: Any, identifier: str) -> str:
        """A column: a key of the record ("seconds", "backend"), or a counter of a stage."""
        for record in _records(output):
            if identifier in record:
                return str(record[identifier])
            details = (stage.get("detail", {}) for stage in record.get("stages", ()))
            counts = [detail[identifier] for detail in details if identifier in detail]
            if counts and all(isinstance(count, int | float) for count in counts):
                return str(sum(counts))
        return ""


def _records(output: Iterable[str]) -> list[dict[str, Any]]:
    """The JSON objects among the lines; standard error is mixed with them."""
    found = []
    for line in output:
        if line.startswith("{"):
            try:
                found.append(json.loads(line))
            except ValueError:  # cut off
                continue
    return [record for record in found if isinstance(record, dict)]
