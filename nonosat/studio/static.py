"""The studio as a folder for any web host: the page answers by itself, also offline.

The native core compiled to WebAssembly replaces the server (`page/answers/core.js`). The folder
holds the core and the bundled page, which `.ci/page` builds and the wheel carries (`built/`), the
gallery as JSON, and a service worker that caches all of it. All paths in it are relative, so that
it works in any sub-folder of a host.
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import nonosat
from nonosat.core.errors import Remedy
from nonosat.studio.gallery import gallery
from nonosat.studio.wire import text_of

PAGE = Path(__file__).with_name("page")
BUILT = Path(__file__).with_name("built")
CORE = "core.wasm"
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
    <link rel="preload" href="gallery.json" as="fetch" crossorigin>
"""
_BEFORE_HEAD = '    <meta charset="utf-8">\n'
_STYLES = re.compile(r'(?:    <link rel="stylesheet" href="[^"]*">\n)+')
_STYLE = '    <link rel="stylesheet" href="style.css">\n'
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
        UnsupportedError: The page was not built, or the folder holds other files.
    """
    core_file()
    _check(target, replaces)
    files = _files()
    files[_WORKER] = _worker(files)
    target.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (target / name).write_bytes(content)
    return len(files)


def core_file() -> Path:
    """Return the core in WebAssembly. Raises UnsupportedError: The page was not built."""
    path = BUILT / CORE
    if path.is_file():
        return path
    raise nonosat.UnsupportedError(
        "this installation lacks the page for web hosts: install nonosat from a wheel, or build "
        "the page by .ci/page in the checkout (needs emscripten, cmake and node with npm)"
    )


def _check(target: Path, replaces: bool) -> None:
    if target.exists() and not target.is_dir():
        raise nonosat.UnsupportedError(f"{target} is a file; name a folder, new or empty")
    is_ours = (target / _WORKER).is_file()
    if target.is_dir() and any(target.iterdir()) and not (is_ours or replaces):
        raise nonosat.UnsupportedError(
            f"{target} holds other files; name a new or empty folder, or overwrite it",
            remedy=Remedy("set", "replaces", ("True",)),
        )


def _files() -> dict[str, bytes]:
    """Return all files except the worker, by their names."""
    index = _index((PAGE / "index.html").read_text(encoding="utf-8"))
    data = {
        "gallery.json": gallery(),
        "about.json": {"version": nonosat.__version__},
        "manifest.webmanifest": _MANIFEST,
    }
    return {
        **{path.name: path.read_bytes() for path in sorted(BUILT.iterdir())},
        **{name: text_of(content).encode() for name, content in data.items()},
        "icon.svg": (PAGE / "icon.svg").read_bytes(),
        "index.html": index.encode(),
    }


def _index(page: str) -> str:
    """Return the page with one style sheet, and the server's headers and the mode as elements."""
    before, mark, after = page.partition(_BEFORE_HEAD)
    assert mark
    after, num_styles = _STYLES.subn(_STYLE, after)
    assert num_styles == 1
    return f"{before}{mark}{_HEAD}{after}"


def _worker(files: dict[str, bytes]) -> bytes:
    """Return the service worker with the list of all other files."""
    source = (PAGE / "offline" / "worker.js").read_text(encoding="utf-8")
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
