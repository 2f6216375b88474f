"""The check of limits, in short; and that it finds what does not keep them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

TRUST = Path(__file__).parent.parent / "benchmarks" / "trust"


@pytest.fixture
def limits_kept(monkeypatch):
    monkeypatch.syspath_prepend(str(TRUST))
    import limits_kept

    return limits_kept


def test_large_boards_keep_small_limits(limits_kept):
    from record import Asked

    found = limits_kept.check(Asked(short=True, seed=0))
    assert found["failures"] == []
    assert found["checked"] == {"commands": len(limits_kept.SHORT)}
    assert {one["status"] for one in found["measured"].values()} == {5}


def test_what_goes_on_after_the_limit_is_late_and_large(limits_kept, tmp_path):
    program = "import time; x = bytearray(b'x') * 2**28; e = time.process_time() + 0.6\n"
    program += "while time.process_time() < e: pass"
    used = limits_kept.spent([sys.executable, "-c", program], tmp_path, 0.0, 0.1)
    assert used.late_s > 0.3
    allowed = limits_kept.Allowed(time_s=0.1, memory_mib=100, more_s=0.1, more_mib=50)
    failures = list(allowed.failures("it", used))
    assert [one.partition(",")[0].split()[-1] for one in failures] == ["late", "MiB"]
    quick = limits_kept.spent([sys.executable, "-c", "pass"], tmp_path, 0.0, 1.0)
    assert list(allowed.failures("it", quick)) == []
    assert list(allowed.failures("it", quick._replace(status=70))) == ["it: status 70"]
