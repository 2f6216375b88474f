"""The process that forks one process a run and holds it to its limits; started as a file.

`zygote.py FD SCRATCH PATH...`: the socket to the driver (`process.Zygote`), a folder for the files
of a run, the driver's import path. It has no threads, and everything that runs need is imported
once, before the first fork, so that a run starts in milliseconds.

All that a run starts stays below the zygote: processes whose parent has ended become its own
children (PR_SET_CHILD_SUBREAPER), whatever sessions they have made. One run at a time is below a
zygote; hence the tree has ended exactly when the zygote has no child left, and until then it goes
on killing. If the driver dies its socket closes, and the zygote ends the tree, then itself; if the
zygote dies, the system ends the run's first process (PR_SET_PDEATHSIG), and the guard what is left
of the tree: the process that was started, which does nothing but wait for the zygote, its child. A
tree outlives any one of driver, guard and zygote only if another of them is killed with it, and
even then its end is seen to by the third.

Wall seconds, CPU seconds and resident memory of the tree are looked at every 20 ms, from outside;
RLIMIT_CPU of each process is a second line of defence. What counts as memory is what the run has
beside the pages that it shares with the zygote. Source of the rules: D. Beyer, S. Löwe,
P. Wendler, Reliable benchmarking, STTT 2019.
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
from collections.abc import Iterator
from contextlib import suppress
from math import ceil
from pathlib import Path
from typing import Any, NoReturn

LOOK_EVERY_S = 0.02
_PAGES_PER_MIB = 2**20 / os.sysconf("SC_PAGE_SIZE")
_TICKS_PER_S = os.sysconf("SC_CLK_TCK")
_LAST_WORDS = 400  # bytes of what a run printed that go into the record
_KIB_PER_MIB = 1024

# The tree of a run


def children_of(pid: int) -> Iterator[int]:
    """The processes whose parent is `pid`."""
    with suppress(OSError):  # it has ended just now
        for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208 - 20 times as fast
            with suppress(OSError), open(f"/proc/{pid}/task/{thread}/children", "rb") as file:  # noqa: PTH123
                yield from map(int, file.read().split())


def descendants() -> list[int]:
    """Every process below this one."""
    found = list(children_of(os.getpid()))
    for pid in found:
        found.extend(children_of(pid))
    return found


def kill(pids: list[int]) -> None:
    """Kill processes, and give the system a moment to see to it."""
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    time.sleep(0.0005)


def _pages(pid: int | str) -> tuple[int, int]:
    """Resident pages of a process, and those of them that are files or shared memory."""
    with suppress(OSError), open(f"/proc/{pid}/statm", "rb") as file:  # noqa: PTH123
        fields = file.read().split()
        return int(fields[1]), int(fields[2])
    return 0, 0


def _cpu_s(pid: int) -> float:
    """CPU seconds of a process and of those of its children that it has reaped."""
    with suppress(OSError), open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123
        fields = file.read().rpartition(b")")[2].split()
        return sum(map(int, fields[11:15])) / _TICKS_PER_S
    return 0.0


class Tree:
    """The processes of one run, and what they have used.

    Args:
        pid: The run's first process, just forked.
        inherited_mib: Memory that it has in common with the zygote.
    """

    def __init__(self, pid: int, inherited_mib: float) -> None:
        self.pid = pid
        self.peak_mib = 0.0
        self.cpu_s = 0.0  # of the processes reaped
        self.status: int | None = None  # of the first process
        self._inherited_mib = inherited_mib

    def look(self, files: tuple[int, ...]) -> tuple[float, float]:
        """CPU seconds so far, and memory now, files in memory included."""
        pids = descendants()
        resident = sum(_pages(pid)[0] for pid in pids) / _PAGES_PER_MIB
        written = sum(os.fstat(file).st_size for file in files) / 2**20
        memory_mib = max(0.0, resident - self._inherited_mib) + written
        self.peak_mib = max(self.peak_mib, memory_mib)
        return self.cpu_s + sum(map(_cpu_s, pids)), memory_mib

    def reap(self) -> bool:
        """Reap what has ended; returns whether any process is left."""
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
            kill(descendants())


# One run


class Supervisor:
    """Runs jobs, one after another.

    Args:
        driver: The socket whose closing ends everything.
        scratch: Folder for the files of a run; emptied after each.
    """

    def __init__(self, driver: socket.socket, scratch: Path) -> None:
        self._driver = driver
        self._scratch = scratch

    def run(self, job: dict[str, Any]) -> dict[str, Any]:
        """Fork, watch, end, reap: the reply that `process.Zygote.finish` returns."""
        load, began = os.getloadavg()[0], time.time()
        files = tuple(os.memfd_create(f"nonosat-{name}") for name in ("outcome", "out", "err"))
        try:
            resident, shared = _pages("self")
            started = time.monotonic()
            pid = os.fork()
            if not pid:
                self._become(job, files, started)
            tree = Tree(pid, (resident - shared) / _PAGES_PER_MIB)
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
        self, tree: Tree, limits: dict[str, Any], files: tuple[int, ...], started: float
    ) -> str | None:
        """Wait for the end of the run; returns the name of the limit that it hit, if any."""
        first = os.pidfd_open(tree.pid)
        try:
            poller = select.poll()
            poller.register(first, select.POLLIN)
            poller.register(self._driver, select.POLLIN)
            while True:
                left_s = started + limits["wall_s"] - time.monotonic()
                ready = poller.poll(1000 * max(0.0, min(LOOK_EVERY_S, left_s + 0.0005)))
                if any(fd == self._driver.fileno() for fd, _ in ready):
                    raise EOFError  # the driver has gone: it sends nothing during a run
                if ready:
                    return None
                if time.monotonic() - started >= limits["wall_s"]:
                    return "wall_s"
                cpu_s, memory_mib = tree.look(files)
                for name, value in (("cpu_s", cpu_s), ("memory_mib", memory_mib)):
                    if limits[name] is not None and value > limits[name]:
                        return name
        finally:
            os.close(first)

    def _become(self, job: dict[str, Any], files: tuple[int, ...], started: float) -> None:
        """In the forked process: do the job, and end."""
        status = 1
        try:
            zygote = os.getppid()
            os.setsid()
            from nonosat.processes.linux import PR_SET_PDEATHSIG, prctl

            prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != zygote:
                os._exit(status)
            os.close(self._driver.fileno())  # a reader still holds the socket object
            _restrict(job["limits"])
            nothing = os.open(os.devnull, os.O_RDONLY)
            for file, number in ((nothing, 0), (files[1], 1), (files[2], 2)):
                os.dup2(file, number)
            from nonosat.bench.task import perform

            outcome = perform(job, self._scratch, started)
            with os.fdopen(files[0], "w", closefd=False) as stream:
                json.dump(outcome, stream, allow_nan=False)
            status = 0
        except BaseException:
            import traceback

            traceback.print_exc()
        finally:
            with suppress(OSError, ValueError):
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(status)


def _restrict(limits: dict[str, Any]) -> None:
    """Limits that the system keeps by itself, and a word to its out-of-memory killer."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if limits["cpu_s"] is not None:
        # By ticks, which on a busy machine ran 8 % ahead of what is measured.
        seconds = ceil(1.5 * limits["cpu_s"]) + 1
        _, most = resource.getrlimit(resource.RLIMIT_CPU)
        most = seconds + 1 if most == resource.RLIM_INFINITY else min(most, seconds + 1)
        resource.setrlimit(resource.RLIMIT_CPU, (min(seconds, most), most))
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")


def _exceeded(tree: Tree, wall_s: float, limits: dict[str, Any]) -> str | None:
    """The limit that was exceeded between the last look and the end, or that the system kept."""
    assert tree.status is not None
    if limits["cpu_s"] is not None and os.waitstatus_to_exitcode(tree.status) == -signal.SIGXCPU:
        return "cpu_s"
    used = {"wall_s": wall_s, "cpu_s": tree.cpu_s, "memory_mib": tree.peak_mib}
    for name, value in used.items():
        if limits[name] is not None and value > limits[name]:
            return name
    return None


def _reply(tree: Tree, wall_s: float, hit: str | None, files: tuple[int, ...]) -> dict[str, Any]:
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
    """Remove what a run has left in its folder."""
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


# The process


def serve(driver: socket.socket, scratch: Path) -> None:
    """Do the jobs that come until the driver closes the socket."""
    from nonosat.bench.task import warm_up
    from nonosat.processes.child import HEADER

    supervisor = Supervisor(driver, scratch)
    stream = driver.makefile("rwb")
    is_first = True
    while header := stream.read(HEADER.size):
        message = json.loads(stream.read(HEADER.unpack(header)[0]))
        if is_first:
            reply: dict[str, Any] = {"warmed": warm_up(message["configurations"])}
            is_first = False
            # Workers that engines have started would count as the first run's.
            Tree(os.getpid(), 0.0).end()
            gc.collect()
            gc.freeze()  # what there is now is not looked at again, hence stays shared
        else:
            reply = supervisor.run(message)
        data = json.dumps(reply).encode()
        stream.write(HEADER.pack(len(data)) + data)
        stream.flush()


def guard(zygote: int, scratch: Path) -> NoReturn:
    """Wait for the zygote, and end what it leaves behind."""
    status = os.waitpid(zygote, 0)[1]
    while pids := descendants():
        kill(pids)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
    shutil.rmtree(scratch, ignore_errors=True)
    os._exit(max(0, os.waitstatus_to_exitcode(status)))


def main() -> None:
    fd, scratch, *paths = sys.argv[1:]
    sys.path.extend(path for path in paths if path not in sys.path)
    from nonosat.processes.linux import PR_SET_CHILD_SUBREAPER, prctl

    os.set_inheritable(int(fd), False)
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    if zygote := os.fork():
        os.close(int(fd))  # the driver is to notice when the zygote has closed it
        guard(zygote, Path(scratch))
    prctl(PR_SET_CHILD_SUBREAPER, 1)  # which a fork does not inherit
    own = Path(f"/proc/self/task/{os.getpid()}/children")
    if not own.exists():  # a run could neither be watched nor ended
        sys.exit(f"{own} is missing: the kernel was built without CONFIG_PROC_CHILDREN")
    try:
        with suppress(EOFError, OSError), socket.socket(fileno=int(fd)) as driver:
            serve(driver, Path(scratch))
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    main()
