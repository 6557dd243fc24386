"""What you can ask about a board: a solution, all of them, how many, forced cells, a proof, a grade.

There is one file per question, which begins with the function that answers it; start with `solve.py`.
"""
