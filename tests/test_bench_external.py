"""External programs in a suite: their answers, and the records of their failures."""

from __future__ import annotations

import shutil
import signal
from pathlib import Path

import pytest

from helpers.benches import (
    AUTO,
    CORNER,
    COUNTED,
    CROSSED,
    RED,
    SAYS,
    SOLVER,
    SWITCH,
    done,
    pictures,
    program,
    script,
    suite_of,
    verdicts,
)
from nonosat.bench.records import Run, Status
from nonosat.core.errors import FormatError
from nonosat.core.result import Verdict


def test_an_external_program_is_run_and_verified(tmp_path: Path) -> None:
    words = program(tmp_path, "solver", SOLVER, "{jsonl}")
    piped = program(tmp_path, "solver", SOLVER)
    ways = (
        f"[configurations.file]\nprogram = {words}\n{COUNTED}"
        f'[configurations.stdin]\nprogram = {piped}\nstdin = "jsonl"\n{COUNTED}'
    )
    runs = done(suite_of(tmp_path, ways, CORNER, SWITCH, CROSSED, head='task = "check"'))
    assert {one.reason for one in runs} == {""}
    expected = {"corner": "unique", "switch": "multiple", "crossed": "unsolvable"}
    assert verdicts(runs) == {(w, i): v for w in ("file", "stdin") for i, v in expected.items()}
    assert pictures(runs)["corner"] == [("##", "#.")]
    assert len(pictures(runs)["switch"]) == 2
    assert [len(one.digests) for one in runs] == [1, 1, 2, 2, 0, 0]
    assert all(one.exit == 0 and one.solve_s and one.solve_s > 0.005 for one in runs)
    assert all(0.002 < one.statistics["answer_cpu_s"] < one.cpu_s for one in runs)


def test_an_external_program_may_count(tmp_path: Path) -> None:
    words = program(tmp_path, "solver", SOLVER, "{jsonl}")
    way = f"[configurations.own]\nprogram = {words}\n{COUNTED}count = '^there are (\\d+) '\n"
    six = {"id": "six", "rows": [[1]] * 3, "columns": [[1]] * 3}
    (one,) = done(suite_of(tmp_path, way, six, head='task = "count"'))
    assert (one.count, one.verdict, one.status) == (6, Verdict.MULTIPLE, Status.OK)


def test_a_method_that_gives_up_counts_as_a_timeout(tmp_path: Path) -> None:
    """Not as a memout: passes over rows and columns leave the switch undetermined."""
    way = '[configurations.passes]\nbackend = "study:alternating"\n'
    (one,) = done(suite_of(tmp_path, way, SWITCH, head='task = "check"'))
    assert (one.status, one.verdict) == (Status.TIMEOUT, Verdict.UNKNOWN)
    assert one.reason == "undetermined: 4 cells are open"


def runs_of_index(folder: Path, ways: list[str], **settings: str) -> list[Run]:
    """Return the run of each configuration on the corner, which is unique according to an index."""
    (folder / "index.csv").write_text("id,file,verdict\ncorner,puzzles.jsonl,unique\n")
    named = "".join(f"[configurations.own-{at}]\n{way}" for at, way in enumerate(ways))
    runs = done(suite_of(folder, named, CORNER, head='task = "check"', **settings))
    found = {one.configuration: one for one in runs}
    return [found[f"own-{at}"] for at in range(len(ways))]


STATUSES = [
    ("echo one", "ok", ""),
    ("echo one >&2", "ok", ""),
    ("echo XX; echo X.; echo one", "ok", ""),
    ("echo XX; echo X.; echo; echo XX; echo X.; echo one", "ok", ""),  # the same twice
    ("echo XX; echo XX; echo one", "wrong", "the clues refute: "),
    ("echo 'X X'; echo '  X X '; echo one", "wrong", "the clues refute: "),
    ("echo XXXX; echo 'XX..'; echo one", "ok", ""),
    ("echo X.X.; echo X.X.; echo one", "ok", ""),  # another puzzle, of another size
    ("echo many", "wrong", "many, but"),
    ("echo some", "unsupported", "it reports 'solved', which does not answer check"),
    ("echo sorry", "timeout", "it gave up by itself"),
    ("echo one; echo never mind >&2", "unsupported", "it reports: never mind"),
    ("echo hm", "crash", "no verdict in its output (exit status 0)"),
    ("echo oh >&2; exit 3", "crash", "no verdict in its output (exit status 3) (oh)"),
    ("kill -SEGV $$", "crash", "died of SIGSEGV"),
    ("kill -XCPU $$", "timeout", "died of SIGXCPU"),
    ("exit 127", "crash", "could not be started, or ended with 127"),
    ("cat $1 | grep -q corner && test ${1%.jsonl} != $1 && echo one", "ok", ""),
    ("test $2 = 7 && test $3 = 20.0 && test $4 = 99 && echo one", "ok", ""),
    ('test -e "$5/suite.toml" && ! ls | grep -v puzzle && echo one', "ok", ""),
]


@pytest.fixture(scope="module")
def runs_of_programs(tmp_path_factory: pytest.TempPathFactory) -> list[Run]:
    """One run for each of STATUSES, in one benchmark."""
    folder, ways = tmp_path_factory.mktemp("programs"), []
    for at, (text, _, _) in enumerate(STATUSES):
        script(folder, f"run{at}", text)
        ways.append(
            f'program = ["./run{at}", "{{jsonl}}", "{{seed}}", "{{wall_s}}", '
            f'"{{memory_mib}}", "{{suite}}"]\nseed = 7\n{SAYS}filled = "X"\nempty = "."\n'
        )
    return runs_of_index(folder, ways, limits="wall_s = 20\nmemory_mib = 99")


@pytest.mark.parametrize("at", range(len(STATUSES)), ids=[text for text, _, _ in STATUSES])
def test_statuses_of_an_external_program(runs_of_programs: list[Run], at: int) -> None:
    text, status, told = STATUSES[at]
    one = runs_of_programs[at]
    told = told.replace("many, but", "multiple, but the index states unique")
    assert (one.status.value, told in one.reason) == (status, True), one.reason
    if "SEGV" in text:
        assert (one.exit, one.signal) == (None, signal.SIGSEGV)


def test_the_folder_of_the_suite_may_begin_the_program(tmp_path: Path) -> None:
    script(tmp_path, "run", "echo one")
    (tmp_path / "deeper").mkdir()
    script(tmp_path / "deeper", "run", "echo one")
    ways = [f'program = ["{{suite}}/{path}", "{{non}}"]\n{SAYS}' for path in ("run", "deeper/run")]
    assert [one.status for one in runs_of_index(tmp_path, ways)] == [Status.OK, Status.OK]
    missing = f'[configurations.own]\nprogram = ["{{suite}}/other", "{{non}}"]\n{SAYS}'
    with pytest.raises(FormatError, match=r"no program '{suite}/other'"):
        suite_of(tmp_path, missing, CORNER, head='task = "check"')


def test_a_verified_solution_refutes_later_claims(tmp_path: Path) -> None:
    script(tmp_path, "run", "echo one")
    way = f'[configurations.own]\nprogram = ["./run", "{{non}}"]\n{SAYS}'
    suite = suite_of(tmp_path, AUTO + way, SWITCH, CORNER, head='task = "check"')
    found = {(one.configuration, one.instance[-6:]): one for one in done(suite)}
    assert found["own", "switch"].status is Status.WRONG
    assert found["own", "switch"].reason == "two verified solutions refute that it is unique"
    assert found["own", "corner"].status is Status.OK


@pytest.mark.thorough
def test_a_format_that_cannot_hold_the_puzzle_is_unsupported(tmp_path: Path) -> None:
    script(tmp_path, "run", "echo one")
    way = f'[configurations.own]\nprogram = ["./run", "{{mk}}"]\n{SAYS}'
    (one,) = done(suite_of(tmp_path, way, RED, head='task = "check"'))
    assert one.status is Status.UNSUPPORTED
    assert "mk" in one.reason


def test_a_changed_program_is_another_configuration(tmp_path: Path) -> None:
    script(tmp_path, "run", "echo one")
    way = f'[configurations.own]\nprogram = ["./run", "{{non}}"]\n{SAYS}'
    (before,) = suite_of(tmp_path, way, CORNER).configurations
    script(tmp_path, "run", "echo many")
    (after,) = suite_of(tmp_path, way, CORNER).configurations
    assert before.sha256 != after.sha256


def test_a_changed_script_is_another_configuration(tmp_path: Path) -> None:
    """Files named after the program count as well; `-S` and puzzles do not."""
    hashes = []
    for text in ("print(1)", "print(2)", "print(1)"):
        words = program(tmp_path, "own", text, "{non}", "x" * 5000)
        way = f"[configurations.own]\nprogram = {words}\n{SAYS}"
        hashes.append(suite_of(tmp_path, way, CORNER).configurations[0].sha256)
    assert hashes[0] == hashes[2] != hashes[1]


# Files that `encode` writes and `decode` reads

ANSWERS = {
    "v 1 2 3 -4 0\ns SATISFIABLE": (
        "unsupported",
        "it reports 'solved', which does not answer check",
    ),
    "s UNSATISFIABLE": ("wrong", "the index states unique"),
    "s UNKNOWN": ("timeout", "it gave up by itself"),
    "x = [2, 2, 2, 1];\n----------": ("unsupported", "it reports 'solved'"),
    "x = [2, 2, 2, 1];\n----------\n==========": ("ok", ""),
    "x = [2, 2, 2, 1];\n----------\nx = [2, 2, 2, 1];\n----------\n==========": ("ok", ""),
    "x = [2, 2, 1, 2];\n----------\n==========": ("wrong", "the answer is not a solution"),
    "x = [2, 2, 2];\n----------\n==========": ("wrong", "x has 3 values, expected 4"),
    "=====UNSATISFIABLE=====": ("wrong", "the index states unique"),
    "=====ERROR=====": ("crash", "no verdict in its output"),
    "<instantiation><list>x[][]</list><values>1x3 0</values></instantiation>\n"
    "s SATISFIABLE\nd COMPLETE EXPLORATION": ("ok", ""),
    "never mind": ("unsupported", "it reports: never mind"),
    "hm": ("crash", "no verdict in its output"),
}


@pytest.fixture(scope="module")
def runs_of_answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Run]:
    """One run for each of ANSWERS, in two benchmarks: a solution in one refutes no claim in the
    other.
    """
    found = {}
    for is_claim in (True, False):
        texts = [text for text in ANSWERS if ("UNSATISFIABLE" in text) is is_claim]
        folder, ways = tmp_path_factory.mktemp("answers"), []
        script(folder, "run", 'cat "$1"; echo noise >&2')
        for at, text in enumerate(texts):
            (folder / f"answer{at}").write_text(text + "\n")
            ways.append(
                f'program = ["./run", "{{suite}}/answer{at}", "{{xcsp3}}"]\nanswer = true\n'
                'verdicts = {unsupported = "^never.*"}\n'
            )
        found |= dict(zip(texts, runs_of_index(folder, ways), strict=True))
    return found


@pytest.mark.parametrize("text", ANSWERS)
def test_an_answer_is_read_as_decode_reads_it(runs_of_answers: dict[str, Run], text: str) -> None:
    status, told = ANSWERS[text]
    one = runs_of_answers[text]
    assert (one.status.value, told in one.reason) == (status, True), one.reason
    if status == "ok":
        assert (one.verdict, one.count, len(one.digests)) == (Verdict.UNIQUE, 1, 1)


def test_a_program_gets_what_encode_writes(tmp_path: Path) -> None:
    script(
        tmp_path,
        "run",
        'grep -q "^p cnf" $1 && grep -q "^% puzzle corner" $2 && grep -q "^X = 2" $3 && '
        'grep -q "<regular>" $4 && test ${4%.xml} != $4 && test "$1" != "$2" && grep -q rows $5 && '
        "echo one",
    )
    way = (
        '[configurations.own]\nprogram = ["./run", "{cnf}", "{mzn}", "{dzn}", "{xcsp3}", '
        f'"{{jsonl}}"]\n{SAYS}'
    )
    (one,) = done(suite_of(tmp_path, way, CORNER, head='task = "check"'))
    assert one.status is Status.OK, one.reason


def test_a_target_that_cannot_hold_the_puzzle_is_unsupported(tmp_path: Path) -> None:
    script(tmp_path, "run", "echo one")
    way = f'[configurations.own]\nprogram = ["./run", "{{dzn}}"]\n{SAYS}'
    (one,) = done(suite_of(tmp_path, way, {"family": "queens", "id": "q", "n": 4}))
    assert one.status is Status.UNSUPPORTED
    assert "a .dzn file holds the clues of a nonogram" in one.reason


def test_minizinc_is_raced(tmp_path: Path) -> None:
    if shutil.which("minizinc") is None:
        pytest.skip("minizinc is not installed")
    way = '[configurations.mzn]\nprogram = ["minizinc", "-n", "2", "{mzn}"]\nanswer = true\n'
    queens = {"family": "queens", "id": "queens", "n": 4}
    puzzles = (CORNER, SWITCH, CROSSED, RED, queens)
    runs = done(suite_of(tmp_path, AUTO + way, *puzzles, head='task = "check"'))
    assert {one.status for one in runs} == {Status.OK}
    found = verdicts(runs)
    for name in ("corner", "switch", "crossed", "red", "queens"):
        assert found["mzn", name] == found["auto", name]


def test_answers_or_verdicts_are_needed(tmp_path: Path) -> None:
    script(tmp_path, "run", "echo one")
    for more in ("", "answer = false\n"):
        way = f'[configurations.own]\nprogram = ["./run", "{{mzn}}"]\n{more}'
        with pytest.raises(FormatError, match="verdicts"):
            suite_of(tmp_path, way, CORNER)
