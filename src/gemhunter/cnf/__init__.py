"""Clauses: the formula, its encodings, DIMACS and DRAT. Start with `encode.py`."""
