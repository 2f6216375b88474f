"""Property tests: random data that shrinks well, and oracles that share no code with solvers."""
