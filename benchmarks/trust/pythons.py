"""All tests on this Python, together with the recorded results of other Pythons.

To be run with each Python named in the README, in a separate environment with `.[dev]`. Skipped
tests are listed with their reasons; a machine must provide their requirements.
"""

from __future__ import annotations

import platform
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

from natively import ROOT
from record import RESULTS, Asked, Figures, perform, recorded

NAME = "pythons"
SHORT = ("tests/test_model_data.py",)


def suite(tests: tuple[str, ...], scratch: Path) -> Figures:
    """Return the numbers of tests by outcome, and sentences on those that failed."""
    report = scratch / "report.xml"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    command += tests or ("-n", "auto", "--dist", "worksteal")
    command += [f"--junitxml={report}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if not report.exists():
        sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout[-2000:]}")
    return outcomes(ElementTree.parse(report).getroot())  # noqa: S314  # written by pytest


def outcomes(report: ElementTree.Element) -> Figures:
    """Return the figures of a pytest report."""
    seen, failures, skipped = Counter[str](), list[str](), Counter[str]()
    for case in report.iter("testcase"):
        name = f"{case.get('classname')}: {case.get('name')}"
        for child in case:
            told = child.get("message", "").partition("\n")[0]
            if child.tag in ("failure", "error"):
                failures.append(f"{name}: {told}")
                break
            if child.tag == "skipped":
                skipped[told] += 1
                break
        else:
            seen["passed"] += 1
    seen["skipped"] = skipped.total()
    return {**seen, "failures": failures, "reasons of skipped ones": dict(skipped)}


def check(asked: Asked) -> Figures:
    """Return the figures of this Python, and the others of the record."""
    version = platform.python_version()
    pythons = {} if asked.short or not (RESULTS / f"{NAME}.json").exists() else before()
    with tempfile.TemporaryDirectory() as scratch:
        pythons[version] = suite(SHORT if asked.short else (), Path(scratch))
    ordered = {name: pythons[name] for name in sorted(pythons, key=minor)}
    return {
        "checked": {f"tests on Python {name}": found["passed"] for name, found in ordered.items()},
        "failures": [
            f"{name}: {told}" for name, found in ordered.items() for told in found["failures"]
        ],
        "pythons": ordered,
    }


def before() -> dict[str, Figures]:
    """Return the recorded figures of Pythons of other minor versions."""
    found: dict[str, Figures] = recorded(NAME)["pythons"]
    return {name: one for name, one in found.items() if minor(name) != sys.version_info[:2]}


def minor(version: str) -> tuple[int, ...]:
    """Return the first two numbers of a version."""
    return tuple(map(int, version.split(".")[:2]))


if __name__ == "__main__":
    perform("pythons", check)
