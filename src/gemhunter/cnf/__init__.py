"""Clauses: the formula, its encodings, and DIMACS."""
