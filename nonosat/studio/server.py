"""The studio's server: the page's files, questions, live verdicts, all from one process.

The server listens on this machine only, and serves only pages that were opened by its full address
(`access`). Work is done in child processes (`worker_pool`), which end with the server.
"""

from __future__ import annotations

import asyncio
import secrets
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from errno import EACCES, EADDRINUSE, EMFILE, ENFILE
from pathlib import Path
from typing import Any, NamedTuple

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from nonosat.core.errors import Remedy, UnsupportedError
from nonosat.studio.access import Access
from nonosat.studio.api import query, show
from nonosat.studio.connections import Connection
from nonosat.studio.files import kind_of
from nonosat.studio.live import live
from nonosat.studio.requested import MOST_JSON_BYTES
from nonosat.studio.worker_pool import WorkerPool

HOST = "127.0.0.1"
MEMORY_MIB = 2048  # of a child
USUAL_PORT = 8437  # a browser stores drawings per port: the same one finds them again
PAGE = Path(__file__).with_name("page")
_BACKLOG = 128
_AT_ONCE = 8  # connections accepted before any of them is bounded
_FOR_A_MINUTE = "private, max-age=60"


class StudioOptions(NamedTuple):
    """Options of a studio.

    Args:
        port: Port; 0 for a free one; None for the usual one, or a free one if that is in use.
        first: Initial puzzle, in the form in which the page takes it.
        mode: Initial mode, "draw" or "play"; None leaves the choice to the page.
        memory_limit_mib: Memory of each child.
    """

    port: int | None = 0
    first: Any = None
    mode: str | None = None
    memory_limit_mib: int = MEMORY_MIB


class Studio:
    """A studio that listens; `serve` answers requests until it is stopped.

    Args:
        options: Its options.

    Attributes:
        address: Address to open in a browser.

    Raises:
        UnsupportedError: The port is not available.
    """

    def __init__(self, options: StudioOptions) -> None:
        self._socket = _listening(options.port)
        port = self._socket.getsockname()[1]
        token = secrets.token_urlsafe(32)
        self.address = f"http://{HOST}:{port}/?t={token}"
        self.app = _app(options, port, token)
        config = uvicorn.Config(
            self.app,
            http=Connection,
            ws="websockets-sansio",
            loop="asyncio",
            lifespan="on",
            ws_max_size=MOST_JSON_BYTES,
            ws_max_queue=4,
            log_config=None,
            log_level="critical",
            access_log=False,
            server_header=False,
            backlog=_AT_ONCE,
            proxy_headers=False,
            timeout_graceful_shutdown=0,  # Ctrl-C is the usual end
        )
        self._server = _Server(config)

    def serve(self) -> None:
        """Answer requests until `stop` is called."""
        try:
            self._server.run(sockets=[self._socket])
        finally:
            self.close()

    def close(self) -> None:
        """Free all resources if `serve` has not done so."""
        self._socket.close()
        self.app.state.desks.close()

    def stop(self) -> None:
        """End `serve`, from another thread or a signal handler, also before it has begun."""
        self._server.should_exit = True


class _Server(uvicorn.Server):
    """Uvicorn's server without signal handlers: `interruption.Deferred` installs them."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start with a backlog longer than the number of connections accepted at a time."""
        asyncio.get_running_loop().set_exception_handler(_report)
        await super().startup(sockets)
        for one in sockets or ():
            one.listen(_BACKLOG)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signal handlers unchanged; uvicorn would replace handlers that ignore a signal."""
        yield


def _report(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Report errors of the event loop, except a temporary lack of file descriptors."""
    error = context.get("exception")
    if not (isinstance(error, OSError) and error.errno in (EMFILE, ENFILE)):
        loop.default_exception_handler(context)


def _listening(port: int | None) -> socket.socket:
    """Return a listening socket; clients that connect before `serve` runs wait."""
    if port is None:
        try:
            return _listening(USUAL_PORT)
        except UnsupportedError:
            return _listening(0)
    # TCP by name, otherwise asyncio does not set TCP_NODELAY.
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((HOST, port))
        made.listen(_BACKLOG)
    except OSError as error:
        made.close()
        if error.errno == EADDRINUSE:
            what = f"port {port} is in use, perhaps by another studio"
        elif error.errno == EACCES:
            what = f"port {port} is reserved for administrators"
        else:
            raise
        raise UnsupportedError(
            f"{what}; choose another one", remedy=Remedy("leave", "port")
        ) from None
    return made


def _app(options: StudioOptions, port: int, token: str) -> Starlette:
    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        app.state.desks.start()
        yield
        await app.state.desks.end()

    app = Starlette(
        routes=[
            WebSocketRoute("/live", live),
            Route("/api/{name}", show, methods=["GET"]),
            Route("/api/{name}", query, methods=["POST"]),
            Mount("/", _PageFiles(directory=PAGE, html=True)),
        ],
        middleware=[Middleware(Access, port=port, token=token)],
        exception_handlers={404: _nothing_there},
        lifespan=lifespan,
    )
    app.state.desks = WorkerPool(options.memory_limit_mib)
    app.state.first = {"first": options.first, "mode": options.mode}
    app.state.num_sockets = app.state.num_requests = 0
    app.state.shown, app.state.progress = {}, {}
    return app


class _PageFiles(StaticFiles):
    """Files of the page.

    A browser revalidates the page each time, but its hundred other files only after a minute: this
    halves the time to open the page again.
    """

    def file_response(
        self, full_path: Any, stat_result: Any, scope: Scope, status_code: int = 200
    ) -> Response:
        response = super().file_response(full_path, stat_result, scope, status_code)
        kind = kind_of(str(full_path))
        if response.status_code == 200:
            response.headers["content-type"] = kind
        is_page = kind.startswith("text/html")
        response.headers["cache-control"] = "no-cache" if is_page else _FOR_A_MINUTE
        return response


async def _nothing_there(_: Request, __: Exception) -> Response:
    return PlainTextResponse("There is nothing here; the studio is at its first page.", 404)
