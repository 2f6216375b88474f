"""Model counters of other projects: one a file, its package imported only there, in a child.

They count the same formula that `encode` writes, without presolve, and share no code with the
native counter: a disagreement shows that one of them is wrong.
"""
