"""Reaching a Dask cluster, or starting one on this machine, and making sure that it will do.

Everything here ends with a client whose cluster has workers of the same versions as this process,
or with an error that says what is missing.

Whoever reaches a port of Dask's can run code there. A cluster of this machine therefore speaks TLS
with keys made for it alone; one elsewhere does so where Dask's configuration names certificates,
and a warning is logged where it does not. Source: the documentation of distributed.
"""

from __future__ import annotations

import logging
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from types import FrameType
from typing import Any

from nonosat.core.errors import BackendError, UnsupportedError, install_command
from nonosat.core.versions import versions
from nonosat.processes.cluster.at_work import other_versions
from nonosat.processes.interruption import raise_soon
from nonosat.processes.scratch import scratch_folder

LOCAL = "local:"
COME_S = 20.0  # for the processes of a cluster on this machine
CONNECT_S = 5.0  # to reach the scheduler
MOST_GREETING = 2**20  # bytes of a scheduler's first message; it has some hundred
CLOSE_S = 5.0
# A task whose worker died is left to us, and no task is blamed for what it only waited behind.
_OWN_RULES = {
    "distributed.scheduler.allowed-failures": 0,
    "distributed.scheduler.worker-saturation": 1.0,
    "distributed.deploy.lost-worker-timeout": "60 s",  # to start again, on a busy machine
}


def num_local(address: str) -> int | None:
    """The N of `local:N`; None for the address of a scheduler.

    Raises:
        UnsupportedError: It is neither.
    """
    if not address.startswith(LOCAL):
        return None
    number = address.removeprefix(LOCAL)
    if not (number.isascii() and number.isdigit() and 0 < int(number) < 10**6):
        raise UnsupportedError(
            f"a cluster {address!r}, expected local:N with N processes, or the address of a "
            "Dask scheduler (tls://HOST:PORT, or HOST:PORT without encryption)"
        )
    return int(number)


def connect(address: str, opened: ExitStack) -> Any:
    """A client; `opened` closes it, and the cluster if it is ours."""
    try:
        from distributed import Client
    except ImportError:
        raise UnsupportedError(
            "a cluster needs the package distributed, which is not installed; "
            f"{install_command('cluster')} installs it"
        ) from None
    opened.enter_context(_quiet())
    number = num_local(address)
    if number is None:
        place, security = address, _reach(address)
    else:
        place, security = opened.enter_context(_own_cluster(number)), None  # it has its own
    try:
        client = Client(place, timeout=CONNECT_S, set_as_default=False, security=security)
    except (OSError, ValueError, TypeError) as error:
        raise _nobody(address, str(error)) from None
    opened.callback(client.close, timeout=CLOSE_S)
    return client


def _reach(address: str) -> Any:
    """Make sure that a scheduler answers there, and warn where it does so without TLS.

    Returns:
        Dask's `Security`, with the certificates for it.
    """
    import dask

    scheme, _, place = address.rpartition("://")
    scheme = scheme or dask.config.get("distributed.comm.default-scheme")
    host, _, port = place.rpartition(":")
    if scheme not in ("tcp", "tls") or not host or not port.isdecimal():
        raise _nobody(address, "this is no address")
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
    """Dask's `Security`, and the TLS context of a client; None where no certificates are named."""
    from distributed import Security
    from distributed.client import _maybe_call_security_loader

    try:
        security = _maybe_call_security_loader(address) or Security()
        return security, security.get_connection_args("client")["ssl_context"]
    except (OSError, ValueError, TypeError, ImportError) as error:
        raise UnsupportedError(
            f"the certificates that Dask's configuration names are of no use ({error}); expected "
            "files in PEM format as ca-file, client.cert and client.key of distributed.comm.tls"
        ) from None


def _greet(address: str, place: tuple[str, int], context: Any) -> None:
    """Make sure that a scheduler listens there: it speaks first, a number of bytes in 64 bits.

    Dask's own client waits for ever for a server of something else, and lingers after a failure.
    With TLS the scheduler speaks only to clients whose certificate it accepts.
    """
    import socket
    import ssl

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
        raise _nobody(address, str(error)) from None
    if len(greeting) < 8 or int.from_bytes(greeting, "little") > MOST_GREETING:
        raise _nobody(address, "something else does")


@cache  # once for each cluster
def _warn(address: str) -> None:
    logging.getLogger("nonosat").warning(
        "nonosat: the cluster %s is reached without TLS: whoever reaches one of its ports can run "
        "code on its machines and, through their answers, on this one; certificates prevent "
        "that, see the README of nonosat",
        address,
    )


def _nobody(address: str, what: str) -> UnsupportedError:
    return UnsupportedError(
        f"no Dask scheduler answers at {address!r} ({what.partition(chr(10))[0]}); expected "
        "the address that `dask scheduler` prints when it starts, or local:N"
    )


@contextmanager
def _quiet() -> Iterator[None]:
    """What Dask logs of workers that come and go is not the user's business: answers tell it."""
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
    """So many processes with one thread each, which talk to nobody without the keys made here."""
    import dask
    from distributed import Nanny, SpecCluster
    from distributed.gc import disable_gc_diagnosis

    from nonosat.processes.cluster.nodes import Scheduler, Worker

    place = {"host": "127.0.0.1", "protocol": "tls://", "security": _own_keys()}
    with (
        scratch_folder("cluster") as folder,
        dask.config.set(_OWN_RULES),
    ):
        nanny = {
            "cls": Nanny,
            "options": {
                **place,
                "worker_class": Worker,
                "nthreads": 1,
                "memory_limit": 0,  # limits are those of the puzzles
                "local_directory": folder,
                "silence_logs": logging.CRITICAL + 1,
            },
        }
        with _deaf_to_ctrl_c(), _born(number):
            cluster = SpecCluster(
                scheduler={"cls": Scheduler, "options": {**place, "port": 0}},
                workers=dict.fromkeys(range(number), nanny),
                worker=nanny,  # for those that are lost
                security=place["security"],
                silence_logs=logging.CRITICAL + 1,
            )
        disable_gc_diagnosis()  # where it is at work Ctrl-C would be lost
        with cluster:
            try:
                yield cluster
            finally:
                _end_workers(cluster)


@contextmanager
def _born(number: int) -> Iterator[None]:
    """Say what has happened where a process dies while it starts.

    Raises:
        BackendError: One has; what Dask tells of it, and what to do.
    """
    try:
        yield
    except (RuntimeError, OSError, TimeoutError) as error:
        told = [str(error), str(error.__cause__ or "")]
        what = ": ".join(text.strip(".") for text in told if text) or type(error).__name__
        raise BackendError(
            f"a process of the cluster {LOCAL}{number} died while it started ({what})",
            advice="is there memory for so many? Try again, or with fewer processes, or without a "
            "cluster",
        ) from error


def _own_keys() -> Any:
    """Keys and certificates of one run.

    Dask passes them on in memory and through pipes. Python's TLS reads files alone, so each process
    writes them down for a moment, into a folder that other users cannot enter.
    """
    from distributed import Security

    try:
        return Security.temporary()
    except ImportError:
        raise UnsupportedError(
            "a cluster local:N needs the package cryptography, which is not installed; "
            f"{install_command('cluster')} installs it"
        ) from None


def _end_workers(cluster: Any) -> None:
    """Kill them: asked to close they would finish their tasks; Dask waits four seconds for that."""
    for nanny in list(cluster.workers.values()):
        nanny.auto_restart = False
        if nanny.pid is not None:
            with suppress(ProcessLookupError):
                os.kill(nanny.pid, signal.SIGKILL)


class Interrupts:
    """Remembers Ctrl-C: where it meets a finalizer, of which Dask has many, Python drops it.

    A context manager, without effect where it is not for us to handle the signal.
    """

    def __init__(self) -> None:
        self._has_come = False
        self._before: Any = None  # the handler that was there

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
        """Raise KeyboardInterrupt if one has come since the last call, and has got lost."""
        if self._has_come:
            self._has_come = False
            raise KeyboardInterrupt

    def forget(self) -> None:
        """What has come was not lost."""
        self._has_come = False


@contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """Threads started here, and all processes that these ever start, never get SIGINT.

    A terminal sends it to the workers too, but it is for the driver alone to decide what ends.
    """
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # which would, later on, let the signal through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def checked_workers(client: Any, address: str) -> int:
    """How many tasks run at once, on workers that give the answers that this process would."""
    if number := num_local(address):  # some may have lost the connection, and come again
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
