"""Report of the runs of `run.py`: tables and curves, as `results.md` and `results.svg`.

    python benchmarks/encodings/report.py [RESULTS]

PAR-2 is the mean over puzzles of CPU seconds, with twice the time limit if a method did not decide
the puzzle (Fleury and Heule, SAT competitions). Methods are compared on the puzzles that all of
them ran on; those that ran on far fewer are in a separate table, with the others on the same
puzzles.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import cactus

from nonosat.core.errors import counted

HERE = Path(__file__).parent
SETTLED = ("unique", "multiple", "unsolvable")
Record = dict[str, Any]
Table = list[list[str]]
FEW = 0.8  # minimum share of the puzzles for the comparison on all


def method_of(record: Record) -> tuple[str, str]:
    """Return engine and line method."""
    return record["engine"], record["line"]


def widely_run(records: Sequence[Record]) -> list[Record]:
    """Return the records without those of methods that ran on few puzzles."""
    counts = Counter(map(method_of, records))
    return [r for r in records if counts[method_of(r)] >= FEW * max(counts.values())]


class Runs:
    """The records of a run by (engine, line) and puzzle, on the puzzles common to all methods."""

    def __init__(self, records: Sequence[Record]) -> None:
        self.methods = list(dict.fromkeys(map(method_of, records)))
        counts = Counter(r["puzzle"] for r in records)
        self.left_out = sorted(p for p, n in counts.items() if n < len(self.methods))
        kept = [r for r in records if r["puzzle"] not in self.left_out]
        self.classes = list(dict.fromkeys(r["class"] for r in kept))
        self.puzzles = {r["puzzle"]: r["class"] for r in kept}
        self._records = {(*method_of(r), r["puzzle"]): r for r in kept}

    @property
    def engines(self) -> list[str]:
        return list(dict.fromkeys(engine for engine, _ in self.methods))

    def records(self) -> Iterable[Record]:
        """Return all records."""
        return self._records.values()

    def of(self, engine: str, line: str, kind: str = "") -> list[Record]:
        """Return the records of a method, of one class or all."""
        return [
            self._records[engine, line, puzzle]
            for puzzle, its in self.puzzles.items()
            if kind in ("", its)
        ]


def is_solved(record: Record) -> bool:
    """Return True if the method decided the puzzle."""
    return record["verdict"] in SETTLED


def par2(records: Iterable[Record]) -> float:
    """Return mean CPU seconds; an undecided puzzle counts twice its time limit."""
    return statistics.fmean(r["cpu_s"] if is_solved(r) else 2 * r["limit_s"] for r in records)


def _cell(records: Sequence[Record]) -> str:
    """Return PAR-2, and the number solved if not all are."""
    num_solved = sum(map(is_solved, records))
    missing = f" ({num_solved}/{len(records)})" if num_solved < len(records) else ""
    return f"{par2(records):.3g}{missing}"


def _markdown(head: Sequence[str], body: Table) -> str:
    rows = [list(head), ["---", *["---:"] * (len(head) - 1)], *body]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def par2_table(runs: Runs, engine: str) -> str:
    """Return PAR-2 of an engine by line method and class, the best in total first."""
    ranked = sorted(
        (line for name, line in runs.methods if name == engine),
        key=lambda line: par2(runs.of(engine, line)),
    )
    body = [
        [line, *(_cell(runs.of(engine, line, kind)) for kind in ["", *runs.classes])]
        for line in ranked
    ]
    return _markdown([engine, "all", *runs.classes], body)


def effort_table(runs: Runs) -> str:
    """Return the effort of the methods on the puzzles that all of them solved.

    Methods that solved less than two thirds are omitted, because they would leave few puzzles.
    """
    body = []
    for engine in runs.engines:
        by_line = {line: runs.of(engine, line) for name, line in runs.methods if name == engine}
        able = {
            line: records
            for line, records in by_line.items()
            if 3 * sum(map(is_solved, records)) >= 2 * len(records)
        }
        common = [
            i for i in range(len(runs.puzzles)) if all(is_solved(r[i]) for r in able.values())
        ]
        for line, records in able.items():
            here = [records[i] for i in common]
            values = [_total(here, key) for key in ("conflicts", "propagations", "cpu_s")]
            body.append([engine, line, str(len(here)), *values])
    return _markdown(["engine", "line", "puzzles", "conflicts", "propagations", "CPU s"], body)


def proof_table(runs: Runs) -> str:
    """Return the size of proofs of uniqueness, on the puzzles with proofs by all these methods."""
    body = []
    for engine in runs.engines:
        by_line = {line: runs.of(engine, line) for name, line in runs.methods if name == engine}
        provable = [
            any("proof_bytes" in r for r in row) for row in zip(*by_line.values(), strict=True)
        ]
        able = {
            line: records
            for line, records in by_line.items()
            if 3 * sum("proof_bytes" in r for r in records) >= 2 * sum(provable) > 0
        }
        common = [
            i for i in range(len(runs.puzzles)) if all("proof_bytes" in r[i] for r in able.values())
        ]
        for line, records in able.items():
            here = [records[i] for i in common]
            values = [_total(here, key) for key in ("proof_conflicts", "proof_lemmas")]
            mib = sum(r["proof_bytes"] for r in here) / 2**20
            body.append([engine, line, str(len(here)), *values, f"{mib:.2f}"])
    return _markdown(["engine", "line", "puzzles", "conflicts", "lemmas", "MiB"], body)


def _total(records: Sequence[Record], key: str) -> str:
    """Return the sum of a figure; "-" if the engine does not report it."""
    if any(key not in record for record in records):
        return "-"
    total = sum(record[key] for record in records)
    return f"{total:,.2f}" if isinstance(total, float) else f"{total:,}"


def size_table(runs: Runs) -> str:
    """Return size and speed of the encodings, as measured with glucose421."""
    body = []
    for engine, line in runs.methods:
        made = [r for r in runs.of(engine, line) if r.get("encode_s") and r.get("clauses")]
        if engine != "glucose421" or not made:
            continue
        clauses = sum(r["clauses"] for r in made)
        auxiliaries = sum(r["auxiliaries"] for r in made)
        rate = clauses / sum(r["encode_s"] for r in made) / 1e6
        body.append([line, str(len(made)), f"{auxiliaries:,}", f"{clauses:,}", f"{rate:.2f}"])
    head = ["encoding", "puzzles", "auxiliary variables", "clauses", "million clauses/s"]
    return _markdown(head, body)


def undecided_table(runs: Runs) -> str:
    """Return the numbers of undecided puzzles by cause."""
    body = []
    for engine, line in runs.methods:
        counts = Counter(r["verdict"] for r in runs.of(engine, line) if not is_solved(r))
        if counts:
            numbers = (counts["unknown"], counts["refused"], counts["failed"])
            body.append([engine, line, *map(str, numbers)])
    if not body:
        return "Nothing: every method decided every puzzle."
    return _markdown(["engine", "line", "time limit", "refused", "failed"], body)


def sections(runs: Runs, few: Runs) -> list[tuple[str, str]]:
    """Return (title, table) of each section of the report."""
    by_engine = "PAR-2 with {} (CPU seconds; decided/puzzles where not all)"
    found = [(by_engine.format(engine), par2_table(runs, engine)) for engine in runs.engines]
    if len(few.methods) > len(runs.methods):
        title = (
            by_engine + f", on {counted(len(few.puzzles), 'puzzle')} that every method was given"
        )
        found += [(title.format(engine), par2_table(few, engine)) for engine in few.engines]
    effort = (
        "Effort in all, on the puzzles that all these methods of the engine decided "
        "(without methods that decided less than two thirds)"
    )
    found.append((effort, effort_table(runs)))
    if any("proof_bytes" in record for record in runs.records()):
        proofs = "Proofs that the solution is the only one, on the puzzles of which all have one"
        found.append((proofs, proof_table(runs)))
    found.append(("Size and speed of encoding", size_table(runs)))
    found.append(("Not decided", undecided_table(runs)))
    return found


def report(records: Sequence[Record], plot: str) -> str:
    """Return the whole report as Markdown; `plot` is the file with the curves."""
    runs, few = Runs(widely_run(records)), Runs(records)
    kinds = Counter(runs.puzzles.values())
    first = records[0]
    intro = (
        f"{len(runs.puzzles)} puzzles, two solutions requested, {first['limit_s']:g} s each, "
        f"presolve {first['presolve']}: "
        + ", ".join(f"{kind} {n}" for kind, n in kinds.items())
        + "."
    )
    if runs.left_out:
        intro += f"\n\nNot given to all methods, and left out: {', '.join(runs.left_out)}."
    parts = ["# Encodings compared", intro, f"![cactus plot]({plot})"]
    parts += [f"## {title}\n\n{text}" for title, text in sections(runs, few)]
    return "\n\n".join(parts) + "\n"


def curves(runs: Runs) -> dict[str, dict[str, list[float]]]:
    """Return sorted CPU seconds of the solved puzzles, by engine and line method."""

    def seconds(engine: str, line: str) -> list[float]:
        return sorted(r["cpu_s"] for r in runs.of(engine, line) if is_solved(r))

    return {
        engine: {line: seconds(engine, line) for name, line in runs.methods if name == engine}
        for engine in runs.engines
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the report into the folder of the results; return the exit status."""
    parser = argparse.ArgumentParser(description="Report on a comparison of encodings.")
    parser.add_argument("results", nargs="?", type=Path, default=HERE / "results.jsonl")
    path = parser.parse_args(arguments).results
    records = [json.loads(line) for line in path.read_text().splitlines()]
    settings = {(record["limit_s"], record["presolve"]) for record in records}
    if len(settings) != 1:
        sys.exit(f"{path} mixes runs with (time limit, presolve) {sorted(settings)}; keep one")
    runs = Runs(widely_run(records))
    if not runs.puzzles:
        sys.exit(f"{path} holds no puzzle that all methods were given; let run.py go on")
    path.with_suffix(".md").write_text(report(records, path.with_suffix(".svg").name))
    path.with_suffix(".svg").write_text(cactus.plot(curves(runs)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
