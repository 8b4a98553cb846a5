"""Fuzzing of the understanding of command lines; see README.md."""
