"""Counterpart of `child.Child`: a process that runs one engine at a time for its parent.

Started by `tied.py`: `worker.py LIFELINE FD` with the socket to the parent. Messages are (needs an
answer, (method, arguments)); the answer is a value or an exception. After an error all messages up
to the next query are skipped, and the error is its answer. A call that returns an iterator has an
answer for each item, sent when it is available.
"""

import pickle
import socket
import sys
from array import array
from collections.abc import Callable, Iterator
from typing import Any

from nonosat._core import exit_when_closed
from nonosat.core import plugins
from nonosat.core.answer_source import failure_of
from nonosat.core.errors import BackendError, NonosatError
from nonosat.core.limits import Limits, Watch
from nonosat.core.plugins import Answer
from nonosat.processes.child import HEADER


class EngineServer:
    """The current engine, with the methods that the parent may call."""

    def __init__(self) -> None:
        self.name = ""
        self.engine: Any = None

    def open(self, name: str, num_vars: int, seed: int, options: dict[str, str]) -> None:
        self.name = name
        self.engine = plugins.find("backends", name).opened(name, num_vars, seed, options)

    def new_vars(self, count: int) -> None:
        self.engine.new_vars(count)

    def add_batch(self, clauses: bytes) -> None:
        self.engine.add_batch(array("i", clauses))

    def constrain(self, constraint: object) -> None:
        self.engine.constrain(constraint)

    def set_phases(self, lits: list[int]) -> bool:
        return bool(self.engine.set_phases(lits))

    def solve(
        self, assumptions: list[int], remaining_s: float | None, budget: int | None
    ) -> tuple[Any, bytes, Any]:
        """Run the engine; return its answer, the values (empty unless SAT) and its statistics."""
        answer = self.engine.solve(assumptions, Watch(Limits(remaining_s)), budget)
        values = self.engine.values() if answer is Answer.SAT else b""
        return answer, values, self.engine.statistics()

    def failed(self) -> list[int]:
        return list(self.engine.failed())

    def proof(self) -> bytes:
        return bytes(self.engine.proof())

    def call(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        """Return the value of a function; each item of an iterator is sent as its own answer."""
        self.name = function.__name__
        return function(*arguments)

    def close(self) -> None:
        """Free the engine, if one was opened."""
        engine, self.engine = self.engine, None
        if engine is not None:
            engine.close()


def _attempt(desk: EngineServer, method: str, arguments: list[Any]) -> Any:
    """Return the method's value, or an exception with a message for the parent's user."""
    try:
        return getattr(desk, method)(*arguments)
    except NonosatError as error:
        return error
    except MemoryError:
        return BackendError(f"{desk.name} could not get more memory; try another backend")
    except Exception as error:
        return failure_of(error, desk.name)


def serve(stream: Any) -> None:
    """Execute the messages in `stream` until it ends."""
    desk = EngineServer()
    failure: Exception | None = None
    while header := stream.read(HEADER.size):
        data = stream.read(HEADER.unpack(header)[0])
        has_answer, (method, *arguments) = pickle.loads(data)  # noqa: S301 - from our parent
        result = failure or _attempt(desk, method, arguments)
        failure = result if isinstance(result, Exception) else None
        if has_answer:
            for part in result if isinstance(result, Iterator) else (result,):
                answer = pickle.dumps(part, pickle.HIGHEST_PROTOCOL)
                stream.write(HEADER.pack(len(answer)) + answer)
                stream.flush()
            failure = None


def main() -> None:
    fd = int(sys.argv[2])
    exit_when_closed(fd)
    with socket.socket(fileno=fd) as connection:
        serve(connection.makefile("rwb"))


if __name__ == "__main__":
    main()
