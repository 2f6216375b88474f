"""Record of all tests on every Python: its evaluation of a report of pytest."""

from __future__ import annotations

import platform
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks/trust"))
import pythons
from record import Asked

REPORT = """<testsuites><testsuite>
<testcase classname="tests.a" name="one"/>
<testcase classname="tests.a" name="two"><failure message="assert 1 == 2&#10;more"/></testcase>
<testcase classname="tests.a" name="three"><skipped message="no compiler"/></testcase>
<testcase classname="tests.b" name="four"><error message="no fixture"/></testcase>
<testcase classname="tests.b" name="five"><system-out>words</system-out></testcase>
</testsuite></testsuites>"""


def test_outcomes_are_read_from_the_report():
    assert pythons.outcomes(ElementTree.fromstring(REPORT)) == {
        "passed": 2,
        "skipped": 1,
        "failures": ["tests.a: two: assert 1 == 2", "tests.b: four: no fixture"],
        "reasons of skipped ones": {"no compiler": 1},
    }


@pytest.mark.slow
def test_a_short_run_covers_this_python_alone():
    found = pythons.check(Asked(short=True, seed=0))
    assert found["failures"] == []
    ((name, passed),) = found["checked"].items()
    assert name == f"tests on Python {platform.python_version()}"
    assert passed > 3


def test_versions_are_distinguished_by_their_first_two_numbers():
    assert pythons.minor("3.14.0rc1") == (3, 14) != pythons.minor("3.9.2")
