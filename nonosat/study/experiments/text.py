"""Results of the experiments as Markdown: question, method, answer; plots in words; tables."""

from __future__ import annotations

from collections.abc import Sequence

from nonosat.study.experiments import Data, Row
from nonosat.study.experiments.run import ORDER, experiment, lead, plots
from nonosat.study.experiments.words import INTRODUCTION, WORDS

TITLE = "How well do textbook methods solve nonograms?"
PARTS = ("The question", "How it was measured", "What came out")


def markdown(found: Data) -> str:
    """Return the results of a run as Markdown."""
    parts = [f"# {TITLE}", f"{lead(found)}.", *INTRODUCTION]
    parts.append("\n".join(f"* **{word}**: {_plain(text)}" for word, text in WORDS))
    for name in ORDER:
        module, data = experiment(name), found["experiments"][name]
        parts.append(f"## {module.TITLE}")
        texts = (module.QUESTION, module.HOW, module.answer(data))
        parts += [f"**{head}.** {_plain(t)}" for head, t in zip(PARTS, texts, strict=True)]
        parts += [
            f"**{plot.title}.** {_plain(plot.conclusion(data))}" for plot in plots(name, found)
        ]
        parts.append(_table(module.table(data)))
    return "\n\n".join(parts) + "\n"


def _plain(text: object) -> str:
    """Return text with the characters of Markdown markup removed."""
    return str(text).replace("*", "\\*").replace("|", "\\|").replace("_", "\\_")


def _table(rows: Sequence[Row]) -> str:
    heads = list(rows[0])
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)]]
    lines += [[_plain(row[head]) for head in heads] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
