"""Files that the studio sends and receives: names, content types and contents."""

from __future__ import annotations

import io
import re
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple
from unicodedata import combining, normalize
from urllib.parse import quote
from zipfile import ZIP_DEFLATED, ZipFile

_KINDS = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".pdf": "application/pdf",
    ".zip": "application/zip",
    ".json": "application/json",
    ".xml": "application/xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
}
_LONGEST_NAME = 80  # characters
_UNNAMED = "puzzle"


class SavedFile(NamedTuple):
    """A file to be saved.

    Args:
        name: Name of the file.
        content: Content of the file.
        command: Command line that uses the file; "" for none.
    """

    name: str
    content: bytes
    command: str = ""

    def headers(self) -> dict[str, str]:
        """Return headers that make a browser save the file and never show it as a page."""
        text = f"attachment; filename*=UTF-8''{quote(self.name, safe='')}"
        commands = {"X-Nonosat-Command": self.command} if self.command else {}
        return {"Content-Disposition": text, **commands}


def kind_of(name: str) -> str:
    """Return the content type of a file, by its suffix."""
    return _KINDS.get(PurePosixPath(name).suffix.lower(), "application/octet-stream")


def named(puzzle: Any) -> str:
    """Return a file name without suffix from a puzzle's title: ASCII, safe in shells."""
    title = puzzle.about.title or puzzle.about.id
    # Letters without their accents: "Café Müller" is "cafe-muller", not "caf-m-ller".
    letters = normalize("NFKD", title.casefold())
    words = re.findall(r"[a-z0-9]+", "".join(each for each in letters if not combining(each)))
    return "-".join(words)[:_LONGEST_NAME].strip("-") or _UNNAMED


def zipped(folder: Path) -> bytes:
    """Return a folder with its files as a zip."""
    packed = io.BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for path in sorted(folder.iterdir()):
            archive.write(path, f"{folder.name}/{path.name}")
    return packed.getvalue()
