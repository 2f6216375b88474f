"""MiniZinc: a nonogram as data for one common model, other puzzles by their constraints.

The data are those of the model `non` of the MiniZinc challenge (2011 to 2013), so that its model
and other models with that input take plain puzzles, too; `nonogram.mzn`, next to this file,
documents the extensions: colours, blocks of unknown length, and known cells as values of `x`. A
`.mzn` file is complete: that model, its data, and constraints that data cannot express.

For other puzzles, `x[v]` is variable v of the model, 0 or 1 (see `statements`).

Memory: one row of the board at a time.

Sources: Nethercote et al., "MiniZinc: Towards a Standard CP Modelling Language" (CP 2007); Pesant,
"A regular language membership constraint for finite sequences of variables" (CP 2004).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.resources import files
from typing import BinaryIO, TypeGuard

from nonosat.board.presolve import Rectangle
from nonosat.core.errors import UnsupportedError
from nonosat.core.families import name_of
from nonosat.core.limits import polled
from nonosat.core.model import Clue, RowsAndColumns
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
    stated,
)

_INCLUDED = {True: "circuit.mzn", False: "subcircuit.mzn"}  # index: True if the cycle is spanning


def nonogram_model() -> str:
    """Return the model that reads the data of every nonogram."""
    return files("nonosat.export").joinpath("nonogram.mzn").read_text(encoding="utf-8")


def write_mzn(
    formula: ExportedModel, stream: BinaryIO, pause: Callable[[], None] = lambda: None
) -> None:
    """Write a formula as a complete MiniZinc model.

    Args:
        formula: What to state; its encodings are not used.
        stream: Only written to.
        pause: Called at intervals; an exception that it raises ends the work.
    """
    shape = formula.shape
    parts = _statements(formula, pause) if shape is None else _nonogram(formula, shape, pause)
    for text in parts:
        stream.write(text.encode())


def write_dzn(
    formula: ExportedModel, stream: BinaryIO, pause: Callable[[], None] = lambda: None
) -> None:
    """Write a nonogram as data for `nonogram_model`; arguments as for `write_mzn`.

    Cells with more than one value left are omitted.

    Raises:
        UnsupportedError: The formula is not of a nonogram, or forbids a solution.
    """
    shape = formula.shape
    if shape is None:
        raise UnsupportedError(
            f"a .dzn file holds the clues of a nonogram, and this is {name_of(formula.puzzle)}; "
            "write an .mzn file"
        )
    if formula.unique:
        raise UnsupportedError(
            "a .dzn file holds data, and a forbidden solution is a constraint; write an .mzn file"
        )
    for text in (*_remarks(formula), *_data(formula, shape, pause)):
        stream.write(text.encode())


def _remarks(formula: ExportedModel) -> Iterator[str]:
    yield "% nonosat 1\n"
    if name := formula.puzzle.about.id:
        yield f"% puzzle {''.join(char if char.isprintable() else '?' for char in name)}\n"
    yield f"% presolve {formula.presolve}\n"
    if formula.unique:
        yield "% forbids 1\n"


# Nonograms


def _nonogram(formula: ExportedModel, shape: Rectangle, pause: Callable[[], None]) -> Iterator[str]:
    yield from _remarks(formula)
    yield f"\n{nonogram_model()}\n% The puzzle\n\n"
    yield from _data(formula, shape, pause)
    for row, values in enumerate(formula.values(shape, pause), start=1):
        for column, left in enumerate(values, start=1):
            if left is not None and not _fixed(left):
                numbers = ", ".join(str(value + 1) for value in left)
                yield f"constraint x[{row}, {column}] in {{{numbers}}};\n"
    if (cells := formula.forbidden_cells(shape)) is not None:
        yield "array[1..Y, 1..X] of int: forbidden = [|"
        for row in range(shape.height):
            yield _row(str(value + 1) for value in cells[shape.span(row)])
        yield "];\n"
        yield "constraint exists (r in 1..Y, c in 1..X) (x[r, c] != forbidden[r, c]);\n"


def _data(formula: ExportedModel, shape: Rectangle, pause: Callable[[], None]) -> Iterator[str]:
    lines = formula.model.lines
    assert isinstance(lines, RowsAndColumns)
    longest = max(len(_entries(clue)) for clue in polled((*lines.rows, *lines.columns)))
    yield f"X = {shape.width};\nY = {shape.height};\nmaxlen = {longest};\n"
    for name, clues in (("rows", lines.rows), ("cols", lines.columns)):
        yield f"{name} = [|"
        for clue in polled(clues):
            pause()
            entries = _entries(clue)
            entries += [-1] * (longest - len(entries))
            yield _row(map(str, entries))
        yield "];\n"
    if any(_fixed(one) for values in formula.values(shape, pause) for one in values):
        yield "x = [|"  # MiniZinc refuses it if nothing is fixed
        for values in formula.values(shape, pause):
            yield _row(str(one[0] + 1) if _fixed(one) else "_" for one in values)
        yield "];\n"


def _fixed(values: tuple[int, ...] | None) -> TypeGuard[tuple[int]]:
    """Return True if exactly one value is left for a cell."""
    return values is not None and len(values) == 1


def _entries(clue: Clue) -> list[int]:
    """Return a clue as the list of integers that `nonogram.mzn` reads."""
    entries: list[int] = []
    before = 0
    for length, colour in polled(clue):
        if colour == before:
            entries.append(0)
        entries += [-1 - colour] if length is None else [colour] * length
        before = colour
    return entries or [0]


def _row(entries: Iterable[str]) -> str:
    return f"{','.join(entries)}\n |"


# Other puzzles


def _statements(formula: ExportedModel, pause: Callable[[], None]) -> Iterator[str]:
    found = stated(formula, pause)
    yield from _remarks(formula)
    yield f"% x: the variables of the {name_of(formula.puzzle)}, 1 is true\n\n"
    bases = {one.name: 0 if one.name.startswith("s") else 1 for one in found.arrays}
    if formula.model.lines:
        yield 'include "regular.mzn";\n'
    for spanning in sorted({loop.spanning for loop in formula.model.loops}):
        yield f'include "{_INCLUDED[spanning]}";\n'
    for name, _, size, low, high in found.arrays:
        indices = f"{bases[name]}..{size - 1 + bases[name]}"
        yield f"array[{indices}] of var {low}..{high}: {name};\n"
    names = Names(found.arrays)

    def named(number: int) -> str:
        name, place = names[number]
        return f"{name}[{place + bases[name]}]"

    for statement in found.statements():
        yield f"constraint {_constraint(statement, named)};\n"
    yield 'solve satisfy;\noutput ["x = \\(x);\\n"];\n'


def _constraint(statement: Statement, named: Callable[[int], str]) -> str:
    match statement:
        case Sum(plus, minus, lower, upper):
            return _sum(plus, minus, lower, upper, named)
        case OneOf(number, values):
            return f"{named(number)} in {{{', '.join(map(str, values))}}}"
        case ValueLiteral(lit, number, value):
            return f"({named(number)} = {value}) = ({named(abs(lit))} = {int(lit > 0)})"
        case Regular():
            return _regular(statement, named)
        case Circuit(name, spanning):
            return f"{'circuit' if spanning else 'subcircuit'}({name})"
        case NoSolution(_):
            return "false"


def _sum(
    plus: Sequence[int],
    minus: Sequence[int],
    lower: int | None,
    upper: int | None,
    named: Callable[[int], str],
) -> str:
    texts = (f"sum([{', '.join(map(named, one))}])" if one else "0" for one in (plus, minus))
    total = " - ".join(texts) if minus else next(texts)
    if lower == upper:
        return f"{total} = {lower}"
    bounds = [f"{total} >= {lower}"] if lower is not None else []
    return " /\\ ".join(bounds + ([f"{total} <= {upper}"] if upper is not None else []))


def _regular(line: Regular, named: Callable[[int], str]) -> str:
    """Return a line's automaton as a `regular` constraint.

    Its table has a row per state and a column per value; an entry is the next state, from 1, or 0
    if the automaton rejects.
    """
    transitions, finals = line.automaton()
    states = 1 + max(state for state, _, _ in transitions)
    values = 1 + max(value for _, value, _ in transitions)
    table = [[0] * values for _ in range(states)]
    for state, value, following in transitions:
        table[state][value] = following + 1
    rows = " | ".join(",".join(map(str, row)) for row in table)
    read = ", ".join(f"{named(number)} + 1" for number in line.cells)
    accepting = ", ".join(str(state + 1) for state in finals)
    return f"regular([{read}], {states}, {values}, [|{rows}|], 1, {{{accepting}}})"
