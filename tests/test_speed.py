"""Tables of the speed of nonosat, and the documents of benchmarks and instances."""

from __future__ import annotations

import copy
import csv
import importlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from nonosat.bench.suite import load_suite

ROOT = Path(__file__).parent.parent
BENCHMARKS = ROOT / "benchmarks"
README = BENCHMARKS / "README.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#:]+)(#[\w-]+)?\)")


@pytest.fixture(scope="module")
def speed() -> Iterator[ModuleType]:
    sys.path.insert(0, str(BENCHMARKS))
    yield importlib.import_module("speed")
    sys.path.remove(str(BENCHMARKS))


def test_the_tables_are_those_of_the_record(speed: ModuleType) -> None:
    targets = speed.targets(speed.recorded())
    assert set(targets) == {ROOT / "README.md", README}
    for path, inner in targets.items():
        assert speed.between(path.read_text()) == inner, f"run speed.py --write: {path}"


def test_no_figure_is_in_both_tables(speed: ModuleType) -> None:
    works = [row.work for row in (*speed.MAIN, *speed.MORE)]
    assert len(works) == len(set(works))
    outside = README.read_text().replace(speed.between(README.read_text()), "")
    assert "| `survey` |" not in outside
    assert "Cauldron 512" not in outside.split("## Trials")[0]


def test_every_figure_is_in_a_table(speed: ModuleType) -> None:
    """Another figure of a record makes another table."""
    figures = speed.recorded()
    before = speed.targets(figures)
    for row in (*speed.MAIN, *speed.MORE):
        changed = copy.deepcopy(figures)
        changed[row.name] = scaled(changed[row.name])
        assert speed.targets(changed) != before, row.name
    busy = copy.deepcopy(figures)
    busy["on"]["load"] = [99, 99, 99]
    assert "which others kept busy (load 99.0)" in speed.machine(busy)
    busy["on"]["load"] = [0.1, 0, 0]
    assert "busy" not in speed.machine(busy)


def scaled(value: Any) -> Any:
    """Return the same data with all numbers seven times as large."""
    if isinstance(value, dict):
        return {key: scaled(part) for key, part in value.items()}
    if isinstance(value, list):
        return [scaled(part) for part in value]
    return value if isinstance(value, str) else 7 * value


def test_other_solvers_have_a_source_and_a_machine(speed: ModuleType) -> None:
    rivals = speed.rivals()
    machines = rivals.pop("machines")
    assert rivals.keys() <= {row.name for row in speed.MAIN}
    for rival in rivals.values():
        assert rival["text"]
        assert rival["source"]
        assert rival["machine"] in machines


def test_numbers_in_words(speed: ModuleType) -> None:
    values = (0.0123, 0.1, 1, 1.25, 9.94, 9.96, 12.4, 123.4)
    told = ["0.012", "0.10", "1.0", "1.2", "9.9", "10", "12", "123"]
    assert [speed.digits(value) for value in values] == told
    assert speed.seconds(0.5, 12) == "0.50 / 12 s"
    assert speed.milliseconds(0.0072) == "7.2 us"
    assert speed.milliseconds(0.4) == "0.40 ms"


def test_marks(speed: ModuleType) -> None:
    text = f"a\n{speed.BEGIN}old{speed.END}\nb"
    assert speed.written(text, "new") == f"a\n{speed.BEGIN}new{speed.END}\nb"
    for broken in ("none", speed.BEGIN, speed.END + speed.BEGIN, 2 * text):
        with pytest.raises(ValueError, match="expected '<!-- speed"):
            speed.between(broken)


def test_command(speed: ModuleType) -> None:
    done = subprocess.run(
        [sys.executable, "speed.py"], cwd=BENCHMARKS, capture_output=True, text=True, check=True
    )
    for inner in speed.targets(speed.recorded()).values():
        assert inner in done.stdout


@pytest.mark.slow
def test_new_measures_work(monkeypatch: pytest.MonkeyPatch, speed: ModuleType) -> None:
    """The random puzzles are written and checked; fewer and smaller ones replace them."""
    measure = importlib.import_module("measure")
    named = measure._named
    monkeypatch.setattr(
        measure, "_named", lambda side, num: named(*((8, num // 10) if side == 30 else (side, num)))
    )
    monkeypatch.setattr(measure, "checked", few(measure.checked))
    assert measure.noise30()["puzzles"] == 5000 // 10
    found = measure.large()
    assert [one["decided"] for one in found.values()] == [6, 6, 6]
    assert speed._large({**found, "70": {"decided": 4, "cpu_s": 60}}).endswith("2 not decided")


def few(checked: Any) -> Any:
    """Replacement of `checked` for whole files; a large puzzle is only searched in the file."""

    def work(files: list[Path], runs: int, *options: str) -> Any:
        (file,) = files
        name, _, puzzle = str(file).partition("#")
        if not puzzle:
            return checked(files, runs, *options)
        assert f'"{puzzle}"' in Path(name).read_text()
        assert options == ("--time-limit", "60")
        return {"cpu_s": 1.0, "verdicts": {"multiple": 1}}

    return work


# Numbers in benchmarks/README.md and instances/README.md


@pytest.mark.thorough
def test_the_commands_run_in_order_in_one_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("instances", "benchmarks"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    blocks = [text for name, text in BLOCK.findall(README.read_text()) if name == "console"]
    commands = re.findall(r"^\$ (.*)$", "".join(blocks), flags=re.MULTILINE)
    assert len(commands) == 4 + 2
    said = []
    for command in commands:
        done = subprocess.run(
            ["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, (command, done.stderr)
        said.append(done.stdout)
    assert len((tmp_path / "smoke.jsonl").read_text().splitlines()) == 102  # runs, two starts
    assert said[3].endswith("worse: 0 of 2 configurations\n")
    assert "## Effort" in (tmp_path / "mine.md").read_text()
    assert said[5] == "2 runs: 2 ok; two.jsonl\n"


def test_the_suite_is_one(tmp_path: Path) -> None:
    (text,) = [text for name, text in BLOCK.findall(README.read_text()) if name == "toml"]
    (tmp_path / "instances").symlink_to(ROOT / "instances")
    (tmp_path / "mine").write_text("#!/bin/sh\n")
    (tmp_path / "mine").chmod(0o755)
    (tmp_path / "suite.toml").write_text(text)
    suite = load_suite(tmp_path / "suite.toml")
    assert [one.name for one in suite.configurations] == ["auto", "order", "mine"]
    assert (suite.repetitions, len(suite.instances)) == (3, 14 + 5 + 3)


@pytest.mark.parametrize("path", [README, ROOT / "instances" / "README.md"])
def test_links_are_valid(path: Path) -> None:
    links = [target for target, _ in LINK.findall(path.read_text()) if "//" not in target]
    for target in links:
        assert (path.parent / target).exists(), target
    assert links or path != README


def test_every_file_is_named(speed: ModuleType) -> None:
    text = (ROOT / "instances" / "README.md").read_text()
    with (ROOT / "instances" / "index.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    assert all(f"`{row['file']}`" in text for row in rows)
    assert all(row["verdict"] in text and row["class"] in text for row in rows)
    assert all(f"`{column}`" in text for column in rows[0])
    suites = README.read_text()
    for suite in (BENCHMARKS / "suites").glob("*.toml"):
        assert f"suites/{suite.name}" in suites
        assert f"results/{suite.stem}.md" in suites
    assert json.loads(speed.RECORD.read_text())["on"]["cores"] > 0
