"""Checking certificates of puzzles of all other families.

Solutions are held against the puzzle by the family's verifier. The formula is made again: the
rules by `certify.rules` and `certify.encoder`, a clause for each cut by `certify.cuts`, which
refuses what is none, and the clause that forbids the solution.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping

from nonosat.certify import cuts, folder, witness
from nonosat.certify.refuting import refuted
from nonosat.certify.rules import rules_of
from nonosat.certify.stated_formula import StatedFormula
from nonosat.certify.verified import Verified
from nonosat.core.errors import CertificateError, UnsupportedError
from nonosat.core.limits import Watch
from nonosat.core.plugins import Puzzle


def verified(claim: str, puzzle: Puzzle, files: Mapping[str, bytes], watch: Watch) -> Verified:
    """The report, without its seconds. Raises CertificateError where something does not hold."""
    try:
        rules = rules_of(puzzle)
    except UnsupportedError as error:
        raise CertificateError(f"{folder.PUZZLE}: {error}") from None
    found = [
        witness.read(rules, files[name], name)
        for name in (folder.SOLUTION_JSON, folder.SECOND_JSON)
        if name in files
    ]
    if claim == "multiple":
        if found[0].true == found[1].true:
            raise CertificateError(
                f"{folder.SECOND_JSON}: the same solution as {folder.SOLUTION_JSON}"
            )
        return Verified(claim, puzzle, 0, 0, 0.0, trusted=rules.trusted)
    added = cuts.read(files[folder.CUTS])

    def refuse_other(num_vars: int, clauses: array[int]) -> None:
        true = found[0].true if found else None
        StatedFormula(rules, watch.check).refuse_other(num_vars, clauses, added, true)

    num_clauses, num_lemmas = refuted(files, refuse_other, watch)
    sizes = (num_clauses, num_lemmas, 0.0, None, len(added))
    return Verified(claim, puzzle, *sizes, trusted=rules.trusted)
