"""Processes: children that can be killed, pools, clusters, and system dependencies."""
