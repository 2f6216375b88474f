"""The workflows agree with `pyproject.toml`; `.ci/actionlint` finds their other faults."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def test_tests_and_wheels_are_those_of_the_project() -> None:
    test, release = (
        (ROOT / ".github" / "workflows" / name).read_text() for name in ("test.yml", "release.yml")
    )
    assert "run: .ci/run" in test
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert "run cibuildwheel" in release
    built = project["tool"]["cibuildwheel"]["build"]
    stable = project["tool"]["scikit-build"]["wheel"]["py-api"]
    assert {"cp311-*", f"{stable}-*"} <= set(built)
    assert release.count('.ci/urls "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY"') == 2


ADDRESS = "https://host.example/owner/name"


@pytest.fixture
def release(tmp_path):
    """Return a function that runs `.ci/urls` in a copy of the files that it reads."""
    for name in (".ci/urls", "nonosat/core/versions.py", "README.md", "pyproject.toml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    for name in linked((tmp_path / "README.md").read_text()):
        path, own = tmp_path / name, ROOT / name
        (path if own.is_dir() else path.parent).mkdir(parents=True, exist_ok=True)
        path.touch()

    def run(*words):
        return subprocess.run(
            [tmp_path / ".ci" / "urls", *words], check=False, capture_output=True, text=True
        )

    return run


def linked(text):
    """Return the relative links of a README, without sections."""
    links = re.findall(r'\]\((.*?)\)|(?:src|href)="(.*?)"', text)
    return {
        (link or src).partition("#")[0] for link, src in links if "://" not in (link or src)
    } - {""}


def test_a_release_has_the_repositorys_address_in_every_link(release, tmp_path):
    relative = linked((ROOT / "README.md").read_text())
    assert len(relative) > 20
    assert release(f"{ADDRESS}/").returncode == 0
    readme = (tmp_path / "README.md").read_text()
    assert linked(readme) == set()
    found = set(re.findall(rf"{ADDRESS}/(?:blob|raw|tree)/v[0-9.]+/([^)#\"]*)", readme))
    assert found == relative
    for picture in re.findall(r'src="(.*?)"', readme):
        assert "/raw/" in picture
    before, after = (
        tomllib.loads((folder / "pyproject.toml").read_text()) for folder in (ROOT, tmp_path)
    )
    urls = after["project"].pop("urls")
    assert after == before
    assert urls["Homepage"] == ADDRESS
    assert all(url.startswith(ADDRESS) for url in urls.values())


def test_an_address_that_is_none_changes_nothing(release, tmp_path):
    for words in ((), ("http://host",), ('https://a"b',), (ADDRESS, ADDRESS)):
        done = release(*words)
        assert done.returncode == 1
        assert "expected .ci/urls https://HOST/OWNER/NAME, found:" in done.stderr
    (tmp_path / "CHANGELOG.md").unlink()
    done = release(ADDRESS)
    assert "README.md links to 'CHANGELOG.md', which does not exist" in done.stderr
    for name in ("README.md", "pyproject.toml"):
        assert (tmp_path / name).read_text() == (ROOT / name).read_text()
