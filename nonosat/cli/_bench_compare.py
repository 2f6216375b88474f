"""`nonosat bench compare`: find regressions between two benchmarks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from nonosat.bench.compare import compare, unmatched
from nonosat.bench.noise import FEWEST
from nonosat.bench.results import load
from nonosat.cli._options import which_seconds
from nonosat.core.errors import counted, printable

if TYPE_CHECKING:
    from nonosat.bench.compare import Change, Comparison

WORSE = 1
_LISTED = 10


@click.command("compare")
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@click.option(
    "--threshold",
    metavar="SHARE",
    type=click.FloatRange(min=0, max=100),
    default=0.05,
    show_default=True,
    help="Slowdowns below this share are not regressions.",
)
@which_seconds
@click.pass_context
def command(ctx: click.Context, old: str, new: str, threshold: float, seconds: str) -> None:
    """Compare the results NEW with OLD, puzzle by puzzle, and exit with 1 if anything is worse.

    Worse means a wrong answer, a puzzle no longer solved (except for a timeout under a heavier
    load, or of a puzzle that took over half of the limit before), and seconds or conflicts that
    have grown by more than the threshold beyond the noise of both files: the whole 95 % interval of
    new / old lies above it, and Wilcoxon's signed-rank test shows a difference (p < 0.05 after
    Holm's correction). The interval allows for single runs (a paired bootstrap), for the start of
    processes (1 ms) and, if a suite has repetitions, for the drift between them. Pairs that ran
    under different loads or on different machines are excluded. Runs of one file alone are listed
    on standard error, and not judged.
    """
    before, after = load([old]), load([new])
    found = compare(before, after, seconds)
    for note in (*before.remarks, *after.remarks, *unmatched(before, after)):
        click.echo(f"nonosat: {printable(note)}", err=True)
    for one in found:
        click.echo("\n".join(_lines(one, threshold)))
    num = sum(bool(one.regressions(threshold)) for one in found)
    click.echo(f"worse: {num} of {counted(len(found), 'configuration')}")
    ctx.exit(WORSE if num else 0)


def _lines(one: Comparison, threshold: float) -> Iterator[str]:
    """Yield the lines about one configuration."""
    worse = one.regressions(threshold)
    verdict = f"WORSE: {', '.join(worse)}" if worse else "no regression"
    yield f"{printable(one.configuration)}: {verdict} ({counted(one.num, 'instance')})"
    aside = f", {one.num_aside} set aside: other load or machine" if one.num_aside else ""
    yield _change("seconds", one.seconds, one.num_seconds, threshold) + aside
    yield _change("conflicts", one.conflicts, one.num_conflicts, threshold)
    for word, names in (
        ("newly wrong", one.newly_wrong),
        ("newly unsolved", one.newly_unsolved),
        ("timeouts near the limit or under a heavier load", one.at_limit),
        ("newly solved", one.newly_solved),
    ):
        if names:
            shown = ", ".join(map(printable, names[:_LISTED]))
            more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
            yield f"  {len(names)} {word}: {shown}{more}"


def _change(what: str, change: Change | None, num: int, threshold: float) -> str:
    if change is None:
        if not num:
            return f"  {what}: nothing to compare"
        return f"  {what}: too few to decide, {counted(num, 'pair')}, expected {FEWEST} or more"
    worse, better = change.is_worse(threshold), change.is_better(threshold)
    word = "more" if worse else "less" if better else "no difference beyond the noise"
    ratio = change.ratio
    return (
        f"  {what}: {word}, new / old {ratio.value:.3f} "
        f"(95 % {ratio.low:.3f} to {ratio.high:.3f}), p = {change.chance:.2g}, "
        f"{counted(num, 'pair')}"
    )
