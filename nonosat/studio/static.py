"""The studio as a folder for any web host: the page answers by itself, also offline.

The native core compiled to WebAssembly replaces the server (`page/answers/core.js`). The folder
holds the unchanged files of the page, the core, the gallery as JSON, and a service worker that
caches all of it. All paths in it are relative, so that it works in any sub-folder of a host.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import nonosat
from nonosat.core.errors import Remedy
from nonosat.studio.gallery import gallery
from nonosat.studio.wire import text_of

PAGE = Path(__file__).with_name("page")
CORE = "answers/core.wasm"
# The server's policy, without directives that a page cannot set; the core needs compilation.
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; font-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'"
)
_HEAD = f"""\
    <meta http-equiv="Content-Security-Policy" content="{POLICY}">
    <meta name="nonosat-answers" content="core">
    <link rel="manifest" href="manifest.webmanifest">
    <script type="module" src="offline/register.js"></script>
"""
_BEFORE_HEAD = '    <meta charset="utf-8">\n'
_WORKER = "offline.js"  # at the top of the folder: its scope is only what is below
_MANIFEST = {
    "name": "nonosat studio",
    "short_name": "nonosat",
    "description": "Draw nonograms, know at once whether they are unique, play them.",
    "start_url": "./",
    "scope": "./",
    "display": "standalone",
    "background_color": "#ffffff",
    "theme_color": "#ffffff",
    "icons": [{"src": "icon.svg", "sizes": "any", "type": "image/svg+xml"}],
}


def write(target: Path, *, replaces: bool = False) -> int:
    """Write the folder and return the number of its files.

    Args:
        target: A folder: new, empty, or written by this function before.
        replaces: True to write into a folder with other files.

    Raises:
        UnsupportedError: The core was not built, or the folder holds other files.
    """
    core = core_file()
    _check(target, replaces)
    files = _files()
    files[CORE] = core.read_bytes()
    files[_WORKER] = _worker(files)
    for name, content in files.items():
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return len(files)


def core_file() -> Path:
    """Return the file of the core in WebAssembly; raise UnsupportedError if it was not built."""
    native = find_spec("nonosat._core")
    assert native is not None
    assert native.origin is not None
    path = Path(native.origin).parent / "studio" / "page" / CORE  # both are installed together
    if path.is_file():
        return path
    raise nonosat.UnsupportedError(
        "the core was not built for browsers, which needs emscripten 3.1.6 or later; install it "
        "(Debian: apt install emscripten node-acorn), then nonosat again (pip install "
        "--force-reinstall --no-deps . in the checkout)"
    )


def _check(target: Path, replaces: bool) -> None:
    if target.exists() and not target.is_dir():
        raise nonosat.UnsupportedError(f"{target} is a file; name a folder, new or empty")
    is_ours = (target / CORE).is_file()
    if target.is_dir() and any(target.iterdir()) and not (is_ours or replaces):
        raise nonosat.UnsupportedError(
            f"{target} holds other files; name a new or empty folder, or overwrite it",
            remedy=Remedy("set", "replaces", ("True",)),
        )


def _files() -> dict[str, bytes]:
    """Return all files except the core and the worker, by their paths."""
    found = {
        path.relative_to(PAGE).as_posix(): path.read_bytes()
        for path in sorted(PAGE.rglob("*"))
        if path.is_file() and path.suffix != ".wasm"
    }
    found["index.html"] = _index(found["index.html"].decode()).encode()
    made: dict[str, Callable[[], Any]] = {
        "gallery.json": gallery,
        "about.json": lambda: {"version": nonosat.__version__},
        "manifest.webmanifest": lambda: _MANIFEST,
    }
    return found | {name: text_of(make()).encode() for name, make in made.items()}


def _index(page: str) -> str:
    """Return the page with the server's headers, and the mode without a server, as elements."""
    before, mark, after = page.partition(_BEFORE_HEAD)
    assert mark
    return f"{before}{mark}{_HEAD}{after}"


def _worker(files: dict[str, bytes]) -> bytes:
    """Return the service worker with the list of all other files."""
    source = files.pop("offline/worker.js").decode()
    version = hashlib.sha256()
    for name, content in sorted(files.items()):
        version.update(name.encode() + b"\0" + content)
    for blank, filled in (
        ("const FILES = [];", f"const FILES = {json.dumps(['./', *sorted(files)], indent=0)};"),
        ('const VERSION = "";', f'const VERSION = "{version.hexdigest()[:16]}";'),
    ):
        assert blank in source
        source = source.replace(blank, filled)
    return source.encode()
