"""Pictures of puzzles and solutions: text for terminals and pipes, SVG for notebooks."""
