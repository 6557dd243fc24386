"""Kernels of the game: dealing, revealing, and players."""
