"""Answers of students and solvers: what a file, or the folder of a class, says about boards.

Start with `sections.py`; `cases.py` finds out which test case an answer belongs to.
"""
