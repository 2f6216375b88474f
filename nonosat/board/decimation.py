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

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from functools import partial

from nonosat import _core
from nonosat.board import beliefs
from nonosat.board.beliefs import MAX_ROUNDS, MAX_SEED, MESSAGES, Range, check_ranges
from nonosat.board.presolve import PresolvedModel, Rectangle
from nonosat.core.errors import LimitReached, UnsupportedError
from nonosat.core.limits import InterruptibleWatch, Watch
from nonosat.processes.threads import Threads

MAX_WIDEN = 100.0
MAX_PUSHES = 10**6
MAX_EFFORT = 10**9
_RANGES = {
    "first": Range(int, 0, MAX_ROUNDS, f"0 to {MAX_ROUNDS}"),
    **MESSAGES,
    "pace": Range(float, 0, 1, "0 to 1"),
    "widen": Range(float, 0, MAX_WIDEN, f"0 to {MAX_WIDEN:g}"),
    "keep": Range(float, 0, 1, "0 to 1"),
    "pushes": Range(int, 0, MAX_PUSHES, f"0 to {MAX_PUSHES}"),
    "effort": Range(int, 0, MAX_EFFORT, f"0 to {MAX_EFFORT}"),
    "dead_ends": Range(int, 0, MAX_EFFORT, f"0 to {MAX_EFFORT}"),
}
_BOUNDS = ("effort", "dead_ends")  # of one attempt, not of the method
_APART = 1000  # distance between the seeds of two threads
_CYCLES = 14  # through the attempts on a board on which an engine hardly helps
_GROWTH = 3  # cycles until an attempt is as long as that of the first thread
_BOARD_BYTES = 8  # per cell of a copy of the board; 5.8 were measured at 400x400


@dataclass(frozen=True, slots=True)
class Settings:
    """Parameters of fixing and releasing cells; with the board they determine the outcome.

    Args:
        first: Rounds of messages before the first step.
        rounds: Rounds after each step.
        pace: Share of the open cells that a step fixes, at least one cell.
        widen: Growth of the area that a dead end (a cell without values) releases, for each dead
            end since the last progress: the area is a box around the cell, and grows by this number
            of cells. Without pushes, the area is the cell's lines and this number of further ones.
        keep: Share of their value that messages about released cells keep, in [0, 1].
        pushes: Maximum number of consecutive pushes that decide no further cell; then cells are
            fixed. It is multiplied by the square of the share of undecided cells. 0 for no pushes.
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
        check_ranges("decimation", self, _RANGES)

    def restarted(self, turn: int) -> Settings:
        """Return settings for repetition number `turn`, as in native/strategy/attempts.hpp.

        The seed differs, and in every second repetition messages change more slowly.
        """
        return Settings(**_core.restarted(asdict(self), turn))


# Decimation whose phases an engine follows on a board that is not large, after quick ones failed.
FURTHER = Settings(**_core.further_decimation())


@dataclass(frozen=True, slots=True)
class Decimated:
    """Result of decimation.

    Args:
        settings: Parameters of the decimation.
        cells: One byte a cell, row-major: the value reached, or `presolve.OPEN`.
        is_complete: True if every cell has a value and every line its blocks: a solution.
        beliefs: Beliefs about the board: certainty for the values reached, and the final beliefs
            about cells that are still open.
        counts: Numbers of steps, pushes among them, rounds, values refuted, and releases of cells.
    """

    settings: Settings
    cells: bytes
    is_complete: bool
    beliefs: beliefs.Beliefs
    counts: dict[str, int]

    def restarted(self, turn: int) -> Settings:
        """Return the settings of this run for repetition number `turn`; see `Settings`."""
        return self.settings.restarted(turn)


def decimate(task: PresolvedModel, settings: Settings, watch: Watch) -> Decimated | None:
    """Fix cell after cell until the board is complete or the settings' effort is spent.

    Args:
        task: Presolved model with a board; it is not changed.
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
    outcome = watch.result_of(native.run, budget, dead_ends=settings.dead_ends)
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
    task: PresolvedModel,
    settings: Settings,
    watch: Watch,
    report: Callable[[_core.Beliefs], object],
) -> beliefs.Beliefs:
    """Return the final beliefs of a decimation.

    Args:
        task: Presolved model with the decimated board.
        settings: Parameters of the decimation.
        watch: Polled continuously.
        report: Function that copies the messages of the decimation to native beliefs.
    """
    held = beliefs.Settings(0, settings.damping, settings.clamp, settings.sigma, settings.seed)
    found = beliefs.beliefs(task, held, watch, report)
    assert found is not None  # without rounds no line is propagated
    return found


class Race:
    """Decimations in other threads, until one of them reaches a solution or refutes the board.

    Args:
        task: Presolved model with a board, which the threads copy.
        attempts: Settings of the calling thread's decimations; other threads use other seeds.
        num_threads: Number of threads, the calling one included; fewer run if memory is limited.
        watch: Limits of all work.

    Attributes:
        reached: The first complete decimation; None while there is none.
        is_refuted: True if the board has no solution.
        num_running: Number of threads that decimate.
    """

    def __init__(
        self, task: PresolvedModel, attempts: Sequence[Settings], num_threads: int, watch: Watch
    ) -> None:
        self.reached: Decimated | None = None
        self.is_refuted = False
        self.num_running = _num_affordable(task, num_threads, watch) - 1
        self._threads = Threads[int](self.num_running, watch)
        self._is_closed = False
        num_cycles = _CYCLES if task.num_open() >= _core.BUDGETS.largest_open else 1
        try:
            for number in range(1, self.num_running + 1):
                others = _others(attempts, number, num_cycles)
                call = partial(_run_alone, task.copy(), others, self._threads.watch)
                self._threads.submit(number, call)
        except BaseException:
            self.close()
            raise

    def is_over(self) -> bool:
        """Return True if a thread has reached a solution, or refuted the board, before `close`."""
        while not self._is_closed and self._threads.has_outcome():
            _number, (reached, is_refuted) = self._threads.next()
            self.reached, self.is_refuted = self.reached or reached, self.is_refuted or is_refuted
            self.num_running -= 1
        return not self._is_closed and (self.reached is not None or self.is_refuted)

    def close(self) -> None:
        """End all threads."""
        self._threads.close()
        self.num_running, self._is_closed = 0, True


def _others(attempts: Sequence[Settings], number: int, num_cycles: int) -> Iterator[Settings]:
    """Yield settings for a further thread: all attempts, in several cycles, with its own seeds.

    The first further thread begins with the last attempt, the most patient one; the second with the
    attempt before the last one. If there are several cycles, the first ones are short, because
    several short attempts with different seeds are more likely to find a solution than one long
    attempt. Every second cycle has other damping (`Settings.restarted`).
    """
    for turn in range(num_cycles * len(attempts)):
        cycle, place = divmod(turn, len(attempts))
        settings = attempts[(place - number) % len(attempts)].restarted(cycle)
        seed = (settings.seed + _APART * number + len(attempts) * cycle) % (MAX_SEED + 1)
        growing = min(attempts[0].effort * (1 + cycle) // _GROWTH, MAX_EFFORT)
        yield replace(settings, seed=seed, effort=growing if num_cycles > 1 else settings.effort)


def _run_alone(
    task: PresolvedModel, attempts: Iterable[Settings], watch: Watch
) -> tuple[Decimated | None, bool]:
    """Run attempts until one completes or refutes the board, or until memory does not suffice.

    Returns:
        The complete decimation, or None; True if the board is refuted.
    """
    with suppress(LimitReached, MemoryError):
        for settings in attempts:
            # With a watch of its own a decimation reserves memory for itself.
            reached = decimate(task, settings, InterruptibleWatch(watch))
            if reached is None or reached.is_complete:
                return reached, reached is None
    return None, False


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
    """Return the budget of native work for an effort per cell and line."""
    return min(effort * shape.size * (shape.height + shape.width), 2**62)
