"""`check_plugin`: checks the whole contract of a plug-in, built-in or third-party."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import ModuleType

from nonosat.core import plugins
from nonosat.core.errors import UnsupportedError
from nonosat.core.plugins import Plugin, Puzzle
from nonosat.testing.contract import broken, within
from nonosat.testing.counters import check_counter
from nonosat.testing.encodings import check_encoding
from nonosat.testing.engines import check_backend
from nonosat.testing.families import check_family, check_format
from nonosat.testing.formulations import check_formulation


def check_plugin(
    found: str | ModuleType | Plugin, kind: str, name: str = "", puzzles: Sequence[Puzzle] = ()
) -> None:
    """Check a plug-in against all parts of its contract that small cases can refute.

    An encoding's models are compared with enumeration, its strength is tested on every partial
    assignment, its size measured. Engines solve random formulas, with assumptions and budgets.
    Formats write, read back and read damaged bytes. A family's solutions are enumerated by two
    engines and its own methods; its verifier is applied to its own solutions and those of other
    puzzles. A check takes some seconds; an engine that does not finish is abandoned after a minute.

    Args:
        found: The plug-in's name, its module, or its record.
        kind: One of "encodings", "formulations", "backends", "counters", "formats", "puzzles".
        name: Name of a module or record: "line-mine", in which the first word is the kind of the
            constraint. By default the module's name.
        puzzles: For a family and a format: some of its puzzles, with solutions and without.

    Raises:
        UnsupportedError: `found` is not a plug-in; the message names the missing part.
        AssertionError: The plug-in violates its contract; the message gives the reason and the
            small case.
    """
    if kind not in _CHECKS:
        raise UnsupportedError(f"the kind is {kind!r}, expected one of {', '.join(_CHECKS)}")
    if isinstance(found, str):
        records: Mapping[str, Plugin] = {found: plugins.find(kind, found)}
    else:
        own = found.__name__.rpartition(".")[2] if isinstance(found, ModuleType) else ""
        records = plugins.records(kind, found, name or own.replace("_", "-"))
    for each, record in records.items():
        with within(f"{each} of {kind}"):
            _CHECKS[kind](record, each, puzzles)


def _constraint_kind(name: str) -> str:
    kind, dash, _ = name.partition("-")
    if not dash or kind not in ("line", "count", "loop"):
        broken(f"its name is {name!r}, expected line-..., count-... or loop-...")
    return kind


_CHECKS: Mapping[str, Callable[..., None]] = {
    "encodings": lambda record, name, _: check_encoding(record, _constraint_kind(name)),
    "formulations": lambda record, name, _: check_formulation(record, _constraint_kind(name)),
    "backends": lambda record, name, _: check_backend(record, name),
    "counters": lambda record, name, _: check_counter(record, name),
    "formats": lambda record, _, puzzles: check_format(record, puzzles),
    "puzzles": lambda record, _, puzzles: check_family(record, puzzles),
}
