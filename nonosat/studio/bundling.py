"""Bundle the page's own modules into one script, for pages of one file.

Each module becomes a function of its own, after the modules that it imports, without comments and
indentation. A page then needs no other file, and its policy names one hash. This is not a general
bundler: it supports only the forms of import and export that the page's modules use, at the start
of a line, and refuses every other one, as well as strings of several lines:

    import { a, b as c } from "./x.js";        export { a, b };
    import * as x from "./x.js";               export { a } from "./x.js";
    export function a / class / const / let (also async function)
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from importlib.resources import files

from nonosat.render.page import embedded, escaped, filled, framed, scripted

_WORDS = re.compile(r"^(?:import|export)\b", re.MULTILINE)
_NAMED = re.compile(r'^import \{([^}]*)\} from "(\.[^"]+)";$', re.MULTILINE)
_WHOLE = re.compile(r'^import \* as (\w+) from "(\.[^"]+)";$', re.MULTILINE)
_PASSED = re.compile(r'^export \{([^}]*)\} from "(\.[^"]+)";$', re.MULTILINE)
_LISTED = re.compile(r"^export \{([^}]*)\};$", re.MULTILINE)
_COMMENTS = re.compile(r"^ *(?://[^\n]*|/\*(?:(?!\*/).)*\*/) *\n", re.MULTILINE | re.DOTALL)
# A comment at the end of a line. No string can contain a match: it has no quotes.
_REMARKS = re.compile(r"^(.*?[;{,})\]>]) // [^\n\"'`]*$", re.MULTILINE)
# Possible start of a regular expression that continues after it: brackets may hold slashes.
_OPEN_CLASS = re.compile(r"/.*\[[^\]]*$")
_ESCAPED = re.compile(r"\\.")
_INDENTED = re.compile(r"^ +|^\n", re.MULTILINE)
_MADE = re.compile(r"^export ((?:async )?function|class|const|let) (\w+)", re.MULTILINE)


def own_page(
    start: str, styles: Sequence[str], data: object, *, title: str, without: str, below: str = ""
) -> str:
    """Return a page of one file: a module, its imports, and data in the element "data".

    Args:
        start: The module's path in the folder `page`; other paths are relative to it, too.
        styles: Files of CSS, in order; they follow those of all pages and of the board.
        data: Content of the JSON.
        title: Plain text, like the other texts.
        without: Text for browsers without scripts.
        below: Text below the title.
    """
    scripts = scripted(bundled(start), embedded(data))
    return single_page(styles, scripts, title=title, without=without, below=below)


def single_page(
    styles: Sequence[str], scripts: tuple[str, str], *, title: str, without: str, below: str = ""
) -> str:
    """Return a page with a board and a panel beside it.

    Args:
        styles: As of `own_page`, like the texts.
        scripts: Elements of the scripts, and the directives that allow them.
    """
    parts = {"title": escaped(title), "below": escaped(below), "without": escaped(without)}
    style = "\n".join(map(_text, ("style.css", "board/board.css", *styles)))
    return framed(title, filled(_text("single/single.html"), parts), style, *scripts)


def bundled(start: str) -> str:
    """Return a module and all its imports as one script.

    Args:
        start: Path of the module in the folder `page`.

    Raises:
        ValueError: A module has another form of import or export, or a line that cannot be stripped
            safely, or imports are circular.
    """
    done: dict[str, str] = {}
    _add(start, done, ())
    return '"use strict";\nconst modules = {};\n' + "\n".join(done.values())


def _add(path: str, done: dict[str, str], above: tuple[str, ...]) -> None:
    """Add the imports of a module to `done`, then the module; `above` are its importers."""
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
    """Return a module as a function whose exports are stored under its path."""
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
        raise ValueError(f"{path}: {line!r} is not a form of import or export that is known here")
    kept = ", ".join(exports + passed)
    return f'// {path}\nmodules["{path}"] = (() => {{\n{text}\nreturn {{ {kept} }};\n}})();\n'


def _bare(path: str, text: str) -> str:
    """Return a module without comments and indentation; refuse strings of several lines."""

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
        if "/*" in line:  # a removed comment may have been code
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
