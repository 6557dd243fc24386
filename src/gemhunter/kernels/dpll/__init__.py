"""The DPLL search."""
