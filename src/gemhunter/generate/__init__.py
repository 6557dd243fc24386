"""Puzzles and games to order."""
