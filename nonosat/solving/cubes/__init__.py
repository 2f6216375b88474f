"""Cube and conquer for one hard puzzle: split by look-ahead, conquer the parts side by side.

`split` grows the tree of cubes, `part` decides one cube in a process of its own, `conquest` hands
them out and splits again those that take too long, `tree` holds what has become of them all.
`cover` checks the form of such a tree, and shares nothing with the splitter; `certify.covers`
checks files of trees.

Source: Heule, Kullmann, Wieringa, Biere, "Cube and Conquer: Guiding CDCL SAT Solvers by
Lookaheads" (HVC 2011).
"""
