"""Measures the table of the native solver: `python benchmarks/native/run.py [NAME...]`.

Every row is CPU seconds of `check` or of one native call in this process (user and system, children
included; "whole process" is a separate `nonosat` command), its aim, and the aim scaled to this
machine: it was set on a machine with a yardstick (common.py) of 0.077 s. Puzzles take turns; short
ones and the slowest of a set are repeated, and the median counts. A puzzle that reaches its limit
of CPU seconds counts with the limit and as open; `--limit` lowers all limits. `--backend` is the
engine after probing; a verdict that contradicts the known one ends the run.

The instances are the bundled ones, and those of the folder in NONOSAT_INSTANCES. The table is
printed as Markdown. `--record FILE` stores it as JSON with its environment: new rows replace those
in FILE, so that it can be filled in parts. `--write` puts the table of that record between the
marks of the files in `rows.SHOWN_IN`; with `--no-rows` nothing is measured.

    python benchmarks/native/run.py --record benchmarks/native/results/DATE-table.json --write
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import log
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).parent.parent))

from common import (
    BUNDLED,
    COMMAND,
    Figures,
    board_of,
    cpu_of,
    instances,
    noise,
    propagated,
    surroundings,
    yardstick,
)
from discs import COARSE, FINE, Texture, line_solvable
from rows import HEAD, Record, Row, write
from timed import How, Timed, named, timed

# Propagation


def random30(how: How) -> list[Row]:
    """Measure the mean of 200 random 30x30 to their fixpoint."""
    del how  # propagation alone
    figures = propagated([noise(30, seed) for seed in range(200)], 31)
    return [Row("random 30x30 to its fixpoint", figures["ms"] / 1e3, 8e-6, figures)]


def cauldron(how: How) -> list[Row]:
    """Measure Cauldron 512x512 to its fixpoint."""
    del how
    puzzles = named(instances() / "picross-solver.jsonl", "pd-cauldron")
    figures = propagated(puzzles, 31)
    return [Row("Cauldron 512x512, propagation", figures["ms"] / 1e3, 2e-3, figures)]


def solvable(how: How) -> list[Row]:
    """Measure line-solvable squares without building the board; growth from half the side."""
    del how
    return [
        *_grown("coarse", COARSE, {1000: None, 2000: 0.15}),
        *_grown("fine", FINE, {1000: None, 2000: 0.35, 4000: 1.6}),
    ]


def _grown(name: str, texture: Texture, aims: Mapping[int, float | None]) -> Iterator[Row]:
    before = 0.0
    for side, aim in aims.items():
        puzzle, _ = line_solvable(side, texture)
        seconds = propagated([puzzle], 7)["ms"] / 1e3
        started = process_time()
        board_of(puzzle)
        figures = {"board_s": round(process_time() - started, 4)}
        if before:
            figures["exponent in the cells"] = round(log(seconds / before, 4), 2)
        yield Row(f"line-solvable {side}x{side}, {name}, propagation", seconds, aim, figures)
        before = seconds


def coloured(how: How) -> list[Row]:
    """Measure three coloured pictures to their fixpoint."""
    del how
    rows = []
    for name, aim in (("rosenrot", 5e-3), ("taiga", 1.5e-3), ("wikipe-tan", 0.5e-3)):
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
    """Measure random 30x30 at 50 %, seeds 0 to 4999."""
    times = timed([noise(30, seed) for seed in range(5000)], how, 5, rounds=1)
    return _total("5000 random 30x30", times, 10, 0.4)


def tournaments(how: How) -> list[Row]:
    """Measure taai2011 and tcga2013."""
    return [
        row
        for name in ("taai2011", "tcga2013")
        for row in _total(name, timed(named(instances() / f"{name}.jsonl"), how, 5, rounds=1), 8)
    ]


def domino(how: How) -> list[Row]:
    """Measure n-domino 14, 16 and 20, known to be unique."""
    aims = {14: 0.1, 16: None, 20: 2.0}
    puzzles = named(BUNDLED / "domino.jsonl", *(f"domino-{n}" for n in aims))
    times = timed(puzzles, how, 60, truth="unique")
    return [
        Row(f"n-domino {n}", seconds, aim, {"verdict": verdict}, num_open=verdict == "unknown")
        for (n, aim), seconds, verdict in zip(
            aims.items(), times.seconds, times.verdicts, strict=True
        )
    ]


def unique(how: How) -> list[Row]:
    """Measure the bundled unique puzzles beyond probing."""
    times = timed(named(BUNDLED / "unique.jsonl"), how, 20, rounds=1, truth="unique")
    return _total(f"the {len(times.seconds)} unique puzzles", times, 16)


def coloured40(how: How) -> list[Row]:
    """Measure 50 random 40x40 each of two, three and four colours; half of the cells are empty."""
    rows = []
    for num_colours in (2, 3, 4):
        puzzles = [noise(40, seed, num_colours) for seed in range(50)]
        work = f"50 random 40x40 of {num_colours} colours"
        rows += _total(work, timed(puzzles, how, 20, rounds=1), None)
    return rows


def giants(how: How) -> list[Row]:
    """Measure the two puzzles of the survey that most solvers leave open."""
    aims = {"knotty": 0.05, "faase": 1.0}
    times = timed(named(instances() / "survey.jsonl", *aims), how, 60)
    return [
        Row(name.capitalize(), seconds, aim, {"verdict": verdict}, num_open=verdict == "unknown")
        for (name, aim), seconds, verdict in zip(
            aims.items(), times.seconds, times.verdicts, strict=True
        )
    ]


SURVEY = {
    "Forever": ("webpbn-06574", 0.005),
    "9-Dom": ("webpbn-08098", 0.01),
    "Lion": ("webpbn-02712", 0.03),
    "Marley": ("webpbn-10088", 0.03),
    "Nature": ("webpbn-09892", 0.04),
    "Thing": ("webpbn-18297", 0.3),
    "Sierp": ("webpbn-12548", 0.15),
}


def survey(how: How) -> list[Row]:
    """Measure seven puzzles of the survey, in process and as whole processes."""
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


def _large(side: int, how: How, limit_s: float = 60) -> Timed:
    return timed([noise(side, seed) for seed in range(6)], how, limit_s, rounds=1)


def _slowest(side: int, aim: float, how: How) -> Row:
    times = _large(side, how)
    work = f"random {side}x{side}, slowest of 6"
    return Row(work, max(times.seconds), aim, _each(times), num_open=times.num_open())


def random70(how: How) -> list[Row]:
    """Measure random 70x70, seeds 0 to 5."""
    return [_slowest(70, 1, how)]


def random80(how: How) -> list[Row]:
    """Measure random 80x80, seeds 0 to 5."""
    return [_slowest(80, 2.5, how)]


def random99(how: How) -> list[Row]:
    """Measure random 99x99, seeds 0 to 5."""
    return [_slowest(99, 2, how)]


def random120(how: How) -> list[Row]:
    """Measure random 120x120, seeds 0 to 5."""
    return [_slowest(120, 10, how)]


def random150(how: How) -> list[Row]:
    """Measure random 150x150, seeds 0 to 5."""
    return [_decided(150, 4, _large(150, how))]


def random200(how: How) -> list[Row]:
    """Measure random 200x200, seeds 0 to 5: number decided in 300 seconds each."""
    return [_decided(200, None, _large(200, how, 300))]


def _decided(side: int, aim: int | None, times: Timed) -> Row:
    num = len(times.verdicts) - times.num_open()
    return Row(f"random {side}x{side}, decided of 6", num, aim, _each(times), is_count=True)


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
        giants,
        domino,
        tournaments,
        random5000,
        unique,
        coloured40,
        random70,
        random80,
        random99,
        random120,
        random150,
        random200,
    )
}


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(MEASURES)}")
    parser.add_argument("--backend", default=How().backend, help="default: %(default)s")
    parser.add_argument("--limit", type=float, metavar="S", help="at most so long for a puzzle")
    parser.add_argument("--record", metavar="FILE", type=Path, help="write the figures as JSON")
    parser.add_argument("--write", action="store_true", help="put the record's table into files")
    parser.add_argument("--no-rows", action="store_true", help="measure nothing")
    arguments = parser.parse_args(argv)
    if unknown := set(arguments.names) - set(MEASURES):
        parser.error(f"no row is called {', '.join(unknown)}; there are {', '.join(MEASURES)}")
    if arguments.write and not arguments.record:
        parser.error("--write shows what --record FILE has; name that file, too")
    if not arguments.no_rows:
        measure(arguments.names or MEASURES, How(arguments.backend, arguments.limit), arguments)
    if arguments.write:
        for path in write(arguments.record, tuple(MEASURES)):
            print(f"wrote {path}", file=sys.stderr)


def measure(names: Iterable[str], how: How, arguments: argparse.Namespace) -> None:
    """Run measures one after the other, print their rows, and record them."""
    record = Record(how.backend, how.most_s, arguments.record)
    ruler = yardstick()["s"]
    print(f"Backend `{how.backend}`, yardstick {ruler} s.\n\n{HEAD}", flush=True)
    for name in names:
        rows = MEASURES[name](how)
        for row in rows:
            print(row.line(ruler), flush=True)
        record.put(name, rows, surroundings(), ruler)


if __name__ == "__main__":
    main()
