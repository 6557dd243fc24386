"""Handed-in answers: what a file, or the folder of a class, says about boards, and whether it is right.

Start with `verdicts.py` for one answer, and `classes.py` for a class. `lines.py` and `sections.py` read
answers, `cases.py` assigns them to test cases, and `pages.py` writes what a teacher reads.
"""
