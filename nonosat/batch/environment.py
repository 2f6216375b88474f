"""Environment of a benchmark: versions, commit, machine. No names of hosts, users or folders."""

from __future__ import annotations

import platform
import shutil
import subprocess
from pathlib import Path
from typing import Any

from nonosat.core.versions import versions
from nonosat.processes import system


def environment() -> dict[str, Any]:
    """Return versions, commit and machine: the `environment` of a header (see `records.py`)."""
    found = versions()
    return {
        "nonosat": found["nonosat"],
        "commit": _commit(),
        "python": found["python"],
        "versions": {name: found[name] for name in sorted(found.keys() - {"nonosat", "python"})},
        "cpu": system.cpu_name(),
        "cores": system.num_cores(),
        "memory_mib": system.memory_mib(),
        "os": " ".join([platform.system(), *platform.release().split("-")[:1]]),
    }


def _commit() -> str | None:
    """Return the commit of the sources, with "-dirty" if they differ; None outside a checkout."""
    root, git = Path(__file__).parents[2], shutil.which("git")
    if git is None or not (root / ".git").exists():
        return None
    try:
        done = subprocess.run(  # noqa: S603 - fixed words
            [git, "-C", str(root), "describe", "--always", "--dirty"],
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError:  # there are too many processes
        return None
    return done.stdout.strip() or None
