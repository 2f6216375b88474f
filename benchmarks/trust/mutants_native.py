"""Mutants of the native core: one token of a .cpp file changed, and a program that compares runs.

Only the changed file is compiled, and linked with the program and the core's library, without the
library's object of that name. Headers are not changed. A mutant that does not compile, or compiles
to the same object, does not count. The work reported to the watch is not changed either, because it
affects only the delay of limits, which `limits_kept.py` checks, and not results.
"""

from __future__ import annotations

import random
import re
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from natively import CORE, PROGRAMS, STANDARD, compiled, compiler, installed, objects

FLAGS = ("-O1", "-w")
OF_WORK = re.compile(r"\bwatch_?\.work\(|\bk\w*Cost = ")
PATIENCE, LEAST_S = 10, 10


class Target(NamedTuple):
    """Files of the core, and the programs responsible for them.

    Args:
        files: Patterns below `nonosat/native`.
        programs: The name and arguments of each program of `tests/native`, the quickest first.
    """

    files: tuple[str, ...]
    programs: tuple[tuple[str, ...], ...]


TARGETS = {
    "native-proof": Target(
        ("proof/*.cpp",),
        (("fuzz_check", "6000"), ("fuzz_check_prices", "6000"), ("fuzz_mutations", "12000", "7")),
    ),
    "native-prices": Target(("prices/*.cpp",), (("work", "prices"), ("fuzz_prices", "60", "60"))),
    "native-line": Target(("line/*.cpp",), (("fuzz_lines", "20000", "5", "2"), ("fuzz", "60"))),
    "native-board": Target(
        ("board/board.cpp", "board/probe.cpp"), (("work", "boards"), ("fuzz", "200"))
    ),
    "native-encoding": Target(("encoding/*.cpp",), (("fuzz_clauses", "3000"),)),
}
# A pattern and its replacements. Operators have spaces around them, unlike templates.
CHANGES: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r" < ", (" <= ", " >= ")),
    (r" <= ", (" < ", " > ")),
    (r" > ", (" >= ", " <= ")),
    (r" >= ", (" > ", " < ")),
    (r" == ", (" != ",)),
    (r" != ", (" == ",)),
    (r" && ", (" || ",)),
    (r" \|\| ", (" && ",)),
    (r" \+ ", (" - ",)),
    (r" - ", (" + ",)),
    (r" << ", (" >> ",)),
    (r" >> ", (" << ",)),
    (r" & ", (" | ",)),
    (r" \| ", (" & ",)),
    (r" \+= ", (" -= ",)),
    (r" -= ", (" += ",)),
    (r"(?<=[(\s])!(?=[\w(])", ("",)),
    (r"(?<=[(\s])~(?=[\w(])", ("",)),
    (r"\btrue\b", ("false",)),
    (r"\bfalse\b", ("true",)),
    (r"\bbreak;", ("continue;",)),
    (r"\bcontinue;", ("break;",)),
    (r"(?<![\w.'])\d+(?![\w.'])", ("{0}+1", "{0}-1")),
    (r"\bif \((?!const)", ("if (true || ", "if (false && ")),
    (
        r"^\s+(?!return|throw|const|auto|using|static|for|if|else|while)[\w.\->\[\]]+\(.*\);$",
        (";",),
    ),
    (r"^\s+[\w.\->\[\]]+(\[.*\])? [+|&-]?= [^;]*;$", (";",)),
)


class Change(NamedTuple):
    """One mutant of a file: the text at a place of a line, and its replacement."""

    file: Path
    line: int
    column: int
    before: str
    after: str


def changes(file: Path) -> Iterator[Change]:
    """Yield every mutant of a file, except in comments, directives, texts and templates."""
    for number, line in enumerate(file.read_text().splitlines(), start=1):
        code = line.split("//")[0].rstrip()
        if code.lstrip().startswith(("#", "template", "static_assert", "using", "assert", "throw")):
            continue
        if OF_WORK.search(code):
            continue
        code = re.sub(r'"[^"]*"|\'[^\']\'', lambda text: "\0" * len(text[0]), code)
        for pattern, others in CHANGES:
            for found in re.finditer(pattern, code):
                before = line[found.start() : found.end()]
                for other in others:
                    yield Change(file, number, found.start(), before, other.format(before))


def source_of(change: Change) -> str:
    """Return the whole file with a change."""
    lines = change.file.read_text().splitlines()
    line = lines[change.line - 1]
    rest = line[change.column + len(change.before) :]
    lines[change.line - 1] = line[: change.column] + change.after + rest
    return "\n".join(lines) + "\n"


class Bench:
    """A folder with the programs' objects, in which mutants are built and run."""

    def __init__(self, folder: Path, target: Target) -> None:
        self.folder, self.target = folder, target
        self.core = installed() or archived(objects(folder, ["-O2"]), folder / "core.a")
        self.programs = {
            name: compiled(PROGRAMS / f"{name}.cpp", folder, FLAGS) for name, *_ in target.programs
        }
        self.clean: dict[Path, bytes] = {}
        self.times: dict[str, float] = {}

    def start(self, files: Sequence[Path]) -> None:
        """Build and run everything unchanged; raise if that fails."""
        for file in files:
            self.make(file)
        for name, *arguments in self.target.programs:
            path = self.folder / name
            self.link(name, [], path)
            started = monotonic()
            subprocess.run([path, *arguments], check=True, capture_output=True)
            self.times[name] = monotonic() - started

    def make(self, file: Path) -> None:
        """Compile a file unchanged, and precompile a header with all its includes."""
        self.clean[file] = compiled(file, self.folder, (*FLAGS, nameless(file))).read_bytes()
        header = self.header(file)
        included = [line for line in file.read_text().splitlines() if line.startswith("#include")]
        header.write_text("\n".join(included) + "\n")
        command = [compiler(), *STANDARD, *FLAGS, "-x", "c++-header", str(header)]
        subprocess.run([*command, "-o", f"{header}.gch"], check=True, capture_output=True)

    def header(self, file: Path) -> Path:
        """Return the path of that header."""
        return self.folder / f"{file.parent.name}-{file.stem}.hpp"

    def link(self, name: str, changed: Sequence[Path], into: Path) -> None:
        """Link a program with changed objects of the core."""
        parts = [self.programs[name], *changed, self.core]
        command = [compiler(), *STANDARD, *map(str, parts), "-o", str(into)]
        subprocess.run(command, check=True, capture_output=True)

    def outcome(self, change: Change, number: int) -> str:
        """Return the outcome of a mutant."""
        own = self.folder / str(number)
        own.mkdir()
        source = own / change.file.name
        source.write_text(source_of(change))
        made = own / "changed.o"
        where = ["-include", str(self.header(change.file)), "-I", str(change.file.parent)]
        command = [compiler(), *STANDARD, *FLAGS, *where, "-c", str(source), "-o", str(made)]
        command += [nameless(change.file), nameless(source)]
        if subprocess.run(command, capture_output=True).returncode:
            return "unmade"
        if made.read_bytes() == self.clean[change.file]:
            return "unmade"
        for name, *arguments in self.target.programs:
            path = own / name
            self.link(name, [made], path)
            limit = max(LEAST_S, PATIENCE * self.times[name])
            try:
                done = subprocess.run([path, *arguments], capture_output=True, timeout=limit)
            except subprocess.TimeoutExpired:
                return "killed"
            if done.returncode:
                return "killed"
        return "survived"


def nameless(file: Path) -> str:
    """Return the option that makes objects comparable: no folder of the file in assertions."""
    return f"-fmacro-prefix-map={file.parent}/="


def archived(core: Sequence[Path], into: Path) -> Path:
    """Return a library of objects."""
    subprocess.run(["/usr/bin/env", "ar", "rcs", into, *core], check=True)
    return into


def tried(target: Target, sample: int, seed: int) -> dict[str, Any]:
    """Test a sample of a target's mutants."""
    files = [file for pattern in target.files for file in sorted(CORE.glob(pattern))]
    every = [change for file in files for change in changes(file)]
    chosen = sorted(random.Random(seed).sample(every, min(sample, len(every))))
    with tempfile.TemporaryDirectory() as scratch:
        bench = Bench(Path(scratch), target)
        bench.start(files)
        with ThreadPoolExecutor(2) as threads:
            outcomes = list(threads.map(bench.outcome, chosen, range(len(chosen))))
    return {
        "mutants": len(every),
        "tried": [
            {
                "path": str(change.file),
                "line": change.line,
                "function": change.file.read_text().splitlines()[change.line - 1].strip(),
                "before": change.before,
                "after": change.after,
                "outcome": outcome,
            }
            for change, outcome in zip(chosen, outcomes, strict=True)
        ],
    }
