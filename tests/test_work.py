"""The native core does exactly the recorded work."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks/trust"))
import natively

RECORD = natively.PROGRAMS / "recorded_work.txt"


@pytest.fixture(scope="module")
def work() -> Iterator[Path]:
    with natively.program("work") as path:
        yield path


def ran(*command: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*map(str, command)], capture_output=True, text=True)


@pytest.mark.thorough
def test_propagation_probing_and_prices_do_the_recorded_work(work: Path) -> None:
    done = ran(work)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.split()[1]) > 2000


@pytest.mark.slow
def test_differences_from_the_record_are_reported(work: Path, tmp_path: Path) -> None:
    recorded = RECORD.read_text()
    wrong = tmp_path / "wrong.txt"

    def complaint(part: str, before: str, after: str) -> str:
        assert before in recorded
        wrong.write_text(recorded.replace(before, after, 1))
        done = ran(work, part, wrong)
        assert done.returncode == 1
        assert "Where the way to them is meant to change" in done.stderr
        return done.stderr.splitlines()[0]

    probes = "noise of 20x25: probing, probes: found 102, recorded is 101"
    assert probes in complaint("boards", "probing, probes = 102", "probing, probes = 101")
    assert "nothing is recorded" in complaint("boards", "  probing, probes = 102\n", "")
    assert "nothing counts it now" in complaint(
        "boards", "  zones = 2\n", "  zones = 2\n  lines = 7\n"
    )

    sweeps = "prices, find, dominoes 14\n"  # takes 34, in which compilers may differ
    case = recorded[recorded.index(sweeps) :]
    whole = case[: case.index("\n  whole, sweeps = 34\n")]
    assert "recorded is 39, of which it may be 10 % away" in complaint(
        "prices", f"{whole}\n  whole, sweeps = 34\n", f"{whole}\n  whole, sweeps = 39\n"
    )
    wrong.write_text(
        recorded.replace(f"{whole}\n  whole, sweeps = 34\n", f"{whole}\n  whole, sweeps = 36\n")
    )
    assert ran(work, "prices", wrong).returncode == 0


@pytest.mark.slow
def test_a_new_record_has_the_same_names(work: Path) -> None:
    def names(text: str) -> list[str]:
        return [line.split(" = ")[0] for line in text.splitlines()]

    printed = ran(work, "print").stdout
    assert names(printed) == names(RECORD.read_text())


@pytest.mark.slow
def test_a_program_is_built_and_run_by_its_name(
    work: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(natively, "program", lambda name: nullcontext(work.with_name(name)))
    monkeypatch.setattr(sys, "argv", ["natively.py", "work", "boards", str(RECORD)])
    assert natively.main() == 0
    assert "numbers of counted work" in capfd.readouterr().out
    monkeypatch.setattr(sys, "argv", ["natively.py", "wrok"])
    assert natively.main() == 2
    assert "programs are fuzz, " in capfd.readouterr().out
