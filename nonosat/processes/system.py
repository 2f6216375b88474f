"""What the operating system does for us: as Linux does it best, and as any POSIX system can.

The one module that calls what Linux alone has. Whatever solving needs has a portable way as well,
which is taken where the better one is missing, also by a Linux whose kernel is too old or whose
sandbox forbids it. Trees of processes, which `bench run` holds to limits, have none: `check_trees`
says so. Nothing is asked of the system when this module is imported, and little else is, since the
whole package does it first of all.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache

from nonosat.core.errors import BackendError, UnsupportedError

TYPE_CHECKING = False  # true for type checkers
if TYPE_CHECKING:
    from pathlib import Path
    from subprocess import Popen
    from typing import Any

_TOO_MANY = "end others, use fewer jobs, or raise the limit (`ulimit -u`)"
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_PATIENCE_S = 2.0  # for a process to begin its program

# The machine


def num_cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def cpu_name() -> str:
    """What the processor is called, or at least its architecture."""
    import platform
    from pathlib import Path

    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name":
                return value.strip()
    return platform.machine()


def memory_mib() -> int:
    """Memory of the machine; 0 where the system does not tell."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2**20
    except (ValueError, OSError):
        return 0


def has_memory_limit() -> bool:
    """Whether this process can ask for memory and get none: `ulimit -v`, `ulimit -d`."""
    import resource

    kinds = (resource.RLIMIT_AS, resource.RLIMIT_DATA)
    return any(resource.getrlimit(kind)[0] != resource.RLIM_INFINITY for kind in kinds)


def signal_name(number: int) -> str:
    """What a signal is called, as SIGKILL; those between the real-time signals have no names."""
    import signal

    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


# Files


def nameless_file(name: str) -> int:
    """The descriptor of an empty file that no path leads to: in memory, or in a temporary folder.

    Args:
        name: What a list of open files shows, where it can.
    """
    try:
        return os.memfd_create(name)
    except (AttributeError, OSError):
        from tempfile import TemporaryFile

        with TemporaryFile() as file:
            return os.dup(file.fileno())


def path_of(fd: int) -> str | None:
    """The path by which other processes find a file without a name; None where there is none."""
    path = f"/proc/{os.getpid()}/fd/{fd}"
    try:
        os.close(os.open(path, os.O_RDONLY | os.O_CLOEXEC))
    except OSError:
        return None
    return path


class Nameless:
    """A file in a folder, without a name yet; what is written to it is freed if it never gets one.

    Args:
        fd: Its descriptor, which `close` closes.

    Attributes:
        path: What leads to it until then.
    """

    def __init__(self, fd: int) -> None:
        from pathlib import Path

        self._fd = fd
        self.path = Path(f"/proc/self/fd/{fd}")

    def link(self, path: Path) -> None:
        """Give it a name; there must not be a file of that name."""
        folder = os.open(path.parent, os.O_RDONLY | os.O_CLOEXEC)
        try:  # with a descriptor the link in /proc is followed
            os.link(self.path, path.name, dst_dir_fd=folder)
        finally:
            os.close(folder)

    def close(self) -> None:
        """Free what holds it."""
        os.close(self._fd)


def nameless_in(folder: Path) -> Nameless | None:
    """A new file in a folder; None where the system or the disk cannot do without a name."""
    try:
        fd = os.open(folder, os.O_TMPFILE | os.O_WRONLY | os.O_CLOEXEC, 0o666)
    except (AttributeError, OSError):
        return None
    made = Nameless(fd)
    if made.path.exists():
        return made
    made.close()  # there is no /proc
    return None


# Other processes


def started(command: Sequence[str], **settings: Any) -> Popen[bytes]:
    """A process that `subprocess.Popen` starts in a session of its own.

    Raises:
        BackendError: There are too many processes, or there is no memory for one more.
    """
    from errno import EAGAIN, ENOMEM
    from subprocess import Popen

    try:
        return Popen(command, start_new_session=True, **settings)  # noqa: S603 - no shell
    except OSError as error:
        if error.errno not in (EAGAIN, ENOMEM):
            raise
        what = f"no process can be started ({error.strerror}); {_TOO_MANY}"
        raise BackendError(what, advice="this is a limit of the system") from None


def start_tied(
    file: Path, words: Sequence[str], log: int, pass_fds: Sequence[int], **settings: Any
) -> tuple[Popen[bytes], int]:
    """Start a Python file that ends at once with this process (`tied.py`), in its own session.

    Args:
        file: The Python file.
        words: Its arguments after the first, which is the descriptor of its lifeline.
        log: Descriptor of what it prints.
        pass_fds: Other descriptors to be left open in it.
        settings: Of `subprocess.Popen`.

    Returns:
        The process, and a descriptor whose closing kills it.

    Raises:
        BackendError: No process can be started.
    """
    from pathlib import Path
    from subprocess import DEVNULL

    tied = Path(__file__).with_name("tied.py")
    lifeline, end = os.pipe()
    try:
        # -P: nothing in the current folder is imported by accident.
        process = started(
            [sys.executable, "-P", str(tied), str(file), str(lifeline), *words],
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
    """A small file that the system makes up, read without letting go of Python's lock.

    A busy thread gives the lock back 5 ms later. Python's own `open` and `read` let it go several
    times, and memory that grows meanwhile would be noticed some 15 MiB late.
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
    """The system's functions, called without letting go of Python's lock."""
    from ctypes import PyDLL

    return PyDLL(None, use_errno=True)


def resident_and_shared(pid: int | str) -> tuple[float, float]:
    """Resident memory of a process in MiB, and how much of it is files or shared memory.

    Args:
        pid: Its number, or "self".

    Returns:
        Zeros when it has ended, or where there is no /proc.
    """
    try:
        fields = _small(f"/proc/{pid}/statm").split()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0, 0.0
    pages_per_mib = 2**20 / os.sysconf("SC_PAGE_SIZE")
    return int(fields[1]) / pages_per_mib, int(fields[2]) / pages_per_mib


def end_of(pid: int) -> int:
    """A descriptor that can be read once the process has ended, reaped or not; -1 without one."""
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return -1


# A program is started together with a keeper: a process in its group, but not its child, that waits
# for the end of a pipe which nobody writes to, and then ends the group, with all that the program
# has started. It also holds the group's number until that is killed.
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


class Tie:
    """What ends a program together with this process, however that ends.

    Args:
        words: The path of the program, then its words, as for `os.execv`.
        folder: To be removed then; "" if there is none.

    Attributes:
        command: What to start, in a session of its own, in place of the program.
        inherited: Descriptors to be left open in it; `close` is to be called once it has ended.
    """

    def __init__(self, words: Sequence[str], folder: str) -> None:
        lifeline, end = os.pipe()
        self._ends, self.inherited = [lifeline, end], [lifeline]
        python = [sys.executable, "-I", "-S", "-c"]
        self.command = [*python, _KEEPER, str(lifeline), folder, *words]

    def close(self) -> None:
        """Free what it holds."""
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
    """Make sure that a tree of processes can be watched and ended here.

    Raises:
        UnsupportedError: It cannot; says what is missing.
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
    """Have this process killed when its parent ends."""
    from signal import SIGKILL

    _prctl(_PR_SET_PDEATHSIG, SIGKILL)


def adopt_orphans() -> None:
    """Be the parent of all processes below this one whose own parent has ended."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def be_killed_first() -> None:
    """Where memory runs out let the system kill this process before all others."""
    with suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:  # noqa: PTH123
        file.write("1000")


def descendants() -> list[int]:
    """Every process below this one."""
    found = list(_children_of(os.getpid()))
    for pid in found:
        found.extend(_children_of(pid))
    return found


def _children_of(pid: int) -> Iterator[int]:
    with suppress(OSError):  # it has ended just now
        for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208 - 20 times as fast
            with suppress(OSError), open(f"/proc/{pid}/task/{thread}/children", "rb") as file:  # noqa: PTH123
                yield from map(int, file.read().split())


def cpu_s(pid: int) -> float:
    """CPU seconds of a process and of those of its children that it has reaped."""
    with suppress(OSError), open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123
        fields = file.read().rpartition(b")")[2].split()
        return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return 0.0


def marked(name: str, value: str) -> Iterator[int]:
    """Living processes that have been started with this variable in their environment."""
    from pathlib import Path

    text = f"{name}={value}".encode()
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if text in _environment(path).split(b"\0"):
                yield int(path.name)


def _environment(process: Path) -> bytes:
    """What a process has been started with, once its program has begun.

    For some microseconds, or as long as it has to wait for a core, a process whose old program has
    ended has memory but no environment yet, also when whoever started it has heard of the success.
    """
    from time import monotonic, sleep

    end = monotonic() + _PATIENCE_S
    while not (data := (process / "environ").read_bytes()) and monotonic() < end:
        fields = (process / "stat").read_bytes().rpartition(b")")[2].split()
        num_bytes, last = fields[20], fields[48]  # of memory; the address where `environ` ends
        if num_bytes == b"0" or last != b"0":
            break  # a zombie, a thread of the kernel, or a program without environment
        sleep(0.0005)
    return data
