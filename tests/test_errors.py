"""Parts of messages."""

from __future__ import annotations

import ast
import pickle
import re
import shlex
import tomllib
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import nonosat
from nonosat.batch import deciding
from nonosat.batch.deciding import TimedPuzzle
from nonosat.cli import main, remedy_in_options
from nonosat.core.errors import (
    FormatError,
    PuzzleError,
    Remedy,
    UnsupportedError,
    about,
    counted,
    install_command,
    remedy_in_python,
    remedy_in_records,
    rows_by_columns,
    shown,
)
from nonosat.core.result import Options
from nonosat.formats import _runs, _text, jsonl, knight, pzprv3, queens, savefile, slitherlink
from nonosat.puzzles.queens import Queens

ROOT = Path(__file__).parent.parent
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]


@pytest.mark.parametrize(
    ("number", "words"), [(0, "0 cells"), (1, "1 cell"), (2, "2 cells"), (3079, "3079 cells")]
)
def test_one_thing_has_no_s(number: int, words: str) -> None:
    assert counted(number, "cell") == words
    assert counted(number, "open cell") == words.replace("cell", "open cell")


def test_thousands_are_separated_on_request() -> None:
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


# ---- remedies: each surface words them for itself


REMEDIES = [
    Remedy("set", "format", ("clues",)),
    Remedy("set", "format", ("nin", "mk")),
    Remedy("set", "resume", ("True",)),
    Remedy("set", "to"),
    Remedy("leave", "forbidden"),
    Remedy("write-as"),
    Remedy("image"),
    Remedy("convert"),
    Remedy("resume"),
]


def test_a_remedy_is_worded_for_python_and_for_the_command_line() -> None:
    assert [(remedy_in_python(one), remedy_in_options(one)) for one in REMEDIES] == [
        ("use format='clues'", "use --from clues"),
        ("choose one with format=: nin, mk", "choose one with --from: nin, mk"),
        ("use resume=True", "use --resume"),
        ("use to", "use --to"),
        ("leave forbidden out", "leave --unique out"),
        ("name it with format=", "name it with --to"),
        (
            "nonosat.from_image makes a puzzle of a photograph or a drawing",
            "`nonosat generate image` makes a puzzle from a photograph or a drawing",
        ),
        ("nonosat.save writes such a file", "`nonosat convert` writes such a file"),
        ("resume=True continues it", "--resume continues it, --force replaces it"),
    ]


def test_a_record_words_a_remedy_for_every_surface() -> None:
    assert [remedy_in_records(one) for one in REMEDIES[:2] + REMEDIES[4:5]] == [
        "possible with format clues",
        "possible with format nin or mk",
        "possible without forbidden",
    ]
    error = UnsupportedError("too long", remedy=Remedy("set", "backend", ("a", "b")))
    assert deciding.reason_of(error) == "too long; possible with backend a or b"
    long = nonosat.Knight(1001, 1000)
    record = deciding.decide(
        deciding.BatchTask("solve", Options(backend="learn")), TimedPuzzle(long)
    )
    assert record["status"] == "unsupported"
    assert record["reason"].endswith("; possible with backend construction or warnsdorff")


@pytest.mark.parametrize(
    ("module", "name", "data", "format_"),
    [
        (jsonl, "family_of_data", b'{"family": "queens", "n": 4}', "jsonl"),
        (savefile, "_READERS", b"SAVEFILE:41:Simon Tatham's Portable Puzzle Collection\n", ""),
        (pzprv3, "check_size", b"pzprv3/slither/1/2/3 3 /1 0 1 /1 1 /1 1 /", "pzprv3"),
        (slitherlink, "check_size", b"1 2\n3 .\n", "slitherlink"),
        (_text, "check_size", b"1 1\n1\n1\n", "nin"),
        (_text, "Nonogram", b"1 1\n1\n1\n", "nin"),
        (queens, "Queens", b"queens 4\n", "queens"),
        (knight, "Knight", b"knight 3 3\n", "knight"),
    ],
)
def test_a_file_keeps_the_remedy_of_its_puzzle(
    monkeypatch: pytest.MonkeyPatch, module: Any, name: str, data: bytes, format_: str
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PuzzleError("odd", remedy=Remedy("leave", "given"))

    if module is jsonl:
        monkeypatch.setattr(Queens, "about_with", refuse)
    elif module is savefile:
        data += b"GAME    :5:Loopy\nPARAMS  :5:1x1t0\nDESC    :1:a\n"
        monkeypatch.setattr(_runs, "check_size", refuse)
    else:
        monkeypatch.setattr(module, name, refuse)
    with pytest.raises(FormatError) as caught:
        nonosat.loads(data, format=format_ or None)
    assert caught.value.remedy == Remedy("leave", "given")
    assert caught.value.fact().endswith("odd")
    assert caught.value.description(remedy_in_options).endswith("odd; leave --given out")


def test_a_remedy_outlives_its_way_between_processes() -> None:
    error = FormatError("odd", path="a", line=2, remedy=Remedy("set", "format", ("mk",)))
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.fact()) == ("a:2: odd; use format='mk'", "a:2: odd")
    assert copy.description(remedy_in_options) == "a:2: odd; use --from mk"


def test_the_command_line_names_the_option_that_helps(tmp_path: Path) -> None:
    for content, name, told in [
        (b"2 2\n2\n0\n1\n1\n", "square", "; choose one with --from: rows-first:2x2, columns-first"),
        (b"1 2\n1\n#\n1\n1\n", "misfit", "do not fit the board; use --from mk"),
        (b"\xff\xd8\xff\xe0" + bytes(40), "photo.jpg", "; `nonosat generate image` makes a puzzle"),
    ]:
        path = tmp_path / name
        path.write_bytes(content)
        for options in ([], ["--json"]):
            done = CliRunner().invoke(main, ["check", str(path), *options])
            assert done.exit_code == 2
            assert told in done.output


# These words are shown only to users of the command line: their modules are parts of commands.
_OF_COMMANDS = ("cli/", "batch/", "bench/", "study/", "testing/", "processes/", "__main__.py")
_OTHERS = {  # shown in a terminal, or to a page's user about a file for others
    "studio/opening.py",
    "studio/static.py",
    "studio/access.py",
    "studio/questions.py",
    "generate/patterns.py",  # where a puzzle comes from, as stated in its file
    "generate/structured.py",
}
_ADVICE = re.compile(
    r"(^|[\s(`;])--[a-z]|`nonosat [a-z]|\bnonosat (check|solve|generate|convert)\b"
)


def _messages(path: Path) -> Iterator[str]:
    """Return the texts of a module without docstrings and values inserted into them."""
    tree = ast.parse(path.read_text())
    documents = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        if is_text and id(node) not in documents:
            yield node.value


@pytest.mark.thorough
def test_no_message_of_the_library_advises_an_option_or_a_command() -> None:
    root = Path(nonosat.__file__).parent
    found = {
        f"{name}: {text}"
        for path in sorted(root.rglob("*.py"))
        if not (name := path.relative_to(root).as_posix()).startswith(_OF_COMMANDS)
        and name not in _OTHERS
        for text in _messages(path)
        if _ADVICE.search(text)
    }
    assert found == set()


# Packages that are missing


def parts(requirement: str) -> tuple[str, frozenset[str]]:
    """Name and version clauses of a requirement, whose order does not matter."""
    name, versions = re.fullmatch(r"([\w.-]+)(.*)", requirement).groups()
    return name, frozenset(versions.split(","))


@pytest.mark.parametrize("extra", sorted(EXTRAS))
def test_the_packages_of_an_extra_are_those_of_the_project(extra: str) -> None:
    command, what, *packages = shlex.split(install_command(extra))
    assert (command, what) == ("pip", "install")
    everywhere = [one for one in EXTRAS[extra] if ";" not in one]  # not for some systems alone
    assert [parts(one) for one in packages] == [parts(one) for one in everywhere]


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
