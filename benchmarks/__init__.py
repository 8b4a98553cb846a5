"""Measurements, printed as a table with ratios. Not part of the tests: `python -m benchmarks`."""
