"""`check_plugin`: checks the whole contract of a plug-in, built-in or third-party."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from types import ModuleType
from typing import Any

from nonosat.core import plugins
from nonosat.core.errors import UnsupportedError
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import FALSE, TRUE, Clause, Count, Model
from nonosat.core.plugins import ModelCounter, Plugin, Puzzle
from nonosat.processes.tools import Call, start_child
from nonosat.testing import loops
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
    if (counter.count_models is None) == (counter.count_loops is None):
        broken("it has both or none of count_models and count_loops, expected one of them")
    if counter.count_loops is not None:
        _check_loops(counter.count_loops, name)
        return
    formulas = [*_CORNERS, *_random_formulas(20), _LARGE]
    found = _counted(name, counter.count_models, formulas)
    expected = [*(_enumerated(*formula) for formula in formulas[:-1]), 2**150]
    for (num_vars, clauses, shown), mine, true in zip(formulas, found, expected, strict=True):
        if type(mine) is not int or mine != true:
            what = f"{num_vars} variables, {clauses}, shown {shown}"
            broken(f"it counts {mine!r}, expected {true}, for {what}")


def _counted(name: str, function: Any, pieces: Sequence[tuple[Any, ...]]) -> list[object]:
    child = start_child(name, Call(_counts, (function, pieces)))
    try:
        found: list[object] = child.finish(Watch(Limits(_TIME_S)))
    finally:
        child.kill()
    return found


def _counts(function: Callable[..., object], pieces: Sequence[tuple[Any, ...]]) -> list[object]:
    """Return the number for each piece; None if the counter refuses it."""
    found: list[object] = []
    for piece in pieces:
        try:
            found.append(function(*piece))
        except UnsupportedError:
            found.append(None)
    return found


def _check_loops(count_loops: Callable[[Model], object], name: str) -> None:
    models = [*_models_of_loops(6)]
    found = _counted(name, count_loops, [(model,) for model in models])
    for model, mine in zip(models, found, strict=True):
        true = _enumerated_loops(model)
        if mine is not None and (type(mine) is not int or mine != true):
            broken(f"it counts {mine!r}, expected {true}, for {model}")
    if all(mine is None for mine in found):
        broken("it refuses every loop")


def _models_of_loops(number: int) -> Iterator[Model]:
    """Yield each small loop alone, and with constraints on its edges, one of which is given."""
    draw = random.Random(1)
    for loop in loops.samples():
        num_vars = max(loops.variables(loop), default=0)
        edges = [lit for *_, lit in loop.edges]
        yield Model(num_vars, loops=(loop,))
        for _ in range(number if edges else 0):
            some = draw.sample(edges, draw.randint(1, min(4, len(edges))))
            lits = tuple(lit * draw.choice((1, 1, -1)) for lit in some)
            low = draw.randint(0, len(lits))
            count = Count(lits, low, draw.randint(low, len(lits)))
            given = draw.choice(edges), draw.choice((TRUE, FALSE))
            triples = tuple(
                (u, v, given[1] if lit == given[0] else lit) for u, v, lit in loop.edges
            )
            other = replace(loop, edges=triples) if given[0] not in some else loop
            clause = Clause(tuple(lit * draw.choice((1, -1)) for lit in some))
            yield Model(num_vars, counts=(count,), clauses=(clause,), loops=(other,))


def _enumerated_loops(model: Model) -> int:
    (loop,) = model.loops
    number = 0
    for lits in loops.solutions_of(loop):
        counts = (sum(lit in lits for lit in one.lits) for one in model.counts)
        bounds = ((one.lower, one.upper) for one in model.counts)
        number += all(
            low <= value <= high for value, (low, high) in zip(counts, bounds, strict=True)
        ) and all(lits & {*clause.lits} for clause in model.clauses)
    return number


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
