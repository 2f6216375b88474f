"""Which format a file has: by its content first, then by its suffix, then by what fits.

Invariant: a format is never guessed; where several could be meant, all are named. A suffix is
used to look at the likeliest format first, so that the others are not imported.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from nonosat import plugins
from nonosat.errors import FormatError, UnsupportedError
from nonosat.formats._hold import Holds
from nonosat.formats._text import inflate

# Where a suffix is not its module's name. Only speed: formats say their suffixes themselves.
_LIKELY = {"json": "jsonl", "xml": "webpbn", "pbn": "webpbn", "nonpack": "non", "m": "mk"}
_PACKED = (".gz", ".zlib", ".z")


def suffix_of(path: str | Path) -> str:
    """The suffix in lower case, without that of a compressed file: ".non" of "a.NON.gz"."""
    name = Path(path).name.lower()
    for packed in _PACKED:
        name = name.removesuffix(packed)
    return Path(name).suffix


def _modules(likely: str) -> Iterator[tuple[str, Any]]:
    """Every format by the name of its module; the likeliest first, entry points last."""
    first = _LIKELY.get(likely, likely.replace("-", "_"))
    seen: set[str] = set()
    for stem in sorted(plugins.builtins("formats"), key=lambda stem: stem != first):
        module = importlib.import_module(f"nonosat.formats.{stem}")
        seen.update(names_of(stem, module))
        yield stem, module
    for name, module in plugins.names("formats").items():
        if name not in seen:
            yield name, module


def names_of(stem: str, module: Any) -> tuple[str, ...]:
    """The names of a format: its table of them, else that of its module."""
    return tuple(getattr(module, "NAMES", (stem.replace("_", "-"),)))


def module_of(name: str) -> Any:
    """The module of the format `name`; what stands behind a ":" is an argument of it.

    Raises:
        UnsupportedError: There is none (the message lists what there is), or it takes no argument.
    """
    base = name.partition(":")[0]
    for stem, module in _modules(base):
        if base in names_of(stem, module):
            plugins.refuse_argument(module, name)
            return module
    return plugins.find("formats", name)


def _named(suffix: str, stem: str, module: Any) -> str:
    """The name of the format: for a module with a table of names, the one of the suffix."""
    names = names_of(stem, module)
    return suffix[1:] if suffix[1:] in names else names[0]


@cache
def by_suffix(suffix: str) -> str | None:
    """Name of the format that has the suffix, if there is one."""
    if not suffix:
        return None
    for name, module in _modules(suffix[1:]):
        if suffix in module.SUFFIXES:
            return _named(suffix, name, module)
    return None


def suffixes() -> dict[str, str]:
    """Name of the format by suffix, for messages."""
    return {
        suffix: _named(suffix, name, module)
        for name, module in _modules("")
        for suffix in module.SUFFIXES
    }


def format_of(path: str | Path, data: bytes | None = None, family: str | None = None) -> str:
    """Name of the format of a file.

    Args:
        path: Its name; only the suffix matters.
        data: Its content; None for a file that is to be written.
        family: What its puzzles are, where that is known.

    Raises:
        FormatError: The content does not tell, or tells of several; the message names them.
        UnsupportedError: Without content: no format has this suffix; the message lists them.
    """
    suffix = suffix_of(path)
    if data is None:
        if Path(path).name.lower().endswith(_PACKED):
            raise UnsupportedError(f"{path}: compressed files are read only; write, then compress")
        return by_suffix(suffix) or _unknown(path)
    data = inflate(data)
    if not data.strip():
        raise FormatError("the file is empty, expected a puzzle", path=str(path) or None)
    for name, module in _modules(suffix[1:]):
        if _may_hold(module, family) and module.sniff(data):
            return _named(suffix, name, module)
    if family not in (None, "nonogram"):
        return family  # the format of its own, which will say what it expected
    found = by_suffix(suffix)
    if found in (None, "picture"):  # .txt tells nothing of what numbers mean
        from nonosat.formats import bare, slitherlink

        if bare.plausible(data):
            return _bare(path, bare.choose(data))
        if family is None and slitherlink.plausible(data):
            return "slitherlink"
    if found is None:
        formats = ", ".join(sorted(plugins.names("formats")))
        raise FormatError(
            f"neither the content nor the suffix {suffix!r} tells the format; choose one with "
            f"--from: {formats}",
            path=str(path) or None,
        )
    return found


def _may_hold(module: Any, family: str | None) -> bool:
    """Whether a format may have puzzles of the family."""
    return family is None or getattr(module, "HOLDS", Holds()).family in (None, family)


def _bare(path: str | Path, name: str) -> str:
    """Say which reading was taken, since the file does not."""
    import logging

    logging.getLogger("nonosat").warning("%s: bare numbers, read as %s", path, name)
    return name


def _unknown(path: str | Path) -> str:
    known = ", ".join(f"{suffix} ({name})" for suffix, name in sorted(suffixes().items()))
    raise UnsupportedError(
        f"no format is known by the suffix of {str(path)!r}; name one with --to, or use: {known}"
    )
