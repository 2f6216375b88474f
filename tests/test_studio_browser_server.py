"""The studio in a browser and its server: hard puzzles, closed tabs, a server that dies."""

from __future__ import annotations

import random
from functools import partial

import pytest

import nonosat
from helpers.processes import is_running
from helpers.studio import (
    HEART,
    Pages,
    expect,
    shared_server,
    wait_until,
)

POLICY = {
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data: blob:",
    "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
}  # fmt: skip
LOST = r"WebSocket connection|ERR_CONN|ERR_CONTENT_LENGTH|ERR_EMPTY|ERR_INCOMPLETE|status of 403"
BROKEN = (6, 3)  # without this cell the heart has two solutions


SIDE = 120
# Changes of cells at which noise has a close second solution, which would be found at once.
NEAR = """
44,44 39,86 9,39 17,56 9,56 53,2 81,40 64,3 85,60 6,6 69,6 3,114 52,73 47,97 51,35 58,76
51,112 111,81 12,5 108,14 12,89 41,104 27,41 74,0 80,22 108,113 38,43 38,44 113,94 56,116
38,85 87,33 39,85 61,79 67,90 106,23 77,48 77,49
"""


def _hard() -> bytes:
    """Noise without a close second solution: any solver needs minutes."""
    draw = random.Random(3)
    rows = [draw.choices(".#", k=SIDE) for _ in range(SIDE)]
    for cell in NEAR.split():
        row, column = map(int, cell.split(","))
        rows[row][column] = ".#"[rows[row][column] == "."]
    return "\n".join(map("".join, rows)).encode()


@pytest.mark.thorough
def test_a_closed_tab_leaves_nothing_at_work(pages: Pages) -> None:
    server = shared_server()
    table = pages.open()
    table.drop("noise.txt", _hard())
    expect(table.page.locator(".verdict-busy")).to_contain_text("Still searching")
    wait_until(server.is_busy, "a check that is at work")
    table.page.close()
    wait_until(lambda: not server.is_busy(), "rest, after the tab was closed")


@pytest.mark.thorough
def test_a_hard_check_does_not_block_others(pages: Pages) -> None:
    server = shared_server()
    hard = pages.open()
    hard.drop("noise.txt", _hard())
    expect(hard.page.locator(".verdict-busy")).to_contain_text("Still searching")
    other = pages.open()
    other.open_picture(HEART)
    other.judged("Unique")
    hard_y, other_y = (
        each.page.locator(".verdict-actions").bounding_box()["y"] for each in (hard, other)
    )
    assert hard_y == other_y, "the message of a search moves the buttons below"
    hard.stroke((0, 0), (0, SIDE - 1))  # the page goes on drawing
    assert hard.clues()[0][0] == str(SIDE)
    hard.press("Control+a", "Delete")
    hard.stroke((0, 0), (0, SIDE - 1))
    hard.judged("Unique")
    wait_until(lambda: not server.is_busy(), "rest, after the hard puzzle was cleared")


def _have_ended(children: set[int]) -> bool:
    return not any(map(is_running, children))


@pytest.mark.thorough
def test_a_killed_server_is_reported_and_its_successor_used(pages: Pages) -> None:
    """A successor on the same port, and then one on another port."""
    pages.expect(LOST)
    server = pages.server()
    table = pages.open(address=server.address)
    table.open_picture(HEART)
    table.judged("Unique")
    lost = table.page.locator("#lost")
    for is_same_port, title in ((True, "Not unique"), (False, "Unique")):
        children, board = server.children(), table.field.bounding_box()
        server.kill()
        expect(lost).to_contain_text("The server has ended")
        assert table.field.bounding_box() == board, "the board has moved"
        wait_until(partial(_have_ended, children), "the end of the server's children")
        table.stroke(BROKEN)  # drawing goes on
        before = table.clues()
        server = pages.server(server.port if is_same_port else None)
        if is_same_port:
            expect(lost).to_contain_text("Another server runs here now")
        address = table.page.get_by_label("New address")
        address.fill(f"nonosat studio: {server.address} (Ctrl-C ends it)")  # the whole line
        address.press("Enter")
        table.judged(title)
        assert table.clues() == before
        expect(lost).to_be_hidden()


@pytest.mark.thorough
def test_an_open_page_goes_on_when_its_server_is_back(pages: Pages) -> None:
    """The new address is opened in another tab; the first one continues without action."""
    pages.expect(LOST)
    server = pages.server()
    table = pages.open(address=server.address)
    table.open_picture(HEART)
    table.judged("Unique")
    server.kill()
    lost = table.page.locator("#lost")
    expect(lost).to_be_visible()
    table.stroke(BROKEN)
    successor = pages.server(server.port)
    pages.open(address=successor.address)
    expect(lost).to_be_hidden()
    table.judged("Not unique")


@pytest.mark.slow
def test_the_page_requires_its_address(pages: Pages) -> None:
    pages.expect("status of 403")
    page = pages.open().page
    page.context.clear_cookies()
    reply = page.goto(f"http://127.0.0.1:{shared_server().port}/")
    assert reply is not None
    assert reply.status == 403
    expect(page.get_by_text("Open the address that the terminal shows")).to_be_visible()
    reply = page.goto(shared_server().address)
    assert reply is not None
    assert {part.strip() for part in reply.headers["content-security-policy"].split(";")} >= POLICY


@pytest.mark.slow
def test_the_policy_holds(pages: Pages) -> None:
    """A hostile file's content is not executed: scripts and pictures of other sites are refused."""
    pages.expect("Content Security Policy")
    table = pages.open()
    ran = table.page.evaluate(
        """() => new Promise((done) => {
          document.addEventListener("securitypolicyviolation", () => done("refused"));
          window.onhostile = () => done("ran");
          const script = document.createElement("script");
          script.textContent = "window.onhostile()";
          document.body.append(script);
        })"""
    )
    assert ran == "refused"


@pytest.mark.thorough
def test_titles_are_text(pages: Pages) -> None:
    title = '<img src=x onerror="alert(1)"><b>bold</b>'
    puzzle = nonosat.from_picture("\n".join(HEART), title=title)
    table = pages.open()
    table.drop("hostile.jsonl", nonosat.dumps(puzzle, "jsonl").encode())
    expect(table.page.get_by_label("Title", exact=True)).to_have_value(title)
    table.frames()
    table.page.locator("#home").click()
    expect(table.page.locator("#gallery").get_by_text(title).first).to_be_visible()
    assert table.page.locator("#gallery b, #gallery img").count() == 0
