"""The command in a process: statuses, imports, pipes, interruption, terminals."""

from __future__ import annotations

import json
import os
import pty
import random
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from helpers.commands import COLOURED, COMMAND, MULTIPLE, UNIQUE, UNSOLVABLE, lines_of, put, whole
from helpers.processes import PATIENCE_S, eventually, interruptible
from nonosat.core.grid import Grid
from nonosat.puzzles.nonogram import from_grid

__all__ = ["put"]  # a fixture

FIGURES = ("nonosat.render.figures", "nonosat.render.shapes", "nonosat.render.look")
ENGINES = ("nonosat.solving.steps", "nonosat.backends", "nonosat.clauses.translate")
ESCAPE = re.compile(r"\x1b\[[\d;?]*[A-Za-z]")


@pytest.mark.slow
def test_a_process_ends_with_the_status(put: Any) -> None:
    done = whole("check", put(UNSOLVABLE), "nowhere.non", "-", input=lines_of(UNIQUE))
    assert done.returncode == 2
    assert "unsolvable" in done.stdout
    assert "corner" in done.stdout
    assert "nowhere.non" in done.stderr
    assert not ESCAPE.search(done.stdout + done.stderr)


@pytest.mark.parametrize(
    ("args", "most", "also"),
    [
        ("--help", 16, {"tempfile", "json", "nonosat._core", "nonosat.formats"}),
        ("show puzzles.jsonl", 64, {"textwrap", "nonosat.solving.pipeline", *FIGURES}),
        ("check puzzles.jsonl", 82, {"pickle", *ENGINES, *FIGURES}),
        ("solve puzzles.jsonl", 82, {"pickle", *ENGINES, *FIGURES}),
    ],
)
def test_a_start_imports_few_modules(put: Any, args: str, most: int, also: set[str]) -> None:
    put(UNIQUE)
    script = (
        "import sys\nfrom nonosat.cli import main\n"
        "try: main(sys.argv[1:])\nexcept SystemExit as end: assert not end.code\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *args.split()], capture_output=True, text=True, check=True
    )
    modules = set(done.stderr.split())
    assert not modules & {"rich", "pysat", "ortools", "numpy", "importlib.metadata", *also}
    assert len([name for name in modules if name.startswith("nonosat")]) <= most


def test_a_closed_pipe_ends_quietly(put: Any) -> None:
    path = put(*[{**UNIQUE, "id": f"number {index}"} for index in range(2000)])
    process = subprocess.Popen(
        [*COMMAND, "check", "--json", path],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert json.loads(process.stdout.readline())["id"] == "number 0"
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait(PATIENCE_S) == 141
    process.stderr.close()


@pytest.mark.thorough
@pytest.mark.parametrize("args", ["--help", "--version", "solve --help", "list"])
def test_a_pipe_without_a_reader_is_141(args: str) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write) as pipe:
        done = whole(*args.split(), capture_output=False, stdout=pipe, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("command", "status", "told"),
    [
        ("solve puzzles.jsonl >&-", 2, "nonosat: standard output is closed"),
        ("list >&-", 2, "nonosat: standard output is closed"),
        ("solve - <&-", 2, "standard input is closed"),
        ("solve puzzles.jsonl puzzles.jsonl nowhere 2>&-", 2, None),
        ("solve puzzles.jsonl >&- 2>&-", 2, None),
        ("--help >/dev/full", 2, "No space left on device"),
        ("solve puzzles.jsonl >/dev/full", 2, "No space left on device"),
    ],
)
def test_closed_and_full_streams(put: Any, command: str, status: int, told: str | None) -> None:
    put(UNIQUE)
    line = " ".join([*map(shlex.quote, COMMAND), command])
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)
    assert done.returncode == status
    assert (told is None) == (done.stderr == "")
    assert (told or "") in done.stderr
    assert "Error" not in done.stderr


def hard() -> dict[str, Any]:
    """Random picture that no engine decides during a test."""
    draw = random.Random(7)
    size = 200
    grid = Grid(size, size, bytes(draw.random() < 0.5 for _ in range(size * size)))
    puzzle = from_grid(grid)
    return {
        "id": "hard",
        "rows": [[length for length, _ in clue] for clue in puzzle.rows],
        "columns": [[length for length, _ in clue] for clue in puzzle.columns],
    }


def has_members(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.thorough
@pytest.mark.parametrize("backend", ["auto", "glucose421", "kissat404"])
def test_interruption_keeps_results(put: Any, backend: str) -> None:
    with interruptible():
        process = subprocess.Popen(
            [*COMMAND, "check", "--json", "--backend", backend, put(UNIQUE, hard(), MULTIPLE)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
    assert process.stdout is not None
    first = json.loads(process.stdout.readline())
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the children, too
    rest, told = process.communicate(timeout=PATIENCE_S)
    assert first["id"] == "corner"
    assert rest == ""
    assert told == "nonosat: interrupted, 1 of 3 puzzles decided\n"
    assert process.returncode == 130
    assert eventually(lambda: not has_members(process.pid))


# Terminals


def on_terminal(*args: str, stop_at: str | None = None, **variables: str) -> Iterator[str]:
    """Return the output of the command on a terminal; interrupt it when it shows `stop_at`."""
    ours, theirs = pty.openpty()
    environment = {"TERM": "xterm-256color", "COLUMNS": "40", **variables}
    base = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    streams = {"stdin": theirs, "stdout": theirs, "stderr": theirs}
    with interruptible():
        process = subprocess.Popen([*COMMAND, *args], env={**base, **environment}, **streams)
    with process:
        os.close(theirs)
        stopped = False
        try:
            while chunk := os.read(ours, 65536):
                yield chunk.decode(errors="replace")
                if stop_at and not stopped and stop_at in chunk.decode(errors="replace"):
                    process.send_signal(signal.SIGINT)
                    stopped = True
        except OSError:  # the last program on the terminal has ended
            pass
        finally:
            os.close(ours)
    assert process.returncode in ((130,) if stop_at else (0, 3))


@pytest.mark.slow
def test_a_terminal_gets_colours(put: Any) -> None:
    text = "".join(on_terminal("check", put(UNIQUE, COLOURED, MULTIPLE)))
    assert "\x1b[38;2;255;0;0;48;2;0;0;255m▀▀" in text  # red above sea
    assert " colours: " not in ESCAPE.sub("", text).replace(", 2 colours: ", "")
    assert "3 puzzles: 2 unique, 1 multiple" in text


@pytest.mark.slow
def test_slow_puzzles_show_a_progress_bar(put: Any) -> None:
    shown = on_terminal("check", put(UNIQUE, hard(), MULTIPLE), stop_at="1/3")
    assert "1/3" in ESCAPE.sub("", "".join(shown))


@pytest.mark.thorough
@pytest.mark.parametrize("command", ["check", "backbone", "explain", "prove -o proof"])
def test_a_single_slow_puzzle_is_announced(put: Any, command: str) -> None:
    words = command.split()
    shown = "".join(on_terminal(*words, put(hard()), stop_at=f"0:02 {words[0]} hard"))
    assert f"0:02 {words[0]} hard: " in shown
    assert shown.partition("nonosat: interrupted, ")[0].endswith("\x1b[K")  # erased at the end


@pytest.mark.slow
def test_no_color_is_honoured(put: Any) -> None:
    text = "".join(on_terminal("check", put(COLOURED), NO_COLOR="1"))
    assert not ESCAPE.search(text)
    assert "##a" in text


@pytest.mark.slow
def test_wide_pictures_are_shrunk_and_the_sheet_gives_way(put: Any) -> None:
    wide = {"id": "wide", "rows": [[90]], "columns": [[1]] * 90}
    text = ESCAPE.sub("", "".join(on_terminal("check", put(wide), NO_COLOR="1")))
    assert text.split()[0] == "▀" * 30
    assert "(shown at 1:3: the terminal has 40 characters a line, the picture needs 90; " in text
    shown = "".join(on_terminal("show", "puzzles.jsonl"))
    assert "row 1: 90" in shown
    assert "column 90: 1" in shown
    assert "the printed sheet is 202 characters wide, the terminal 40" in shown


@pytest.mark.thorough
@pytest.mark.parametrize(
    "asked", [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C"}, {"LANG": "C"}, {"LC_ALL": "C.UTF-8"}]
)
def test_narrow_encodings_get_ascii(put: Any, asked: dict[str, str]) -> None:
    """Also with the locale C, in place of which Python writes UTF-8."""
    path = put({**UNIQUE, "title": "Pâté ☂"})
    names = ("LC_ALL", "LC_CTYPE", "LANG", "PYTHONUTF8", "PYTHONIOENCODING")
    env = {name: value for name, value in os.environ.items() if name not in names}
    done = whole("check", path, env={**env, **asked})
    expected = ["█▀"] if "UTF-8" in asked.get("LC_ALL", "") else ["##", "#."]
    assert done.stdout.splitlines()[: len(expected)] == expected
    assert done.returncode == 0
