"""No call of the native core ends the interpreter, with any arguments."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from helpers.native_abuse import ENDS_PROCESSES, STUB, signatures
from helpers.native_inputs import board, settled
from nonosat import _core

TESTS = Path(__file__).parent
NUM_ROUNDS = 300
MOST_BYTES = 3 * 2**30  # of addresses: an absurd size is refused, and allocates no memory


def limited() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Calls whose arguments native code accepted, in a process that has survived them."""
    note = tmp_path_factory.mktemp("abuse") / "note"
    note.write_bytes(bytes(4096))
    command = [sys.executable, "-W", "ignore", "-m", "helpers.native_abuse"]
    ran = subprocess.run(
        [*command, "0", str(NUM_ROUNDS), str(note)],
        cwd=TESTS,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limited,
    )
    last = note.read_bytes()[:200].decode().strip()
    assert ran.returncode == 0, f"status {ran.returncode} in {last}: {ran.stderr[-2000:]}"
    return set(json.loads(ran.stdout))


@pytest.mark.slow
def test_all_native_functions_are_called(done: set[str]) -> None:
    assert set(signatures()) - done - {"Outlook.__init__"} == {ENDS_PROCESSES}


def test_the_stub_is_up_to_date(tmp_path: Path) -> None:
    made = tmp_path / "_core.pyi"
    generator = [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "nonosat._core"]
    subprocess.run([*generator, "-o", str(made)], check=True, cwd=tmp_path)
    hint = "`python -m nanobind.stubgen -m nonosat._core -o nonosat/_core.pyi` makes it anew"
    assert made.read_text() == STUB.read_text(), hint


def test_a_process_that_must_end_with_its_parent() -> None:
    code = "import sys, nonosat._core as c\ntry: c.exit_when_closed({})\nexcept Exception: pass\n"
    for value in ("-1", "10**30", "None", "2**31 - 1", "'0'", "1.5"):
        command = [sys.executable, "-c", code.format(value)]
        assert subprocess.run(command, check=False, capture_output=True).returncode in (0, 1)


# Calls that have ended the interpreter, or could have.


@pytest.mark.parametrize(
    "use",
    [
        lambda on: _core.look_ahead(on, 9),
        _core.Search,
    ],
)
def test_calls_that_need_a_board_at_its_fixpoint_refuse_others(use) -> None:
    with pytest.raises(ValueError, match="a board at its line fixpoint is expected"):
        use(board(9))
    broken = _core.Board(1, [[(3, 1)]], [[(1, 1)], []])
    assert not broken.propagate()
    with pytest.raises(ValueError, match="fixpoint"):
        use(broken)
    use(settled(9))


@pytest.mark.parametrize(
    "use",
    [
        lambda on: _core.look_ahead(on, 9),
        lambda on: _core.Counter(on, 2**20),
        lambda on: _core.Beliefs(on, damping=0.5, clamp=12, sigma=0, seed=0),
        _core.Search,
    ],
)
def test_calls_that_need_every_clue_refuse_a_board_without(use) -> None:
    for line in (0, 9, 17):
        on = board(9)
        on.leave_out(line)
        assert on.propagate()
        with pytest.raises(ValueError, match="without left-out clues"):
            use(on)


@pytest.mark.parametrize("change", ["assign", "remove", "assign_cells", "search", "probe"])
def test_a_search_or_count_refuses_a_board_that_others_have_changed(change: str) -> None:
    for make, go in ((_core.Search, "next"), (lambda on: _core.Counter(on, 2**20), "run")):
        on = settled(20)
        worker = make(on)
        getattr(worker, go)(1)
        getattr(worker, go)(1)
        if change == "search":
            other = _core.Counter(on, 2**20)
            other.run(1)
        elif change == "probe":
            _core.Prober(on).run(1)
        elif change == "assign_cells":
            on.assign_cells(bytes([0]) + b"\xff" * 399)
        else:
            getattr(on, change)(0, 0)
        with pytest.raises(RuntimeError, match="was changed by something else; make another"):
            getattr(worker, go)(1)


def test_values_that_the_board_has_not_are_refused() -> None:
    on = board(9)
    with pytest.raises(IndexError, match="no such cell or value"):
        on.assign_cells(b"\2" * 81)
