"""Pages: one HTML file each, which needs no network and trusts nothing that it shows.

Its own policy (Content-Security-Policy) lets nothing run but the one script whose hash it names,
and nothing be fetched. Texts are escaped by whoever puts them into a body; data for the script
cannot end their element. What all pages look like is `base.css`, their frame `frame.html`.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from html import escape
from importlib.resources import files
from typing import Any

# Controls, and signs that turn round the direction of all that is written behind them.
_UNSEEN = [*(set(range(32)) - {9, 10, 13}), 0x61C, 0x200E, 0x200F]
_UNSEEN += [*range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
_STEADY = dict.fromkeys(_UNSEEN, "\ufffd")
_TURN = re.compile(r"(\\\\)|\\u(?:061c|200[ef]|202[a-e]|206[6-9])")
_MARK = re.compile(r"\{\{(\w+)\}\}")


def framed(title: str, body: str, style: str, scripts: str = "", policy: str = "") -> str:
    """A whole page.

    Args:
        title: Plain text.
        body: HTML, behind which the scripts stand.
        style: CSS, behind that of all pages.
        scripts: What `scripted` returned; nothing runs without.
        policy: The directive that belongs to them, and others that the page needs.
    """
    parts = {
        "policy": policy,
        "title": told(title),
        "style": file("base.css", __name__) + style,
        "body": body + scripts,
    }
    return filled(file("frame.html", __name__), parts)


def told(text: str) -> str:
    """A text from elsewhere as HTML: no element, and no sign that is unseen, begins in it."""
    return escape(text.translate(_STEADY))


def scripted(script: str, data: str) -> tuple[str, str]:
    """A script and its data as HTML elements, and the directive that lets it run.

    Args:
        script: JavaScript, which finds the data in the element with the id "data".
        data: What `embedded` returned.
    """
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    elements = (
        f'<script type="application/json" id="data">{data}</script>\n<script>{script}</script>\n'
    )
    return elements, f"script-src 'sha256-{digest}'; "


def embedded(data: Any) -> str:
    """Data as JSON that may stand in a script element; nothing in it turns text round."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False, ensure_ascii=True)
    text = _TURN.sub(lambda found: found[1] or r"\ufffd", text)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def filled(template: str, parts: Mapping[str, str]) -> str:
    """A text whose marks {{name}} are replaced, once, by parts that may hold such marks."""
    return _MARK.sub(lambda mark: parts[mark[1]], template)


def file(name: str, package: str) -> str:
    """A file of a package as text."""
    return files(package).joinpath(name).read_text(encoding="utf-8")
