"""The work on runs: each goes to a zygote (`process.py`), here or on a cluster.

A zygote that dies is replaced and its run is done again; a run during which zygotes die three times
is recorded as a crash. A zygote holds its runs to their limits by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nonosat.bench.book import Reply, crash
from nonosat.bench.process import Message, Zygote
from nonosat.core.errors import NonosatError
from nonosat.processes.tools import Work


@dataclass(frozen=True, slots=True)
class Running(Work[Message, Zygote]):
    """Work whose pieces are messages, and whose outcomes are replies.

    Args:
        configurations: Their options, to import what they need.
    """

    configurations: Sequence[Mapping[str, Any]]

    name = "processes that fork runs"
    most_deaths = 3

    def start(self) -> Zygote:
        return Zygote([dict(options) for options in self.configurations])

    def give(self, process: Zygote, pieces: Sequence[Message]) -> None:
        (message,) = pieces
        process.begin(message)

    def take(self, process: Zygote) -> tuple[Reply, bool]:
        return process.finish(), False

    def ended(self, error: NonosatError, seconds: float) -> Reply:
        del seconds  # of several tries
        return crash(str(error))
