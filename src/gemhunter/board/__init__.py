"""The puzzle itself: grids, puzzles and their solutions, positions, and the independent checker.

Start with `grid.py` (what a board shows), then `puzzle.py` (hidden cells and the regions of clues).
"""
