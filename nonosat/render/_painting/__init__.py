"""Painters: the same shapes as SVG, PNG or PDF. `pdf.py` and `png.py` need packages."""
