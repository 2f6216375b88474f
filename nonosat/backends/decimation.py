"""Decimation as a backend: CDCL on the whole puzzle, with phases from decimation.

The search has several rounds. Each one decimates the board again: it fixes the cells of which
belief propagation is most certain (`board.decimation`), starting from other random messages, with
another pace and damping than in the round before. The values of the cells are then the phases of
the engine. If they are a solution, the engine reaches it without a conflict; else it repairs them
within a budget of conflicts, which grows from round to round. The last round has no budget. The
verdict is exact, because only the engine finds solutions and refutes. The engine is the learning
search, which keeps to the given phases (Glucose and CaDiCaL deviate from them).
"""

from __future__ import annotations

from nonosat.backends import learn
from nonosat.core.plugins import Backend


def open_engine(
    name: str, num_vars: int, seed: int, options: dict[str, str]
) -> learn.LearningEngine:
    """Return a fresh engine that keeps to the given phases."""
    del name
    return learn.open_engine("learn", num_vars, seed, options)


PLUGIN = Backend(
    summary="belief propagation, decimation and CDCL: finds solutions of large puzzles that have "
    "many",
    needs="nothing",
    open_engine=open_engine,
    in_process=True,
    hints="decimation",
    in_turns=True,
)
