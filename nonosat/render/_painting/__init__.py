"""Painters: the same shapes as SVG, PNG or PDF. Each module needs its package only when used."""
