"""Page of the laboratory: its table is the list of encodings, its package is built and used."""

from __future__ import annotations

import importlib
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from nonosat.core import plugins
from nonosat.core.plugins import SizeFormula, Strength
from nonosat.testing import check_plugin

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "nonosat" / "encodings" / "README.md").read_text()
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(language: str) -> list[str]:
    return [text for name, text in BLOCK.findall(PAGE) if name == language]


def commands() -> list[tuple[str, str]]:
    """(command, expected output; empty if none is shown) of the console blocks."""
    found = []
    for block in blocks("console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = part.partition("\n")
            found.append((command, shown))
    return found


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with the page's package as an installer leaves it."""
    project = tomllib.loads(blocks("toml")[0])
    folder = tmp_path_factory.mktemp("site")
    (module,) = project["tool"]["setuptools"]["py-modules"]
    (folder / f"{module}.py").write_text(blocks("python")[0])
    name, version = project["project"]["name"], project["project"]["version"]
    info = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    points = project["project"]["entry-points"]
    text = "".join(
        f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in names.items())
        for group, names in points.items()
    )
    (info / "entry_points.txt").write_text(text)
    return folder


@pytest.fixture
def folder(tmp_path: Path, site: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folder with the files that the commands name, from which `nonosat` finds the package."""
    for name in ("instances", "benchmarks"):
        (tmp_path / name).symlink_to(ROOT / name)
    scripts = Path(sys.executable).parent
    monkeypatch.setenv("PATH", f"{scripts}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(site))
    monkeypatch.setenv("PYTHONUTF8", "1")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def own(site: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Module of the package."""
    monkeypatch.syspath_prepend(str(site))
    return importlib.import_module("forward_automaton")


def test_the_table_equals_the_list() -> None:
    rows = [
        [cell.replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        for line in PAGE.splitlines()
        if re.match(r"\| `(line|count|loop)=", line)
    ]
    shown = {row[0].strip(" `"): [cell.strip() for cell in row[1:]] for row in rows}
    listed = {
        name.replace("-", "=", 1): [
            one.summary,
            one.strength.value + ("" if one.determined else "; not determined"),
            *one.size,
            one.source,
        ]
        for name, one in plugins.names("encodings").items()
    }
    assert shown == listed
    assert list(shown) == sorted(shown)


@pytest.mark.thorough
@pytest.mark.parametrize(("command", "shown"), commands())
def test_commands(folder: Path, command: str, shown: str) -> None:
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    if shown:
        assert done.stdout == shown


def test_enough_is_shown() -> None:
    assert len(commands()) >= 12
    assert len(blocks("python")) == 2


@pytest.mark.thorough
def test_its_check_passes_if_it_is_installed(folder: Path) -> None:
    code = blocks("python")[1]
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_the_check_refutes_claims_beyond_the_package(own: ModuleType) -> None:
    for change in (
        {"strength": Strength.COMPLETE},
        {"determined": True},
        {"size": SizeFormula("0", "0")},
    ):
        wrong = own.PLUGIN.replaced(**change)
        with pytest.raises(AssertionError):
            check_plugin(wrong, "encodings", "line-forward")


def test_it_is_used(folder: Path) -> None:
    words = ["nonosat", "encode", "--stats", "--json", "instances/hard.jsonl#steps-8"]
    words += ["--encoding", "line=forward"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True)
    record = json.loads(done.stdout)
    assert record["encoding"]["line"] == "forward"
    assert (record["variables"], record["clauses"]) == (3043, 5346)


def test_links_are_valid() -> None:
    page = ROOT / "nonosat" / "encodings" / "README.md"
    for link in re.findall(r"\]\(([^)#]+)", PAGE):
        assert (page.parent / link).exists(), link
