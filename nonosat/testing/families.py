"""Contracts of families and formats, checked on given puzzles."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict
from itertools import islice
from typing import Any

from nonosat.core.errors import FormatError, LimitReached, UnsupportedError
from nonosat.core.families import family_of
from nonosat.core.limits import Limits, Watch
from nonosat.core.plugins import Answer, Family, Format, Puzzle
from nonosat.core.result import Options
from nonosat.solving import pipeline
from nonosat.solving.choices import choices_of
from nonosat.solving.oracle import Oracle
from nonosat.testing.contract import broken, within
from nonosat.testing.damage import PIECES, Damage, damaged

NOTHING = (b"", b"\0", b"\xff\xfe\0\1" * 9)  # files without a puzzle in any format
MOST = 200  # maximum number of solutions of a puzzle that are compared
ENGINE, OTHER_ENGINE = "learn", "minisat22"


def check_family(family: Family, puzzles: Sequence[Puzzle]) -> None:
    """Check a family against its contract.

    Args:
        family: The family.
        puzzles: Some of its puzzles, with solutions and without, preferably of one size.

    Raises:
        AssertionError: It violates the contract; the message gives the reason and the puzzle.
    """
    if not puzzles:
        broken("no puzzles were given, expected some of the family")
    found: dict[Puzzle, list[Any]] = {}
    for puzzle in puzzles:
        with within(puzzle):
            if family not in (puzzle.family, family_of(puzzle)):
                broken("a puzzle of another family")
            _check_puzzle(family, puzzle)
            found[puzzle] = _solutions(family, puzzle)
    # The verifier must agree with the model on the solutions of other puzzles, too.
    for puzzle, own in found.items():
        with within(puzzle):
            for other in (one for others in found.values() for one in others):
                accepted = family.refutation(puzzle, other) is None
                if accepted and len(own) < MOST and other not in own:
                    broken(f"its verifier accepts a solution that its model has not:\n{other}")


def _check_puzzle(family: Family, puzzle: Puzzle) -> None:
    """Check the parts of a family's contract that need no solver, on one puzzle."""
    if not (puzzle.size and puzzle.height >= 0 and puzzle.width >= 0 and str(puzzle)):
        broken("its size is empty or negative")
    named = puzzle.about_with(title="another")
    if named.about.title != "another":
        broken("`about_with` does not set the title")
    data = json.loads(json.dumps(family.to_data(puzzle)))
    if json.loads(json.dumps(family.to_data(named))) != data:
        broken("`to_data` differs with the title")
    if family.from_data is not None:
        again = family.from_data({**data, "unknown": 7}).about_with(**asdict(puzzle.about))
        if again != puzzle:
            broken(f"`from_data` makes {again} of what `to_data` gives")
    if family.places is not None:
        named, model = family.places(puzzle), family.build(puzzle)
        if missing := set(model.blocked_on or range(1, model.num_vars + 1)) - named.keys():
            broken(f"`places` does not name variable {min(missing)}, by which solutions differ")
    if family.keys is not None and (more := data.keys() - family.keys):
        broken(f"`to_data` gives the key {min(more)!r}, which is not among its `keys`")


def _solutions(family: Family, puzzle: Puzzle) -> list[Any]:
    """Return the solutions of a puzzle's model; check the pipeline and own methods against them."""
    found = list(islice(_models(family, puzzle), MOST))
    for solution in found:
        _check_solution(family, puzzle, solution)
    if found and (reason := family.obstacle(puzzle)):
        broken(f"`obstacle` returns {reason!r} for a puzzle with solutions")
    seen = family.fast_path and family.fast_path(puzzle)
    if seen is not None and found != [seen]:
        broken(f"`fast_path` sees the only solution of a puzzle with {len(found)}")
    if len(found) < MOST:
        others = list(pipeline.solutions(puzzle, backend=OTHER_ENGINE))
        if set(others) != set(found) or len(others) != len(found):
            broken(f"{ENGINE} finds {len(found)} solutions, {OTHER_ENGINE} {len(others)}")
        _check_own_ways(family, puzzle, found)
    return found


def _models(family: Family, puzzle: Puzzle) -> Iterator[Any]:
    """Yield the solutions of a puzzle's model, without presolve."""
    model, watch = family.build(puzzle), Watch(Limits())
    blocked = model.blocked_on or range(1, model.num_vars + 1)
    with closing(Oracle.of(model, ENGINE, watch, choices_of(Options(), family))) as oracle:
        while oracle.solve() is Answer.SAT:
            values = oracle.values()
            yield family.decode(puzzle, values)
            oracle.block([var if values[var] else -var for var in blocked])


def _check_own_ways(family: Family, puzzle: Puzzle, solutions: Sequence[Any]) -> None:
    """Check the count and the methods that a family defines against all solutions of a puzzle."""
    counted = family.count and family.count(puzzle, Watch(Limits()), 1)
    if counted is not None:
        count, is_exact = counted
        if count > len(solutions) or (is_exact and count != len(solutions)):
            broken(f"`count` returns {count}, there are {len(solutions)}")
    for name, method in family.methods.items():
        own: list[Any] = []
        given = method(puzzle, Watch(Limits(time_s=1)), 0)
        try:
            while True:
                own.append(next(given))
        except StopIteration as stop:
            ending = stop.value
        except (UnsupportedError, LimitReached):
            continue
        if len(set(own)) != len(own) or not set(own) <= set(solutions):
            broken(f"the method {name!r} gives a solution twice, or a wrong one")
        if ending.exhausted and len(own) != len(solutions):
            broken(f"the method {name!r} ends after {len(own)} of {len(solutions)} solutions")


def _check_solution(family: Family, puzzle: Puzzle, solution: Any) -> None:
    if mistake := family.refutation(puzzle, solution):
        broken(f"its verifier refutes a solution of its model: {mistake}")
    if str(solution) != "\n".join(solution.lines()):
        broken("`str` of a solution is not its lines")
    if solution.differences(solution):
        broken("a solution differs from itself")
    data = json.loads(json.dumps([family.solution_data(puzzle, solution), family.legend(puzzle)]))
    back = family.solution_from_data
    if back is not None and (again := back(puzzle, data[0])) != solution:
        broken(f"`solution_from_data` makes {again!r} of what `solution_data` gives")
    hash(solution)


def check_format(format_: Format, puzzles: Sequence[Puzzle]) -> None:
    """Check a format against its contract.

    Args:
        format_: The format.
        puzzles: Some puzzles that the format can represent, and some that it cannot.

    Raises:
        AssertionError: It violates the contract; the message gives the reason and the puzzle or
            bytes.
    """
    if not puzzles:
        broken("no puzzles were given, expected some that it holds and some that it does not")
    files = [*NOTHING, b"1 1\n1\n1\n", b'{"rows": [[1]]}']
    for batch in [[puzzle] for puzzle in puzzles] + [list(puzzles)]:
        with within(", ".join(map(str, batch))):
            data = _written(format_, batch)
            if data is not None:
                files.append(data)
                _check_round_trip(format_, batch, data)
    for data in NOTHING:
        with within(data):
            if not all(isinstance(one, FormatError) for one in read(format_, data)):
                broken("it reads a puzzle in invalid bytes, expected a FormatError")
    rng = random.Random(1)
    for data in [*files, *(damaged(data, _damages(rng)) for data in files for _ in range(20))]:
        with within(data):
            if not isinstance(format_.sniff(data), bool):
                broken("`sniff` does not return a bool")
            read(format_, data)


def _written(format_: Format, puzzles: Sequence[Puzzle]) -> bytes | None:
    """Return the written file; None if the format declares that it cannot represent the puzzles."""
    try:
        return format_.write(puzzles)
    except UnsupportedError:
        holds = format_.holds
        fits = holds.family is None and holds.unknown and holds.given and holds.clues
        if fits and (holds.many or len(puzzles) == 1):
            broken("it refuses puzzles that it declares to support")
        return None


def _check_round_trip(format_: Format, puzzles: Sequence[Puzzle], data: bytes) -> None:
    again = list(read(format_, data))
    if any(isinstance(one, FormatError) for one in again):
        broken(f"it cannot read its own output: {again}")
    if len(again) != len(puzzles):
        broken(f"{len(puzzles)} puzzles were written, {len(again)} are read")
    for puzzle, other in zip(puzzles, again, strict=True):
        family = family_of(puzzle)
        if family.to_data(other) != family.to_data(puzzle):
            broken(f"it reads another puzzle than it has written: {family.to_data(other)}")
    lines = [line for line in data.splitlines(keepends=True) if line.strip()]
    if not format_.by_line(b"".join(lines[:2])):
        return
    if [one for line in lines for one in read(format_, line)] != again:
        broken(
            "`by_line` declares that each line is a puzzle, but separate lines are other puzzles"
        )


def read(format_: Format, data: bytes) -> Iterable[Any]:
    """Return the puzzles that a format reads in any bytes, with FormatErrors for invalid ones."""
    try:
        return list(format_.read(data))
    except FormatError as error:
        return [error]


def _damages(rng: random.Random) -> list[Damage]:
    """Return a few damages at random places."""
    count = rng.randint(1, 4)
    far = 10**6
    return [
        Damage(rng.randint(0, far), rng.randint(0, 3), rng.choice(PIECES)) for _ in range(count)
    ]
