"""Encodings of pindakaas, so that tables show them beside ours: `count=pindakaas-NAME`.

Both bounds are one constraint each. `adder` and `radix` state sums in binary. `bitwise`,
`ladder` and `product` are made for counts of one; ours are `bimander`, `ladder` and `product`, and
its pairs equal `pairwise`. Its clauses take new variables of its own, which are numbered anew.

Source: Bierlee, Dekker, pindakaas (https://pindakaas.readthedocs.io); with each record that of the
encoding.
"""

from __future__ import annotations

from array import array
from functools import partial

from nonosat.clauses.counts import Bounds, counted, of_one, without_single_clauses
from nonosat.core.errors import BackendError
from nonosat.core.limits import polled
from nonosat.core.model import Count
from nonosat.core.plugins import Encoding, Sink, SizeFormula, Strength

_OF_ONE = ("BITWISE", "LADDER", "PRODUCT")


def encode_by(encoder: str, count: Count, sink: Sink) -> None:
    """Add the clauses of a count to the sink.

    Args:
        encoder: An attribute of `pindakaas.Encoder`.
        count: The count.
        sink: Receives clauses.

    Raises:
        BackendError: pindakaas is missing.
        UnsupportedError: The encoding is made for bounds of one.
        ValueError: A variable occurs twice among the literals.
    """
    bounds = counted(count, sink)
    if bounds is None:
        return
    batch = array("i")
    bounds = without_single_clauses(bounds, batch)
    if not bounds.is_open():
        name = f"pindakaas-{encoder.lower()}"
        _add(of_one(bounds, name) if encoder in _OF_ONE else bounds, encoder, batch, sink)
    sink.add_batch(batch)


def _add(bounds: Bounds, encoder: str, batch: array[int], sink: Sink) -> None:
    try:
        import pindakaas
    except ImportError as error:
        what = f"the encodings of pindakaas need the package: {error}"
        raise BackendError(what, advice="pip install pindakaas") from error
    lits, lower, upper = bounds
    formula = pindakaas.CNF()
    own = [*formula.new_vars(len(lits))]
    total = sum(own[1:], start=own[0] + 0)
    constraints = [total >= lower] if lower > 0 else []
    if upper < len(lits):
        constraints.append(total <= upper)
    for constraint in constraints:
        formula.add_encoding(constraint, encoder=getattr(pindakaas.Encoder, encoder))
    ours = dict(zip(map(int, own), lits, strict=True))
    for clause in polled([*formula.clauses()]):
        for lit in map(int, clause):
            if abs(lit) not in ours:
                ours[abs(lit)] = sink.new_var()
            batch.append(ours[lit] if lit > 0 else -ours[-lit])
        batch.append(0)


def _encoding(
    encoder: str, text: str, source: str, size: tuple[str, str], strength: Strength
) -> Encoding:
    words = "complete" if strength is Strength.COMPLETE else "weak propagation"
    return Encoding(
        summary=f"{text} of pindakaas; {words}",
        source=source,
        strength=strength,
        size=SizeFormula(*size),
        determined=False,
        encode=partial(encode_by, encoder),
        needs="pindakaas",
    )


_N = "for each bound"
PLUGINS = {
    "count-pindakaas-adder": _encoding(
        "ADDER",
        "binary adders",
        "Warners 1998; Een, Sorensson 2006",
        (f"order of n {_N}", f"order of n {_N}"),
        Strength.NONE,
    ),
    "count-pindakaas-bitwise": _encoding(
        "BITWISE",
        "binary numbers for counts of one,",
        "Prestwich 2007",
        ("order of log n", "order of n log n"),
        Strength.COMPLETE,
    ),
    "count-pindakaas-bdd": _encoding(
        "DECISION_DIAGRAM",
        "decision diagrams",
        "Abio, Nieuwenhuis, Oliveras, Rodriguez-Carbonell 2012",
        (f"order of n u {_N}", f"order of n u {_N}"),
        Strength.COMPLETE,
    ),
    "count-pindakaas-ladder": _encoding(
        "LADDER",
        "a ladder for counts of one,",
        "Gent, Nightingale 2004",
        ("order of n", "order of n"),
        Strength.COMPLETE,
    ),
    "count-pindakaas-radix": _encoding(
        "MIXED_RADIX",
        "sums in a mixed radix",
        "Een, Sorensson 2006",
        (f"order of n log^2 n {_N}", f"order of n log^2 n {_N}"),
        Strength.NONE,
    ),
    "count-pindakaas-product": _encoding(
        "PRODUCT",
        "a square of the literals for counts of one,",
        "Chen 2010",
        ("order of sqrt(n)", "order of n"),
        Strength.COMPLETE,
    ),
    "count-pindakaas-seqcounter": _encoding(
        "SEQUENTIAL_COUNTER",
        "sequential counters",
        "Sinz 2005",
        (f"order of n u {_N}", f"order of n u {_N}"),
        Strength.COMPLETE,
    ),
    "count-pindakaas-sorting": _encoding(
        "SORTING_NETWORK",
        "sorting networks",
        "Asin, Nieuwenhuis, Oliveras, Rodriguez-Carbonell 2011",
        (f"order of n log^2 u {_N}", f"order of n log^2 u {_N}"),
        Strength.COMPLETE,
    ),
    "count-pindakaas-totalizer": _encoding(
        "TOTALIZER",
        "totalizers",
        "Bailleux, Boufkhad 2003",
        (f"order of n log n {_N}", f"order of n^2 {_N}"),
        Strength.COMPLETE,
    ),
    "count-pindakaas-watchdog": _encoding(
        "WATCHDOG",
        "watchdogs",
        "Bailleux, Boufkhad, Roussel 2009",
        (f"order of n log n {_N}", f"order of n^2 {_N}"),
        Strength.COMPLETE,
    ),
}
