"""`nonosat verify`: do certificates hold?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nonosat.cli import BAD_INPUT, UNKNOWN, report
from nonosat.cli._options import limits
from nonosat.cli._progress import Progress
from nonosat.errors import counted

if TYPE_CHECKING:
    from nonosat.certify.covers import Cover
    from nonosat.certify.verify import Verified

SAID = {
    "unique": "exactly one solution",
    "unsolvable": "no solution",
    "multiple": "at least two solutions",
}


@click.command("verify", short_help="Check certificates.")
@click.argument("places", metavar="DIR...", nargs=-1, required=True)
@limits("each certificate")
@click.pass_context
def command(
    ctx: click.Context,
    places: tuple[str, ...],
    time_limit_s: float | None,
    memory_limit_mib: int | None,
) -> None:
    """Check the certificate in every folder DIR..., as `nonosat prove` writes them.

    The solution is checked against the clues. Price tables are added up, in plain Python and again
    natively; a formula is checked against the clues, and both proofs against the formula. No solver
    takes part. The status is 0 when all hold, 2 when one does not
    (the message names the file and the reason), 5 when a limit was hit.

    A file in place of a folder holds what `solve --cover` wrote: that the cubes cover everything is
    checked, what look-ahead has refuted is refuted again, the engine is taken at its word.
    """
    from nonosat.errors import LimitReached

    statuses = []
    with Progress(places, "verify", str) as bar:
        for name in bar:
            try:
                for told in _verified(name, time_limit_s, memory_limit_mib):
                    with bar.hidden():
                        click.echo(told)
            except LimitReached as limit:
                with bar.hidden():
                    click.echo(f"{name}: unknown: {limit}")
                statuses.append(UNKNOWN)
            except Exception as error:
                with bar.hidden():
                    statuses.append(report(error, name))
            else:
                statuses.append(0)
    ctx.exit(BAD_INPUT if BAD_INPUT in statuses else max(statuses))


def _verified(name: str, time_limit_s: float | None, memory_limit_mib: int | None) -> Iterator[str]:
    """The lines about a folder, or about each puzzle of a file."""
    path = Path(name)
    if path.is_file():
        from nonosat.certify.covers import verify_covers

        for cover in verify_covers(path, time_limit_s, memory_limit_mib):
            yield _told_of_cover(name, cover)
        return
    from nonosat.certify.verify import verify

    found = verify(path, time_limit_s=time_limit_s, memory_limit_mib=memory_limit_mib)
    yield _told(name, found)


def _told_of_cover(name: str, cover: Cover) -> str:
    """One line about cubes that cover everything."""
    from nonosat.errors import printable

    of = printable(cover.puzzle.about.id)
    named = f"{name}: {of}" if of else name
    leaves = cover.covered.leaves
    again = leaves.get("look-ahead", 0)
    trusted = ", ".join(f"{n} by {who}" for who, n in sorted(leaves.items()) if who != "look-ahead")
    said = SAID.get(cover.verdict, f"exactly {counted(cover.covered.num_solutions, 'solution')}")
    refuted = f"{counted(again, 'cube')} refuted again"
    counts = f"{refuted}, {printable(trusted) or 'none'} taken on trust"
    return f"{named}: covered: {said} ({counts}, {cover.seconds:.2f} s)"


def _told(name: str, found: Verified) -> str:
    """One line about a certificate that holds."""
    from nonosat.errors import printable

    of = printable(found.puzzle.about.id)
    named = f"{name}: {of}" if of and of != Path(name).name else name
    sizes = f"{found.sizes}, " if found.sizes else ""
    return f"{named}: valid: {SAID[found.claim]} ({sizes}{found.seconds:.2f} s)"
