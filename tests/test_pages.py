"""Frame of all pages, which trusts none of its content."""

from __future__ import annotations

import base64
import json
import re
from hashlib import sha256

from nonosat.render.page import embedded, escaped, filled, framed, scripted


def test_data_cannot_end_their_element() -> None:
    hostile = {"</script><script>alert(1)//": ["<!--", "&lt;", "\u2028", "é"]}
    text = embedded(hostile)
    assert not set("<>&") & set(text)
    assert text.isascii()
    assert json.loads(text) == hostile


def test_only_the_script_that_the_policy_names_runs() -> None:
    elements, policy = scripted("let é = 1;", "{}")
    digest = base64.b64encode(sha256("let é = 1;".encode()).digest()).decode()
    assert policy == f"script-src 'sha256-{digest}'; "
    html = framed("a <b> & c", "<p>{{title}}</p>\n", "p { color: red }", elements, policy)
    assert "<title>a &lt;b&gt; &amp; c</title>" in html
    assert "<p>{{title}}</p>\n" + elements + "</body>" in html
    assert html.index("--paper") < html.index("p { color: red }") < html.index("</style>")
    found = re.search(r'Content-Security-Policy" content="([^"]*)"', html)
    assert found is not None
    assert found[1].startswith("default-src 'none'; style-src 'unsafe-inline'; script-src")
    assert found[1].endswith(f"{policy}base-uri 'none'; form-action 'none'")
    assert "script-src" not in framed("plain", "", "")


def test_marks_in_parts_stay() -> None:
    assert filled("{{a}}{{b}}{{a}}", {"a": "{{b}}", "b": "2"}) == "{{b}}2{{b}}"


def test_no_character_reverses_text_or_is_invisible() -> None:
    assert escaped("a\u202e<b>\x1b\u200f\n") == "a\ufffd&lt;b&gt;\ufffd\ufffd\n"
    text = embedded(["a\u202e\u2066b", r"C:\u202e", "\u2028"])
    assert json.loads(text) == ["a\ufffd\ufffdb", r"C:\u202e", "\u2028"]
    assert "<title>a\ufffd</title>" in framed("a\u202e", "", "")
