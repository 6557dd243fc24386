"""Conflict-driven clause learning: one kernel per step of the search."""
