"""Limits of every command, up to the last byte of its output, on boards that are too large.

Each command runs with a limit of time and of memory. The CPU time of Python for the imports of the
command is measured just before, at the same speed of the machine: the clock of the command starts
after that much CPU time. The CPU time that it uses after its limit of wall time is `late_s`, which
may be a second, output included; its largest process may be slightly larger than the limit. Both
include reading the board.

    python benchmarks/trust/limits_kept.py --record         # everything
    python benchmarks/trust/limits_kept.py --record tight   # tight memory limits alone

A part that is recorded alone replaces its figures in the record.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))
from common import COMMAND, noise
from limits import strip
from record import Asked, Figures, perform, recorded

import nonosat
from nonosat.core import plugins
from nonosat.core.model import Block
from nonosat.generate.slitherlink import around, clues_of, grow
from nonosat.puzzles.nonogram import Colour, Nonogram
from nonosat.puzzles.slitherlink.data import Slitherlink

STATUSES = {0, 2, 3, 4, 5}  # 2: the command does not support this board
GIVEN = ("hint --given GIVEN", "hint --given GIVEN --json", "decode ANSWER", "decode ANSWER --json")
# A command's imports, and those of a painter, which precede its limits.
START = "import nonosat.cli.%s; from nonosat.cli._sources import items_of; items_of([], None)"
PAINTER = "; from nonosat.render.saving import require; require('.%s')"
PAINTED = ("png", "pdf")
EVERY = ("solve", "check", "count", "backbone", "sample")
NONOGRAMS = (
    *EVERY,
    "check --json",
    "check --grade-at-most 8",
    "backbone --json",
    "backbone --svg OUT.svg",
    "beliefs",
    "beliefs --json",
    "beliefs --svg OUT.svg",
    "hint",
    "hint --svg OUT.svg",
    "explain",
    "explain --html OUT.html",
    "explain --steps",
    "explain --cell 1,1",
    "rate",
    "encode -o OUT.cnf",
    "encode -o OUT.opb",
    "encode -o OUT.mzn",
    "encode -o OUT.pb",
    "encode -o OUT.cnf --unique",
    "encode --stats --encoding line=order",
    "show",
    "show --svg OUT.svg",
    "convert OUT.non",
    "convert OUT.xml",
    "prove -o OUT",
    "prove -o OUT --by prices",
    "prove -o OUT --cubes 2 --jobs 1",
    "batch --jobs 1 -o OUT.jsonl",
    "solve --backend cadical195",
    "solve --backend cpsat",
    "solve --backend minisat22 --encoding line=order",
    "solve --cubes 4 --jobs 1",
    "why-multiple",
    "why-multiple --svg OUT.svg",
    "diff board.jsonl",
    "repair",
    "repair --logic-only",
    "repair --all 5 --svg OUT.svg",
    "render -o OUT.svg",
    "render -o OUT.png",
    "render -o OUT.pdf",
    "render -o OUT.png --solution",
    "render -o OUT.pdf --why",
    "render -o OUT.pdf --book --rate",
)
LOOPS = (
    *EVERY,
    "solve --backend cadical195",
    "solve --backend rules",
    "solve --backend cpsat",
    "solve --backend learn",
    "encode -o OUT.cnf",
    "encode --stats --encoding count=sequential --encoding loop=positions",
    "batch --jobs 1 -o OUT.jsonl",
    "render -o OUT.svg",
    "render -o OUT.pdf --solution",
)
ALONE = (
    "queens 3000",
    "queens 3000 --json",
    "queens 3000 --as matrix",
    "queens 1000 --backend cadical195",
    "queens 1000 --backend minisat22",
    "queens 300 --backend cpsat",
    "queens 1000000",
    "knight 1999 1999",
    "knight 1999 1999 --json",
    "knight 1000 1000 --svg OUT.svg",
    "knight 400 400 --backend cadical195",
    "knight 400 400 --backend cpsat",
    "knight 400 400 --backend learn",
    "generate slitherlink 300 300",
    "generate structured spirals 60",
    "generate nonogram 2000 2000 --unique",
    "generate nonogram 300 300 --logic-only --density 0.3",
    "generate nonogram 60 60 --grade 7",
    "generate nonogram 3000 3000 -o OUT.png",
    "generate pattern mandelbrot --size 1000",
    "generate image picture.png --columns 300 --unique",
    "generate image picture.png --columns 1000 --colours 7",
    "check picture.png",
    "repair picture.png",
)
SHORT = ("backbone", "backbone --json", "explain", "beliefs --svg OUT.svg", "knight 1999 1999")
# Commands with their own limit of memory: words, side of a random board, MiB.
TIGHT = (
    ("check --backend cadical195 --presolve none", 400, 80),
    ("check --backend cadical195 --presolve none", 400, 150),
    ("check --backend cadical195 --presolve none", 400, 300),
    ("repair", 400, 120),
    ("repair", 400, 300),
    ("check --backend learn --presolve none", 1000, 1500),
    ("render -o OUT.svg", 1000, 50),
    ("show", 1000, 50),
    ("show --svg OUT.svg", 1000, 50),
    ("render -o OUT.png", 400, 60),
    ("render -o OUT.png --solution", 400, 120),
    ("render -o OUT.pdf", 400, 60),
    ("render -o OUT.pdf --paper fit", 1000, 120),
)
TIGHT_S = 25.0
PARTS = ("boards", "tight")
MORE = 0.15  # of the limit
# A process inherits the peak of its parent, so a small process is started in between.
_MEASURE = """
import os, subprocess, sys, time
start_s, limit_s = map(float, sys.argv[2:4])
tick_s = 1 / os.sysconf("SC_CLK_TCK")

def cpu_of(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        children = []
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children") as file:
                children += file.read().split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) * tick_s + sum(map(cpu_of, children))

started = time.monotonic()
with open(os.devnull, "w") as out, open(sys.argv[1], "w") as err:
    child = subprocess.Popen(sys.argv[4:], stdout=out, stderr=err)
begun = at_limit = None
pid = 0
while not pid:
    time.sleep(0.002)
    cpu_s, now = cpu_of(child.pid), time.monotonic()
    if begun is None and cpu_s >= start_s:
        begun = now
    if begun is not None and now <= begun + limit_s:
        at_limit = cpu_s
    pid, status, used = os.wait4(child.pid, os.WNOHANG)
wall_s, cpu_s = time.monotonic() - started, used.ru_utime + used.ru_stime
late_s = max(0.0, cpu_s - (cpu_s if at_limit is None or now <= begun + limit_s else at_limit))
print(os.waitstatus_to_exitcode(status), wall_s, cpu_s, late_s, used.ru_maxrss)
"""


class Spent(NamedTuple):
    """Resources of a process and its children; memory is that of the largest."""

    status: int = 0
    wall_s: float = 0.0
    cpu_s: float = 0.0
    late_s: float = 0.0
    mib: float = 0.0


class Allowed(NamedTuple):
    """The limits of every command, and the permitted excess."""

    time_s: float
    memory_mib: int
    more_s: float
    more_mib: int

    def failures(self, what: str, used: Spent) -> Iterator[str]:
        """Yield a sentence for each limit that was exceeded."""
        most_s = 0.1 * self.time_s + self.more_s
        most_mib = self.memory_mib + self.more_mib
        if used.status not in STATUSES:
            yield f"{what}: status {used.status}"
        if used.late_s > most_s:
            yield f"{what}: {used.late_s:.2f} s of CPU too late, expected at most {most_s:.2f}"
        if used.mib > most_mib:
            yield f"{what}: {used.mib:.0f} MiB, expected at most {most_mib:.0f}"


WHOLE = Allowed(time_s=1.0, memory_mib=200, more_s=0.9, more_mib=20)
QUICK = Allowed(time_s=0.3, memory_mib=100, more_s=2.0, more_mib=100)
# `batch` counts the memory that it uses beyond its own at the start, which is that of its imports.
BATCH_MIB = 30


def spent(command: list[str], folder: Path, start_s: float = 0.0, limit_s: float = 1e9) -> Spent:
    """Run a command to its end."""
    clock = [str(start_s), str(limit_s)]
    small = [sys.executable, "-I", "-S", "-c", _MEASURE, str(folder / "stderr"), *clock, *command]
    done = subprocess.run(small, capture_output=True, text=True, check=True, cwd=folder)
    status, wall_s, cpu_s, late_s, kib = done.stdout.split()
    return Spent(int(status), float(wall_s), float(cpu_s), float(late_s), int(kib) / 1024)


def blots(side: int) -> Nonogram:
    """Return a board with blocks of two colours, all of unknown length."""
    rng = random.Random(1)

    def clue() -> tuple[Block, ...]:
        return tuple(Block(None, rng.choice((1, 2))) for _ in range(rng.randrange(4, 9)))

    inks = (Colour("r", "#ff0000"), Colour("b", "#0000ff"))
    rows, columns = (tuple(clue() for _ in range(side)) for _ in range(2))
    return Nonogram(rows, columns, colours=inks)


def blank(side: int) -> Nonogram:
    """Return a board with a small file; files with one character per cell about it are large."""
    return Nonogram(((Block(1),),) * side, ((Block(1),),) * side)


def loop(side: int) -> Slitherlink:
    """Return a region's loop, with all its clues."""
    inside = grow(side, side, random.Random(1))
    return Slitherlink(side, side, clues_of(around(side, side, inside)))


BOARDS: dict[str, Callable[[], Nonogram | Slitherlink]] = {
    "40x40 of two colours, all lengths unknown": lambda: blots(40),
    "1200x1200": lambda: noise(1200, 1),
    "1x200000": lambda: strip(199_998),
    "4000x4000": lambda: noise(4000, 1),
    "300x300 slitherlink": lambda: loop(300),
    "4000x4000, hardly a clue": lambda: blank(4000),
}
SHORT_BOARD = "1200x1200"
PICTURE = 1200  # pixels per side of random pictures in black and white


def commands(board: str, asked: Asked) -> tuple[str, ...]:
    """Return the commands for a board; for "" those without a board."""
    every = ALONE if not board else LOOPS if "slitherlink" in board else NONOGRAMS
    every = GIVEN if "hardly" in board else every
    return tuple(words for words in every if words in SHORT or not asked.short)


def check(asked: Asked) -> Figures:
    """Run every command on every board, and tight limits of memory; or the given parts."""
    parts = PARTS[:1] if asked.short else asked.names or PARTS
    measured: dict[str, dict[str, float]] = (
        recorded("limits_kept")["measured"] if asked.names else {}
    )
    failures: list[str] = []
    if "boards" in parts:
        failures += _on_boards(asked, measured)
    if "tight" in parts:
        failures += _tightly(measured)
    allowed = QUICK if asked.short else WHOLE
    return {
        "checked": {"commands": len(measured)},
        "failures": failures,
        "parts": list(parts),  # the date of a record refers to these
        "limits": {"time_s": allowed.time_s, "memory_mib": allowed.memory_mib},
        "measured": measured,
    }


def _on_boards(asked: Asked, measured: dict[str, dict[str, float]]) -> list[str]:
    """Add figures of every command on every board; return the failures."""
    allowed = QUICK if asked.short else WHOLE
    failures: list[str] = []
    limits = ["--time-limit", str(allowed.time_s), "--memory-limit", str(allowed.memory_mib)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for board in [SHORT_BOARD, ""] if asked.short else [*BOARDS, ""]:
            files = _written(folder, board)
            for words in commands(board, asked):
                first, *rest = words.replace("GIVEN", "given").replace("ANSWER", "answer").split()
                more = ["--force"] * ("OUT" in words)
                command = [*COMMAND, first, *files, *rest, *limits, *more]
                used = spent(command, folder, _start_s(words, folder), allowed.time_s)
                what = f"{words} ({board})" if board else words
                more_mib = allowed.more_mib + BATCH_MIB * (first == "batch")
                failures += allowed._replace(more_mib=more_mib).failures(what, used)
                measured[what] = {
                    "status": used.status,
                    "wall_s": round(used.wall_s, 2),
                    "cpu_s": round(used.cpu_s, 2),
                    "late_s": round(used.late_s, 2),
                    "mib": round(used.mib),
                }
                print(f"{what}: {measured[what]}", file=sys.stderr, flush=True)
    return failures


def _start_s(words: str, folder: Path) -> float:
    """Return the CPU seconds of a command's imports."""
    start = START % words.split()[0].replace("-", "_")
    start += "".join(PAINTER % kind for kind in PAINTED if f"render -o OUT.{kind}" in words)
    used = spent([sys.executable, "-c", start], folder)
    if used.status:
        raise RuntimeError(f"the start of {words} failed: {(folder / 'stderr').read_text()}")
    return used.cpu_s


def _tightly(measured: dict[str, dict[str, float]]) -> list[str]:
    """Add figures of the commands of `TIGHT`; return the failures."""
    failures: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        for words, side, most_mib in TIGHT:
            what = f"{words} ({side}x{side}, {most_mib} MiB)"
            used = tight(words, side, most_mib, Path(name))
            failures += tight_failures(what, most_mib, used)
            measured[what] = {"status": used.status, "mib": round(used.mib)}
            print(f"{what}: {measured[what]}", file=sys.stderr, flush=True)
    return failures


def tight_failures(what: str, most_mib: int, used: Spent) -> Iterator[str]:
    """Yield a sentence for each failure of a command under a tight limit of memory."""
    return Allowed(1e9, most_mib, 0.0, round(MORE * most_mib)).failures(what, used)


def tight(words: str, side: int, most_mib: int, folder: Path) -> Spent:
    """Run a command on a random board with a limit of memory."""
    nonosat.save(noise(side, 1), folder / "tight.jsonl", force=True)
    first, *rest = words.split()
    limits = ["--memory-limit", str(most_mib), "--time-limit", str(TIGHT_S)]
    more = ["--force"] * ("OUT" in words)
    return spent([*COMMAND, first, "tight.jsonl", *rest, *limits, *more], folder)


def _written(folder: Path, board: str) -> list[str]:
    """Write the file of a board, or a picture for ""; return the arguments that name it."""
    if not board:
        nonosat.save(noise(PICTURE, 1), folder / "picture.png")
        return []
    puzzle, path = BOARDS[board](), folder / "board.jsonl"
    path.write_bytes(plugins.find("formats", "jsonl").write([puzzle]))
    if "hardly" in board:
        cells = puzzle.height * puzzle.width
        (folder / "given").write_text(f"{'?' * puzzle.width}\n" * puzzle.height)
        with (folder / "answer").open("w") as answer:
            answer.write("s SATISFIABLE\n")
            answer.writelines(f"v -{variable}\n" for variable in range(1, cells + 1))
            answer.write("v 0\n")
    return [str(path)]


if __name__ == "__main__":
    perform("limits_kept", check, PARTS)
