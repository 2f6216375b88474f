"""Cube and conquer for one hard puzzle: split it by look-ahead, solve the cubes in parallel.

One engine searches the whole puzzle first (`auto.before_cubes`), and easy puzzles are not split.
`leaves` grows the tree of cubes, `part` decides one cube in a separate process, which continues
with that engine if it is a copy of this one, `conquest` distributes the cubes and splits those that
exceed their budgets, `tree` stores their states.
`cover` checks the form of such a tree, and shares nothing with the splitter; `certify.covers`
checks files of trees.

Source: Heule, Kullmann, Wieringa, Biere, "Cube and Conquer: Guiding CDCL SAT Solvers by Lookaheads"
(HVC 2011).
"""
