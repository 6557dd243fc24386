"""Boards × engines × runs: who is how fast on which board, measured fairly."""
