"""Measures the speed of nonosat: `python benchmarks/measure.py [NAME...]`.

`speed.py` generates the tables of README.md and benchmarks/README.md from its records. Every figure
is CPU seconds (user and system, child processes included) of whole `nonosat` commands, or of one
native call if marked "in process"; of several runs in turn, the median. The instances are in the
folder in NONOSAT_INSTANCES. `--record FILE` writes the figures with their environment.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from time import process_time

from common import (
    BUNDLED,
    COMMAND,
    Figures,
    board_of,
    checked,
    cpu_of,
    instances,
    noise,
    peak_of,
    propagated,
    surroundings,
    yardstick,
)

import nonosat
from nonosat import _core
from nonosat.core import plugins
from nonosat.core.about import About
from nonosat.puzzles.nonogram import Nonogram

MULTIPLE = {"10810", "06739", "02556", "02712", "10088", "18297", "09892", "12548"}


def survey() -> Figures:
    """Measure the 27 survey puzzles other than Knotty and Faase."""
    lines = (instances() / "survey.jsonl").read_text().splitlines()
    kept = [line for line in lines if json.loads(line)["id"] not in ("knotty", "faase")]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "survey27.jsonl"
        path.write_text("\n".join(kept))
        figures = checked([path], 5)
        for line in cpu_of([*COMMAND, "check", "--json", str(path)])[2].splitlines():
            record = json.loads(line)
            expected = record["id"].removeprefix("webpbn-") in MULTIPLE
            if (record["verdict"] == "multiple") != expected:
                sys.exit(f"wrong verdict: {record['id']} {record['verdict']}")
    return figures


def sets() -> Figures:
    """Measure picross-solver, minizinc and gecode: 63 + 26 + 19 puzzles."""
    names = ("picross-solver", "minizinc", "gecode")
    return checked([instances() / f"{name}.jsonl" for name in names], 5)


def taai2011() -> Figures:
    """Measure 1000 tournament puzzles of 25x25."""
    return checked([instances() / "taai2011.jsonl"], 1)


def noise30() -> Figures:
    """Measure 5000 random 30x30 at 50 %, one process."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "noise.jsonl"
        path.write_bytes(plugins.find("formats", "jsonl").write(_named(30, 5000)))
        return checked([path], 1)


def large() -> Figures:
    """Measure six random 70x70, 80x80 and 99x99 at 50 %, one process and 60 s each; the slowest."""
    figures: Figures = {}
    with tempfile.TemporaryDirectory() as folder:
        for side in (70, 80, 99):
            path = Path(folder) / f"noise-{side}.jsonl"
            path.write_bytes(plugins.find("formats", "jsonl").write(_named(side, 6)))
            found = [
                checked([Path(f"{path}#noise-{side}-{seed}")], 1, "--time-limit", "60")
                for seed in range(6)
            ]
            seconds = [one["cpu_s"] for one in found]
            figures[str(side)] = {
                "decided": sum("unknown" not in one["verdicts"] for one in found),
                "cpu_s": max(seconds),
                "all": seconds,
            }
    return figures


def _named(side: int, num: int) -> list[Nonogram]:
    """Return random squares of the first seeds, with names."""
    return [
        replace(noise(side, seed), about=About(id=f"noise-{side}-{seed}")) for seed in range(num)
    ]


def giants() -> Figures:
    """Measure Faase and Knotty, two solutions, 120 s each."""
    path = instances() / "survey.jsonl"
    return {
        name: checked([Path(f"{path}#{name}")], 1, "--time-limit", "120")
        for name in ("faase", "knotty")
    }


def cauldron() -> Figures:
    """Measure Cauldron 512x512, propagation in process."""
    (puzzle,) = [
        puzzle
        for puzzle in nonosat.load_all(str(instances() / "picross-solver.jsonl"))
        if puzzle.about.title == "Cauldron"
    ]
    return propagated([puzzle], 21)


def random30() -> Figures:
    """Measure 200 random 30x30 at 50 %, propagation in process."""
    return propagated([noise(30, seed) for seed in range(200)], 21)


def beliefs40() -> Figures:
    """Measure 30 rounds of belief propagation on 20 random 40x40 at 50 %, in process."""
    times = []
    for seed in range(20):
        board = board_of(noise(40, seed))
        board.propagate()
        beliefs = _core.Beliefs(board, damping=0.5, clamp=12, sigma=0, seed=0)
        started = process_time()
        beliefs.run(30)
        times.append(process_time() - started)
    return {"ms": round(1e3 * statistics.median(times), 2), "least_ms": round(1e3 * min(times), 2)}


def encoding() -> Figures:
    """Measure the default encoding: a file of 50 million literals, and a live engine."""
    from nonosat.backends.pysat import open_engine
    from nonosat.clauses.translate import translate
    from nonosat.core.limits import Limits, Watch
    from nonosat.puzzles.nonogram import build

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "noise.json"
        path.write_bytes(plugins.find("formats", "json").write([noise(345, 0)]))
        asked = [*COMMAND, "encode", "--stats", str(path), "--encoding", "line=order", "--json"]
        size = json.loads(subprocess.run(asked, capture_output=True, check=True).stdout)
        file_s, peak_mib = peak_of([*COMMAND, "encode", str(path), "-o", f"{folder}/noise.cnf"])
    started, num_clauses = process_time(), 0
    for seed in range(100):
        model = build(noise(40, seed))
        engine = open_engine("minisat22", model.num_vars, 0, {})
        num_clauses += translate(model, engine).num_clauses
        engine.solve((), Watch(Limits()), 1)  # feeds the clauses, and stops at the first conflict
        engine.close()
    engine_s = process_time() - started
    return {
        "file": {
            "literals": size["literals"],
            "cpu_s": round(file_s, 2),
            "peak_mib": round(peak_mib),
            "clauses_per_s": round(size["clauses"] / file_s),
        },
        "minisat22": {"clauses_per_s": round(num_clauses / engine_s)},
    }


def domino() -> Figures:
    """Measure n-domino 12, 14, 16, 20: up to two solutions, one process each."""
    path = BUNDLED / "domino.jsonl"
    return {
        str(n): checked([Path(f"{path}#domino-{n}")], 3 if n < 16 else 1) for n in (12, 14, 16, 20)
    }


def unique() -> Figures:
    """Measure the 79 unique puzzles of 30x30 to 60x60 that probing does not solve, one process."""
    return checked([BUNDLED / "unique.jsonl"], 1)


def proofs() -> Figures:
    """Measure CPU seconds of check, prove and verify, one process each."""
    puzzles = {
        "domino-12": "domino.jsonl",
        "domino-14": "domino.jsonl",
        "noise-40-301": "unique.jsonl",
        "steps-8": "hard.jsonl",
        "cat": "pictures.jsonl",
    }
    figures: Figures = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, file in puzzles.items():
            puzzle, target = f"{BUNDLED / file}#{name}", f"{folder}/{name}"
            commands = {
                "check": [*COMMAND, "check", puzzle],
                "prove": [*COMMAND, "prove", puzzle, "-o", target],
                "verify": [*COMMAND, "verify", target],
            }
            figures[name] = {what: round(cpu_of(cmd)[0], 2) for what, cmd in commands.items()}
    return figures


def startup() -> Figures:
    """Measure whole processes on a 20x20 in turn with bare Python: CPU ms and ratios."""
    cat = str(BUNDLED / "pictures.jsonl#cat")
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "nonosat --help": [*COMMAND, "--help"],
        "nonosat show": [*COMMAND, "show", cat],
        "nonosat solve": [*COMMAND, "solve", cat],
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(25):
        for name, command in commands.items():
            times[name].append(1e3 * cpu_of(command)[0])
    medians = {name: statistics.median(values) for name, values in times.items()}
    bare = medians["python -c pass"]
    return {
        name: {"ms": round(ms, 1), "ratio": round(ms / bare, 1)} for name, ms in medians.items()
    }


MEASURES: dict[str, Callable[[], Figures]] = {
    measure.__name__: measure
    for measure in (
        yardstick,
        startup,
        encoding,
        proofs,
        domino,
        unique,
        random30,
        beliefs40,
        cauldron,
        survey,
        sets,
        taai2011,
        noise30,
        large,
        giants,
    )
}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(MEASURES)}")
    parser.add_argument("--record", metavar="FILE", type=Path, help="write the figures as JSON")
    arguments = parser.parse_args()
    if unknown := set(arguments.names) - set(MEASURES):
        parser.error(f"no figure is called {', '.join(unknown)}; there are {', '.join(MEASURES)}")
    figures = measured(arguments.names or MEASURES)
    if arguments.record:
        arguments.record.write_text(json.dumps(figures, indent=2) + "\n")


def measured(names: Iterable[str]) -> Figures:
    """Return the figures of these names with their environment; print each one when done."""
    figures: Figures = {"on": surroundings()}
    for name in names:
        figures[name] = MEASURES[name]()
        print(f"{name}: {json.dumps(figures[name])}", flush=True)
    return figures


if __name__ == "__main__":
    main()
