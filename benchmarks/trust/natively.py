"""Programs of `tests/native`, built without sanitizers for long runs, and their results.

`python benchmarks/trust/natively.py NAME [ARGUMENT...]` builds one and runs it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PROGRAMS, CORE = ROOT / "tests/native", ROOT / "nonosat/native"
STANDARD = ("-std=gnu++20", "-I", str(CORE), "-pthread")


def compiler() -> str:
    """Return the C++ compiler: `$CXX`, or g++."""
    return os.environ.get("CXX", "g++")


def sources() -> list[Path]:
    """Return the files of the core that are independent of Python."""
    return [path for path in sorted(CORE.glob("*/*.cpp")) if path.parent.name != "python"]


def installed() -> Path | None:
    """Return the core's library of the editable installation, unless a source is newer."""
    found = max(ROOT.glob("build/*/libnonosat_core.a"), key=_age, default=None)
    files = [*sources(), *CORE.glob("*.hpp"), *CORE.glob("*/*.hpp")]
    return found if found and _age(found) >= max(map(_age, files)) else None


def _age(path: Path) -> float:
    return path.stat().st_mtime


def compiled(source: Path, into: Path, flags: Sequence[str]) -> Path:
    """Return the object file of a source."""
    target = into / f"{source.parent.name}-{source.stem}.o"
    launcher = os.environ.get("CMAKE_CXX_COMPILER_LAUNCHER", "").split()  # such as ccache
    _run([*launcher, compiler(), *STANDARD, *flags, "-c", str(source), "-o", str(target)])
    return target


def objects(into: Path, flags: Sequence[str]) -> list[Path]:
    """Return the object files of the whole core, compiled in parallel."""
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        return list(threads.map(lambda source: compiled(source, into, flags), sources()))


def linked(name: str, into: Path, flags: Sequence[str], core: Sequence[Path]) -> Path:
    """Return the program `tests/native/<name>.cpp` linked with a core."""
    target = into / name
    own = compiled(PROGRAMS / f"{name}.cpp", into, flags)
    _run([compiler(), *flags, "-pthread", *map(str, [own, *core]), "-o", str(target)])
    return target


@contextmanager
def program(name: str) -> Iterator[Path]:
    """Yield a program linked with the installed core, or with a new one if that is outdated.

    It is removed afterwards.
    """
    with tempfile.TemporaryDirectory() as scratch:
        folder, library = Path(scratch), installed()
        core = [*beside(name, folder), library] if library else objects(folder, ["-O2"])
        yield linked(name, folder, ["-O1"], core)


def beside(name: str, into: Path) -> list[Path]:
    """Return object files that a program needs besides the library, which lacks the page's code."""
    if '#include "live/' not in (PROGRAMS / f"{name}.cpp").read_text():
        return []
    return [compiled(path, into, ["-O2"]) for path in sources() if path.parent.name == "live"]


def answers(
    path: Path, *arguments: object, feed: str | None = None
) -> tuple[list[str], str | None]:
    """Run a program.

    Returns:
        The lines of its output, and a complaint if its status was not 0.
    """
    done = subprocess.run(
        [str(path), *map(str, arguments)], input=feed, capture_output=True, text=True
    )
    lines = done.stdout.splitlines()
    if done.returncode == 0:
        return lines, None
    return lines, f"{path.name}, status {done.returncode}: {done.stderr.strip()[-2000:]}"


def figures(path: Path, *arguments: object) -> dict[str, Any]:
    """Run a program whose last line is a JSON object of numbers; return them as figures."""
    lines, complaint = answers(path, *arguments)
    if complaint:
        return {"checked": {}, "failures": [complaint]}
    return {"checked": json.loads(lines[-1]), "failures": []}


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr[-4000:]}")


def main() -> int:
    """Build and run the named program, with its output and status."""
    names = sorted(path.stem for path in PROGRAMS.glob("*.cpp"))
    if len(sys.argv) < 2 or sys.argv[1] not in names:
        print(f"usage: natively.py NAME [ARGUMENT...]; programs are {', '.join(names)}")
        return 2
    with program(sys.argv[1]) as path:
        return subprocess.run([path, *sys.argv[2:]]).returncode


if __name__ == "__main__":
    sys.exit(main())
