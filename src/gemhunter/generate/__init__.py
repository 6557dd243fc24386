"""Boards on request: puzzles, games that need no guess, and suites for a course or a benchmark.

Start with `puzzles.py`. A seed gives the same board on every machine and with any number of workers.
"""
