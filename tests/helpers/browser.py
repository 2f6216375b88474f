"""Pages in a real browser: headless Chromium, as Debian has it (`apt-get install chromium`)."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path
from typing import Any

import pytest

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")
needs_browser = pytest.mark.skipif(BROWSER is None, reason="Chromium is not installed")
POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')
LIGHT = "--blink-settings=preferredColorScheme=1"
DARK = "--blink-settings=preferredColorScheme=0"


def browse(path: Path, *options: str, address: str = "") -> subprocess.CompletedProcess[str]:
    """Open a file and print the document as it is once the scripts have run."""
    assert BROWSER is not None
    command = [
        *(BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"),
        *("--enable-logging=stderr", f"--user-data-dir={path.parent / 'profile'}"),
        *("--virtual-time-budget=5000", "--dump-dom", *options, path.as_uri() + address),
    ]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)


def asked(tmp_path: Path, html: str, script: str, *options: str) -> Any:
    """What a script of the test finds in the page; it may run because the policy is taken out."""
    told = f"document.body.dataset.told = JSON.stringify((() => {{{script}}})());"
    path = tmp_path / "asked.html"
    path.write_text(POLICY.sub("", html).replace("</body>", f"<script>{told}</script></body>"))
    answer = re.search(r'data-told="([^"]*)"', browse(path, *options).stdout)
    assert answer is not None
    return json.loads(unescape(answer[1]))


def asked_in_frame(tmp_path: Path, html: str, script: str, width: int) -> Any:
    """The same in a frame so wide: headless windows are never narrower than 500 pixels."""
    inner = tmp_path / "inner.html"
    told = f"parent.postMessage(JSON.stringify((() => {{{script}}})()), '*')"
    inner.write_text(POLICY.sub("", html).replace("</body>", f"<script>{told}</script></body>"))
    outer = tmp_path / "outer.html"
    outer.write_text(
        f'<!DOCTYPE html><body><iframe width="{width}" height="800" src="inner.html"></iframe>'
        "<script>addEventListener('message', (m) => { document.body.dataset.told = m.data; })"
        "</script></body>"
    )
    answer = re.search(r'data-told="([^"]*)"', browse(outer).stdout)
    assert answer is not None
    return json.loads(unescape(answer[1]))
