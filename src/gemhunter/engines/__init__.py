"""Engines: one file for each algorithm, with its kernels; folders where one file would be too long to read.

Start with `dpll.py`; `auto/` is the default.
"""
