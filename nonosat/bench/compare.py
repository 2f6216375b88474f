"""Two benchmarks of the same instances, run against run: has anything become worse?

Cells (medians of repetitions) of the same puzzle and configuration are pairs; a configuration is
found again by its name, else by the hash of its options. Worse is

* a wrong answer where there was none,
* an instance no longer solved, unless it is a timeout of one that took over half the limit
  before: such runs fall on either side of the limit by chance,
* seconds: Wilcoxon's signed-rank test on the logarithms of the ratios finds a difference (p below
  0.05 after Holm's correction for the number of tests), the geometric mean is above the threshold
  and its 95 % confidence interval above 1. The test asks whether, the interval how much; a few
  spoilt measurements move the mean, but not the test. A timeout counts as the limit, so its ratio
  is at least as large as that,
* conflicts, which no busy machine changes: by the same rule, unless the seconds became better.

The test is written with the standard library (`statistics.signed_rank`): scipy would be 100 MB for
thirty lines.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from nonosat.bench.cells import Cell, Table, tabulate
from nonosat.bench.judge import judge
from nonosat.bench.records import Status
from nonosat.bench.results import Results, described
from nonosat.bench.statistics import LEAST_S, Ratio, holm, log_ratios, ratio, signed_rank
from nonosat.errors import UnsupportedError, counted

SIGNIFICANT = 0.05
THRESHOLD = 0.05  # a share; smaller differences are no regression however certain
NEAR = 0.5  # of the limit
Pairs = Sequence[tuple[float, float]]


class Change(NamedTuple):
    """How a quantity changed: new divided by old.

    Args:
        ratio: Geometric mean and confidence interval.
        chance: The test's p-value, corrected for the number of tests.
    """

    ratio: Ratio
    chance: float

    def is_worse(self, threshold: float) -> bool:
        is_certain = self.chance < SIGNIFICANT and self.ratio.low > 1
        return is_certain and self.ratio.value > 1 + threshold

    def is_better(self, threshold: float) -> bool:
        is_certain = self.chance < SIGNIFICANT and self.ratio.high < 1
        return is_certain and self.ratio.value < 1 / (1 + threshold)


@dataclass(frozen=True, slots=True)
class Comparison:
    """One configuration before and after.

    Args:
        configuration: Its new name.
        num: Instances that ran both times.
        newly_wrong: Names of instances.
        newly_unsolved: Instances that are no longer solved, with their status.
        at_limit: Instances that took long before and are a timeout now.
        newly_solved: Instances that were not solved before.
        seconds: How the time changed; None where there is nothing to compare.
        conflicts: How the conflicts changed.
    """

    configuration: str
    num: int
    newly_wrong: Sequence[str]
    newly_unsolved: Sequence[str]
    at_limit: Sequence[str]
    newly_solved: Sequence[str]
    seconds: Change | None
    conflicts: Change | None

    def regressions(self, threshold: float) -> list[str]:
        """The changes for the worse, in words; empty where nothing is worse."""
        seconds, conflicts = self.seconds, self.conflicts
        found = [f"{len(self.newly_wrong)} newly wrong"] if self.newly_wrong else []
        found += [f"{len(self.newly_unsolved)} newly unsolved"] if self.newly_unsolved else []
        if seconds and seconds.is_worse(threshold):
            found.append(f"slower by {seconds.ratio.value - 1:.0%}")
        is_faster = seconds is not None and seconds.is_better(threshold)
        if conflicts and conflicts.is_worse(threshold) and not is_faster:
            found.append(f"{conflicts.ratio.value - 1:.0%} more conflicts")
        return found


def compare(old: Results, new: Results, kind: str) -> list[Comparison]:
    """Pair and test every configuration that is in both.

    Args:
        old: The runs before.
        new: The runs after.
        kind: "cpu" or "wall" seconds.

    Raises:
        UnsupportedError: Nothing ran in both, or the questions differ.
    """
    if old.header.question() != new.header.question():
        raise UnsupportedError(
            f"the runs asked different questions: {described(old.header)} before, "
            f"{described(new.header)} now; expected the same task and limits"
        )
    before, after = (tabulate(one, judge(one), kind) for one in (old, new))
    same = _same(old, new)
    found = [
        _compare(_Pair(old, new, before.column(earlier), after.column(later), after), later)
        for later, earlier in same.items()
    ]
    found = [one for one in found if one.num]
    if not found:
        raise UnsupportedError(
            "no instance ran under the same configuration both times; expected two results of "
            f"one suite, found {_listed(before)} before and {_listed(after)} now"
        )
    return _corrected(found)


def _listed(table: Table) -> str:
    return f"{counted(len(table.instances), 'instance')} with {', '.join(table.configurations)}"


def unmatched(old: Results, new: Results) -> list[str]:
    """A line for each instance and configuration that ran in one of the two files alone."""
    before, after, same = _instances(old), _instances(new), _same(old, new)
    only_old = [name for name in before if name not in same.values()]
    lines = [f"{name} ran before and not now" for name in only_old]
    lines += [f"{name} did not run before" for name in after if name not in same]
    for later, earlier in same.items():
        counts = len(before[earlier] - after[later]), len(after[later] - before[earlier])
        words = ("ran before and not now", "did not run before")
        told = [
            f"{counted(num, 'instance')} {word}"
            for num, word in zip(counts, words, strict=True)
            if num
        ]
        lines += [f"{later}: {', '.join(told)}"] if told else []
    return lines


def _instances(results: Results) -> dict[str, set[str]]:
    """The puzzles on which each configuration ran."""
    found: dict[str, set[str]] = {}
    for run in results.runs:
        found.setdefault(run.configuration, set()).add(run.sha256)
    return found


def _same(old: Results, new: Results) -> dict[str, str]:
    """The old name of each new configuration that there was."""
    names = {run.configuration for run in old.runs}
    hashes = {run.configuration_sha256: run.configuration for run in old.runs}
    own = {run.configuration: run.configuration_sha256 for run in new.runs}
    pairs = {name: name if name in names else hashes.get(sha) for name, sha in own.items()}
    return {name: earlier for name, earlier in pairs.items() if earlier is not None}


class _Pair(NamedTuple):
    """Cells of one configuration by instance, before and after."""

    old: Results
    new: Results
    before: Mapping[str, Cell]
    after: Mapping[str, Cell]
    table: Table


def _compare(pair: _Pair, name: str) -> Comparison:
    common = [instance for instance in pair.after if instance in pair.before]
    limit_s = pair.table.limit_s
    names = {i: pair.new.runs[pair.after[i].run].instance for i in common}

    def those(wanted: Callable[[Cell, Cell], bool]) -> list[str]:
        return [names[i] for i in common if wanted(pair.before[i], pair.after[i])]

    return Comparison(
        name,
        len(common),
        those(lambda b, a: _is(a, Status.WRONG) and not _is(b, Status.WRONG)),
        those(lambda b, a: _is_lost(b, a) and not _is_near(b, a, limit_s)),
        those(lambda b, a: _is_lost(b, a) and _is_near(b, a, limit_s)),
        those(lambda b, a: a.is_solved and not b.is_solved),
        _change(_seconds(pair, common, limit_s), LEAST_S),
        _change(_conflicts(pair, common), 1),
    )


def _is(cell: Cell, status: Status) -> bool:
    return cell.status is status


def _is_lost(before: Cell, after: Cell) -> bool:
    """Solved before and not now; wrong answers are told apart."""
    return before.is_solved and not after.is_solved and not _is(after, Status.WRONG)


def _is_near(before: Cell, after: Cell, limit_s: float) -> bool:
    return _is(after, Status.TIMEOUT) and before.seconds > NEAR * limit_s


def _seconds(pair: _Pair, common: Sequence[str], limit_s: float) -> Pairs:
    """New and old seconds of what was solved at least once and otherwise ran out of time."""
    in_time = (Status.OK, Status.TIMEOUT)
    cells = [(pair.after[i], pair.before[i]) for i in common]
    return [
        (_time(new, limit_s), _time(old, limit_s))
        for new, old in cells
        if new.status in in_time and old.status in in_time and (new.is_solved or old.is_solved)
    ]


def _time(cell: Cell, limit_s: float) -> float:
    return cell.seconds if cell.is_solved else max(limit_s, cell.seconds)


def _conflicts(pair: _Pair, common: Sequence[str]) -> Pairs:
    """New and old conflicts, plus one, of what was solved both times."""
    found = []
    for i in common:
        new, old = pair.after[i], pair.before[i]
        if new.is_solved and old.is_solved:
            counts: list[Any] = [
                results.runs[cell.run].statistics.get("conflicts")
                for results, cell in ((pair.new, new), (pair.old, old))
            ]
            if all(isinstance(count, int) and 0 <= count < 2**63 for count in counts):
                found.append((float(counts[0]) + 1, float(counts[1]) + 1))
    return found


def _change(pairs: Pairs, least: float) -> Change | None:
    """Ratio and test, not yet corrected."""
    found = ratio(pairs, least)
    return None if found is None else Change(found, signed_rank(log_ratios(pairs, least)))


def _corrected(found: Sequence[Comparison]) -> list[Comparison]:
    """All tests of a kind corrected together."""
    kept = list(found)
    for field in ("seconds", "conflicts"):
        tested = [index for index, one in enumerate(kept) if getattr(one, field)]
        chances = holm([getattr(kept[index], field).chance for index in tested])
        for index, chance in zip(tested, chances, strict=True):
            change = getattr(kept[index], field)._replace(chance=chance)
            kept[index] = replace(kept[index], **{field: change})
    return kept
