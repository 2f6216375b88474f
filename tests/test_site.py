"""The documentation site is complete, and no link in it leads nowhere."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import nonosat
from nonosat.cli import SECTIONS

ROOT = Path(__file__).parent.parent
BUILT = ROOT / "nonosat" / "studio" / "built"  # made by .ci/page
BUILD = ROOT / ".docs" / "build.py"
LINK = re.compile(r'(?:href|src)="([^"]+)"')
ANCHOR = re.compile(r'\bid="([^"]+)"')


def dead_links(page: Path, pages: dict[Path, set[str]]) -> list[str]:
    """Links of a page to files of the site that do not exist, or to missing places in pages."""
    found = []
    for link in LINK.findall(page.read_text()):
        parts = urlsplit(link.replace("&amp;", "&"))
        if parts.scheme or parts.netloc:
            continue
        target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
        places = pages.get(target)
        if not target.exists() or (
            parts.fragment and places is not None and unquote(parts.fragment) not in places
        ):
            found.append(link)
    return found


def check_links(site: Path) -> None:
    pages = {path: {*ANCHOR.findall(path.read_text())} for path in site.rglob("*.html")}
    dead = {str(page.relative_to(site)): dead_links(page, pages) for page in pages}
    assert {page: links for page, links in dead.items() if links} == {}
    assert len(pages) > 50


def check_names_and_commands(site: Path) -> None:
    library = "".join(path.read_text() for path in (site / "docs" / "library").glob("*.html"))
    names = {name for name in dir(nonosat) if callable(getattr(nonosat, name))}
    assert {name for name in names if f'id="nonosat.{name}"' not in library} == set()
    commands = (site / "docs" / "commands.html").read_text()
    known = {name for section in SECTIONS.values() for name in section}
    assert {name for name in known if f'id="nonosat-{name}"' not in commands} == set()
    assert "a limit was reached" in commands  # exit statuses


def check_search(site: Path) -> None:
    index = (site / "searchindex.js").read_text()
    for page in ("docs/tutorial", "benchmarks/native/PRICES", "nonosat/README"):
        assert page in index, page


@pytest.mark.slow
@pytest.mark.begins_first
def test_the_site_is_complete(tmp_path: Path) -> None:
    """One test, so that only one process builds the site."""
    site = tmp_path / "site"
    has_page = BUILT.is_dir()
    words = [sys.executable, str(BUILD), str(site), *(["--studio"] if has_page else [])]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert ('href="studio/index.html"' in (site / "index.html").read_text()) == has_page
    check_links(site)
    check_names_and_commands(site)
    check_search(site)


def test_a_folder_that_is_no_site_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("kept")
    done = subprocess.run(
        [sys.executable, str(BUILD), str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert "is no site" in done.stderr
    assert (tmp_path / "mine").read_text() == "kept"
