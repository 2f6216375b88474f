"""Short form of the check of limits; it detects commands that exceed them."""

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


@pytest.mark.slow
def test_large_boards_keep_small_limits(limits_kept):
    from record import Asked

    found = limits_kept.check(Asked(short=True, seed=0))
    assert found["failures"] == []
    assert found["checked"] == {"commands": len(limits_kept.SHORT)}
    assert {one["status"] for one in found["measured"].values()} == {5}


@pytest.mark.real_time
def test_work_beyond_the_limit_is_late_and_large(limits_kept, tmp_path):
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


PICTURES = [
    ("render -o OUT.png", 400, 60),
    ("render -o OUT.png --solution", 400, 120),
    ("render -o OUT.pdf", 400, 60),
]


@pytest.mark.slow
@pytest.mark.parametrize("asked", PICTURES, ids=lambda asked: asked[0])
def test_pictures_keep_tight_limits_of_memory(limits_kept, tmp_path, asked):
    assert asked in limits_kept.TIGHT
    used = limits_kept.tight(*asked, tmp_path)
    assert list(limits_kept.tight_failures("it", asked[2], used)) == []
    assert used.status == 5
    assert f"memory limit of {asked[2]} MiB" in (tmp_path / "stderr").read_text()
    assert not (tmp_path / "OUT.png").exists()


def test_a_part_that_is_checked_alone_replaces_its_figures(limits_kept, monkeypatch):
    from record import Asked

    old = {"a board": {"mib": 1}, "show (9x9, 1 MiB)": {"mib": 2}}
    monkeypatch.setattr(limits_kept, "recorded", lambda _: {"measured": dict(old)})
    monkeypatch.setattr(limits_kept, "TIGHT", [("show", 9, 1)])
    monkeypatch.setattr(limits_kept, "tight", lambda *_: limits_kept.Spent(status=5, mib=1.5))
    found = limits_kept.check(Asked(short=False, seed=0, names=("tight",)))
    assert found["measured"] == {
        "a board": {"mib": 1},
        "show (9x9, 1 MiB)": {"status": 5, "mib": 2},
    }
    assert found["failures"] == ["show (9x9, 1 MiB): 2 MiB, expected at most 1"]
    assert found["checked"] == {"commands": 2}
