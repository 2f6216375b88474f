"""D4, which compiles a formula to a decision-DNNF and counts in it.

It prints on standard output, which the child process stores in a file, and takes a projection only
from a DIMACS file. It reads an empty projection as none, so that a new variable is shown then, and
refuses the empty clause.

Source: Lagniez, Marquis, "An improved decision-DNNF compiler" (IJCAI 2017).
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from nonosat.core.plugins import ModelCounter
from nonosat.processes.programs import Scratch


def count_models(num_vars: int, clauses: Sequence[Sequence[int]], shown: Sequence[int]) -> int:
    """Return the number of assignments of the shown variables that a model extends."""
    import py_d4

    if not all(clauses):
        return 0
    if not shown:
        num_vars += 1
        clauses, shown = [*clauses, [num_vars]], [num_vars]
    with Scratch(1) as files:
        with os.fdopen(os.dup(files.fds[0]), "w") as stream:
            stream.write(f"p cnf {num_vars} {len(clauses)}\n")
            stream.write(f"c p show {' '.join(map(str, shown))} 0\n")
            stream.writelines(f"{' '.join(map(str, clause))} 0\n" for clause in clauses)
        return int(py_d4.Solver(files.paths[0]).count().getIntResult())


PLUGIN = ModelCounter(
    summary="D4, by compilation to a decision-DNNF", needs="d4Solver", count_models=count_models
)
