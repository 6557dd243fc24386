"""Kernels: functions of arrays and numbers that run as plain Python or compiled by Numba; knows no boards.

Start with `kernel.py`, the decorator; `choice.py` decides whether compiling pays, `compiler.py` compiles.
"""
