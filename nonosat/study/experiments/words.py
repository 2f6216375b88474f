"""Introduction and terms for readers who know neither the documents nor this project."""

from __future__ import annotations

INTRODUCTION = (
    "A nonogram is a grid of cells to be filled or left empty. The numbers next to each row and "
    "column, its clue, are the lengths of the runs of filled cells in that line, in order.",
    "This project began with five teaching documents on puzzles and their algorithms: an article "
    "on solving nonograms by hand and by program, slides on solving them with automata, a contest "
    "problem on Slitherlink, and two notes on knight's tours and on queens. The first two "
    "describe methods for nonograms, measure some of them, and claim how fast they are. Here "
    "those methods are programmed as they are described, in plain Python, with their slips "
    "corrected, and everything that the two documents measure or claim is measured again, "
    "together with the methods that nonosat uses today.",
    "Each section states one question, the measurement and the result; plots and tables with the "
    "details follow. The puzzles are random squares, of which every cell is filled with "
    "probability one half (the same in every run), and puzzles that come with nonosat.",
)

WORDS = (
    ("line", "a row or a column."),
    ("block", "one number of a clue: a run of filled cells."),
    ("placement", "positions of all blocks of a line that agree with the cells known so far."),
    ("slack", "number of cells that a line has beyond its blocks and the gaps between them."),
    ("to solve a line", "to find the cells that are the same in all of its placements."),
    ("propagation", "solving lines again and again until nothing changes; the rest takes guesses."),
    (
        "automaton",
        "a machine that reads a line cell by cell and decides if it fits its clue.",
    ),
    ("O(n^2)", "the work grows like the square of n; O(2^n): it doubles with each further n."),
    ("brute-force", "tries every grid."),
    (
        "automata-backtracking",
        "fills cell by cell, and goes back as soon as an automaton finds that a line cannot fit.",
    ),
    ("rules-backtracking", "the same, after four logic rules."),
    (
        "method-1, method-2, optimum",
        "propagation and guesses, with three ways to solve a line: by splitting at each unknown "
        "cell and comparing both halves, by trying both values of each cell, and the same with a "
        "memory of what has failed.",
    ),
    ("completion", "optimum with shortcuts: the whole algorithm of the article."),
    ("native", "nonosat's own propagation and search, in C++."),
    ("SAT", "the clues as a logical formula, given to the solver MiniSat."),
)
