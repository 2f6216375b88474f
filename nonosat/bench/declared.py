"""External programs as the tables of a suite declare them, checked as far as that goes without a
puzzle; `external.py` runs them.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, NoReturn

from nonosat.bench.external import PLACEHOLDER, UNSUPPORTED, VALUES, formats_of
from nonosat.bench.table import Table
from nonosat.core import plugins
from nonosat.core.result import Verdict
from nonosat.export import TARGETS


def missing(needed: list[str]) -> str:
    """What of these is neither a program nor a package of the python3 there, in words."""
    return ", ".join(name for name in needed if not (shutil.which(name) or _is_package(name)))


def _is_package(name: str) -> bool:
    code = "import sys, importlib.util as u; sys.exit(not u.find_spec(sys.argv[1]))"
    python = shutil.which("python3")
    if python is None or not name.isidentifier():
        return False
    command = [python, "-c", code, name]
    return not subprocess.run(command, check=False).returncode  # noqa: S603 - no shell


def program_of(table: Table, file: Path) -> dict[str, Any]:
    """The options of an external program.

    Args:
        table: The configuration's own.
        file: The suite.

    Raises:
        FormatError: It is broken, or the program is not there.
    """
    folder = file.parent.absolute()
    words = table.texts("program")
    found = shutil.which(program_path(words[0], folder))
    if found is None:
        _refuse_program(table, words[0], folder)
    options: dict[str, Any] = {
        "program": words,
        "binary": _hash_of([str(found), *words[1:]], folder),
        "seed": table.whole("seed", 0, 2**63 - 1, 0),
        "verdicts": [],
    }
    if table.flag("answer", False):
        options["answer"] = True
    if "verdicts" in table or "answer" not in options:
        options["verdicts"] = _verdicts(table.table("verdicts"))
    for name in ("stdin", "filled", "empty", "count"):
        if name in table:
            options[name] = table.text(name)
    table.finish()
    if ("filled" in options) != ("empty" in options):
        table.fail("one of filled and empty", "both, or neither")
    if "count" in options:
        _check_pattern(table, options["count"], 1)
    _check_words(table, options)
    return options


def _refuse_program(table: Table, word: str, folder: Path) -> NoReturn:
    """Report a program that is missing, or a file that cannot be executed.

    Raises:
        FormatError: Always.
    """
    path = program_path(word, folder)
    if "/" in path and Path(path).is_file():
        table.fail(
            f"the program {word!r}, which is a file that cannot be executed",
            f"an executable file (chmod +x {path}), or its interpreter in front of it, such as "
            f'program = ["python3", "{word}"]',
        )
    table.fail(f"no program {word!r}", "the name of one that is installed, or its path")


def program_path(word: str, folder: Path) -> str:
    """Return the first word of a program with its path absolute; a mere name stays as it is.

    Args:
        word: As the suite has it; it may begin with `{suite}`.
        folder: The suite's.
    """
    word = word.replace("{suite}", str(folder))
    return str(folder / word) if "/" in word else word


def _hash_of(words: list[str], folder: Path) -> str:
    """Hash of the program and of all files that its words name, such as an interpreter's script."""
    hasher = sha256()
    for word in words:
        path = folder / word.replace("{suite}", str(folder))
        with suppress(OSError):  # too long for a name, or not to be read: no file of ours
            hasher.update(path.read_bytes() if path.is_file() else b"")
    return hasher.hexdigest()


def _verdicts(table: Table) -> list[list[str]]:
    """Verdicts and their patterns, in the order in which they are looked for."""
    known = {UNSUPPORTED, *(verdict.value for verdict in Verdict)}
    patterns = [[name, table.text(name)] for name in table.names() if name in known]
    table.finish(known)
    for _, pattern in patterns:
        _check_pattern(table, pattern, 0)
    if not patterns:
        table.fail("no patterns", f"some for {', '.join(sorted(known))}")
    return patterns


def _check_pattern(table: Table, pattern: str, num_groups: int) -> None:
    try:
        groups = re.compile(pattern).groups
    except re.error as error:
        table.fail(f"the pattern {pattern!r}: {error}", "a regular expression")
    if num_groups and groups != num_groups:
        table.fail(f"the pattern {pattern!r} with {groups} groups", "one group, for the number")


def _check_words(table: Table, options: Mapping[str, Any]) -> None:
    """The puzzle reaches the program, in a format or as a target that there is."""
    wanted = formats_of(options)
    for name in sorted(wanted - TARGETS.keys()):
        with table.told():
            plugins.find("formats", name)
    if not wanted:
        found = ", ".join(PLACEHOLDER.findall(" ".join(options["program"]))) or "none"
        expected = f"{{non}}, {{mzn}} or another format beside {', '.join(VALUES)}, or stdin"
        table.fail(f"a program without its puzzle (placeholders: {found})", expected)
