"""Access control: only pages that the studio itself served, opened by its full address.

The address that the terminal shows holds a random token. The first load exchanges it for a cookie
that scripts cannot read and other sites do not send. All other requests need that cookie, a Host
that is this machine's own (another name that resolves to it belongs to a foreign page: DNS
rebinding), and, for questions and sockets, an Origin that is the studio's own. Served pages may not
load anything from elsewhere, nor be embedded or read by other pages.
"""

from __future__ import annotations

from collections.abc import Iterable
from secrets import compare_digest
from urllib.parse import parse_qs

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; worker-src 'self'; font-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
REFUSAL = (
    "This is a nonosat studio. Open the address that the terminal shows; it changes each time."
)
_FIXED = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
_HEADERS = [(name.encode(), value.encode()) for name, value in _FIXED.items()]
_NO_STORE = (b"cache-control", b"no-store")
_USUAL_PORT = 80  # of HTTP
_POLICY_VIOLATION = 1008  # close code of RFC 6455


class Access:
    """Middleware that admits only authorised requests.

    Args:
        app: The application.
        port: Port of the studio.
        token: Token in its address.
    """

    def __init__(self, app: ASGIApp, port: int, token: str) -> None:
        self._app = app
        self._token = token
        self._hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
        if port == _USUAL_PORT:  # clients omit the default port
            self._hosts |= {"127.0.0.1", "localhost"}
        self._origins = {f"http://{host}" for host in self._hosts}
        self._cookie = f"nonosat-{port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = _Headers(scope["headers"])
        is_first = self._is_first(scope)
        if not self._is_ours(scope, headers) or not (is_first or self._has_cookie(headers)):
            await _refuse(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *_HEADERS]
                if not any(name == b"cache-control" for name, _ in message["headers"]):
                    message["headers"].append(_NO_STORE)
                if is_first:
                    message["headers"].append((b"set-cookie", self._set_cookie()))
            await send(message)

        await self._app(scope, receive, send_with_headers)

    def _set_cookie(self) -> bytes:
        return f"{self._cookie}={self._token}; Path=/; HttpOnly; SameSite=Strict".encode()

    def _is_first(self, scope: Scope) -> bool:
        """Return True if this is a page opened by its full address."""
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
            return False
        tokens = parse_qs(scope["query_string"].decode("latin-1")).get("t", [])
        return scope["path"] == "/" and any(map(self._is_token, tokens))

    def _is_ours(self, scope: Scope, headers: _Headers) -> bool:
        """Return True if a page of the studio sent this request, or a browser for its user."""
        if headers.one("host") not in self._hosts:
            return False
        must_match = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if must_match and headers.one("origin") not in self._origins:
            return False
        site = headers.one("sec-fetch-site")  # older browsers do not send it
        return scope["path"] == "/" or site in (None, "same-origin", "none")

    def _has_cookie(self, headers: _Headers) -> bool:
        cookies = [
            part.strip().partition("=") for part in ";".join(headers.all("cookie")).split(";")
        ]
        return any(name == self._cookie and self._is_token(value) for name, _, value in cookies)

    def _is_token(self, text: str) -> bool:
        return compare_digest(text.encode(), self._token.encode())


class _Headers:
    """The headers of a request, by their names."""

    def __init__(self, headers: Iterable[tuple[bytes, bytes]]) -> None:
        self._headers = [
            (name.decode("latin-1"), value.decode("latin-1")) for name, value in headers
        ]

    def all(self, name: str) -> list[str]:
        return [value for other, value in self._headers if other == name]

    def one(self, name: str) -> str | None:
        """Return the only header of a name; several count as an invalid one."""
        found = self.all(name)
        return ", ".join(found) if found else None


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": _POLICY_VIOLATION})  # status 403
        return
    fixed = {**_FIXED, "cache-control": "no-store"}
    await PlainTextResponse(REFUSAL, status_code=403, headers=fixed)(scope, receive, send)
