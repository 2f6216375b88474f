"""No shell for users' input, no execution of data, no network but `--cluster`."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import nonosat

HOUSE = Path(nonosat.__file__).parent
RISKY_MODULES = {
    *("socket", "socketserver", "ssl", "http", "urllib", "ftplib", "smtplib", "xmlrpc", "asyncio"),
    *("webbrowser", "requests", "httpx", "aiohttp", "distributed", "dask", "pickle", "marshal"),
    *("shelve", "yaml", "dill", "cloudpickle", "pty", "telnetlib"),
}
RISKY_CALLS = {
    *("eval", "exec", "compile", "__import__", "input", "breakpoint", "os.system", "os.popen"),
    *("os.execv", "os.execvp", "os.execve", "os.execl", "os.spawnv", "os.spawnl", "ctypes.CDLL"),
    *("subprocess.getoutput", "subprocess.getstatusoutput", "code.interact"),
}
RISKY_NAMES = {call.rpartition(".")[2] for call in RISKY_CALLS}
# Few files contain any of these words, and to parse all of them takes seconds.
RISKY_WORDS = re.compile(
    rf"\b(?:{'|'.join(sorted(RISKY_MODULES))})\b|\b(?:{'|'.join(sorted(RISKY_NAMES))})\s*\(|\bshell\b"
)
# What is there, and why it does no harm.
ALLOWED = {
    ("processes/child.py", "pickle"): "messages between us and a worker that we have started",
    ("processes/worker.py", "pickle"): "the same, at the other end",
    ("processes/tied.py", "compile"): "a file of this package",
    ("processes/tied.py", "exec"): "the same",
    ("processes/child.py", "socket"): "a pair of connected sockets, which have no address",
    ("processes/worker.py", "socket"): "the same, at the other end",
    ("processes/isolation.py", "socket"): "a pair of connected sockets",
    ("processes/isolation.py", "pickle"): "messages of a forked copy of this process",
    ("bench/process.py", "socket"): "a pair of connected sockets",
    ("bench/zygote.py", "socket"): "the same, at the other end",
    ("processes/cluster/connecting.py", "socket"): "--cluster",
    ("processes/cluster/connecting.py", "ssl"): "--cluster, whose connections are encrypted",
    ("bench/external.py", "os.execvp"): "the program that a suite names, as a list of words",
    ("processes/system.py", "ctypes.CDLL"): "a call of the operating system",
    ("studio/server.py", "socket"): "listens to this machine alone",
    ("studio/opening.py", "webbrowser"): "opens the studio's own address",
    ("studio/access.py", "urllib"): "takes addresses apart",
    ("studio/files.py", "urllib"): "puts names of files into headers",
    ("studio/api.py", "asyncio"): "waits for children, or for the end of a request",
    ("studio/connections.py", "asyncio"): "ends connections",
    ("studio/server.py", "asyncio"): "its loop reports errors",
    ("studio/worker_pool.py", "asyncio"): "waits for children",
    ("studio/live.py", "asyncio"): "waits for children",
    ("testing/encodings.py", "eval"): "a formula in the declaration of an encoding, whose module "
    "was imported, that is, run",
}  # fmt: skip


def risks(source: str) -> Iterator[tuple[int, str]]:
    """Line and name of what may run data, or speak to others."""
    if not RISKY_WORDS.search(source):
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = [alias.name.partition(".")[0] for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [(node.module or "").partition(".")[0]]
        elif isinstance(node, ast.Call):
            last = getattr(node.func, "attr", getattr(node.func, "id", ""))  # most are harmless
            names = [ast.unparse(node.func)] if last in RISKY_NAMES else []
            names = [name for name in names if name in RISKY_CALLS]
            names += [
                f"{each.arg}={ast.unparse(each.value)}"
                for each in node.keywords
                if each.arg == "shell" and ast.unparse(each.value) != "False"
            ]
            yield from ((node.lineno, name) for name in names)
            continue
        else:
            continue
        yield from ((node.lineno, name) for name in names if name in RISKY_MODULES)


def found() -> Iterator[tuple[str, int, str]]:
    for path in sorted(HOUSE.rglob("*.py")):
        for line, name in risks(path.read_text(encoding="utf-8")):
            yield path.relative_to(HOUSE).as_posix(), line, name


@pytest.mark.slow
def test_only_known_code_executes_data_or_opens_connections() -> None:
    every = list(found())
    cluster = {"distributed", "dask", "asyncio"}
    strange = [
        f"{path}:{line}: {name}"
        for path, line, name in every
        if (path, name) not in ALLOWED
        and not (path.startswith("processes/cluster/") and name in cluster)
    ]
    assert strange == []
    assert ALLOWED.keys() <= {(path, name) for path, _, name in every}, "an entry is of no use"


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("import subprocess\nsubprocess.run(x, shell=True)", "shell=True"),
        ("subprocess.Popen(x, shell=how)", "shell=how"),
        ("import os\nos.system(x)", "os.system"),
        ("eval(x)", "eval"),
        ("def f():\n    from urllib.request import urlopen", "urllib"),
        ("import http.client", "http"),
        ("import pickle", "pickle"),
    ],
)
def test_the_search_finds_each(source: str, name: str) -> None:
    assert [each for _, each in risks(source)] == [name]


HOOK = """
import os, sys

FORBIDDEN = ("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethostbyname",
             "socket.sendto", "urllib.Request", "os.system", "http.client.connect")

def watch(event, args):
    shell = event == "subprocess.Popen" and str(args[0]).rpartition("/")[2] in ("sh", "bash")
    if event in FORBIDDEN or shell:
        with open(os.environ["HOOKED"], "a") as file:
            file.write(event + " " + repr(args)[:200] + chr(10))
        raise RuntimeError("forbidden: " + event)

with open(os.environ["HOOKED"], "a") as file:
    file.write("hooked" + chr(10))
sys.addaudithook(watch)
"""
RUN = """
import json, sys
from click.testing import CliRunner
from nonosat.cli import main
found = []
for words in json.loads(sys.argv[1]):
    result = CliRunner().invoke(main, words)
    found.append((words, result.exit_code, result.output[-300:]))
print(json.dumps(found))
"""
COMMANDS = [
    *(["check", "a.jsonl"], ["solve", "a.jsonl"], ["count", "a.jsonl"], ["show", "a.jsonl"]),
    *(["explain", "a.jsonl"], ["hint", "a.jsonl"], ["rate", "a.jsonl"], ["backbone", "a.jsonl"]),
    *(["convert", "a.jsonl", "b.non"], ["prove", "a.jsonl", "-o", "proof"], ["verify", "proof"]),
    *(["generate", "slitherlink", "4", "4"], ["queens", "6"], ["knight", "5", "5"]),
    *(["batch", "a.jsonl", "-o", "out.jsonl", "--jobs", "2"], ["check", "https://a.b/c.non"]),
    ["check", "$(touch hacked).non"],
]  # fmt: skip


@pytest.mark.slow
def test_commands_need_neither_network_nor_shell(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(HOOK)
    (tmp_path / "a.jsonl").write_text('{"rows": [[2], [1]], "columns": [[2], [1]]}\n')
    log = tmp_path / "log"
    env = {**os.environ, "PYTHONPATH": str(tmp_path / "site"), "HOOKED": str(log)}
    ran = subprocess.run(
        [sys.executable, "-c", RUN, json.dumps(COMMANDS)],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        check=True,
    )
    for words, status, said in json.loads(ran.stdout):
        expected = (2,) if words[1][:1] in "h$" and words[0] == "check" else (0,)
        assert status in expected, (words, said)
    assert set(log.read_text().split("\n")) == {"hooked", ""}
    assert not (tmp_path / "hacked").exists()


def test_the_hook_reports_connections(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(HOOK)
    env = {**os.environ, "PYTHONPATH": str(tmp_path), "HOOKED": str(tmp_path / "log")}
    code = "import socket; socket.create_connection(('127.0.0.1', 1), 1)"
    ran = subprocess.run([sys.executable, "-c", code], env=env, check=False, capture_output=True)
    assert b"forbidden: socket" in ran.stderr
