"""Connection to a Dask cluster, or start of one on this machine, with checks.

A client is returned only if its cluster has workers, with the same versions as this process; else
an error names the condition that is not met.

Access to a port of Dask's permits running code. A cluster of this machine therefore uses TLS with
keys made for it alone; a remote one does so if Dask's configuration names certificates, and a
warning is logged if it does not. Source: the documentation of distributed.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from multiprocessing import resource_tracker
from types import FrameType
from typing import Any

import dask
from distributed import Client, Nanny, Security, SpecCluster
from distributed.client import _maybe_call_security_loader
from distributed.gc import disable_gc_diagnosis

from nonosat.core.errors import BackendError, UnsupportedError, install_command
from nonosat.core.versions import versions
from nonosat.processes.cluster import LOCAL, num_local
from nonosat.processes.cluster.at_work import other_versions
from nonosat.processes.cluster.nodes import PagelessWorker, Scheduler
from nonosat.processes.interruption import raise_soon
from nonosat.processes.scratch import scratch_folder

COME_S = 20.0  # for the processes of a cluster on this machine
CONNECT_S = 5.0  # to reach the scheduler
MOST_GREETING = 2**20  # bytes of a scheduler's first message; it has some hundred
CLOSE_S = 5.0
# Nonosat itself repeats a task whose worker died, and Dask must not blame queued tasks.
_OWN_RULES = {
    "distributed.scheduler.allowed-failures": 0,
    "distributed.scheduler.worker-saturation": 1.0,
    "distributed.deploy.lost-worker-timeout": "60 s",  # time of a restart on a busy machine
}


class OpenCluster(str):
    """The address of a cluster that is open until `close`; accepted like an address.

    Reaching a scheduler takes a moment, starting one here some seconds; a command that needs a pool
    for each of many puzzles opens its cluster once. No answer depends on whether a cluster or its
    address was given. A context manager. Pickling, comparison and records use the address alone.

    Args:
        address: Address of the scheduler: `tls://HOST:PORT`, with the certificates that Dask's
            configuration names, or `HOST:PORT` without encryption. Or `local:N`: N private
            processes of this machine, ended by `close`.

    Attributes:
        client: Dask's client.
        num_workers: Number of parallel tasks.
        interrupts: Recorder of a Ctrl-C that arrives while Dask's code runs in this process.

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


def connect(address: str, opened: ExitStack) -> Any:
    """Return a client; closing `opened` closes it, and the cluster if this call started one."""
    opened.enter_context(_quiet())
    number = num_local(address)
    if number is None:
        place, security = address, _reach(address)
    else:
        place, security = opened.enter_context(_own_cluster(number)), None  # it has its own
    try:
        client = Client(place, timeout=CONNECT_S, set_as_default=False, security=security)
    except (OSError, ValueError, TypeError) as error:
        raise _no_owner(address, str(error)) from None
    opened.callback(client.close, timeout=CLOSE_S)
    return client


def _reach(address: str) -> Any:
    """Check that a scheduler answers at an address, and warn if it does so without TLS.

    Returns:
        Dask's `Security`, with the certificates for it.
    """
    scheme, _, place = address.rpartition("://")
    scheme = scheme or dask.config.get("distributed.comm.default-scheme")
    host, _, port = place.rpartition(":")
    if scheme not in ("tcp", "tls") or not host or not port.isdecimal():
        raise _no_owner(address, "this is not an address")
    security, context = _certificates(address)
    if scheme == "tcp" and security.require_encryption:
        raise UnsupportedError(
            f"Dask's configuration requires encryption, and {address!r} is without; "
            "expected tls://HOST:PORT"
        )
    if scheme == "tls" and context is None:
        raise UnsupportedError(
            f"{address!r} needs certificates, and Dask's configuration names none; expected "
            "files in PEM format as ca-file, client.cert and client.key of distributed.comm.tls"
        )
    _greet(address, (host.strip("[]"), int(port)), context if scheme == "tls" else None)
    if scheme == "tcp":
        _warn(address)
    return security


def _certificates(address: str) -> tuple[Any, Any]:
    """Return Dask's `Security` and the TLS context of a client; None without certificates."""
    try:
        security = _maybe_call_security_loader(address) or Security()
        return security, security.get_connection_args("client")["ssl_context"]
    except (OSError, ValueError, TypeError, ImportError) as error:
        raise UnsupportedError(
            f"the certificates that Dask's configuration names are of no use ({error}); expected "
            "files in PEM format as ca-file, client.cert and client.key of distributed.comm.tls"
        ) from None


def _greet(address: str, place: tuple[str, int], context: Any) -> None:
    """Check that a scheduler listens: it sends the first message, a length in 64 bits.

    Dask's own client waits for ever for another kind of server, and lingers after a failure. With
    TLS the scheduler sends only to clients whose certificate it accepts.
    """
    try:
        with ExitStack() as opened:
            connection = opened.enter_context(socket.create_connection(place, CONNECT_S))
            if context is not None:
                connection = opened.enter_context(context.wrap_socket(connection))
            greeting = connection.makefile("rb").read(8)
    except ssl.SSLError as error:
        raise UnsupportedError(
            f"no TLS with {address!r} ({error.reason or error}); expected a scheduler with TLS, "
            "and on both sides a certificate that the ca-file of the other side has signed"
        ) from None
    except (OSError, OverflowError, UnicodeError) as error:
        raise _no_owner(address, str(error)) from None
    if len(greeting) < 8 or int.from_bytes(greeting, "little") > MOST_GREETING:
        raise _no_owner(address, "something else does")


@cache  # once for each cluster
def _warn(address: str) -> None:
    logging.getLogger("nonosat").warning(
        "nonosat: the cluster %s is reached without TLS: any client that reaches one of its ports "
        "can run code on its machines and, through their answers, on this one; certificates "
        "prevent that, see the README of nonosat",
        address,
    )


def _no_owner(address: str, what: str) -> UnsupportedError:
    return UnsupportedError(
        f"no Dask scheduler answers at {address!r} ({what.partition(chr(10))[0]}); expected "
        "the address that `dask scheduler` prints when it starts, or local:N"
    )


@contextmanager
def _quiet() -> Iterator[None]:
    """Suppress Dask's log messages on workers that come and go; answers report failures."""
    logs = [logging.getLogger(name) for name in ("distributed", "asyncio")]
    before = [log.level for log in logs]
    for log in logs:
        log.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for log, level in zip(logs, before, strict=True):
            log.setLevel(level)


@contextmanager
def _own_cluster(number: int) -> Iterator[Any]:
    """Start a cluster of `number` processes with one thread each, yield it, and end it.

    Its processes accept only connections with keys that are made here.
    """
    place = {"host": "127.0.0.1", "protocol": "tls://", "security": _own_keys()}
    with (
        scratch_folder("cluster") as folder,
        dask.config.set(_OWN_RULES),
    ):
        nanny = {
            "cls": Nanny,
            "options": {
                **place,
                "worker_class": PagelessWorker,
                "nthreads": 1,
                "memory_limit": 0,  # nonosat enforces the limits of the puzzles
                "local_directory": folder,
                "silence_logs": logging.CRITICAL + 1,
            },
        }
        with _deaf_to_ctrl_c(), _born(number):
            cluster = SpecCluster(
                scheduler={"cls": Scheduler, "options": {**place, "port": 0}},
                workers=dict.fromkeys(range(number), nanny),
                worker=nanny,  # replacements for lost workers
                security=place["security"],
                silence_logs=logging.CRITICAL + 1,
            )
        disable_gc_diagnosis()  # in Dask's code Ctrl-C would be lost
        with cluster:
            try:
                yield cluster
            finally:
                _end_workers(cluster)


@contextmanager
def _born(number: int) -> Iterator[None]:
    """Convert the death of a cluster's process in the block, which starts them, to a BackendError.

    Raises:
        BackendError: A process died; with Dask's message and a remedy.
    """
    try:
        yield
    except (RuntimeError, OSError, TimeoutError) as error:
        texts = [str(error), str(error.__cause__ or "")]
        what = ": ".join(text.strip(".") for text in texts if text) or type(error).__name__
        raise BackendError(
            f"a process of the cluster {LOCAL}{number} died while it started ({what})",
            advice="is there memory for so many? Try again, or with fewer processes, or without a "
            "cluster",
        ) from error


def _own_keys() -> Any:
    """Return keys and certificates for one run.

    Dask passes them on in memory and through pipes. Python's TLS reads only files, so each process
    writes them for a moment to a folder that other users cannot enter.
    """
    try:
        return Security.temporary()
    except ImportError:
        raise UnsupportedError(
            "a cluster local:N needs the package cryptography, which is not installed; "
            f"{install_command('cluster')} installs it"
        ) from None


def _end_workers(cluster: Any) -> None:
    """Kill the workers: Dask would wait four seconds for them to finish their tasks."""
    for nanny in list(cluster.workers.values()):
        nanny.auto_restart = False
        if nanny.pid is not None:
            with suppress(ProcessLookupError):
                os.kill(nanny.pid, signal.SIGKILL)


class Interrupts:
    """Recorder of Ctrl-C: Python drops a KeyboardInterrupt in finalizers, of which Dask has many.

    A context manager, without effect if this process does not handle the signal.
    """

    def __init__(self) -> None:
        self._has_come = False
        self._before: Any = None  # the previous handler

    def __enter__(self) -> Interrupts:
        is_main = threading.current_thread() is threading.main_thread()
        before = signal.getsignal(signal.SIGINT)
        if is_main and before in (signal.default_int_handler, raise_soon):
            signal.signal(signal.SIGINT, self._handle)
            self._before = before
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        self._has_come = True
        signal.default_int_handler(number, frame)

    def check(self) -> None:
        """Raise KeyboardInterrupt if Ctrl-C was pressed since the last call or `forget`."""
        if self._has_come:
            self._has_come = False
            raise KeyboardInterrupt

    def forget(self) -> None:
        """Discard the record, after a KeyboardInterrupt that was not dropped."""
        self._has_come = False


@contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """Block SIGINT for threads started here, and for all their descendant processes.

    A terminal sends it to the workers too, but only the driver may decide what ends.
    """
    resource_tracker.ensure_running()  # which would unblock the signal later
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def checked_workers(client: Any, address: str) -> int:
    """Return the number of parallel tasks, after checking that all workers have our versions."""
    if number := num_local(address):  # some may have lost the connection and reconnect
        with suppress(TimeoutError):
            client.wait_for_workers(number, timeout=COME_S)
    workers = client.scheduler_info(n_workers=-1)["workers"]
    if not workers and number:
        raise BackendError(
            f"every process of the cluster {address} died while it started",
            advice="is there memory for so many? Try again, or with fewer",
        )
    if not workers:
        raise UnsupportedError(
            f"the cluster {address} has no workers; start some with `dask worker {address}`"
        )
    ours = versions()
    for worker, theirs in client.run(versions, on_error="return").items():
        if theirs != ours:
            raise other_versions(worker, theirs, ours)
    return sum(worker["nthreads"] for worker in workers.values())
