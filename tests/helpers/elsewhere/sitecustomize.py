"""Simulation of a system without Linux's own features; Python imports it first if its folder is in
PYTHONPATH.

System calls are removed, only psutil (which needs it here) can open /proc, and libc has no prctl.
With NO_PSUTIL in the environment there is no psutil either.
"""

import os
import resource
import select
import signal
import socket
import sys

TAKEN = {
    os: "memfd_create pidfd_open pipe2 sched_getaffinity sched_setaffinity waitid O_TMPFILE O_PATH "
    "eventfd splice posix_fadvise copy_file_range",
    resource: "prlimit",
    select: "epoll",
    signal: "pidfd_send_signal pthread_sigmask sigtimedwait sigwait sigwaitinfo",
    socket: "MSG_NOSIGNAL SO_PEERCRED",
}
for module, names in TAKEN.items():
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)

if "NO_PSUTIL" in os.environ:
    sys.modules["psutil"] = None


def is_psutil() -> bool:
    frame = sys._getframe(2)
    for _ in range(4):
        if frame is not None:
            if frame.f_globals.get("__name__", "").startswith("psutil"):
                return True
            frame = frame.f_back
    return False


def refuse(event: str, args: tuple[object, ...]) -> None:
    if event in ("open", "os.listdir", "os.scandir"):
        if str(args[0]).startswith("/proc") and not is_psutil():
            raise FileNotFoundError(2, "No such file or directory", args[0])
    elif event == "ctypes.dlsym" and "prctl" in args:
        raise AttributeError("prctl")


sys.addaudithook(refuse)
