"""Decimation as a backend: CDCL on the whole puzzle that follows where decimation leads.

Each turn decimates from other first messages, and alternately at another pace and damping; a
complete board is a solution that the engine meets without a conflict, and of an incomplete one it
repairs what is wrong, within a budget of conflicts that grows with the turns. The last turn has no
budget, so the verdict is exact: the engine alone finds and refutes. MiniSat, because it keeps to
the phases that it is given (Glucose and CaDiCaL leave them).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from nonosat.auto import HINTED_ENGINE, Turn
from nonosat.backends import pysat

if TYPE_CHECKING:
    from nonosat.hints import How

SUMMARY = "belief propagation, decimation and CDCL: finds solutions of large puzzles that have many"
NEEDS = pysat.NEEDS
NAMES = ("decimation",)
NATIVE: dict[str, frozenset[type]] = {}
ON_BOARD = False
FORMULATES = False
IN_PROCESS = NAMES

HINTED_TURNS = 12
TURN_CONFLICTS = 500  # the k-th turn has k times as many


def open_engine(name: str, num_vars: int, seed: int, options: dict[str, str]) -> pysat.PysatEngine:
    """A fresh engine that keeps to the phases it is given."""
    del name
    return pysat.open_engine(HINTED_ENGINE, num_vars, seed, options)


def own_hints(name: str) -> str:
    """The hints that it follows when none are asked for."""
    del name
    return "decimation"


def turns(hints: How | None, is_solved: Callable[[], bool]) -> Iterator[Turn]:
    """Turns of growing length from other starts; once there is a solution, one without end.

    Args:
        hints: Those of the first turn.
        is_solved: Whether there is a solution; hints have then done what they can.
    """
    if hints is not None:
        for turn in range(HINTED_TURNS):
            yield Turn(TURN_CONFLICTS * (turn + 1), hints.restarted(turn) if turn else hints)
            if is_solved():
                break
    yield Turn()
