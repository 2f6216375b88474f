"""`nonosat studio`: its address, what it opens with, and how it ends."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import click
import httpx
import pytest
from websockets.sync.client import connect

import nonosat
from helpers.commands import run
from helpers.images import drawn as image_of
from helpers.images import enlarged, file
from helpers.processes import PATIENCE_S, all_ended, below, ignoring, interruptible
from nonosat.studio import opening, wire
from nonosat.studio.opening import puzzle_of
from nonosat.studio.wire import sent_of

HARD = nonosat.generate_nonogram(100, 100, seed=5, unique=False)
COMMAND = (sys.executable, "-m", "nonosat", "studio", "--no-browser")


@contextmanager
def command(*words: str, **environment: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start a studio by the command; return it and its address."""
    with interruptible():
        started = subprocess.Popen(
            [*COMMAND, *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **environment},
        )
    with started as process:
        assert process.stdout is not None
        try:
            found = re.fullmatch(
                r"nonosat studio: (http://127\.0\.0\.1:\d+/\?t=\S+) \(Ctrl-C ends it\)\n",
                process.stdout.readline(),
            )
            assert found is not None
            yield process, found[1]
        finally:
            process.kill()


@contextmanager
def at_work(address: str) -> Iterator[None]:
    """Start a check of a hard puzzle in a studio."""
    base, token = address.split("/?t=")
    port = base.rpartition(":")[2]
    told = {"Origin": base, "Cookie": f"nonosat-{port}={token}"}
    with connect(f"ws://127.0.0.1:{port}/live", additional_headers=told, proxy=None) as line:
        line.send(json.dumps({"edit": 1, "puzzle": {"puzzle": HARD.to_data()}}))
        while not json.loads(line.recv(PATIENCE_S)).get("looking"):
            pass
        yield


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_signal_ends_it_at_once_and_all_its_children(number: int, status: int) -> None:
    with command() as (process, address), at_work(address):
        children = below(process.pid)
        assert children
        process.send_signal(number)
        assert process.wait(PATIENCE_S) == status
        assert all_ended(children)
        assert process.stderr is not None
        assert process.stderr.read() == ""


ENDING = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)


@pytest.mark.thorough
@pytest.mark.parametrize("number", ENDING, ids=lambda number: number.name)
def test_an_ignored_signal_stays_ignored(number: int) -> None:
    with ignoring(number), subprocess.Popen(COMMAND, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().split()[2]
            with at_work(address):  # its event loop runs, all handlers are installed
                process.send_signal(number)
                with httpx.Client(trust_env=False) as browser:
                    assert browser.get(address).status_code == 200
                status = Path(f"/proc/{process.pid}/status").read_text()
        finally:
            process.kill()
    ignored = int(re.findall(r"SigIgn:\s*(\w+)", status)[0], 16)
    assert ignored >> (number - 1) & 1


# Ends a studio at the first call of a function: before, at and after each stage of its life.
AT_CALL = """
import os, sys
where, *numbers = sys.argv.pop(1).split()
def hook(frame, event, _):
    if numbers and event == "call" and frame.f_code.co_qualname == where:
        sys.stderr.write("signalled\\n")
        while numbers:
            os.kill(os.getpid(), int(numbers.pop()))
sys.setprofile(hook)
from nonosat.__main__ import main
main()
"""
MOMENTS = (
    "puzzle_of",
    "Deferred.__enter__",
    "echo",
    "Runner.run",
    "Config.load",
    "Desks.start",
    "BaseEventLoop.create_server",
)
CLOSING = ("Server.shutdown", "Desks.close", "Deferred.__exit__")


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("where", "number", "status"),
    [(where, signal.SIGINT, 130) for where in MOMENTS]
    + [("Config.load", signal.SIGTERM, 143), ("Server.on_tick", signal.SIGHUP, 129)],
)
def test_every_moment_of_its_start_ends_without_a_traceback(
    where: str, number: int, status: int, tmp_path: Path
) -> None:
    path = tmp_path / "p.jsonl"
    nonosat.save([nonosat.from_picture("##\n.#")], path)
    words = [sys.executable, "-c", AT_CALL, f"{where} {int(number)}", "studio", "--no-browser"]
    with interruptible():
        result = subprocess.run(
            [*words, str(path)],
            capture_output=True,
            text=True,
            env={**os.environ, "TMPDIR": str(tmp_path)},
            timeout=PATIENCE_S,
        )
    assert (result.returncode, result.stderr) == (status, "signalled\n")
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.thorough
@pytest.mark.parametrize("where", CLOSING)
def test_a_second_signal_at_its_end_changes_nothing(where: str, tmp_path: Path) -> None:
    words = [sys.executable, "-c", AT_CALL, f"{where} {int(signal.SIGINT)}", "studio"]
    with interruptible():
        process = subprocess.Popen(
            [*words, "--no-browser"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "TMPDIR": str(tmp_path)},
        )
    with process:
        assert process.stdout is not None
        with at_work(process.stdout.readline().split()[2]):
            process.send_signal(signal.SIGTERM)
            errors = process.communicate(timeout=PATIENCE_S)[1]
    assert process.returncode in (143, 130), errors
    assert errors == "signalled\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_children_end_with_a_server_that_is_killed() -> None:
    with command() as (process, address), at_work(address):
        children = below(process.pid)
        process.kill()
        process.wait(PATIENCE_S)
        assert all_ended(children)


@pytest.mark.thorough
def test_a_port_is_kept_and_one_in_use_is_reported() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    with command("--port", port) as (_, address):
        assert f":{port}/" in address
        again = subprocess.run([*COMMAND, "--port", port], capture_output=True, text=True)
        assert again.returncode == 2
        expected = f"nonosat: port {port} is in use, perhaps by another studio; choose another"
        assert again.stderr.startswith(expected)


@pytest.mark.thorough
def test_it_opens_with_a_puzzle(tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    puzzles = [nonosat.from_picture("##\n.#", id="a"), nonosat.from_picture("#.\n##", id="b")]
    nonosat.save(puzzles, path)
    with command(f"{path}#b") as (_, address), httpx.Client(trust_env=False) as browser:
        assert browser.get(address).status_code == 200
        about = browser.get(f"{address.split('?')[0]}api/about").json()["answer"]
        assert about["first"]["picture"] == ["a.", "aa"]
        assert about["mode"] is None


@pytest.mark.thorough
def test_a_shared_puzzle_opens_in_play() -> None:
    text = nonosat.dumps(nonosat.from_picture("##\n.#"), "share").strip()
    with command(text) as (_, address), httpx.Client(trust_env=False) as browser:
        assert browser.get(address).status_code == 200
        about = browser.get(f"{address.split('?')[0]}api/about").json()["answer"]
        assert (about["first"]["picture"], about["mode"]) == (["aa", ".a"], "play")


def test_without_a_port_two_studios_find_places() -> None:
    from nonosat.studio.server import Studio, StudioOptions

    opened = [Studio(StudioOptions(port=None)) for _ in range(2)]
    try:
        assert opened[0].address.split("?")[0] != opened[1].address.split("?")[0]
    finally:
        for studio in opened:
            studio.close()


def test_a_browser_is_opened_unless_it_is_not_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = SimpleQueue[str]()
    said: list[str] = []
    monkeypatch.setattr(opening.webbrowser, "open", opened.put)
    from nonosat.studio.server import Studio

    monkeypatch.setattr(Studio, "serve", lambda _: None)
    for browse in (True, False):
        opening.run(None, port=0, memory_limit_mib=512, browse=browse, report=said.append)
    address = opened.get(timeout=PATIENCE_S)
    assert f"nonosat studio: {address} (Ctrl-C ends it)" == said[0]
    assert (len(said), opened.empty()) == (2, True)


def test_options_reach_the_studio(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Any] = []
    monkeypatch.setattr(
        "nonosat.cli.studio.run", lambda source, **asked: opened.append((source, asked))
    )
    for words, source, changed in (
        ([], None, {}),
        (["x.non"], "x.non", {}),
        (["--port", "8000"], None, {"port": 8000}),
        (["--no-browser"], None, {"browse": False}),
        (["--memory-limit", "1G"], None, {"memory_limit_mib": 1024}),
    ):
        assert run("studio", *words).exit_code == 0
        found, asked = opened.pop()
        usual = {"port": None, "browse": True, "memory_limit_mib": 2048}
        assert asked.pop("report") is click.echo
        assert (found, asked) == (source, usual | changed)


@pytest.mark.slow
@pytest.mark.parametrize("package", ["starlette", "uvicorn", "websockets"])
def test_missing_packages_are_reported(package: str) -> None:
    code = f"import sys; sys.modules[{package!r}] = None; from nonosat.__main__ import main; main()"
    words = [sys.executable, "-c", code, "studio", "--no-browser"]
    result = subprocess.run(words, capture_output=True, text=True)
    assert result.returncode == 2
    assert result.stderr.count(f" '{package}<") == 1
    assert result.stderr.startswith("nonosat: the studio needs packages that are not there")


def test_nothing_of_it_is_imported_for_help() -> None:
    code = (
        "import sys; from nonosat.cli.studio import command\n"
        "command(['--help'], standalone_mode=False)\n"
        "print([name for name in ('starlette', 'uvicorn', 'asyncio') if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.stdout.endswith("[]\n"), result.stderr


# Its first document


def test_texts_longer_than_names_are_opened() -> None:
    puzzle = nonosat.generate_nonogram(40, 40, seed=1, unique=False)
    assert puzzle_of(nonosat.dumps(puzzle, "non")).rows == puzzle.rows


def test_names_with_blanks_are_names(tmp_path: Path) -> None:
    folder = tmp_path / "my puzzles"
    folder.mkdir()
    with pytest.raises(nonosat.FormatError, match="no puzzle file in the folder"):
        puzzle_of(str(folder))
    path = folder / "two of them.jsonl"
    nonosat.save([nonosat.from_picture("##", title="a"), nonosat.from_picture("#.")], path)
    with pytest.raises(nonosat.FormatError, match="'zz'"):
        puzzle_of(f"{path}#zz")


def test_files_texts_and_addresses_are_opened(tmp_path: Path) -> None:
    puzzle = nonosat.from_picture("##\n.#", title="corner")
    path = tmp_path / "corner.non"
    nonosat.save(puzzle, path)
    for source in (
        str(path),
        nonosat.dumps(puzzle, "puzzlink").strip(),
        nonosat.dumps(puzzle, "share").strip(),
        "https://host.example/#" + nonosat.dumps(puzzle, "share").strip(),
        "rows\n2\n1\ncolumns\n1\n2",
    ):
        assert puzzle_of(source).rows == puzzle.rows
    assert sent_of(puzzle_of(str(path))) == {
        "picture": ["aa", ".a"],
        "colours": {"a": "#000000"},
        "background": "#ffffff",
        "title": "corner",
        "author": "",
    }


def test_the_texts_about_a_picture_are_sent_both_ways() -> None:
    puzzle = nonosat.from_picture("#", title="Dot", license="CC0-1.0", description="For\nyou.")
    sent = sent_of(puzzle)
    assert (sent["license"], sent["description"]) == ("CC0-1.0", "For\nyou.")
    assert "source" not in sent
    assert wire.puzzle_of(sent).about == puzzle.about


def test_an_image_is_made_a_picture(tmp_path: Path) -> None:
    path = tmp_path / "photo.jpg"
    image = enlarged(image_of(["##..", "##..", "..##", "..##", "....", "...."]), 40)
    path.write_bytes(file(image, "JPEG"))
    puzzle = puzzle_of(str(path))
    assert (puzzle.height, puzzle.width, puzzle.about.title) == (30, 20, "photo")
    assert sent_of(puzzle)["picture"][0] == "a" * 10 + "." * 10


def test_clues_that_are_not_the_goal_are_sent_as_clues() -> None:
    clued = nonosat.nonogram([[1], [1]], [[1], [1]])
    assert sent_of(clued) == {"puzzle": clued.to_data()}
    other = nonosat.nonogram([[1], [1]], [[1], [1]], goal="##\n..")
    assert sent_of(other) == {"puzzle": other.to_data()}
    given = nonosat.nonogram([[1]], [[1]], goal="#", given=[(0, 0, 1)])
    assert sent_of(given) == {"puzzle": given.to_data()}
    loop = nonosat.slitherlink(["33", ".."])
    assert sent_of(loop) == {"puzzle": loop.to_data()}


TEXT = "no such file, and as a text it holds no puzzle: "
HEADINGS = "; clues have the headings 'rows' and 'columns'\n"


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("nothing.non", "nothing.non: the file cannot be read: No such file or directory\n"),
        ("https://example.org/x", "https://example.org/x: an address, but none "),
        ("what is this?", f"what is this?: {TEXT}'what is this?': neither clues "),
        (".", ".: no puzzle file in the folder, "),
        ("rows 3 1 columns 2", f"rows 3 1 columns 2: {TEXT}1:6: clues that do not fit: row 1 "),
        (
            "2 1 / 1 2",
            f"2 1 / 1 2: {TEXT}clues without the headings 'rows' and 'columns' that ",
        ),
        ("many.jsonl", "many.jsonl: 9 puzzles, expected one; choose one as FILE#ID (1, 2, 3, "),
    ],
)
def test_other_files_are_reported(
    source: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if source == "many.jsonl":
        nonosat.save([nonosat.from_picture("#") for _ in range(9)], source)
    result = run("studio", "--no-browser", source)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"nonosat: {told}")
    assert result.stderr.endswith(HEADINGS) == (TEXT in told)
    assert "--from" not in result.stderr
    assert "load_all" not in result.stderr
    assert result.stdout == ""


def test_a_board_that_is_too_large_is_reported() -> None:
    text = nonosat.dumps(nonosat.from_picture(["#" * 300]), "share").strip()
    result = run("studio", "--no-browser", text)
    assert (result.exit_code, "room for 200 x 200" in result.stderr) == (2, True)


@pytest.mark.parametrize("puzzle", [nonosat.Queens(5), nonosat.Knight(5, 6)], ids=str)
@pytest.mark.parametrize("suffix", ["jsonl", "share", "text"])
def test_unsupported_families_are_reported_with_the_commands_that_take_them(
    puzzle: Any, suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if suffix == "text":
        source = nonosat.dumps(puzzle, "share").strip()
    else:
        source = f"board.{suffix}"
        nonosat.save([puzzle], source)
    result = run("studio", "--no-browser", source)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"a puzzle of the family {puzzle.family} ({puzzle.size})" in result.stderr
    assert "nonosat solve FILE" in result.stderr
    if suffix != "text":
        assert run("solve", source).exit_code == 0
        assert run("render", source, "-o", "board.svg").exit_code == 0
        assert Path("board.svg").read_text().startswith("<svg")


@pytest.mark.slow
def test_nothing_is_left_in_the_temporary_folder(tmp_path: Path) -> None:
    with command(TMPDIR=str(tmp_path)) as (process, address), at_work(address):
        assert list(tmp_path.iterdir())
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_S) == 130
        assert list(tmp_path.iterdir()) == []
