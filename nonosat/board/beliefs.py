"""Python interface of native belief propagation: probability of each value of each cell.

For a number of rounds, rows and columns of a board exchange messages: each line computes the
marginals of its cells over its fillings, weighted by the messages of its crossing lines
(native/beliefs.hpp has the method and its sources). If the open cells, as edges between rows and
columns, close no cycle, enough rounds make the probabilities exact; otherwise they are a heuristic
that proves nothing but often points at a solution: `phases` derives decision phases from them.
Deterministic: on one machine the same board and settings give the same numbers.

A round costs about 2 us for a line of 40 cells (30 rounds of a random 40x40 at 50 %: 4 ms); memory
is 16 bytes a cell and colour for the messages, 8 for each probability, and up to 1 GiB for the sums
of a line of millions of positions, beyond which MemoryError is raised.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from math import nextafter
from typing import NamedTuple, TypeVar

from nonosat import _core
from nonosat.board.presolve import PresolvedModel, Rectangle, Reduced
from nonosat.core.errors import UnsupportedError, counted, rows_by_columns, shown
from nonosat.core.limits import Watch

MAX_ROUNDS = 1_000_000
MAX_CLAMP = 100.0
MAX_SIGMA = 100.0
MAX_SEED = 2**64 - 1
RESTART_SIGMA = 1.0
T = TypeVar("T")


class Range(NamedTuple):
    """Range of a setting: a type, the least and the largest value, and the range in words."""

    kind: type[int | float]
    least: float
    most: float
    words: str


MESSAGES = {  # settings of the message exchange
    "rounds": Range(int, 0, MAX_ROUNDS, f"0 to {MAX_ROUNDS}"),
    "damping": Range(float, 0, nextafter(1, 0), "at least 0, below 1"),
    "clamp": Range(float, nextafter(0, 1), MAX_CLAMP, f"above 0, at most {MAX_CLAMP:g}"),
    "sigma": Range(float, 0, MAX_SIGMA, f"0 to {MAX_SIGMA:g}"),
    "seed": Range(int, 0, MAX_SEED, "0 to 2**64 - 1"),
}


def check_ranges(word: str, settings: object, ranges: Mapping[str, Range]) -> None:
    """Raise UnsupportedError for the first setting that is out of its range."""
    for name, (kind, least, most, words) in ranges.items():
        found = getattr(settings, name)
        is_number = isinstance(found, kind | int) and not isinstance(found, bool)
        if not (is_number and least <= found <= most):  # which is false of NaN
            raise UnsupportedError(f"{name} of {word} is {shown(found)}, expected {words}")


@dataclass(frozen=True, slots=True)
class Settings:
    """Parameters of the message exchange; with the board they determine every number.

    Args:
        rounds: Number of rounds in which all rows, then all columns, send messages.
        damping: Share of a line's previous message that stays in its next one, in [0, 1).
        clamp: Bound of a message, a log-odds, above 0 and at most 100.
        sigma: Standard deviation of the normal distribution from which the first messages are
            drawn; 0 starts from neutral messages.
        seed: Seed of that drawing.

    Raises:
        UnsupportedError: A value is out of its range.
    """

    rounds: int = 30
    damping: float = 0.5
    clamp: float = 12.0
    sigma: float = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        check_ranges("beliefs", self, MESSAGES)

    def restarted(self, turn: int) -> Settings:
        """Return settings for repetition number `turn`, which starts from other random messages."""
        sigma = max(self.sigma, RESTART_SIGMA)
        return replace(self, sigma=sigma, seed=(self.seed + turn) % (MAX_SEED + 1))


class BlockBelief(NamedTuple):
    """Probability that a block has started, or ended, by each of its feasible positions.

    Args:
        starts: The feasible starts, ascending, as `nonosat.board.domains` lists them.
        started: For each feasible start, the probability that the block starts there or before; the
            last is 1.
        ends: The feasible last cells of a block of unknown length; empty for other blocks.
        ended: For each of these last cells, the probability that the block ends there or before.
    """

    starts: list[int]
    started: list[float]
    ends: list[int]
    ended: list[float]


@dataclass(frozen=True, slots=True)
class Beliefs:
    """Probabilities of cell values, computed from the lines of a board.

    Args:
        shape: Shape of the board.
        settings: Parameters of the message exchange.
        planes: planes[v][cell] is the probability that the cell (row-major) has value v, 0 for
            empty; over the values they add up to 1. For a known cell they are 0 and 1.
        change: The largest change of a message in the last round; 0 if no cell is open.
    """

    shape: Rectangle
    settings: Settings
    planes: tuple[memoryview[float], ...]
    change: float
    _native: _core.Beliefs | None = field(repr=False, compare=False)  # None if read from data

    def probability(self, row: int, column: int, colour: int = 1) -> float:
        """Return the probability that the cell has the colour; colour 0 is empty."""
        height, width = self.shape.height, self.shape.width
        if not (0 <= row < height and 0 <= column < width and 0 <= colour < len(self.planes)):
            raise IndexError(
                f"row {row}, column {column}, colour {colour} is not on a board of "
                f"{rows_by_columns(height, width)} with {counted(len(self.planes) - 1, 'colour')}"
            )
        return self.planes[colour][row * width + column]

    def blocks(self, line: int) -> list[BlockBelief]:
        """Return the belief of each block of a line (rows first); the board must be unchanged."""
        found = self._of_line(line, self._knowing().blocks(line))
        return [BlockBelief(*starts, *ends) for starts, ends in found]

    def likely_bounds(self, line: int) -> bytes:
        """Return likely values of the order variables of a line; the board must be unchanged.

        Returns:
            For each block in turn, a byte for each of its feasible starts except the last: 1 if the
            block likely starts there or before, else 0. After the starts of a block of unknown
            length, likewise a byte for each of its feasible last cells except the last.
        """
        return self._of_line(line, self._knowing().likely_bounds(line))

    def _knowing(self) -> _core.Beliefs:
        if self._native is None:
            raise ValueError("beliefs that were read from data have no block positions")
        return self._native

    @staticmethod
    def _of_line(line: int, found: T | None) -> T:
        if found is None:
            raise ValueError(f"line {line} has no filling any more: the board has changed")
        return found


def beliefs(
    task: PresolvedModel,
    settings: Settings,
    watch: Watch,
    begin: Callable[[_core.Beliefs], object] = lambda native: None,
) -> Beliefs | None:
    """Exchange messages from the start that the settings define.

    Args:
        task: Presolved model with a board, preferably propagated: values that the board rules out
            get no weight.
        settings: Parameters of the exchange.
        watch: Polled continuously.
        begin: Function that is called with the native beliefs before the first round, and may set
            messages.

    Returns:
        None if a line of the board has no filling.

    Raises:
        UnsupportedError: The task has no board.
        LimitReached: A limit of the watch is reached.
        MemoryError: The messages would take more than 2 GiB, or the sums of a line 1 GiB.
    """
    if task.shape is None or task.board is None:
        raise UnsupportedError("beliefs are about rows and columns; this model has none")
    num_colours = task.shape.num_colours
    watch.reserve(task.shape.size * (16 * num_colours + 8 * (num_colours + 1)))
    how = {f.name: getattr(settings, f.name) for f in fields(settings) if f.name != "rounds"}
    native = _core.Beliefs(task.board, **how)
    begin(native)
    if not watch.result_of(native.run, settings.rounds):
        return None
    planes = [watch.result_of(native.probabilities, value) for value in range(num_colours + 1)]
    views = tuple(memoryview(plane).cast("d") for plane in planes)
    return Beliefs(task.shape, settings, views, native.change, native)


OfLine = Callable[[int, bytes], list[int]]


def phases(
    found: Beliefs, reduced: Reduced, of_line: OfLine | None = None, firsts: Sequence[int] = ()
) -> list[int]:
    """Return the literals of a reduced model that the beliefs make more likely than not.

    Args:
        found: Beliefs about the board from which `reduced` was made.
        reduced: `PresolvedModel.reduce` of the same task.
        of_line: The `phases` function of an encoding: maps the first auxiliary variable of a line
            and its `likely_bounds` to literals of its auxiliary variables. None: cells only.
        firsts: First auxiliary variable of each line of the reduced model.

    Returns:
        One literal for every cell variable (a cell's most likely value, the first of equals), then
        those of the lines.
    """
    lits = _cell_phases(found, reduced)
    if of_line is not None:
        lines = zip(_kept_lines(found.shape, reduced), firsts, strict=True)
        for line, first in lines:
            lits += of_line(first, found.likely_bounds(line))
    return lits


def _cell_phases(found: Beliefs, reduced: Reduced) -> list[int]:
    size = found.shape.size
    originals = enumerate(reduced.origin[1:], start=1)
    if len(found.planes) == 2:
        filled = found.planes[1]
        return [var if filled[original - 1] > 0.5 else -var for var, original in originals]
    best: dict[int, int] = {}
    lits = []
    for var, original in originals:
        colour, cell = divmod(original - 1, size)
        if cell not in best:
            values = [plane[cell] for plane in found.planes]
            best[cell] = values.index(max(values))
        lits.append(var if best[cell] == colour + 1 else -var)
    return lits


def _kept_lines(shape: Rectangle, reduced: Reduced) -> list[int]:
    """Return the number on the board of each line of the reduced model.

    The model has all lines if nothing was reduced, else those with open cells.
    """
    num_lines = shape.height + shape.width
    if len(reduced.model.lines) == num_lines:
        return list(range(num_lines))
    cells = {(original - 1) % shape.size for original in reduced.origin[1:]}
    rows = {cell // shape.width for cell in cells}
    columns = {cell % shape.width for cell in cells}
    return [*sorted(rows), *(shape.height + column for column in sorted(columns))]
