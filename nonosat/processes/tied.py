"""Start of a helper process that ends immediately with its parent, in any state of either.

`python tied.py FILE LIFELINE NUM PATH... WORD...` runs the Python file FILE with the arguments
LIFELINE and WORD..., after it has added the NUM import paths PATH... of the parent to its own.
LIFELINE is the reading end of a pipe; the parent holds the other end and never writes to it. The
system sends SIGKILL when that end is closed, even during an import that holds Python's lock. Only
Python's own start precedes the first line here, and one poll of the pipe covers it. Systems without
F_SETSIG depend on FILE.

Source: F_SETOWN, F_SETSIG and O_ASYNC in fcntl(2). PR_SET_PDEATHSIG is unsuitable: it fires when
the parent's thread that started the process ends.
"""

import fcntl
import os
import select
import sys

_SIGKILL = 9  # `signal` takes long to import


def tie(lifeline: int) -> None:
    """Have the system kill this process once the other end of a pipe is closed."""
    if hasattr(fcntl, "F_SETSIG"):
        fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(lifeline, fcntl.F_SETSIG, _SIGKILL)
        flags = fcntl.fcntl(lifeline, fcntl.F_GETFL)
        fcntl.fcntl(lifeline, fcntl.F_SETFL, flags | os.O_ASYNC)
    if select.select([lifeline], [], [], 0)[0]:  # it was closed before
        os._exit(1)


def untie(lifeline: int) -> None:
    """Undo `tie`: from now on this process itself waits for the end of the lifeline."""
    flags = fcntl.fcntl(lifeline, fcntl.F_GETFL)
    fcntl.fcntl(lifeline, fcntl.F_SETFL, flags & ~os.O_ASYNC)


if __name__ == "__main__":
    _file, _lifeline, _num_paths, *_words = sys.argv[1:]
    tie(int(_lifeline))
    _first_word = int(_num_paths)
    # Our own import path comes first: a file in the folder of the user's script must not replace a
    # library's module here if it does not in the parent.
    sys.path.extend(path for path in _words[:_first_word] if path not in sys.path)
    sys.argv = [_file, _lifeline, *_words[_first_word:]]
    with open(_file, "rb") as _stream:  # noqa: PTH123 - `pathlib` takes long to import
        _code = compile(_stream.read(), _file, "exec")
    exec(_code, {"__name__": "__main__", "__file__": _file})  # noqa: S102 - a file of this package
