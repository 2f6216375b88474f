"""External programs that give wrong answers, crash, hang, exhaust memory, print nonsense, leave
children.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import nonosat
from helpers.processes import PATIENCE_S, all_ended, interruptible
from nonosat import Verdict
from nonosat.testing.agreement import assert_agrees
from nonosat.testing.commands import OutputParser, command

SWITCH = nonosat.nonogram([[1], [1]], [[1], [1]])
CORNER = nonosat.nonogram([[2], [1]], [[1], [2]])
GIVEN = nonosat.nonogram([[1], [1]], [[1], [1]], given=[(0, 0, 1)])
LOOP = nonosat.slitherlink(["33", ".."])


def shell(script: str) -> str:
    return f"sh -c {shlex.quote(script)} sh {{file}}"


def python(script: str) -> str:
    return f"{shlex.quote(sys.executable)} -S -c {shlex.quote(script)} {{file}}"


def claim(script: str, puzzle=CORNER, **options):
    return command(shell(script), **{"time_limit_s": 600, **options})(puzzle)


@pytest.mark.parametrize(
    ("script", "problem"),
    [
        ("echo unsolvable", "is wrong: a solution of the puzzle is known and verified"),
        ("echo Several solutions", "is wrong: the puzzle has exactly 1 solution"),
        ("echo 7 solutions", "is wrong: the puzzle has exactly 1 solution"),
        ("printf '##\\n#.\\n'", "is wrong: its solution does not fit: column 1 has the run 2"),
        ("printf '##\\n.#\\n\\n##\\n.#\\n'", "its solution 2 is one that it has given before"),
        ("printf '###\\n..#\\n'", "failed: it printed no answer (status 0): '### ..#'; expected a"),
        ("true", "failed: it printed no answer (status 0): nothing; expected a picture of 2 x 2"),
        ("echo oops >&2; exit 3", "failed: it printed no answer (status 3): 'oops'"),
        ("kill -SEGV $$", "failed: it died of SIGSEGV"),
        ("echo unique; kill -ABRT $$", "failed: it died of SIGABRT"),
        ("cat /dev/zero", "failed: it printed, or wrote to a file, more than 8 MiB"),
    ],
)
def test_wrong_answers_and_failures_of_a_program(script, problem):
    with pytest.raises(AssertionError) as caught:
        assert_agrees(shell(script), CORNER, against=["auto"], time_limit_s=600)
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    "script",
    [
        "echo Unique",
        "printf '##\\n.#\\n'",
        "printf '####\\n  ##\\n'",  # doubled
        "printf 'X X\\n. X\\nthe only one solution\\n'",
        "printf '#'; sleep 0.05; printf '#\\n.'; sleep 0.05; printf '#\\n'",  # in pieces
        "echo 1 solution",
        "grep -q '^rows' $1 && echo no second solution",
        """printf '{"verdict": "unique", "solutions": [["##", ".#"]]}\\n'""",
        """printf 'thinking\\n{"count": 1}\\n'""",
    ],
)
def test_accepted_output_of_a_program(script):
    assert_agrees(shell(script), CORNER, against=["auto"], time_limit_s=600)


@pytest.mark.real_time
def test_a_program_that_hangs_is_killed_with_its_children(tmp_path):
    script = f"(echo $$ > {tmp_path}/pid; sleep 60) & sleep 60"
    found = claim(script, time_limit_s=0.3)
    assert found.failure == "hung for more than 0.3 s"


def test_remaining_children_are_ended_and_the_answer_counts(tmp_path):
    code = (
        "import os, sys, time\n"
        "print('unique', flush=True)\n"
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        "    if os.fork() == 0:\n"
        f"        open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\n"
        f"        os.rename({str(tmp_path / 'pid')!r}, {str(tmp_path / 'ready')!r})\n"
        "        time.sleep(60)\n"
        f"while not os.path.exists({str(tmp_path / 'ready')!r}): time.sleep(0.01)\n"
    )
    found = command(python(code), time_limit_s=600)(CORNER)
    assert found.verdict is Verdict.UNIQUE
    pid = int((tmp_path / "ready").read_text())
    assert not Path(f"/proc/{pid}").exists()


def test_a_program_that_exhausts_memory_is_ended():
    code = "x = []\nwhile True: x.append(bytes(10**7))"
    found = command(python(code), memory_limit_mib=100, time_limit_s=600)(CORNER)
    assert found.failure == "used more than 100 MiB"


def test_a_traceback_is_a_failure_with_any_words_in_it():
    found = command(python("print('unique'); raise ValueError('unique')"), time_limit_s=600)(CORNER)
    assert found.failure.startswith("ended with status 1 ")
    assert "ValueError" in found.failure


def test_formats_of_the_puzzle():
    assert claim("tail -1 $1 | grep -q 2 && echo unique").verdict is Verdict.UNIQUE  # .non
    words = "sh -c 'grep -q family $1 && echo unique' sh {file}"
    assert command(words)(LOOP).verdict is Verdict.UNIQUE  # our JSON
    assert command("sh -c 'head -1 $1; echo unique' sh {nin}")(CORNER).verdict is Verdict.UNIQUE
    assert "given" in claim("echo unique", GIVEN).unsupported
    assert command(shell("echo unique"), format="jsonl")(GIVEN).verdict is Verdict.UNIQUE
    found = command("sh -c 'grep -q rows && echo unique'", stdin=True)(CORNER)
    assert found.verdict is Verdict.UNIQUE


def test_solvers_of_clauses_are_read_as_decode_reads_them():
    assert command("sh -c 'echo s UNSATISFIABLE' sh {cnf}")(CORNER).verdict is Verdict.UNSOLVABLE
    assert command("sh -c 'echo s UNKNOWN' sh {cnf}")(CORNER).verdict is Verdict.UNKNOWN


def test_a_program_of_this_folder_is_found_by_any_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my 'own' solver.sh").write_text("echo unsolvable\n")
    (tmp_path / "echo").write_text("a word that is a file by chance")
    words = ["sh", "my 'own' solver.sh", "{file}"]
    with pytest.raises(AssertionError, match="is wrong: a solution of the puzzle is known"):
        assert_agrees(words, CORNER, against=["auto"])
    assert command(shlex.join(words))(CORNER).verdict is Verdict.UNSOLVABLE
    assert command("env echo unique {file}")(CORNER).verdict is Verdict.UNIQUE


def test_patterns_replace_the_usual_words():
    options = {"patterns": {"unique": "^JA$", "count": r"(\d+) Stueck", "unsupported": "zu gross"}}
    assert claim("echo unique", **options).failure
    assert claim("echo JA", **options).verdict is Verdict.UNIQUE
    assert claim("echo 5 Stueck", **options).count == 5
    assert claim("echo zu gross", **options).unsupported == "it reports: zu gross"
    found = claim("printf 'JA\\nab\\nba\\n'", **options, filled="a", empty="b")
    assert (found.verdict, list(map(str, found.solutions))) == (Verdict.UNIQUE, ["#.\n.#"])


def test_our_own_command_is_understood():
    own = f"{shlex.quote(sys.executable)} -m nonosat check"
    assert command(f"{own} {{file}}", time_limit_s=600)(SWITCH).verdict is Verdict.MULTIPLE
    found = command(f"{own} --json {{jsonl}}", time_limit_s=600)(GIVEN)
    assert (found.verdict, len(found.solutions)) == (Verdict.UNIQUE, 1)


@pytest.mark.parametrize(
    ("words", "options", "problem"),
    [
        ("no-such-program {file}", {}, "no program 'no-such-program'"),
        ("", {}, "no program ''"),
        ([], {}, "no program ''"),
        ("sh '{file}", {}, "cannot be split: No closing quotation"),
        (["sh", 3, "{file}"], {}, "expected texts"),
        ("sh {file}", {"time_limit_s": 0}, "the time limit is 0"),
        ("sh {file}", {"memory_limit_mib": -1}, "memory_limit_mib is -1"),
        ("sh -c true", {}, "a command without its puzzle"),
        ("sh {nothing}", {}, "no format is called 'nothing'"),
        ("sh {file}", {"format": "nothing"}, "no format is called 'nothing'"),
        ("sh {file} {suite}", {}, "{suite} is for suites"),
        ("sh {file}", {"filled": "x"}, "expected both or neither"),
        ("sh {file}", {"patterns": {"maybe": "x"}}, "a pattern for 'maybe'"),
        ("sh {file}", {"patterns": {"unique": "("}}, "is wrong"),
        ("sh {file}", {"patterns": {"count": "x"}}, "has no group"),
    ],
)
def test_a_wrong_command_is_refused_at_once(words, options, problem):
    with pytest.raises(nonosat.UnsupportedError) as caught:
        command(words, **options)
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("text", "verdict", "count"),
    [
        ("The solution is not unique", Verdict.MULTIPLE, None),
        ("more than one solution", Verdict.MULTIPLE, None),
        ("UNSATISFIABLE", Verdict.UNSOLVABLE, None),
        ("found no solutions", Verdict.UNSOLVABLE, None),
        ("exactly one solution", Verdict.UNIQUE, None),
        ("there is no other solution", Verdict.UNIQUE, None),
        ("Solved in 0.1 s", Verdict.SOLVED, None),
        ("time out", Verdict.UNKNOWN, None),
        ("0 solutions", Verdict.UNKNOWN, 0),
        ("puzzle 3: 12 different solutions", Verdict.UNKNOWN, 12),
        ("solutions: 4", Verdict.UNKNOWN, 4),
        ("found 2 solutions", Verdict.MULTIPLE, None),  # it may have stopped there
        ("at least 5 solutions", Verdict.MULTIPLE, None),
    ],
)
def test_words(text, verdict, count):
    found = OutputParser(["x", "{non}"]).read(CORNER, text, "", 0)
    assert (found.failure, found.verdict, found.count) == ("", verdict, count)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        '{"verdict": "nice"}',
        '{"count": -1}',
        '{"solutions": 3}',
        '{"solutions": [["#"]], "verdict": 5}',
        "{" * 5000,
        "\0\1\2",
        "unsolvables uniqueness",
        "##\n",
    ],
)
def test_nonsense_is_a_failure(text):
    found = OutputParser(["x", "{non}"]).read(CORNER, text, "", 0)
    assert found.failure.startswith("printed ")
    assert len(found.failure) < 500


# Writes the number of the process that runs all programs to a file.
ABOVE = "cut -d' ' -f4 /proc/$PPID/stat"


def zygote_of(folder):
    """The process that runs all programs of this one."""
    assert claim(f"{ABOVE} > {folder}/zygote; echo unique").verdict is Verdict.UNIQUE
    return int((folder / "zygote").read_text())


def test_an_interrupt_ends_the_program_and_the_next_one_runs(tmp_path):
    zygote = zygote_of(tmp_path)
    with interruptible(), pytest.raises(KeyboardInterrupt):
        claim(f"kill -INT {os.getpid()}; sleep 600")
    assert not Path(f"/proc/{zygote}").exists()
    assert zygote_of(tmp_path) != zygote


def test_who_kills_the_process_above_it_is_told_so_and_the_next_one_runs():
    found = claim(f"kill -9 $({ABOVE}); sleep 5")
    assert found.failure.startswith("ended the process that ran it")
    assert claim("echo unique").verdict is Verdict.UNIQUE


def test_a_fork_has_a_zygote_of_its_own(tmp_path):
    ours = zygote_of(tmp_path)
    if not (pid := os.fork()):
        status = 1
        try:
            status = 0 if zygote_of(tmp_path) != ours else 2
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert all_ended([int((tmp_path / "zygote").read_text())])
    assert zygote_of(tmp_path) == ours


def test_nothing_is_left(tmp_path):
    code = (
        "import nonosat; from nonosat.testing.commands import command; "
        f"command({shell(f'{ABOVE} > {tmp_path}/zygote')!r})(nonosat.nonogram([[1]], [[1]]))"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=PATIENCE_S)
    assert all_ended([int((tmp_path / "zygote").read_text())])


def test_a_long_command_is_shortened_in_the_report():
    with pytest.raises(AssertionError) as caught:
        assert_agrees(shell("echo unsolvable" + " " * 300), CORNER, against=["auto"])
    assert max(map(len, str(caught.value).splitlines())) < 200
