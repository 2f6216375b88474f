"""What a benchmark ran on: versions, commit, machine. No names of hosts, users or folders."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from pathlib import Path
from typing import Any

from nonosat.versions import versions

_KIB_PER_MIB = 1024


def environment() -> dict[str, Any]:
    """The `environment` of a header; see `records.py`."""
    found = versions()
    return {
        "nonosat": found["nonosat"],
        "commit": _commit(),
        "python": found["python"],
        "versions": {name: found[name] for name in sorted(found.keys() - {"nonosat", "python"})},
        "cpu": _value_of("/proc/cpuinfo", "model name") or platform.machine(),
        "cores": num_cores(),
        "memory_mib": int((_value_of("/proc/meminfo", "MemTotal") or "0").split()[0])
        // _KIB_PER_MIB,
        "os": " ".join([platform.system(), *platform.release().split("-")[:1]]),
    }


def num_cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0))


def _value_of(path: str, name: str) -> str:
    """The value of the first line `name: value`."""
    for line in Path(path).read_text().splitlines():
        key, _, value = line.partition(":")
        if key.strip() == name:
            return value.strip()
    return ""


def _commit() -> str | None:
    """The commit of the sources, "-dirty" behind it where they differ; None outside a checkout."""
    root, git = Path(__file__).parents[2], shutil.which("git")
    if git is None or not (root / ".git").exists():
        return None
    done = subprocess.run(  # noqa: S603 - fixed words
        [git, "-C", str(root), "describe", "--always", "--dirty"],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.strip() or None
