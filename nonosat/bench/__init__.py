"""Benchmarks: suites of instances and configurations, run under hard limits, judged and reported.

`records.py` documents the records, `suite.py` the suite files.
"""
