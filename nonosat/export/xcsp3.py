"""XCSP3: cells as integers, lines as `regular` constraints, loops as `circuit`.

The array `x` of a nonogram has its rows and columns, from 0; 0 is an empty cell, k one of colour k.
For other puzzles, `x[i]` is variable i + 1 of the model, 0 or 1 (see `statements`).

Only constraints of XCSP3-core are written: regular, extension, instantiation, sum, intension,
circuit. Memory: one row of a board at a time.

Sources: Boussemart, Lecoutre, Audemard, Piette, "XCSP3: An Integrated Format for Benchmarking
Combinatorial Constrained Problems" (2016); "XCSP3-core" (2020).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import BinaryIO

from nonosat.board.presolve import Rectangle
from nonosat.core.families import name_of
from nonosat.export.formula import ExportedModel
from nonosat.export.statements import (
    Circuit,
    Names,
    NoSolution,
    OneOf,
    Regular,
    Statement,
    Sum,
    ValueLiteral,
    line_statements,
    stated,
)

Name = Callable[[int], str]


def write_xcsp3(
    formula: ExportedModel, stream: BinaryIO, pause: Callable[[], None] = lambda: None
) -> None:
    """Write a formula as an XCSP3 instance.

    Args:
        formula: What to state; its encodings are not used.
        stream: Only written to.
        pause: Called at intervals; an exception that it raises ends the work.
    """
    shape = formula.shape
    for text in _statements(formula, pause) if shape is None else _board(formula, shape, pause):
        stream.write(text.encode())


def _head(formula: ExportedModel, what: str, arrays: Iterable[str]) -> Iterator[str]:
    yield '<instance format="XCSP3" type="CSP">\n'
    puzzle = "".join(char if char.isprintable() else "?" for char in formula.puzzle.about.id)
    remarks = ["nonosat 1", *(["puzzle " + puzzle] if puzzle else [])]
    remarks += [f"presolve {formula.presolve}", *(["forbids 1"] if formula.unique else []), what]
    yield f"<!-- {'; '.join(remarks).replace('-', '‐')} -->\n"  # XML forbids "--"
    yield "<variables>\n"
    yield from arrays
    yield "</variables>\n<constraints>\n"


_FOOT = "</constraints>\n</instance>\n"


def _array(name: str, sizes: Sequence[int], low: int, high: int) -> str:
    size = "".join(f"[{one}]" for one in sizes)
    values = f"{low}..{high}" if high > low + 1 else " ".join(map(str, range(low, high + 1)))
    return f'<array id="{name}" size="{size}"> {values} </array>\n'


# Nonograms


def _board(formula: ExportedModel, shape: Rectangle, pause: Callable[[], None]) -> Iterator[str]:
    height, width = shape.height, shape.width
    what = "x[row][column]: 0 is empty, k is colour k"
    yield from _head(formula, what, [_array("x", (height, width), 0, shape.num_colours)])

    def named(cell: int) -> str:
        return f"x[{cell // width}][{cell % width}]"

    for index, line in enumerate(formula.model.lines):
        pause()
        whole = f"x[{index}][]" if index < height else f"x[][{index - height}]"
        for statement in line_statements(range(shape.size)[shape.span(index)], line):
            yield _element(statement, named, whole)
    for row, values in enumerate(formula.values(shape, pause)):
        yield from _known(row, values, width, named)
    if (cells := formula.forbidden_cells(shape)) is not None:
        conflict = ",".join(map(str, cells))
        if shape.size > 1:  # a tuple of one value is written without brackets
            conflict = f"({conflict})"
        yield _tag("extension", ("list", "x[][]"), ("conflicts", conflict))
    yield _FOOT


def _known(
    row: int, values: Sequence[tuple[int, ...] | None], width: int, named: Name
) -> Iterator[str]:
    """Yield constraints on the known cells of a row."""
    fixed = [(row * width + c, left[0]) for c, left in enumerate(values) if left and len(left) == 1]
    if fixed:
        cells, colours = zip(*fixed, strict=True)
        words = " ".join(map(named, cells)), " ".join(map(str, colours))
        yield _tag("instantiation", ("list", words[0]), ("values", words[1]))
    for column, left in enumerate(values):
        if left is not None and len(left) != 1:
            statement = (
                OneOf(row * width + column, left) if left else NoSolution(row * width + column)
            )
            yield _element(statement, named)


# Other puzzles


def _statements(formula: ExportedModel, pause: Callable[[], None]) -> Iterator[str]:
    found = stated(formula, pause)
    arrays = (_array(name, (size,), low, high) for name, _, size, low, high in found.arrays)
    what = f"x[i]: variable i + 1 of the {name_of(formula.puzzle)}, 1 is true"
    yield from _head(formula, what, arrays)
    names = Names(found.arrays)

    def named(number: int) -> str:
        name, place = names[number]
        return f"{name}[{place}]"

    for statement in found.statements():
        yield _element(statement, named)
    yield _FOOT


def _element(statement: Statement, named: Name, whole: str | None = None) -> str:
    """Return a constraint as XML.

    Args:
        statement: The constraint.
        named: Returns the name of an integer.
        whole: One name for all cells of an automaton, such as a row's; None to list them.
    """
    match statement:
        case Sum():
            return _sum(statement, named)
        case OneOf(number, values):
            supports = " ".join(map(str, values))
            return _tag("extension", ("list", named(number)), ("supports", supports))
        case ValueLiteral(lit, number, value):
            which = named(abs(lit)) if lit > 0 else f"sub(1,{named(-lit)})"
            return f"<intension> eq({which},eq({named(number)},{value})) </intension>\n"
        case Regular(cells):
            return _regular(statement, whole or " ".join(map(named, cells)))
        case Circuit(name):
            return _tag("circuit", ("list", f"{name}[]"))
        case NoSolution(number):
            return f"<intension> lt({named(number)},0) </intension>\n"


def _sum(statement: Sum, named: Name) -> str:
    plus, minus, lower, upper = statement
    terms = " ".join(map(named, (*plus, *minus)))
    parts = [("list", terms)]
    if minus:
        parts.append(("coeffs", " ".join(["1"] * len(plus) + ["-1"] * len(minus))))
    if lower is None:
        condition = f"(le,{upper})"
    elif upper is None:
        condition = f"(ge,{lower})"
    else:
        condition = f"(eq,{lower})" if lower == upper else f"(in,{lower}..{upper})"
    return _tag("sum", *parts, ("condition", condition))


def _regular(line: Regular, cells: str) -> str:
    transitions, finals = line.automaton()
    arcs = "".join(f"(q{state},{value},q{following})" for state, value, following in transitions)
    accepting = " ".join(f"q{state}" for state in finals)
    return _tag(
        "regular", ("list", cells), ("transitions", arcs), ("start", "q0"), ("final", accepting)
    )


def _tag(name: str, *parts: tuple[str, str]) -> str:
    inside = "".join(f"<{part}> {text} </{part}>" for part, text in parts)
    return f"<{name}>{inside}</{name}>\n"
