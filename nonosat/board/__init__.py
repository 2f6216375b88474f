"""Boards: rectangles whose rows and columns are lines.

The modules are the Python interfaces of native methods on boards: presolve, beliefs (belief
propagation), prices (a bound by linear programming duality) and decimation.
"""
