"""The process that forks one process per run and enforces its limits; started by `tied.py`.

`zygote.py LIFELINE FD SCRATCH`: a pipe that is closed with the driver (`process.Zygote`), the
socket to the driver, a folder for the files of a run. It has no threads, and imports all modules
that runs need once, before the first fork, so that a run starts in milliseconds.

All processes of a run remain descendants of the zygote: those whose parent has ended become its own
children (PR_SET_CHILD_SUBREAPER), even in new sessions. A zygote has one run at a time; hence the
tree has ended if and only if the zygote has no child left, and until then it continues to kill
processes. If the driver dies its socket closes, and the zygote ends the tree, then itself; if the
zygote dies, the system ends the run's first process (PR_SET_PDEATHSIG), and the guard ends the rest
of the tree. The guard is the process that was started; it waits for its child, the zygote, and for
the end of the lifeline: a zygote that imports what runs need does not read its socket. Driver,
guard and zygote can each end a tree, so that one survives only if two of them are killed at once,
and then only until the third has ended it.

Wall seconds, CPU seconds and resident memory of the process tree are sampled every 20 ms from
outside; RLIMIT_CPU of each process is a second safeguard. Memory is counted without the pages that
the run shares with the zygote. Source of the rules: D. Beyer, S. Löwe, P. Wendler, Reliable
benchmarking, STTT 2019.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import select
import shutil
import signal
import socket
import sys
import time
import traceback
from contextlib import suppress
from math import ceil
from pathlib import Path
from typing import Any, NoReturn

from nonosat.bench.task import perform, warm_up
from nonosat.processes import system
from nonosat.processes.child import HEADER
from nonosat.processes.system import adopt_orphans, descendants, end_of
from nonosat.processes.tied import untie

POLL_EVERY_S = 0.02
_LAST_WORDS = 400  # bytes of a run's output that are recorded
_KIB_PER_MIB = 1024

# The process tree of a run


def kill(pids: list[int]) -> None:
    """Kill processes, and wait half a millisecond so that the system can end them."""
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    time.sleep(0.0005)


def _resident_mib(pid: int) -> float:
    with suppress(OSError):
        return system.resident_and_shared(pid)[0]
    return 0.0  # a process of the tree with other privileges cannot be read


class ProcessTree:
    """The processes of one run and their resource usage.

    Args:
        pid: The run's first process, just forked.
        inherited_mib: Memory shared with the zygote.
    """

    def __init__(self, pid: int, inherited_mib: float) -> None:
        self.pid = pid
        self.peak_mib = 0.0
        self.cpu_s = 0.0  # of the reaped processes
        self.status: int | None = None  # of the first process
        self._inherited_mib = inherited_mib

    def measure(self, files: tuple[int, ...]) -> tuple[float, float]:
        """Return CPU seconds so far and present memory, including files in memory."""
        pids = system.descendants()
        resident = sum(map(_resident_mib, pids))
        written = sum(os.fstat(file).st_size for file in files) / 2**20
        memory_mib = max(0.0, resident - self._inherited_mib) + written
        self.peak_mib = max(self.peak_mib, memory_mib)
        return self.cpu_s + sum(map(system.cpu_s, pids)), memory_mib

    def reap(self) -> bool:
        """Reap ended processes; return True if any process is left."""
        while True:
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if not pid:
                return True
            self.cpu_s += usage.ru_utime + usage.ru_stime
            if pid == self.pid:
                self.status = status
                own_mib = usage.ru_maxrss / _KIB_PER_MIB - self._inherited_mib
                self.peak_mib = max(self.peak_mib, own_mib)

    def end(self) -> None:
        """Kill and reap until nothing is left."""
        while self.reap():
            kill(system.descendants())


# One run


class Supervisor:
    """Performs jobs one after another.

    Args:
        driver: The socket to the driver; its end of file ends everything.
        scratch: Folder for the files of a run; emptied after each.
    """

    def __init__(self, driver: socket.socket, scratch: Path) -> None:
        self._driver = driver
        self._scratch = scratch

    def run(self, job: dict[str, Any]) -> dict[str, Any]:
        """Fork, watch, end, reap; return the reply for `process.Zygote.finish`."""
        load, began = os.getloadavg()[0], time.time()
        files = tuple(system.nameless_file(f"nonosat-{name}") for name in ("outcome", "out", "err"))
        try:
            resident, shared = system.resident_and_shared("self")
            started = time.monotonic()
            pid = os.fork()
            if not pid:
                self._become(job, files, started)
            tree = ProcessTree(pid, resident - shared)
            try:
                hit = self._watch(tree, job["limits"], files, started)
                wall_s = time.monotonic() - started
            finally:
                tree.end()
            reply = _reply(tree, wall_s, hit or _exceeded(tree, wall_s, job["limits"]), files)
        finally:
            for file in files:
                os.close(file)
            _empty(self._scratch)
        return {**reply, "load": [load, os.getloadavg()[0]], "started": began}

    def _watch(
        self, tree: ProcessTree, limits: dict[str, Any], files: tuple[int, ...], started: float
    ) -> str | None:
        """Wait for the end of the run; return the name of the limit that it hit, if any."""
        first = system.end_of(tree.pid)
        try:
            poller = select.poll()
            poller.register(first, select.POLLIN)
            poller.register(self._driver, select.POLLIN)
            while True:
                left_s = started + limits["wall_s"] - time.monotonic()
                ready = poller.poll(1000 * max(0.0, min(POLL_EVERY_S, left_s + 0.0005)))
                if any(fd == self._driver.fileno() for fd, _ in ready):
                    raise EOFError  # the driver has gone: it sends nothing during a run
                if ready:
                    return None
                if time.monotonic() - started >= limits["wall_s"]:
                    return "wall_s"
                cpu_s, memory_mib = tree.measure(files)
                for name, value in (("cpu_s", cpu_s), ("memory_mib", memory_mib)):
                    if limits[name] is not None and value > limits[name]:
                        return name
        finally:
            os.close(first)

    def _become(self, job: dict[str, Any], files: tuple[int, ...], started: float) -> None:
        """In the forked process: do the job and exit."""
        status = 1
        try:
            zygote = os.getppid()
            os.setsid()
            system.end_with_parent()
            if os.getppid() != zygote:
                os._exit(status)
            os.close(self._driver.fileno())  # a reader still holds the socket object
            _restrict(job["limits"])
            nothing = os.open(os.devnull, os.O_RDONLY)
            for file, number in ((nothing, 0), (files[1], 1), (files[2], 2)):
                os.dup2(file, number)
            outcome = perform(job, self._scratch, started)
            with os.fdopen(files[0], "w", closefd=False) as stream:
                json.dump(outcome, stream, allow_nan=False)
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            with suppress(OSError, ValueError):
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(status)


def _restrict(limits: dict[str, Any]) -> None:
    """Set limits of this process that the system enforces; if memory runs out, kill it first."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if limits["cpu_s"] is not None:
        # It counts ticks, which on a busy machine ran 8 % ahead of the measured seconds.
        seconds = ceil(1.5 * limits["cpu_s"]) + 1
        _, most = resource.getrlimit(resource.RLIMIT_CPU)
        most = seconds + 1 if most == resource.RLIM_INFINITY else min(most, seconds + 1)
        resource.setrlimit(resource.RLIMIT_CPU, (min(seconds, most), most))
    system.be_killed_first()


def _exceeded(tree: ProcessTree, wall_s: float, limits: dict[str, Any]) -> str | None:
    """Return the limit exceeded after the last sample, or enforced by the system."""
    assert tree.status is not None
    if limits["cpu_s"] is not None and os.waitstatus_to_exitcode(tree.status) == -signal.SIGXCPU:
        return "cpu_s"
    used = {"wall_s": wall_s, "cpu_s": tree.cpu_s, "memory_mib": tree.peak_mib}
    for name, value in used.items():
        if limits[name] is not None and value > limits[name]:
            return name
    return None


def _reply(
    tree: ProcessTree, wall_s: float, hit: str | None, files: tuple[int, ...]
) -> dict[str, Any]:
    assert tree.status is not None
    code = os.waitstatus_to_exitcode(tree.status)
    outcome = None
    if code == 0:
        with suppress(ValueError):
            outcome = json.loads(os.pread(files[0], os.fstat(files[0]).st_size, 0))
    return {
        "wall_s": wall_s,
        "cpu_s": tree.cpu_s,
        "peak_mib": tree.peak_mib,
        "exit": code if code >= 0 else None,
        "signal": -code if code < 0 else None,
        "hit": hit,
        "outcome": outcome,
        "words": _last_words(files[2]) or _last_words(files[1]),
    }


def _last_words(file: int) -> str:
    size = os.fstat(file).st_size
    words = os.pread(file, _LAST_WORDS, max(0, size - _LAST_WORDS)).decode(errors="replace")
    return " ".join(words.split())


def _empty(folder: Path) -> None:
    """Remove the files that a run left in its folder."""
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def serve(driver: socket.socket, scratch: Path) -> None:
    """Do jobs until the driver closes the socket."""
    supervisor = Supervisor(driver, scratch)
    stream = driver.makefile("rwb")
    is_first = True
    while header := stream.read(HEADER.size):
        message = json.loads(stream.read(HEADER.unpack(header)[0]))
        if is_first:
            reply: dict[str, Any] = {"warmed": warm_up(message["configurations"])}
            is_first = False
            # Workers started by engines would be counted as those of the first run.
            ProcessTree(os.getpid(), 0.0).end()
            gc.collect()
            gc.freeze()  # present objects are not scanned again, so their pages remain shared
        else:
            reply = supervisor.run(message)
        data = json.dumps(reply).encode()
        stream.write(HEADER.pack(len(data)) + data)
        stream.flush()


def guard(zygote: int, lifeline: int, scratch: Path) -> NoReturn:
    """Wait for the end of the zygote or the driver, and end all remaining processes."""
    select.select([end_of(zygote), lifeline], [], [])
    status = 0  # of the zygote
    while pids := descendants():
        kill(pids)
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                status = ended[1] if ended[0] == zygote else status
    shutil.rmtree(scratch, ignore_errors=True)
    os._exit(max(0, os.waitstatus_to_exitcode(status)))


def main() -> None:
    lifeline, fd, scratch = sys.argv[1:]
    os.set_inheritable(int(fd), False)
    adopt_orphans()
    # Before the fork: a guard killed after it would leave the zygote running.
    untie(int(lifeline))
    if zygote := os.fork():
        os.close(int(fd))  # so that the driver notices when the zygote has closed it
        guard(zygote, int(lifeline), Path(scratch))
    os.close(int(lifeline))
    adopt_orphans()  # a fork does not inherit this
    try:
        with suppress(EOFError, OSError), socket.socket(fileno=int(fd)) as driver:
            serve(driver, Path(scratch))
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    main()
