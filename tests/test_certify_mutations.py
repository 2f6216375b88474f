"""Damaged certificates with matching manifests: refused, or still right by independent checks.

NONOSAT_FUZZ=N makes N times as many mutations, of N times as many seeds.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import replace
from functools import cache, partial
from itertools import combinations
from pathlib import Path

import pytest

from helpers.drawing import FUZZ
from helpers.proofs import follows_hints, read_dimacs, refutes
from nonosat.certify import folder
from nonosat.certify.prove import ENGINE, prove
from nonosat.certify.verify import verify
from nonosat.clauses.cnf import Cnf
from nonosat.core.errors import CertificateError
from nonosat.core.grid import Grid
from nonosat.core.model import Block
from nonosat.encodings import line_order
from nonosat.formats import jsonl
from nonosat.puzzles import nonogram
from nonosat.puzzles.nonogram.data import About, Colour, Nonogram, from_grid, mono
from nonosat.testing.oracles import solutions

INKS = (Colour("a", "#aa0000"), Colour("b", "#0000bb"))
MUTATIONS = 600
NAMES = {  # of files by claim; test_certify_prices mutates certificates by prices
    claim: kinds.get("clauses") or kinds["pictures"] for claim, kinds in folder.FILES.items()
}


def _picture(height: int, width: int, seed: int, colours: int = 1) -> Nonogram:
    rng = random.Random(seed)
    cells = bytes(rng.choice([0, *range(colours + 1)]) for _ in range(height * width))
    inks = {"colours": INKS} if colours > 1 else {}
    return from_grid(Grid(height, width, cells), **inks)


def _subjects() -> list[Nonogram]:
    """Puzzles: unique by lines, by probing, by an engine; unsolvable; multiple; coloured; with
    unknown
    lengths; with given cells.
    """
    steps = [[3], [1], [1, 3], [1], [1, 3], [1], [1, 3], [1], [1]]
    blotted = _picture(4, 5, 3)
    blotted = replace(
        blotted, rows=(tuple(Block(None, b.colour) for b in blotted.rows[0]), *blotted.rows[1:])
    )
    return [
        _picture(5, 5, 1),
        _picture(4, 5, 2, colours=2),
        blotted,
        mono(steps, steps),
        mono([[1], [1]], [[1], [1]], given=((0, 1, 0),)),
        mono([[1], [1]], [[1], [1]]),
        mono([[1, 1], [1], [1, 1]], [[1, 1], [1], [1]]),
        mono([[3], [1]], [[1], [1]]),
    ]


def _mutated(rng: random.Random, data: bytes) -> bytes:
    """Make one small change."""
    kind = rng.randrange(8)
    lines = data.splitlines(keepends=True)
    numbers = list(re.finditer(rb"-?\d+", data))
    at = rng.randrange(len(data)) if data else 0
    if kind == 0 and data:
        return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]
    if kind == 1:
        return data[:at] + bytes([rng.randrange(256)]) + data[at:]
    if kind == 2 and lines:
        del lines[rng.randrange(len(lines))]
        return b"".join(lines)
    if kind == 3 and lines:
        lines.insert(rng.randrange(len(lines)), rng.choice(lines))
        return b"".join(lines)
    if kind == 4 and len(lines) > 1:
        one, other = rng.sample(range(len(lines)), 2)
        lines[one], lines[other] = lines[other], lines[one]
        return b"".join(lines)
    if kind == 5:
        return data[:at]
    if numbers:
        found = rng.choice(numbers)
        change = rng.choice([lambda n: n + 1, lambda n: n - 1, lambda n: -n, lambda n: 0])
        new = str(change(int(found[0]))).encode()
        return data[: found.start()] + new + data[found.end() :]
    return data + b"0"


def _picture_in(data: bytes) -> bytes:
    return bytes(".#abcdef".index(char) for char in data.decode().replace("\n", ""))


def _formula_of(puzzle: Nonogram) -> tuple[int, Counter[tuple[int, ...]]]:
    """Formula by the encoders that engines get, as a multiset."""
    model = nonogram.build(puzzle)
    formula = Cnf(model.num_vars)
    for clause in model.clauses:
        formula.add(clause.lits)
    for count in model.counts:
        for pair in combinations(count.lits, 2):
            formula.add([-lit for lit in pair])
    for line in model.lines:
        line_order.encode(line, formula)
    return formula.num_vars, Counter(tuple(sorted(clause)) for clause in formula)


_solutions = cache(partial(solutions, limit=50))


def assert_right(claim: str, files: dict[str, bytes]) -> None:
    """Check by enumeration, the first encoder, and naive proof checkers."""
    (puzzle,) = jsonl.read(files[folder.PUZZLE])
    found = _solutions(replace(puzzle, goal=None, about=About()))
    if claim == "multiple":
        one, other = (_picture_in(files[name]) for name in (folder.SOLUTION, folder.SECOND))
        assert one != other
        assert {one, other} <= found
        return
    num_vars, wanted = _formula_of(puzzle)
    if claim == "unique":
        cells = _picture_in(files[folder.SOLUTION])
        assert found == {cells}
        size = len(cells)
        lits = [1 + k * size + c for k in range(len(puzzle.colours)) for c in range(size)]
        true = {1 + (value - 1) * size + c for c, value in enumerate(cells) if value}
        wanted[tuple(sorted(-lit if lit in true else lit for lit in lits))] += 1
    else:
        assert not found
    read_vars, clauses = read_dimacs(files[folder.FORMULA].decode("latin-1"))
    assert read_vars == num_vars
    assert Counter(tuple(sorted(clause)) for clause in clauses) == wanted
    assert refutes(clauses, files[folder.DRAT].decode("latin-1"))
    assert follows_hints(clauses, files[folder.LRAT].decode("latin-1"))


@pytest.mark.thorough
def test_mutations_are_refused_or_still_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificates = [prove(puzzle, by="clauses") for puzzle in _subjects()]
    with monkeypatch.context() as patch:
        # Puzzles that probing would decide are decided by SAT.
        patch.setattr("nonosat.board.presolve.PROBE_WORK", 0)
        certificates += [prove(p, by="clauses") for p in _subjects() if p.height == 9]
    assert {found.claim for found in certificates} == set(NAMES)
    assert {found.how for found in certificates} >= {"propagation", ENGINE, "search"}
    refused, on_disk = Counter[str](), dict[Path, bytes]()
    for seed in range(MUTATIONS * FUZZ):
        rng = random.Random(seed)
        found = rng.choice(certificates)
        claim, files = found.claim, dict(found.files)
        name = rng.choice([*files, "claim"])
        if name == "claim":
            claim = rng.choice(list(NAMES))
            others = rng.choice(certificates).files
            files = {of: files.get(of, others.get(of, b"")) for of in NAMES[claim]}
        else:
            files[name] = _mutated(rng, files[name])
        files[folder.MANIFEST] = folder.manifest(claim, files, {})
        target = tmp_path / str(certificates.index(found))
        target.mkdir(exist_ok=True)
        for of, data in files.items():
            if on_disk.get(target / of) != data:  # writing takes longer than verifying
                (target / of).write_bytes(data)
                on_disk[target / of] = data
        try:
            verify(target)
        except CertificateError as error:
            refused[str(error).partition(":")[0]] += 1
        else:
            assert_right(claim, files)
    # Files of every kind were refused, and harmless changes were not.
    assert set(refused) == {name for names in NAMES.values() for name in names}
    assert refused.total() > MUTATIONS * FUZZ // 2


def test_mutated_manifests_are_refused_or_the_same(tmp_path: Path) -> None:
    found = prove(_subjects()[0])
    found.write(tmp_path / "new")
    path = tmp_path / "new" / folder.MANIFEST
    data = path.read_bytes()
    refused = 0
    for seed in range(120 * FUZZ):
        path.write_bytes(_mutated(random.Random(seed), data))
        try:
            assert verify(tmp_path / "new").claim == found.claim
        except CertificateError:
            refused += 1
    assert refused > 100


@pytest.mark.parametrize("index", range(len(_subjects())))
def test_undamaged_ones_are_right(index: int) -> None:
    found = prove(_subjects()[index], by="clauses")
    assert_right(found.claim, found.files)
