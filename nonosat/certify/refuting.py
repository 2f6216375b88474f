"""Formulas of certificates, and their proofs: DRAT is checked backward, LRAT by its hints."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping
from typing import Any

from nonosat import _core
from nonosat.certify import folder
from nonosat.core import seams
from nonosat.core.errors import CertificateError
from nonosat.core.limits import Watch


def refuted(
    files: Mapping[str, bytes], refuse_other: Callable[[int, array[int]], None], watch: Watch
) -> tuple[int, int]:
    """(clauses, lemmas) of a formula that is the puzzle's and that both proofs refute.

    Args:
        files: Content by name.
        refuse_other: Takes the number of variables and the clauses, each ended by 0, and raises
            CertificateError for another formula than the puzzle's.
        watch: Holds for everything.
    """
    num_vars, clauses = _checked(watch, folder.FORMULA, _core.parse_dimacs, files[folder.FORMULA])
    lits = array("i", clauses)
    refuse_other(num_vars, lits)
    formula = (num_vars, clauses)
    _checked(watch, folder.DRAT, _core.check_drat, *formula, files[folder.DRAT])
    num_lemmas = _checked(watch, folder.LRAT, _core.check_lrat, *formula, files[folder.LRAT])
    return lits.count(0), num_lemmas


def _checked(watch: Watch, name: str, native: Any, *arguments: Any) -> Any:
    """The result of native code on a file, within the limits."""
    seams.doing(name)
    try:
        result = native(*arguments, remaining_s=watch.remaining_s(), poll=watch.poll)
    except ValueError as error:
        raise CertificateError(f"{name}: {error}") from None
    if result is None:
        raise watch.limit()
    return result
