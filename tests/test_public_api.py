"""The public interface equals the recorded one, so that each change of it is noticed."""

from __future__ import annotations

import difflib
import re
from pathlib import Path

import nonosat
from helpers.public_api import public_api

RECORDED = Path(__file__).parent / "data" / "public_api.txt"
ROOT = Path(__file__).parents[1]


def test_the_public_interface_is_the_recorded_one() -> None:
    changes = difflib.unified_diff(
        RECORDED.read_text().splitlines(),
        public_api().splitlines(),
        "recorded",
        "now",
        lineterm="",
        n=0,
    )
    assert not (text := "\n".join(changes)), (
        f"{text}\nDescribe the change in CHANGELOG.md, and record it: "
        "python tests/helpers/public_api.py >tests/data/public_api.txt"
    )


def test_the_version_is_the_newest_of_the_change_log_and_that_to_cite() -> None:
    versions = re.findall(r"^## (\S+) - ", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert versions[0] == nonosat.__version__
    assert f"\nversion: {nonosat.__version__}\n" in (ROOT / "CITATION.cff").read_text()
