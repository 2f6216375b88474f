"""The tool that does runs, one after the other, on a zygote (`process.py`), here or on a cluster.

A zygote that dies is replaced and its run done again; a run with which zygotes die three times has
the reply of a crash. Invariant: there is one reply for each message, in their order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from nonosat.bench.book import Reply, death_of_zygote
from nonosat.bench.process import Message, Zygote, ZygoteDied
from nonosat.errors import BackendError
from nonosat.processes.waiting import readable

MOST_DEATHS = 3


@dataclass(frozen=True, slots=True)
class Running:
    """The work on tasks that are messages; see `nonosat.processes.pools.Work`.

    Args:
        configurations: Their options, to import what they need.
    """

    configurations: Sequence[Mapping[str, Any]]

    def open(self) -> Runner:
        """What does runs."""
        return Runner(self.configurations)


class Runner:
    """A zygote, or none yet, and the messages that it has to do.

    Args:
        configurations: See `Running`.
    """

    def __init__(self, configurations: Sequence[Mapping[str, Any]]) -> None:
        self._configurations = [dict(options) for options in configurations]
        self._zygote: Zygote | None = None
        self._is_ready = False  # it has imported what it needs
        self._messages: Sequence[Message] = ()
        self._replies: list[Reply] = []
        self._num_deaths = 0  # of zygotes at the run under way
        self._num_false_starts = 0  # of zygotes, one after the other

    def begin(self, task: Sequence[Message]) -> None:
        """See `Tool`."""
        self._messages, self._replies, self._num_deaths = task, [], 0
        if self._zygote is None:
            self._start()
        else:
            self._give(self._zygote)

    def fileno(self) -> int:
        """See `LocalTool`."""
        return -1 if self._zygote is None else self._zygote.fileno()

    def wait(self, patience_s: float) -> list[Reply] | None:
        """All replies; see `Tool`.

        Raises:
            BackendError: Zygotes do not even start.
        """
        assert self._zygote is not None
        if not readable([self._zygote], patience_s):
            return None
        try:
            reply = self._zygote.finish()
        except ZygoteDied as death:
            self._bury(str(death))
        else:
            if self._is_ready:
                self._replies.append(reply)
                self._num_deaths = 0
            self._num_false_starts, self._is_ready = 0, True
        if len(self._replies) == len(self._messages):
            return self._replies
        if self._zygote is None:
            self._start()
        else:
            self._give(self._zygote)
        return None

    def close(self) -> None:
        """End the zygote with all that is below it."""
        zygote, self._zygote, self._is_ready = self._zygote, None, False
        if zygote is not None:
            zygote.close()

    def _start(self) -> None:
        self._zygote = Zygote(self._configurations)

    def _give(self, zygote: Zygote) -> None:
        """Begin the first run that has no reply."""
        with suppress(ZygoteDied):  # noticed when its answer is taken
            zygote.begin(self._messages[len(self._replies)])

    def _bury(self, words: str) -> None:
        """The zygote has died: its run is to be done again, or given up."""
        if self._is_ready:
            self._num_deaths += 1
        else:
            self._num_false_starts += 1
        self.close()
        if self._num_false_starts == MOST_DEATHS:
            raise BackendError(f"the process that forks runs does not start: {words}")
        if self._num_deaths == MOST_DEATHS:
            self._replies.append(death_of_zygote(words))
            self._num_deaths = 0
