"""Benchmarks: suites of instances and configurations, run under hard limits, judged and reported.

What is recorded is described in `records.py`; what a suite may say, in `suite.py`.
"""
