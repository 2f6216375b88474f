"""The process that forks one process a run and holds it to its limits; started by `tied.py`.

`zygote.py LIFELINE FD SCRATCH PATH...`: a pipe that is closed with the driver (`process.Zygote`),
the socket to the driver, a folder for the files of a run, the driver's import path. It has no
threads, and everything that runs need is imported once, before the first fork, so that a run starts
in milliseconds.

All that a run starts stays below the zygote: processes whose parent has ended become its own
children (PR_SET_CHILD_SUBREAPER), whatever sessions they have made. One run at a time is below a
zygote; hence the tree has ended exactly when the zygote has no child left, and until then it goes
on killing. If the driver dies its socket closes, and the zygote ends the tree, then itself; if the
zygote dies, the system ends the run's first process (PR_SET_PDEATHSIG), and the guard ends the rest
of the tree. The guard is the process that was started; it waits for its child, the zygote, and for
the end of the lifeline: a zygote that imports what runs need does not read its socket. Driver,
guard and zygote can each end a tree, so that one survives only where two of them are killed at
once, and then only until the third has ended it.

`supervisor.py` says how a run is held to its limits.
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


def serve(driver: socket.socket, scratch: Path) -> None:
    """Do the jobs that come until the driver closes the socket."""
    from nonosat.bench.supervisor import Supervisor, Tree
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


def guard(zygote: int, lifeline: int, scratch: Path) -> NoReturn:
    """Wait for the end of the zygote or the driver, and end what is left."""
    from nonosat.bench.supervisor import kill
    from nonosat.processes.system import descendants, end_of

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
    lifeline, fd, scratch, *paths = sys.argv[1:]
    sys.path.extend(path for path in paths if path not in sys.path)
    from nonosat.processes.system import adopt_orphans
    from nonosat.processes.tied import untie

    os.set_inheritable(int(fd), False)
    adopt_orphans()
    # Before the fork: a guard that were killed behind it would leave the zygote to itself.
    untie(int(lifeline))
    if zygote := os.fork():
        os.close(int(fd))  # the driver is to notice when the zygote has closed it
        guard(zygote, int(lifeline), Path(scratch))
    os.close(int(lifeline))
    adopt_orphans()  # which a fork does not inherit
    try:
        with suppress(EOFError, OSError), socket.socket(fileno=int(fd)) as driver:
            serve(driver, Path(scratch))
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    main()
