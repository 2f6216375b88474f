"""Regression test between two benchmarks of the same instances.

Cells (medians of repetitions) of the same puzzle and configuration form pairs. Configurations are
matched by name, else by the hash of their options. A regression is

* a new wrong answer,
* an instance no longer solved, unless it is an inconclusive timeout: it took over half the
  limit before, or ran under a lighter load before,
* seconds: the whole 95 % confidence interval of the geometric mean of new / old lies above
  the threshold, and Wilcoxon's signed-rank test on the logarithms finds a difference (p
  below 0.05 after Holm's correction for the number of tests). The interval includes the
  noise of both files (see `noise`); the test is robust against a few outliers. A timeout
  counts as the limit, so its true ratio is at least that. Pairs that ran under different
  loads or on different machines are excluded, and at least six pairs are required,
* conflicts, which do not depend on load: by the same rule, unless the seconds improved.

The test uses only the standard library (`statistics.signed_rank`), because scipy would add 100 MB.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from nonosat.bench.cells import Cell, CellTable, tabulate
from nonosat.bench.judge import judge
from nonosat.bench.noise import (
    FEWEST,
    START_S,
    Pairs,
    beyond,
    drift,
    is_alike,
    is_busier,
    margin_of,
    ratio_of,
)
from nonosat.bench.records import Run, Status
from nonosat.bench.results import Results, described, options_of
from nonosat.bench.statistics import LEAST_S, Ratio, holm, signed_rank
from nonosat.core.errors import UnsupportedError, counted, shown

SIGNIFICANT = 0.05
NEAR = 0.5  # share of the limit from which on a later timeout is inconclusive


class Change(NamedTuple):
    """Change of a quantity: new divided by old.

    Args:
        ratio: Geometric mean, with a confidence interval that includes the noise of both files.
        chance: The test's p-value, corrected for the number of tests.
    """

    ratio: Ratio
    chance: float

    def is_worse(self, threshold: float) -> bool:
        """Return True if the quantity has grown, beyond noise, by more than this share."""
        return self.chance < SIGNIFICANT and self.ratio.low > 1 + threshold

    def is_better(self, threshold: float) -> bool:
        """Return True if the quantity has shrunk, beyond noise, by more than this share."""
        return self.chance < SIGNIFICANT and self.ratio.high < 1 / (1 + threshold)


@dataclass(frozen=True, slots=True)
class Comparison:
    """One configuration before and after.

    Args:
        configuration: New name of the configuration.
        num: Number of instances that ran both times.
        newly_wrong: Names of instances with a new wrong answer.
        newly_unsolved: Instances that are no longer solved, with their status.
        at_limit: Instances with a timeout now that took long before, or ran under a lighter load.
        newly_solved: Instances that were not solved before.
        seconds: Change of the time; None with too few pairs.
        conflicts: Change of the conflicts; None with too few pairs.
        num_seconds: Number of pairs for the seconds.
        num_conflicts: Number of pairs for the conflicts.
        num_aside: Number of pairs whose seconds were excluded: different load or machine.
    """

    configuration: str
    num: int
    newly_wrong: Sequence[str]
    newly_unsolved: Sequence[str]
    at_limit: Sequence[str]
    newly_solved: Sequence[str]
    seconds: Change | None
    conflicts: Change | None
    num_seconds: int
    num_conflicts: int
    num_aside: int

    def regressions(self, threshold: float) -> list[str]:
        """Return the regressions in words; empty if there is none."""
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
    """Pair and test every configuration that is in both files.

    Args:
        old: The runs before.
        new: The runs after.
        kind: "cpu" or "wall" seconds.

    Raises:
        UnsupportedError: No instance ran in both, or tasks or limits differ.
    """
    if old.header.question() != new.header.question():
        raise UnsupportedError(
            f"the runs have different tasks or limits: {described(old.header)} before, "
            f"{described(new.header)} now; expected the same task and limits"
        )
    before, after = (tabulate(one, judge(one), kind) for one in (old, new))
    same = _same(old, new)
    found = [
        _compare(
            _Pair(old, new, before.column(earlier), after.column(later), kind, after.limit_s), later
        )
        for later, earlier in same.items()
    ]
    found = [one for one in found if one.num]
    if not found:
        raise UnsupportedError(
            "no instance ran under the same configuration both times; expected two results of "
            f"one suite, found {_listed(before)} before and {_listed(after)} now"
        )
    return _corrected(found)


def _listed(table: CellTable) -> str:
    return f"{counted(len(table.instances), 'instance')} with {', '.join(table.configurations)}"


def unmatched(old: Results, new: Results) -> list[str]:
    """Return a line for each instance and configuration that ran in one of the two files only."""
    before, after, same = _instances(old), _instances(new), _same(old, new)
    only_old = [name for name in before if name not in same.values()]
    lines = [f"{name} ran before and not now" for name in only_old]
    lines += [f"{name} did not run before" for name in after if name not in same]
    for later, earlier in same.items():
        counts = len(before[earlier] - after[later]), len(after[later] - before[earlier])
        words = ("ran before and not now", "did not run before")
        texts = [
            f"{counted(num, 'instance')} {word}"
            for num, word in zip(counts, words, strict=True)
            if num
        ]
        lines += [f"{later}: {', '.join(texts)}"] if texts else []
    return lines + [f"{name} has other options now: {words}" for name, words in _altered(old, new)]


def _altered(old: Results, new: Results) -> Iterator[tuple[str, str]]:
    """Yield each paired configuration with changed options: its new name, changes in words."""
    for later, earlier in _same(old, new).items():
        before, after = (
            {**options_of(results.headers[name], _first(results, name)), "sha256": None}
            for results, name in ((old, earlier), (new, later))
        )
        words = [
            f"{key} {shown(after.get(key))} (was {shown(before.get(key))})"
            for key in dict.fromkeys([*before, *after])
            if before.get(key) != after.get(key)
        ]
        if words:
            yield later, ", ".join(words)


def _first(results: Results, name: str) -> Run:
    return next(run for run in results.runs if run.configuration == name)


def _instances(results: Results) -> dict[str, set[str]]:
    """Return the puzzles on which each configuration ran."""
    found: dict[str, set[str]] = {}
    for run in results.runs:
        found.setdefault(run.configuration, set()).add(run.sha256)
    return found


def _same(old: Results, new: Results) -> dict[str, str]:
    """Return old names by new names for the configurations in both files.

    Configurations are the same if their names are, or else if their options are.
    """
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
    kind: str
    limit_s: float

    def runs(self, instance: str) -> tuple[Run, Run]:
        """Return the median runs of an instance, before and after."""
        return self.old.runs[self.before[instance].run], self.new.runs[self.after[instance].run]

    def is_alike(self, instance: str) -> bool:
        before, after = self.runs(instance)
        return is_alike(self.old, before, self.new, after)

    def is_lost(self, instance: str) -> bool:
        """Return True if the instance was solved before and is not now; excludes wrong answers."""
        before, after = self.before[instance], self.after[instance]
        return before.is_solved and not after.is_solved and not _is(after, Status.WRONG)

    def is_excused(self, instance: str) -> bool:
        """Return True if a timeout is inconclusive.

        It is if the earlier run ended near the limit, or if the machine was less busy then.
        """
        if not _is(self.after[instance], Status.TIMEOUT):
            return False
        before, after = self.runs(instance)
        is_near = self.before[instance].seconds > NEAR * self.limit_s
        return is_near or is_busier(self.new, after, before)


def _compare(pair: _Pair, name: str) -> Comparison:
    common = [instance for instance in pair.after if instance in pair.before]
    timed = _timed(pair, common)
    alike = [instance for instance in timed if pair.is_alike(instance)]
    seconds = [(_time(pair.after[i], pair), _time(pair.before[i], pair)) for i in alike]
    conflicts = _conflicts(pair, common)
    drifts = (drift(pair.old, pair.before, pair.kind), drift(pair.new, pair.after, pair.kind))

    def those(includes: Callable[[str], bool]) -> list[str]:
        return [pair.runs(instance)[1].instance for instance in common if includes(instance)]

    return Comparison(
        configuration=name,
        num=len(common),
        newly_wrong=those(
            lambda i: _is(pair.after[i], Status.WRONG) and not _is(pair.before[i], Status.WRONG)
        ),
        newly_unsolved=those(lambda i: pair.is_lost(i) and not pair.is_excused(i)),
        at_limit=those(lambda i: pair.is_lost(i) and pair.is_excused(i)),
        newly_solved=those(lambda i: pair.after[i].is_solved and not pair.before[i].is_solved),
        seconds=_change(seconds, LEAST_S, START_S, margin_of(*drifts)),
        conflicts=_change(conflicts, 1, 0, 0),
        num_seconds=len(seconds),
        num_conflicts=len(conflicts),
        num_aside=len(timed) - len(alike),
    )


def _is(cell: Cell, status: Status) -> bool:
    return cell.status is status


def _timed(pair: _Pair, common: Sequence[str]) -> list[str]:
    """Return the instances to compare by time: solved before, after or both, else timed out."""
    in_time = (Status.OK, Status.TIMEOUT)
    cells = {i: (pair.before[i], pair.after[i]) for i in common}
    return [
        instance
        for instance, both in cells.items()
        if all(cell.status in in_time for cell in both) and any(cell.is_solved for cell in both)
    ]


def _time(cell: Cell, pair: _Pair) -> float:
    return cell.seconds if cell.is_solved else max(pair.limit_s, cell.seconds)


def _conflicts(pair: _Pair, common: Sequence[str]) -> Pairs:
    """Return new and old conflicts, plus one, of instances solved both times."""
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


def _change(pairs: Pairs, least: float, start: float, margin: float) -> Change | None:
    """Return the ratio, and the p-value before correction; None if there are too few pairs."""
    if len(pairs) < FEWEST:
        return None
    chance = signed_rank(beyond(pairs, least, start))
    return Change(ratio_of(pairs, least, start, margin), chance)


def _corrected(found: Sequence[Comparison]) -> list[Comparison]:
    """Return the comparisons with p-values corrected over all configurations (Holm)."""
    kept = list(found)
    for field in ("seconds", "conflicts"):
        tested = [index for index, one in enumerate(kept) if getattr(one, field)]
        chances = holm([getattr(kept[index], field).chance for index in tested])
        for index, chance in zip(tested, chances, strict=True):
            change = getattr(kept[index], field)._replace(chance=chance)
            kept[index] = replace(kept[index], **{field: change})
    return kept
