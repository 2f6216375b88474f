"""An external package adds an engine, an encoding and a formulation by entry points.

The package is made in a folder, with the metadata that an installer would write, and used by
processes that have the folder on their path: in the process itself and in its child.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from nonosat.puzzles.nonogram import mono
from nonosat.testing import oracles

ENGINE = '''
"""A solver of forty lines: unit propagation and plain branching."""
from nonosat.clauses.cnf import Cnf
from nonosat.plugins import Answer, Backend, Engine


class Dpll(Cnf, Engine):
    found = None

    def solve(self, assumptions, watch, budget=None):
        self.found = self.search([*map(tuple, self), *((lit,) for lit in assumptions)], {})
        return Answer.UNSAT if self.found is None else Answer.SAT

    def search(self, clauses, values):
        while units := [clause[0] for clause in clauses if len(clause) == 1]:
            lit = units[0]
            values = {**values, abs(lit): lit > 0}
            clauses = [tuple(l for l in c if l != -lit) for c in clauses if lit not in c]
        if () in clauses:
            return None
        if not clauses:
            return values
        lit = clauses[0][0]
        for choice in (lit, -lit):
            found = self.search([*clauses, (choice,)], values)
            if found is not None:
                return found
        return None

    def values(self):
        return bytes(self.found.get(var, False) for var in range(self.num_vars + 1))

    def statistics(self):
        return {"runs": 1}


def open_engine(name, num_vars, seed, options):
    return Dpll(num_vars)


CHILD = Backend(summary="plain branching", needs="theirs", open_engine=open_engine)
PLUGINS = {"dpll": CHILD.replaced(in_process=True), "dpll-child": CHILD}
'''

ENCODING = '''
"""Every filling that the clue does not allow is forbidden by a clause of its own."""
from itertools import product
from nonosat.plugins import Encoding, SizeFormula, Strength


def encode(line, sink):
    (plane,) = line.cells
    wanted = [block.length for block in line.blocks]
    for bits in product((0, 1), repeat=len(plane)):
        if [len(run) for run in "".join(map(str, bits)).split("0") if run] != wanted:
            sink.add([-lit if bit else lit for lit, bit in zip(plane, bits)])


PLUGIN = Encoding(
    summary="forbids what is wrong",
    source="none",
    strength=Strength.NONE,
    size=SizeFormula("0", "2 to the n, less the fillings"),
    encode=encode,
)
'''

FAULTY = '''
"""Plug-ins with mistakes: one allows everything, one fails, an engine fails in its child."""
from nonosat.plugins import Backend
from theirs.encoding import PLUGIN as GOOD
from theirs.engine import CHILD, Dpll


def fail(line, sink):
    return {}["no such key"]


def stray(line, sink):
    GOOD.encode(line, sink)
    sink.add([7_000_000])


class Failing(Dpll):
    def solve(self, assumptions, watch, budget=None):
        return fail(None, None)


PLUGINS = {
    "line-loose": GOOD.replaced(encode=lambda line, sink: None),
    "line-failing": GOOD.replaced(encode=fail),
    "line-stray": GOOD.replaced(encode=stray),
}
ENGINE = CHILD.replaced(open_engine=lambda name, num_vars, seed, options: Failing(num_vars))
'''

ENTRY_POINTS = """
[nonosat.backends]
dpll = theirs.engine
dpll-child = theirs.engine
dpll-bad = theirs.faulty:ENGINE
[nonosat.encodings]
line-theirs = theirs.encoding
line-loose = theirs.faulty
line-failing = theirs.faulty
line-stray = theirs.faulty
"""
ONES = mono([[1]] * 4, [[1]] * 4)  # 24 permutations


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Variables of a process that finds the package."""
    folder = tmp_path_factory.mktemp("site")
    info = folder / "theirs-1.0.dist-info"
    for path, text in {
        folder / "theirs" / "__init__.py": "",
        folder / "theirs" / "engine.py": ENGINE,
        folder / "theirs" / "encoding.py": ENCODING,
        folder / "theirs" / "faulty.py": FAULTY,
        info / "METADATA": "Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n",
        info / "entry_points.txt": ENTRY_POINTS,
    }.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return {**os.environ, "PYTHONPATH": str(folder), "PYTHONUTF8": "1"}


def run(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "nonosat", *arguments],
        env=environment,
        input=json.dumps({"id": "ones", "rows": [[1]] * 4, "columns": [[1]] * 4}),
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.thorough
@pytest.mark.parametrize("backend", ["dpll", "dpll-child", "minisat22"])
@pytest.mark.parametrize("encoding", ["theirs", "order"])
def test_it_solves(environment: dict[str, str], backend: str, encoding: str) -> None:
    options = ["--backend", backend, "--encoding", f"line={encoding}", "--presolve", "none"]
    done = run(environment, "solve", "-", *options, "--max-solutions", "100", "--json")
    assert done.returncode == 3, done.stderr
    record = json.loads(done.stdout)
    found = {"".join(rows).translate({46: "0", 35: "1"}) for rows in record["solutions"]}
    assert found == {"".join(map(str, cells)) for cells in oracles.solutions(ONES)}
    assert (record["backend"], record["encoding"]["line"]) == (backend, encoding)


def test_it_is_listed(environment: dict[str, str]) -> None:
    listed = run(environment, "list", "backends").stdout
    assert "\ndpll         plain branching (needs theirs)\n" in f"\n{listed}"
    assert "line=theirs" in run(environment, "list", "encodings").stdout


@pytest.mark.slow
def test_a_formulation_takes_their_encoding(environment: dict[str, str]) -> None:
    options = ["--backend", "cpsat", "--formulation", "line=booleans:theirs", "--presolve", "none"]
    done = run(environment, "check", "-", *options)
    assert done.returncode == 3, done.stderr


def test_without_the_package_the_names_are_unknown() -> None:
    for option in (["--backend", "dpll"], ["--encoding", "line=theirs"]):
        done = run(dict(os.environ), "solve", "-", *option)
        assert done.returncode == 2
        assert "is called" in done.stderr


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("options", "what", "plugin"),
    [
        (
            ["--encoding", "line=loose", "--backend", "cadical195"],
            "cadical195 with the encoding line=loose gave a solution that the clues refute: row ",
            "the plug-in 'line-loose' of ",
        ),
        (
            ["--encoding", "line=failing", "--backend", "cadical195"],
            "KeyError: 'no such key' (the package theirs 1.0",
            "",
        ),
        (
            ["--encoding", "line=stray", "--backend", "cadical195"],
            "the encoding line=stray breaks its contract: it uses variable 7000000, which its ",
            "the plug-in 'line-stray' of ",
        ),
        (["--backend", "dpll-bad"], "dpll-bad failed: KeyError", ""),
    ],
)
def test_faults_are_attributed_to_the_package(
    environment: dict[str, str], options: list[str], what: str, plugin: str
) -> None:
    done = run(environment, "solve", "-", "--presolve", "none", *options)
    assert done.returncode == 70
    assert f"failure: {what}" in done.stderr
    assert f"{plugin}the package theirs 1.0 is not part of nonosat" in done.stderr
    assert "report this with the puzzle" not in done.stderr


def test_a_failing_encoding_does_not_end_the_table(environment: dict[str, str]) -> None:
    done = run(environment, "encode", "-", "--stats")
    assert done.returncode == 70
    lines = {line.split()[0]: line for line in done.stdout.splitlines()[2:]}
    assert "the package theirs 1.0 is not part of nonosat" in lines["line=failing"]
    assert lines["line=theirs"].split()[1] == "16"
    assert {"line=order", "line=placements"} <= lines.keys()
    rows = [
        json.loads(line)
        for line in run(environment, "encode", "-", "--stats", "--json").stdout.splitlines()
    ]
    assert "KeyError" in next(
        row["failure"] for row in rows if row["encoding"]["line"] == "failing"
    )
