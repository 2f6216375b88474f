"""Build the documentation site from this folder, the READMEs, docstrings and help texts.

    python .docs/build.py build/site             # begin with build/site/index.html
    python .docs/build.py build/site --studio    # with the studio's static page in it

The extra `docs` has the packages. No network is needed. Every warning is an error, such as a link
that leads nowhere, a name that cannot be imported, or a page without an entry in `contents.md`.
"""

from __future__ import annotations

import argparse
import inspect
import json
import re
import shlex
import shutil
import tempfile
from pathlib import Path

from click.testing import CliRunner
from sphinx.cmd.build import build_main

import nonosat
from nonosat.cli import main as nonosat_command
from nonosat.core import plugins

HERE = Path(__file__).parent
ROOT = HERE.parent
# Folders keep their depth, so that relative links hold; hosts of sites often hide dot-files.
FOLDERS = {
    ".docs": "docs",
    ".github": "github",
    "benchmarks": "benchmarks",
    "instances": "instances",
    "nonosat": "nonosat",
    "tests/examples": "tests/examples",
}
HIDDEN = re.compile(r"(\]\((?:\.\./)*)\.(docs|github)/")
STUDIO = """<p><a href="studio/index.html"><b>Try it here</b></a>: draw, check and play
puzzles in this browser. Nothing is sent anywhere.</p>
"""
LISTED = (
    "formats",
    "targets",
    "backends",
    "formulations",
    "families",
    "methods",
    "redundant",
    "study",
)
TO_JSON = (
    *("check bundled:switch", "count bundled:switch", "backbone bundled:switch"),
    *("why-multiple bundled:switch", "rate bundled:smile", "hint bundled:smile"),
    *(
        "explain bundled:smile --cell 1,3",
        "diff bundled:smile bundled:smile",
        "beliefs bundled:switch",
    ),
    *("repair bundled:switch", "encode --stats bundled:switch", "queens 4", "knight 5 5"),
)
LIBRARY = {
    "functions": ".. autofunction:: nonosat.{}\n",
    "classes": ".. autoclass:: nonosat.{}\n   :members:\n",
    "errors": ".. autoexception:: nonosat.{}\n   :members:\n",
}


def command(*words: str) -> str:
    """Return the output of `nonosat` for these arguments; 3 is a status of success, too."""
    done = CliRunner().invoke(nonosat_command, words, catch_exceptions=False)
    if done.exit_code not in (0, 3):
        raise SystemExit(
            f"nonosat {shlex.join(words)}: exit status {done.exit_code}\n{done.stderr}"
        )
    return done.stdout


def copy_sources(folder: Path, *, with_studio: bool) -> None:
    """Copy the pages and what they link to; the front page is the README with the contents."""
    ignored = shutil.ignore_patterns("__pycache__", "*.jsonl")
    for source, target in FOLDERS.items():
        shutil.copytree(ROOT / source, folder / target, ignore=ignored)
    for name in ("README.md", "CHANGELOG.md"):
        shutil.copy(ROOT / name, folder)
    for page in folder.rglob("*.md"):
        page.write_text(HIDDEN.sub(r"\1\2/", page.read_text()))
    front = folder / "README.md"
    text = front.read_text()
    if with_studio:
        text = text.replace("\n## Install\n", f"\n{STUDIO}\n## Install\n", 1)
    front.write_text(text + (HERE / "contents.md").read_text())


def table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """Return a table in Markdown."""
    lines = [head, ("---",) * len(head), *rows]
    return "".join(
        f"| {' | '.join(cell.replace('|', '&#124;') for cell in line)} |\n" for line in lines
    )


def write_lists(folder: Path) -> None:
    """Write what `nonosat list` shows as tables, and examples of all `--json` data."""
    folder.mkdir()
    for kind in LISTED:
        rows = [line.split(maxsplit=1) for line in command("list", kind).splitlines()]
        text = table(("name", "description"), [(f"`{name}`", what) for name, what in rows])
        (folder / f"{kind}.md").write_text(text)
    rows = []
    for name, one in sorted(plugins.names("encodings").items()):
        code = [f"`{text}`" for text in (name.replace("-", "=", 1), *one.size)]
        rows.append((code[0], one.strength.value, code[1], code[2], one.source))
    head = ("name", "strength", "variables", "clauses", "source")
    (folder / "encodings.md").write_text(table(head, rows))
    blocks = []
    for words in TO_JSON:
        data = json.loads(command(*words.split(), "--json").splitlines()[0])
        text = json.dumps(data, indent=2, ensure_ascii=False)
        title = words.split()[0]
        blocks.append(f"## {title}\n\n`nonosat {words} --json`\n\n```json\n{text}\n```\n")
    (folder / "json.md").write_text("\n".join(blocks))


def kind_of(value: object) -> str | None:
    """Return the page of a public object; None for constants."""
    if inspect.isclass(value):
        return "errors" if issubclass(value, BaseException) else "classes"
    return "functions" if callable(value) else None


def write_library(folder: Path) -> None:
    """Write the pages of functions, classes and errors of the library."""
    folder.mkdir()
    for page, directive in LIBRARY.items():
        names = [name for name in dir(nonosat) if kind_of(getattr(nonosat, name)) == page]
        text = "\n".join(map(directive.format, names))
        (folder / f"{page}.md").write_text(f"# {page.capitalize()}\n\n```{{eval-rst}}\n{text}```\n")


def build(target: Path, *, with_studio: bool) -> None:
    """Build the site in a folder that is new, or that holds an older site, which is replaced."""
    if target.exists() and not (target / "searchindex.js").exists():
        raise SystemExit(f"{target} exists and is no site; name a new folder")
    with tempfile.TemporaryDirectory() as scratch:
        source = Path(scratch, "source")
        source.mkdir()
        copy_sources(source, with_studio=with_studio)
        write_lists(source / "docs" / "listed")
        write_library(source / "docs" / "library")
        shutil.rmtree(target, ignore_errors=True)
        words = ["-q", "-W", "--keep-going", "-c", str(source / "docs")]
        if status := build_main([*words, "-d", f"{scratch}/trees", str(source), str(target)]):
            raise SystemExit(status)
    shutil.copy(target / "README.html", target / "index.html")
    if with_studio:
        command("studio", "--static", str(target / "studio"))


def main() -> None:
    """Build the site into the folder that the arguments name."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, help="new folder, or an older site to replace")
    parser.add_argument("--studio", action="store_true", help="add the studio's static page")
    arguments = parser.parse_args()
    build(arguments.folder, with_studio=arguments.studio)


if __name__ == "__main__":
    main()
