"""A cluster that stays open: pools that come one after the other share it.

Reaching a scheduler takes a moment, starting one here some seconds; a command that needs a pool for
each of many puzzles does so once. Invariant: what is open is an argument like the address that it
stands for, and no answer depends on which of the two was given.
"""

from __future__ import annotations

from contextlib import ExitStack

from nonosat.processes.cluster.connecting import Interrupts, checked_workers, connect


class OpenCluster(str):
    """The address of a cluster, which is open until `close`; serves wherever an address does.

    A context manager. Pickled, recorded and compared it is the address alone.

    Args:
        address: Of the scheduler: `tls://HOST:PORT`, with the certificates that Dask's
            configuration names, or `HOST:PORT` without encryption. Or `local:N`: N processes of
            this machine that nobody else can use, ended by `close`.

    Attributes:
        client: Dask's.
        num_workers: Tasks that are done at once.
        interrupts: Remembers Ctrl-C as long as Dask is at work here.

    Raises:
        UnsupportedError: Dask is not installed, there is no such cluster, it has no workers, or
            they have other versions than this process; or the certificates do not fit.
    """

    __slots__ = ("_opened", "client", "interrupts", "num_workers")

    def __init__(self, address: str) -> None:
        with ExitStack() as opened:
            self.client = connect(address, opened)
            self.num_workers = checked_workers(self.client, address)
            self.interrupts = opened.enter_context(Interrupts())
            self._opened = opened.pop_all()

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        return str, (str(self),)

    def __enter__(self) -> OpenCluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End what was started, and leave the rest."""
        self._opened.close()
