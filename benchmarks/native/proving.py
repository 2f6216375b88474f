"""Measures proofs: `python benchmarks/native/proving.py [PUZZLE...]`.

For each puzzle: CPU seconds of `check`, of `prove` with each engine and of `verify`, child
processes included; lemmas before and after trimming. For the learning search: the cost of writing
its proof, with and without it in turn, from the clues to the refutation of "another solution
exists"; both searches must be identical to the last propagation. PUZZLE is FILE#ID; by default
bundled ones. `--record FILE` writes the figures.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).parent.parent))
from common import BUNDLED, Figures, children_s, surroundings, yardstick

import nonosat
from nonosat import formats
from nonosat.certify.prove import prove
from nonosat.certify.verify import verify
from nonosat.clauses.cnf import Cnf
from nonosat.clauses.translate import translate
from nonosat.core import plugins
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import Model
from nonosat.puzzles.nonogram import Nonogram, build

ENGINES = ("learn", "learn-lines", "glucose421", "cadical195")
LEARNERS = ("learn", "learn-lines")
LONG_S = 10.0  # a puzzle that takes longer is measured once
PUZZLES = {
    "domino.jsonl": "domino-12 domino-14 domino-16 domino-20",
    "hard.jsonl": "steps-8 steps-10 steps-long steps-mixed triangles-24",
    "unique.jsonl": (
        "blobs-30-1 noise-30-3 mirror-35-1 noise-35-71 noise-40-301 transpose-40-3 noise-45-21 "
        "noise-50-11 noise-50-91 weave-50-3 noise-55-402 noise-60-103 noise-60-303 transpose-60-3"
    ),
}


class Stopwatch:
    """CPU seconds, including those of child processes."""

    def __init__(self) -> None:
        self._started, self._children = process_time(), children_s()

    def s(self) -> float:
        return round(process_time() - self._started + children_s() - self._children, 3)


def proofs(puzzle: Nonogram) -> Figures:
    """Measure `check`, `prove` with each engine, `verify`."""
    watch = Stopwatch()
    verdict = nonosat.check(puzzle).verdict.value
    figures: Figures = {"verdict": verdict, "check_s": watch.s()}
    for engine in ENGINES:
        watch = Stopwatch()
        found = prove(puzzle, engine=engine)
        figures[engine] = {
            "prove_s": watch.s(),
            "stages_wall_s": {name: round(s, 3) for name, s in found.seconds.items()},
            "logged": found.num_logged,
            "lemmas": found.num_lemmas,
        }
        assert found.claim == verdict
        with tempfile.TemporaryDirectory() as folder:
            found.write(Path(folder) / "new")
            watch = Stopwatch()
            verify(Path(folder) / "new")
            figures[engine]["verify_s"] = watch.s()
    return figures


def formula_of(puzzle: Nonogram) -> Cnf:
    """Return the clues encoded as by `prove`."""
    model = build(puzzle)
    formula = Cnf(model.num_vars)
    for clause in model.clauses:
        formula.add(clause.lits)
    for count in model.counts:
        for one, other in combinations(count.lits, 2):
            formula.add((-one, -other))
    translate(Model(model.num_vars, lines=model.lines), formula)
    return formula


def refuted(name: str, puzzle: Nonogram, formula: Cnf, with_proof: bool) -> tuple[Figures, int]:
    """Run from the clues to the refutation: return statistics with `cpu_s`, bytes of the proof."""
    watch, started = Watch(Limits()), process_time()
    options = {"proof": "yes"} if with_proof else {}
    engine = plugins.find("backends", name).open_engine(name, formula.num_vars, 0, options)
    engine.add_batch(formula.buffer)
    lines = build(puzzle).lines if hasattr(engine, "observe") else ()
    for line in lines:
        engine.observe(line)
    num_cells = build(puzzle).num_vars
    while engine.solve((), watch) is plugins.Answer.SAT:
        values = engine.values()
        engine.add([-v if values[v] else v for v in range(1, num_cells + 1)])
    num_bytes = len(engine.proof()) if with_proof else 0
    return {"cpu_s": process_time() - started, **engine.statistics()}, num_bytes


def logging(name: str, puzzle: Nonogram, rounds: int) -> Figures:
    """Measure the cost of writing the proof."""
    formula = formula_of(puzzle)
    times: dict[bool, list[float]] = {False: [], True: []}
    num_bytes, same = 0, None
    for _ in range(rounds):
        for with_proof, seconds in times.items():
            figures, size = refuted(name, puzzle, formula, with_proof)
            seconds.append(figures.pop("cpu_s"))
            num_bytes = max(num_bytes, size)
            assert same in (None, figures), "with a proof the search is another one"
            same = figures
    assert same is not None
    plain, logged = (statistics.median(times[with_proof]) for with_proof in (False, True))
    return {
        "conflicts": same["conflicts"],
        "plain_s": round(plain, 3),
        "logged_s": round(logged, 3),
        "more": round(logged / plain - 1, 3),
        "proof_mib": round(num_bytes / 2**20, 2),
    }


def named(references: list[str]) -> Iterator[tuple[str, Nonogram]]:
    bundled = [f"{BUNDLED / file}#{name}" for file, ids in PUZZLES.items() for name in ids.split()]
    for reference in references or bundled:
        yield reference.rpartition("#")[2], formats.load(reference)


def totals(figures: Figures) -> Figures:
    """Return CPU seconds and lemmas over all puzzles that engines had to decide."""
    return {
        engine: {
            what: round(sum(one[engine][what] for one in figures.values()), 2)
            for what in ("prove_s", "verify_s", "logged", "lemmas")
        }
        for engine in ENGINES
    } | {"check_s": round(sum(one["check_s"] for one in figures.values()), 2)}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("puzzles", nargs="*", metavar="PUZZLE", help="FILE#ID")
    parser.add_argument(
        "--rounds", metavar="N", type=int, default=3, help="for the cost of writing"
    )
    parser.add_argument("--record", metavar="FILE", type=Path, help="write the figures as JSON")
    arguments = parser.parse_args()
    figures: Figures = {"on": surroundings(), "yardstick": yardstick(), "puzzles": {}}
    for name, puzzle in named(arguments.puzzles):
        one = proofs(puzzle)
        rounds = arguments.rounds if one["learn"]["prove_s"] < LONG_S else 1
        one["logging"] = {by: logging(by, puzzle, rounds) for by in LEARNERS}
        figures["puzzles"][name] = one
        print(f"{name}: {json.dumps(one)}", flush=True)
    figures["totals"] = totals(figures["puzzles"])
    print(f"totals: {json.dumps(figures['totals'])}")
    if arguments.record:
        arguments.record.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
