"""The random pictures of the collection; `python instances/recorded.py flips` computes flips."""

from __future__ import annotations

from random_pictures import Recipe

SEARCH_20 = Recipe(20, 20, 0.45, 21, flips=((1, 17), (2, 19), (5, 16), (5, 17), (15, 18), (16, 13)))
SEARCH_30 = Recipe(30, 30, 0.45, 27, flips=((13, 26), (19, 15)))
SEARCH_35 = Recipe(
    35, 35, 0.48, 30, flips=((0, 12), (11, 8), (13, 30), (20, 24), (28, 17), (30, 34))
)
SEARCH_40 = Recipe(
    40,
    40,
    0.5,
    28,
    flips=(
        *((0, 37), (1, 31), (3, 25), (4, 26), (5, 23), (5, 24)),
        *((23, 34), (24, 37), (25, 36), (26, 34), (27, 35), (31, 10)),
    ),
)
PROBE_20 = Recipe(20, 20, 0.45, 22, flips=((0, 13), (4, 3), (4, 19), (18, 12), (19, 14)))
PROBE_25 = Recipe(25, 25, 0.5, 3, flips=((2, 5), (24, 4)))
THREE_COLOURS = Recipe(
    20,
    20,
    0.45,
    37,
    flips=(
        *((1, 4), (1, 7), (3, 18), (5, 3), (5, 7), (5, 10), (7, 4), (9, 5), (9, 14)),
        *((10, 7), (11, 5), (11, 7), (12, 13), (13, 14), (14, 14), (14, 15), (16, 5), (18, 14)),
    ),
    colours=3,
)

RECIPES: tuple[Recipe, ...] = (
    Recipe(15, 15, 0.5, 14),
    Recipe(20, 20, 0.5, 2, flips=((0, 6), (0, 9))),
    PROBE_20,
    SEARCH_20,
    PROBE_25,
    SEARCH_30,
    SEARCH_35,
    SEARCH_40,
    Recipe(40, 40, 0.65, 11),
    Recipe(20, 20, 0.3, 40),
    Recipe(25, 25, 0.4, 42),
    Recipe(30, 30, 0.5, 5),
    THREE_COLOURS,
    Recipe(25, 25, 0.5, 41, colours=2),
)
