"""Studio that serves in a thread of the test, and a client that has its address."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import httpx
from websockets.sync.client import ClientConnection, connect

from helpers.processes import PATIENCE_S
from nonosat.studio.server import Studio, StudioOptions

INK = {"a": "#1a1a1a"}


def drawn(*rows: str, colours: dict[str, str] | None = None) -> dict[str, Any]:
    """Return a picture in the form that a page sends."""
    return {"picture": list(rows), "colours": colours or INK}


class Visitor:
    """A client with the address of a studio.

    Args:
        opened: The studio.
    """

    def __init__(self, opened: Studio) -> None:
        self._desks = opened.app.state.desks
        self.shown: dict[str, Any] = opened.app.state.shown
        self.address = address = opened.address
        parts = urlsplit(address)
        self.port = parts.port
        self.base = f"http://{parts.netloc}"
        self.token = parts.query.removeprefix("t=")
        self.cookie = f"nonosat-{self.port}={self.token}"
        self.client = httpx.Client(
            base_url=self.base,
            headers={"Origin": self.base, "Cookie": self.cookie},
            trust_env=False,
            timeout=PATIENCE_S,
        )

    def at_work(self) -> set[int]:
        """Return the long-job children that have a job."""
        return {child.pid for child in self._desks._at_work}

    def ask(self, question: str, **asked: Any) -> httpx.Response:
        """Return the response to a query on a puzzle."""
        return self.client.post(f"/api/{question}", json=asked)

    def answer(self, question: str, **asked: Any) -> Any:
        """Return the answer in that response."""
        reply = self.ask(question, **asked)
        assert reply.status_code == 200, reply.text
        return reply.json()["answer"]

    def send(self, question: str, data: bytes, **parameters: Any) -> httpx.Response:
        """Return the response to a query on a file."""
        return self.client.post(f"/api/{question}", content=data, params=parameters)

    def socket(self, **headers: str) -> ClientConnection:
        """Open a WebSocket for live verdicts."""
        told = {"Origin": self.base, "Cookie": self.cookie, **headers}
        uri = f"ws://127.0.0.1:{self.port}/live"
        return connect(uri, additional_headers=told, proxy=None, max_size=None)


def refusal(reply: Any, status: int = 422) -> tuple[str, str]:
    """Return kind and message of an error."""
    assert reply.status_code == status, reply.text
    assert reply.headers["content-type"] == "application/json"
    error = reply.json()["error"]
    return error["kind"], error["message"]


@contextmanager
def studio(**wanted: Any) -> Iterator[Visitor]:
    """Studio whose children have ended afterwards."""
    opened = Studio(StudioOptions(**wanted))
    thread = threading.Thread(target=opened.serve)
    thread.start()
    visitor = Visitor(opened)
    try:
        yield visitor
    finally:
        visitor.client.close()
        opened.stop()
        thread.join(PATIENCE_S)
        assert not thread.is_alive()


def judged(line: ClientConnection, edit: int, puzzle: Any, **more: Any) -> list[dict[str, Any]]:
    """Return all messages about an edit, in order, without times."""
    line.send(json.dumps({"edit": edit, "puzzle": puzzle, **more}))
    told = []
    while True:
        message = json.loads(line.recv(PATIENCE_S))
        if message["edit"] == edit:
            if message.get("done"):
                return told
            if "looking" not in message:
                told.append(message)
