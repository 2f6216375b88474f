"""Types that all other packages share: models, grids, errors, results, limits, plug-in records."""
