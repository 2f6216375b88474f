"""Other encodings of python-sat, so that tables show them beside ours: `count=pysat-NAME`.

`bitwise` and `ladder` are made for counts of one; ours of the same bounds are `product` and
`ladder`. python-sat's pairs equal `pairwise`, its k-modulo totalizer is `modulo`.

Sources: with each record; code: Ignatiev, Morgado, Marques-Silva, PySAT (SAT 2018).
"""

from __future__ import annotations

from functools import partial

from nonosat.core.plugins import Encoding, SizeFormula, Strength
from nonosat.encodings._pysat import encode_by

_N = "for each bound"


def _encoding(
    kind: str, text: str, source: str, size: tuple[str, str], strength: Strength
) -> Encoding:
    words = "complete" if strength is Strength.COMPLETE else "weak propagation"
    return Encoding(
        summary=f"{text} of python-sat; {words}",
        source=source,
        strength=strength,
        size=SizeFormula(*size),
        determined=kind == "ladder",
        encode=partial(encode_by, f"pysat-{kind}", kind),
        needs="python-sat",
    )


PLUGINS = {
    "count-pysat-bitwise": _encoding(
        "bitwise",
        "binary numbers for counts of one,",
        "Prestwich 2007",
        ("order of log n", "order of n log n"),
        Strength.COMPLETE,
    ),
    "count-pysat-cardnetwrk": _encoding(
        "cardnetwrk",
        "cardinality networks",
        "Asin, Nieuwenhuis, Oliveras 2011, with others",
        (f"order of n log^2 u {_N}", f"order of n log^2 u {_N}"),
        Strength.COMPLETE,
    ),
    "count-pysat-ladder": _encoding(
        "ladder",
        "a ladder for counts of one,",
        "Gent, Nightingale 2004",
        ("order of n", "order of n"),
        Strength.COMPLETE,
    ),
    "count-pysat-mtotalizer": _encoding(
        "mtotalizer",
        "modulo totalizers",
        "Ogawa et al. 2013",
        (f"order of n log n {_N}", f"order of n sqrt(n) {_N}"),
        Strength.NONE,
    ),
    "count-pysat-seqcounter": _encoding(
        "seqcounter",
        "sequential counters",
        "Sinz 2005",
        (f"order of n u {_N}", f"order of n u {_N}"),
        Strength.COMPLETE,
    ),
    "count-pysat-sortnetwrk": _encoding(
        "sortnetwrk",
        "sorting networks",
        "Batcher 1968; Een, Sorensson 2006",
        (f"order of n log^2 n {_N}", f"order of n log^2 n {_N}"),
        Strength.COMPLETE,
    ),
    "count-pysat-totalizer": _encoding(
        "totalizer",
        "totalizers",
        "Bailleux, Boufkhad 2003",
        (f"order of n log n {_N}", f"order of n^2 {_N}"),
        Strength.COMPLETE,
    ),
}
