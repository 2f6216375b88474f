"""Pages: one self-contained HTML file each, which loads nothing from a network.

The policy of a page (Content-Security-Policy) allows only the script whose hash it names, and no
requests. The code that puts texts into a body escapes them; data for the script
cannot end their element. The common style of all pages is `base.css`, their frame `frame.html`.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from html import escape
from importlib.resources import files

# Control characters, and characters that reverse the direction of the text after them.
_INVISIBLE = [*(set(range(32)) - {9, 10, 13}), 0x61C, 0x200E, 0x200F]
_INVISIBLE += [*range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
_STEADY = dict.fromkeys(_INVISIBLE, "\ufffd")
_TURN = re.compile(r"(\\\\)|\\u(?:061c|200[ef]|202[a-e]|206[6-9])")
_MARK = re.compile(r"\{\{(\w+)\}\}")


def framed(title: str, body: str, style: str, scripts: str = "", policy: str = "") -> str:
    """Return a whole page.

    Args:
        title: Plain text.
        body: HTML, placed before the scripts.
        style: CSS, placed after that of all pages.
        scripts: Result of `scripted`; without it nothing runs.
        policy: Directives of the policy: that of `scripted`, and others that the page needs.
    """
    parts = {
        "policy": policy,
        "title": escaped(title),
        "style": file("base.css", __name__) + style,
        "body": body + scripts,
    }
    return filled(file("frame.html", __name__), parts)


def escaped(text: str) -> str:
    """Return an untrusted text as HTML: without elements and invisible characters."""
    return escape(text.translate(_STEADY))


def scripted(script: str, data: str) -> tuple[str, str]:
    """Return a script and its data as HTML elements, and the directive that allows it.

    Args:
        script: JavaScript, which reads the data from the element with the id "data".
        data: Result of `embedded`.
    """
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    elements = (
        f'<script type="application/json" id="data">{data}</script>\n<script>{script}</script>\n'
    )
    return elements, f"script-src 'sha256-{digest}'; "


def embedded(data: object) -> str:
    """Return data as JSON that is safe in a script element, with bidirectional controls escaped."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False, ensure_ascii=True)
    text = _TURN.sub(lambda found: found[1] or r"\ufffd", text)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def filled(template: str, parts: Mapping[str, str]) -> str:
    """Return a template with each mark {{name}} replaced by a part; marks in parts stay."""
    return _MARK.sub(lambda mark: parts[mark[1]], template)


def file(name: str, package: str) -> str:
    """Return a file of a package as text."""
    return files(package).joinpath(name).read_text(encoding="utf-8")
