"""Decimation as a backend: CDCL on the whole puzzle, with phases from decimation.

Each turn decimates from other initial messages, and alternates pace and damping. A complete board
is a solution that the engine reaches without a conflict; an incomplete one is repaired within a
budget of conflicts that grows with the turns. The last turn has no budget, so the verdict is exact:
only the engine finds solutions and refutes. The engine is the learning search, which keeps to the
given phases (Glucose and CaDiCaL deviate from them).
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
