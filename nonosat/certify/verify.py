"""Checks certificates without relying on their author, including this package's solver.

The family's verifier checks solutions against the puzzle. The formula is built again from the
puzzle (`certify.rules`, `certify.formula`) and compared; then both proofs of it are checked, DRAT
backward, LRAT by its hints. Price tables are checked in plain Python integers and again natively
(`certify.price_table`). Native propagation, probing, search, the encodings and the engines are not
used. For a family that is not built in, its own model is accepted as its rules.

Invariant: any file content yields a verdict or a `CertificateError`.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

from nonosat import _core
from nonosat.certify import cuts, folder, witness
from nonosat.certify.certificate import Verified
from nonosat.certify.formula import Formula
from nonosat.certify.price_table import price_proof
from nonosat.certify.rules import Rules, rules_of
from nonosat.certify.witness import Witness
from nonosat.core.errors import CertificateError, UnsupportedError, shown
from nonosat.core.limits import Limits, Watch
from nonosat.core.plugins import Puzzle
from nonosat.core.scope import within
from nonosat.puzzles.nonogram.data import Nonogram


def verify(
    target: str | Path,
    *,
    puzzle: Puzzle | None = None,
    time_limit_s: float | None = None,
    memory_limit_mib: int | None = None,
) -> Verified:
    """Check the certificate in a folder completely.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     nonosat.prove(nonosat.nonogram([[3]], [[1], [2]])).write(folder)
        ...     nonosat.verify(folder).claim
        'unsolvable'

    Args:
        target: The folder.
        puzzle: The expected puzzle. Required if its family cannot be found by its name; otherwise
            the certificate contains the puzzle.
        time_limit_s: Wall seconds for everything.
        memory_limit_mib: Resident memory of this process.

    Returns:
        The certified claim and the size of the certificate.

    Raises:
        CertificateError: The certificate is wrong; the message names the file and the reason.
        LimitReached: A limit was hit; the message names it.
    """
    if not isinstance(target, str | Path):
        raise CertificateError(f"{shown(target)} is not a folder, expected its name or Path")
    watch, started = Watch(Limits(time_limit_s, memory_limit_mib)), perf_counter()
    found = within(watch, partial(_read, Path(target), puzzle, watch))
    return replace(found, seconds=perf_counter() - started)


def _read(target: Path, expected: Puzzle | None, watch: Watch) -> Verified:
    """Return the report on a folder, without its seconds."""
    claim, kind, files = folder.read(target, watch)
    puzzle = witness.read_puzzle(files[folder.PUZZLE], folder.PUZZLE, expected)
    if isinstance(puzzle, Nonogram) == (kind in folder.STATED):
        required = "no nonogram" if isinstance(puzzle, Nonogram) else "a nonogram"
        raise CertificateError(f"{folder.PUZZLE}: {puzzle}, expected {required} with these files")
    try:
        return _verified(claim, rules_of(puzzle), files, watch)
    except UnsupportedError as error:
        raise CertificateError(f"{folder.PUZZLE}: {error}") from None


def _verified(claim: str, rules: Rules, files: Mapping[str, bytes], watch: Watch) -> Verified:
    """Return the report on files. Raise CertificateError if a check fails."""
    puzzle, names = rules.puzzle, witness.names(rules)
    found = [witness.read(rules, files[name], name) for name in names if name in files]
    if claim == "multiple":
        if found[0].true == found[1].true:
            raise CertificateError(f"{names[1]}: the same solution as {names[0]}")
        return Verified(claim, puzzle, 0, 0, 0.0, trusted=rules.trusted)
    if folder.PRICES in files:
        assert isinstance(puzzle, Nonogram), "other puzzles have no certificates of this kind"
        cells = found[0].solution.cells if found else None
        prices = price_proof(puzzle, cells, files[folder.PRICES], watch)
        return Verified(claim, puzzle, 0, 0, 0.0, prices)
    return _refuted(claim, rules, found, files, watch)


def _refuted(
    claim: str, rules: Rules, found: list[Witness], files: Mapping[str, bytes], watch: Watch
) -> Verified:
    """Compare a formula with the puzzle's, check two proofs of it, and return the report."""
    added = cuts.read(files[folder.CUTS]) if folder.CUTS in files else []
    num_vars, clauses = _checked(watch, folder.FORMULA, _core.parse_dimacs, files)
    lits = array("i", clauses)
    true = found[0].true if found else None
    Formula(rules, watch.check).refuse_other(num_vars, lits, added, true)
    _checked(watch, folder.DRAT, partial(_core.check_drat, num_vars, clauses), files)
    num_lemmas = _checked(watch, folder.LRAT, partial(_core.check_lrat, num_vars, clauses), files)
    sizes = (lits.count(0), num_lemmas, 0.0, None, len(added))
    return Verified(claim, rules.puzzle, *sizes, trusted=rules.trusted)


def _checked(watch: Watch, name: str, native: Any, files: Mapping[str, bytes]) -> Any:
    """Run native code on a file within the limits, and return its result."""
    watch.doing(name)
    try:
        return watch.result_of(native, files[name])
    except ValueError as error:
        raise CertificateError(f"{name}: {error}") from None
