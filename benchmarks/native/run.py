"""Measures the table of the native solver: `python benchmarks/native/run.py [NAME...]`.

Every row is CPU seconds of `check` or of one native call in this process (user and system, children
included; "whole process" is a `nonosat` command of its own), its aim, and the aim scaled to this
machine: it was set where the yardstick of common.py takes 0.147 s. Puzzles take turns; short ones
and the slowest of a set are repeated, and the median counts. A puzzle that reaches its limit of CPU
seconds is counted with it and said to be open; `--limit` lowers all limits. `--backend` names what
goes on where probing ends; a verdict that contradicts what is known of a puzzle ends the run.

The bundled instances are used, and those of the folder that NONOSAT_INSTANCES names. The table is
printed as Markdown, and written as JSON with what it was measured on by `--record FILE`.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from math import log
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).parent.parent))

from common import (
    BUNDLED,
    COMMAND,
    Figures,
    board_of,
    check_once,
    cpu_of,
    instances,
    noise,
    propagated,
    surroundings,
    yardstick,
)
from discs import COARSE, FINE, Texture, line_solvable

import nonosat
from nonosat.puzzles.nonogram import Nonogram

YARDSTICK_S = 0.147  # where the aims were set
REPEATED_BELOW_S = 1.0
NUM_RETAKEN = 3  # of the slowest puzzles of a set, which one run tells little about
SETTLED = ("unique", "multiple", "unsolvable")


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table.

    Args:
        work: What was done.
        measured: CPU seconds, or a number of puzzles.
        aim: Of the same unit; None where nothing was aimed at.
        more: Further figures, for the record and the last column.
        is_count: Whether it is puzzles, of which `aim` is the least; they are not scaled.
        num_open: Puzzles that reached their limit: so much more would have been needed.
    """

    work: str
    measured: float
    aim: float | None = None
    more: Figures = field(default_factory=dict)
    is_count: bool = False
    num_open: int = 0

    def scaled(self, yardstick_s: float) -> float | None:
        """The aim on a machine with this yardstick."""
        if self.aim is None or self.is_count:
            return self.aim
        return self.aim * yardstick_s / YARDSTICK_S

    def verdict(self, yardstick_s: float) -> str:
        """Whether the scaled aim is met, with nothing left open; `-` where there is none."""
        aim = self.scaled(yardstick_s)
        if aim is None:
            return "-"
        in_time = self.measured <= aim and not self.num_open
        met = self.measured >= aim if self.is_count else in_time
        return "met" if met else "not met"


@dataclass(frozen=True, slots=True)
class How:
    """What the command line chooses: a backend, and the most seconds for a puzzle."""

    backend: str = "search"
    most_s: float | None = None

    def limit(self, limit_s: float) -> float:
        return limit_s if self.most_s is None else min(limit_s, self.most_s)


# Puzzles


def named(path: Path, *ids: str) -> list[Nonogram]:
    """The puzzles of a file, or those of these ids in this order."""
    puzzles = {puzzle.about.id: puzzle for puzzle in nonosat.load_all(str(path))}
    return [puzzles[id_] for id_ in ids] if ids else list(puzzles.values())


@dataclass(slots=True)
class Timed:
    """CPU seconds by puzzle of `check`, the median of its runs, and what was found."""

    limit_s: float
    seconds: list[float]
    verdicts: list[str]

    def num_open(self) -> int:
        """How many reached the limit."""
        return self.verdicts.count("unknown")

    def figures(self) -> Figures:
        """The verdicts, and how many reached the limit."""
        return {
            "limit_s": self.limit_s,
            "verdicts": dict(Counter(self.verdicts)),
            "open at the limit": self.num_open(),
            "slowest_s": round(max(self.seconds), 4),
        }


def timed(
    puzzles: Sequence[Nonogram], how: How, limit_s: float, rounds: int = 3, truth: str = ""
) -> Timed:
    """Check every puzzle once, and again where it is quick or among the slowest.

    Args:
        puzzles: They take turns.
        how: Backend and limit.
        limit_s: CPU seconds for a puzzle.
        rounds: Of those that take less than REPEATED_BELOW_S.
        truth: The verdict that all puzzles are known to have.
    """
    limit_s = how.limit(limit_s)
    runs: list[list[float]] = [[] for _ in puzzles]
    verdicts = [""] * len(puzzles)

    def once(i: int) -> None:
        if verdicts[i] == "unknown":
            return
        seconds, verdict = check_once(puzzles[i], limit_s, backend=how.backend)
        runs[i].append(seconds)
        if verdict in SETTLED and verdict != (truth or verdict):
            sys.exit(f"wrong verdict: {puzzles[i].about.id} is {truth}, not {verdict}")
        verdicts[i] = verdict

    for turn in range(rounds):
        for i in range(len(puzzles)):
            if turn == 0 or runs[i][0] < REPEATED_BELOW_S:
                once(i)
    slowest = sorted(range(len(puzzles)), key=lambda i: -runs[i][0])[:NUM_RETAKEN]
    for _ in range(2):
        for i in slowest:
            if len(runs[i]) < 3:
                once(i)
    return Timed(limit_s, [statistics.median(each) for each in runs], verdicts)


# Propagation


def random30(how: How) -> list[Row]:
    """The mean of 200 random 30x30 to their fixpoint."""
    del how  # propagation alone
    figures = propagated([noise(30, seed) for seed in range(200)], 31)
    return [Row("random 30x30 to its fixpoint", figures["ms"] / 1e3, 10e-6, figures)]


def cauldron(how: How) -> list[Row]:
    """Cauldron 512x512 to its fixpoint."""
    del how
    puzzles = named(instances() / "picross-solver.jsonl", "pd-cauldron")
    figures = propagated(puzzles, 31)
    return [Row("Cauldron 512x512, propagation", figures["ms"] / 1e3, 3e-3, figures)]


def solvable(how: How) -> list[Row]:
    """Line-solvable 2000x2000, making the board apart, and the growth from 1000x1000."""
    del how
    return [_grown("coarse", COARSE, 0.3), _grown("fine", FINE, None)]


def _grown(name: str, texture: Texture, aim: float | None) -> Row:
    made, seconds = {}, {}
    for side in (1000, 2000):
        puzzle, _ = line_solvable(side, texture)
        seconds[side] = propagated([puzzle], 7)["ms"] / 1e3
        started = process_time()
        board_of(puzzle)
        made[side] = process_time() - started
    figures = {
        "board_s": round(made[2000], 4),
        "1000x1000_s": round(seconds[1000], 4),
        "exponent in the cells": round(log(seconds[2000] / seconds[1000], 4), 2),
    }
    return Row(f"line-solvable 2000x2000, {name}, propagation", seconds[2000], aim, figures)


def coloured(how: How) -> list[Row]:
    """Three coloured pictures to their fixpoint."""
    del how
    rows = []
    for name, aim in (("rosenrot", 10e-3), ("taiga", 3e-3), ("wikipe-tan", 1e-3)):
        (puzzle,) = named(instances() / "colour.jsonl", f"izaron-{name}")
        figures = propagated([puzzle], 31)
        size = f"{puzzle.width}x{puzzle.height}"
        rows.append(Row(f"{name} {size}, propagation", figures["ms"] / 1e3, aim, figures))
    return rows


# Two solutions


def _total(work: str, times: Timed, aim: float | None, slowest: float | None = None) -> list[Row]:
    num_open = times.num_open()
    rows = [Row(f"{work}, total", sum(times.seconds), aim, times.figures(), num_open=num_open)]
    if slowest is not None:
        rows.append(Row(f"{work}, slowest", max(times.seconds), slowest, num_open=num_open))
    return rows


def random5000(how: How) -> list[Row]:
    """Random 30x30 at 50 %, seeds 0 to 4999."""
    times = timed([noise(30, seed) for seed in range(5000)], how, 5, rounds=1)
    return _total("5000 random 30x30", times, 15, 0.5)


def tournaments(how: How) -> list[Row]:
    """taai2011 and tcga2013."""
    return [
        row
        for name in ("taai2011", "tcga2013")
        for row in _total(name, timed(named(instances() / f"{name}.jsonl"), how, 5, rounds=1), 20)
    ]


def domino(how: How) -> list[Row]:
    """n-domino 14, 16 and 20, known to be unique."""
    aims = {14: 0.2, 16: None, 20: 4.0}
    puzzles = named(BUNDLED / "domino.jsonl", *(f"domino-{n}" for n in aims))
    times = timed(puzzles, how, 60, truth="unique")
    return [
        Row(f"n-domino {n}", seconds, aim, {"verdict": verdict}, num_open=verdict == "unknown")
        for (n, aim), seconds, verdict in zip(
            aims.items(), times.seconds, times.verdicts, strict=True
        )
    ]


def unique(how: How) -> list[Row]:
    """The bundled unique puzzles beyond probing: the first 40, and all."""
    times = timed(named(BUNDLED / "unique.jsonl"), how, 20, rounds=1, truth="unique")
    first = Timed(times.limit_s, times.seconds[:40], times.verdicts[:40])
    num = len(times.seconds)
    return [*_total("unique, the first 40", first, 60), *_total(f"unique, all {num}", times, None)]


SURVEY = {
    "Forever": ("webpbn-06574", 0.012),
    "9-Dom": ("webpbn-08098", 0.055),
    "Lion": ("webpbn-02712", 0.049),
    "Marley": ("webpbn-10088", 0.037),
    "Nature": ("webpbn-09892", 0.17),
    "Thing": ("webpbn-18297", 0.73),
    "Sierp": ("webpbn-12548", 0.18),
}


def survey(how: How) -> list[Row]:
    """Seven puzzles of the survey; whole processes beside the figures in process."""
    path = instances() / "survey.jsonl"
    times = timed(named(path, *(id_ for id_, _ in SURVEY.values())), how, 10, rounds=7)
    rows = []
    for (name, (id_, aim)), seconds, verdict in zip(
        SURVEY.items(), times.seconds, times.verdicts, strict=True
    ):
        more: Figures = {"verdict": verdict}
        if verdict != "unknown":
            command = [*COMMAND, "check", f"{path}#{id_}", "--backend", how.backend]
            whole = statistics.median(cpu_of(command)[0] for _ in range(3))
            more["whole process_s"] = round(whole, 3)
        rows.append(Row(name, seconds, aim, more, num_open=verdict == "unknown"))
    return rows


def _large(side: int, how: How) -> Timed:
    return timed([noise(side, seed) for seed in range(6)], how, 60, rounds=1)


def _slowest(side: int, aim: float, how: How) -> Row:
    times = _large(side, how)
    work = f"random {side}x{side}, slowest of 6"
    return Row(work, max(times.seconds), aim, _each(times), num_open=times.num_open())


def random70(how: How) -> list[Row]:
    """Random 70x70, seeds 0 to 5."""
    return [_slowest(70, 2, how)]


def random80(how: How) -> list[Row]:
    """Random 80x80, seeds 0 to 5."""
    return [_slowest(80, 5, how)]


def random99(how: How) -> list[Row]:
    """Random 99x99, seeds 0 to 5."""
    times = _large(99, how)
    num = len(times.verdicts) - times.num_open()
    return [Row("random 99x99, decided of 6", num, 3, _each(times), is_count=True)]


def _each(times: Timed) -> Figures:
    return {**times.figures(), "each_s": [round(s, 2) for s in times.seconds]}


MEASURES: dict[str, Callable[[How], list[Row]]] = {
    measure.__name__: measure
    for measure in (
        random30,
        cauldron,
        solvable,
        coloured,
        survey,
        domino,
        tournaments,
        random5000,
        unique,
        random70,
        random80,
        random99,
    )
}

# The table


def shown(value: float | None, is_count: bool) -> str:
    """A number with its unit, three digits."""
    if value is None:
        return "-"
    if is_count:
        return f"{value:g}"
    for unit, name in ((1.0, "s"), (1e-3, "ms")):
        if value >= unit:
            return f"{value / unit:.3g} {name}"
    return f"{value * 1e6:.3g} us"


def line(row: Row, yardstick_s: float) -> str:
    """A line of the Markdown table."""
    numbers = (row.aim, row.scaled(yardstick_s), row.measured)
    more = "; ".join(f"{name}: {_plain(value)}" for name, value in row.more.items())
    cells = (row.work, *(shown(n, row.is_count) for n in numbers), row.verdict(yardstick_s), more)
    return f"| {' | '.join(cells)} |"


def _plain(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{number} {name}" for name, number in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(MEASURES)}")
    parser.add_argument("--backend", default=How().backend, help="default: %(default)s")
    parser.add_argument("--limit", type=float, metavar="S", help="at most so long for a puzzle")
    parser.add_argument("--record", metavar="FILE", type=Path, help="write the figures as JSON")
    arguments = parser.parse_args(argv)
    if unknown := set(arguments.names) - set(MEASURES):
        parser.error(f"no row is called {', '.join(unknown)}; there are {', '.join(MEASURES)}")
    how = How(arguments.backend, arguments.limit)
    ruler = yardstick()["s"]
    record: Figures = {"on": surroundings(), **asdict(how), "yardstick_s": ruler, "rows": {}}
    print(f"Backend `{how.backend}`, yardstick {ruler} s.\n")
    print("| work | aim | aim here | measured | | more |\n|---|---|---|---|---|---|", flush=True)
    for name in arguments.names or MEASURES:
        rows = MEASURES[name](how)
        record["rows"][name] = [{**asdict(row), "reached": row.verdict(ruler)} for row in rows]
        for row in rows:
            print(line(row, ruler), flush=True)
        if arguments.record:
            arguments.record.write_text(json.dumps(record, indent=2) + "\n")


if __name__ == "__main__":
    main()
