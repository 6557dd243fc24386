"""The puzzle itself: grids, regions, solutions and the independent checker."""
