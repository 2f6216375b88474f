"""Cost of loading the largest and oddest files: `python benchmarks/readers.py [WORD]...`.

Every reader gets the files that are hardest for it: boards of millions of cells, very long lines, a
million blank lines, a hundred thousand puzzles in a file, clues of a million blocks, gzip bombs,
texts of no known format. Each is read in a separate process: CPU seconds, mebibytes above those of
the bare process, and the result. WORD selects files by parts of their names. `--record` writes
`results/readers.json`.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import tempfile
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

from common import surroundings
from hard_others import FILES

from nonosat.formats import iter_sources

RESULTS = Path(__file__).parent / "results"
MOST_S = 60  # CPU seconds of one file
MOST_BYTES = 8 * 2**30  # address space of its process


class Cost(NamedTuple):
    """Cost of reading a file, and the result."""

    cpu_s: float
    mib: float
    found: str


def _read(path: str, pipe: Any) -> None:
    """Read a file in this new process, and send the cost."""
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_S, MOST_S))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    list(iter_sources([Path(__file__).parent.parent / "instances" / "hard.jsonl"]))
    bare, started = _peak_mib(), process_time()
    number, problem = 0, ""
    try:
        for _, item in iter_sources([path]):
            number += not isinstance(item, Exception)
            problem = problem or (str(item) if isinstance(item, Exception) else "")
    except MemoryError:
        problem = "out of memory"
    spent = process_time() - started
    found = problem.removeprefix(path)[:100] or f"puzzles: {number}"
    pipe.send(Cost(round(spent, 3), round(_peak_mib() - bare, 1), found))


def _peak_mib() -> float:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1024
    raise RuntimeError("no VmHWM in /proc/self/status")


def cost(path: str) -> Cost:
    """Return the cost of reading a file in a separate process."""
    context = multiprocessing.get_context("spawn")
    mine, others = context.Pipe(duplex=False)
    process = context.Process(target=_read, args=(path, others))
    process.start()
    others.close()
    try:
        found: Cost = mine.recv()
    except EOFError:
        found = Cost(MOST_S, 0, "ended without a word")
    process.join()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("words", nargs="*", metavar="WORD", help="parts of names of files")
    parser.add_argument("--record", action="store_true", help="write results/readers.json")
    asked = parser.parse_args()
    costs = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, make in FILES.items():
            if asked.words and not any(word in name for word in asked.words):
                continue
            path = Path(folder) / name
            path.write_bytes(make())
            size = path.stat().st_size
            found = cost(str(path))
            path.unlink()
            costs[name] = {"bytes": size, **found._asdict()}
            print(
                f"{name:36} {size / 1e6:7.1f} MB {found.cpu_s:8.2f} s {found.mib:8.0f} MiB "
                f" {found.found}",
                flush=True,
            )
    if asked.record:
        path = RESULTS / "readers.json"
        path.write_text(json.dumps({"on": surroundings(), "files": costs}, indent=1) + "\n")


if __name__ == "__main__":
    main()
