"""Native propagation and probing of a model whose lines are those of a rectangle, or of lanes.

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
    Line,
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


def of_line(board: _core.Board, lines: RowsAndColumns, signs: str) -> str:
    """Return the contradiction that line propagation has found, in words.

    Args:
        board: The board after `propagate` has returned False.
        lines: Its lines.
        signs: Character that names each colour; "" for one colour.
    """
    return f"line propagation leaves no placement of {_broken(board, lines, signs)}"


def of_cell(board: _core.Board, lines: RowsAndColumns, cell: int, signs: str, watch: Watch) -> str:
    """Return the contradiction that probing has found at a cell, in words for each of its values.

    Args:
        board: The board, as it was before the cell was probed.
        lines: Its lines.
        cell: The cell.
        signs: Character that names each colour; "" for one colour.
        watch: Raises LimitReached.
    """
    where = cell_text(*divmod(cell, len(lines.columns)))
    values = [value for value in range(lines.num_colours + 1) if board.plane(value)[cell]]
    texts = []
    for value in values[:MOST_VALUES]:
        trial = board.copy()
        trial.assign(cell, value)
        watch.result_of(trial.propagate)
        texts.append(f"{value_text(value, signs)}, {_broken(trial, lines, signs)} breaks")
    if more := len(values) - len(texts):
        texts.append(f"and so on for {more} more")
    return f"whichever value the cell in {where} has, a line breaks: {'; '.join(texts)}"


def _broken(board: _core.Board, lines: RowsAndColumns, signs: str) -> str:
    line = board.broken_line
    assert line is not None
    height = len(lines.rows)
    clue = lines.rows[line] if line < height else lines.columns[line - height]
    return line_with_clue(line, height, clue, signs)


T = TypeVar("T")
_CHUNK = 2**16  # items between two pauses
_PROBE_BYTES = 80  # memory of native probing and search for each open cell
PROBE_WORK = _core.BUDGETS.probing  # units of native work
OPEN = 255  # byte of a cell with more than one possible value


@dataclass(frozen=True, slots=True)
class Rectangle:
    """Shape of a model with a variable for each cell of a rectangle and each colour.

    Variable 1 + (k * height + row) * width + column is true if the cell has colour k + 1.
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
    lines = model.lines
    if not isinstance(lines, RowsAndColumns):
        return None
    shape = Rectangle(len(lines.rows), len(lines.columns), lines.num_colours)
    return shape if _is_of_cells(model, shape) else None


def _is_of_cells(model: Model, shape: Rectangle) -> bool:
    """True if a model has a variable for each cell and colour, and no rules but those of boards."""
    if model.num_vars != shape.num_colours * shape.size or not {*model.kinds()} <= _OF_BOARDS:
        return False
    if any(len(clause.lits) != 1 for clause in model.clauses):
        return False
    return model.counts == OneColourEach(shape.size, shape.num_colours)


def lanes_of(model: Model, pause: Callable[[], None] = lambda: None) -> _core.LaneBoard | None:
    """Return a native board of the lanes and unit clauses of `model`, not yet propagated.

    None if its lines are not those of lanes, or if it has other constraints.
    """
    lines = model.lines
    if not isinstance(lines, LaneLines):
        return None
    shape = Rectangle(1, lines.num_cells, lines.num_colours)  # its cells in a row
    if not _is_of_cells(model, shape):
        return None
    board = _core.LaneBoard(
        lines.num_colours, lines.num_cells, lines.lanes, lines.clues, raising(pause)
    )
    for clause in model.clauses:
        (lit,) = clause.lits
        cell, colour = shape.place(lit)
        board.assign(cell, colour) if lit > 0 else board.remove(cell, colour)
    return board


def board_of(
    model: Model, shape: Rectangle, pause: Callable[[], None] = lambda: None
) -> _core.Board:
    """Return a native board of the lines and unit clauses of `model`, not yet propagated."""
    assert isinstance(model.lines, RowsAndColumns)
    lines = (model.lines.rows, model.lines.columns)
    board = _core.Board(shape.num_colours, *lines, raising(pause))
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
    """A model in the pipeline, with its board if it is a rectangle.

    Attributes:
        probers: The last prober of the board, if it was probed: a search continues from it.
        lanes: Board of lanes, if its lines are those; it has no `board` then.
    """

    model: Model
    shape: Rectangle | None
    board: _core.Board | None
    probers: list[_core.Prober] = field(default_factory=list, compare=False, repr=False)
    lanes: _core.LaneBoard | None = None

    @classmethod
    def of(cls, model: Model, pause: Callable[[], None] = lambda: None) -> PresolvedModel:
        """Return a model with its board, not yet propagated; exceptions of `pause` end the work."""
        shape = rectangle(model)
        if shape is None:
            return cls(model, None, None, lanes=lanes_of(model, pause))
        return cls(model, shape, board_of(model, shape, pause))

    def copy(self) -> PresolvedModel:
        """Return a copy with a board of its own; a search of it continues from the same prober."""
        return replace(
            self,
            board=self.board and self.board.copy(),
            probers=[*self.probers],
            lanes=self.lanes and self.lanes.copy(),
        )

    def propagate(self, watch: Watch) -> bool:
        """Propagate the board to its fixpoint; True if that met no contradiction."""
        board = self.board or self.lanes
        return board is None or watch.result_of(board.propagate)

    def probe(self, watch: Watch, work: int = PROBE_WORK) -> tuple[bool, _core.Prober]:
        """Probe the board to its fixpoint, or for `work` units of native work.

        Returns:
            True if that met no contradiction, and the prober, which records its attempts.
        """
        assert self.board is not None
        self.reserve(watch)
        prober = _core.Prober(self.board)
        self.probers[:] = [prober]
        return watch.result_of(prober.run, work) != _core.Progress.CONTRADICTION, prober

    def reserve(self, watch: Watch) -> None:
        """Raise LimitReached if native probing or search needs more memory than is allowed."""
        watch.reserve(_PROBE_BYTES * self.num_open())

    def num_open(self) -> int:
        """Return the number of cells with more than one possible value; 0 without a board."""
        board = self.board or self.lanes
        return board.cells().count(OPEN) if board else 0

    def values(self, cells: bytes | None = None) -> bytes:
        """Return the model's values of a complete board, or of the given cells."""
        if isinstance(lines := self.model.lines, LaneLines) and self.lanes is not None:
            row = Rectangle(1, lines.num_cells, lines.num_colours)
            return row.values(self.lanes.cells() if cells is None else cells)
        if self.shape is None or self.board is None:
            raise ValueError("a model without a board has no cells")
        return self.shape.values(self.board.cells() if cells is None else cells)

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
        if self.lanes is not None:
            return _over_open_lanes(self.model, self.lanes, pause, propagated)
        if self.shape is None or self.board is None:
            return self.whole()
        return _over_open_cells(self.model, self.shape, self.board, pause, propagated)


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
    if task.lanes is not None:
        yield from _presolved_lanes(task, task.lanes, watch, level, work, started, signs)
    if task.board is None:
        return
    assert isinstance(task.model.lines, RowsAndColumns)
    lines = task.model.lines
    is_consistent = task.propagate(watch)
    size = len(task.board.cells())
    before = size - task.num_open() if is_consistent else 0
    reason = "" if is_consistent else of_line(task.board, lines, signs)
    yield Presolved(Stage("propagate", perf_counter() - started, before), is_consistent, reason)
    if level == "probe" and is_consistent and task.num_open():
        started = perf_counter()
        is_consistent, prober = task.probe(watch, work)
        decided = size - task.num_open() - before if is_consistent else 0
        detail = {"probes": prober.num_probes}
        if not is_consistent:
            reason = of_cell(task.board, lines, prober.lessons[-1], signs, watch)
        stage = Stage("probe", perf_counter() - started, decided, detail)
        yield Presolved(stage, is_consistent, reason)


def _presolved_lanes(
    task: PresolvedModel,
    board: _core.LaneBoard,
    watch: Watch,
    level: str,
    work: int,
    started: float,
    signs: str,
) -> Iterator[Presolved]:
    """Propagate a board of lanes, then probe it."""
    lines = task.model.lines
    assert isinstance(lines, LaneLines)
    is_consistent, reason = task.propagate(watch), ""
    size = len(board.cells())
    before = size - task.num_open() if is_consistent else 0
    if not is_consistent:
        broken = board.broken_lane
        clue = short_clue_text(lines.clues[broken], signs)
        reason = f"line propagation leaves no placement of {lines.names[broken]} (clue {clue})"
    yield Presolved(Stage("propagate", perf_counter() - started, before), is_consistent, reason)
    if level == "probe" and is_consistent and task.num_open():
        started = perf_counter()
        task.reserve(watch)
        is_consistent = watch.result_of(board.probe, work) != _core.Progress.CONTRADICTION
        decided = size - task.num_open() - before if is_consistent else 0
        if not is_consistent:
            reason = "probing finds a cell of which every value makes a lane break"
        detail = {"probes": board.num_probes}
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
    board: _core.Board,
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
    numbers = []
    for number in range(shape.height + shape.width):
        pause()
        if not propagated or OPEN in cells[shape.span(number)]:
            numbers.append(number)
    assert isinstance(model.lines, RowsAndColumns)
    lines = OpenLines(model.lines, numbers, lits, filled, board)
    reduced = Model(len(origin) - 1, lines=lines, counts=counts)
    return Reduced(reduced, tuple(origin), shape.values(cells))


def _open_plane(
    k: int,
    board: _core.Board,
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


def _over_open_lanes(
    model: Model, board: _core.LaneBoard, pause: Callable[[], None], propagated: bool
) -> Reduced:
    """Return the model over the cells that are open on a board of lanes."""
    whole = model.lines
    assert isinstance(whole, LaneLines)
    cells, size, origin = board.cells(), whole.num_cells, [0]
    planes = []
    for k in range(whole.num_colours):
        may, plane = board.plane(k + 1), []
        for cell, value in enumerate(_paced(cells, pause)):
            is_open = value == OPEN and may[cell]
            if is_open:
                origin.append(1 + k * size + cell)
            plane.append(len(origin) - 1 if is_open else TRUE if value == k + 1 else FALSE)
        planes.append(plane)
    counts, filled = [], bytes(size)
    if whole.num_colours > 1:
        may_be_empty = board.plane(0)
        filled = bytes(
            value == OPEN and not empty for value, empty in zip(cells, may_be_empty, strict=True)
        )
        for cell, *lits in zip(_paced(range(size), pause), *planes, strict=True):
            mine = tuple(lit for lit in lits if lit != FALSE)
            if cells[cell] == OPEN and (len(mine) > 1 or filled[cell]):
                counts.append(Count(mine, filled[cell], 1))
    lines = []
    for lane, clue in zip(_paced(whole.lanes, pause), whole.clues, strict=True):
        if not propagated or any(cells[cell] == OPEN for cell in lane):
            open_cells = tuple(tuple(plane[cell] for cell in lane) for plane in planes)
            must = frozenset(at for at, cell in enumerate(lane) if filled[cell])
            lines.append(Line(open_cells, clue, must))
    reduced = Model(len(origin) - 1, lines=tuple(lines), counts=tuple(counts))
    known = Rectangle(1, size, whole.num_colours).values(cells)
    return Reduced(reduced, tuple(origin), known)
