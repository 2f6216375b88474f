"""Opening of engines by name: in this process, or in a child if they cannot be interrupted here.

A remote engine buffers its clauses and sends them in batches, so that adding one costs as much as
in this process. A limit kills its child: from then on it answers UNKNOWN. Children of closed
engines are reused: a new child costs 60 ms, 400 ms with the import of CP-SAT.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from nonosat.backends._answers import answer_of
from nonosat.clauses.sinks import Batching
from nonosat.core import plugins
from nonosat.core.errors import LimitReached, NonosatError
from nonosat.core.limits import Watch
from nonosat.core.model import Constraint
from nonosat.core.plugins import Answer, Engine
from nonosat.processes.child import Child
from nonosat.processes.isolation import is_expendable, must_isolate
from nonosat.processes.memory import is_readable, resident_mib
from nonosat.processes.system import has_memory_limit

_MAX_IDLE = 2  # idle children for each backend
_MAX_IDLE_MIB = 300  # limit for reuse; a child that has imported CP-SAT has 100
_VAR_BYTES = 200  # memory of a variable in this process; `learn` takes 205 to 220

# Keys are backends whose package the children have imported. Only single operations on lists are
# used, which are atomic in the interpreter, so that threads (and forks between them) need no lock.
_idle: dict[str, list[Child]] = {}


def open_backend(
    name: str, num_vars: int, seed: int, options: Mapping[str, str], watch: Watch
) -> Engine:
    """Return a fresh engine.

    Args:
        name: Name of a backend.
        num_vars: The model's variables are 1 .. num_vars.
        seed: Random seed, for engines that take one.
        options: Options of the backend's module.
        watch: Limits of all calls of a remote engine, not only of `solve`.

    Raises:
        UnsupportedError: There is no such backend.
        LimitReached: An engine of this process would exceed the memory limit.
        BackendError: The solver's package is missing or broken; a remote engine raises this, like
            every error except a crash, at the next `solve`.
    """
    backend = plugins.find("backends", name)
    # If memory can run out (`ulimit -v`), an external solver would crash this process.
    stays = backend.in_process and (backend.needs == "nothing" or not has_memory_limit())
    if not backend.has_teams:
        stays = stays and not must_isolate(backend.open_engine, backend, watch)
    if stays or is_expendable():
        watch.reserve(num_vars * _VAR_BYTES)
        return backend.opened(name, num_vars, seed, dict(options))
    return RemoteEngine(name, num_vars, seed, options, watch)


def _hire(work: str) -> Child:
    """Return an idle child that has run this backend before; a new child if there is none."""
    while children := _idle.get(work):
        with suppress(IndexError):  # another thread took it first
            child = children.pop()
            if child.is_fit():
                return child
            child.kill()
    return Child()


def _give_back(work: str, child: Child) -> None:
    """Keep the child of a closed engine for reuse if it is small enough; end it otherwise."""
    children = _idle.setdefault(work, [])
    if len(children) < _MAX_IDLE and child.is_fit() and not _is_large(child):
        children.append(child)
    else:
        child.kill()


def _is_large(child: Child) -> bool:
    return is_readable() and resident_mib(child.pid) >= _MAX_IDLE_MIB


class RemoteEngine(Batching, Engine):
    """An engine in a child process; arguments as for `open_backend`."""

    def __init__(
        self, name: str, num_vars: int, seed: int, options: Mapping[str, str], watch: Watch
    ) -> None:
        super().__init__(num_vars)
        self.label = name
        self._watch = watch
        self._num_sent_vars = num_vars
        self._values = b""
        self._statistics: dict[str, int] = {}
        self._work = plugins.find("backends", name).open_engine.__module__
        # Memory that earlier work has left in a child must not count against this puzzle.
        self._is_fresh = watch.limits.memory_mib is not None
        self._child: Child | None = Child() if self._is_fresh else _hire(self._work)
        self._child.label = name
        self._send("open", name, num_vars, seed, dict(options))

    def constrain(self, constraint: Constraint) -> None:
        self._flush()
        self._send("constrain", constraint)

    def set_phases(self, lits: Sequence[int]) -> bool:
        """Set the phases of decisions; return True if the engine supports phases."""
        self._flush()
        return bool(self._called("set_phases", list(lits)))

    def solve(self, assumptions: Sequence[int], watch: Watch, budget: int | None = None) -> Answer:
        """Decide satisfiability; a limit of `watch` ends the engine permanently."""
        self.begin(assumptions, watch, budget)
        return self.finish(watch)

    def begin(self, assumptions: Sequence[int], watch: Watch, budget: int | None = None) -> None:
        """Start `solve` without waiting; `finish` returns at once when `child` is readable."""
        self._flush()
        self._values = b""
        message = ("solve", list(assumptions), watch.remaining_s(), budget)
        self._reach(Child.begin, message, watch)

    def finish(self, watch: Watch) -> Answer:
        """Return the answer of a started `solve`."""
        answer = self._reach(Child.finish, watch)
        if answer is None:
            return Answer.UNKNOWN
        verdict, self._values, self._statistics = answer
        return answer_of(self.label, verdict)

    def values(self) -> bytes:
        return self._values

    def statistics(self) -> dict[str, int]:
        return self._statistics

    def proof(self) -> bytes:
        """Return the proof after UNSAT; requires the option {"proof": "yes"}."""
        return bytes(self._required("proof"))

    def failed(self) -> list[int]:
        return list(self._required("failed"))

    def _required(self, *message: Any) -> Any:
        """Return the value of a call in the child; raise LimitReached if a limit ends the call."""
        if (answer := self._called(*message)) is None:
            raise self._watch.limit()
        return answer

    @property
    def child(self) -> Child | None:
        """The child process; None once a limit has ended it."""
        return self._child

    def interrupt(self) -> None:
        if child := self._child:
            child.stop()

    def close(self) -> None:
        child, self._child = self._child, None
        if child is None:
            return
        if self._is_fresh or not child.is_fit():
            child.kill()
            return
        try:
            child.query(("close",), self._watch)
        except NonosatError:
            child.kill()
        else:
            _give_back(self._work, child)

    def _flush(self) -> None:
        """Send the buffered clauses."""
        if self.num_vars > self._num_sent_vars:
            self._send("new_vars", self.num_vars - self._num_sent_vars)
            self._num_sent_vars = self.num_vars
        if self.num_clauses:
            self._send("add_batch", self.take().tobytes())

    def _send(self, *message: Any) -> None:
        self._reach(Child.send, message, self._watch)

    def _called(self, *message: Any) -> Any:
        """Return the value of a call in the child; None after a limit or `interrupt`."""
        return self._reach(Child.query, message, self._watch)

    def _reach(self, how: Callable[..., Any], *arguments: Any) -> Any:
        if self._child is None:
            return None
        try:
            return how(self._child, *arguments)
        except LimitReached:
            self._child = None
            return None
