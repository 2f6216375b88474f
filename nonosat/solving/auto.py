"""How the backend `auto` searches the cells that presolve leaves open, and its budgets.

A short native search settles most small puzzles, prices settle structured ones: they are asked for
a solution, and once there is one, whether there can be another. Before them, dives find solutions
of much structure (`board/dives.py`); on other puzzles they are over in 0.3 ms. Decimation finds
solutions where there are many, and most that are the only one. The learning search takes what is
left: its decisions follow decimation, drawn anew from other starts when they lead nowhere; in its
last turn it decides on its own and proves that there are no more. Budgets are counts of work, not
seconds, so that they are deterministic; benchmarks/native/SEARCH.md has the measurements behind
them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nonosat.board.phases import How

# Units of native work, about a nanosecond each, for each value of a cell: of several colours a node
# of the search takes longer, and so does all that comes after it.
SEARCH_WORK = 150_000
PRICES_WORK = 10_000_000_000  # of native work; n-domino 100 takes 4e9; noise is given up early
ENGINE = "learn"
LARGE_OPEN = 2000  # an engine follows long decimations, where short ones came to nothing
# Quick decimations lead nowhere on so large a board, and an engine hardly helps.
LARGEST_OPEN = 6000
PHASED_TURNS = 14
TURN_CONFLICTS = 500  # the k-th turn has k times as many
# So many conflicts may a further solution take close to one that phases have led to; what an engine
# learns there is of little use for the proof that there is none.
NEAR_CONFLICTS = 200
CLOSE_CONFLICTS = 30  # the same close to one that decimation has found before an engine was opened
# A puzzle that has taken so many conflicts is worth some patience with prices, where they have not
# been given up at once, as on noise. They have a go then, and again whenever the conflicts have
# doubled, with so many units of native work for each conflict.
PAUSE_CONFLICTS = 4_000
PROMISING_SWEEPS = 14  # twice what noise takes
PATIENT_WORK = 10_000
LONGEST_TURN = 2**22  # conflicts
ALONE_FROM = 3  # from this turn on, a turn without phases follows each turn with them


@dataclass(frozen=True, slots=True)
class Turn:
    """One go of an engine.

    Args:
        budget: What it may do, in the engine's own unit; None is without end.
        phases: Settings of the beliefs, or of the decimation, that it follows, or what a decimation
            has come to; None for nothing.
        pauses: Whether something else has a go after it, before the next turn.
        is_near: Whether the phases are of a solution that has been given: another is often close.
    """

    budget: int | None = None
    phases: How | None = None
    pauses: bool = False
    is_near: bool = False

    def near_solution(self) -> Turn:
        """What is left of the turn once the engine has been led to a solution."""
        if self.budget is None:
            return self
        return replace(self, budget=min(self.budget, NEAR_CONFLICTS))


def turns(phases: How | None, is_solved: Callable[[], bool]) -> Iterator[Turn]:
    """Turns of growing length, each with phases from another start; at last one without end.

    Once there is a solution, phases have done what they can. Where the first turns do not lead to
    any, turns without phases come between: some puzzles are misled by all phases.

    Args:
        phases: What the first turn follows; None for nothing in any turn.
        is_solved: Whether there is a solution.
    """
    if phases is not None and is_solved():
        from nonosat.board.decimation import Decimated

        if isinstance(phases, Decimated) and phases.is_complete:
            yield Turn(CLOSE_CONFLICTS, phases, is_near=True)
    elif phases is not None:
        for turn in range(PHASED_TURNS):
            settings = phases.restarted(turn) if turn else phases
            yield Turn(TURN_CONFLICTS * (turn + 1), settings)
            if is_solved():
                break
            if turn + 1 >= ALONE_FROM:
                yield Turn(TURN_CONFLICTS * (turn + 1))
                if is_solved():
                    break
    yield Turn()


def paused(turns: Iterable[Turn]) -> Iterator[Turn]:
    """The same turns, with pauses whenever as many conflicts have gone by as before the last pause.

    A last turn without end becomes turns of growing length, and one without end far behind them.
    """
    passed, next_pause = 0, PAUSE_CONFLICTS
    for turn in turns:
        if turn.budget is None:
            while next_pause - passed <= LONGEST_TURN:
                yield replace(turn, budget=next_pause - passed, pauses=True)
                passed, next_pause = next_pause, 2 * next_pause
            yield turn
            return
        passed += turn.budget
        pauses = passed >= next_pause
        if pauses:
            next_pause = 2 * passed
        yield replace(turn, pauses=pauses)
