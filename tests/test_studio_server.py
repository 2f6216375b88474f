"""The studio's server: access, headers, and the files that it serves."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from starlette.responses import PlainTextResponse
from websockets.exceptions import InvalidStatus

from helpers.studios import Visitor, drawn, studio
from nonosat.core.errors import FormatError, UnsupportedError
from nonosat.studio.access import POLICY, REFUSAL, Access
from nonosat.studio.requested import LEAST_S, MOST_S, seconds_of
from nonosat.studio.server import PAGE, Studio, StudioOptions

HEART = drawn(".a.a.", "aaaaa", "aaaaa", ".aaa.", "..a..")


@pytest.fixture(scope="module")
def visitor() -> Iterator[Visitor]:
    with studio() as found:
        yield found


def get(visitor: Visitor, path: str, **headers: str) -> httpx.Response:
    """Return the response to a client without a cookie."""
    return httpx.get(visitor.base + path, headers=headers, trust_env=False)


def test_the_address_opens_the_page_and_is_exchanged_for_a_cookie(visitor: Visitor) -> None:
    with httpx.Client(trust_env=False) as browser:
        page = browser.get(visitor.address)
        assert page.status_code == 200
        assert page.text == (PAGE / "index.html").read_text()
        told = page.headers["set-cookie"]
        assert told == f"{visitor.cookie}; Path=/; HttpOnly; SameSite=Strict"
        script = browser.get(f"{visitor.base}/app.js")
        assert script.status_code == 200
        assert script.headers["content-type"] == "text/javascript; charset=utf-8"
        assert "set-cookie" not in script.headers


@pytest.mark.parametrize("path", ["/", "/?t=", "/?t=x", "/app.js", "/api/about", "/api/x", "/live"])
def test_without_the_token_there_is_a_sentence(visitor: Visitor, path: str) -> None:
    reply = get(visitor, path)
    assert (reply.status_code, reply.text) == (403, REFUSAL)
    assert reply.headers["content-type"].startswith("text/plain")
    assert "set-cookie" not in reply.headers


def test_the_token_opens_only_the_first_page(visitor: Visitor) -> None:
    assert get(visitor, f"/app.js?t={visitor.token}").status_code == 403
    assert get(visitor, f"/api/about?t={visitor.token}").status_code == 403
    reply = httpx.post(visitor.address, headers={"Origin": visitor.base}, trust_env=False)
    assert reply.status_code == 403


@pytest.mark.parametrize(
    "cookie", ["nonosat=x", "nonosat-1={token}", "nonosat-{port}={token}x", "{token}", "=;=;[]={{"]
)
def test_other_cookies_are_none(visitor: Visitor, cookie: str) -> None:
    cookie = cookie.format(port=visitor.port, token=visitor.token)
    assert get(visitor, "/", Cookie=cookie).status_code == 403


def test_cookies_of_other_programs_do_no_harm(visitor: Visitor) -> None:
    assert get(visitor, "/", Cookie=f'a="; b=[{{]; {visitor.cookie}; c').status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost", ""])
def test_other_hosts_are_refused(visitor: Visitor, host: str) -> None:
    reply = get(visitor, "/", Host=host, Cookie=visitor.cookie)
    assert reply.status_code in (400, 403)
    assert "doctype" not in reply.text
    with pytest.raises(InvalidStatus, match=r"HTTP 40[03]"), visitor.socket(Host=host):
        pass


def test_localhost_is_this_machine_as_well(visitor: Visitor) -> None:
    host = f"localhost:{visitor.port}"
    assert get(visitor, "/", Host=host, Cookie=visitor.cookie).status_code == 200
    headers = {"Host": host, "Origin": f"http://{host}"}
    assert visitor.client.post("/api/rate", json={"puzzle": HEART}, headers=headers).is_success


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", ""])
def test_other_origins_are_refused(visitor: Visitor, origin: str) -> None:
    reply = visitor.client.post("/api/rate", json={"puzzle": HEART}, headers={"Origin": origin})
    assert (reply.status_code, reply.text) == (403, REFUSAL)
    with pytest.raises(InvalidStatus, match="HTTP 403"), visitor.socket(Origin=origin):
        pass


def test_requests_without_an_origin_are_refused(visitor: Visitor) -> None:
    headers = {"Cookie": visitor.cookie}
    body = {"puzzle": HEART}
    reply = httpx.post(f"{visitor.base}/api/rate", json=body, headers=headers, trust_env=False)
    assert reply.status_code == 403


def test_without_a_cookie_there_is_no_socket(visitor: Visitor) -> None:
    with pytest.raises(InvalidStatus, match="HTTP 403"), visitor.socket(Cookie="a=b"):
        pass


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_pages_of_other_ports_load_nothing(visitor: Visitor, site: str) -> None:
    told = {"Cookie": visitor.cookie, "Sec-Fetch-Site": site}
    assert get(visitor, "/app.js", **told).status_code == 403
    assert get(visitor, "/", **told).status_code == 200  # a link in a mail


@pytest.mark.parametrize(
    "path", ["/", "/app.js", "/api/about", "/nothing", "/api/nothing", "/?t=x"]
)
@pytest.mark.parametrize("is_known", [True, False])
def test_all_responses_have_strict_headers(visitor: Visitor, path: str, is_known: bool) -> None:
    reply = visitor.client.get(path) if is_known else get(visitor, path)
    headers = reply.headers
    assert headers["content-security-policy"] == POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    kept = {"/": "no-cache", "/?t=x": "no-cache", "/app.js": "private, max-age=60"}
    assert headers["cache-control"] == (kept.get(path, "no-store") if is_known else "no-store")
    assert "server" not in headers


def test_the_policy_allows_nothing_from_other_sites() -> None:
    told = dict(part.split(" ", 1) for part in POLICY.split("; "))
    assert told["default-src"] == "'none'"
    assert {told[name] for name in ("script-src", "style-src", "connect-src")} == {"'self'"}
    assert {told[name] for name in ("base-uri", "form-action", "frame-ancestors")} == {"'none'"}
    assert "unsafe" not in POLICY
    assert "http" not in POLICY


@pytest.mark.parametrize(
    "path", ["/../server.py", "/%2e%2e/server.py", "/..%2fserver.py", "//etc/passwd", "/board"]
)
def test_only_files_of_the_page_are_served(visitor: Visitor, path: str) -> None:
    reply = visitor.client.get(visitor.base + path)
    assert reply.status_code in (307, 404)
    assert "import" not in reply.text
    assert "root:" not in reply.text


def test_unchanged_files_are_not_sent_again(visitor: Visitor) -> None:
    reply = visitor.client.get("/app.js")
    again = visitor.client.get("/app.js", headers={"If-None-Match": reply.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["cache-control"] == reply.headers["cache-control"]


def test_tokens_are_long_and_never_the_same() -> None:
    found = set()
    for _ in range(3):
        opened = Studio(StudioOptions())
        found.add(opened.address.partition("=")[2])
        opened.close()
    assert len(found) == 3
    assert all(len(token) >= 43 for token in found)


def test_a_port_in_use_is_reported_in_words() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(
            UnsupportedError, match=rf"port {port} is in use, perhaps by another studio"
        ):
            Studio(StudioOptions(port=port))


def test_only_this_machine_is_listened_to() -> None:
    with studio() as visitor:
        assert visitor.base.startswith("http://127.0.0.1:")
        lines = Path("/proc/net/tcp").read_text().splitlines()
        listening = [line.split()[1] for line in lines if f":{visitor.port:04X} 0" in line]
        assert listening == [f"0100007F:{visitor.port:04X}"]


def test_limits_are_clamped_to_their_range() -> None:
    usual = 60.0
    for seconds, limit in [(10**400, MOST_S), (-(10**400), LEAST_S), (5, 5.0), (0.5, 0.5)]:
        assert seconds_of({"seconds": seconds}, usual) == limit
    assert seconds_of({}, usual) == usual
    for wrong in (True, "5", None, float("nan"), float("inf")):
        with pytest.raises(FormatError, match="not a number"):
            seconds_of({"seconds": wrong}, usual)


@pytest.mark.parametrize(
    ("host", "port", "is_ours"),
    [
        ("127.0.0.1", 80, True),
        ("localhost", 80, True),
        ("127.0.0.1", 8000, False),
        ("a.example", 80, False),
    ],
)
def test_the_usual_port_may_be_left_out(host: str, port: int, is_ours: bool) -> None:
    async def status() -> int:
        transport = httpx.ASGITransport(Access(PlainTextResponse(""), port, "token"))
        async with httpx.AsyncClient(transport=transport) as visitor:
            reply = await visitor.get("http://any/?t=token", headers={"Host": host})
        return reply.status_code

    assert asyncio.run(status()) == (200 if is_ours else 403)
