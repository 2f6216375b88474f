"""Connections to the studio's server: incomplete requests end, and connections are bounded.

A request that does not arrive in time is answered with 408 and its connection closed. When there
are too many connections, the one that has waited longest for the rest of its request is closed in
favour of a new one; where every one is at work, the new one is answered with 503. So clients that
send halves of requests cannot use up the descriptors of the process.

Invariant: at most `most_connections()` connections stay open after each one is accepted.
"""

from __future__ import annotations

import asyncio
import resource
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_S = 10.0  # for the head of a request, from its first byte or the start of the connection
BODY_S = 60.0  # for its body; the largest upload is 8 MiB
MOST = 256  # connections; a browser opens six, and one for live verdicts of each page
_SHARE = 3  # of the descriptors that a process may have; children need the others


def most_connections() -> int:
    """Number of connections that may be open."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST if soft == resource.RLIM_INFINITY else min(MOST, max(8, soft // _SHARE))


class Connection(H11Protocol):
    """An HTTP connection whose requests have to arrive in time."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self._timer: asyncio.TimerHandle | None = None
        self._awaited: tuple[object, object] | None = None  # what the timer is for

    # It is a server of streams: asyncio's base class allows any transport.
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # narrower
        """Accept a connection, in place of an incomplete one if there are too many."""
        super().connection_made(transport)
        self._follow()
        if len(self.connections) > most_connections():
            others = (one for one in self.connections if isinstance(one, Connection))
            waiting = [one for one in others if one._timer is not None and one is not self]
            if waiting:
                min(waiting, key=lambda one: one._until).end(408)
            else:
                self.end(503)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the timer."""
        self._await(None, 0.0)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take more of a request."""
        super().data_received(data)
        self._follow()

    def on_response_complete(self) -> None:
        """Begin to wait for the next request if a part of it is here."""
        super().on_response_complete()
        self._follow()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection over to another protocol."""
        self._await(None, 0.0)
        super().handle_websocket_upgrade(event)

    def end(self, status: int) -> None:
        """Close the connection, with a status where no response has begun."""
        self._await(None, 0.0)
        self.connections.discard(self)
        cycle = self.cycle
        if cycle is None or cycle.response_complete or not cycle.response_started:
            lines = f"HTTP/1.1 {status} \r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
            self.transport.write(lines.encode())
        if cycle is not None:
            cycle.disconnected = True
            cycle.message_event.set()
        self.transport.close()

    def _follow(self) -> None:
        """Have a timer for what is missing of a request, from the moment it begins."""
        state = self.conn.their_state
        if self.transport.is_closing() or self.transport.get_protocol() is not self:
            self._await(None, 0.0)
        elif state is h11.SEND_BODY:
            self._await((state, self.cycle), BODY_S)
        elif state is h11.IDLE and (self.cycle is None or self.conn.trailing_data[0]):
            self._await((state, self.cycle), HEAD_S)
        else:  # a response is being made, or uvicorn's timer ends an idle connection
            self._await(None, 0.0)

    def _await(self, what: tuple[object, object] | None, seconds: float) -> None:
        if what == self._awaited and (what is None or self._timer is not None):
            return
        if self._timer is not None:
            self._timer.cancel()
        self._awaited = what
        self._timer = None if what is None else self.loop.call_later(seconds, self.end, 408)

    @property
    def _until(self) -> float:
        assert self._timer is not None
        return self._timer.when()
