"""What messages are made of."""

from __future__ import annotations

import re
import shlex
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from nonosat.errors import about, counted, install_command, rows_by_columns, shown

ROOT = Path(__file__).parent.parent
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]


@pytest.mark.parametrize(
    ("number", "words"), [(0, "0 cells"), (1, "1 cell"), (2, "2 cells"), (3079, "3079 cells")]
)
def test_one_thing_has_no_s(number: int, words: str) -> None:
    assert counted(number, "cell") == words
    assert counted(number, "open cell") == words.replace("cell", "open cell")


def test_thousands_apart_where_asked_for() -> None:
    assert counted(3079, "clause", ",") == "3,079 clauses"
    assert counted(1, "clause", ",") == "1 clause"


def test_sizes_of_boards() -> None:
    assert rows_by_columns(1, 2) == "1 row x 2 columns"
    assert rows_by_columns(30, 1) == "30 rows x 1 column"


def test_values_are_shortened() -> None:
    assert shown("a" * 70) == f"'{'a' * 56}..."
    assert shown(10**5000) == "a number of thousands of digits"
    assert about(10**9 - 1) == "999999999"
    assert about(2**1000) == "about 10^301"


def parts(requirement: str) -> tuple[str, frozenset[str]]:
    """Name and version clauses of a requirement, whose order does not matter."""
    name, versions = re.fullmatch(r"([\w.-]+)(.*)", requirement).groups()
    return name, frozenset(versions.split(","))


@pytest.mark.parametrize("extra", sorted(EXTRAS))
def test_the_packages_of_an_extra_are_those_of_the_project(extra: str) -> None:
    command, what, *packages = shlex.split(install_command(extra))
    assert (command, what) == ("pip", "install")
    assert [parts(one) for one in packages] == [parts(one) for one in EXTRAS[extra]]


def test_without_metadata_the_checkout_has_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> list[str]:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "requires", missing)
    assert install_command("images") == "pip install '.[images]' in the checkout"


def test_nothing_is_installed_from_an_index_that_does_not_have_it() -> None:
    files = [*ROOT.glob("*.md"), *(ROOT / "benchmarks").glob("*.md")]
    files += [
        path for path in (ROOT / "nonosat").rglob("*") if path.suffix in (".py", ".js", ".md")
    ]
    assert len(files) > 500
    wrong = re.compile(r"pip install (?:[^`\n]*[ '])?nonosat\b(?!/)")
    assert not [path for path in files if wrong.search(path.read_text())]
