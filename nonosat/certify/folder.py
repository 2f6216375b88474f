"""Folder of a certificate: its files, and a manifest with their hashes.

    manifest.json   claim, and size and SHA-256 of every other file
    puzzle.json     the clues, in the project's own JSON
    solution.txt    the picture, one character per cell (`unique`, `multiple`)
    second.txt      another picture (`multiple`)

A proof of `unique` or `unsolvable` is of one of two kinds, clauses or prices:

    formula.cnf     DIMACS: the order encoding of the clues and, after it, the clause that forbids
                    the solution
    proof.drat      a refutation of the formula, in text: lemmas, and deletions of used-up ones
    proof.lrat      the same lemmas with hints
    prices.opb      on request: the clues as pseudo-Boolean constraints, and "a cell
                    differs from the solution" (`unique`, `unsolvable`)
    prices.pbp      the refutation of that by prices, in VeriPB's format; `verify` checks
                    only the hashes of these two
    clauses.opb, clauses.pbp
                    the same with a refutation by clauses

    prices.json     price tables (format in `price_table`, semantics in `price_check`)

These are the files of a nonogram. A puzzle of another family has its solutions as JSON (`witness`),
and these files:

    formula.cnf     DIMACS: the rules, the cuts, and the clause that forbids the solution
    cuts.json       clauses that exclude several cycles (`cuts`); only with a loop
    proof.drat, proof.lrat

The manifest's version is 2 for proofs by prices, and 3 for puzzles other than nonograms; older
versions of this package refuse both. They refuse files that they do not know, too: 0.1 reads no
clauses.opb, so that a certificate for it is made without `veripb`.

Invariant: the reader follows no symbolic link, waits for no pipe, and reads no file that the
manifest does not list with its size. Files are not compressed, so their sizes bound the memory
needed.
"""

from __future__ import annotations

import json
import os
import stat
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from nonosat.core.errors import CertificateError, UnsupportedError, counted, path_text, shown
from nonosat.core.limits import Watch
from nonosat.processes.files import draft_of

MANIFEST = "manifest.json"
PUZZLE, SOLUTION, SECOND = "puzzle.json", "solution.txt", "second.txt"
FORMULA, DRAT, LRAT = "formula.cnf", "proof.drat", "proof.lrat"
PRICES = "prices.json"
SOLUTION_JSON, SECOND_JSON, CUTS = "solution.json", "second.json", "cuts.json"
CLAUSES = (FORMULA, DRAT, LRAT)
RULES = (FORMULA, CUTS, DRAT, LRAT)
FILES: dict[str, dict[str, tuple[str, ...]]] = {  # by claim and kind of proof
    "unique": {
        "clauses": (PUZZLE, SOLUTION, *CLAUSES),
        "prices": (PUZZLE, SOLUTION, PRICES),
        "rules": (PUZZLE, SOLUTION_JSON, *RULES),
    },
    "unsolvable": {
        "clauses": (PUZZLE, *CLAUSES),
        "prices": (PUZZLE, PRICES),
        "rules": (PUZZLE, *RULES),
    },
    "multiple": {
        "pictures": (PUZZLE, SOLUTION, SECOND),
        "solutions": (PUZZLE, SOLUTION_JSON, SECOND_JSON),
    },
}
# Version of the manifest by kind of proof
VERSIONS = {"clauses": 1, "pictures": 1, "prices": 2, "rules": 3, "solutions": 3}
STATED = ("rules", "solutions")  # kinds for puzzles other than nonograms
# Files for VeriPB; a certificate contains both files of one kind or none
OPB, PBP = "prices.opb", "prices.pbp"
CLAUSES_OPB, CLAUSES_PBP = "clauses.opb", "clauses.pbp"
FURTHER = ((OPB, PBP), (CLAUSES_OPB, CLAUSES_PBP))
_NAMES = {MANIFEST}.union(
    *FURTHER, *(names for kinds in FILES.values() for names in kinds.values())
)
_MAX_MANIFEST = 2**16  # bytes


def check_target(folder: Path, *, replaces: bool = False) -> None:
    """Raise if a folder must not be written to, before any work is done.

    Args:
        folder: The folder.
        replaces: Permit a folder that contains a certificate and nothing else.

    Raises:
        UnsupportedError: The folder contains something, or is not writable.
    """
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise UnsupportedError(
            f"{path_text(folder)} is not a folder; name one that is new or empty"
        )
    held = {path.name for path in folder.iterdir()} if folder.exists() else set()
    if replaces and (others := sorted(held - _NAMES)):
        raise UnsupportedError(
            f"{path_text(folder)} holds {path_text(others[0])}, which is of no certificate; name "
            "another folder"
        )
    if held and not replaces:
        raise UnsupportedError(
            f"{path_text(folder)} is not empty; name a folder that is new or empty"
        )
    above = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not (above.is_dir() and os.access(above, os.W_OK | os.X_OK)):
        raise UnsupportedError(f"{above} cannot be written to; name a folder elsewhere")


def write(
    folder: Path,
    claim: str,
    files: Mapping[str, bytes],
    made: Mapping[str, str],
    *,
    replaces: bool = False,
) -> None:
    """Write a certificate completely or not at all; the manifest is written last.

    A crash leaves no manifest. The files that are replaced are kept until all new ones are written.

    Args:
        folder: New or empty; with `replaces` it may contain a certificate, which is removed.
        claim: A key of FILES.
        files: Content by name.
        made: Origin of the certificate, for information only.
        replaces: Replace a certificate in the folder.
    """
    check_target(folder, replaces=replaces)
    above = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    with ExitStack() as drafts:  # drafts are renamed at the end, the manifest last
        for name, data in {MANIFEST: manifest(claim, files, made), **files}.items():
            drafts.enter_context(draft_of(folder / name, above)).write_bytes(data)
        _publish(folder, drafts)


def _publish(folder: Path, drafts: ExitStack) -> None:
    """Rename drafts to their final names; on an error leave none of them and no new folder."""
    new = [path for path in (folder, *folder.absolute().parents) if not path.exists()]
    # the manifest, which vouches for all others, first
    names = sorted(_NAMES, key=lambda name: name != MANIFEST)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in names:
            (folder / name).unlink(missing_ok=True)
        drafts.close()
    except BaseException:  # also Ctrl-C: remaining files would block the next attempt
        for name in names:
            (folder / name).unlink(missing_ok=True)
        for path in new:
            with suppress(OSError):
                path.rmdir()
        raise


def manifest(claim: str, files: Mapping[str, bytes], made: Mapping[str, str]) -> bytes:
    """Return the content of the manifest."""
    weighed = {
        name: {"bytes": len(data), "sha256": sha256(data).hexdigest()}
        for name, data in files.items()
    }
    kind = _kind(claim, files)
    assert kind is not None, "these are the files of no certificate"
    found = {"certificate": VERSIONS[kind], "claim": claim, "files": weighed, "made": dict(made)}
    return json.dumps(found, indent=1).encode() + b"\n"


def read(folder: Path, watch: Watch) -> tuple[str, str, dict[str, bytes]]:
    """Return (claim, kind, content by name) of a certificate, with the hashes of its files checked.

    Raises:
        CertificateError: A file is missing, of another kind, size or content.
        LimitReached: The files would break the memory limit.
    """
    claim, kind, weighed = _announced(_content(folder, MANIFEST, _MAX_MANIFEST, watch))
    files = {}
    for name, (size, digest) in weighed.items():
        data = _content(folder, name, size, watch)
        if len(data) != size:
            raise CertificateError(
                f"{name}: {counted(len(data), 'byte')}, the manifest states {size}"
            )
        if sha256(data).hexdigest() != digest:
            raise CertificateError(f"{name}: its SHA-256 is not the one in the manifest")
        files[name] = data
    return claim, kind, files


def _announced(data: bytes) -> tuple[str, str, dict[str, tuple[int, str]]]:
    """Return the claim, the kind of proof, and size and hash of each file."""
    found = json_of(data, MANIFEST)
    version = found.get("certificate") if isinstance(found, dict) else None
    if type(version) is not int or version not in VERSIONS.values():
        raise CertificateError(f"{MANIFEST}: no 'certificate' of version 1 to 3")
    claim, files = found.get("claim"), found.get("files")
    if not isinstance(claim, str) or claim not in FILES:
        raise CertificateError(f"{MANIFEST}: the claim is none of {', '.join(FILES)}")
    kind = _kind(claim, files) if isinstance(files, dict) else None
    if kind is None:
        expected = "; or ".join(map(", ".join, FILES[claim].values()))
        raise CertificateError(f"{MANIFEST}: files other than {expected}")
    if version != VERSIONS[kind]:
        raise CertificateError(f"{MANIFEST}: no 'certificate' of version {VERSIONS[kind]}")
    weighed = {}
    for name, facts in files.items():
        size = facts.get("bytes") if isinstance(facts, dict) else None
        digest = facts.get("sha256") if isinstance(facts, dict) else None
        if type(size) is not int or size < 0 or not isinstance(digest, str):
            raise CertificateError(f"{MANIFEST}: no size and SHA-256 of {name}")
        weighed[name] = (size, digest)
    return claim, kind, weighed


def _kind(claim: str, files: Mapping[str, Any]) -> str | None:
    """Return the kind of proof that has these files; None if there is none."""
    own = set(files) - _further(claim, files)
    return next((kind for kind, names in FILES[claim].items() if set(names) == own), None)


def _further(claim: str, files: Mapping[str, Any]) -> frozenset[str]:
    """Return the names of files for VeriPB if both are there and the claim permits them."""
    permitted = claim != "multiple" and CUTS not in files
    found = (names for names in FURTHER if permitted and files.keys() >= {*names})
    return frozenset(next(found, ()))


def _content(folder: Path, name: str, most: int, watch: Watch) -> bytes:
    """Return the content of a regular file of at most `most` bytes."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        descriptor = os.open(folder / name, flags)
    except OSError as error:
        raise CertificateError(f"{name}: {error.strerror}") from None
    try:
        facts = os.fstat(descriptor)
        if not stat.S_ISREG(facts.st_mode):
            raise CertificateError(f"{name}: this is not an ordinary file")
        if facts.st_size > most:
            raise CertificateError(f"{name}: {facts.st_size} bytes, expected at most {most}")
        watch.reserve(facts.st_size)
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            # not the size in the manifest, which may be any number
            return file.read(facts.st_size + 1)
    finally:
        os.close(descriptor)


def text_of(data: bytes, name: str) -> str:
    """Return the text of a file. Raise CertificateError, which names the file."""
    for mark in (BOM_UTF16_LE, BOM_UTF16_BE):
        if data.startswith(mark):
            raise CertificateError(f"{name}: this is UTF-16 text, expected UTF-8")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise CertificateError(f"{name}: this is not UTF-8 text: {error.reason}") from None


def _object(name: str, pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object; raise CertificateError for duplicate keys."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        doubled = next(key for key in keys if keys.count(key) > 1)
        raise CertificateError(f"{name}: the key {shown(doubled)} is there twice, expected once")
    return found


def json_of(data: bytes, name: str) -> Any:
    """Return the JSON value of a file. Raise CertificateError, which names the file."""
    text = text_of(data, name)
    try:
        return json.loads(text, object_pairs_hook=partial(_object, name))
    except json.JSONDecodeError as error:
        raise CertificateError(f"{name}: this is not JSON: {error}") from None
    except (ValueError, RecursionError):
        raise CertificateError(
            f"{name}: this is not JSON as it is read here: a number has too many digits, or lists "
            "are too deep"
        ) from None
