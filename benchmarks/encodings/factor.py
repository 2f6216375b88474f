"""Trial: does bounded variable addition find the bounds of the order encoding?

    python benchmarks/encodings/factor.py [--out FILE] [--limit S] [--per-class N] [--encodings E..]
    python benchmarks/encodings/factor.py --report FILE

CaDiCaL 3.0.0 refutes the clauses of a uniquely solvable puzzle and the clause that forbids its
solution, without and with its option `factor`, for several encodings of lines. Runs that FILE has
are not repeated. One JSON line for each run: CPU seconds, conflicts, propagations, size of the DRAT
proof, and the new variables that the proof introduces, by meaning.

Meaning: the first lemmas with a new variable x are `x or f` for each factor f, and `-x or q` for
the quotients. If all f, or all q, negate starts of one block (or new variables that themselves
follow from starts of it), x or its negation follows from a set of starts; literals of cells among
them are ignored. The set is a bound if it has the first or the last start of the block and no gap:
a variable of the order encoding.

Source: Manthey, Heule, Biere, "Automated reencoding of Boolean formulas" (HVC 2012), for bounded
variable addition; Haberlandt, Green, Heule, "Effective auxiliary variables via structured
reencoding" (SAT 2023).
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from time import process_time
from typing import Any

from selection import Item, items

import nonosat
from nonosat import export
from nonosat.clauses.cnf import Cnf
from nonosat.clauses.translate import translate

CLASSES = ["medium", "n-domino", "unique noise", "unique-hard"]
ENCODINGS = ("direct", "placements", "order-cover", "order")
ENGINE = "cadical300"
NUMBERS = ("cpu_s", "conflicts", "propagations", "proof_bytes")
KINDS = ("bound", "interval", "block", "other")  # sets of starts, and other meanings
Record = dict[str, Any]
Starts = dict[int, tuple[int, int, int]]  # variable: block, place among its starts, their number


def formula(item: Item, encoding: str) -> tuple[Cnf, Starts]:
    """Return the clauses of a unique puzzle without its solution, and the starts of `direct`."""
    solution = nonosat.solve(item.puzzle).solution
    whole = export.formula_of(item.puzzle, {"line": encoding}, forbidden=solution)
    cnf = Cnf(whole.model.num_vars)
    size = translate(whole.model, cnf, whole.encodings)
    cnf.add_batch(whole.further)
    starts: Starts = {}
    if encoding == "direct":
        firsts = [whole.model.num_vars + 1 + before for before in size.line_firsts]
        blocks = 0
        for line, first in zip(whole.model.lines, firsts, strict=True):
            gaps = sum(a.colour == b.colour for a, b in zip(line.clue, line.clue[1:], strict=False))
            num = len(line) - gaps - sum(block.length or 1 for block in line.clue) + 1
            for place in range(num * len(line.clue)):
                starts[first + place] = (blocks + place // num, place % num, num)
            blocks += len(line.clue)
    return cnf, starts


def run(item: Item, encoding: str, factor: int) -> Record:
    """Refute a formula and return the numbers."""
    from pysat.solvers import Solver

    cnf, starts = formula(item, encoding)
    solver = Solver(name=ENGINE, with_proof=True)
    solver.configure({"factor": factor})
    solver.append_formula([*cnf])
    started = process_time()
    answer = solver.solve()
    cpu_s = process_time() - started
    proof, counters = solver.get_proof(), solver.accum_stats()
    assert answer is False, f"{item.id} has a second solution"
    found: Record = {"cpu_s": round(cpu_s, 3), "proof_bytes": sum(len(one) + 1 for one in proof)}
    found |= {name: counters[name] for name in ("conflicts", "propagations")}
    found |= {"variables": cnf.num_vars, "clauses": cnf.num_clauses}
    return found | {"new": dict(meanings(proof, cnf.num_vars, starts))}


def definitions(proof: Iterable[str], num_vars: int) -> Iterator[tuple[int, list[list[int]]]]:
    """Yield each new variable of a proof with the lemmas that define it."""
    last, lemmas = 0, list[list[int]]()
    known: set[int] = set()
    for text in proof:
        if text.startswith("d"):
            continue
        lits = [int(word) for word in text.split()[:-1]]
        fresh = [abs(lit) for lit in lits if abs(lit) > num_vars and abs(lit) not in known]
        if fresh:
            if last:
                yield last, lemmas
            last, lemmas = fresh[0], []
            known.add(last)
        if last and any(abs(lit) == last for lit in lits) and len(lemmas) < 10_000:
            lemmas.append(lits)
        elif last and lemmas:
            yield last, lemmas
            last, lemmas = 0, []
    if last:
        yield last, lemmas


def meanings(proof: Iterable[str], num_vars: int, starts: Starts) -> Counter[str]:
    """Return the number of new variables by meaning."""
    sides: dict[int, set[int] | None] = {}  # by literal: starts from which it follows
    num_cells = min(starts, default=1) - 1
    found: Counter[str] = Counter()
    for variable, lemmas in definitions(proof, num_vars):
        for lit in (variable, -variable):
            rest = [[other for other in one if other != lit] for one in lemmas if lit in one]
            sides[lit] = _starts_of(rest, sides, starts, num_cells)
        kinds = [_kind(sides[lit], starts) for lit in (variable, -variable)]
        found[min(kinds, key=KINDS.index)] += 1
    return found


def _starts_of(
    clauses: Sequence[Sequence[int]],
    sides: dict[int, set[int] | None],
    starts: Starts,
    num_cells: int,
) -> set[int] | None:
    """Return the starts whose negations are the clauses; None for clauses of other forms."""
    every: set[int] = set()
    for clause in clauses:
        if len(clause) != 1:
            return None
        (lit,) = clause
        if abs(lit) <= num_cells:
            continue
        more = {-lit} if -lit in starts else sides.get(-lit)
        if more is None:
            return None
        every |= more
    return every


def _kind(found: set[int] | None, starts: Starts) -> str:
    if not found or len({starts[one][0] for one in found}) > 1:
        return "other"
    places = sorted(starts[one][1] for one in found)
    if places[-1] - places[0] + 1 > len(places):
        return "block"
    is_bound = places[0] == 0 or places[-1] == starts[min(found)][2] - 1
    return "bound" if is_bound else "interval"


# Runs


def _child(item: Item, encoding: str, factor: int, limit_s: int, sender: Any) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (limit_s, limit_s))
    try:
        sender.send(run(item, encoding, factor))
    except nonosat.UnsupportedError:
        sender.send({"refused": True})


def measured(item: Item, encoding: str, factor: int, limit_s: int) -> Record:
    """Return the record of a run in a process of its own."""
    context = get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=_child, args=(item, encoding, factor, limit_s, sender))
    child.start()
    sender.close()
    try:
        found = receiver.recv()
    except EOFError:
        found = {"limit_s": limit_s}
    child.join()
    what = {"class": item.kind, "id": item.id, "encoding": encoding, "factor": factor}
    return what | found


def report(records: Sequence[Record]) -> str:
    """Return the tables in Markdown: sums over the puzzles that both runs decide."""
    pairs: dict[tuple[str, str], list[tuple[Record, Record]]] = defaultdict(list)
    by_run = {(one["id"], one["encoding"], one["factor"]): one for one in records}
    for one in records:
        other = by_run.get((one["id"], one["encoding"], 1))
        if one["factor"] == 0 and other is not None and "refused" not in one:
            pairs[one["class"], one["encoding"]].append((one, other))
    lines = [
        "| class | encoding | decided without / with | CPU s | conflicts | propagations | proof MB "
        "| variables + new | bounds, intervals, others of a block, rest |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for (kind, encoding), both in sorted(pairs.items()):
        decided = [sum("cpu_s" in pair[side] for pair in both) for side in (0, 1)]
        done = [pair for pair in both if all("cpu_s" in one for one in pair)]
        cells = [kind, encoding, f"{decided[0]} / {decided[1]} of {len(both)}"]
        for name in NUMBERS:
            sums = [sum(pair[side][name] for pair in done) for side in (0, 1)]
            cells.append(" / ".join(_text(name, one) for one in sums))
        new = sum((Counter(pair[1]["new"]) for pair in done), Counter[str]())
        cells.append(f"{sum(pair[0]['variables'] for pair in done):,} + {new.total():,}")
        cells.append(", ".join(f"{new[one]:,}" for one in KINDS) if encoding == "direct" else "")
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _text(name: str, number: float) -> str:
    if name == "proof_bytes":
        return f"{number / 1e6:.1f}"
    return f"{number:.1f}" if name == "cpu_s" else f"{number:,}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("factor.jsonl"))
    parser.add_argument("--limit", type=int, default=30, help="CPU seconds of a run")
    parser.add_argument("--per-class", type=int, default=3)
    parser.add_argument("--encodings", nargs="+", default=ENCODINGS)
    parser.add_argument("--report", type=Path, help="print the tables of a file of records")
    given = parser.parse_args()
    if given.report:
        print(report([json.loads(line) for line in given.report.read_text().splitlines()]))
        return
    known = given.out.read_text().splitlines() if given.out.exists() else []
    done = {(one["id"], one["encoding"], one["factor"]) for one in map(json.loads, known)}
    every = product(items(CLASSES, given.per_class), given.encodings, (0, 1))
    with given.out.open("a") as file:
        for item, encoding, factor in every:
            if (item.id, encoding, factor) not in done:
                record = measured(item, encoding, factor, given.limit)
                file.write(f"{json.dumps(record)}\n")
                file.flush()
                print(*record.values(), file=sys.stderr)


if __name__ == "__main__":
    main()
