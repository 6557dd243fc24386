"""Answers of students and solvers: what a file, or the folder of a class, says about boards.

Start with `sections.py`; `cases.py` assigns answers to test cases.
"""
