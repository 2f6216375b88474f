"""Weight and start of the page without a server: `python benchmarks/studio/weight.py [SITE]`.

Prints tables for wasm.md: files, sizes, sizes packed by gzip (which web hosts do), and in Chromium,
as medians of ten cold loads from this machine, the milliseconds to the first paint, to the largest
one, to a page that can be used (its gallery is shown), and from a first stroke to its verdict.
"""

from __future__ import annotations

import gzip
import statistics
import sys
import tempfile
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from nonosat.studio.static import write

LOADS = 10
MEASURED = """() => new Promise((resolve) => {
  const paints = performance.getEntriesByType("paint");
  const first = paints.find(({ name }) => name === "first-contentful-paint").startTime;
  new PerformanceObserver((list) => {
    const requests = performance.getEntriesByType("resource").length + 1;
    resolve({ first, largest: list.getEntries().at(-1).startTime, requests });
  }).observe({ type: "largest-contentful-paint", buffered: true });
})"""


class Silent(SimpleHTTPRequestHandler):
    """A host that prints nothing."""

    def log_message(self, *_: object) -> None:
        """Print nothing."""


def main() -> None:
    """Write a site if none is named, and measure it."""
    with tempfile.TemporaryDirectory() as scratch:
        site = Path(sys.argv[1] if len(sys.argv) > 1 else scratch)
        if len(sys.argv) == 1:
            write(site)
        print_sizes(site)
        host = ThreadingHTTPServer(("127.0.0.1", 0), partial(Silent, directory=str(site)))
        threading.Thread(target=host.serve_forever, daemon=True).start()
        loads = [load(f"http://127.0.0.1:{host.server_port}/") for _ in range(LOADS)]
        host.shutdown()
    print(f"\n| requests | {' | '.join(list(loads[0])[1:])} (ms) |\n|---|---|---|---|---|")
    medians = [f"{statistics.median(one[key] for one in loads):.0f}" for key in loads[0]]
    print(f"| {' | '.join(medians)} |")


def print_sizes(site: Path) -> None:
    """Print the sizes of the kinds of files."""
    print("| kind | files | kB | packed kB |\n|---|---|---|---|")
    for kind in ("js", "wasm", "css", "html", "json"):
        files = [path.read_bytes() for path in site.glob(f"*.{kind}")]
        packed = sum(len(gzip.compress(content)) for content in files)
        print(f"| {kind} | {len(files)} | {sum(map(len, files)) / 1e3:.0f} | {packed / 1e3:.0f} |")


def load(address: str) -> dict[str, Any]:
    """Return the times of a load with an empty cache."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        page = browser.new_page()
        page.goto(address)
        page.locator(".tile").first.wait_for()
        ready = page.evaluate("performance.now()")
        found = page.evaluate(MEASURED)
        page.get_by_role("button", name="10 × 10, a new picture").click()
        page.locator("#board [tabindex]").first.focus()
        start = page.evaluate("performance.now()")
        page.keyboard.press("Space")
        page.locator("#verdict").get_by_text("exactly one solution").wait_for()
        verdict = page.evaluate("performance.now()") - start
        browser.close()
    return {
        "requests": found["requests"],
        "first paint": found["first"],
        "largest paint": found["largest"],
        "ready": ready,
        "first verdict": verdict,
    }


if __name__ == "__main__":
    main()
