"""Modulo totalizer of python-sat: a tree of sums, each a quotient and a remainder in unary.

This is the smallest encoding of long counts, with two disadvantages. Each bound has a tree of its
own, encoded in one direction, so the variables are not determined by the literals and one
assignment has many models. And unit propagation misses implied literals and even conflicts: for "at
most two of five literals" it does not refute that the second, third and fifth are true. Size:
O(n log n) variables and O(n sqrt(n)) clauses for n literals; a quarter of the totalizer's clauses
at n = 300 and bounds of 150.

Its other encodings are `count=pysat-...`, for comparison (`count_pysat.py`).

Source: Morgado, Ignatiev, Marques-Silva, "MSCG: robust core-guided MaxSAT solving" (JSAT, 2014),
after Ogawa, Liu, Hasegawa, Koshimura, Fujita, "Modulo based CNF encoding of cardinality
constraints" (ICTAI 2013); code: Ignatiev, Morgado, Marques-Silva, PySAT (SAT 2018).
"""

from __future__ import annotations

from functools import partial

from nonosat.core.plugins import Encoding, SizeFormula, Strength
from nonosat.encodings._pysat import encode_by

PLUGIN = Encoding(
    summary="modulo totalizers of python-sat, variables not determined; weak propagation",
    source="Morgado, Ignatiev, Marques-Silva 2014; Ogawa et al. 2013",
    strength=Strength.NONE,
    size=SizeFormula("order of n log n for each bound", "order of n sqrt(n) for each bound"),
    determined=False,
    encode=partial(encode_by, "modulo", "kmtotalizer"),
)
