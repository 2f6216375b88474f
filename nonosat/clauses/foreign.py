"""Encodings by name; the output of encodings of other packages is checked before use.

An engine, a file or a table of values may fail on a literal of an undefined variable, far from the
encoding that made it. Built-in encodings are tested against their contract and skip the check.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from operator import index
from typing import Any

from nonosat.clauses.cnf import Cnf
from nonosat.clauses.sinks import SinkBase
from nonosat.core import plugins
from nonosat.core.answer_source import AnswerSource
from nonosat.core.errors import BackendError, shown
from nonosat.core.model import TRUE, Count, Line
from nonosat.core.plugins import Refiner, Sink
from nonosat.processes.isolation import in_child, must_isolate


def encode(name: str, constraint: Any, sink: Sink, num_vars: int) -> Refiner | None:
    """Add a constraint to a sink through an encoding.

    Args:
        name: Name of the encoding: "line-order".
        constraint: The constraint.
        sink: Destination of the clauses.
        num_vars: The variables 1 .. num_vars exist before.

    Returns:
        The refiner of a lazy encoding.

    Raises:
        UnsupportedError: The encoding does not support the constraint.
        BackendError: An encoding of another package adds an invalid clause.
    """
    record = plugins.find("encodings", name)
    if _is_ours(name):
        return record.encode(constraint, sink)
    checked = _Checked(name, sink, num_vars)
    if not must_isolate(record.encode, record):
        refiner = _refiner(name, record.encode, constraint, checked)
        return refiner and (lambda values: checked.passed(refiner(values)))
    last = sink.new_vars(0) - 1
    cnf, is_lazy = in_child(partial(_encoded, name, constraint, num_vars, last), record.encode)
    checked.new_vars(cnf.num_vars - last)
    sink.add_batch(cnf.buffer)
    refined = partial(_refined, name, constraint, last)

    def refine(values: bytes) -> Iterator[Sequence[int]]:
        return checked.passed(in_child(partial(refined, values), record.encode))

    return refine if is_lazy else None


def _refiner(
    name: str, encode: Callable[[Any, Sink], Any], constraint: Any, sink: Sink
) -> Refiner | None:
    """Call an encoding; return its refiner, or None if it is not lazy."""
    refiner: Refiner | None = encode(constraint, sink)
    if refiner is not None and not callable(refiner):
        raise _broken(name, f"it returned {shown(refiner)}, expected None or a refiner")
    return refiner


def encode_lines(name: str, lines: Sequence[Line], sink: Sink) -> Iterator[Sequence[int]] | None:
    """Encode many lines at once; None if the encoding has no built-in function for these."""
    if not _is_ours(name):
        return None
    together = plugins.find("encodings", name).encode_lines
    return together and together(lines, sink)


def encode_counts(name: str, counts: Sequence[Count]) -> Iterator[array[int]] | None:
    """Return batches of clauses for many counts at once; None as for `encode_lines`."""
    if not _is_ours(name):
        return None
    together = plugins.find("encodings", name).encode_counts
    return together and together(counts)


@cache
def _is_ours(name: str) -> bool:
    return plugins.is_built_in("encodings", name)


def mistake(clause: Iterable[Any], last: int) -> str:
    """Return the error of a clause; "" if it is valid.

    Args:
        clause: Clause that an encoding added.
        last: The variables 1 .. last exist.
    """
    try:
        largest = 0
        for lit in clause:
            if not index(lit):
                return f"it adds the clause {shown(clause)}, expected no 0 among its literals"
            if abs(lit) != TRUE:
                largest = max(largest, abs(lit))
    except TypeError:
        return f"it adds the clause {shown(clause)}, expected literals, which are whole numbers"
    return f"it uses variable {largest}, which its sink has not allocated" if largest > last else ""


def _broken(name: str, what: str) -> BackendError:
    kind, _, own = name.partition("-")
    advice = AnswerSource("", "encodings", {kind: own}).advice()
    return BackendError(f"the encoding {kind}={own} breaks its contract: {what}", advice=advice)


def _encoded(name: str, constraint: Any, num_vars: int, last: int) -> tuple[Cnf, bool]:
    """Return the clauses of an encoding after the variables 1 .. last, and True if it is lazy."""
    cnf = Cnf(last)
    encode = plugins.find("encodings", name).encode
    return cnf, _refiner(name, encode, constraint, _Checked(name, cnf, num_vars)) is not None


def _refined(name: str, constraint: Any, last: int, values: bytes) -> Iterable[Sequence[int]]:
    """Return the clauses of a lazy encoding for values.

    Its refiner is made again, because functions cannot be sent from a child, with the same
    variables.
    """
    refiner = plugins.find("encodings", name).encode(constraint, Cnf(last))
    assert refiner is not None, "an encoding has no state"
    return refiner(values)


class _Checked(SinkBase):
    """Sink that passes valid clauses to another sink.

    Args:
        name: Name of the encoding.
        sink: The other sink.
        num_vars: The variables 1 .. num_vars exist before.
    """

    def __init__(self, name: str, sink: Sink, num_vars: int) -> None:
        self._name = name
        self._sink = sink
        self._last = num_vars

    def new_vars(self, count: int) -> int:
        if not isinstance(count, int) or count < 0:
            raise _broken(self._name, f"it allocates {shown(count)} variables, expected a number")
        first = self._sink.new_vars(count)
        self._last = max(self._last, first + count - 1)
        return first

    def add(self, clause: Sequence[int]) -> None:
        self._check(clause)
        self._sink.add(clause)

    def add_batch(self, clauses: array[int]) -> None:
        self._check([lit for lit in clauses if lit])
        self._sink.add_batch(clauses)

    def passed(self, clauses: Iterable[Sequence[int]]) -> Iterator[Sequence[int]]:
        """Yield the clauses of a refiner, checked."""
        if not isinstance(clauses, Iterable):
            what = f"its refiner returned {shown(clauses)}, expected clauses"
            raise _broken(self._name, what)
        for clause in clauses:
            self._check(clause)
            yield clause

    def _check(self, clause: Sequence[int]) -> None:
        if what := mistake(clause, self._last):
            raise _broken(self._name, what)
