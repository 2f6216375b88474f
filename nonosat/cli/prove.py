"""`nonosat prove`: a verdict with a certificate."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from nonosat.certify import folder
from nonosat.certify.certificate import as_stated, sizes_text
from nonosat.certify.proof_steps import VERSIONS
from nonosat.certify.prove import prove
from nonosat.cli import UNKNOWN, message_of
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
@click.option("-o", "--output", metavar="DIR", required=True, help="Folder, new or empty.")
@force_option
@click.option(
    "--by",
    type=click.Choice(["prices", "clauses"]),
    help="Kind of the proof that there is no other solution, or none.  "
    "[default: prices if they suffice; clauses if lines do, or with --backend or --cubes]",
)
@click.option(
    "--backend",
    metavar="NAME",
    help="Engine that writes the proof in clauses if lines and probing do not decide the "
    "puzzle.  [default: learn]",
)
@click.option(
    "--cubes",
    metavar="N",
    type=click.IntRange(min=1),
    help="Refute N cubes in parallel; their proofs, in clauses, are combined into one.",
)
@click.option(
    "--veripb",
    is_flag=True,
    help="Also write the clues in OPB, and a proof over them for the checker VeriPB.",
)
@click.option(
    "--veripb-format",
    "version",
    type=click.Choice(VERSIONS),
    help="Version of VeriPB's format.  [default: 3.0]",
)
@parallel_options("Processes for --cubes; by default one per core.")
@limits("the whole command")
@reading("PUZZLE")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    file: str,
    output: str,
    by: str | None,
    backend: str | None,
    **params: Any,
) -> None:
    """Decide PUZZLE (a file of one puzzle, or FILE#ID) and write a certificate to DIR.

    A unique puzzle gets its solution, and a proof that there is no other: a table of prices for its
    cells, which bounds in how many of them a solution can differ, or clauses, the formula "another
    solution exists" (DIMACS) and a refutation of it (DRAT and LRAT). An unsolvable one gets such a
    table, or the refutation of its formula; one of several solutions two of them. Prices are small
    and found without search, but are sufficient for few puzzles; clauses always are. A puzzle of
    another family than nonograms gets clauses: its rules, and for a loop the cuts that keep it
    connected, which `verify` checks one by one. `nonosat verify DIR` checks all of it except the
    files of --veripb, which are for other checkers: the clues without an encoding in clauses, and a
    proof by prices (prices.opb and prices.pbp), or one that derives the clauses from the clues
    (clauses.opb and clauses.pbp). The status is 0 when a certificate was written, 5 when a limit
    was reached or prices are not sufficient for --by prices.
    """
    checked(params["jobs"], params["force_jobs"], None)
    if params["version"] and not params["veripb"]:
        raise click.UsageError("--veripb-format is for --veripb; add it, or leave this out")
    folder.check_target(Path(output), replaces=is_forced())
    item = the_item(file, params["format_"], params["family"], params)
    try:
        with Working(f"proving {item.name}"):
            certificate = prove(
                item.puzzle,
                by=by or "auto",
                engine=backend,
                veripb=params["version"] or params["veripb"],
                **{name: params[name] for name in ("cubes", "jobs")},
                **limits_of(params, item.read_s),
            )
    except LimitReached as limit:
        click.echo(f"{item.name}: unknown: {message_of(limit)}; nothing was written")
        ctx.exit(UNKNOWN)
    certificate.write(output, force=is_forced())
    name = path_text(output)
    claim = ", ".join(
        filter(None, (f"{certificate.claim} by {certificate.how}", as_stated(certificate.trusted)))
    )
    click.echo(f"{item.name}: {claim}: {name} {_sizes(certificate)}")
    if params["veripb"]:
        click.echo(f"{item.name}: {_for_veripb(certificate)}")


def _for_veripb(certificate: Certificate) -> str:
    names = [name for name in chain(*folder.FURTHER) if name in certificate.files]
    if not names:
        return "several solutions need no proof for VeriPB"
    sizes = (f"{name} ({len(certificate.files[name]):,} bytes)" for name in names)
    return f"for VeriPB: {', '.join(sizes)}"


def _sizes(certificate: Certificate) -> str:
    """Return sizes and seconds; by stage if they are long enough to notice."""
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
