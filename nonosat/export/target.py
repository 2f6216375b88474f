"""Target of a formula: the format by its suffix, compressed or not, written atomically.

A file is written under a temporary name in its folder and renamed when it is complete; after a
failure nothing is left of it.
"""

from __future__ import annotations

import gzip
import lzma
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

from nonosat.core.errors import Remedy, UnsupportedError
from nonosat.export.asp import write_lp
from nonosat.export.clauses import write_dimacs, write_opb
from nonosat.export.cpsat import cpsat_model
from nonosat.export.formula import ExportedModel
from nonosat.export.minizinc import write_dzn, write_mzn
from nonosat.export.xcsp3 import write_xcsp3
from nonosat.formulations import DEFAULTS as FORMULATIONS
from nonosat.processes.files import draft_of

_GZIP_LEVEL = 4  # half the time of the usual 6 for 5% more bytes
_PACKED = (".gz", ".xz")
Writer = Callable[[ExportedModel, BinaryIO, Callable[[], None]], object]


class Kind(NamedTuple):
    """A kind of file.

    Args:
        suffix: Suffix of such files.
        summary: Description for users.
        takes: "encoding" or "formulation" if the content depends on choices of these, else "".
        write: Writes a formula to a stream; None if OR-tools writes the file, which needs a path.
        packed: True if it may be compressed.
    """

    suffix: str
    summary: str
    takes: str = ""
    write: Writer | None = None
    packed: bool = False


TARGETS = {
    "cnf": Kind(".cnf", "DIMACS CNF, for SAT solvers", "encoding", write_dimacs, True),
    "opb": Kind(".opb", "pseudo-Boolean constraints", "encoding", write_opb, True),
    "pb": Kind(".pb", "a CP-SAT model of OR-tools", "formulation"),
    "pbtxt": Kind(".pbtxt", "the same as text", "formulation"),
    "mzn": Kind(".mzn", "a complete MiniZinc model", write=write_mzn),
    "dzn": Kind(".dzn", "MiniZinc data of a nonogram, for the model next to it", write=write_dzn),
    "lp": Kind(".lp", "an answer set program for clingo", write=write_lp),
    "xcsp3": Kind(".xml", "an XCSP3 instance", write=write_xcsp3, packed=True),
}
_BY_SUFFIX = {kind.suffix: name for name, kind in TARGETS.items()}


@dataclass(frozen=True, slots=True)
class Target:
    """A file to be written.

    Args:
        path: Path of the file.
        name: Name of its kind in `TARGETS`.
        packed: ".gz", ".xz" or "".
    """

    path: Path
    name: str
    packed: str = ""

    @classmethod
    def of(cls, path: str | Path, name: str | None = None) -> Target:
        """Return the target of a path.

        Args:
            path: Path of the file; its suffix determines the compression.
            name: Name of its kind in `TARGETS`; None to use the suffix.

        Raises:
            UnsupportedError: No kind has this name or suffix, or files of the kind cannot be
                packed.
        """
        own = Path(path).name.lower()
        packed = next((end for end in _PACKED if own.endswith(end)), "")
        suffix = Path(own.removesuffix(packed)).suffix
        found = name or _BY_SUFFIX.get(suffix)
        if found is None or (packed and name is None and not TARGETS[found].packed):
            raise UnsupportedError(
                f"{path} has the suffix {suffix + packed!r}, expected .cnf or .opb or .xml "
                "(also with .gz or .xz after it), .mzn, .dzn, .lp, .pb or .pbtxt; "
                "for another suffix name the kind of file",
                remedy=Remedy("set", "to", tuple(TARGETS)),
            )
        kind = kind_of(found)
        if packed and not kind.packed:
            raise UnsupportedError(f"{path}: {kind.summary} cannot be compressed")
        if kind.write is None and suffix != kind.suffix:
            raise UnsupportedError(f"{path}: OR-tools writes {found} to {kind.suffix} files alone")
        return cls(Path(path), found, packed)

    @property
    def kind(self) -> Kind:
        """Kind of the file."""
        return kind_of(self.name)


def kind_of(name: str) -> Kind:
    """Return the kind of file of this name.

    Raises:
        UnsupportedError: No kind has this name.
    """
    if name not in TARGETS:
        raise UnsupportedError(f"unknown target {name!r}, expected one of {', '.join(TARGETS)}")
    return TARGETS[name]


def write(
    formula: ExportedModel,
    target: Target,
    formulations: Mapping[str, str] = FORMULATIONS,
    pause: Callable[[], None] = lambda: None,
) -> None:
    """Write a formula to a file, all of it or nothing.

    Args:
        formula: What to write.
        target: The file; replaced if it exists.
        formulations: Formulation by constraint kind, for CP-SAT models.
        pause: Called before every constraint; an exception that it raises ends the work.

    Raises:
        OSError: The folder does not exist, the disk is full, ...
        UnsupportedError: The kind of file cannot hold the formula.
    """
    with draft_of(target.path, needs_name=target.kind.write is None) as draft:
        if target.kind.write is None:
            _export(cpsat_model(formula, formulations, pause), draft, target.path)
        else:
            with open_packed(draft, target.packed) as stream:
                target.kind.write(formula, stream, pause)


def write_to(
    formula: ExportedModel,
    stream: BinaryIO,
    name: str = "cnf",
    pause: Callable[[], None] = lambda: None,
) -> None:
    """Write a formula to a stream.

    Args:
        formula: What to write.
        stream: Only written to.
        name: Name of the kind in `TARGETS`.
        pause: As for `write`.

    Raises:
        UnsupportedError: There is no such name, it needs a file, or cannot hold the formula.
    """
    kind = kind_of(name)
    if kind.write is None:
        raise UnsupportedError(f"OR-tools writes {kind.suffix} files itself; name a file")
    kind.write(formula, stream, pause)


@contextmanager
def open_packed(path: Path, packed: str) -> Iterator[BinaryIO]:
    """Open a new file to write to; compressed bytes do not depend on its name or the time."""
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
    draft.touch()  # reports the error of the folder; OR-tools only returns False
    if not model.export_to_file(str(draft)):
        raise OSError(f"{path}: the CP-SAT model could not be written")
