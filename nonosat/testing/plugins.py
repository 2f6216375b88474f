"""`check_plugin`: checks the whole contract of a plug-in, built-in or third-party."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from types import ModuleType

from nonosat.core import plugins
from nonosat.core.errors import UnsupportedError
from nonosat.core.limits import Limits, Watch
from nonosat.core.plugins import ModelCounter, Plugin, Puzzle
from nonosat.processes.tools import Call, start_child
from nonosat.testing.contract import broken, within
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


_TIME_S = 60.0  # for all formulas
_Formula = tuple[int, list[list[int]], list[int]]

# Free shown variables, no clauses, an empty projection, contradictions, a number above 2^64.
_CORNERS: tuple[_Formula, ...] = (
    (6, [[1, 2, 3], [-1, 4], [-2, 4, 3]], [1, 2, 5, 6]),
    (3, [], [1, 2]),
    (2, [[1, 2]], []),
    (2, [[1], [-1]], []),
    (2, [[1], [-1]], [1, 2]),
    (1, [[]], [1]),
)
_LARGE: _Formula = (200, [[1, 200]], list(range(1, 151)))


def check_counter(counter: ModelCounter, name: str) -> None:
    """Check a counter against enumeration, in a child process.

    Raises:
        AssertionError: It violates its contract; the message gives the formula.
    """
    formulas = [*_CORNERS, *_random_formulas(20), _LARGE]
    child = start_child(name, Call(_counts, (counter.count_models, formulas)))
    try:
        found = child.finish(Watch(Limits(_TIME_S)))
    finally:
        child.kill()
    expected = [*(_enumerated(*formula) for formula in formulas[:-1]), 2**150]
    for (num_vars, clauses, shown), mine, true in zip(formulas, found, expected, strict=True):
        if type(mine) is not int or mine != true:
            what = f"{num_vars} variables, {clauses}, shown {shown}"
            broken(f"it counts {mine!r}, expected {true}, for {what}")


def _counts(count_models: Callable[..., object], formulas: Sequence[_Formula]) -> list[object]:
    return [count_models(*formula) for formula in formulas]


def _random_formulas(number: int) -> Iterator[_Formula]:
    draw = random.Random(1)
    for _ in range(number):
        num_vars = draw.randint(3, 8)
        clauses = [
            [var * draw.choice((1, -1)) for var in draw.sample(range(1, num_vars + 1), 3)]
            for _ in range(draw.randint(0, 3 * num_vars))
        ]
        yield num_vars, clauses, sorted(draw.sample(range(1, num_vars + 1), draw.randint(1, 3)))


def _enumerated(num_vars: int, clauses: Sequence[Sequence[int]], shown: Sequence[int]) -> int:
    return len(
        {
            tuple(values[var - 1] for var in shown)
            for values in product((False, True), repeat=num_vars)
            if all(any(values[abs(lit) - 1] == (lit > 0) for lit in clause) for clause in clauses)
        }
    )


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
