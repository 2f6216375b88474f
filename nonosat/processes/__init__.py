"""Processes: children that can be killed, guards, pools, clusters, and what systems differ in."""
