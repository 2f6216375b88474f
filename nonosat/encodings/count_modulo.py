"""Modulo totalizer of python-sat: a tree of sums, each a quotient and a remainder in unary.

This is the smallest encoding of long counts, with two disadvantages. Each bound has a tree of its
own, encoded in one direction, so the variables are not determined by the literals and one
assignment has many models. And unit propagation misses implied literals and even conflicts: for "at
most two of five literals" it does not refute that the second, third and fifth are true. Size:
O(n log n) variables and O(n sqrt(n)) clauses for n literals; a quarter of the totalizer's clauses
at n = 300 and bounds of 150.

None of python-sat's other encodings is worth offering: pairs and ladder are limited to bounds of
one, sequential counter and totalizer leave variables undetermined and share none between the
bounds, and the networks are larger than the totalizer here up to n = 100.

Source: Morgado, Ignatiev, Marques-Silva, "MSCG: robust core-guided MaxSAT solving" (JSAT, 2014),
after Ogawa, Liu, Hasegawa, Koshimura, Fujita, "Modulo based CNF encoding of cardinality
constraints" (ICTAI 2013); code: Ignatiev, Morgado, Marques-Silva, PySAT (SAT 2018).
"""

from __future__ import annotations

from array import array

from nonosat.clauses.counts import Bounds, counted, without_single_clauses
from nonosat.core.errors import BackendError
from nonosat.core.limits import polled
from nonosat.core.model import Count
from nonosat.core.plugins import Encoding, Sink, SizeFormula, Strength


def encode(count: Count, sink: Sink) -> None:
    """Add the clauses of a count to the sink.

    Raises:
        BackendError: python-sat is missing.
        ValueError: A variable occurs twice among the literals.
    """
    bounds = counted(count, sink)
    if bounds is None:
        return
    batch = array("i")
    bounds = without_single_clauses(bounds, batch)
    if not bounds.is_open():
        _trees(bounds, batch, sink)
    sink.add_batch(batch)


def _trees(bounds: Bounds, batch: array[int], sink: Sink) -> None:
    """Add a tree for each bound that is not trivial."""
    try:
        from pysat.card import CardEnc, EncType
    except ImportError as error:
        what = f"modulo needs python-sat: {error}"
        raise BackendError(what, advice="install python-sat") from error
    lits, lower, upper = bounds
    size = len(lits)
    numbered = list(range(1, size + 1))  # python-sat numbers its variables after them
    made = []
    if lower > 0:
        made.append(CardEnc.atleast(numbered, lower, encoding=EncType.kmtotalizer))
    if upper < size:
        made.append(CardEnc.atmost(numbered, upper, encoding=EncType.kmtotalizer))
    for formula in made:
        num_new = formula.nv - size
        first = sink.new_vars(num_new)
        ours = [0, *lits, *range(first, first + num_new)]
        for clause in polled(formula.clauses):
            batch.extend([ours[lit] if lit > 0 else -ours[-lit] for lit in clause])
            batch.append(0)


PLUGIN = Encoding(
    summary="modulo totalizers of python-sat, variables not determined; weak propagation",
    source="Morgado, Ignatiev, Marques-Silva 2014; Ogawa et al. 2013",
    strength=Strength.NONE,
    size=SizeFormula("order of n log n for each bound", "order of n sqrt(n) for each bound"),
    determined=False,
    encode=encode,
)
