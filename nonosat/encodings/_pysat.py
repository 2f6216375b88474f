"""Encodings of counts by python-sat (`pysat.card`): a formula for each bound that is not trivial.

Each formula is made in one direction, with variables of its own that the literals need not
determine, and numbered anew. Source: Ignatiev, Morgado, Marques-Silva, "PySAT: a Python toolkit for
prototyping with SAT oracles" (SAT 2018).
"""

from __future__ import annotations

from array import array

from nonosat.clauses.counts import Bounds, counted, of_one, without_single_clauses
from nonosat.core.errors import BackendError
from nonosat.core.limits import polled
from nonosat.core.model import Count
from nonosat.core.plugins import Sink

_OF_ONE = ("bitwise", "ladder")


def encode_by(name: str, kind: str, count: Count, sink: Sink) -> None:
    """Add the clauses of a count to the sink.

    Args:
        name: Name of our encoding, for messages.
        kind: Name of python-sat's, an attribute of `pysat.card.EncType`.
        count: The count.
        sink: Receives clauses.

    Raises:
        BackendError: python-sat is missing.
        UnsupportedError: The encoding is made for bounds of one.
        ValueError: A variable occurs twice among the literals.
    """
    bounds = counted(count, sink)
    if bounds is None:
        return
    batch = array("i")
    bounds = without_single_clauses(bounds, batch)
    if not bounds.is_open():
        _add_formulas(of_one(bounds, name) if kind in _OF_ONE else bounds, name, kind, batch, sink)
    sink.add_batch(batch)


def _add_formulas(bounds: Bounds, name: str, kind: str, batch: array[int], sink: Sink) -> None:
    try:
        from pysat.card import CardEnc, EncType
    except ImportError as error:
        what = f"{name} needs python-sat: {error}"
        raise BackendError(what, advice="install python-sat") from error
    lits, lower, upper = bounds
    size, encoding = len(lits), getattr(EncType, kind)
    numbered = list(range(1, size + 1))  # python-sat numbers its variables after them
    made = []
    if lower > 0:
        made.append(CardEnc.atleast(numbered, lower, encoding=encoding))
    if upper < size:
        made.append(CardEnc.atmost(numbered, upper, encoding=encoding))
    for formula in made:
        ours = dict(zip(numbered, lits, strict=True))  # it leaves some of its numbers out
        for clause in polled(formula.clauses):
            for lit in clause:
                if abs(lit) not in ours:
                    ours[abs(lit)] = sink.new_var()
            batch.extend([ours[lit] if lit > 0 else -ours[-lit] for lit in clause])
            batch.append(0)
