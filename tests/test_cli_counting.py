"""`nonosat count` and `nonosat backbone`: output, statuses, limits, interruption."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from typing import Any

import pytest

from helpers.clocks import Clock, end_at_a_lower_bound
from helpers.commands import (
    COLOURED,
    COMMAND,
    INVALID,
    MULTIPLE,
    UNIQUE,
    UNSOLVABLE,
    is_read,
    put,
    records,
    run,
)
from helpers.processes import PATIENCE_S, begun, interruptible

__all__ = ["put"]  # a fixture

BLOTS = {"id": "blots", "rows": [[None] * 4] * 30, "columns": [[None] * 4] * 30}
ROOKS = {"id": "rooks", "rows": [[1]] * 30, "columns": [[1]] * 30}


def switches(number: int) -> dict[str, Any]:
    cells = range(2 * number)
    given = [[row, column, 0] for row in cells for column in cells if row // 2 != column // 2]
    return {"id": "many", "rows": [[1]] * 2 * number, "columns": [[1]] * 2 * number, "given": given}


# count


@pytest.mark.parametrize(
    ("puzzle", "told", "status"),
    [
        (UNIQUE, "corner, 2 rows x 2 columns: exactly one solution, ", 0),
        (MULTIPLE, "switch, 2 rows x 2 columns: 2 solutions, ", 0),
        (
            UNSOLVABLE,
            "crowded, 1 row x 2 columns: no solution (row 1 (clue 3) needs at least 3 cells",
            4,
        ),
        (COLOURED, 'flag "A flag", 2 rows x 3 columns, 2 colours: exactly one solution, ', 0),
        (switches(60), f"{2**60} solutions, ", 0),
        (switches(110), f"{2**110} solutions (about 1.29e33), ", 0),
    ],
)
def test_counts_are_printed(put: Any, puzzle: dict[str, Any], told: str, status: int) -> None:
    done = run("count", put(puzzle))
    assert told in done.stdout
    assert done.stdout.endswith(" s\n")
    assert done.exit_code == status


@pytest.mark.thorough
def test_counts_as_json(put: Any) -> None:
    done = run("count", "--json", put(switches(200), UNSOLVABLE, INVALID, MULTIPLE))
    many, crowded, bad, two = records(done)
    assert (many["count"], many["exact"]) == (str(2**200), True)
    assert (crowded["count"], crowded["reason"][:5]) == ("0", "row 1")
    assert bad.keys() == {"file", "error"}
    assert two["id"] == "switch"
    assert two["options"] == {"time_limit_s": None, "memory_limit_mib": None}
    assert [stage["name"] for stage in two["stages"]] == ["propagate", "probe", "count"]
    assert done.exit_code == 2
    assert "block of length 0" in done.stderr


def test_a_lower_bound_has_its_own_status(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, put: Any
) -> None:
    end_at_a_lower_bound(clock, monkeypatch, 600)
    path = put(BLOTS, MULTIPLE)
    done = run("count", "--json", "--time-limit", "600", path)
    blots, two = records(done)
    assert not blots["exact"]
    assert int(blots["count"]) >= 2
    assert blots["reason"] == "time limit of 600 s"
    assert two["exact"]
    assert done.exit_code == 5
    done = run("count", "--time-limit", "600", f"{path}#blots")
    assert ": at least " in done.stdout
    assert "time limit of 600 s" in done.stdout


@pytest.mark.real_time
def test_memory_is_limited(put: Any) -> None:
    limit = 45  # without the limit it needs 60 in the same time
    script = (
        "import sys\nfrom pathlib import Path\nfrom nonosat.cli import main\n"
        "try: main(sys.argv[1:])\n"
        "finally: print(Path('/proc/self/status').read_text(), file=sys.stderr)"
    )
    args = ["count", "--memory-limit", str(limit), put(ROOKS), "--time-limit"]

    def counted(limit_s: float) -> subprocess.CompletedProcess[str]:
        words = [sys.executable, "-c", script, *args, f"{limit_s:g}"]
        return subprocess.run(words, capture_output=True, text=True, check=False)

    done, _ = begun(counted, is_read, 2.0)
    assert done.returncode == 5
    assert "at least " in done.stdout
    peak = re.search(r"VmHWM:\s*(\d+) kB", done.stderr)
    assert peak is not None
    assert int(peak[1]) / 1024 < 1.25 * limit


def test_bad_usage() -> None:
    for name in ("count", "backbone"):
        for args in ([], ["--time-limit", "0", "x"], ["--from", "nothing", "x"]):
            done = run(name, *args)
            assert done.exit_code == 2
            assert "Usage: nonosat" in done.stderr
        done = run(name, "nowhere.json")
        assert done.exit_code == 2
        assert "nowhere.json: the file cannot be read" in done.stderr
        assert run(name, "--help").exit_code == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["count", "backbone"])
def test_interruption_keeps_results(put: Any, name: str) -> None:
    hard = BLOTS if name == "count" else noise()
    with interruptible():
        process = subprocess.Popen(
            [*COMMAND, name, "--json", put(MULTIPLE, hard, UNIQUE)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
    assert process.stdout is not None
    assert '"id": "switch"' in process.stdout.readline()
    os.killpg(process.pid, signal.SIGINT)
    rest, told = process.communicate(timeout=PATIENCE_S)
    assert rest == ""
    assert told == "nonosat: interrupted, 1 of 3 puzzles done\n"
    assert process.returncode == 130


def noise() -> dict[str, Any]:
    from test_counting import hard

    puzzle = hard()
    return {
        "id": "hard",
        "rows": [[length for length, _ in clue] for clue in puzzle.rows],
        "columns": [[length for length, _ in clue] for clue in puzzle.columns],
    }


# backbone

HALF = {"id": "half", "rows": [[3], [], [1], [1]], "columns": [[1], [1, 1], [1, 1]]}


@pytest.mark.parametrize(
    ("puzzle", "picture", "told", "status"),
    [
        (UNIQUE, "█▀\n", "unique, 4 cells settled, 0 differ", 0),
        (MULTIPLE, "??\n", "multiple, 0 cells settled, 4 differ", 0),
        (HALF, "###\n...\n.??\n.??\n", "multiple, 8 cells settled, 4 differ", 0),
        (UNSOLVABLE, "", "no solution (row 1 (clue 3) needs at least 3 cells, it has 2)", 4),
        (COLOURED, "##a\naaa\n", "unique, 6 cells settled, 0 differ", 0),
    ],
)
def test_backbones_are_shown(
    put: Any, puzzle: dict[str, Any], picture: str, told: str, status: int
) -> None:
    done = run("backbone", put(puzzle))
    assert done.exit_code == status
    assert told in done.stdout
    assert done.stdout.startswith(picture)


def test_backbones_as_json(put: Any) -> None:
    done = run("backbone", "--json", put(HALF, COLOURED, UNSOLVABLE))
    half, flag, crowded = records(done)
    assert half["backbone"] == ["###", "...", ".??", ".??"]
    assert half["differing"] == [[2, 1], [2, 2], [3, 1], [3, 2]]
    assert (flag["backbone"], flag["legend"]) == (["##a", "aaa"], {"#": "red", "a": "sea"})
    assert crowded["verdict"] == "unsolvable"
    assert done.exit_code == 4


def test_a_limit_leaves_cells_undecided(clock: Clock, put: Any) -> None:
    clock.step_s = 0.005
    path = put(noise())
    words = ("backbone", path, "--time-limit")
    done = run(*words, "5", "--json")
    (record,) = records(done)
    assert done.exit_code == 5
    assert record["undecided"]
    assert "_" in "".join(record["backbone"])
    done = run(*words, "5")
    assert "undecided (marked, too) (time limit of 5 s)" in done.stdout
