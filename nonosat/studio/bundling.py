"""The page's own modules as one script, for pages of one file.

Each module is put into a function of its own, behind those that it imports, without its comments
and the spaces that its lines begin with. So a page needs no other file, and its policy names one
hash. This is no bundler: it knows the forms of import and export that the page's modules keep to,
at the start of a line, and refuses every other one, as it does texts of several lines:

    import { a, b as c } from "./x.js";        export { a, b };
    import * as x from "./x.js";               export { a } from "./x.js";
    export function a / class / const / let (also async function)
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

from nonosat.render.page import embedded, filled, framed, scripted, told

_WORDS = re.compile(r"^(?:import|export)\b", re.MULTILINE)
_NAMED = re.compile(r'^import \{([^}]*)\} from "(\.[^"]+)";$', re.MULTILINE)
_WHOLE = re.compile(r'^import \* as (\w+) from "(\.[^"]+)";$', re.MULTILINE)
_PASSED = re.compile(r'^export \{([^}]*)\} from "(\.[^"]+)";$', re.MULTILINE)
_LISTED = re.compile(r"^export \{([^}]*)\};$", re.MULTILINE)
_COMMENTS = re.compile(r"^ *(?://[^\n]*|/\*(?:(?!\*/).)*\*/) *\n", re.MULTILINE | re.DOTALL)
# At the end of a line; of a line's texts none can hold what follows: it has no quote.
_REMARKS = re.compile(r"^(.*?[;{,})\]>]) // [^\n\"'`]*$", re.MULTILINE)
# Where a regular expression may have begun that goes on behind it: brackets may hold slashes.
_OPEN_CLASS = re.compile(r"/.*\[[^\]]*$")
_ESCAPED = re.compile(r"\\.")
_INDENTED = re.compile(r"^ +|^\n", re.MULTILINE)
_MADE = re.compile(r"^export ((?:async )?function|class|const|let) (\w+)", re.MULTILINE)


def own_page(
    start: str, styles: Sequence[str], data: Any, *, title: str, without: str, below: str = ""
) -> str:
    """A page of one file: a module, what it imports, and data that it finds in "data".

    Args:
        start: The module's path in the folder `page`, as those that follow.
        styles: Files of CSS, behind those of every page and its board, in order.
        data: What JSON has.
        title: Plain text, as the others are.
        without: What is to be said where scripts may not run.
        below: What stands below the title.
    """
    parts = {"title": told(title), "below": told(below), "without": told(without)}
    scripts, policy = scripted(bundled(start), embedded(data))
    style = "\n".join(map(_text, ("style.css", "board/board.css", *styles)))
    return framed(title, filled(_text("single/single.html"), parts), style, scripts, policy)


def bundled(start: str) -> str:
    """A module and all that it imports as one script.

    Args:
        start: Its path in the folder `page`.

    Raises:
        ValueError: A module has another form of import or export, or a line that may be cut
            amiss, or imports go in a circle.
    """
    done: dict[str, str] = {}
    _add(start, done, ())
    return '"use strict";\nconst modules = {};\n' + "\n".join(done.values())


def _add(path: str, done: dict[str, str], above: tuple[str, ...]) -> None:
    """Add the modules that one imports, then itself."""
    if path in above:
        raise ValueError(f"imports go in a circle: {' -> '.join((*above, path))}")
    if path in done:
        return
    text = _text(path)
    for pattern in (_NAMED, _WHOLE, _PASSED):
        for found in pattern.finditer(text):
            _add(_beside(path, found[2]), done, (*above, path))
    done[path] = _wrapped(path, text)


def _wrapped(path: str, text: str) -> str:
    """A module as a function whose exports are kept under its path."""
    exports = [found[2] for found in _MADE.finditer(text)]
    passed = []
    for found in _PASSED.finditer(text):
        other = _beside(path, found[2])
        passed += [f'{name}: modules["{other}"].{name}' for name in _names(found[1])]
    for found in _LISTED.finditer(text):
        exports += _names(found[1])
    text = _PASSED.sub("", text)
    text = _LISTED.sub("", text)
    text = _NAMED.sub(lambda found: _taken(path, found[1].replace(" as ", ": "), found[2]), text)
    text = _WHOLE.sub(lambda found: _taken(path, None, found[2], found[1]), text)
    text = _MADE.sub(r"\1 \2", text)
    text = _bare(path, text)
    if rest := _WORDS.search(text):
        line = text[rest.start() :].splitlines()[0]
        raise ValueError(f"{path}: {line!r} is no form of import or export that is known here")
    kept = ", ".join(exports + passed)
    return f'// {path}\nmodules["{path}"] = (() => {{\n{text}\nreturn {{ {kept} }};\n}})();\n'


def _bare(path: str, text: str) -> str:
    """A module without comments and indentation, which no text of several lines may hold."""

    def without_remark(found: re.Match[str]) -> str:
        if _OPEN_CLASS.search(_ESCAPED.sub("", found[1])):
            raise ValueError(
                f"{path}: {found[0]!r} may hold a regular expression with '//'; write that as "
                r"'\/\/', and a remark above the line"
            )
        return found[1]

    bare = _INDENTED.sub("", _REMARKS.sub(without_remark, _COMMENTS.sub("", text)))
    for line in bare.splitlines():
        if line.count("`") % 2:
            raise ValueError(f"{path}: {line!r} begins or ends a text of several lines")
        if "/*" in line:  # a remark in it may have been code
            raise ValueError(f"{path}: {line!r} has a comment that other text follows")
    return bare


def _taken(path: str, names: str | None, other: str, whole: str = "") -> str:
    what = whole if names is None else f"{{{names}}}"
    return f'const {what} = modules["{_beside(path, other)}"];'


def _names(listed: str) -> list[str]:
    found = [name.strip() for name in listed.split(",") if name.strip()]
    if renamed := [name for name in found if " " in name]:
        raise ValueError(f"exports under another name are not known here: {renamed}")
    return found


def _beside(path: str, other: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), other))


def _text(path: str) -> str:
    return files(__package__).joinpath("page", *path.split("/")).read_text(encoding="utf-8")
