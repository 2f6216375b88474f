"""Where a formula goes: the format by its suffix, compressed or not, and all of it or nothing.

A file is written under another name in its folder and takes its own when it is complete; whatever
happens before, nothing is left of it.
"""

from __future__ import annotations

import gzip
import lzma
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

from nonosat.errors import UnsupportedError
from nonosat.export.clauses import write_dimacs, write_opb
from nonosat.export.cpsat import cpsat_model
from nonosat.export.formula import Formula
from nonosat.formulations import DEFAULTS as FORMULATIONS

_GZIP_LEVEL = 4  # half the time of the usual 6 for 5% more bytes
_PACKED = (".gz", ".xz")
_CLAUSES = {".cnf": write_dimacs, ".opb": write_opb}
_MODELS = (".pb", ".pbtxt")


@dataclass(frozen=True, slots=True)
class Target:
    """A file to be written.

    Args:
        path: Where.
        suffix: ".cnf", ".opb", ".pb" or ".pbtxt".
        packed: ".gz", ".xz" or "".
    """

    path: Path
    suffix: str
    packed: str = ""

    @classmethod
    def of(cls, path: str | Path) -> Target:
        """The target that a name means.

        Raises:
            UnsupportedError: No format has the suffix.
        """
        name = Path(path).name.lower()
        packed = next((end for end in _PACKED if name.endswith(end)), "")
        suffix = Path(name.removesuffix(packed)).suffix
        if suffix not in (*_CLAUSES, *_MODELS) or (packed and suffix in _MODELS):
            raise UnsupportedError(
                f"{path} has the suffix {suffix + packed!r}, expected .cnf or .opb "
                "(also with .gz or .xz behind it), .pb or .pbtxt"
            )
        return cls(Path(path), suffix, packed)

    @property
    def takes_formulations(self) -> bool:
        """Whether lines are stated by formulations rather than encoded."""
        return self.suffix in _MODELS


def write(
    formula: Formula,
    target: Target,
    formulations: Mapping[str, str] = FORMULATIONS,
    pause: Callable[[], None] = lambda: None,
) -> None:
    """Write a formula to a file, all of it or nothing.

    Args:
        formula: What to write.
        target: Where; replaced if it exists.
        formulations: Formulation by constraint kind, for CP-SAT models.
        pause: Called before every constraint; what it raises ends the work.

    Raises:
        OSError: The folder is not there, the disk is full, ...
    """
    with _draft_of(target.path) as draft:
        if target.takes_formulations:
            _export(cpsat_model(formula, formulations, pause), draft, target.path)
        else:
            with open_packed(draft, target.packed) as stream:
                _CLAUSES[target.suffix](formula, stream, pause)


@contextmanager
def open_packed(path: Path, packed: str) -> Iterator[BinaryIO]:
    """A new file to write to; compressed, the bytes do not depend on its name or the time."""
    with path.open("wb") as raw:
        if packed == ".gz":
            with gzip.GzipFile("", "wb", _GZIP_LEVEL, raw, mtime=0) as stream:
                yield cast(BinaryIO, stream)
        elif packed == ".xz":
            with lzma.LZMAFile(raw, "wb", preset=1) as packer:
                yield cast(BinaryIO, packer)
        else:
            yield raw


def _export(model: Any, draft: Path, path: Path) -> None:
    draft.touch()  # says what is wrong with the folder; the library only says "no"
    if not model.export_to_file(str(draft)):
        raise OSError(f"{path}: the CP-SAT model could not be written")


@contextmanager
def _draft_of(path: Path) -> Iterator[Path]:
    """A name to write under; what stands there in the end takes the file's place."""
    named, path = path, path.resolve()
    if path.exists() and not path.is_file():
        yield path  # a pipe or device is written to as it is
        return
    draft = path.with_name(f".{os.getpid()}.tmp.{path.name}")  # keeps the suffix
    try:
        try:
            yield draft
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:  # nobody but us knows the name of the draft
        if error.filename in (str(draft), None):
            raise OSError(error.errno, error.strerror or str(error), str(named)) from error
        raise
