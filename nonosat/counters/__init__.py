"""Model counters of other projects: one a file, its package imported only there, in a child.

They count the same formula that `encode` writes, without presolve, or the loops of the same graph,
and share no code with the native counters: a disagreement shows that one of them is wrong.
"""
