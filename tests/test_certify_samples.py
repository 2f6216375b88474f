"""Certificates and covers of older versions are read, and none is accepted in place of another.

`data/certificates/samples.jsonl` has a certificate a line: its claim, the options of `prove`, and
its files with the manifest. Families in `own_families` cannot be found by name, so their puzzles
are made again here.
"""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from helpers.own_families import Row, fence
from nonosat.certify import folder
from nonosat.certify.covers import verify_covers
from nonosat.certify.prove import prove
from nonosat.certify.verify import verify
from nonosat.core.errors import CertificateError
from nonosat.core.plugins import Puzzle
from nonosat.formats import jsonl

DATA = Path(__file__).parent / "data" / "certificates"
SAMPLES = {
    sample["name"]: sample
    for sample in map(json.loads, (DATA / "samples.jsonl").read_text().splitlines())
}
OWN: dict[str, Puzzle] = {
    "own-row": Row(6, (2, 3), 2),
    "own-row-unsolvable": Row(6, (2, 3), 1),
    "own-row-multiple": Row(7, (2, 3), 2),
    "own-fence": fence("33", ".."),
}
SWAPPED = {folder.PUZZLE, folder.FORMULA, folder.PRICES, folder.CUTS, folder.SOLUTION}
SWAPPED |= {folder.SECOND, folder.SOLUTION_JSON, folder.SECOND_JSON}


def written(sample: dict[str, Any], target: Path, **changes: str) -> Path:
    """Return the folder of a sample; with changed files, and a matching manifest."""
    files = {name: text.encode() for name, text in {**sample["files"], **changes}.items()}
    if changes:
        del files[folder.MANIFEST]
        files[folder.MANIFEST] = folder.manifest(sample["claim"], files, {})
    target.mkdir(exist_ok=True)
    for name, data in files.items():
        (target / name).write_bytes(data)
    return target


def puzzle_of(sample: dict[str, Any]) -> Puzzle:
    if sample["name"] in OWN:
        return OWN[sample["name"]]
    (puzzle,) = jsonl.read(sample["files"][folder.PUZZLE].encode())
    return puzzle


@pytest.mark.parametrize("name", SAMPLES)
def test_older_certificates_are_read(name: str, tmp_path: Path) -> None:
    sample = SAMPLES[name]
    found = verify(written(sample, tmp_path), puzzle=OWN.get(name))
    assert found.claim == sample["claim"]
    assert found.puzzle == puzzle_of(sample)
    assert bool(found.trusted) == name.startswith("own-")
    is_by_prices = folder.PRICES in sample["files"]
    assert (found.prices is not None) == is_by_prices
    assert (found.num_clauses > 0) == (found.claim != "multiple" and not is_by_prices)


@pytest.mark.parametrize("name", SAMPLES)
def test_the_current_version_writes_the_same_files(name: str) -> None:
    """Except for the proofs, and the cuts that an engine happens to need."""
    sample = SAMPLES[name]
    certificate = prove(puzzle_of(sample), **sample["options"])
    assert certificate.claim == sample["claim"]
    assert {*certificate.files, folder.MANIFEST} == sample["files"].keys()
    steady = {folder.PUZZLE, folder.OPB, folder.CUTS, folder.FORMULA}
    if certificate.claim == "unique":
        steady |= {folder.SOLUTION, folder.SOLUTION_JSON}
    for file in steady & certificate.files.keys():
        text = certificate.files[file].decode()
        if not certificate.num_cuts or file == folder.PUZZLE:
            assert text == sample["files"][file], file


@pytest.mark.thorough
def test_no_file_is_accepted_in_another_certificate(tmp_path: Path) -> None:
    kinds: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for sample in SAMPLES.values():
        kinds.setdefault((sample["claim"], *sorted(sample["files"])), []).append(sample)
    refused = 0
    for alike in kinds.values():
        for sample, other in permutations(alike, 2):
            for file in SWAPPED & sample["files"].keys():
                if sample["files"][file] == other["files"][file]:
                    continue
                target = written(sample, tmp_path, **{file: other["files"][file]})
                with pytest.raises(CertificateError, match=r"^[a-z]+\.[a-z]+: "):
                    verify(target, puzzle=OWN.get(sample["name"]))
                refused += 1
        for path in tmp_path.iterdir():
            path.unlink()
    assert refused > 400


def test_older_covers_are_read() -> None:
    path = DATA / "covers.jsonl"
    told = [json.loads(line) for line in path.read_text().splitlines()]
    found = list(verify_covers(path))
    assert [(one.verdict, one.covered.num_solutions) for one in found] == [
        (data["verdict"], len(data["solutions"])) for data in told
    ]
    assert {one.verdict for one in found} == {"unique", "multiple", "unsolvable"}


SOLVERS = ("solving", "board", "encodings", "formulations", "backends", "explain", "questions")


def test_no_solver_takes_part_in_verifying(tmp_path: Path) -> None:
    """For a family of nonosat no module of the solvers is imported."""
    for name in SAMPLES.keys() - OWN.keys():
        written(SAMPLES[name], tmp_path / name)
    code = (
        "import sys, nonosat\n"
        "for place in sys.argv[1:]: nonosat.verify(place)\n"
        "print(*sorted(name for name in sys.modules if name.startswith('nonosat.')))\n"
    )
    command = [sys.executable, "-c", code, *map(str, tmp_path.iterdir())]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    imported = done.stdout.split()
    assert "nonosat.certify.rules.nonogram" in imported
    assert "nonosat.certify.rules.knight" in imported
    assert [name for name in imported if name.split(".")[1] in SOLVERS] == []
