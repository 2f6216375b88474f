"""Solutions in certificates whose rules are stated, and what they make true.

    {"solution": [".#", "##"]}

The solution is JSON data of its family. Where the family's own model states the rules, the file
also lists the variables that are true, `"true": [1, 4]`: the family decodes them to the solution,
and nobody else knows what they mean.

Invariant: a witness that is read is a solution by the family's verifier, and its values, where it
has any, are a solution of the model.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from nonosat.certify.reading import json_of
from nonosat.certify.rules import Rules
from nonosat.core.errors import CertificateError, NonosatError, shown
from nonosat.core.families import name_of
from nonosat.core.model import Values
from nonosat.solving import refuting


class Witness(NamedTuple):
    """A solution.

    Args:
        solution: The family's.
        true: The told variables of the rules that it makes true.
        values: All of the model's values, where the rules are those of the family's own model.
    """

    solution: Any
    true: frozenset[int]
    values: Values | None = None


def of_solution(rules: Rules, solution: Any) -> Witness:
    """The witness that a solution is, where the rules are stated here."""
    return Witness(solution, rules.true_in(solution))


def of_values(rules: Rules, values: Values) -> Witness:
    """The witness that values of a family's own model are."""
    solution = rules.family.decode(rules.puzzle, values.data)
    return Witness(solution, frozenset(values.true(rules.told)), values)


def written(rules: Rules, witness: Witness) -> bytes:
    """The content of its file."""
    data = {"solution": rules.family.solution_data(rules.puzzle, witness.solution)}
    if witness.values is not None:
        data["true"] = witness.values.true()
    return json.dumps(data).encode() + b"\n"


def read(rules: Rules, data: bytes, name: str) -> Witness:
    """The witness in a file. Raises CertificateError, which names the file, where it is none."""
    found = json_of(data, name)
    wanted = {"solution", "true"} if rules.trusted else {"solution"}
    if not isinstance(found, dict) or found.keys() != wanted:
        raise CertificateError(f"{name}: expected the keys {', '.join(sorted(wanted))}")
    try:
        if rules.trusted:
            return _decoded(rules, found["true"], found["solution"])
        return _given(rules, found["solution"])
    except CertificateError as error:
        raise CertificateError(f"{name}: {error}") from None


def _given(rules: Rules, data: Any) -> Witness:
    """The witness of a solution's data."""
    family, puzzle = rules.family, rules.puzzle
    assert family.solution_from_data is not None, "families of ours read their solutions"
    try:
        solution = family.solution_from_data(puzzle, data)
    except NonosatError as error:
        raise CertificateError(f"this is no solution: {error}") from None
    except Exception:  # "raises what it likes"
        raise CertificateError(
            f"this is no solution: {shown(data)}, expected one as `to_data` writes solutions of "
            f"the family {name_of(puzzle)}"
        ) from None
    if wrong := family.refutation(puzzle, solution):
        raise CertificateError(f"this is no solution: {wrong}")
    return of_solution(rules, solution)


def _decoded(rules: Rules, true: Any, shown: Any) -> Witness:
    """The witness of true variables, which are to stand for the data that are shown."""
    num_vars = rules.model.num_vars
    if not isinstance(true, list) or not all(
        type(var) is int and 0 < var <= num_vars for var in true
    ):
        raise CertificateError(f"'true' is no list of variables of 1 .. {num_vars}")
    data = bytearray(num_vars + 1)
    for var in true:
        data[var] = 1
    values = Values(bytes(data))
    if wrong := refuting.refutation(rules.model.constraints(), values):
        raise CertificateError(f"the model has no such values: {wrong}")
    witness = of_values(rules, values)
    if wrong := rules.family.refutation(rules.puzzle, witness.solution):
        raise CertificateError(f"this is no solution: {wrong}")
    if json.loads(written(rules, witness))["solution"] != shown:
        raise CertificateError("the true variables stand for another solution")
    return witness
