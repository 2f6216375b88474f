"""A web host on this machine, for pages without a server of their own."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Print nothing."""


@contextmanager
def hosted(folder: Path) -> Iterator[str]:
    """Serve a folder; yield its address."""
    handler = partial(_Quiet, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


def win(page: Any) -> None:
    """Apply hints in a page, or a frame, until its puzzle is solved."""
    hint, solved = page.get_by_role("button", name="Hint"), page.get_by_text("Solved in")
    show = page.get_by_role("button", name="Show the cells")
    apply = page.get_by_role("button", name="Apply", exact=True)
    for _ in range(100):
        hint.click()
        show.or_(apply).wait_for()
        if show.is_visible():
            show.click()
        apply.click()
        if solved.is_visible():
            return
    raise AssertionError("hints did not lead to the solution")
