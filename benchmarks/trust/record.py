"""Common parts of the checks of this folder: their options, and their records.

A check is a program that compares a part of nonosat with an independent reference. It takes
`--short` (the form run by the tests: seconds, always the same cases), `--seed N` (other cases) and
`--record` (writes `results/<name>.json`). It prints its figures, and ends with status 1 after any
disagreement. The figures of every check contain `checked` and `failures`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))
from common import children_s, surroundings, yardstick

RESULTS = Path(__file__).parent / "results"
Figures = dict[str, Any]
INTERRUPTED = 130  # exit status


class Asked(NamedTuple):
    """Extent of a check.

    Args:
        short: The form run by the tests: some seconds.
        seed: Seed of all random cases.
        names: The parts to check; empty for all. Only for a check with named parts.
    """

    short: bool
    seed: int
    names: tuple[str, ...] = ()

    def cases(self, whole: int, short: int) -> int:
        """Return the number of cases of a kind."""
        return short if self.short else whole


def perform(name: str, check: Callable[[Asked], Figures], parts: Sequence[str] = ()) -> None:
    """Run a check from the command line, print its figures, and end the process.

    Args:
        name: Name of the program and of its record.
        check: Return at least `checked`, numbers of cases by kind, and `failures`, a sentence each;
            after Ctrl-C also `interrupted`, and then nothing is recorded.
        parts: Names of parts that can be checked alone.
    """
    doc = (sys.modules[check.__module__].__doc__ or "").splitlines()[0]
    parser = argparse.ArgumentParser(description=doc)
    parser.add_argument("--short", action="store_true", help="the form run by the tests, seconds")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="other random cases")
    parser.add_argument("--record", action="store_true", help=f"write results/{name}.json")
    if parts:
        parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(parts))
    arguments = parser.parse_args()
    names = tuple(arguments.names) if parts else ()
    if unknown := [each for each in names if each not in parts]:
        parser.error(f"there is no {', '.join(unknown)}, expected some of {', '.join(parts)}")
    asked = Asked(arguments.short, arguments.seed, names)
    started, of_children = perf_counter(), children_s()
    figures = check(asked)
    spent = {
        "cpu_s": round(process_time() + children_s() - of_children, 1),
        "wall_s": round(perf_counter() - started, 1),
    }
    print(json.dumps(figures | spent, indent=1))
    if figures.get("interrupted"):
        what = "; nothing is recorded" if arguments.record else ""
        print(f"interrupted: the figures are those of what was done by then{what}", file=sys.stderr)
        sys.exit(INTERRUPTED)
    if arguments.record:
        about = {"short": asked.short, "seed": asked.seed, "on": surroundings()}
        RESULTS.mkdir(exist_ok=True)
        made = {**about, "yardstick": yardstick(), **spent, **figures}
        (RESULTS / f"{name}.json").write_text(json.dumps(made, indent=1) + "\n")
    sys.exit(1 if figures["failures"] else 0)


def recorded(name: str) -> Figures:
    """Return the recorded figures of a check."""
    found: Figures = json.loads((RESULTS / f"{name}.json").read_text())
    return found
