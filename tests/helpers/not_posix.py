"""A system without the modules and calls of POSIX, as Windows is, in a process of its own.

`take_away` removes them after the import of those standard modules that need them here and have
other ways on such a system.
"""

from __future__ import annotations

import _signal
import concurrent.futures  # noqa: F401 - imported before anything is taken away
import os
import select
import shutil  # noqa: F401
import signal
import socket  # noqa: F401
import subprocess  # noqa: F401
import sys
import tempfile  # noqa: F401

MODULES = (
    "curses",
    "fcntl",
    "grp",
    "pty",
    "pwd",
    "readline",
    "resource",
    "syslog",
    "termios",
    "tty",
)
_SIGNALS = (
    "ITIMER_REAL SIGALRM SIGCHLD SIGCONT SIGHUP SIGKILL SIGPIPE SIGSTOP SIGTTIN SIGTTOU SIGUSR1 "
    "alarm pause pthread_kill pthread_sigmask setitimer sigwait"
)
NAMES = {
    signal: _SIGNALS,
    _signal: _SIGNALS,
    select: "POLLHUP POLLIN POLLOUT epoll kqueue poll",
    os: "O_CLOEXEC O_DIRECTORY O_NOFOLLOW O_NONBLOCK O_TMPFILE WNOHANG chown fork forkpty geteuid "
    "getloadavg getpgid getuid killpg memfd_create mkfifo nice pidfd_open posix_fallocate "
    "posix_spawn pread pwrite register_at_fork sched_getaffinity setsid statvfs sysconf wait "
    "waitid",
}


class _Missing:
    """Finder that refuses the modules of POSIX."""

    def find_spec(self, name: str, *_: object) -> None:
        if name in MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def take_away() -> None:
    """Remove modules and names from this process."""
    assert "nonosat" not in sys.modules
    for name in MODULES:
        sys.modules.pop(name, None)
    sys.meta_path.insert(0, _Missing())  # type: ignore[arg-type]
    for module, names in NAMES.items():
        for name in names.split():
            if hasattr(module, name):
                delattr(module, name)
