"""Native propagation and probing of a model whose lines are those of a rectangle, or are lanes.

Such a model holds lines, unit clauses and "at most one colour a cell", nothing else; other models
pass through unchanged. `PresolvedModel.reduce` returns a smaller model over the cells that are
still open.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import islice
from time import perf_counter
from typing import NamedTuple, TypeVar

from nonosat import _core
from nonosat.board.open_lines import OpenLines
from nonosat.core.limits import Watch, raising
from nonosat.core.model import (
    FALSE,
    TRUE,
    Count,
    LaneLines,
    Model,
    OneColourEach,
    RowsAndColumns,
)
from nonosat.core.result import Stage
from nonosat.core.wording import cell_text, line_with_clue, short_clue_text, value_text

# Contradictions of a board in words: the line without placement, or the cell without value.
#
# The reasons are those that native propagation or probing found; only for a cell, one propagation
# for each of its values finds the line that breaks.


MOST_VALUES = 3  # of a cell that are tested one by one

AnyBoard = _core.Board | _core.LaneBoard  # of rows and columns, or of lanes: both have lines
BoardLines = RowsAndColumns | LaneLines


def of_line(board: AnyBoard, lines: BoardLines, signs: str) -> str:
    """Return the contradiction that line propagation has found, in words.

    Args:
        board: The board after `propagate` has returned False.
        lines: Its lines.
        signs: Character that names each colour; "" for one colour.
    """
    return f"line propagation leaves no placement of {_broken(board, lines, signs)}"


def of_cell(board: AnyBoard, lines: BoardLines, cell: int, signs: str, watch: Watch) -> str:
    """Return the contradiction that probing has found at a cell, in words for each of its values.

    Args:
        board: The board, as it was before the cell was probed.
        lines: Its lines.
        cell: The cell.
        signs: Character that names each colour; "" for one colour.
        watch: Raises LimitReached.
    """
    values = [value for value in range(lines.num_colours + 1) if board.plane(value)[cell]]
    texts = []
    for value in values[:MOST_VALUES]:
        trial = board.copy()
        trial.assign(cell, value)
        watch.result_of(trial.propagate)
        texts.append(f"{value_text(value, signs)}, {_broken(trial, lines, signs)} breaks")
    if more := len(values) - len(texts):
        texts.append(f"and so on for {more} more")
    where = _cell_text(lines, cell)
    return f"whichever value {where} has, a line breaks: {'; '.join(texts)}"


def _broken(board: AnyBoard, lines: BoardLines, signs: str) -> str:
    line = board.broken_line
    assert line is not None
    if isinstance(lines, LaneLines):
        return f"{lines.names[line]} (clue {short_clue_text(lines.clues[line], signs)})"
    height = len(lines.rows)
    clue = lines.rows[line] if line < height else lines.columns[line - height]
    return line_with_clue(line, height, clue, signs)


def _cell_text(lines: BoardLines, cell: int) -> str:
    """Return the name of a cell; the model of lanes names it by its number in one of them."""
    if isinstance(lines, RowsAndColumns):
        return f"the cell in {cell_text(*divmod(cell, len(lines.columns)))}"
    lane = next(number for number, lane in enumerate(lines.lanes) if cell in lane)
    return f"cell {lines.lanes[lane].index(cell) + 1} of {lines.names[lane]}"


T = TypeVar("T")
_CHUNK = 2**16  # items between two pauses
_PROBE_BYTES = 80  # memory of native probing and search for each open cell
PROBE_WORK = _core.BUDGETS.probing  # units of native work
OPEN = 255  # byte of a cell with more than one possible value


@dataclass(frozen=True, slots=True)
class Rectangle:
    """Shape of a model with a variable for each cell of a rectangle and each colour.

    Variable 1 + (k * height + row) * width + column is true if the cell has colour k + 1. The cells
    of a board of lanes are in one row.
    """

    height: int
    width: int
    num_colours: int

    @property
    def size(self) -> int:
        return self.height * self.width

    def span(self, line: int) -> slice:
        """Return the cells of a line, rows first, in the row-major order of the board."""
        if line < self.height:
            return slice(line * self.width, (line + 1) * self.width)
        return slice(line - self.height, self.size, self.width)

    def place(self, lit: int) -> tuple[int, int]:
        """Return (cell, colour) of a literal's variable."""
        colour, cell = divmod(abs(lit) - 1, self.size)
        return cell, colour + 1

    def values(self, cells: bytes) -> bytes:
        """Return values[v] for every variable v, from the colours of the cells, 0 for empty."""
        planes = (cells.translate(_only(value)) for value in range(1, self.num_colours + 1))
        return b"\0" + b"".join(planes)

    def cells(self, values: bytes) -> bytes:
        """Return the colour of each cell, 0 for empty, from values of the variables."""
        planes = [values[1 + k * self.size :][: self.size] for k in range(self.num_colours)]
        if self.num_colours == 1:
            return planes[0]
        pairs = zip(*planes, strict=True)
        return bytes(1 + colours.index(1) if 1 in colours else 0 for colours in pairs)


@cache
def _only(value: int) -> bytes:
    """Return a table for `bytes.translate` that maps the value to 1 and all others to 0."""
    return bytes(other == value for other in range(256))


_OF_BOARDS = frozenset(("line", "count"))  # the kinds of constraint of a board


def rectangle(model: Model) -> Rectangle | None:
    """Return the rectangle formed by the model's lines; None if the model has other constraints."""
    return shape_of(model) if isinstance(model.lines, RowsAndColumns) else None


def shape_of(model: Model) -> Rectangle | None:
    """Return the shape of the model's variables if it is one of a board; None if it is not."""
    match model.lines:
        case RowsAndColumns(rows, columns, num_colours):
            shape = Rectangle(len(rows), len(columns), num_colours)
        case LaneLines(num_cells=num_cells, num_colours=num_colours):
            shape = Rectangle(1, num_cells, num_colours)
        case _:
            return None
    return shape if _is_of_cells(model, shape) else None


def _is_of_cells(model: Model, shape: Rectangle) -> bool:
    """True if a model has a variable for each cell and colour, and no rules but those of boards."""
    if model.num_vars != shape.num_colours * shape.size or not {*model.kinds()} <= _OF_BOARDS:
        return False
    if any(len(clause.lits) != 1 for clause in model.clauses):
        return False
    return model.counts == OneColourEach(shape.size, shape.num_colours)


def board_of(model: Model, shape: Rectangle, pause: Callable[[], None] = lambda: None) -> AnyBoard:
    """Return a native board of the lines and unit clauses of `model`, not yet propagated."""
    board: AnyBoard
    match model.lines:
        case RowsAndColumns(rows, columns):
            board = _core.Board(shape.num_colours, rows, columns, raising(pause))
        case LaneLines(lanes, clues):
            board = _core.LaneBoard(shape.num_colours, shape.size, lanes, clues, raising(pause))
        case _:
            raise ValueError("a model without lines of cells has no board")
    for clause in model.clauses:
        (lit,) = clause.lits
        cell, colour = shape.place(lit)
        board.assign(cell, colour) if lit > 0 else board.remove(cell, colour)
    return board


@dataclass(frozen=True, slots=True)
class Reduced:
    """A model over the open cells only, with the mapping back to the whole model.

    Args:
        model: Variables are renumbered; known cells are TRUE and FALSE in its lines.
        origin: origin[v] is the variable of the whole model for variable v (index 0 unused); a
            range if this is the whole model.
        known: Values of the whole model if known, 0 otherwise.
    """

    model: Model
    origin: Sequence[int]
    known: bytes

    def lift(self, values: bytes) -> bytes:
        """Return values of the whole model from those of the reduced one."""
        if isinstance(self.origin, range):
            return b"\0" + values[1 : len(self.origin)]
        whole = bytearray(self.known)
        for reduced, original in enumerate(self.origin):
            whole[original] = values[reduced]
        whole[0] = 0
        return bytes(whole)

    def restrict(self, values: bytes) -> list[int]:
        """Return the reduced model's literals that are true under values of the whole one."""
        pairs = enumerate(self.origin[1:], start=1)
        return [lit if values[original] else -lit for lit, original in pairs]


@dataclass(frozen=True, slots=True)
class PresolvedModel:
    """A model in the pipeline, with its board if its lines are those of a rectangle, or lanes.

    Attributes:
        shape: Shape of its variables; None without a board.
        any_board: The board; `board` is the same for uses that need rows and columns.
        probers: The last prober of the board, if it was probed: a search continues from it.
    """

    model: Model
    shape: Rectangle | None
    any_board: AnyBoard | None
    probers: list[_core.Prober | _core.LaneProber] = field(
        default_factory=list, compare=False, repr=False
    )

    @classmethod
    def of(cls, model: Model, pause: Callable[[], None] = lambda: None) -> PresolvedModel:
        """Return a model with its board, not yet propagated; exceptions of `pause` end the work."""
        shape = shape_of(model)
        return cls(model, shape, board_of(model, shape, pause) if shape else None)

    @property
    def board(self) -> _core.Board | None:
        """Board of rows and columns; None without a board, or if it is one of lanes."""
        return self.any_board if isinstance(self.any_board, _core.Board) else None

    def copy(self) -> PresolvedModel:
        """Return a copy with a board of its own; a search of it continues from the same prober."""
        own = self.any_board and self.any_board.copy()
        return replace(self, any_board=own, probers=[*self.probers])

    def propagate(self, watch: Watch) -> bool:
        """Propagate the board to its fixpoint; True if that met no contradiction."""
        return self.any_board is None or watch.result_of(self.any_board.propagate)

    def probe(
        self, watch: Watch, work: int = PROBE_WORK
    ) -> tuple[bool, _core.Prober | _core.LaneProber]:
        """Probe the board to its fixpoint, or for `work` units of native work.

        Returns:
            True if that met no contradiction, and the prober, which records its attempts.
        """
        self.reserve(watch)
        prober = _prober(self.any_board)
        self.probers[:] = [prober]
        return watch.result_of(prober.run, work) != _core.Progress.CONTRADICTION, prober

    def reserve(self, watch: Watch) -> None:
        """Raise LimitReached if native probing or search needs more memory than is allowed."""
        watch.reserve(_PROBE_BYTES * self.num_open())

    def num_open(self) -> int:
        """Return the number of cells with more than one possible value; 0 without a board."""
        return self.any_board.cells().count(OPEN) if self.any_board else 0

    def values(self, cells: bytes | None = None) -> bytes:
        """Return the model's values of a complete board, or of the given cells."""
        if self.shape is None or self.any_board is None:
            raise ValueError("a model without a board has no cells")
        return self.shape.values(self.any_board.cells() if cells is None else cells)

    def whole(self) -> Reduced:
        """Return the whole model as a `Reduced` without any reduction."""
        size = self.model.num_vars + 1
        return Reduced(self.model, range(size), bytes(size))

    def reduce(
        self, pause: Callable[[], None] = lambda: None, *, propagated: bool = True
    ) -> Reduced:
        """Return the smaller model over open cells; without a board the unchanged model.

        Args:
            pause: Called every few milliseconds; an exception that it raises ends the work.
            propagated: True if the board is at a fixpoint. Lines without open cells are left out
                only if it is, because they hold then.
        """
        if self.shape is None or self.any_board is None:
            return self.whole()
        return _over_open_cells(self.model, self.shape, self.any_board, pause, propagated)


def _prober(board: AnyBoard | None) -> _core.Prober | _core.LaneProber:
    match board:
        case _core.Board():
            return _core.Prober(board)
        case _core.LaneBoard():
            return _core.LaneProber(board)
        case None:
            raise ValueError("a model without a board cannot be probed")


class Presolved(NamedTuple):
    """Result of propagation or probing of a board.

    Args:
        stage: Record of the step; given cells of the puzzle count as decided by propagation.
        is_consistent: True if the step met no contradiction.
        reason: The contradiction in words; "" if there is none.
    """

    stage: Stage
    is_consistent: bool
    reason: str = ""


def presolved(
    task: PresolvedModel,
    watch: Watch,
    *,
    level: str = "probe",
    work: int = PROBE_WORK,
    started: float | None = None,
    signs: str = "",
) -> Iterator[Presolved]:
    """Propagate a board, then probe it; stop after a contradiction, or when no cell is open.

    Args:
        task: Without a board nothing is done.
        watch: Limits of the work.
        level: "none", "propagate" or "probe": the last step.
        work: Budget of probing, in units of native work.
        started: Time at which building the task began, if that counts as part of propagation.
        signs: For each value of a cell, a character that names it in a reason; "" for one colour.

    Raises:
        LimitReached: A limit of the watch is reached.
    """
    started = perf_counter() if started is None else started
    if level == "none":
        return
    board, lines = task.any_board, task.model.lines
    if board is None:
        return
    assert isinstance(lines, BoardLines)
    is_consistent = task.propagate(watch)
    size = len(board.cells())
    before = size - task.num_open() if is_consistent else 0
    reason = "" if is_consistent else of_line(board, lines, signs)
    yield Presolved(Stage("propagate", perf_counter() - started, before), is_consistent, reason)
    if level == "probe" and is_consistent and task.num_open():
        started = perf_counter()
        is_consistent, prober = task.probe(watch, work)
        decided = size - task.num_open() - before if is_consistent else 0
        detail = {"probes": prober.num_probes}
        if not is_consistent:
            reason = of_cell(board, lines, prober.lessons[-1], signs, watch)
        stage = Stage("probe", perf_counter() - started, decided, detail)
        yield Presolved(stage, is_consistent, reason)


def _paced(items: Sequence[T], pause: Callable[[], None]) -> Iterable[T]:
    """Return the items, with a pause every few milliseconds."""
    pause()
    return items if len(items) <= _CHUNK else _in_chunks(items, pause)


def _in_chunks(items: Sequence[T], pause: Callable[[], None]) -> Iterator[T]:
    iterator = iter(items)
    while chunk := list(islice(iterator, _CHUNK)):
        pause()
        yield from chunk


def _over_open_cells(
    model: Model,
    shape: Rectangle,
    board: AnyBoard,
    pause: Callable[[], None],
    propagated: bool,
) -> Reduced:
    """Return the model over the cells that are open on `board`."""
    cells = board.cells()
    open_cells = [cell for cell, value in enumerate(_paced(cells, pause)) if value == OPEN]
    origin, lits = [0], array("i")
    for k in range(shape.num_colours):
        lits += _open_plane(k, board, cells, open_cells, origin, pause)
    counts, filled = [], b""
    if shape.num_colours > 1:  # in a board of one colour an open cell may always be empty
        must = board.plane(0).translate(_only(0))
        values = enumerate(_paced(cells, pause))
        filled = bytes(must[cell] if value == OPEN else 0 for cell, value in values)
    for cell in _paced(open_cells, pause) if shape.num_colours > 1 else ():
        mine = tuple(lit for lit in lits[cell :: shape.size] if lit != FALSE)
        if len(mine) > 1 or filled[cell]:
            counts.append(Count(mine, filled[cell], 1))
    whole = model.lines
    assert isinstance(whole, BoardLines)
    numbers = []
    for number in range(len(whole)):
        pause()
        if not propagated or _has_open(cells, shape, whole, number):
            numbers.append(number)
    lines = OpenLines(whole, numbers, lits, filled, board)
    reduced = Model(len(origin) - 1, lines=lines, counts=counts)
    return Reduced(reduced, tuple(origin), shape.values(cells))


def _has_open(cells: bytes, shape: Rectangle, lines: BoardLines, number: int) -> bool:
    """Return True if a line has an open cell."""
    if isinstance(lines, RowsAndColumns):
        return OPEN in cells[shape.span(number)]
    return any(cells[cell] == OPEN for cell in lines.lanes[number])


def _open_plane(
    k: int,
    board: AnyBoard,
    cells: bytes,
    open_cells: list[int],
    origin: list[int],
    pause: Callable[[], None],
) -> array[int]:
    """Return literals "cell has colour k + 1" of all cells; append new variables to `origin`."""
    table = [FALSE] * 256
    table[k + 1] = TRUE
    plane = array("i", [table[value] for value in _paced(cells, pause)])
    may, first = board.plane(k + 1), 1 + k * len(cells)
    for cell in _paced(open_cells, pause):
        if may[cell]:
            plane[cell] = len(origin)
            origin.append(first + cell)
    return plane
