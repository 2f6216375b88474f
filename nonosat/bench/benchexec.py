"""BenchExec tool-info module, used by `benchexec` under the name `nonosat.bench.benchexec`.

    <benchmark tool="nonosat.bench.benchexec" timelimit="60s" memlimit="1 GB">
      <rundefinition name="check"><option name="--backend">learn</option></rundefinition>
      <tasks name="pictures"><include>pictures/*.non</include></tasks>
    </benchmark>

The first option may be the command, `solve` or `check` (the default). Each run prints JSON, from
which the result and the columns are read; the result of a terminated run comes from the exit
status. The verdicts solved and unique map to BenchExec's true, multiple and unsolvable to false.
Each but solved is followed by the verdict in brackets, so that tables show it and expected verdicts
can use it. Only this module imports BenchExec.

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
    """The interface that BenchExec requires."""

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
        """Return the command for one puzzle file with JSON output; BenchExec sets the limits."""
        del rlimits
        command, *rest = options if options and options[0] in COMMANDS else ["check", *options]
        return [executable, command, "--json", *rest, "--", *task.input_files]

    def determine_result(self, run: Any) -> str:
        """Return the verdict that all puzzles of the run share; "done" if they differ."""
        if run.exit_code.signal:
            return f"{RESULT_ERROR}(signal {run.exit_code.signal})"
        if failure := STATUSES.get(run.exit_code.value):
            return failure
        verdicts = {record.get("verdict") for record in _records(run.output)}
        if len(verdicts) == 1:
            return RESULTS.get(str(verdicts.pop()), RESULTS["unknown"])
        return str(RESULT_DONE) if verdicts else RESULTS["unknown"]

    def get_value_from_output(self, output: Any, identifier: str) -> str:
        """Return a column: a key of the record ("seconds", "backend"), or a counter of a stage."""
        for record in _records(output):
            if identifier in record:
                return str(record[identifier])
            details = (stage.get("detail", {}) for stage in record.get("stages", ()))
            counts = [detail[identifier] for detail in details if identifier in detail]
            if counts and all(isinstance(count, int | float) for count in counts):
                return str(sum(counts))
        return ""


def _records(output: Iterable[str]) -> list[dict[str, Any]]:
    """Return the JSON objects among the lines, which are mixed with standard error."""
    found = []
    for line in output:
        if line.startswith("{"):
            try:
                found.append(json.loads(line))
            except ValueError:  # truncated
                continue
    return [record for record in found if isinstance(record, dict)]
