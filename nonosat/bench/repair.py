"""Which lines of a file of `bench run` are records that may stand where they do."""

from __future__ import annotations

from nonosat.batch.repair import Judge
from nonosat.bench.records import Header, Record, Run, parse
from nonosat.core.errors import FormatError


def judge_of_bench() -> Judge:
    """Judges the lines of a file, from the first to the last.

    A run means nothing without the header of its session, which has the limits and the task: where
    that is lost, its runs are set aside as well, and are done again.
    """
    sessions: set[int] = set()

    def judge(data: Record, path: str, number: int) -> None:
        record = parse(data, path, number)
        if isinstance(record, Header):
            sessions.add(record.session)
        elif isinstance(record, Run) and record.session not in sessions:
            what = f"a run of session {record.session}, whose header is lost"
            raise FormatError(what, path=path, line=number)

    return judge
