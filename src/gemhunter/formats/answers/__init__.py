"""Answers of students and of solvers: what a file, or the folder of a class, says about boards."""
