"""What the experiments found as Markdown: two sentences for each plot, and tables."""

from __future__ import annotations

from collections.abc import Sequence

from nonosat.study.experiments import Data, Row
from nonosat.study.experiments.run import ORDER, experiment, lead, plots

TITLE = "The documents' experiments, run again"


def markdown(found: Data) -> str:
    """A run as Markdown."""
    parts = [f"# {TITLE}", f"{lead(found)}."]
    for name in ORDER:
        module, data = experiment(name), found["experiments"][name]
        parts.append(f"## {module.TITLE}")
        parts += [f"**{plot.title}.** {_plain(plot.says(data))}" for plot in plots(name, found)]
        parts.append(_table(module.table(data)))
    return "\n\n".join(parts) + "\n"


def _plain(text: object) -> str:
    """Text without what Markdown would read as markup."""
    return str(text).replace("*", "\\*").replace("|", "\\|").replace("_", "\\_")


def _table(rows: Sequence[Row]) -> str:
    heads = list(rows[0])
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)]]
    lines += [[_plain(row[head]) for head in heads] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
