"""Boards × engines × runs: how fast each engine is on each board, measured fairly."""
