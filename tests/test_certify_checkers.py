"""Native proof checkers against naive ones, and on texts that are no proofs."""

from __future__ import annotations

import random
from array import array
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.drawing import FUZZ, examples
from helpers.proofs import follows_hints, refutes
from nonosat import _core

PIGEONS = [
    *([1 + 2 * pigeon, 2 + 2 * pigeon] for pigeon in range(3)),
    *([-one, -other] for hole in (1, 2) for one, other in combinations(range(hole, 7, 2), 2)),
]


def packed(clauses: list[list[int]]) -> bytes:
    return array("i", [lit for clause in clauses for lit in (*clause, 0)]).tobytes()


def written(clauses: list[list[int]]) -> str:
    return "".join(" ".join(map(str, [*clause, 0])) + "\n" for clause in clauses)


def accepts(num_vars: int, clauses: list[list[int]], proof: str) -> bool:
    """Return the verdict of the backward checker; all other checkers must accept its output."""
    try:
        found = _core.check_drat(num_vars, packed(clauses), proof.encode(), True)
    except ValueError:
        return False
    _, num_lines, drat, lrat = found
    assert refutes(clauses, drat.decode(), strict=True)
    assert follows_hints(clauses, lrat.decode())
    assert _core.check_lrat(num_vars, packed(clauses), lrat) == num_lines
    _core.check_drat(num_vars, packed(clauses), drat)
    return True


def drawn(rng: random.Random) -> tuple[int, list[list[int]]]:
    """Random formula, more often unsatisfiable than not."""
    num_vars = rng.randint(3, 8)
    clauses = []
    for _ in range(rng.randint(3, 6) * num_vars):
        chosen = rng.sample(range(1, num_vars + 1), rng.choice([1, 2, 2, 3, 3, 3]))
        clauses.append([rng.choice([-1, 1]) * var for var in chosen])
    return num_vars, clauses


def proof_of(rng: random.Random, num_vars: int, clauses: list[list[int]]) -> list[str]:
    """Lines of an attempted proof: resolvents, some arbitrary clauses, and deletions."""
    lines, known = [], [list(clause) for clause in clauses]
    for _ in range(rng.randint(5, 60)):
        one, other = rng.choice(known), rng.choice(known)
        clashes = [lit for lit in one if -lit in other]
        if len(clashes) == 1:
            lemma = sorted({*one, *other} - {clashes[0], -clashes[0]})
            if rng.random() < 0.03:
                lemma = lemma[1:]
            known.append(lemma)
            lines.append(written([lemma]))
        elif rng.random() < 0.05:
            lines.append("d " + written([rng.choice(known)]))
        elif rng.random() < 0.02:
            lits = rng.sample(range(1, num_vars + 1), 2)
            lines.append(written([[rng.choice([-1, 1]) * lit for lit in lits]]))
    return lines


def test_it_agrees_with_the_naive_checkers() -> None:
    verdicts = []
    for seed in range(500 * FUZZ):
        rng = random.Random(seed)
        num_vars, clauses = drawn(rng)
        proof = "".join(proof_of(rng, num_vars, clauses))
        verdict = accepts(num_vars, clauses, proof)
        verdicts.append(verdict)
        if verdict:
            assert refutes(clauses, proof), seed
        elif "d" not in proof:
            assert not refutes(clauses, proof, strict=True), seed
    assert min(verdicts.count(True), verdicts.count(False)) > 60


def test_corrupted_hints_are_refused_or_still_right() -> None:
    refused = 0
    for seed in range(500 * FUZZ):
        rng = random.Random(seed)
        *_, lrat = _core.check_drat(6, packed(PIGEONS), b"-1 0\n-2 0\n", True)
        words = lrat.decode().split(" ")
        at = rng.randrange(len(words))
        words[at] = rng.choice(["0", "1", str(rng.randint(-7, 20)), "", words[at - 1]])
        text = " ".join(words)
        try:
            _core.check_lrat(6, packed(PIGEONS), text.encode())
        except ValueError:
            refused += 1
        else:
            assert follows_hints(PIGEONS, text), text
    assert refused > 300


def test_deletions_are_followed_and_reasons_kept() -> None:
    clauses = [[1], [-1, 2, 3], [-2, 3], [-3, 4], [-3, -4]]
    assert accepts(4, clauses, "d 1 0\n3 0\n")  # the reason of a root literal stays
    assert accepts(4, clauses, "d 9 0\n3 0\n".replace("9", "4"))  # there is no such clause
    assert not accepts(4, clauses, "d -2 3 0\n3 0\n")
    assert not accepts(4, clauses, "d 3 -1 2 0\n3 0\n")
    assert accepts(4, [*clauses, [3, -2]], "d -2 3 0\n3 0\n")  # one of two equal ones


@pytest.mark.parametrize(
    ("clauses", "proof"),
    [
        ([[]], ""),
        ([[1], [-1]], ""),
        ([[1, 1], [-1, -1, -1]], ""),
        ([[1, -1], [1, 2], [1, -2], [-1]], "1 0\n"),
        ([[1, 2], [1, -2], [-1, 2], [-1, -2]], "2 2 0\n2 -2 0\n0\n"),
        ([[1, 2], [1, -2], [-1, 2], [-1, -2]], "c a comment\n1 0 0"),
    ],
)
def test_proofs_at_the_edge(clauses: list[list[int]], proof: str) -> None:
    assert accepts(2, clauses, proof)


def test_a_needed_lemma_that_does_not_follow_is_refused() -> None:
    why = "^line 4: the clause does not follow by unit propagation$"
    with pytest.raises(ValueError, match=why):
        _core.check_drat(4, packed([[1, 2], [-1, 2], [-2, 3, 4]]), b"2 0\n3 0\n-3 2 0\n-3 0\n")


@pytest.mark.parametrize(
    ("proof", "why"),
    [
        ("", "the proof ends without a conflict"),
        ("c 1 0", "the proof ends without a conflict"),
        ("\n0", "line 2: the empty clause does not follow by unit propagation"),
        ("1 -7 0", "line 1: the number -7, expected -6 to 6"),
        ("1 99999999999999999999 0", "line 1: a number of more than 18 digits"),
        ("1 2", "line 1: the text ends where a number is expected"),
        ("1 x 0", "line 1: expected a number"),
        ("1 2.0 0", "line 1: expected a number"),
        ("\n\nd", "line 3: the text ends where a number is expected"),
        ("\xff", "line 1: expected a number"),
        ("1\x00 0", "line 1: expected a number"),
        ("a\x00\x01\x02", "line 1: expected a number"),
    ],
)
def test_refusals_have_reasons(proof: str, why: str) -> None:
    with pytest.raises(ValueError, match=f"^{why}$"):
        _core.check_drat(6, packed(PIGEONS), proof.encode("latin-1"))


@pytest.mark.parametrize(
    ("proof", "why"),
    [
        ("", "line 1: the proof ends without the empty clause"),
        ("2 0 1 0", "line 1: the line is numbered 2, expected 4"),
        ("4 2 0 1 0", "line 1: the hints do not lead to a conflict"),
        ("4 0 1 0", "line 1: the hint 1 is a clause that is neither unit nor false here"),
        ("4 2 0 3 0", "line 1: the hint 3 is a clause that is neither unit nor false here"),
        ("4 2 0 1 2 3 0", "line 1: a hint after the conflict"),
        ("4 2 0 4 0", "line 1: the number 4, expected 0 to 3"),
        ("4 2 0 -1 0", "line 1: the number -1, expected 0 to 3"),
        ("4 d 1 0", "line 1: expected a number"),
        ("4 2 0 1 2 0", "line 1: the proof ends without the empty clause"),
        ("4 0 3 1 2 0\n5 0 3 1 2 0", "line 2: a line after the empty clause"),
    ],
)
def test_hints_are_taken_literally(proof: str, why: str) -> None:
    clauses = packed([[1, 2], [-1, 2], [-2]])
    with pytest.raises(ValueError, match=f"^{why}$"):
        _core.check_lrat(2, clauses, proof.encode())
    assert _core.check_lrat(2, clauses, b"4 2 0 1 2 0 5 0 3 4 0") == 2


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "line 1: expected the header 'p cnf'"),
        ("p dnf 1 1", "line 1: expected the header 'p cnf'"),
        ("p cnf 1 1\n1", "line 2: the last clause is not ended by 0"),
        ("p cnf 1 2\n1 0", "line 2: 1 clauses, the header announces 2"),
        ("p cnf 1 1\n2 0", "line 2: the number 2, expected -1 to 1"),
        ("p cnf 2147483647 0", "line 1: the number 2147483647, expected 0 to 1073741822"),
        ("p cnf -1 0", "line 1: the number -1, expected 0 to 1073741822"),
    ],
)
def test_invalid_dimacs(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=f"^{why}$"):
        _core.parse_dimacs(text.encode())


def test_dimacs_is_read() -> None:
    text = b"c a comment\np cnf 3 3\n1 -2\n 0 c no comment\n".replace(b"c no comment", b"0")
    assert _core.parse_dimacs(text + b"c behind\n\t3 0\r\n") == (3, packed([[1, -2], [], [3]]))


@given(st.binary(max_size=40) | st.text("0123 \n-dc", max_size=40).map(str.encode))
@examples(180)
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for read in (
        _core.parse_dimacs,
        lambda text: _core.parse_dimacs(b"p cnf 3 1\n" + text),
        lambda text: _core.check_drat(3, packed([[1, 2], [-1, 2]]), text),
        lambda text: _core.check_lrat(3, packed([[1, 2], [-1, 2]]), text),
    ):
        try:
            read(data)
        except ValueError:
            continue


@pytest.mark.parametrize(
    ("num_vars", "clauses"), [(1, [2]), (1, [1]), (1, [-2, 0]), (-1, []), (2**31 - 1, [])]
)
def test_clauses_in_memory_are_checked(num_vars: int, clauses: list[int]) -> None:
    with pytest.raises(ValueError, match="num_vars"):
        _core.check_drat(num_vars, array("i", clauses).tobytes(), b"")


def test_a_watch_ends_every_checker() -> None:
    clauses, proof = packed([[1, 2]] * 200_000), b"1 2 0\n" * 200_000
    assert _core.check_drat(2, clauses, proof, remaining_s=0) is None
    lines = "".join(f"{number} 1 2 0 1 0\n" for number in range(200_001, 300_001))
    assert _core.check_lrat(2, clauses, lines.encode(), remaining_s=0) is None
    assert _core.parse_dimacs(b"p cnf 2 200000\n" + proof, remaining_s=0) is None
