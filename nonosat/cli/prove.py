"""`nonosat prove`: a verdict that others can check."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from nonosat.certify import folder
from nonosat.certify.certificate import as_stated, sizes_text
from nonosat.certify.folder import OPB, PBP
from nonosat.certify.prove import prove
from nonosat.cli import UNKNOWN
from nonosat.cli._files import force_option, is_forced
from nonosat.cli._jobs import checked, parallel_options
from nonosat.cli._options import limits, limits_of, puzzle_argument, reading
from nonosat.cli._progress import Working
from nonosat.cli._sources import the_item
from nonosat.core.errors import LimitReached, path_text

if TYPE_CHECKING:
    from nonosat.certify.certificate import Certificate


_FELT_S = 0.1


@click.command("prove")
@puzzle_argument
@click.option("-o", "--output", metavar="DIR", required=True, help="A folder, new or empty.")
@force_option
@click.option(
    "--by",
    type=click.Choice(["prices", "clauses"]),
    help="What proves that there is no other solution, or none.  "
    "[default: prices where they suffice, clauses where lines do or --backend or --cubes is given]",
)
@click.option(
    "--backend",
    metavar="NAME",
    help="Engine that writes the proof in clauses where lines and probing do not settle the "
    "puzzle.  [default: learn]",
)
@click.option(
    "--cubes",
    metavar="N",
    type=click.IntRange(min=1),
    help="Refute in N parts side by side; their proofs, in clauses, are put together to one.",
)
@click.option(
    "--veripb",
    is_flag=True,
    help="Also write the clues in OPB, and a proof by prices for the checker VeriPB.",
)
@parallel_options("Processes for --cubes; by default as many as there are cores.")
@limits("the whole")
@reading("PUZZLE")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    file: str,
    output: str,
    by: str | None,
    backend: str | None,
    cubes: int | None,
    veripb: bool,
    jobs: int | None,
    force_jobs: bool,
    format_: str | None,
    family: str | None,
    **allowed: Any,
) -> None:
    """Decide PUZZLE (a file of one puzzle, or FILE#ID) and write what proves the verdict to DIR.

    A unique puzzle gets its solution, and what proves that there is no other: a table of prices for
    its cells, which bounds in how many of them a solution can differ, or clauses, the formula
    "another solution exists" (DIMACS) and a refutation of it (DRAT and LRAT). An unsolvable one
    gets such a table, or the refutation of its formula; one of several solutions two of them.
    Prices are small and found without search, but suffice for few puzzles; clauses always do.
    A puzzle of another family than nonograms gets clauses: its rules, and where there is a loop,
    cuts, which keep it from falling apart and which `verify` checks one by one.
    `nonosat verify DIR` checks all of it but what --veripb adds, prices.opb and prices.pbp, which
    are for other checkers. The status is 0 when a certificate was written, 5 when a limit was hit
    or prices do not suffice for --by prices or --veripb.
    """
    checked(jobs, force_jobs, None)
    folder.check_target(Path(output), replaces=is_forced())
    item = the_item(file, format_, family, allowed)
    try:
        with Working(f"prove {item.name}"):
            certificate = prove(
                item.puzzle,
                by=by or "auto",
                engine=backend,
                cubes=cubes,
                jobs=jobs,
                veripb=veripb,
                **limits_of(allowed, item.read_s),
            )
    except LimitReached as limit:
        click.echo(f"{item.name}: unknown: {limit}; nothing was written")
        ctx.exit(UNKNOWN)
    certificate.write(output, force=is_forced())
    name = path_text(output)
    said = ", ".join(
        filter(None, (f"{certificate.claim} by {certificate.how}", as_stated(certificate.trusted)))
    )
    click.echo(f"{item.name}: {said}: {name} {_sizes(certificate)}")
    if veripb:
        click.echo(f"{item.name}: {_for_veripb(certificate)}")


def _for_veripb(certificate: Certificate) -> str:
    if PBP not in certificate.files:
        return "several solutions need no proof for VeriPB"
    sizes = (f"{name} ({len(certificate.files[name]):,} bytes)" for name in (OPB, PBP))
    return f"for VeriPB: {', '.join(sizes)}"


def _sizes(certificate: Certificate) -> str:
    """Sizes, and what it took; by stage where that is long enough to be felt."""
    total_s = sum(certificate.seconds.values())
    seconds = f"{total_s:.2f} s"
    if total_s >= _FELT_S:
        stages = (f"{name} {s:.2f}" for name, s in certificate.seconds.items() if s >= 0.005)
        seconds += f": {', '.join(stages)}"
    if certificate.prices is not None:
        return f"({certificate.prices}, {seconds})"
    if not certificate.num_clauses:
        return f"({seconds})"
    sizes = sizes_text(certificate.num_clauses, certificate.num_cuts, certificate.num_lemmas)
    if certificate.num_logged > certificate.num_lemmas:
        sizes += f" after trimming {certificate.num_logged:,}"
    return f"({sizes}, {seconds})"
