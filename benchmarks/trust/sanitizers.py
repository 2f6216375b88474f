"""The native core under sanitizers, checked containers, and valgrind: all programs of tests/native.

Four builds of the core and of each program: with AddressSanitizer, UndefinedBehaviorSanitizer and
assertions (`.ci/run` does the same with the programs' short forms), with the containers of
`_GLIBCXX_DEBUG`, with ThreadSanitizer, and plain for valgrind's memcheck. The short form runs one
program with the installed core under valgrind.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from natively import PROGRAMS, compiler, linked, objects, program
from record import Asked, Figures, perform

ASSERTIONS = "-D_GLIBCXX_ASSERTIONS"
LEAKS = ("--leak-check=full", "--errors-for-leak-kinds=all")
# Permit a program's own `operator new`, and schedule waiting threads fairly.
OWN = ("--soname-synonyms=somalloc=nouserintercepts", "--fair-sched=yes")
VALGRIND = ("valgrind", "-q", "--error-exitcode=9", *OWN, *LEAKS)
# Arguments of programs, by name: long, and for slow tools. The seed is appended. Other programs run
# without arguments.
LONG = {
    "fuzz": [6000],
    "fuzz_assumptions": [40_000],
    "fuzz_check": [15_000],
    "fuzz_check_prices": [15_000],
    "fuzz_clauses": [15_000],
    "fuzz_clues": [100_000],
    "fuzz_count": [3000, 1000],
    "fuzz_decimation": [600],
    "fuzz_learn": [10_000, 1200],
    "fuzz_lines": [100_000, 6, 3],
    "fuzz_live": [20_000],
    "fuzz_marginals": [3000],
    "fuzz_mutations": [40_000],
    "fuzz_paths": [3000, 1500],
    "fuzz_queens": [16_000],
    "fuzz_tours": [3000],
    "threads": [200],
}
BRIEF = {
    "fuzz": [30],
    "fuzz_assumptions": [300],
    "fuzz_check": [99],
    "fuzz_check_prices": [200],
    "fuzz_clauses": [60],
    "fuzz_clues": [300],
    "fuzz_count": [30, 10],
    "fuzz_decimation": [4],
    "fuzz_learn": [60, 15],
    "fuzz_lines": [400, 3, 2],
    "fuzz_loop_count": [400, 4],
    "fuzz_live": [60],
    "fuzz_mutations": [300],
    "fuzz_paths": [60, 30],
    "fuzz_prices": [20, 20],
    "fuzz_queens": [200],
    "fuzz_tours": [8],
    "pictures": [16, 16],
    "threads": [3],
}


class Build(NamedTuple):
    """A configuration for building and running programs.

    Args:
        flags: Compiler flags of the core and of programs.
        arguments: Arguments of programs, by name.
        names: The programs; empty for all.
        without: Programs that are omitted.
        runner: Command that runs them, if any.
    """

    flags: Sequence[str]
    arguments: Mapping[str, Sequence[int]]
    names: Sequence[str] = ()
    without: Sequence[str] = ()
    runner: Sequence[str] = ()


SANITIZED = ("-O1", "-g1", "-fno-sanitize-recover=all")
BUILDS = {
    "address, undefined": Build((*SANITIZED, "-fsanitize=address,undefined", ASSERTIONS), LONG),
    "thread": Build((*SANITIZED, "-fsanitize=thread", ASSERTIONS), LONG, ["threads"]),
    "checked containers": Build(("-O1", "-g1", "-D_GLIBCXX_DEBUG"), {}),
    # valgrind has no long double: it computes with 64 bits, too few for the comparisons of these.
    "valgrind": Build(("-O1", "-g"), BRIEF, (), ["fuzz_marginals"], VALGRIND),
}


def run(path: Path, build: Build, seed: int, shown: dict[str, object]) -> Iterator[str]:
    """Run a program; yield its complaints, and record its time and last line."""
    given = build.arguments.get(path.name)
    words = [*map(str, given), str(seed)] if given is not None else []
    environment = {**os.environ, "TSAN_OPTIONS": "halt_on_error=1 second_deadlock_stack=1"}
    started = perf_counter()
    done = subprocess.run(
        [*build.runner, str(path), *words], capture_output=True, text=True, env=environment
    )
    shown[path.name] = {
        "arguments": words,
        "wall_s": round(perf_counter() - started, 1),
        "said": (done.stdout.splitlines() or [""])[-1][:300],
    }
    if done.returncode:
        yield f"{path.name} {' '.join(words)}: status {done.returncode}: {done.stderr[-2000:]}"


def check_build(build: Build, seed: int, shown: dict[str, object]) -> Iterator[str]:
    """Build the core and the programs, and run these, as `run` does."""
    with tempfile.TemporaryDirectory() as scratch:
        core = objects(Path(scratch), build.flags)
        names = build.names or sorted(path.stem for path in PROGRAMS.glob("*.cpp"))
        for name in [name for name in names if name not in build.without]:
            path = linked(name, Path(scratch), build.flags, core)
            yield from run(path, build, seed, shown)


def version(command: str) -> str:
    """Return the first line of a tool's version output."""
    said = subprocess.run([command, "--version"], capture_output=True, text=True).stdout
    return said.splitlines()[0]


def check(asked: Asked) -> Figures:
    """Run everything, or in short form one program with valgrind; stop early at Ctrl-C."""
    shown: dict[str, dict[str, object]] = {}
    failures = list[str]()
    is_interrupted = False
    try:
        if asked.short:
            shown["valgrind"] = {}
            with program("fuzz_lines") as path:
                brief = BUILDS["valgrind"]._replace(arguments={path.name: [100, 2, 2]})
                failures += run(path, brief, asked.seed, shown["valgrind"])
        else:
            for name, build in BUILDS.items():
                shown[name] = {}
                for complaint in check_build(build, asked.seed, shown[name]):
                    failures.append(f"{name}: {complaint}")
    except KeyboardInterrupt:
        is_interrupted = True
    tools = [compiler(), *([VALGRIND[0]] if shutil.which(VALGRIND[0]) else [])]
    return {
        "checked": {f"programs, {name}": len(programs) for name, programs in shown.items()},
        "failures": failures,
        "tools": {tool: version(tool) for tool in tools},
        "programs": shown,
        **({"interrupted": True} if is_interrupted else {}),
    }


if __name__ == "__main__":
    perform("sanitizers", check)
