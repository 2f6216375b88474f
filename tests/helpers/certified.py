"""Certificates that are written, verified and checked naively, and altered certificates."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import nonosat
from helpers.proofs import follows_hints, read_dimacs, refutes
from nonosat.certify import cuts, folder
from nonosat.certify.certificate import Certificate
from nonosat.certify.prove import prove
from nonosat.certify.verify import verify
from nonosat.core.errors import CertificateError
from nonosat.core.plugins import Puzzle


def checked(puzzle: Puzzle, target: Path, **options: Any) -> Certificate:
    """Write a certificate; check it by `verify` and by naive checkers."""
    certificate = prove(puzzle, **options)
    certificate.write(target)
    found = verify(target, puzzle=puzzle)
    assert (found.claim, found.puzzle) == (certificate.claim, puzzle)
    assert found.trusted == certificate.trusted
    assert Certificate.from_data(certificate.to_data()) == certificate
    if not found.trusted:  # a family that is found by its name
        assert nonosat.Verified.from_data(found.to_data()) == found
    if certificate.claim == "multiple":
        assert not found.num_clauses
        return certificate
    sizes = (certificate.num_clauses, certificate.num_cuts, certificate.num_lemmas)
    assert (found.num_clauses, found.num_cuts, found.num_lemmas) == sizes
    files = certificate.files
    _, clauses = read_dimacs(files[folder.FORMULA].decode())
    assert len(clauses) == certificate.num_clauses
    assert len(cuts.read(files[folder.CUTS])) == certificate.num_cuts
    if certificate.num_lemmas < 300:  # the naive checkers are slow
        assert refutes(clauses, files[folder.DRAT].decode(), strict=True)
        assert follows_hints(clauses, files[folder.LRAT].decode())
    return certificate


def rewrite(target: Path, certificate: Certificate, changes: dict[str, bytes]) -> None:
    """Write a certificate with other content in some files, and a matching manifest."""
    files = {**certificate.files, **changes}
    files[folder.MANIFEST] = folder.manifest(certificate.claim, files, {})
    target.mkdir(exist_ok=True)
    for name, data in files.items():
        (target / name).write_bytes(data)


def refused(target: Path, why: str) -> None:
    with pytest.raises(CertificateError, match=why):
        verify(target)
