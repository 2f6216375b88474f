"""Questions asked beside solve and check: how many solutions, which cells are certain or likely."""
