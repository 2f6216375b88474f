"""Records of benchmarks: written records are read again, and invalid ones are refused by name."""

from __future__ import annotations

import json
from dataclasses import fields

import pytest

from nonosat.bench import records
from nonosat.bench.records import Header, Run, RunLimits, Status, contradiction, dump, parse
from nonosat.core.errors import FormatError
from nonosat.core.result import Verdict

HEADER = Header(
    session=1,
    suite="tiny",
    suite_file="suites/tiny.toml",
    suite_sha256="a" * 64,
    task="check",
    max_solutions=2,
    repetitions=1,
    limits=RunLimits(1.5, None, 256),
    configurations={"order": {"backend": "cadical195", "sha256": "b" * 64}},
    environment={"nonosat": "1", "commit": None},
    started="2026-01-01T00:00:00+00:00",
)
RUN = Run(
    session=1,
    instance="x.jsonl#1",
    sha256="c" * 64,
    size=(2, 3),
    expected=None,
    configuration="order",
    configuration_sha256="b" * 64,
    repetition=0,
    seed=7,
    status=Status.OK,
    verdict=Verdict.MULTIPLE,
    started="2026-01-01T00:00:00+00:00",
    count=2,
    solutions=(("#..", ".#."), (".#.", "#..")),
    start_s=0.1,
    load=(0.5, 1.0),
    exit=0,
)


@pytest.mark.parametrize("record", [HEADER, RUN])
def test_a_record_is_read_as_it_was_written(record: Header | Run) -> None:
    text = json.dumps(dump(record))
    assert parse(json.loads(text), "results.jsonl", 1) == record


def test_every_field_is_in_the_documented_schema() -> None:
    written = {one.name for kind in (Header, Run) for one in fields(kind)}
    described = set(
        ", ".join(
            line.split("|")[1] for line in (records.__doc__ or "").splitlines() if line[:1] == "|"
        )
        .replace(" ", "")
        .split(",")
    )
    assert written < described
    assert described - written <= {"key", "---", "kind", "schema"}


def test_keys_of_later_schemas_are_ignored() -> None:
    assert parse({**dump(RUN), "phase": 1}, "results.jsonl", 1) == RUN
    assert parse({"kind": "note"}, "results.jsonl", 1) is None


@pytest.mark.parametrize(
    ("record", "changed", "told"),
    [
        (RUN, {"status": "fine"}, "'fine' is not a valid Status"),
        (RUN, {"size": [1, 2, 3]}, "too many values"),
        (RUN, {"size": [1, float("inf")]}, "cannot convert float infinity"),
        (RUN, {"sha256": ...}, "sha256"),
        (HEADER, {"schema": 2}, "schema 2; use the release that wrote it"),
        (HEADER, {"task": "guess"}, "'guess' is none of solve, check"),
        (HEADER, {"limits": {}}, "wall_s"),
    ],
)
def test_a_broken_record_is_refused(record: Header | Run, changed: dict, told: str) -> None:
    data = {key: v for key, v in {**dump(record), **changed}.items() if v is not ...}
    with pytest.raises(FormatError) as caught:
        parse(data, "results.jsonl", 9)
    assert str(caught.value).startswith("results.jsonl:9: a ")
    assert told in str(caught.value)


def test_the_key_distinguishes_tasks_and_repetitions() -> None:
    from dataclasses import replace

    others = [
        replace(RUN, sha256="d" * 64).key(HEADER),
        replace(RUN, repetition=1).key(HEADER),
        replace(RUN, configuration_sha256="e" * 64).key(HEADER),
        RUN.key(replace(HEADER, task="enumerate")),
        RUN.key(replace(HEADER, max_solutions=3)),
        RUN.key(replace(HEADER, limits=RunLimits(2))),
    ]
    assert len({RUN.key(HEADER), *others}) == 7
    assert replace(RUN, session=2, instance="elsewhere", wall_s=1.0).key(HEADER) == RUN.key(HEADER)


@pytest.mark.parametrize(
    ("verdict", "expected", "num_solutions", "is_wrong"),
    [
        ("unique", None, 1, False),
        ("unique", None, 2, True),
        ("unique", "unique", 2, True),
        ("unique", "multiple", 1, True),
        ("unique", "unsolvable", 0, True),
        ("unique", "unsolvable", 1, False),  # the index is wrong
        ("multiple", "unique", 2, False),  # the index is wrong
        ("multiple", "unique", 1, True),
        ("multiple", "multiple", 0, False),
        ("solved", "unique", 1, False),
        ("solved", "multiple", 0, False),
        ("solved", "unsolvable", 0, True),
        ("solved", "unsolvable", 1, False),
        ("unsolvable", None, 0, False),
        ("unsolvable", None, 1, True),
        ("unsolvable", "unique", 0, True),
        ("unknown", "unique", 2, False),
        ("multiple", "unknown", 0, False),
    ],
)
def test_contradictions(
    verdict: str, expected: str | None, num_solutions: int, is_wrong: bool
) -> None:
    index = None if expected is None else Verdict(expected)
    assert (contradiction(Verdict(verdict), index, num_solutions) is not None) == is_wrong
