"""Cube and conquer for one hard puzzle: split it by look-ahead, solve the cubes in parallel.

`split` grows the tree of cubes, `part` decides one cube in a separate process, `conquest`
distributes the cubes and splits those that exceed their budgets, `tree` stores their states.
`cover` checks the form of such a tree, and shares nothing with the splitter; `certify.covers`
checks files of trees.

Source: Heule, Kullmann, Wieringa, Biere, "Cube and Conquer: Guiding CDCL SAT Solvers by Lookaheads"
(HVC 2011).
"""
