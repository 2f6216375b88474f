"""Decimation as a backend: CDCL on the whole puzzle that follows where decimation leads.

Each turn decimates from other first messages, and alternately at another pace and damping; a
complete board is a solution that the engine meets without a conflict, and of an incomplete one it
repairs what is wrong, within a budget of conflicts that grows with the turns. The last turn has no
budget, so the verdict is exact: the engine alone finds and refutes. The engine is the learning
search, which keeps to what it is told to try (Glucose and CaDiCaL leave it).
"""

from __future__ import annotations

from nonosat.backends import learn
from nonosat.core.plugins import Backend


def open_engine(
    name: str, num_vars: int, seed: int, options: dict[str, str]
) -> learn.LearningEngine:
    """A fresh engine that keeps to what it is told to try."""
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
