"""Mutation testing: small mistakes put into the code, which the tests must detect.

A sample of mutants is tested in each target, with the tests that are responsible for it. A mutant
is killed if a test fails, hangs or dies. Survivors are listed; `mutants_known.toml` gives the
reason of each that no test can kill. Any other survivor is a gap in the tests and a failure of this
check, and so is a target with fewer than 90 % killed.

An entry may contain `equivalent = true`: such a mutant gives the same answers with the same work
for every input. As usual in mutation testing the judged share, the mutation score, excludes these;
`share_of_all` counts them among the survivors. Source: Jia, Harman, "An analysis and survey of the
development of mutation testing" (IEEE TSE 2011).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import mutants_native
from natively import ROOT
from record import Asked, Figures, perform, recorded

HERE = Path(__file__).parent
WANTED = 0.9


class Known(NamedTuple):
    """A known survivor: the reason why no test kills it, and if it is equivalent."""

    reason: str = ""
    equivalent: bool = False


Reasons = dict[tuple[str, str, str, str, str], Known]  # of survivors: see `known`
SAMPLE, SHORT_SAMPLE = 60, 12


class Target(NamedTuple):
    """Modules, and the tests responsible for them.

    Args:
        modules: Names of modules of nonosat; `*` for any in a room.
        tests: Files below `tests/`, or tests of a file in the notation of pytest.
    """

    modules: tuple[str, ...]
    tests: tuple[str, ...]


TARGETS = {
    "model": Target(
        ("core.model",),
        ("test_model_data.py", "test_ranges.py"),
    ),
    "encodings-count": Target(
        ("encodings.count_*", "encodings._pysat", "clauses.counts"), ("test_counts.py",)
    ),
    "encodings-line": Target(
        ("encodings.line_*", "encodings._order", "encodings._layers"),
        (
            "test_order_native.py",
            "test_encodings_strength.py",
            "test_encodings_size.py",
            "test_encodings.py",
            "test_phases.py::test_phases_follow_the_likelier_side",
        ),
    ),
    "encodings-loop": Target(
        ("encodings.loop_*", "clauses.loops"), ("test_loops.py", "test_loops_separators.py")
    ),
    "clauses": Target(
        ("clauses.batches", "clauses.cnf", "clauses.sinks", "clauses.translate"),
        ("test_clauses.py",),
    ),
    "presolve": Target(("board.presolve",), ("test_presolve.py",)),
    "prices": Target(("board.prices",), ("test_prices_calls.py",)),
    "price-proofs": Target(
        ("certify.price_*", "certify.plain_board"),
        (
            "test_certify_plain_board.py",
            "test_certify_prices.py",
            "test_certify_price_files.py",
            "test_cover.py",
        ),
    ),
    "proof": Target(
        (
            "certify.encoder",
            "certify.formula",
            "certify.verify",
            "certify.witness",
            "certify.rules.nonogram",
            "certify.covers",
            "certify.derived",
            "certify.parts",
        ),
        (
            "test_certify_parts.py",
            "test_certify.py",
            "test_certify_files.py",
            "test_certify_price_files.py::test_small_puzzles_by_prices",
            "test_cover.py",
            "test_certify_mutations.py",
        ),
    ),
    "proof-rules": Target(
        (
            "certify.cuts",
            "certify.encoder",
            "certify.formula",
            "certify.rules.*",
            "certify.verify",
            "certify.witness",
        ),
        (
            "test_certify_rules.py",
            "test_certify_cuts.py",
            "test_certify_families.py",
            "test_certify_own_families.py",
            "test_certify_families_mutations.py",
        ),
    ),
}
SHORT = TARGETS["model"]


def modules(patterns: Iterable[str]) -> list[str]:
    """Return the full names of modules."""
    files = [
        path
        for pattern in patterns
        for path in sorted((ROOT / "nonosat").glob(f"{pattern.replace('.', '/')}.py"))
    ]
    return [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in files]


def tried(target: Target, sample: int, seed: int, root: Path = ROOT) -> dict[str, Any]:
    """Test mutants of a target in a separate process, with the tests of `root`."""
    asked = {
        "modules": modules(target.modules) if root == ROOT else target.modules,
        "tests": [str(root / "tests" / each) for each in target.tests],
        "sample": sample,
        "seed": seed,
        "jobs": min(2, os.cpu_count() or 1),
    }
    where = {"PYTHONPATH": str(root)} if root != ROOT else {}
    done = subprocess.run(
        [sys.executable, str(HERE / "living.py")],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        cwd=root,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", **where},
    )
    found: dict[str, Any] = json.loads(done.stdout or "{}")
    if "tried" not in found:
        raise RuntimeError(f"{found.get('error', '')}: {done.stdout} {done.stderr[-3000:]}")
    return found


def known() -> Reasons:
    """Return the known survivors, by file, function, line (its text), source and its change.

    The function of a native mutant is its line.
    """
    entries = tomllib.loads((HERE / "mutants_known.toml").read_text()).get("survivor", [])
    return {
        (e["file"], e["function"], e.get("line", e["function"]), e["before"], e["after"]): Known(
            e["reason"], e.get("equivalent", False)
        )
        for e in entries
    }


def judged(found: Mapping[str, Any], reasons: Reasons) -> Figures:
    """Return the figures of a target's mutants."""
    mutants = [each for each in found["tried"] if each["outcome"] != "unmade"]
    survivors = [described(each, reasons) for each in mutants if each["outcome"] != "killed"]
    killed = len(mutants) - len(survivors)
    equivalent = sum(each["equivalent"] for each in survivors)
    return {
        "mutants": found["mutants"],
        "tried": len(mutants),
        "killed": killed,
        "equivalent": equivalent,
        "share": share(killed, len(mutants) - equivalent),
        "share_of_all": share(killed, len(mutants)),
        "survivors": survivors,
    }


def share(killed: int, mutants: int) -> float:
    """Return the share of killed mutants; 1 if there are none."""
    return round(killed / mutants, 3) if mutants else 1.0


def complaints(name: str, figures: Figures) -> Iterator[str]:
    """Yield the failures in the figures."""
    for each in figures["survivors"]:
        if not each["reason"]:
            where = f"{each['file']}, line {each['line']}, {each['function']}"
            change = f"{each['before']!r} changed to {each['after']!r}"
            yield f"{name}: {where}: no test notices {change}"
    if figures["share"] < WANTED:
        yield f"{name}: {figures['share']:.1%} of mutants are killed, expected {WANTED:.0%}"


def described(mutant: Mapping[str, Any], reasons: Reasons) -> dict[str, Any]:
    """Return the record of a survivor, with the known reason or ""."""
    path = Path(mutant["path"])
    file = str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else path.name
    words = {key: mutant[key] for key in ("line", "function", "before", "after", "outcome")}
    line = path.read_text().splitlines()[mutant["line"] - 1].strip()
    key = (file, mutant["function"], line, mutant["before"], mutant["after"])
    return {"file": file, **words, **reasons.get(key, Known())._asdict()}


def before() -> dict[str, Figures]:
    """Return the targets of the record."""
    try:
        targets: dict[str, Figures] = recorded("mutants")["targets"]
    except FileNotFoundError:
        return {}
    return targets


def check(asked: Asked) -> Figures:
    """Test every target; in short form a dozen mutants of the model.

    If names are given, the record keeps its figures of the others.
    """
    reasons = known()
    every = (*TARGETS, *mutants_native.TARGETS)
    names = asked.names or (("short",) if asked.short else every)
    shown = before() if asked.names else {}
    for name in names:
        sample = asked.cases(SAMPLE, SHORT_SAMPLE)
        if name in mutants_native.TARGETS:
            found = mutants_native.tried(mutants_native.TARGETS[name], sample, asked.seed)
        else:
            found = tried(TARGETS.get(name, SHORT), sample, asked.seed)
        shown[name] = {"seed": asked.seed, **judged(found, reasons)}
    return {
        "checked": {f"mutants, {name}": each["tried"] for name, each in shown.items()},
        "failures": [word for name, each in shown.items() for word in complaints(name, each)],
        "targets": shown,
    }


if __name__ == "__main__":
    perform("mutants", check, [*TARGETS, *mutants_native.TARGETS])
