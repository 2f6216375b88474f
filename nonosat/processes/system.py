"""Services of the operating system: the best way on Linux, and a way for any POSIX system.

This is the only module that calls functions of Linux alone. All functions that solving needs have a
portable way as well, which is used if the better one is missing, even on a Linux whose kernel is
too old or whose sandbox forbids it. Trees of processes, which `bench run` limits, have none:
`check_trees` raises an error. Importing this module makes no system call, and imports little, since
the package imports it first of all.
"""

from __future__ import annotations

import os
import platform
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from errno import EAGAIN, ENOMEM
from functools import cache
from pathlib import Path
from time import monotonic, sleep

from nonosat.core.errors import BackendError, UnsupportedError

TYPE_CHECKING = False  # true for type checkers
if TYPE_CHECKING:
    from subprocess import Popen
    from typing import Any

_TOO_MANY = "end others, use fewer jobs, or raise the limit (`ulimit -u`)"
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_PATIENCE_S = 2.0  # for a process to begin its program

# The machine


def num_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def num_threads() -> int | None:
    """Return the number of threads of this process, foreign ones included; None if unknown."""
    try:
        return sum(1 for _ in Path("/proc/self/task").iterdir())
    except OSError:
        return None


def cpu_name() -> str:
    """Return the name of the processor, or at least its architecture."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name":
                return value.strip()
    return platform.machine()


def memory_mib() -> int:
    """Return the memory of the machine in MiB; 0 if it is unknown."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2**20
    except (ValueError, OSError):
        return 0


def has_memory_limit() -> bool:
    """Return True if the system may refuse memory to this process: `ulimit -v`, `ulimit -d`."""
    import resource

    kinds = (resource.RLIMIT_AS, resource.RLIMIT_DATA)
    return any(resource.getrlimit(kind)[0] != resource.RLIM_INFINITY for kind in kinds)


def signal_name(number: int) -> str:
    """Return the name of a signal, such as SIGKILL; most real-time signals have only numbers."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


# Files


def lock(fd: int) -> None:
    """Lock an open file, without waiting, until its last descriptor is closed.

    Raises:
        OSError: Another process holds the lock.
        UnsupportedError: The system is not POSIX.
    """
    try:
        import fcntl
    except ModuleNotFoundError:
        what = "a file has to be locked, so that one process writes to it: expected a POSIX system"
        raise UnsupportedError(what) from None
    fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)


def nameless_file(name: str) -> int:
    """Return the descriptor of an empty file without a name, in memory or in a temporary folder.

    Args:
        name: Name for lists of open files, if the system shows one.
    """
    try:
        return os.memfd_create(name)
    except (AttributeError, OSError):
        from tempfile import TemporaryFile

        with TemporaryFile() as file:
            return os.dup(file.fileno())


def path_of(fd: int) -> str | None:
    """Return the path by which other processes open a nameless file; None if there is none."""
    path = f"/proc/{os.getpid()}/fd/{fd}"
    try:
        os.close(os.open(path, os.O_RDONLY | os.O_CLOEXEC))
    except OSError:
        return None
    return path


class UnnamedFile:
    """A file in a folder, without a name yet; it is freed unless it gets one.

    Args:
        fd: Descriptor of the file, which `close` closes.

    Attributes:
        path: Path for opening the file until it has a name.
    """

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self.path = Path(f"/proc/self/fd/{fd}")

    def link(self, path: Path) -> None:
        """Give the file a name; there must not be a file of that name."""
        folder = os.open(path.parent, os.O_RDONLY | os.O_CLOEXEC)
        try:  # with a descriptor the link in /proc is followed
            os.link(self.path, path.name, dst_dir_fd=folder)
        finally:
            os.close(folder)

    def close(self) -> None:
        """Close the descriptor."""
        os.close(self._fd)


def nameless_in(folder: Path) -> UnnamedFile | None:
    """Return a new nameless file in a folder; None if system or disk do not support it."""
    try:
        fd = os.open(folder, os.O_TMPFILE | os.O_WRONLY | os.O_CLOEXEC, 0o666)
    except (AttributeError, OSError):
        return None
    made = UnnamedFile(fd)
    if made.path.exists():
        return made
    made.close()  # there is no /proc
    return None


# Other processes


def started(command: Sequence[str], **settings: Any) -> Popen[bytes]:
    """Start a process in a session of its own by `subprocess.Popen`.

    Raises:
        BackendError: There are too many processes, or there is no memory for one more.
    """
    from subprocess import Popen

    try:
        return Popen(command, start_new_session=True, **settings)  # noqa: S603 - no shell
    except OSError as error:
        raise cannot_start(error) from None


def cannot_start(error: OSError) -> OSError | BackendError:
    """Return the error to raise if no process can be started: a BackendError at a limit."""
    if error.errno not in (EAGAIN, ENOMEM):
        return error
    what = f"no process can be started ({error.strerror}); {_TOO_MANY}"
    return BackendError(what, advice="this is a limit of the system")


def start_tied(
    file: Path, words: Sequence[str], log: int, pass_fds: Sequence[int], **settings: Any
) -> tuple[Popen[bytes], int]:
    """Start a Python file in its own session; it ends immediately with this process (`tied.py`).

    Args:
        file: The Python file.
        words: Arguments of the file after the first, which is the descriptor of its lifeline.
        log: Descriptor for its output.
        pass_fds: Other descriptors that it inherits.
        settings: Settings of `subprocess.Popen`.

    Returns:
        The process, and a descriptor whose closing kills it.

    Raises:
        BackendError: No process can be started.
    """
    from subprocess import DEVNULL

    paths = [str(Path(path).absolute()) for path in sys.path]
    tied = Path(__file__).with_name("tied.py")
    python = [sys.executable, "-P"]  # nothing in the current folder is imported by accident
    lifeline, end = os.pipe()
    try:
        process = started(
            [*python, str(tied), str(file), str(lifeline), str(len(paths)), *paths, *words],
            stdin=DEVNULL,
            stdout=log,
            stderr=log,
            pass_fds=[lifeline, *pass_fds],
            **settings,
        )
    except BaseException:
        os.close(end)
        raise
    finally:
        os.close(lifeline)
    return process, end


def _small(path: str) -> bytes:
    """Read a small file of /proc without releasing Python's lock.

    A busy thread returns the lock 5 ms later. Python's own `open` and `read` release it several
    times, and growing memory would be noticed some 15 MiB late.
    """
    from ctypes import create_string_buffer, get_errno

    sys.audit("open", path, "rb", os.O_RDONLY)  # as Python's own `open` does
    libc, content = _libc(), create_string_buffer(256)
    file = libc.open(path.encode(), os.O_RDONLY | os.O_CLOEXEC)
    try:
        size = -1 if file < 0 else libc.read(file, content, len(content))
        error = get_errno()
    finally:
        libc.close(file)
    if size < 0:
        raise OSError(error, os.strerror(error), path)
    return content.raw[:size]


@cache
def _libc() -> Any:
    """Return the C library, whose functions are called without releasing Python's lock."""
    from ctypes import PyDLL

    return PyDLL(None, use_errno=True)


def resident_and_shared(pid: int | str) -> tuple[float, float]:
    """Return (resident memory, part of it in files or shared memory) of a process, in MiB.

    Args:
        pid: Number of the process, or "self".

    Returns:
        Zeros if it has ended, or if there is no /proc.
    """
    if not hasattr(os, "sysconf"):  # Windows
        return 0.0, 0.0
    try:
        fields = _small(f"/proc/{pid}/statm").split()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0, 0.0
    pages_per_mib = 2**20 / os.sysconf("SC_PAGE_SIZE")
    return int(fields[1]) / pages_per_mib, int(fields[2]) / pages_per_mib


def end_of(pid: int) -> int:
    """Return a descriptor that is readable after the process has ended, reaped or not; or -1."""
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return -1


# A program is started together with a keeper: a process in its group, but not its child, that waits
# for the end of a pipe without data, and then kills the group, with all processes that the program
# has started. It also reserves the group's number until then.
_KEEPER = """
import os, sys
lifeline, folder = int(sys.argv[1]), sys.argv[2]
def fork():
    try:
        return os.fork()
    except OSError as error:
        os.write(2, b"no process can be started: %a" % error.strerror)
        os._exit(1)
if not fork():
    if not fork():
        os.read(lifeline, 1)
        if folder:
            import shutil
            shutil.rmtree(folder, ignore_errors=True)
        os.killpg(0, 9)
    os._exit(0)
if os.wait()[1]:
    os._exit(1)
os.close(lifeline)
try:
    os.execv(sys.argv[3], sys.argv[4:])
except OSError as error:
    sys.exit(f"it cannot be run: {error.strerror}")
"""


class OrphanGuard:
    """Command that runs a program and kills it when this process ends for any reason.

    Args:
        words: The path of the program, then its words, as for `os.execv`.
        folder: Folder that is removed if this process ends first; "" for none.

    Attributes:
        command: Command to start in a session of its own, instead of the program.
        inherited: Descriptors that the command must inherit; call `close` after its end.
    """

    def __init__(self, words: Sequence[str], folder: str) -> None:
        lifeline, end = os.pipe()
        self._ends, self.inherited = [lifeline, end], [lifeline]
        python = [sys.executable, "-I", "-S", "-c"]
        self.command = [*python, _KEEPER, str(lifeline), folder, *words]

    def close(self) -> None:
        """Close the descriptors."""
        while self._ends:
            os.close(self._ends.pop())


def _prctl(option: int, value: int) -> None:
    """Set an attribute of this process."""
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(option, ctypes.c_ulong(value), 0, 0, 0):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


# Trees of processes, on Linux


def check_trees() -> None:
    """Check that a tree of processes can be watched and ended on this system.

    Raises:
        UnsupportedError: This is impossible; the message names the missing feature.
    """
    children = f"/proc/self/task/{os.getpid()}/children"
    end = end_of(os.getpid())
    found = {
        "pidfd_open": end >= 0,
        "prctl": sys.platform == "linux",
        children: os.access(children, os.R_OK),  # where the kernel has CONFIG_PROC_CHILDREN
    }
    if end >= 0:
        os.close(end)
    if missing := [name for name, is_there in found.items() if not is_there]:
        raise UnsupportedError(
            "a run cannot be held to limits with all its processes here: "
            f"{' and '.join(missing)} cannot be used, expected Linux 5.3 or later with /proc; "
            "use `nonosat batch`, or run the benchmark on such a system"
        )


def end_with_parent() -> None:
    """Have the system kill this process when its parent ends."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def adopt_orphans() -> None:
    """Become the parent of all descendants whose own parent has ended."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def be_killed_first() -> None:
    """Make this process the first that the system kills if memory runs out."""
    with suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:  # noqa: PTH123
        file.write("1000")


def descendants() -> list[int]:
    """Return all descendants of this process."""
    found = list(_children_of(os.getpid()))
    for pid in found:
        found.extend(_children_of(pid))
    return found


def _children_of(pid: int) -> Iterator[int]:
    with suppress(OSError):  # it has just ended
        for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208 - 20 times as fast
            with suppress(OSError), open(f"/proc/{pid}/task/{thread}/children", "rb") as file:  # noqa: PTH123
                yield from map(int, file.read().split())


def cpu_s(pid: int) -> float:
    """Return the CPU seconds of a process and of its children that it has reaped."""
    with suppress(OSError), open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123
        fields = file.read().rpartition(b")")[2].split()
        return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return 0.0


def marked(name: str, value: str) -> Iterator[int]:
    """Yield the ids of the processes whose environment has this variable with this value."""
    text = f"{name}={value}".encode()
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if text in _environment(path).split(b"\0"):
                yield int(path.name)


def _environment(process: Path) -> bytes:
    """Return the environment of a process, once its program has begun.

    For some microseconds, or while it waits for a core, a process whose old program has ended has
    memory but no environment yet, even after its parent has been notified of success.
    """
    end = monotonic() + _PATIENCE_S
    while not (data := (process / "environ").read_bytes()) and monotonic() < end:
        fields = (process / "stat").read_bytes().rpartition(b")")[2].split()
        num_bytes, last = fields[20], fields[48]  # of memory; the end address of `environ`
        if num_bytes == b"0" or last != b"0":
            break  # a zombie, a thread of the kernel, or a program without environment
        sleep(0.0005)
    return data
