"""Engines: one file for each algorithm, with its kernels; folders where one file would be too long to read.

Start with `dpll.py`, then `cdcl/`. `auto/` is the default; `commands.py` runs SAT solvers that are programs.
"""
