"""Twenty minutes of `nonosat fuzz` over all families, engines and options; runs accumulate.

Each seed is another run, on all cores. `--record` adds a run to those of other seeds. The memory of
the answering processes, and of the leading one, is recorded by quarters of the run, so that growth
is visible.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from record import RESULTS, Asked, Figures, perform, recorded

from nonosat.processes.memory import resident_mib

SECONDS = 1200
LOOK_EVERY_S = 1.0


def soaked(seed: int, *options: str) -> tuple[Figures, list[float], list[float]]:
    """Run the command.

    Returns:
        Its report; peaks of memory of the processes that answered, by chunk; resident memory of the
        command's own process, by second.
    """
    with tempfile.TemporaryDirectory() as scratch:
        record = Path(scratch, "record.jsonl")
        command = [sys.executable, "-m", "nonosat", "fuzz", "--json", "--quiet"]
        command += ["--seed", str(seed), "-o", str(record), "--failures", f"{scratch}/failures"]
        own = []
        with (
            Path(scratch, "report.json").open("w+") as report,
            subprocess.Popen([*command, *options], stdout=report) as process,
        ):
            while process.poll() is None:
                own.append(resident_mib(process.pid))
                time.sleep(LOOK_EVERY_S)
            report.seek(0)
            found = json.loads(report.read() or "null")
        if process.returncode not in (0, 1) or found is None:
            sys.exit(f"{' '.join(command)} ended with status {process.returncode}")
        lines = map(json.loads, record.read_text().splitlines())
        return found, [line["mib"] for line in lines if line["kind"] == "chunk"], own


def quarters(values: list[float]) -> list[float]:
    """Return the largest value of each quarter."""
    size = max(1, (len(values) + 3) // 4)
    return [round(max(values[at : at + size]), 1) for at in range(0, len(values), size)]


def run_of(asked: Asked) -> Figures:
    """Return the figures of one run."""
    options = ("--seconds", "120", "--cases", "20") if asked.short else ("--seconds", str(SECONDS))
    found, workers, own = soaked(asked.seed, *options)
    return {
        "seed": asked.seed,
        "wall_s": round(found["wall_s"], 1),
        "cases": found["cases"],
        "answers": found["answers"],
        "failures": [failure["text"] for failure in found["failures"]],
        "worker_mib_by_quarter": quarters(workers),
        "own_mib_by_quarter": quarters(own),
        "counts": found["counts"],
    }


def check(asked: Asked) -> Figures:
    """Return the figures of this run, and of recorded runs with other seeds."""
    runs = [run_of(asked)]
    if not asked.short and (RESULTS / "soak.json").exists():
        runs += [run for run in recorded("soak")["runs"] if run["seed"] != asked.seed]
    runs.sort(key=lambda run: run["seed"])
    checked = {
        "puzzles": sum(run["cases"] for run in runs),
        "answers": sum(run["answers"] for run in runs),
    }
    if not asked.short:
        checked["hours"] = round(sum(run["wall_s"] for run in runs) / 3600, 2)
    return {
        "checked": checked,
        "failures": [f"seed {run['seed']}: {text}" for run in runs for text in run["failures"]],
        "runs": runs,
    }


if __name__ == "__main__":
    perform("soak", check)
