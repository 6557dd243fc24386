"""What one can ask of a board: a solution, all of them, how many, forced cells, a proof, a grade.

One file per question; start with `solve.py`.
"""
