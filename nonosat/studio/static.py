"""The studio as a folder for any web host: the page answers by itself, also offline.

The native core compiled to WebAssembly replaces the server (`page/answers/core.js`). The folder
holds the core and the bundled page, which `.ci/page` builds and the wheel carries (`built/`), the
gallery as JSON, and a service worker that caches all of it. All paths in it are relative, so that
it works in any sub-folder of a host. The player, an element for other pages (`page/embed/`), is
part of it, and also a folder of its own, a package of npm.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path

import nonosat
from nonosat.core.errors import Remedy
from nonosat.studio.alone import PLAYED
from nonosat.studio.bundling import single_page
from nonosat.studio.gallery import gallery
from nonosat.studio.wire import text_of

PAGE = Path(__file__).with_name("page")
BUILT = Path(__file__).with_name("built")
CORE = "core.wasm"
# The core needs compilation.
_CORE_POLICY = "script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'; "
# The server's policy, without directives that a page cannot set.
POLICY = (
    f"default-src 'none'; {_CORE_POLICY}style-src 'self'; img-src 'self' data: blob:; "
    "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'"
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
PLAYER = "player.html"  # the page in the frame of the element
_PLAYER_BUILT = ("player.js", "player-frame.js", "core_worker.js", CORE, "explain.wasm")
_PACKAGE = {  # for npm
    "name": "nonosat-player",
    "version": nonosat.__version__,
    "description": "A nonogram to play, as an element of any web page",
    "license": "MIT",
    "type": "module",
    "main": "player.js",
}
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
    files = _files()
    files[_WORKER] = _worker(files)
    return _written(files, target, (target / _WORKER).is_file(), replaces)


def write_player(target: Path, *, replaces: bool = False) -> int:
    """Write the player as a package of npm; like `write`."""
    core_file()
    own = PAGE / "embed"
    files = {
        **{name: (BUILT / name).read_bytes() for name in _PLAYER_BUILT},
        PLAYER: _player().encode(),
        "package.json": (json.dumps(_PACKAGE, indent=2) + "\n").encode(),
        "README.md": (own / "README.md").read_bytes(),
        "LICENSE": (BUILT / "license.txt").read_bytes(),
    }
    return _written(files, target, _is_player(target), replaces)


def _is_player(target: Path) -> bool:
    """Return True for a folder that `write_player` wrote: the names of its files are common."""
    try:
        package = json.loads((target / "package.json").read_bytes())
    except (OSError, ValueError):
        return False
    return isinstance(package, dict) and package.get("name") == _PACKAGE["name"]


def _written(files: Mapping[str, bytes], target: Path, is_ours: bool, replaces: bool) -> int:
    """Write files into a folder, which may hold others if it `is_ours`; return their number."""
    _check(target, is_ours, replaces)
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


def _check(target: Path, is_ours: bool, replaces: bool) -> None:
    if target.exists() and not target.is_dir():
        raise nonosat.UnsupportedError(f"{target} is a file; name a folder, new or empty")
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
        PLAYER: _player().encode(),
    }


def _player() -> str:
    """Return the page in the frame of the element."""
    script = '<script type="module" src="player-frame.js"></script>\n'
    without = "Playing needs JavaScript."
    return single_page(PLAYED, (script, _CORE_POLICY), title="Puzzle", without=without)


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
