"""`nonosat verify`: check certificates."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nonosat.certify.certificate import as_stated
from nonosat.certify.covers import verify_covers
from nonosat.certify.verify import verify
from nonosat.cli import ON_TRUST, UNKNOWN, exit_status, report
from nonosat.cli._options import limits
from nonosat.cli._progress import ProgressIterator
from nonosat.core.errors import LimitReached, counted, printable

if TYPE_CHECKING:
    from nonosat.certify.certificate import Verified
    from nonosat.certify.covers import Cover

CLAIMS = {
    "unique": "exactly one solution",
    "unsolvable": "no solution",
    "multiple": "at least two solutions",
}


@click.command("verify")
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

    The solution is checked against the puzzle. Price tables are added up, in plain Python and again
    natively; a formula is generated again from the puzzle and compared, and both proofs are checked
    against it. No solver takes part. If a puzzle's family is not part of nonosat, the family's own
    model is trusted as the rules; the line states it. The status is 0 when all certificates are
    valid, 2 when one is not (the message names the file and the reason), 5 when a limit was
    reached.

    A file in place of a folder is one that `solve --cover` wrote: it is checked that the cubes
    cover everything, solutions are checked, and refutations by look-ahead are repeated. The claim
    that an engine found no more solutions in a cube cannot be checked. If the cover depends on
    that, the line lists only the checked parts, and the status is 6; `prove --cubes` writes proofs
    of the same cubes.
    """
    statuses = []
    with ProgressIterator(places, "verify", str) as bar:
        for name in bar:
            try:
                for status, text in _verified(name, time_limit_s, memory_limit_mib):
                    with bar.hidden():
                        click.echo(text)
                    statuses.append(status)
            except BrokenPipeError:  # standard output was closed
                raise
            except LimitReached as limit:
                with bar.hidden():
                    click.echo(f"{name}: unknown: {limit}")
                statuses.append(UNKNOWN)
            except Exception as error:
                with bar.hidden():
                    statuses.append(report(error, name))
    ctx.exit(exit_status(statuses))


def _verified(
    name: str, time_limit_s: float | None, memory_limit_mib: int | None
) -> Iterator[tuple[int, str]]:
    """Return the status and the line about a folder, or about each puzzle of a file."""
    path = Path(name)
    if path.is_file():
        for cover in verify_covers(path, time_limit_s, memory_limit_mib):
            yield ON_TRUST if cover.covered.trusted else 0, _cover_text(name, cover)
        return
    found = verify(path, time_limit_s=time_limit_s, memory_limit_mib=memory_limit_mib)
    yield 0, _description(name, found)


def _cover_text(name: str, cover: Cover) -> str:
    """Return one line about cubes that cover everything."""
    of = printable(cover.puzzle.about.id)
    named = f"{name}: {of}" if of else name
    trusted = cover.covered.trusted
    again = sum(cover.covered.leaves.values()) - sum(trusted.values())
    counts = f"{counted(again, 'cube')} refuted again, {cover.seconds:.2f} s"
    if not trusted:
        of_several = f"exactly {counted(cover.covered.num_solutions, 'solution')}"
        claim = of_several if cover.verdict == "multiple" else CLAIMS[cover.verdict]
        return f"{named}: valid: {claim} ({counts})"
    least = cover.covered.num_solutions
    checked = f"at least {counted(least, 'solution')}, " if least else ""
    rest = f"that there is no {'other' if least else 'solution'}"
    engines = printable(", ".join(f"{n} by {who}" for who, n in sorted(trusted.items())))
    cubes = "a cube is" if sum(trusted.values()) == 1 else "cubes are"
    on_trust = f"{rest} is not checked: {cubes} trusted, {engines}"
    return f"{named}: covers everything: {checked}{on_trust} ({counts})"


def _description(name: str, found: Verified) -> str:
    """Return one line about a valid certificate."""
    of = printable(found.puzzle.about.id)
    named = f"{name}: {of}" if of and of != Path(name).name else name
    sizes = f"{found.sizes}, " if found.sizes else ""
    claim = ", ".join(filter(None, (CLAIMS[found.claim], as_stated(found.trusted))))
    return f"{named}: valid: {claim} ({sizes}{found.seconds:.2f} s)"
