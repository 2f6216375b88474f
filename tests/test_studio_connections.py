"""Connections to the studio: incomplete requests time out, and others still get answers."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from uvicorn.config import Config
from uvicorn.server import ServerState

from helpers.processes import PATIENCE_S
from helpers.studios import studio
from nonosat.studio import connections
from nonosat.studio.connections import BODY_S, HEAD_S, READ_S, Connection

HEAD = b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\n\r\n"


class Timer:
    def __init__(self, at: float, call: Callable[[], object]) -> None:
        self.at, self.call = at, call
        self.is_cancelled = False

    def when(self) -> float:
        return self.at

    def cancel(self) -> None:
        self.is_cancelled = True


class Clock:
    """Event loop's part that a connection uses, with a time that the test moves."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.now = 0.0
        self.timers: list[Timer] = []
        self.create_task = loop.create_task

    def call_later(self, seconds: float, call: Callable[..., object], *arguments: Any) -> Timer:
        self.timers.append(Timer(self.now + seconds, lambda: call(*arguments)))
        return self.timers[-1]

    def pass_(self, seconds: float) -> None:
        self.now += seconds
        for timer in list(self.timers):
            if timer.at <= self.now and not timer.is_cancelled:
                timer.is_cancelled = True
                timer.call()


class Transport(asyncio.Transport):
    """Records written data."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.num_unread = 0  # bytes that the client has not read
        self.is_closed = self.is_aborted = False
        self.protocol: Any = None

    def write(self, data: Any) -> None:
        self.written += data

    def close(self) -> None:
        self.is_closed = True

    def abort(self) -> None:
        self.is_closed = self.is_aborted = True
        self.protocol.connection_lost(None)

    def get_write_buffer_size(self) -> int:
        return self.num_unread

    def is_closing(self) -> bool:
        return self.is_closed

    def get_protocol(self) -> Any:
        return self.protocol

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass


async def application(scope: Any, receive: Any, send: Any) -> None:
    while scope["path"] != "/early" and (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"done"})


class Server:
    """Connections that share a clock and a state."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.clock = Clock(loop)
        self.config = Config(application, lifespan="off", log_config=None)
        self.config.load()
        self.state = ServerState()

    def connect(self) -> tuple[Connection, Transport]:
        made = Connection(self.config, self.state, {}, self.clock)
        transport = Transport()
        transport.protocol = made
        made.connection_made(transport)
        return made, transport

    def run(self) -> None:
        """Let the application process its requests."""
        for _ in range(10):
            self.loop.run_until_complete(asyncio.sleep(0))


@pytest.fixture
def server() -> Iterator[Server]:
    loop = asyncio.new_event_loop()
    made = Server(loop)
    yield made
    made.run()
    loop.close()


@pytest.mark.parametrize("sent", [b"", b"G", HEAD[:-2]])
def test_an_incomplete_head_is_timed_out(server: Server, sent: bytes) -> None:
    made, transport = server.connect()
    if sent:
        made.data_received(sent)
    server.clock.pass_(HEAD_S - 1)
    assert not transport.is_closed
    if sent:  # another byte is no reason to wait longer
        made.data_received(b"x")
    server.clock.pass_(1)
    assert transport.is_closed
    assert transport.written.startswith(b"HTTP/1.1 408 ")
    assert not server.state.connections


def test_an_incomplete_body_is_timed_out(server: Server) -> None:
    made, transport = server.connect()
    made.data_received(HEAD + b"ab")
    server.run()
    server.clock.pass_(BODY_S - 1)
    assert not transport.is_closed
    made.data_received(b"c")
    server.clock.pass_(1)
    server.run()
    assert transport.is_closed
    assert transport.written.startswith(b"HTTP/1.1 408 ")
    assert not server.state.tasks


def test_a_whole_request_may_take_as_long_as_its_answer(server: Server) -> None:
    made, transport = server.connect()
    made.data_received(HEAD + b"abcd")
    server.clock.pass_(10 * BODY_S)
    assert not transport.is_closed
    server.run()
    assert transport.written.startswith(b"HTTP/1.1 200 ")


def test_the_half_of_a_second_request_is_timed_out(server: Server) -> None:
    made, transport = server.connect()
    made.data_received(HEAD + b"abcd")
    server.run()
    transport.written = b""
    made.data_received(b"GET")
    server.clock.pass_(HEAD_S)
    assert transport.is_closed
    assert transport.written.startswith(b"HTTP/1.1 408 ")


def test_a_new_connection_replaces_the_oldest_incomplete_one(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "MOST", 3)
    made = []
    for _ in range(3):
        made.append(server.connect())
        server.clock.pass_(1)
    made[0][0].data_received(HEAD + b"abcd")  # complete: in progress
    _, fourth = server.connect()
    assert [transport.is_closed for _, transport in made] == [False, True, False]
    assert not fourth.is_closed
    for one in server.state.connections:
        one.data_received(HEAD + b"abcd")
    _, fifth = server.connect()
    assert fifth.is_closed
    assert fifth.written.startswith(b"HTTP/1.1 503 ")


def test_an_early_answer_is_the_only_one(server: Server) -> None:
    """The application answers before the whole request has arrived, as when it refuses it."""
    made, transport = server.connect()
    made.data_received(HEAD.replace(b"POST /", b"POST /early") + b"ab")
    server.run()
    assert transport.written.count(b"HTTP/1.1 ") == 1
    made.data_received(b"c")
    server.clock.pass_(BODY_S)
    assert transport.is_closed
    assert transport.written.count(b"HTTP/1.1 ") == 1
    assert not server.state.connections


def test_a_new_connection_replaces_an_idle_one(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "MOST", 3)
    made = []
    for _ in range(3):
        made.append(server.connect())
        made[-1][0].data_received(HEAD + b"abcd")
        server.run()
        server.clock.pass_(1)
    assert all(transport.written.startswith(b"HTTP/1.1 200 ") for _, transport in made)
    made[0][0].data_received(HEAD + b"abcd")  # in progress again
    _, fourth = server.connect()
    assert [transport.is_closed for _, transport in made] == [False, True, False]
    assert made[1][1].written.count(b"HTTP/1.1 ") == 1  # closed without another answer
    assert not fourth.is_closed


def test_a_client_that_does_not_read_its_answer_is_closed(server: Server) -> None:
    made, transport = server.connect()
    transport.num_unread = 70_000
    made.data_received(HEAD + b"abcd")
    made.pause_writing()
    server.run()
    server.clock.pass_(READ_S - 1)
    assert not transport.is_aborted
    server.clock.pass_(1)
    server.run()
    assert transport.is_aborted
    assert not server.state.connections
    assert not server.state.tasks


@pytest.mark.parametrize("header", [b"", b"connection: close\r\n"])
def test_an_answer_that_waits_to_be_read_ends_in_time(server: Server, header: bytes) -> None:
    """It is complete; closing alone would wait for the client."""
    made, transport = server.connect()
    transport.num_unread = 70_000
    made.data_received(HEAD[:-2] + header + b"\r\nabcd")
    server.run()
    assert transport.written.startswith(b"HTTP/1.1 200 ")
    server.clock.pass_(READ_S)
    assert transport.is_aborted
    assert transport.written.count(b"HTTP/1.1 ") == 1


def test_a_client_that_reads_its_answer_may_go_on(server: Server) -> None:
    made, transport = server.connect()
    transport.num_unread = 70_000
    made.data_received(HEAD + b"abcd")
    server.run()
    transport.num_unread = 0
    made.resume_writing()
    made.data_received(HEAD + b"ab")  # another request
    server.clock.pass_(BODY_S - 1)
    assert not transport.is_closed
    server.clock.pass_(1)
    assert transport.is_closed
    assert not transport.is_aborted


def test_a_new_connection_replaces_one_that_does_not_read(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "MOST", 2)
    (first, unread), (second, working) = server.connect(), server.connect()
    unread.num_unread = 70_000
    for one in (first, second):
        one.data_received(HEAD + b"abcd")
    first.pause_writing()
    _, third = server.connect()
    assert (unread.is_aborted, working.is_closed, third.is_closed) == (True, False, False)


def test_few_descriptors_allow_few_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    allowed = {256: 85, 30: 10, 8: 8, 10**6: connections.MOST}
    for soft, most in allowed.items():
        monkeypatch.setattr(connections.resource, "getrlimit", lambda _, soft=soft: (soft, soft))
        assert connections.most_connections() == most


def test_others_get_answers_among_many_incomplete_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MOST", 8)
    with ExitStack() as opened, studio() as visitor:
        halves = []
        for _ in range(40):
            one = opened.enter_context(socket.create_connection(("127.0.0.1", visitor.port)))
            one.sendall(b"GET / HTTP/1.1\r\nhost: x")
            halves.append(one)
        assert visitor.client.get(visitor.address).status_code == 200
        halves[0].settimeout(PATIENCE_S)
        assert halves[0].recv(100).startswith(b"HTTP/1.1 408 ")
