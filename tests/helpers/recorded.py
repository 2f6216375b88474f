"""Files of fabricated results for tests of reports, without runs.

`python tests/helpers/recorded.py 50000 FILE` writes so many runs of ten configurations; then
`time nonosat bench report FILE -o page.html` shows how long a report takes and how large it is.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from nonosat.bench.records import Header, Run, RunLimits, Status, dump
from nonosat.core.result import Verdict

LIMIT_S = 10.0
NAMES = ("order", "direct", "automaton")
Rows = tuple[str, ...]


def digest(text: str) -> str:
    return sha256(text.encode(errors="replace")).hexdigest()


def header(names: Iterable[str] = NAMES, **changed: Any) -> Header:
    configurations = {
        name: {"backend": "cadical195", "encoding": {"line": name}, "sha256": digest(name)}
        for name in names
    }
    whole = Header(
        session=1,
        suite="made up",
        suite_file="suites/made-up.toml",
        suite_sha256=digest("suite"),
        task="check",
        max_solutions=2,
        repetitions=1,
        limits=RunLimits(LIMIT_S, LIMIT_S, 1024),
        configurations=configurations,
        environment={"nonosat": "0.1.0", "commit": "0123abc", "versions": {"ortools": "9.15"}},
        started="2026-11-21T12:00:00Z",
    )
    return replace(whole, **changed)


def one(name: str, instance: str = "a.jsonl#1", seconds: float = 1.0, **changed: Any) -> Run:
    """Run that found one solution; the arguments replace fields."""
    whole = Run(
        session=1,
        instance=instance,
        sha256=digest(instance),
        size=(2, 2),
        expected=None,
        configuration=name,
        configuration_sha256=digest(name),
        repetition=0,
        seed=0,
        status=Status.OK,
        verdict=Verdict.UNIQUE,
        started="2026-11-21T12:00:01Z",
        solutions=(("#.", "##"),),
        wall_s=seconds * 1.1,
        cpu_s=seconds,
        start_s=0.004,
        encode_s=seconds * 0.1,
        solve_s=seconds * 0.9,
        check_s=0.0001,
        peak_mib=30.5,
        statistics={"conflicts": round(seconds * 1000)},
        load=(0.5, 0.5),
        exit=0,
    )
    return replace(whole, **changed)


def failed(name: str, instance: str, status: Status, seconds: float = LIMIT_S) -> Run:
    return one(
        name,
        instance,
        seconds,
        status=status,
        verdict=Verdict.UNKNOWN,
        solutions=(),
        statistics={},
        reason=f"ended by {status.value}",
    )


def write(path: Path, runs: Iterable[Run], head: Header | None = None) -> str:
    """Write a file of one session; return its name."""
    lines = (json.dumps(dump(record)) for record in (head or header(), *runs))
    path.write_text("".join(f"{line}\n" for line in lines))
    return str(path)


def many(num: int, names: Mapping[str, float], repetitions: int = 2, seed: int = 1) -> list[Run]:
    """About `num` runs of configurations, each slower than 1 by the given factor.

    The median instance takes a tenth of a second; every hundred times slower one is a timeout.
    """
    rng = random.Random(seed)
    runs = []
    for number in range(num // (len(names) * repetitions)):
        hardness = 0.1 * 10 ** rng.gauss(0, 0.9)
        side = rng.choice((10, 15, 20, 30))
        rows = tuple("".join(rng.choices(".#", k=side)) for _ in range(side))
        for repetition in range(repetitions):
            for name, factor in names.items():
                seconds = factor * hardness * 10 ** rng.gauss(0, 0.15)
                instance = f"random-{side}.jsonl#{number}"
                run = one(name, instance, seconds, size=(side, side), repetition=repetition)
                if seconds > LIMIT_S:
                    run = failed(name, instance, Status.TIMEOUT)
                runs.append(replace(run, size=(side, side), repetition=repetition))
                if seconds <= LIMIT_S:
                    runs[-1] = replace(runs[-1], solutions=(rows,))
    return runs


def main() -> None:
    num, path = int(sys.argv[1]), Path(sys.argv[2])
    names = {f"configuration-{index}": 1.3**index for index in range(10)}
    write(path, many(num, names, 5), header(names, repetitions=5))


if __name__ == "__main__":
    main()
