"""Compares solvers of the lines' relaxation: `python benchmarks/native/relaxation.py [PUZZLE...]`.

Each computes the maximum number of cells in which another solution differs, or the existence of
one, after the puzzle has been propagated to its line fixpoint:

    prices      native prices (`nonosat.board.prices`), to the least distance of two solutions
    glop, pdlp  the linear program over the lines' graphs, by the simplex method, and by a
                first-order method
    flow        CP-SAT on the formulation `flow`, one solution forbidden, and its whole relaxation
    flow-most   the same, maximising the difference of the solution
    flow-own    the same as `flow`, with the relaxation that CP-SAT chooses itself
    automaton   CP-SAT on its default formulation, one solution forbidden

PUZZLE is FILE#ID, or domino-N for a staircase of N dominoes. `--limit S` is the wall time of one
solver; `--solvers NAME...` selects some; `--record FILE` writes the figures. Seconds are CPU
seconds.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from time import process_time
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))
from common import BUNDLED, Figures, surroundings
from ortools.linear_solver.python import model_builder
from ortools.sat.python import cp_model

import nonosat
from nonosat.board import prices
from nonosat.board.flow import flow_of
from nonosat.board.presolve import PresolvedModel, Reduced
from nonosat.core import plugins
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import TRUE, Line
from nonosat.formulations import Context
from nonosat.generate.structured import staircase
from nonosat.puzzles.nonogram import Nonogram, build, from_grid

PUZZLES = [
    *(f"domino-{steps}" for steps in (8, 10, 12, 14, 20, 30)),
    *(f"{BUNDLED}/hard.jsonl#{name}" for name in ("steps-10", "triangles-24")),
    *(f"{BUNDLED}/unique.jsonl#{name}" for name in ("noise-30-41", "blobs-30-1")),
]
LP = {"glop": "GLOP", "pdlp": "PDLP"}
CP_SAT = ("flow", "flow-most", "flow-own", "automaton")
SOLVERS = ("prices", *LP, *CP_SAT)


def loaded(name: str) -> tuple[str, Nonogram, bytes]:
    """Return a puzzle's name, the puzzle, and a solution."""
    if name.startswith("domino-"):
        grid = staircase(int(name.removeprefix("domino-")))
        return name, from_grid(grid), grid.cells
    puzzle = nonosat.load(name)
    solution = nonosat.solve(puzzle).solution
    assert solution is not None
    return name.rpartition("#")[2], puzzle, solution.cells


def by_prices(task: PresolvedModel, solution: bytes, limit_s: float) -> Figures:
    """Run native prices."""
    found = prices.refute_others(task, solution, Watch(Limits(limit_s)), stubborn=True)
    return {"bound": found.bound, "sweeps": found.num_sweeps, "answer": found.outcome.value}


def by_lp(name: str, reduced: Reduced, known: list[int], limit_s: float) -> Figures:
    """Solve the linear program over the lines' graphs; `known` are the solution's literals."""
    model = model_builder.Model()
    cells = [model.new_num_var(0, 1, f"x{v}") for v in range(reduced.model.num_vars + 1)]

    def share(lit: int) -> Any:
        if abs(lit) == TRUE:
            return float(lit == TRUE)
        return cells[lit] if lit > 0 else 1 - cells[-lit]

    for line in reduced.model.lines:
        _add_flow(line, model, share)
    model.maximize(sum(share(-lit) for lit in known))
    solver = model_builder.Solver(LP[name])
    solver.set_time_limit_in_seconds(limit_s)
    status = solver.solve(model)
    bound = solver.objective_value if status == model_builder.SolveStatus.OPTIMAL else None
    return {"bound": bound if bound is None else round(bound, 3), "answer": status.name}


def _add_flow(line: Line, model: Any, share: Any) -> None:
    flow = flow_of(line.blocks, len(line))
    arcs = [model.new_num_var(0, 1, "") for _ in flow.arcs]
    leaving: list[list[Any]] = [[] for _ in range(flow.num_nodes)]
    giving: dict[tuple[int, int], list[Any]] = {}
    for arc, variable in zip(flow.arcs, arcs, strict=True):
        leaving[arc.tail].append(variable)
        leaving[arc.head].append(-variable)
        for place, value in arc.covers():
            giving.setdefault((place, value), []).append(variable)
    for node, terms in enumerate(leaving):
        model.add(sum(terms) == (node == 0) - (node == flow.num_nodes - 1))
    for value, plane in enumerate(line.cells, start=1):
        for place, lit in enumerate(plane):
            model.add(sum(giving.get((place, value), [])) - share(lit) == 0)


def by_cpsat(name: str, reduced: Reduced, known: list[int], limit_s: float) -> Figures:
    """Run CP-SAT with one worker and one solution forbidden."""
    context = Context(reduced.model.num_vars)
    for constraint in reduced.model.constraints():
        kind = type(constraint).__name__.lower()
        way = name.partition("-")[0] if kind == "line" else "linear"
        plugins.find("formulations", f"{kind}-{way}").formulate(constraint, context)
    others = [context.literal(-lit) for lit in known]
    context.model.add_bool_or(others)
    if name == "flow-most":
        context.model.maximize(sum(others))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = limit_s
    solver.parameters.stop_after_first_solution = True
    if name in ("flow", "flow-most"):  # as in backends/cpsat.py
        solver.parameters.linearization_level = 2
        solver.parameters.add_lp_constraints_lazily = False
        solver.parameters.root_lp_iterations = 1_000_000
    status = solver.status_name(solver.solve(context.model))
    return {"conflicts": solver.num_conflicts, "answer": status}


def measured(puzzle: Nonogram, solution: bytes, solver: str, limit_s: float) -> Figures:
    """Return one solver's figures, with the CPU seconds from the clues at their fixpoint."""
    task = PresolvedModel.of(build(puzzle))
    task.propagate(Watch(Limits()))
    assert task.shape is not None
    started = process_time()
    if solver == "prices":
        figures = by_prices(task, solution, limit_s)
    else:
        reduced = task.reduce()
        known = reduced.restrict(task.shape.values(solution))
        by = by_lp if solver in LP else by_cpsat
        figures = by(solver, reduced, known, limit_s)
    return {"seconds": round(process_time() - started, 3), **figures}


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare solvers of the relaxation.")
    parser.add_argument("puzzles", nargs="*", default=PUZZLES, metavar="PUZZLE")
    parser.add_argument("--solvers", nargs="+", choices=SOLVERS, default=SOLVERS)
    parser.add_argument("--limit", type=float, default=60.0, metavar="S")
    parser.add_argument("--record", metavar="FILE")
    asked = parser.parse_args()
    found: Figures = {}
    for name in asked.puzzles:
        label, puzzle, solution = loaded(name)
        for solver in asked.solvers:
            figures = measured(puzzle, solution, solver, asked.limit)
            found.setdefault(label, {})[solver] = figures
            told = "  ".join(f"{key} {value}" for key, value in figures.items())
            print(f"{label:14} {solver:10} {told}", flush=True)
    if asked.record:
        record = {**surroundings(), "limit_s": asked.limit, "puzzles": found}
        Path(asked.record).write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
