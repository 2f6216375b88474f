"""Functions of other packages: within limits each call runs in a copy of this process.

Such a function gets no watch, or may not poll it, so that a limit could not end it. While the work
in progress has limits, a forked child makes the call and sends back what it returns, item by item
if that is an iterator; a limit kills the child. A call costs about 2 ms more then; one child makes
all calls of an encoding for a model (`RepeatedCall`). Plug-ins whose record has `polls` are called
here, and so are all while there are no limits.

Invariant: no call is made here that a child has begun. Results are pickled, and a result that
cannot be pickled is refused; records of plug-ins, whose functions cannot be pickled, are sent as
their numbers, because a copy of this process has the same records. An exception other than a
NonosatError arrives as a BackendError with its traceback as a note.
"""

from __future__ import annotations

import copyreg
import os
import pickle
import select
import signal
import sys
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from io import BytesIO
from socket import socketpair
from types import MappingProxyType
from typing import Any, TypeVar

from nonosat._core import exit_when_closed
from nonosat.core.answer_source import advice_on_modules, failure_of
from nonosat.core.contracts import Encoding, Plugin, Record
from nonosat.core.errors import BackendError, NonosatError, shown
from nonosat.core.limits import POLL_EVERY_S, Watch, watches_in_use
from nonosat.processes.child import HEADER
from nonosat.processes.copies import forked
from nonosat.processes.interruption import Deferred
from nonosat.processes.system import signal_name

R = TypeVar("R", bound=Record)

_VALUE, _ITEM, _END, _ERROR = range(4)  # kinds of messages of a child
# Functions that get more than frozen data: engines have children of their own (`backends/`), and
# sinks are written to (`clauses/foreign.py`).
_NOT_CALLED = frozenset(
    (
        *("encode", "encode_lines", "encode_counts", "formulate", "open_engine", "open_on_board"),
        *("count_models", "count_loops"),
    )
)
_is_expendable = False


def work_here() -> None:
    """Make every call in this process from now on, because another process kills it at limits."""
    global _is_expendable
    _is_expendable = True


def is_expendable() -> bool:
    """Return True if another process kills this one at its limits."""
    return _is_expendable


def must_isolate(
    function: Callable[..., Any], plugin: Plugin | None = None, watch: Watch | None = None
) -> bool:
    """Return True if a function must be called in a child, so that a limit can end it.

    It must if it belongs to another package, or is an encoding that calls one, does not poll, and
    the work has limits. Backends of nonosat interrupt their engines themselves.

    Args:
        function: The function.
        plugin: Record of the plug-in that it belongs to, if any.
        watch: Limits of the call, in addition to those of the work in progress.
    """
    calls_others = isinstance(plugin, Encoding) and plugin.needs != "nothing"
    is_ours = _is_ours(function) and not calls_others
    if _is_expendable or (plugin is not None and plugin.polls) or is_ours:
        return False
    return bool(watches_in_use.get()) or (watch is not None and watch.has_limits())


def _is_ours(function: object) -> bool:
    return module_of(function).partition(".")[0] == "nonosat"


def module_of(function: object) -> str:
    """Return the name of a function's module, "" if there is none."""
    while isinstance(function, partial):
        function = function.func
    return getattr(function, "__module__", None) or ""


def isolated(record: R) -> R:
    """Return a copy of a record in which functions of other packages are called in children."""
    if isinstance(record, Plugin) and record.polls:
        return record
    changes = {}
    for name, value in vars(record).items():
        if name == "with_argument" and value is not None:
            changes[name] = _then_isolated(value)
        elif name not in _NOT_CALLED and (other := _isolated_field(value)) is not value:
            changes[name] = other
    return record.replaced(**changes) if changes else record


def _then_isolated(with_argument: Callable[[str], Any]) -> Callable[[str], Any]:
    return lambda argument: isolated(with_argument(argument))


def _isolated_field(value: object) -> Any:
    if isinstance(value, Record):
        return isolated(value)
    if isinstance(value, Mapping):
        made = {name: _isolated_field(one) for name, one in value.items()}
        return made if any(made[name] is not value[name] for name in made) else value
    if not callable(value) or isinstance(value, Isolated) or _is_ours(value):
        return value
    return Isolated(value)


class Isolated:
    """A function whose calls run in a child if `must_isolate` returns True for it."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def __call__(self, *arguments: object, **named: object) -> Any:
        call = partial(self._function, *arguments, **named)
        return in_child(call) if must_isolate(self._function) else call()


def in_child(call: partial[Any], function: Callable[..., Any] | None = None) -> Any:
    """Return the value of a call that a child makes.

    Args:
        call: The call; it must not change anything in this process.
        function: Function of another package, if `call` calls it indirectly.

    Raises:
        LimitReached: A limit of the work in progress ended it.
        BackendError: The call failed or ended its process, or its value cannot be pickled.
    """
    child = _ForkedCall(function or call)
    try:
        child.start(call)
        kind, value = child.answer()
        if kind != _VALUE:
            return _items(child, kind, value)
    except BaseException:
        child.end()
        raise
    child.end()
    return value


class RepeatedCall:
    """A function whose calls all run in one child, which the first call starts.

    A call after a failed one starts a new child.

    Args:
        function: The function; it returns no iterators, and may keep objects in the child.
        theirs: Function of another package that it calls.
    """

    def __init__(self, function: Callable[[Any], Any], theirs: Callable[..., Any]) -> None:
        self._function, self._theirs = function, theirs
        self._child: _ForkedCall | None = None
        self._parent = 0

    def __call__(self, argument: object) -> Any:
        """Return the value for an argument; raises as `in_child`."""
        try:
            if self._child is None:
                self._child, self._parent = _ForkedCall(self._theirs), os.getpid()
                self._child.start(partial(self._child.answers, self._function))
            self._child.send(pickle.dumps(argument, pickle.HIGHEST_PROTOCOL))
            return self._child.answer()[1]
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the child."""
        if self._child and self._parent == os.getpid():  # not in a copy of this process
            self._child.end()
        self._child = None

    __del__ = close


def _items(child: _ForkedCall, kind: int, value: Any) -> Generator[Any, None, Any]:
    """Yield the items of an iterator that runs in a child; return its return value."""
    try:
        while kind == _ITEM:
            yield value
            kind, value = child.answer()
    finally:
        child.end()
    return value


class _ForkedCall:
    """A copy of this process that makes one call of a function."""

    def __init__(self, function: Callable[..., Any]) -> None:
        while isinstance(function, partial):
            function = function.func
        self._module = module_of(function)
        self._name = f"{self._module}.{getattr(function, '__qualname__', '')}".strip(".")
        self._pid = 0
        self._records = [*Record.made.values()]  # kept while the child may name them
        self._socket, self._theirs = socketpair()

    def start(self, call: Callable[[], Any]) -> None:
        """Start the child; `end` must be called afterwards, even if this raises."""
        try:
            forked(partial(self._serve, call), self._keep)
        except OSError as error:
            raise MemoryError(f"no process can be started ({error.strerror})") from None
        self._theirs.close()

    def _keep(self, pid: int) -> None:
        self._pid = pid

    def send(self, data: bytes) -> None:
        """Send an argument to `answers` in the child."""
        with suppress(ConnectionError):  # it has ended; `answer` returns how
            self._socket.sendall(data)

    def answer(self) -> tuple[int, Any]:
        """Return the next message; raise LimitReached at a limit, and errors of the call."""
        (size,) = HEADER.unpack(self._received(HEADER.size))
        data = self._received(size)
        try:
            kind, value = pickle.loads(data)  # noqa: S301 - written by a copy of this process
        except Exception as error:
            raise self._failed(f"returned an object that {_cannot('restored', error)}") from None
        if kind == _ERROR:
            raise value
        return kind, value

    def _received(self, size: int) -> bytearray:
        data = bytearray(size)
        rest = memoryview(data)
        while rest:
            self._await()
            try:
                count = self._socket.recv_into(rest)
            except ConnectionResetError:  # it has ended without reading an argument
                count = 0
            if not count:
                status = os.waitstatus_to_exitcode(self._reaped())
                how = f"exit status {status}" if status >= 0 else signal_name(-status)
                raise self._failed(f"ended its process ({how})")
            rest = rest[count:]
        return data

    def _await(self) -> None:
        """Wait until the child has sent more of a message; raise LimitReached at a limit."""
        poller = select.poll()
        poller.register(self._socket, select.POLLIN)
        watches = watches_in_use.get()
        while True:
            for watch in watches:
                if watch.reason(self._pid):
                    raise watch.limit()
            step_s = min((watch.step_s() for watch in watches), default=POLL_EVERY_S)
            if poller.poll(step_s * 1000):
                return

    def end(self) -> None:
        """Kill the child, if it was started, and the processes that it started."""
        self._socket.close()
        self._theirs.close()
        if self._pid:
            with Deferred(raising=True):  # an interruption would leave the child unreaped
                with suppress(ProcessLookupError):  # no session of its own yet
                    os.killpg(self._pid, signal.SIGKILL)
                os.kill(self._pid, signal.SIGKILL)
                self._reaped()

    def _reaped(self) -> int:
        """Wait for the end of the child, and return its exit status."""
        pid, self._pid = self._pid, 0
        return os.waitpid(pid, 0)[1]

    def _failed(self, what: str) -> BackendError:
        return BackendError(f"{self._name} {what}", advice=advice_on_modules([self._module]))

    # In the child

    def _serve(self, call: Callable[[], Any]) -> None:
        """Make the call, and send the result to the parent."""
        self._socket.close()
        exit_when_closed(self._theirs.fileno())
        work_here()
        try:
            result = call()
            if isinstance(result, Iterator):
                self._send(_END, self._send_items(result))
            else:
                self._send(_VALUE, result)
        except BaseException as error:
            self._send(_ERROR, self._portable(error))
        for stream in (sys.stdout, sys.stderr):
            with suppress(Exception):
                stream.flush()

    def answers(self, function: Callable[[Any], Any]) -> Iterator[Any]:
        """Yield the value of a function for each argument that the parent sends."""
        with self._theirs.makefile("rb") as stream:
            while True:
                yield function(pickle.load(stream))  # noqa: S301 - written by the parent

    def _send_items(self, items: Iterator[Any]) -> Any:
        """Send each item of an iterator; return its return value."""
        while True:
            try:
                item = next(items)
            except StopIteration as stop:
                return stop.value
            self._send(_ITEM, item)

    def _send(self, kind: int, value: Any) -> None:
        """Send a message; raise BackendError if the value cannot be pickled."""
        try:
            data = _pickled((kind, value), self._records)
        except Exception as error:
            raise self._failed(
                f"returned {shown(value)}, which {_cannot('pickled', error)}"
            ) from None
        self._theirs.sendall(HEADER.pack(len(data)) + data)

    def _portable(self, error: BaseException) -> BaseException:
        """Return the error to send: a NonosatError as it is, others as a BackendError.

        The BackendError has the traceback as a note.
        """
        if isinstance(error, MemoryError | KeyboardInterrupt):  # as a call in this process
            return type(error)(str(error))
        if isinstance(error, NonosatError):
            with suppress(Exception):
                pickle.loads(_pickled(error, self._records))  # noqa: S301 - written here
                return error
        failed = failure_of(error, self._name)
        failed.advice = failed.advice or advice_on_modules([self._module])
        return failed


def _cannot(how: str, error: Exception) -> str:
    return (
        f"cannot be {how} ({error}), expected data that a child process can send; a plug-in whose "
        "record has polls=True is called without a child"
    )


def _pickled(value: Any, records: Sequence[Record]) -> bytes:
    """Pickle a value; a record that the parent has, too, is replaced by its number."""
    known = {id(record) for record in records}

    def reduced(record: Record) -> tuple[Callable[[int], Record], tuple[int]]:
        if id(record) not in known:
            raise pickle.PicklingError(f"the {type(record).__name__} was made by the call")
        return _record, (id(record),)

    stream = BytesIO()
    pickler = pickle.Pickler(stream, pickle.HIGHEST_PROTOCOL)
    kinds = {type(record) for record in records}
    pickler.dispatch_table = {
        **copyreg.dispatch_table,
        MappingProxyType: lambda proxy: (_proxy, (dict(proxy),)),
        **dict.fromkeys(kinds, reduced),
    }
    pickler.dump(value)
    return stream.getvalue()


def _proxy(content: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(content)


def _record(number: int) -> Record:
    """Return the record that has this number in `Record.made`."""
    return Record.made[number]
