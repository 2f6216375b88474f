"""A formula as a model of CPMpy, for constraint programs in Python.

A nonogram is a matrix of integers, one a cell: 0 is empty, k is colour k. Another puzzle is an
array of Booleans, variable v of its model at index v - 1 (see `statements`). CPMpy has no circuit
that may leave out vertices: each vertex of such a loop is numbered by its distance from a root.

Invariant: all further variables are determined by these ones, so that `solveAll` counts solutions.

Source: Guns, "Increasing modeling language convenience with a universal n-dimensional array, CPpy
as python-embedded example" (ModRef 2019).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from nonosat.board.presolve import Rectangle
from nonosat.core.errors import BackendError, install_command
from nonosat.export.formula import ExportedModel
from nonosat.export.statements import (
    Circuit,
    NoSolution,
    OneOf,
    Regular,
    Statement,
    Sum,
    ValueLiteral,
    VariableArray,
    line_statements,
    stated,
)


def cpmpy_model(
    formula: ExportedModel, pause: Callable[[], None] = lambda: None
) -> tuple[Any, Any]:
    """Return the `cpmpy.Model` of a formula, and the array of its cells or variables.

    Args:
        formula: What to state; its encodings are not used.
        pause: Called at intervals; an exception that it raises ends the work.

    Raises:
        BackendError: CPMpy is not installed.
    """
    try:
        import cpmpy
    except ImportError as error:
        what = f"a CPMpy model needs cpmpy: {error}"
        raise BackendError(what, advice=install_command("cpmpy")) from error
    shape = formula.shape
    if shape is not None:
        return _board(cpmpy, formula, shape, pause)
    return _variables(cpmpy, formula, pause)


def _board(
    cpmpy: Any, formula: ExportedModel, shape: Rectangle, pause: Callable[[], None]
) -> tuple[Any, Any]:
    """Return the model of a board and its matrix of cells."""
    cells = cpmpy.intvar(0, shape.num_colours, shape=(shape.height, shape.width), name="cell")
    model, writer = cpmpy.Model(), _Writer(cpmpy, cells.flatten(), ())
    for index, line in enumerate(formula.model.lines):
        pause()
        for statement in line_statements(range(shape.size)[shape.span(index)], line):
            model += list(writer.constraints(statement))
    for row, values in enumerate(formula.values(shape, pause)):
        for column, left in enumerate(values):
            if left is not None:
                one = OneOf(row * shape.width + column, left)
                model += list(writer.constraints(one))
    if (forbidden := formula.forbidden_cells(shape)) is not None:
        pairs = zip(cells.flatten(), forbidden, strict=True)
        model += cpmpy.any([cell != value for cell, value in pairs])
    return model, cells


def _variables(cpmpy: Any, formula: ExportedModel, pause: Callable[[], None]) -> tuple[Any, Any]:
    """Return the model of another puzzle and the array of its variables."""
    found = stated(formula, pause)
    numbers: list[Any] = [None]  # integers are numbered from 1
    for name, _, size, low, high in found.arrays:
        is_boolean = (low, high) == (0, 1)
        domain = () if is_boolean else (low, high)
        make = cpmpy.boolvar if is_boolean else cpmpy.intvar
        numbers += list(make(*domain, shape=(size,), name=name))
    model, writer = cpmpy.Model(), _Writer(cpmpy, numbers, found.arrays)
    for statement in found.statements():
        for constraint in writer.constraints(statement):  # a circuit has many
            pause()
            model += constraint
    return model, cpmpy.cpm_array(numbers[1 : found.arrays[0].size + 1])


class _Writer:
    """Converter of statements to constraints of CPMpy.

    Args:
        cpmpy: The package.
        numbers: The variable of each number in statements.
        arrays: The arrays of these numbers.
    """

    def __init__(self, cpmpy: Any, numbers: Sequence[Any], arrays: Iterable[VariableArray]) -> None:
        self._cpmpy, self._numbers = cpmpy, numbers
        self._arrays = {one.name: range(one.first, one.first + one.size) for one in arrays}
        self._left: dict[int, Sequence[int]] = {}  # values of numbers

    def constraints(self, statement: Statement) -> Iterator[Any]:
        """Yield the constraints of a statement."""
        match statement:
            case Sum():
                yield from self._sum(statement)
            case NoSolution():
                yield self._cpmpy.BoolVal(False)
            case OneOf(number, values):
                self._left[number] = values
                yield self._cpmpy.InDomain(self._numbers[number], list(values))
            case ValueLiteral(lit, number, value):
                variable = self._numbers[abs(lit)]
                literal = variable if lit > 0 else ~variable
                yield literal == (self._numbers[number] == value)
            case Regular(cells):
                transitions, finals = statement.automaton()
                array = [self._numbers[cell] for cell in cells]
                yield self._cpmpy.Regular(array, transitions, 0, finals)
            case Circuit(name, is_spanning):
                yield from self._circuit(self._arrays[name], is_spanning)

    def _sum(self, statement: Sum) -> Iterator[Any]:
        plus, minus = ([self._numbers[one] for one in part] for part in statement[:2])
        lower, upper = statement.lower, statement.upper
        if upper is None and lower == 1 - len(minus):
            yield self._cpmpy.any([*plus, *(~one for one in minus)])
            return
        total = self._cpmpy.sum(plus) - self._cpmpy.sum(minus)
        if lower is not None:
            yield total >= lower
        if upper is not None:
            yield total <= upper

    def _circuit(self, numbers: range, is_spanning: bool) -> Iterator[Any]:
        """Yield "the vertices that do not follow themselves form one cycle".

        The root is the first of them. The others are numbered along the cycle from it, so that no
        second cycle has a number for each vertex. Other constraints ensure that no vertex follows
        two others.
        """
        following = [self._numbers[number] for number in numbers]
        if is_spanning and len(following) > 1:
            yield self._cpmpy.Circuit(following)
            return
        root = self._cpmpy.intvar(0, len(following) - 1)
        place = self._cpmpy.intvar(0, len(following) - 1, shape=(len(following),))
        for vertex, successor in enumerate(following):
            is_on = successor != vertex
            yield is_on.implies(root <= vertex)
            yield (root == vertex).implies(is_on & (place[vertex] == 0))
            yield (~is_on).implies(place[vertex] == 0)
            for head in self._left.get(numbers[vertex], ()):
                if head != vertex:
                    follows = (successor == head) & (root != head)
                    yield follows.implies(place[head] == place[vertex] + 1)
