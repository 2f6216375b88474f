"""Reading how much memory a process uses."""

from __future__ import annotations

import os
from pathlib import Path

_PAGES_PER_MIB = 2**20 // os.sysconf("SC_PAGE_SIZE")


def resident_mib(pid: int | None) -> float:
    """Resident memory of a process (None: this one); 0 when it has ended."""
    try:
        statm = Path(f"/proc/{pid or 'self'}/statm").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return int(statm.split()[1]) / _PAGES_PER_MIB
