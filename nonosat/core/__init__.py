"""Words that every room uses: models, grids, errors, results, limits, plug-in records."""
