"""Connections to the studio's server: incomplete requests end, and connections are bounded.

A request that does not arrive in time is answered with 408 and its connection closed; a client that
does not read its answer in time loses its connection, and so does one that sends no further request
(uvicorn's keep-alive). When there are too many connections, one that waits for its client is closed
in favour of a new one: the one whose time ends first. If the server works for all of them, the new
one is answered with 503. So clients that send halves of requests, or read no answers, cannot use up
the descriptors of the process. No request is answered twice.

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
READ_S = 60.0  # for a client to read an answer
MOST = 256  # connections; a browser opens six, and one for live verdicts of each page
_UNREAD = "unread"  # the client must read data
_SHARE = 3  # one in three descriptors of the process; children need the others


def most_connections() -> int:
    """Return the number of connections that may be open."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST if soft == resource.RLIM_INFINITY else min(MOST, max(8, soft // _SHARE))


class Connection(H11Protocol):
    """HTTP connection with time limits for sending requests and reading answers."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self._timer: asyncio.TimerHandle | None = None
        self._awaited: tuple[object, object] | None = None  # event that the timer waits for

    # It is a stream server: asyncio's base class allows any transport.
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # narrower
        """Accept a connection; if there are too many, close one that waits for its client."""
        super().connection_made(transport)
        self._follow()
        if len(self.connections) > most_connections():
            others = (one for one in self.connections if isinstance(one, Connection))
            waiting = [one for one in others if one is not self and one._until is not None]
            if waiting:
                min(waiting, key=lambda one: one._until or 0.0).end(408)
            else:
                self.end(503)

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timer."""
        self._await(None, 0.0)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Receive more of a request."""
        super().data_received(data)
        self._follow()

    def on_response_complete(self) -> None:
        """Start the timer for the next request if a part of it was received."""
        super().on_response_complete()
        self._follow()

    def pause_writing(self) -> None:
        """Start the timer for the client to read the written data."""
        super().pause_writing()
        self._follow()

    def resume_writing(self) -> None:
        """Continue an answer that the client reads."""
        super().resume_writing()
        self._follow()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Pass the connection to another protocol."""
        self._await(None, 0.0)
        super().handle_websocket_upgrade(event)

    def end(self, status: int) -> None:
        """Close the connection, with a status if a request is unanswered."""
        self._await(None, 0.0)
        self.connections.discard(self)
        cycle = self.cycle
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE) and not self._is_idle:
            lines = f"HTTP/1.1 {status} \r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
            self.transport.write(lines.encode())
        if cycle is not None:
            cycle.disconnected = True
            cycle.message_event.set()
        if (
            self.transport.get_write_buffer_size()
        ):  # the client does not read, and closing would wait for it
            self.transport.abort()
        else:
            self.transport.close()

    def _follow(self) -> None:
        """Set the timer for the next action of the client, such as sending the rest of a body."""
        state, transport = self.conn.their_state, self.transport
        if transport.get_protocol() is not self:
            self._await(None, 0.0)
        elif transport.get_write_buffer_size():
            self._await((_UNREAD, self.cycle), READ_S)
        elif transport.is_closing():
            self._await(None, 0.0)
        elif state is h11.SEND_BODY:
            self._await((state, self.cycle), BODY_S)
        elif state is h11.IDLE and not self._is_idle:
            self._await((state, self.cycle), HEAD_S)
        else:  # a response is being computed, or uvicorn's timer ends an idle connection
            self._await(None, 0.0)

    def _await(self, what: tuple[object, object] | None, seconds: float) -> None:
        if what == self._awaited and (what is None or self._timer is not None):
            return
        if self._timer is not None:
            self._timer.cancel()
        self._awaited = what
        self._timer = None if what is None else self.loop.call_later(seconds, self._time_out)

    def _time_out(self) -> None:
        """End the connection, unless the client has read its answer meanwhile."""
        is_read = not self.transport.get_write_buffer_size()
        if is_read and self._awaited is not None and self._awaited[0] is _UNREAD:
            self._await(None, 0.0)
            self._follow()
        else:
            self.end(408)

    @property
    def _is_idle(self) -> bool:
        """Return True if a request was answered, and no byte of another one was received."""
        is_between = self.conn.their_state is h11.IDLE and self.cycle is not None
        return is_between and not self.conn.trailing_data[0]

    @property
    def _until(self) -> float | None:
        """Return the time at which the connection is closed unless its client acts; else None.

        None while the server works on a request.
        """
        timer = self._timer or (self.timeout_keep_alive_task if self._is_idle else None)
        return None if timer is None else timer.when()
