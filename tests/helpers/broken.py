"""Engines and programs that break every promise, for tests of the handling of their answers.

Each is a plug-in in a package of its own (`broken-raises`, and `broken-raises-here` if it works
in this process), or a script (`program:.../raises {cnf}`).
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

HOWS = ("aborts", "quits", "raises", "spins", "hangs", "maybe", "short", "text", "ones")
MODULE = (
    f"HOWS = {HOWS}"
    + '''
"""Engines that break promises."""
import os, sys, time
from nonosat.clauses.cnf import Cnf
from nonosat.core.plugins import Answer, Backend, Engine


class Broken(Cnf, Engine):
    def __init__(self, name, num_vars):
        super().__init__(num_vars)
        self.how = name.removeprefix("broken-").removesuffix("-here")

    def solve(self, assumptions, watch, budget=None):
        if self.how == "aborts":
            os.abort()
        if self.how == "quits":
            sys.exit(0)
        if self.how == "raises":
            raise RuntimeError("one\\nline \\u202e more")
        while self.how == "spins":
            time.sleep(0.001)
        if self.how == "hangs":
            time.sleep(999)
        if self.how == "maybe":
            return "maybe"
        return Answer.SAT

    def values(self):
        return {"short": b"\\1", "text": "1" * 99}.get(self.how, b"\\1" * (self.num_vars + 1))


CHILD = Backend(
    summary="broken",
    needs="nothing",
    proves=True,
    open_engine=lambda name, num_vars, seed, options: Broken(name, num_vars),
)
HERE = CHILD.replaced(in_process=True)
PLUGINS = {
    f"broken-{how}{where}": HERE if where else CHILD
    for how in HOWS
    for where in ("", "-here")
}
PLUGINS["broken-absent"] = CHILD.replaced(needs="no-such")
'''
)
SCRIPTS = {
    "aborts": "kill -ABRT $$",
    "hangs": "sleep 999 & exec sleep 999",
    "hello": "echo hello",
    "gives-up": "echo s UNKNOWN",
    "zeros": "echo s SATISFIABLE; echo v 0",
    "foreign": "echo s SATISFIABLE; echo v 1 2 99999 0",
    "torn": "echo s SATISFIABLE; echo v 1 2 3",
    "both": "echo s SATISFIABLE; echo v 1 0; exit 20",
    "loud": "yes",
    "painted": r"printf 's \342\200\256\033[31mX\n'",
    "usage": "echo usage: solver FILE >&2; exit 1",
}
THEIRS = r".* is not part of nonosat, please report this to the authors"
PROGRAM = r".* that program is not part of nonosat: try the command by itself"
LIMIT = "limit of"


class Fault(NamedTuple):
    """Bad engine, and its expected outcome.

    Args:
        backend: Its name; `{folder}` is replaced by the folder of the scripts.
        told: Pattern of the message.
        status: Status in a record.
    """

    backend: str
    told: str
    status: str = "crash"


def _script(name: str, told: str, status: str = "crash") -> Fault:
    return Fault(f"program:{{folder}}/{name} {{cnf}}", told, status)


_REFUTED = r"gave a solution that the clues refute: row 1 has .*" + THEIRS
FAULTS = (
    Fault("broken-aborts", "died of SIGABRT; try another backend;" + THEIRS),
    Fault("broken-quits", "ended with status 0; try another backend;" + THEIRS),
    # Within limits it runs in a child of its own.
    Fault("broken-quits-here", r"(sys\.exit\(0\) was called|ended with status 0; try).*" + THEIRS),
    Fault("broken-raises", "RuntimeError: one.*line .* more" + THEIRS),
    Fault("broken-raises-here", "RuntimeError: one.*line .* more" + THEIRS),
    Fault("broken-spins-here", LIMIT, "timeout"),
    Fault("broken-hangs", LIMIT, "timeout"),
    Fault("broken-maybe", r"answered 'maybe', expected a nonosat\.plugins\.Answer;" + THEIRS),
    Fault("broken-maybe-here", r"answered 'maybe', expected a nonosat\.plugins\.Answer;" + THEIRS),
    Fault("broken-short", r"gave the values b'\\x01', expected \d+ bytes or more;" + THEIRS),
    Fault("broken-short-here", r"gave the values b'\\x01', expected \d+ bytes or more;" + THEIRS),
    Fault("broken-text", r"gave the values '111.*, expected \d+ bytes or more;" + THEIRS),
    Fault("broken-ones", _REFUTED, "wrong"),
    Fault("broken-ones-here", _REFUTED, "wrong"),
    _script("aborts", "died of SIGABRT;" + PROGRAM),
    _script("hangs", LIMIT, "timeout"),
    _script("hello", r"gave no answer \(exit status 0\), expected status 10 or 20.*" + PROGRAM),
    _script("gives-up", "a limit of its own: .*gives-up gave up", "timeout"),
    _script("zeros", _REFUTED, "wrong"),
    _script("foreign", r"gave a value to 99999, but there are \d+;" + PROGRAM),
    _script("torn", "gave values that are not ended by one 0" + PROGRAM),
    _script("both", "contradicts itself: sat and unsat" + PROGRAM),
    _script("loud", r"printed more than \d+ bytes; make it quiet" + PROGRAM),
    _script("painted", r"gave the status '\\u202e\\x1b\[31mX';" + PROGRAM),
    _script("usage", r"gave no answer \(exit status 1\).* \(usage: solver FILE\)" + PROGRAM),
    _script("garbage", r"\(it cannot be run: Exec format error\)" + PROGRAM),
)


def install(folder: Path) -> Path:
    """Create the package and the scripts; return the folder that belongs on the path."""
    site = folder / "site"
    info = site / "broken-1.0.dist-info"
    info.mkdir(parents=True)
    (site / "broken.py").write_text(MODULE)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    points = "".join(f"broken-{how}{on} = broken\n" for how in HOWS for on in ("", "-here"))
    points += "broken-absent = broken\n"
    (info / "entry_points.txt").write_text(f"[nonosat.backends]\n{points}")
    for name, line in {**SCRIPTS, "garbage": ""}.items():
        (folder / name).write_bytes(f"#!/bin/sh\n{line}\n".encode() if line else b"\x7fELF no")
        (folder / name).chmod(0o755)
    return site
