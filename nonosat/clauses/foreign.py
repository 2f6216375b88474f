"""Encodings by name; the output of encodings of other packages is checked before use.

An engine, a file or a table of values may fail on a literal of an undefined variable, far from the
encoding that made it. Built-in encodings are tested against their contract and skip the check.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import count
from operator import index
from typing import Any

from nonosat.clauses.cnf import Cnf
from nonosat.clauses.sinks import SinkBase
from nonosat.core import plugins
from nonosat.core.answer_source import AnswerSource
from nonosat.core.errors import BackendError, shown
from nonosat.core.model import TRUE, Count, Line
from nonosat.core.plugins import Refiner, Sink
from nonosat.processes.isolation import RepeatedCall, must_isolate

Children = dict[str, RepeatedCall]  # by the name of the encoding
_numbers = count()  # of constraints, unique in this process


def encode(
    name: str, constraint: Any, sink: Sink, num_vars: int, children: Children
) -> Refiner | None:
    """Add a constraint to a sink through an encoding.

    Args:
        name: Name of the encoding: "line-order".
        constraint: The constraint.
        sink: Destination of the clauses.
        num_vars: The variables 1 .. num_vars exist before.
        children: Processes of encodings of other packages; those of one model share them.

    Returns:
        The refiner of a lazy encoding.

    Raises:
        UnsupportedError: The encoding does not support the constraint.
        BackendError: An encoding of another package adds an invalid clause.
    """
    record = plugins.find("encodings", name)
    if _is_ours(name):
        return record.encode(constraint, sink)
    if isinstance(constraint, Line):
        constraint.clue  # noqa: B018  # refuses entries that other packages do not know
    checked = _Checked(name, sink, num_vars)
    if not must_isolate(record.encode, record):
        refiner = _refiner(name, record.encode, constraint, checked)
        return refiner and (lambda values: checked.passed(refiner(values)))
    last = sink.new_vars(0) - 1
    if name not in children:
        children[name] = RepeatedCall(_Encoder(name, record.encode), record.encode)
    call, request = children[name], (next(_numbers), constraint, num_vars, last)
    cnf, is_lazy = call((*request, None))
    checked.new_vars(cnf.num_vars - last)
    sink.add_batch(cnf.buffer)
    return (lambda values: checked.passed(call((*request, values)))) if is_lazy else None


def _refiner(
    name: str, encode: Callable[[Any, Sink], Any], constraint: Any, sink: Sink
) -> Refiner | None:
    """Call an encoding; return its refiner, or None if it is not lazy."""
    refiner: Refiner | None = encode(constraint, sink)
    if refiner is not None and not callable(refiner):
        raise _broken(name, f"it returned {shown(refiner)}, expected None or a refiner")
    return refiner


def encode_lines(name: str, lines: Sequence[Line], sink: Sink) -> Iterator[Sequence[int]] | None:
    """Encode many lines in pieces; yield for each piece the number of variables of its lines.

    Returns None if the encoding comes from another package, or encodes only one line at a time.
    """
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
    """Return True if an encoding is built in, and calls no other package, which would not poll."""
    record = plugins.find("encodings", name)
    return plugins.is_built_in("encodings", name) and record.needs == "nothing"


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


class _Encoder:
    """An encoding of another package in a child process, which keeps the refiners it has made."""

    def __init__(self, name: str, encode: Callable[[Any, Sink], Any]) -> None:
        self._name, self._encode = name, encode
        self._refiners: dict[int, Refiner] = {}  # by the number of the constraint

    def __call__(self, request: tuple[int, Any, int, int, bytes | None]) -> Any:
        """Encode a constraint, or call its refiner.

        A new child, which has not encoded the constraint yet, does so before it refines.

        Args:
            request: Number of the constraint; the constraint; number of variables of its model;
                number of variables of the sink before the encoding; values for the refiner, None to
                encode.

        Returns:
            The clauses, and True if the encoding is lazy; or the clauses of its refiner.
        """
        number, constraint, num_vars, last, values = request
        if number not in self._refiners:
            cnf = Cnf(last)
            sink = _Checked(self._name, cnf, num_vars)
            refiner = _refiner(self._name, self._encode, constraint, sink)
            if refiner is not None:
                self._refiners[number] = refiner
            if values is None:
                return cnf, refiner is not None
        assert values is not None
        clauses = self._refiners[number](values)
        return [*clauses] if isinstance(clauses, Iterator) else clauses


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
