"""Short form of the check that certificates of all classes hold."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks/trust"))
import certificates
from record import Asked

import nonosat


@pytest.mark.slow
def test_certificates_of_all_classes_are_verified() -> None:
    done = [certificates.judged(one) for one in certificates.subjects(Asked(True, 0))]
    assert [complaint for _, complaints in done for complaint in complaints] == []
    kinds = {what for what, _ in done}
    assert kinds >= {f"certificates, {kind}" for kind in ("small", "small, unknown lengths")}
    assert {f"certificates, {kind}" for kind in certificates.OWN} - kinds <= {"certificates, hard"}
    assert not any("left open" in what for what in kinds)


def test_a_wrong_list_and_a_wrong_verifier_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = nonosat.nonogram([[1]], [[1]])
    _, complaints = certificates.judged(certificates.Subject("one", puzzle, "multiple"))
    assert len(complaints) == 1
    assert "check says unique, known is multiple" in complaints[0]

    def refuse(_: Path) -> None:
        raise nonosat.NonosatError("no")

    monkeypatch.setattr(certificates, "verify", refuse)
    _, (complaint,) = certificates.judged(certificates.Subject("one", puzzle, "unique"))
    assert complaint.endswith("unique proved, refused: no verified")
