"""`nonosat verify`: do certificates hold?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from nonosat.cli import BAD_INPUT, UNKNOWN, report
from nonosat.cli._limits import limits

if TYPE_CHECKING:
    from nonosat.certify.verify import Verified

SAID = {
    "unique": "exactly one solution",
    "unsolvable": "no solution",
    "multiple": "at least two solutions",
}


@click.command("verify", short_help="Check certificates.")
@click.argument("folders", metavar="DIR...", nargs=-1, required=True)
@limits("each certificate")
@click.pass_context
def command(
    ctx: click.Context,
    folders: tuple[str, ...],
    time_limit_s: float | None,
    memory_limit_mib: int | None,
) -> None:
    """Check the certificate in every folder DIR..., as `nonosat prove` writes them.

    The solution is checked against the clues, the formula against the clues, and both proofs
    against the formula; no solver takes part. The status is 0 when all hold, 2 when one does not
    (the message names the file and the reason), 5 when a limit was hit.
    """
    from nonosat.certify.verify import verify
    from nonosat.errors import LimitReached

    statuses = []
    for name in folders:
        try:
            found = verify(Path(name), time_limit_s=time_limit_s, memory_limit_mib=memory_limit_mib)
        except LimitReached as limit:
            click.echo(f"{name}: unknown: {limit}")
            statuses.append(UNKNOWN)
        except Exception as error:
            statuses.append(report(error, name))
        else:
            click.echo(_told(name, found))
            statuses.append(0)
    ctx.exit(BAD_INPUT if BAD_INPUT in statuses else max(statuses))


def _told(name: str, found: Verified) -> str:
    """One line about a certificate that holds."""
    from nonosat.cli._sources import printable

    of = printable(found.puzzle.about.id)
    named = f"{name}: {of}" if of and of != Path(name).name else name
    proof = f"{found.num_clauses:,} clauses, {found.num_lemmas:,} lemmas, "
    sizes = proof if found.num_clauses else ""
    return f"{named}: valid: {SAID[found.claim]} ({sizes}{found.seconds:.2f} s)"
