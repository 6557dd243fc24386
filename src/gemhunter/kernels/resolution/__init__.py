"""The knowledge base of clauses, and what follows from it."""
