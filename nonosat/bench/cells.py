"""Table of instances and configurations, with one cell per pair for all repetitions.

A cell is the median run of its repetitions, the slower one of the middle two: it is solved if more
than half of them are. One wrong repetition makes it wrong. Linear in the number of runs, apart from
sorting the repetitions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from nonosat.bench.judge import Judgement
from nonosat.bench.records import Run, Status
from nonosat.bench.results import Results
from nonosat.bench.statistics import par2

SECONDS = {"cpu": "cpu_s", "wall": "wall_s"}


class Cell(NamedTuple):
    """The median run of an instance and a configuration.

    Args:
        status: Status of the median run; wrong if any repetition was wrong.
        seconds: Seconds of the median run, solved or not.
        score: PAR-2 score of the median run, in seconds.
        peak_mib: Memory of the median run.
        run: Index of the median run in `Results.runs`.
        runs: Indices of the runs of all repetitions.
    """

    status: Status
    seconds: float
    score: float
    peak_mib: float
    run: int
    runs: tuple[int, ...]

    @property
    def is_solved(self) -> bool:
        return self.status is Status.OK


@dataclass(frozen=True, slots=True)
class CellTable:
    """The cells of all instances and configurations.

    Args:
        kind: Kind of seconds, "cpu" or "wall".
        limit_s: The limit on them, for scores and plots.
        configurations: Names in the order of the suite.
        instances: Hashes in the order of the suite.
        cells: By instance and configuration; a pair that did not run has none.
        wrong: Configurations that gave a wrong answer.
    """

    kind: str
    limit_s: float
    configurations: Sequence[str]
    instances: Sequence[str]
    cells: Mapping[str, Mapping[str, Cell]]
    wrong: frozenset[str]

    def column(self, configuration: str) -> dict[str, Cell]:
        """Return a configuration's cells by instance."""
        return {
            instance: row[configuration]
            for instance, row in self.cells.items()
            if configuration in row
        }


def tabulate(results: Results, judgement: Judgement, kind: str) -> CellTable:
    """Return the table of all runs.

    Args:
        results: The runs.
        judgement: Judged statuses of the runs.
        kind: "cpu" or "wall".
    """
    limits = results.header.limits
    limit_s = (limits.cpu_s or limits.wall_s) if kind == "cpu" else limits.wall_s
    groups: dict[str, dict[str, list[int]]] = {}
    for index, run in enumerate(results.runs):
        groups.setdefault(run.sha256, {}).setdefault(run.configuration, []).append(index)
    cells = {
        instance: {
            name: _cell(results.runs, judgement.statuses, indices, SECONDS[kind], limit_s)
            for name, indices in row.items()
        }
        for instance, row in groups.items()
    }
    names = dict.fromkeys(run.configuration for run in results.runs)
    order = list(results.header.configurations)
    ranked = sorted(names, key=lambda name: order.index(name) if name in order else len(order))
    return CellTable(kind, limit_s, ranked, list(cells), cells, frozenset(judgement.num_wrong))


def _cell(
    runs: Sequence[Run],
    statuses: Sequence[Status],
    indices: Sequence[int],
    field: str,
    limit_s: float,
) -> Cell:
    scored = []
    for index in indices:
        seconds = float(getattr(runs[index], field))
        scored.append((par2(statuses[index] is Status.OK, seconds, limit_s), seconds, index))
    scored.sort()
    score, seconds, index = scored[len(scored) // 2]
    status = statuses[index]
    if any(statuses[other] is Status.WRONG for other in indices):
        status, score = Status.WRONG, 2 * limit_s
    return Cell(status, seconds, score, runs[index].peak_mib, index, tuple(indices))
