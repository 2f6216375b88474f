"""Python interface of native decimation: from beliefs about a board towards one solution.

Messages are exchanged, and perturbed ("pushed") when they come to a halt, until they have decided
nearly all cells. Then the most certain open cells are fixed a few at a time, lines propagated
exactly and messages exchanged again, until no cell is open; when the lines refute every value of a
cell, the fixed cells near it are released (native/decimation/decimation.hpp has the method and its
sources). Decimation finds solutions of puzzles that have many, on random boards far beyond the
reach of search; it proves nothing but a contradiction of the board itself. Deterministic for a
board and settings: budgets are units of native work, about a nanosecond each. A random 120x120 at
50 % takes 0.2 to 1 s (DECIMATION.md); memory is that of beliefs, and of a copy of the board for
each further thread.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, fields, replace
from functools import partial

from nonosat import _core
from nonosat.board import beliefs
from nonosat.board.beliefs import (
    MAX_ROUNDS,
    MAX_SEED,
    is_int,
    is_real,
    message_ranges,
    refuse_outside,
)
from nonosat.board.presolve import PresolvedModel, Rectangle
from nonosat.core.errors import LimitReached, UnsupportedError
from nonosat.core.limits import InterruptibleWatch, Watch
from nonosat.processes.threads import Threads

MAX_WIDEN = 100.0
MAX_PUSHES = 10**6
MAX_EFFORT = 10**9
_BOUNDS = ("effort", "dead_ends")  # of one attempt, not of the method
_APART = 1000  # distance between the seeds of two threads
_BOARD_BYTES = 8  # per cell of a copy of the board; 5.8 were measured at 400x400


@dataclass(frozen=True, slots=True)
class Settings:
    """Parameters of fixing and releasing cells; with the board they determine the outcome.

    Args:
        first: Rounds of messages before the first step.
        rounds: Rounds after each step.
        pace: Share of the open cells that a step fixes, at least one cell.
        widen: For each dead end since the last progress, the number of cells by which the box
            around it grows in which cells are released; without pushes, the number of lines near it
            that are released in addition to its own.
        keep: Share of their value that messages about released cells keep, in [0, 1].
        pushes: Limit of consecutive pushes that decide no further cell, before cells are fixed, if
            no cell is decided; if cells are decided, the limit shrinks by the square of the share
            undecided. 0 for no pushes.
        damping: As in `beliefs.Settings`, like the next three.
        clamp: Bound of a message.
        sigma: Standard deviation of the first messages.
        seed: Seed of the first messages, and of the choice of cells that are pushed.
        effort: Budget, in units of native work for each cell and line (cells times lines in all); a
            board of up to 120x120 takes 50 to 250.
        dead_ends: Number of releases of cells after which the attempt ends.

    Raises:
        UnsupportedError: A value is out of its range.
    """

    first: int = 200
    rounds: int = 3
    pace: float = 0.02
    widen: float = 2.0
    keep: float = 0.0
    pushes: int = 2000
    damping: float = 0.3
    clamp: float = 15.0
    sigma: float = 0.1
    seed: int = 0
    effort: int = 1000
    dead_ends: int = MAX_EFFORT

    def __post_init__(self) -> None:
        ranges = {
            "first": (is_int(self.first, 0, MAX_ROUNDS), f"0 to {MAX_ROUNDS}"),
            **message_ranges(self),
            "pace": (is_real(self.pace) and 0 <= self.pace <= 1, "0 to 1"),
            "widen": (is_real(self.widen) and 0 <= self.widen <= MAX_WIDEN, "0 to 100"),
            "keep": (is_real(self.keep) and 0 <= self.keep <= 1, "0 to 1"),
            "pushes": (is_int(self.pushes, 0, MAX_PUSHES), f"0 to {MAX_PUSHES}"),
            "effort": (is_int(self.effort, 0, MAX_EFFORT), f"0 to {MAX_EFFORT}"),
            "dead_ends": (is_int(self.dead_ends, 0, MAX_EFFORT), f"0 to {MAX_EFFORT}"),
        }
        refuse_outside("decimation", self, ranges)

    def restarted(self, turn: int) -> Settings:
        """Return settings for another turn (native/strategy/attempts.hpp)."""
        return Settings(**_core.restarted(asdict(self), turn))


# Decimation whose phases an engine follows on a board that is not large, after quick ones failed.
FURTHER = Settings(**_core.further_decimation())


@dataclass(frozen=True, slots=True)
class Decimated:
    """Result of decimation.

    Args:
        settings: Its parameters.
        cells: One byte a cell, row-major: the value reached, or `presolve.OPEN`.
        is_complete: Every cell has a value and every line its blocks: a solution.
        beliefs: About the task's board: the values reached, and the final beliefs about the cells
            that are open.
        counts: Numbers of steps, pushes among them, rounds, values refuted, and releases of cells.
    """

    settings: Settings
    cells: bytes
    is_complete: bool
    beliefs: beliefs.Beliefs
    counts: dict[str, int]

    def restarted(self, turn: int) -> Settings:
        """Return settings for another turn, as `Settings.restarted` does."""
        return self.settings.restarted(turn)


def decimate(task: PresolvedModel, settings: Settings, watch: Watch) -> Decimated | None:
    """Fix cell after cell until the board is complete or the settings' effort is spent.

    Args:
        task: Has a board; it is not changed.
        settings: Parameters of the decimation.
        watch: Polled continuously.

    Returns:
        None if the board has no solution.

    Raises:
        UnsupportedError: The task has no board.
        LimitReached: A limit of the watch is reached.
        MemoryError: The messages would take more than 2 GiB, or the sums of a line 1 GiB.
    """
    if task.shape is None or task.board is None:
        raise UnsupportedError("decimation is about rows and columns; this model has none")
    task.reserve(watch)
    watch.reserve(num_bytes(task))
    how = {f.name: getattr(settings, f.name) for f in fields(settings) if f.name not in _BOUNDS}
    native = _core.Decimation(task.board, **how)
    budget = _budget(task.shape, settings.effort)
    outcome = native.run(budget, watch.remaining_s(), watch.poll, settings.dead_ends)
    if outcome is None:
        raise watch.limit()
    if outcome == _core.Decimation.Outcome.CONTRADICTION:
        return None
    counts = {
        "steps": native.num_steps,
        "pushes_made": native.num_pushes,
        "rounds_run": native.num_rounds,
        "refuted": native.num_refuted,
        "released": native.num_released,
    }
    is_complete = outcome == _core.Decimation.Outcome.COMPLETE
    found = reached_beliefs(task, settings, watch, native.transfer_to)
    return Decimated(settings, native.cells(), is_complete, found, counts)


def reached_beliefs(
    task: PresolvedModel, settings: Settings, watch: Watch, tell: Callable[[_core.Beliefs], object]
) -> beliefs.Beliefs:
    """Return the final beliefs of a decimation.

    Args:
        task: Has the decimated board.
        settings: Parameters of the decimation.
        watch: Polled continuously.
        tell: Copy the messages of the decimation to native beliefs.
    """
    held = beliefs.Settings(0, settings.damping, settings.clamp, settings.sigma, settings.seed)
    found = beliefs.beliefs(task, held, watch, tell)
    assert found is not None  # without rounds no line is propagated
    return found


def decimate_in_threads(
    task: PresolvedModel, attempts: Sequence[Settings], num_threads: int, watch: Watch
) -> Generator[Decimated | None, None, None]:
    """Yield the result of each attempt, while other threads make the attempts with other seeds.

    The first thread makes the attempts in their order, as `decimate` does in a loop; the iterator
    ends with its last attempt. The other threads only add work: of their results only a complete
    board or a contradiction is yielded. They give up when memory does not suffice for them.

    Args:
        task: Has a board; it is not changed.
        attempts: Settings of the attempts, at least one.
        num_threads: Threads, at least 1; fewer are used if memory is limited.
        watch: Polled all the time.

    Yields:
        Results as `decimate` returns them. The caller stops at the first complete one and closes
        the iterator, which ends all threads.

    Raises:
        UnsupportedError, LimitReached, MemoryError: As for `decimate`, in the first thread.
    """
    tasks = [task, *(task.copy() for _ in range(_num_affordable(task, num_threads, watch) - 1))]
    nums_made = [0] * len(tasks)
    with closing(Threads[int](len(tasks), watch)) as threads:

        def submit(number: int) -> None:
            cycle, place = divmod(nums_made[number], len(attempts))
            seed = attempts[place].seed + _APART * (number + cycle * len(tasks))
            settings = replace(attempts[place], seed=seed % (MAX_SEED + 1))
            nums_made[number] += 1
            call = partial(_other_thread if number else decimate, tasks[number], settings)
            threads.submit(number, partial(call, threads.watch))

        for number in range(len(tasks)):
            submit(number)
        while True:
            number, outcome = threads.next()
            if outcome is _GAVE_UP:
                continue
            if number == 0 or outcome is None or outcome.is_complete:
                yield outcome
            if number == 0 and nums_made[0] == len(attempts):
                return
            submit(number)


_GAVE_UP = object()


def _other_thread(task: PresolvedModel, settings: Settings, watch: Watch) -> object:
    """Return what `decimate` reaches, or `_GAVE_UP` instead of raising a limit of memory."""
    try:
        # The reservation of this thread must not be recorded in the watch of all threads.
        return decimate(task, settings, InterruptibleWatch(watch, lambda: False))
    except (LimitReached, MemoryError):
        return _GAVE_UP


def _num_affordable(task: PresolvedModel, num_threads: int, watch: Watch) -> int:
    """Return the number of threads for whose boards and messages the memory suffices."""
    if task.shape is None:
        return num_threads
    return watch.num_affordable(num_threads, 0, num_bytes(task) + task.shape.size * _BOARD_BYTES)


def num_bytes(task: PresolvedModel) -> int:
    """Return the number of bytes that the messages of one decimation take.

    Measured for each cell of random boards: 46 at 400x400, 38 in two colours.
    """
    assert task.shape is not None
    shape = task.shape
    return shape.size * (32 * shape.num_colours + 16)


def _budget(shape: Rectangle, effort: int) -> int:
    """Return a budget of native work; a round takes some for each cell and block of its lines."""
    return min(effort * shape.size * (shape.height + shape.width), 2**62)
