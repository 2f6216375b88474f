"""A cluster that stays open, shared by consecutive pools.

Reaching a scheduler takes a moment, starting one here some seconds; a command that needs a pool for
each of many puzzles does so once. Invariant: an open cluster is an argument like its address, and
no answer depends on which of the two was given.
"""

from __future__ import annotations

from contextlib import ExitStack

from nonosat.processes.cluster.connecting import Interrupts, checked_workers, connect


class OpenCluster(str):
    """The address of a cluster that is open until `close`; accepted like an address.

    A context manager. Pickled, recorded and compared it is the address alone.

    Args:
        address: Address of the scheduler: `tls://HOST:PORT`, with the certificates that Dask's
            configuration names, or `HOST:PORT` without encryption. Or `local:N`: N private
            processes of this machine, ended by `close`.

    Attributes:
        client: Dask's client.
        num_workers: Number of parallel tasks.
        interrupts: Recorder of Ctrl-C while Dask's code runs here.

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
        """End the processes that were started here."""
        self._opened.close()
