"""Files for VeriPB in certificates: written on request, listed in the manifest, replaced."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

import nonosat
from helpers import veripb
from helpers.generator import INSTANCES
from nonosat.certify import folder
from nonosat.cli import main
from nonosat.core.errors import CertificateError, LimitReached, UnsupportedError
from nonosat.generate.structured import staircase
from nonosat.puzzles.nonogram.data import from_grid, mono

STEPS = str(INSTANCES / "hard.jsonl#steps-8")


@pytest.mark.parametrize(
    "puzzle",
    [nonosat.load(STEPS), mono([[3], [3]], [[2], [2], [2]]), mono([[5]], [[1], [1]])],
    ids=["unique", "unique by lines", "unsolvable"],
)
@pytest.mark.parametrize(("requested", "version"), [(True, "3.0"), ("3.0", "3.0"), ("2.0", "2.0")])
def test_certificates_with_a_proof_for_veripb(puzzle, requested, version, tmp_path):
    certificate = nonosat.prove(puzzle, veripb=requested)
    certificate.write(tmp_path)
    files = [(tmp_path / name).read_text() for name in (folder.OPB, folder.PBP)]
    assert files[1].startswith(f"pseudo-Boolean proof version {version}\n")
    veripb.check(*files)
    assert nonosat.verify(tmp_path).claim == certificate.claim
    (tmp_path / folder.PBP).write_text(files[1].replace("NONE", "ONE "))
    with pytest.raises(CertificateError, match=r"prices\.pbp: its SHA-256"):
        nonosat.verify(tmp_path)
    (tmp_path / folder.PBP).unlink()
    with pytest.raises(CertificateError, match=r"prices\.pbp: No such file"):
        nonosat.verify(tmp_path)
    nonosat.prove(puzzle).write(tmp_path, force=True)  # leaves nothing of it
    assert not (tmp_path / folder.OPB).exists()
    assert nonosat.verify(tmp_path).claim == certificate.claim


def test_an_unknown_version_is_refused(tmp_path):
    with pytest.raises(UnsupportedError, match=r'veripb is \'1.2\', expected True, False, "3.0"'):
        nonosat.prove(nonosat.load(STEPS), veripb="1.2")
    result = CliRunner().invoke(
        main, ["prove", STEPS, "--veripb-format", "2.0", "-o", str(tmp_path / "new")]
    )
    assert result.exit_code == 2
    assert "--veripb-format is for --veripb; add it" in result.output


def test_several_solutions_need_no_such_proof():
    certificate = nonosat.prove(mono([[1], [1]], [[1], [1]]), veripb=True)
    assert certificate.claim == "multiple"
    assert folder.OPB not in certificate.files


def test_clauses_where_prices_do_not_suffice(tmp_path):
    """A puzzle that probing decides, but whose relaxation has other solutions."""
    source = str(INSTANCES / "random.jsonl#random-20-22")
    with pytest.raises(LimitReached, match="clauses may prove it"):
        nonosat.prove(nonosat.load(source), by="prices", veripb=True)
    result = CliRunner().invoke(main, ["prove", source, "--veripb", "-o", str(tmp_path)])
    assert result.exit_code == 0, result.output
    assert "random-20-22: for VeriPB: clauses.opb (" in result.output
    assert not (tmp_path / folder.OPB).exists()
    assert nonosat.verify(tmp_path).claim == "unique"


@pytest.mark.parametrize("version", ["3.0", "2.0"])
def test_clauses_for_veripb_on_request(version, tmp_path):
    """Unlike prices, they are those of the certificate."""
    certificate = nonosat.prove(from_grid(staircase(4)), by="clauses", veripb=version)
    certificate.write(tmp_path)
    names = (folder.CLAUSES_OPB, folder.CLAUSES_PBP)
    files = [(tmp_path / name).read_text() for name in names]
    assert files[1].startswith(f"pseudo-Boolean proof version {version}\n")
    assert veripb.check(*files) > certificate.num_lemmas
    assert nonosat.verify(tmp_path).claim == "unique"
    (tmp_path / folder.CLAUSES_PBP).unlink()
    with pytest.raises(CertificateError, match=r"clauses\.pbp: No such file"):
        nonosat.verify(tmp_path)


def test_the_command_writes_them(tmp_path):
    result = CliRunner().invoke(main, ["prove", STEPS, "--veripb", "-o", str(tmp_path)])
    assert result.exit_code == 0, result.output
    assert "steps-8: for VeriPB: prices.opb (79," in result.output
    veripb.check((tmp_path / folder.OPB).read_text(), (tmp_path / folder.PBP).read_text())
    words = ["prove", STEPS, "--veripb", "--veripb-format", "2.0", "--force", "-o", str(tmp_path)]
    assert CliRunner().invoke(main, words).exit_code == 0
    proof = (tmp_path / folder.PBP).read_text()
    assert proof.startswith("pseudo-Boolean proof version 2.0\n")
    veripb.check((tmp_path / folder.OPB).read_text(), proof)


def test_a_certificate_has_both_files_or_none(tmp_path):
    nonosat.prove(nonosat.load(STEPS), veripb=True).write(tmp_path)
    manifest = tmp_path / folder.MANIFEST
    announced = json.loads(manifest.read_text())
    del announced["files"][folder.OPB]
    manifest.write_text(json.dumps(announced))
    with pytest.raises(CertificateError, match="files other than"):
        nonosat.verify(tmp_path)
