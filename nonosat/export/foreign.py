"""What solvers of MiniZinc and XCSP3 models print: verdicts, and the values of the array `x`.

MiniZinc ends a solution with a line of hyphens and a whole search with one of "=", and says
`=====UNSATISFIABLE=====`. The values stand as data (`x = array2d(...);`, `x = [| ... |];`) or as
JSON; comments, statistics and other items are not looked at. Solvers of XCSP3 print lines
`s SATISFIABLE`, `s UNSATISFIABLE`, and `<instantiation>` elements, in lines `v` or not; whatever
else they say, colours of terminals included, is passed over.

Sources: The MiniZinc Handbook, "The MiniZinc Command Line Tool" and "FlatZinc" (output); XCSP3
competition 2024, call for solvers (output).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from nonosat.core.errors import FormatError, shown
from nonosat.core.plugins import Answer

_SOLUTION, _COMPLETE = "-" * 10, "=" * 10
_STATUS = re.compile(r"={5}(\w+)={5}\s*")
_STATUSES = {
    "UNSATISFIABLE": Answer.UNSAT,
    "UNSATorUNBOUNDED": Answer.UNSAT,  # whose second half cannot be: every integer has bounds
    "UNKNOWN": Answer.UNKNOWN,
}
_DATA = re.compile(r"^\s*x\s*=([^;]*);", re.MULTILINE)
_JSON = re.compile(r'"x"\s*:\s*(\[[\s\d,\[\]-]*\])')
_RANGES = re.compile(r"array\dd\s*\(|\d+\s*\.\.\s*\d+")
_NUMBER = re.compile(r"-?\d{1,9}")
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_INSTANTIATION = re.compile(r"<instantiation\b[^>]*>(.*?)</instantiation\s*>", re.DOTALL)
_PART = r"<{0}>(.*?)</{0}\s*>"
_VERDICT = re.compile(r"^s\s+(\w+)", re.MULTILINE)
_VERDICTS = {
    "SATISFIABLE": Answer.SAT,
    "OPTIMUM": Answer.SAT,
    "UNSATISFIABLE": Answer.UNSAT,
    "UNKNOWN": Answer.UNKNOWN,
}
_REPEATED = re.compile(r"(-?\d{1,9}|\*)(?:x(\d{1,9}))?")
_MOST = 2**27  # values that repetitions may stand for


@dataclass(frozen=True, slots=True)
class Printed:
    """What a solver printed.

    Args:
        verdict: Its claim.
        solutions: Of each solution, in their order, the values of `x`.
        empty: The value of an empty cell of a board; colour k is k more.
        is_complete: Whether it says that there are no further solutions.
    """

    verdict: Answer
    solutions: tuple[tuple[int, ...], ...]
    empty: int
    is_complete: bool


Fail = Callable[[str], FormatError]


def reader_of(text: str) -> Callable[[str, Fail], Printed] | None:
    """What reads this output; None where it is neither MiniZinc's nor XCSP3's."""
    if "<instantiation" in text or re.search(r"^d\s+\w", _COLOURS.sub("", text), re.MULTILINE):
        return read_xcsp3
    lines = {line.rstrip() for line in text.splitlines()}
    if lines & {_SOLUTION, _COMPLETE} or any(map(_STATUS.fullmatch, lines)):
        return read_minizinc
    return None


def read_minizinc(text: str, fail: Fail) -> Printed:
    """Read what `minizinc` prints for one of our models; `fail` makes the error of a message."""
    verdict, is_complete = None, False
    pending: list[str] = []
    solutions = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.rstrip() == _SOLUTION:
            solutions.append(_values("\n".join(pending), number, fail))
            pending.clear()
        elif line.rstrip() == _COMPLETE:
            is_complete = True
        elif status := _STATUS.fullmatch(line):
            if status[1] not in _STATUSES:
                raise fail(f"the solver says {shown(status[1])}, expected a solution or a verdict")
            verdict = _STATUSES[status[1]]
        elif not line.startswith("%"):
            pending.append(line)
    if solutions and verdict is Answer.UNSAT:
        raise fail("says UNSATISFIABLE and holds a solution, expected one of them")
    if solutions:
        verdict = Answer.SAT
    elif is_complete and verdict is None:
        verdict = Answer.UNSAT
    return Printed(verdict or Answer.UNKNOWN, tuple(solutions), 1, is_complete)


def _values(text: str, line: int, fail: Fail) -> tuple[int, ...]:
    """The values of x that stand before a line of hyphens."""
    found = [*_DATA.finditer(text), *_JSON.finditer(text)]
    if len(found) != 1:
        raise fail(
            f"the solution that line {line} ends has {len(found)} values of x, expected one, "
            "'x = ...;'; use a model that nonosat has written, or one that prints its x"
        )
    listed = _RANGES.sub(" ", found[0][1])
    if odd := re.search(r"[^\s\d,|()\[\]-]", listed):
        raise fail(f"found {shown(odd[0])} in the values of x, expected whole numbers")
    return tuple(map(int, _NUMBER.findall(listed)))


def read_xcsp3(text: str, fail: Fail) -> Printed:
    """Read what a solver prints for one of our instances; `fail` makes the error of a message."""
    text = _COLOURS.sub("", text)
    found = {_VERDICTS.get(name) for name in _VERDICT.findall(text)} - {None}
    if len(found) > 1:
        raise fail("has two verdicts, expected one")
    verdict = found.pop() if found else None
    lines = re.sub(r"^v\s", "", text, flags=re.MULTILINE)
    solutions = dict.fromkeys(_instantiated(part, fail) for part in _INSTANTIATION.findall(lines))
    if solutions and verdict is Answer.UNSAT:
        raise fail("says UNSATISFIABLE and holds a solution, expected one of them")
    if solutions:
        verdict = Answer.SAT
    elif verdict is Answer.SAT:
        raise fail(
            "says SATISFIABLE but holds no <instantiation>; let the solver print its solution"
        )
    is_complete = bool(re.search(r"^d\s+COMPLETE EXPLORATION", text, re.MULTILINE))
    return Printed(verdict or Answer.UNKNOWN, tuple(solutions), 0, is_complete)


def _instantiated(text: str, fail: Fail) -> tuple[int, ...]:
    """The values of x in an instantiation, in the order of the array."""
    parts = {name: re.findall(_PART.format(name), text, re.DOTALL) for name in ("list", "values")}
    if any(len(part) != 1 for part in parts.values()):
        raise fail("an <instantiation> without one <list> and one <values>, expected both")
    names = parts["list"][0].split()
    values = list(_expanded(parts["values"][0], fail))
    if names and re.fullmatch(r"x(\[\])+", names[0]):
        return tuple(values)  # those of other arrays follow
    if len(names) != len(values):
        raise fail(f"an <instantiation> of {len(names)} names and {len(values)} values")
    places = {}
    for name, value in zip(names, values, strict=True):
        if found := re.fullmatch(r"x((?:\[\d{1,9}\])+)", name):
            places[tuple(map(int, re.findall(r"\d+", found[1])))] = value
    return tuple(places[place] for place in sorted(places))


def _expanded(text: str, fail: Fail) -> Iterator[int]:
    """Values one by one: `0x3` is three of them, and * is any value, such as 0."""
    total = 0
    for word in text.split():
        found = _REPEATED.fullmatch(word)
        if found is None:
            raise fail(f"found {shown(word)} in <values>, expected a number such as 1, 0x3 or *")
        times = int(found[2] or 1)
        total += times
        if total > _MOST:
            raise fail(f"<values> stands for more than {_MOST} numbers")
        for _ in range(times):
            yield 0 if found[1] == "*" else int(found[1])
