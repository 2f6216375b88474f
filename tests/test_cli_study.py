"""Command `nonosat study`: refusals, written files, and what is kept when it ends early."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from nonosat import load_all
from nonosat.cli import main
from nonosat.cli.study import FORMS
from nonosat.study.experiments import Data
from nonosat.study.experiments.run import ORDER, as_json, suitable
from nonosat.study.experiments.text import markdown

ROOT = Path(__file__).parent.parent
PICTURES = ROOT / "instances" / "pictures.jsonl"
OUTPUTS = [part for form in FORMS for part in ("-o", f"study{form}")]


@pytest.fixture(scope="module")
def numbers() -> Data:
    """Numbers of the recorded run."""
    found: Data = json.loads((ROOT / "benchmarks" / "study" / "study.json").read_text())
    return found


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, numbers: Data) -> list[tuple[int, bool]]:
    """Return an empty folder, and a list of the runs, which end at once: puzzles, and True if
    quick.
    """
    asked = []

    def run(puzzles: list[Any], quick: bool, tell: object) -> Data:
        asked.append((len(puzzles), quick))
        return numbers

    monkeypatch.setattr("nonosat.cli.study.experiments.run", run)
    monkeypatch.setattr("nonosat.study.experiments.page.page", page)
    monkeypatch.chdir(tmp_path)
    return asked


def page(found: Data) -> str:
    """Replacement of the page, whose plots take a second."""
    return f"a page of {as_json(found)}"


def invoked(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, ["study", *arguments])
    return done.exit_code, " ".join(done.output.split())


@pytest.mark.thorough
def test_all_forms_are_written(asked: list[Any], numbers: Data, tmp_path: Path) -> None:
    assert invoked("run", "--quick", *OUTPUTS)[0] == 0
    assert (tmp_path / "study.html").read_text() == page(numbers)
    assert (tmp_path / "study.md").read_text() == markdown(numbers)
    assert json.loads((tmp_path / "study.json").read_text()) == numbers
    assert asked == [(3, True)]


def test_the_puzzles_are_those_of_the_files(asked: list[Any], tmp_path: Path) -> None:
    one = tmp_path / "one.jsonl"
    one.write_text(PICTURES.read_text().splitlines()[0])
    assert invoked("run", str(one), "-o", "study.md")[0] == 0
    assert invoked("run", str(PICTURES), "-o", "study.md", "--force")[0] == 0
    assert asked == [(1, False), (len(suitable(load_all(PICTURES), quick=False)), False)]
    assert asked[1][0] > 5


@pytest.mark.slow
def test_without_files_the_bundled_puzzles_are_taken_in_any_folder(
    asked: list[Any], tmp_path: Path
) -> None:
    (tmp_path / "instances").mkdir()  # of another program
    (tmp_path / "instances" / "one.jsonl").write_text("no puzzle")
    assert invoked("run", "--quick", "-o", "study.md")[0] == 0
    assert asked == [(3, True)]


def test_a_recorded_run_is_reported_again(asked: list[Any], numbers: Data, tmp_path: Path) -> None:
    assert invoked("run", "--quick", "-o", "study.json")[0] == 0
    assert invoked("report", "study.json", "-o", "a.HTML", "-o", ".md")[0] == 0
    assert (tmp_path / "a.HTML").read_text() == page(numbers)
    assert (tmp_path / ".md").read_text() == markdown(numbers)
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Missing option '-o'"),
        (("-o", "study.pdf"), "study.pdf has the suffix '.pdf', expected .html, .md or .json"),
        (("-o", "no/such/folder/study.md"), "there is no folder no/such/folder; make it first"),
        (("-o", "folder.html"), "folder.html is a folder; name a file in it"),
        (("-o", "/proc/study.md"), "nonosat: /proc/study.md: "),
        (("none.non", "-o", "study.md"), "none.non: the file cannot be read: No such file"),
        ((str(ROOT / "instances" / "queens.jsonl"), "-o", "a.md"), "no solvable nonogram in one"),
    ],
)
def test_bad_usage_is_reported_before_any_measurement(
    asked: list[Any], tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    (tmp_path / "folder.html").mkdir()
    status, output = invoked("run", *arguments)
    assert status == 2
    assert message in output
    assert asked == []


@pytest.mark.slow
def test_numbers_that_cannot_be_written_are_not_lost(
    asked: list[Any], numbers: Data, tmp_path: Path
) -> None:
    """On a full disk the other files are written, and the numbers are kept."""
    (tmp_path / "full.md").symlink_to("/dev/full")
    status, output = invoked("run", "--quick", "-o", "full.md", "-o", "study.html")
    assert status == 2
    assert "study.html: the report" in output
    assert "full.md: No space left on device" in output
    kept = Path(output.partition("the numbers are stored in ")[2].partition(",")[0])
    assert json.loads(kept.read_text()) == numbers
    assert invoked("report", str(kept), "-o", "again.html")[0] == 0
    kept.unlink()
    assert (tmp_path / "again.html").read_text() == (tmp_path / "study.html").read_text()


def test_an_interrupted_run_is_reported(
    asked: list[Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def run(*_: object) -> Data:
        raise KeyboardInterrupt

    monkeypatch.setattr("nonosat.cli.study.experiments.run", run)
    status, output = invoked("run", "--quick", "-o", "study.md")
    assert (status, output) == (130, "nonosat: interrupted, nothing is written")
    assert list(tmp_path.iterdir()) == []
    assert asked == []


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b'{"experiments": {}}', b"\xff", b"[" * 100_000, b'"text"']
)
def test_other_files_are_no_numbers(asked: list[Any], tmp_path: Path, content: bytes) -> None:
    (tmp_path / "other.json").write_bytes(content)
    status, output = invoked("report", "other.json", "-o", "study.html")
    assert status == 2
    assert "other.json: these are not the numbers" in output
    assert not (tmp_path / "study.html").exists()
    assert asked == []


@pytest.mark.parametrize("name", ORDER)
def test_damaged_numbers_are_refused(
    asked: list[Any], numbers: Data, tmp_path: Path, name: str
) -> None:
    for damage in (None, [], {"curves": 1}):
        data = {**numbers, "experiments": {**numbers["experiments"], name: damage}}
        (tmp_path / "damaged.json").write_text(json.dumps(data))
        status, output = invoked("report", "damaged.json", "-o", "study.md")
        assert status == 2, output
        assert "damaged.json: these are not the numbers" in output
    assert asked == []


@pytest.mark.thorough
def test_numbers_that_cannot_be_drawn_are_refused(
    numbers: Data, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The page refuses them: two numbers across, one upwards."""
    monkeypatch.chdir(tmp_path)
    damaged = {**numbers["experiments"]["orders"], "sizes": [4, 5]}
    data = {**numbers, "experiments": {**numbers["experiments"], "orders": damaged}}
    (tmp_path / "damaged.json").write_text(json.dumps(data))
    status, output = invoked("report", "damaged.json", "-o", "study.html")
    assert status == 2, output
    assert "damaged.json: these are not the numbers" in output
