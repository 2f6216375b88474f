"""Checking certificates without trusting whoever wrote them, this package's solver included.

Nothing of native propagation, probing, search, of the encodings or of any engine takes part:
`verify_nonogram` and `verify_stated` make each formula by encoders of their own, and both proofs of
it are checked. A family that is not ours is believed in one thing, what its rules are.

Invariant: whatever the files hold, a verdict or a `CertificateError` comes out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

from nonosat.certify import folder
from nonosat.certify.pictures import read_puzzle
from nonosat.certify.verified import Verified
from nonosat.core.errors import CertificateError, shown
from nonosat.core.limits import Limits, Watch
from nonosat.core.plugins import Puzzle
from nonosat.processes.guard import within
from nonosat.puzzles.nonogram.data import Nonogram


def verify(
    target: str | Path,
    *,
    puzzle: Puzzle | None = None,
    time_limit_s: float | None = None,
    memory_limit_mib: int | None = None,
) -> Verified:
    """Check the certificate in a folder; nothing is taken on trust.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     nonosat.prove(nonosat.nonogram([[3]], [[1], [2]])).write(folder)
        ...     nonosat.verify(folder).claim
        'unsolvable'

    Args:
        target: The folder.
        puzzle: The puzzle that it has to be about. To be given where its family cannot be found by
            its name; else the certificate says which one it is.
        time_limit_s: Wall seconds for everything.
        memory_limit_mib: Resident memory of this process.

    Returns:
        What it certifies, and how large it is.

    Raises:
        CertificateError: It does not hold; the message names the file and the reason.
        LimitReached: A limit was hit; the message names it.
    """
    if not isinstance(target, str | Path):
        raise CertificateError(f"{shown(target)} is no folder, expected its name or Path")
    watch, started = Watch(Limits(time_limit_s, memory_limit_mib)), perf_counter()
    claim, about, files = within(watch, partial(_read, Path(target), puzzle, watch))
    verified = _verifier(about)  # its imports are no work to be cut short
    found = within(watch, partial(verified, claim, about, files, watch))
    return replace(found, seconds=perf_counter() - started)


def _read(
    target: Path, puzzle: Puzzle | None, watch: Watch
) -> tuple[str, Puzzle, dict[str, bytes]]:
    """(claim, puzzle, content by name) of a certificate whose files go with its puzzle."""
    claim, kind, files = folder.read(target, watch)
    puzzle = read_puzzle(files[folder.PUZZLE], folder.PUZZLE, puzzle)
    if isinstance(puzzle, Nonogram) == (kind in folder.STATED):
        wanted = "no nonogram" if isinstance(puzzle, Nonogram) else "a nonogram"
        raise CertificateError(f"{folder.PUZZLE}: {puzzle}, expected {wanted} beside these files")
    return claim, puzzle, files


def _verifier(puzzle: Puzzle) -> Callable[[str, Any, dict[str, bytes], Watch], Verified]:
    """What checks certificates of this kind of puzzle; the other one is not imported."""
    if isinstance(puzzle, Nonogram):
        from nonosat.certify import verify_nonogram

        return verify_nonogram.verified
    from nonosat.certify import verify_stated

    return verify_stated.verified
