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

`supervisor.py` enforces the limits of a run.
"""

from __future__ import annotations

import gc
import json
import os
import select
import shutil
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from nonosat.bench.supervisor import ProcessTree, Supervisor, kill
from nonosat.bench.task import warm_up
from nonosat.processes.child import HEADER
from nonosat.processes.system import adopt_orphans, descendants, end_of
from nonosat.processes.tied import untie


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
