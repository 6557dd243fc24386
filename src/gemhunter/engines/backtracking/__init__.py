"""`backtracking`, on cells and on clauses."""
