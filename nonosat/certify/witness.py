"""Puzzles and solutions in certificates.

A puzzle is in the project's own JSON. The solution of a nonogram is a picture with one line per row
and one character per cell, "." for empty (`grid.SYMBOLS`). Any other solution is JSON data of its
family:

    {"solution": [".#", "##"]}

If the family's own model states the rules, the file also lists the variables that are true,
`"true": [1, 4]`, because only the family can relate them to the solution.

Invariant: a witness read from a file is a solution by the family's verifier, and its values, if it
has any, are a solution of the model.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from nonosat.certify import folder
from nonosat.certify.folder import json_of, text_of
from nonosat.certify.rules import Rules
from nonosat.core.errors import CertificateError, FormatError, NonosatError, rows_by_columns, shown
from nonosat.core.families import name_of
from nonosat.core.grid import SYMBOLS, Grid
from nonosat.core.model import Values
from nonosat.core.plugins import Puzzle
from nonosat.formats import jsonl
from nonosat.puzzles.nonogram.data import Nonogram


class Witness(NamedTuple):
    """A solution with the variables that it makes true.

    Args:
        solution: The family's solution.
        true: The true ones among the variables that distinguish solutions (`Rules.distinguishing`).
        values: All values of the model if the rules are those of the family's own model.
    """

    solution: Any
    true: frozenset[int]
    values: Values | None = None


def of_solution(rules: Rules, solution: Any) -> Witness:
    """Return the witness of a solution, for rules that this package states."""
    return Witness(solution, rules.true_in(solution))


def of_values(rules: Rules, values: Values) -> Witness:
    """Return the witness of values of a family's own model."""
    solution = rules.family.decode(rules.puzzle, values.data)
    return Witness(solution, frozenset(values.true(rules.distinguishing)), values)


def names(rules: Rules) -> tuple[str, str]:
    """Return the names of the files of a solution and of a second one."""
    if rules.is_board:
        return folder.SOLUTION, folder.SECOND
    return folder.SOLUTION_JSON, folder.SECOND_JSON


def written(rules: Rules, witness: Witness) -> bytes:
    """Return the content of the witness's file."""
    if rules.is_board:
        return f"{witness.solution}\n".encode()
    data = {"solution": rules.family.solution_data(rules.puzzle, witness.solution)}
    if witness.values is not None:
        data["true"] = witness.values.true()
    return json.dumps(data).encode() + b"\n"


def read(rules: Rules, data: bytes, name: str) -> Witness:
    """Return the witness in a file. Raise CertificateError, which names the file, if invalid."""
    puzzle = rules.puzzle
    if rules.is_board:
        found: Any = {"solution": read_picture(data, name, puzzle.height, puzzle.width)}
    else:
        found = json_of(data, name)
        expected = {"solution", "true"} if rules.trusted else {"solution"}
        if not isinstance(found, dict) or found.keys() != expected:
            raise CertificateError(f"{name}: expected the keys {', '.join(sorted(expected))}")
    try:
        if rules.trusted:
            return _decoded(rules, found["true"], found["solution"])
        solution = found["solution"] if rules.is_board else _solution(rules, found["solution"])
        _refuse(rules, solution)
        return of_solution(rules, solution)
    except CertificateError as error:
        raise CertificateError(f"{name}: {error}") from None


def _refuse(rules: Rules, solution: Any) -> None:
    """Raise CertificateError if `solution` is not a solution of the puzzle."""
    if wrong := rules.family.refutation(rules.puzzle, solution):
        raise CertificateError(f"this is not a solution: {wrong}")


def _solution(rules: Rules, data: Any) -> Any:
    """Return the solution in JSON data, without verifying it."""
    family, puzzle = rules.family, rules.puzzle
    assert family.solution_from_data is not None, "families of ours read their solutions"
    try:
        return family.solution_from_data(puzzle, data)
    except NonosatError as error:
        raise CertificateError(f"this is not a solution: {error}") from None
    except Exception:  # the family's reader may raise any exception
        raise CertificateError(
            f"this is not a solution: {shown(data)}, expected one as `to_data` writes solutions of "
            f"the family {name_of(puzzle)}"
        ) from None


def _decoded(rules: Rules, true: Any, shown: Any) -> Witness:
    """Return the witness of true variables, which must decode to the given data."""
    from nonosat.solving import refuting  # slow import, only needed for families of other packages

    num_vars = rules.model.num_vars
    if not isinstance(true, list) or not all(
        type(var) is int and 0 < var <= num_vars for var in true
    ):
        raise CertificateError(f"'true' is not a list of variables of 1 .. {num_vars}")
    data = bytearray(num_vars + 1)
    for var in true:
        data[var] = 1
    values = Values(bytes(data))
    if wrong := refuting.refutation(rules.model.constraints(), values):
        raise CertificateError(f"the model has no such values: {wrong}")
    witness = of_values(rules, values)
    _refuse(rules, witness.solution)
    if json.loads(written(rules, witness))["solution"] != shown:
        raise CertificateError("the true variables decode to another solution")
    return witness


def read_picture(data: bytes, name: str, height: int, width: int) -> Grid:
    """Return the picture of a file.

    Raises:
        CertificateError: The size differs, or a character is not a colour.
    """
    rows = text_of(data, name).removesuffix("\n").split("\n")
    if len(rows) != height or any(len(row) != width for row in rows):
        raise CertificateError(f"{name}: the picture is not {rows_by_columns(height, width)}")
    values = {symbol: value for value, symbol in enumerate(SYMBOLS[:256])}
    try:
        return Grid(height, width, bytes(values[symbol] for row in rows for symbol in row))
    except KeyError as error:
        raise CertificateError(f"{name}: the character {error} is not a colour") from None


def read_nonogram(data: bytes, name: str) -> Nonogram:
    """Return the single nonogram in project JSON. Raise CertificateError, which names `name`."""
    puzzle = read_puzzle(data, name)
    if not isinstance(puzzle, Nonogram):
        raise CertificateError(f"{name}: {puzzle}, expected a nonogram")
    return puzzle


def read_puzzle(data: bytes, name: str, expected: Puzzle | None = None) -> Puzzle:
    """Return the single puzzle in the project's JSON.

    Args:
        data, name: Content and name of the file.
        expected: The required puzzle, including its title; None if any puzzle is accepted.

    Raises:
        CertificateError: It is not a puzzle, or another one; the message names the file.
    """
    if expected is not None:
        if json.loads(jsonl.write([expected])) != json_of(data, name):
            raise CertificateError(f"{name}: another puzzle than the expected one")
        return expected
    try:
        puzzles = jsonl.read(text_of(data, name).encode())
    except FormatError as error:
        raise CertificateError(f"{name}: {error}") from None
    if len(puzzles) != 1:
        raise CertificateError(f"{name}: {len(puzzles)} puzzles, expected one")
    return puzzles[0]
