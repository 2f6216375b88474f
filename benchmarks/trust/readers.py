"""Readers of files applied to arbitrary bytes: puzzles or a refusal, soon, in little memory.

The whole form fuzzes each reader with atheris, guided by coverage, ten minutes in total (`pip
install atheris`; no other part depends on it). The short form reads 10,000 mutations of valid
files, without it. In both no file may raise anything but a refusal, take a second, or need more
than 256 MiB; and a puzzle that was read is written, read again, and its model is built.
"""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from reading import readers, tried
from record import Asked, Figures, perform

NUM_FILES = 10_000
FUZZED_S = 600
SLOW_S = 1.0
MOST_MIB = 256
_FUZZING = Path(__file__).with_name("fuzzing.py")
INSTALL = "atheris is needed for the whole check: pip install atheris; --short goes without"


def short(asked: Asked) -> Figures:
    """Read mutations of valid files, without guidance."""
    from helpers.mutations import Mutator

    checked: Counter[str] = Counter()
    num_read: Counter[str] = Counter()
    failures, slowest = [], 0.0
    with tempfile.TemporaryDirectory() as name:
        every = readers(Path(name))
        everything = [data for valid, _ in every.values() for data in valid]
        for number, (title, (valid, reader)) in enumerate(every.items()):
            share = NUM_FILES // len(every) + (number < NUM_FILES % len(every))
            mutator = Mutator(
                [*valid * (4 * len(everything) // len(valid)), *everything],
                asked.seed * 1000 + number,
            )
            for _ in range(share):
                data = mutator.file()
                one = tried(reader, data)
                slowest = max(slowest, one.seconds)
                checked[title] += 1
                num_read[title] += one.is_read
                wrong = one.wrong or (f"{one.seconds:.1f} s" if one.seconds > SLOW_S else "")
                if wrong:
                    failures.append(f"{title}: {wrong}: {data[:300]!r}")
    peak = peak_mib()
    if peak > MOST_MIB:
        failures.append(f"{peak} MiB of memory, expected at most {MOST_MIB}")
    found = {"read": dict(num_read), "slowest_s": round(slowest, 2), "peak_mib": peak}
    return {"checked": dict(checked), "failures": failures, **found}


def peak_mib() -> int:
    """Return the peak resident memory of this process, without that of its parent."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) // 1024


def whole(asked: Asked) -> Figures:
    """Fuzz each reader in a separate process, with atheris."""
    if importlib.util.find_spec("atheris") is None:
        sys.exit(INSTALL)
    with tempfile.TemporaryDirectory() as name:
        titles = list(readers(Path(name)))
    every = {title: _fuzzed(title, FUZZED_S // len(titles), asked.seed) for title in titles}
    failures = [
        f"{title}: {found['failure']}" for title, found in every.items() if found["failure"]
    ]
    checked = {title: found["executions"] for title, found in every.items()}
    return {"checked": checked, "failures": failures, "readers": every}


def _fuzzed(title: str, seconds: int, seed: int) -> dict[str, Any]:
    """Return libFuzzer's results for a reader."""
    with tempfile.TemporaryDirectory() as name:
        command = [sys.executable, str(_FUZZING), title, str(seconds), str(seed + 1), name]
        ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=name)
    said = ran.stderr
    covered = re.findall(r"cov: (\d+) ft: (\d+) corp: (\d+)", said) or [("0", "0", "0")]
    executed = re.search(r"number_of_executed_units: (\d+)", said)
    peak = re.search(r"peak_rss_mb:\s+(\d+)", said)
    lines = [line for line in said.splitlines() if "ERROR" in line or "Error:" in line]
    failure = "" if ran.returncode == 0 else " | ".join([*lines[:3], said[-600:]])
    return {
        "executions": int(executed[1]) if executed else 0,
        "edges": int(covered[-1][0]),
        "features": int(covered[-1][1]),
        "corpus": int(covered[-1][2]),
        "peak_mib": int(peak[1]) if peak else 0,
        "failure": failure,
    }


def check(asked: Asked) -> Figures:
    """Run the short or the whole form."""
    import logging

    logging.getLogger("nonosat").setLevel(logging.ERROR)  # remarks on the files read
    return short(asked) if asked.short else whole(asked)


if __name__ == "__main__":
    perform("readers", check)
