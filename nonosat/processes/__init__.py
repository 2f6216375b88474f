"""Processes: children that can be killed, pools, clusters, and what systems differ in."""
