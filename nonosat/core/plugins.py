"""Lookup of plug-ins by name, with the contracts of each kind.

A plug-in is a module in the package of its kind that has a record `PLUGIN` (`Encoding`, `Backend`,
...), or `PLUGINS`, a table of records by name. Built-ins resolve by import alone; entry points of
the group `nonosat.<kind>` (a module, or a record) are read only for a name that no built-in has,
and by `names` (reading them costs 25 ms, and is repeated after packages change). Modules whose name
starts with an underscore are not plug-ins.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal, overload

from nonosat.core import hooks
from nonosat.core.contracts import (
    Answer,
    Backend,
    Clues,
    Drawing,
    Encoding,
    Ending,
    Engine,
    Exchange,
    Explainer,
    Family,
    Format,
    FormatCapabilities,
    Formulation,
    Method,
    ModelCounter,
    PlacedClue,
    Plugin,
    Puzzle,
    Refiner,
    Sink,
    SizeFormula,
    Solution,
    Strength,
    Study,
    Symmetry,
)
from nonosat.core.errors import NonosatError, UnsupportedError, meant, shown

if TYPE_CHECKING:
    from pathlib import Path

__all__ = [
    "KINDS",
    "Answer",
    "Backend",
    "Clues",
    "Drawing",
    "Encoding",
    "Ending",
    "Engine",
    "Exchange",
    "Explainer",
    "Family",
    "Format",
    "FormatCapabilities",
    "Formulation",
    "Method",
    "ModelCounter",
    "PlacedClue",
    "Plugin",
    "Puzzle",
    "Refiner",
    "Sink",
    "SizeFormula",
    "Solution",
    "Strength",
    "Study",
    "Symmetry",
    "builtins",
    "each",
    "find",
    "is_there",
    "names",
    "records",
    "require_proofs",
]

KINDS: Mapping[str, type[Plugin]] = {
    "formats": Format,
    "backends": Backend,
    "counters": ModelCounter,
    "encodings": Encoding,
    "formulations": Formulation,
    "puzzles": Family,
    "study": Study,
    "render": Drawing,
    "explain": Explainer,
}
_AMONG_OTHERS = ("render", "explain")  # packages that contain other modules, too
_PACKAGES = {"study": "study.methods"}  # by kind, if the names differ

# Modules for names or suffixes that differ from theirs. This only saves imports: the modules
# themselves define their names.
_LIKELY = {
    "json": "jsonl",
    "xml": "webpbn",
    "pbn": "webpbn",
    "nonpack": "non",
    "m": "mk",
    "csv": "cells",
    "tsv": "cells",
    "png": "image",
    "gif": "image",
    "bmp": "image",
    "webp": "image",
    "rows-first": "clues",
    "columns-first": "clues",
}


def require_proofs(name: str) -> None:
    """Raise UnsupportedError unless `name` is a backend whose engine writes proofs."""
    if not (is_there("backends", name) and find("backends", name).proves):
        able = sorted(other for other, one in names("backends").items() if one.proves)
        raise UnsupportedError(f"{name} writes no proofs; these do: {', '.join(able)}")


def records(kind: str, found: object, name: str) -> Mapping[str, Any]:
    """Return the records of a module, by name.

    Args:
        kind: One of `KINDS`.
        found: A module, or a record by itself.
        name: Name for its record if it has no table of them.

    Raises:
        UnsupportedError: It is not a plug-in of the kind; the message states what its author must
            define.
    """
    offered = vars(found) if isinstance(found, ModuleType) else {"PLUGIN": found}
    table = offered["PLUGINS"] if "PLUGINS" in offered else {name: offered.get("PLUGIN")}
    record = KINDS[kind]
    if isinstance(table, Mapping) and all(isinstance(one, record) for one in table.values()):
        return table
    raise UnsupportedError(
        f"{offered.get('__name__', shown(found))} is not a plug-in of {kind}: expected in it "
        f"PLUGIN = nonosat.plugins.{record.__name__}({record.signature()}), or PLUGINS, a table of "
        "these by name"
    )


def _package(kind: str) -> str:
    return f"nonosat.{_PACKAGES.get(kind, kind)}"


@cache
def builtins(kind: str) -> tuple[str, ...]:
    """Return the names of this package's modules of a kind."""
    package = importlib.import_module(_package(kind))
    return tuple(
        entry.name for entry in pkgutil.iter_modules(package.__path__) if entry.name[0] != "_"
    )


def _built_in(kind: str, likely: str = "") -> Iterator[Mapping[str, Any]]:
    """Yield the table of records of each built-in module of a kind.

    If `likely`, a name or a suffix, points to a module, this module is the first.
    """
    first = _LIKELY.get(likely, likely.replace("-", "_"))
    for stem in _stems(kind, first):
        module = _imported(f"{_package(kind)}.{stem}", kind)
        if kind not in _AMONG_OTHERS or hasattr(module, "PLUGIN"):
            yield records(kind, module, stem.replace("_", "-"))


def _stems(kind: str, first: str) -> Iterator[str]:
    """Yield the names of this package's modules of a kind, beginning with `first` if it exists.

    The folder is read only if a further name is requested: that takes a millisecond.
    """
    is_name = first.isidentifier() and first[0] != "_"
    if is_name and find_spec(f"{_package(kind)}.{first}") is not None:
        yield first
    yield from (stem for stem in builtins(kind) if stem != first)


def _imported(name: str, kind: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except NonosatError:
        raise  # a limit that was hit just now
    except Exception as error:
        raise _unusable(kind, name.rpartition(".")[2], name, error) from error


def _unusable(kind: str, name: str, module: str, error: BaseException) -> UnsupportedError:
    """Return the error for a module that cannot be imported, or has no record."""
    return UnsupportedError(
        f"{name!r} of {kind} cannot be loaded from {module}: {type(error).__name__}: {error}"
    )


def _entry_points(kind: str) -> Mapping[str, Any]:
    from importlib.metadata import entry_points
    from pathlib import Path

    folders = tuple(_changed(Path(folder)) for folder in sys.path)
    return _read_entry_points(f"nonosat.{kind}", entry_points, folders)


def _changed(folder: Path) -> tuple[Path, int, int]:
    """Return a folder of packages with its inode and the time of its last change."""
    try:
        found = folder.stat()
    except OSError:
        return folder, 0, 0
    return folder, found.st_ino, found.st_mtime_ns


@lru_cache(maxsize=64)
def _read_entry_points(
    group: str, entry_points: Callable[..., Any], folders: tuple[tuple[Path, int, int], ...]
) -> Mapping[str, Any]:
    """Return the entry points by name, cached, as reading all packages takes milliseconds."""
    del folders  # part of the cache key: a changed folder may have other entry points
    return {point.name: point for point in entry_points(group=group)}


def entry_points(kind: str) -> list[tuple[str, Any]]:
    """Return the plug-in names of other packages, each with its entry point.

    An entry point that cannot be loaded is listed under its own name alone.
    """
    found = []
    for name, point in _entry_points(kind).items():
        try:
            table = _loaded(kind, point)
        except UnsupportedError:
            table = {}
        found += [(one, point) for one in {name: None, **table}]
    return found


def is_built_in(kind: str, name: str) -> bool:
    """Return True if a plug-in of this package has the name."""
    return any(name in table for table in _built_in(kind, name))


def _loaded(kind: str, point: Any) -> Mapping[str, Any]:
    """Load the records of another package's module."""
    try:
        found = point.load()
    except (Exception, SystemExit) as error:  # any failure is the plug-in's, not the user's
        raise _unusable(kind, point.name, point.value, error) from error
    table = records(kind, found, point.name)
    return {name: hooks.isolated(one) for name, one in table.items()}


def _record(kind: str, base: str) -> Any:
    """Return the record with a name, given without argument, or None."""
    for table in _built_in(kind, base):
        if base in table:
            return table[base]
    point = _entry_points(kind).get(base)
    return None if point is None else _loaded(kind, point).get(base)


def is_there(kind: str, name: str) -> bool:
    """Return True if a plug-in of `kind` has the name; its argument is ignored."""
    return _record(kind, name.partition(":")[0]) is not None


def is_installed(plugin: Backend | Encoding | ModelCounter) -> bool:
    """Return True if the package that a plug-in needs is installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return plugin.needs == "nothing" or bool(version(plugin.needs))
    except PackageNotFoundError:
        return False


def each(kind: str, likely: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every plug-in with its name, importing one at a time, entry points last.

    Plug-ins of other packages that cannot be loaded are left out, with a warning.

    Args:
        kind: One of `KINDS`.
        likely: Name or suffix of the plug-in to begin with, so that others need no import.
    """
    seen: set[str] = set()
    for table in _built_in(kind, likely):
        yield from sorted(table.items(), key=lambda item: item[0] != likely)
        seen.update(table)
    for name, point in _entry_points(kind).items():
        if name not in seen:
            try:
                table = _loaded(kind, point)
            except UnsupportedError as error:
                _warn(f"{error}; it is left out")
                continue
            yield from table.items()
            seen.update(table)


@cache
def _warn(message: str) -> None:
    """Log a warning once."""
    import logging

    logging.getLogger("nonosat").warning("%s", message)


@overload
def names(kind: Literal["backends"]) -> dict[str, Backend]: ...
@overload
def names(kind: Literal["counters"]) -> dict[str, ModelCounter]: ...
@overload
def names(kind: Literal["encodings"]) -> dict[str, Encoding]: ...
@overload
def names(kind: Literal["formats"]) -> dict[str, Format]: ...
@overload
def names(kind: Literal["puzzles"]) -> dict[str, Family]: ...
@overload
def names(kind: Literal["study"]) -> dict[str, Study]: ...
@overload
def names(kind: str) -> dict[str, Any]: ...
def names(kind: str) -> dict[str, Any]:
    """Return every plug-in of `kind` by name, entry points included."""
    return dict(each(kind))


def _unknown_name(kind: str, name: str) -> UnsupportedError:
    """Return the error for an unknown name of a kind."""
    known = sorted(names(kind))
    noun = "family" if kind == "puzzles" else kind.rstrip("s")
    if kind in ("encodings", "formulations"):  # in the form of options: line=order
        of = name.partition("-")[0] + "-"
        known = [one.replace("-", "=", 1) for one in known if one.startswith(of)] or known
        name = name.replace("-", "=", 1)
    similar, program = known, ""
    if kind == "backends":
        known = ["auto", *known]  # the pipeline's choice, not a module
        methods = (method for family in names("puzzles").values() for method in family.methods)
        similar = sorted({*known, *methods})
        program = _program(name)
    idea = meant(name.partition(":")[0], similar)
    return UnsupportedError(
        f"no {noun} is called {name!r}{idea}; there are: {', '.join(known)}{program}"
    )


def _program(name: str) -> str:
    """Return a suggestion to run the installed program of that name; "" if there is none."""
    from shutil import which

    is_there = which(name) is not None
    return f"; the program of that name is 'program:{name} {{cnf}}'" if is_there else ""


@overload
def find(kind: Literal["backends"], name: str) -> Backend: ...
@overload
def find(kind: Literal["counters"], name: str) -> ModelCounter: ...
@overload
def find(kind: Literal["encodings"], name: str) -> Encoding: ...
@overload
def find(kind: Literal["formulations"], name: str) -> Formulation: ...
@overload
def find(kind: Literal["formats"], name: str) -> Format: ...
@overload
def find(kind: Literal["puzzles"], name: str) -> Family: ...
@overload
def find(kind: Literal["study"], name: str) -> Study: ...
@overload
def find(kind: Literal["render"], name: str) -> Drawing: ...
@overload
def find(kind: Literal["explain"], name: str) -> Explainer: ...
@overload
def find(kind: str, name: str) -> Plugin: ...
@cache
def find(kind: str, name: str) -> Plugin:
    """Return the plug-in of `kind` with a name.

    Args:
        kind: One of `KINDS`.
        name: Words joined by "-"; for encodings and formulations with the constraint kind in front:
            "line-order". The part after a ":" is an argument.

    Raises:
        UnsupportedError: There is no plug-in of that name (the message lists the known ones), it
            takes no argument or refuses this one, or the module holds no plug-in.
    """
    base, colon, argument = name.partition(":")
    found: Plugin | None = _record(kind, base)
    if found is None:
        raise _unknown_name(kind, name)
    if not colon:
        return found
    if found.with_argument is None:
        raise UnsupportedError(f"{base} takes no argument, found {argument!r}; use just {base!r}")
    made: Plugin = found.with_argument(argument)
    return made
